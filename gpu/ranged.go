package gpu

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// ranged returns f for launches like this one: Go's int has 64 bits, which a GPU has no registers and no multiplier
// for, and what is known of lengths, numbers and the grid lets the compiler take 32. A launch beyond gets a version of
// its own. There are few, since what is known are powers of two.
func (l *launch) ranged(f *kir.Func, args []kernelcall.Arg[lazy.Array]) *kir.Func {
	g := *f
	g.Params = slices.Clone(f.Params)
	for i := range g.Params {
		p := &g.Params[i]
		if i < len(args) && p.Type.IsInteger() && p.Type.Bytes() >= 4 && args[i].Array == nil && args[i].Bytes == nil && args[i].Memory == nil {
			p.Least, p.Most = rangeOf(args[i].Bits)
		}
	}
	for axis, n := range [3][2]int{{l.grid.X, l.block.X}, {l.grid.Y, l.block.Y}, {l.grid.Z, l.block.Z}} {
		_, blocks := rangeOf(uint64(n[0]))
		_, threads := rangeOf(uint64(n[0] * n[1]))
		if n[0] == 1 {
			blocks = 1
		}
		g.Bounds.Blocks[axis], g.Bounds.Threads[axis] = int(blocks), int(threads)
	}
	return &g
}

// rangeOf returns a range that n lies in, or 0 and 0 for a number of more than 31 bits. The least bound is that a
// product of two such numbers fits in 32 bits, the greatest that one does; those between let sums of some fit.
func rangeOf(n uint64) (least, most int64) {
	for _, bits := range [...]int{15, 20, 25, 28, 31} {
		if n < 1<<bits {
			return int64(min(n, 1)), 1<<bits - 1
		}
	}
	return 0, 0
}
