package gosrc

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/kir"
)

// copy is Go's copy. Slices may overlap: where dst lies behind src the last element is copied first, so that none is
// overwritten before it has been read.
func (l *lowerer) copy(in *ssa.Call, dst, src value) value {
	s, ok := in.Call.Args[1].Type().Underlying().(*types.Slice)
	if !ok {
		l.fail(in.Pos(), "", "kernel code cannot use strings")
	}
	n := l.b.Op(kir.OpMin, dst[1].v, src[1].v)
	move := func(i *kir.Value) {
		x := l.load(l.element(src[0], i, s.Elem(), in.Pos()), s.Elem(), in.Pos())
		l.store(l.element(dst[0], i, s.Elem(), in.Pos()), s.Elem(), x, in.Pos())
	}
	one := l.b.Int(kir.I64, 1)
	last := func() *kir.Value { return l.b.Op(kir.OpSub, n, one) }
	switch behind, known := l.behind(dst[0], src[0]); {
	case known && !behind:
		l.times(n, move)
	case known:
		end := last()
		l.times(n, func(i *kir.Value) { move(l.b.Op(kir.OpSub, end, i)) })
	default: // the direction is found once: a loop has one step in each round
		back := l.b.Op(kir.OpLt, src[0].v, dst[0].v)
		first := l.b.Op(kir.OpSelect, back, last(), l.b.Int(kir.I64, 0))
		step := l.b.Op(kir.OpSelect, back, l.b.Int(kir.I64, -1), one)
		l.times(n, func(i *kir.Value) { move(l.b.Op(kir.OpAdd, first, l.b.Op(kir.OpMul, i, step))) })
	}
	return plain(n)
}

// behind reports whether dst may have bytes of src before it, where that is known when the kernel is compiled: the two
// are of different memories or variables, or lie at constant offsets from one address.
func (l *lowerer) behind(dst, src part) (behind, known bool) {
	if d, s := dst.org.root(), src.org.root(); d.known && s.known && d.space != s.space {
		return false, true
	}
	a, from := displaced(dst.v)
	b, other := displaced(src.v)
	if a.Op == kir.OpLocal && b.Op == kir.OpLocal && a.Imm != b.Imm {
		return false, true // two variables
	}
	return from > other, a == b
}

// displaced returns an address and how many bytes behind it another one is.
func displaced(addr *kir.Value) (base *kir.Value, bytes int64) {
	for addr.Op == kir.OpAdd && addr.Args[1].Op == kir.OpConst {
		bytes += int64(addr.Args[1].Imm)
		addr = addr.Args[0]
	}
	return addr, bytes
}
