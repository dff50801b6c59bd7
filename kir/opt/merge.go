package opt

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// mostVector is the bytes of the widest access of a thread.
const mostVector = 16

// MergeLoads returns a kernel that does what f does, with one access of two or four words in the place of loads of
// neighbouring words of shared memory, as NVIDIA's assembler makes LDS.64 and LDS.128 of them: those whose address is a
// multiple of the whole, for all that can be known of it, and that stand no further from each other than so many
// instructions, with nothing between that may write there. It is f itself where there are none. Values keep their IDs.
func MergeLoads(f *kir.Func, within int) *kir.Func {
	g := f.Clone()
	m := merger{accesses: accesses{g, nil, nil}, align: alignments(g), within: within}
	changed := false
	for _, blk := range g.Blocks {
		for _, words := range []int{4, 2} {
			changed = m.merge(blk, words) || changed
		}
	}
	if !changed {
		return f
	}
	return g
}

type merger struct {
	accesses
	align  []uint64 // by value ID
	within int
}

// place of a load that may become part of a wider one.
type narrowLoad struct {
	at int // in the block
	v  *kir.Value
}

// merge makes accesses of so many words in blk.
func (m *merger) merge(blk *kir.Block, words int) bool {
	type family struct {
		base *kir.Value
		typ  kir.Type
	}
	loads := map[family][]narrowLoad{}
	var families []family
	left := 0 // parts of a vector access
	for i, v := range blk.Values {
		if left > 0 {
			left--
			continue
		}
		left = max(0, int(v.Vec)-1)
		if v.Op != kir.OpLoad || v.Space != kir.Shared || v.Vec != 0 || v.Access != 0 || words*v.Type.Bytes() > mostVector || v.Type.Bytes() < 4 {
			continue
		}
		k := family{v.Args[0], v.Type}
		if loads[k] == nil {
			families = append(families, k)
		}
		loads[k] = append(loads[k], narrowLoad{i, v})
	}
	var before []int // by place in the block: instructions in front of it
	up := map[int][]*kir.Value{}
	gone := map[*kir.Value]bool{}
	for _, k := range families {
		list, size := loads[k], uint64(k.typ.Bytes())
		whole := size * uint64(words)
		if len(list) < words || m.align[k.base.ID]%whole != 0 {
			continue
		}
		slices.SortStableFunc(list, func(a, b narrowLoad) int { return cmp.Compare(int64(a.v.Imm), int64(b.v.Imm)) })
		for i := 0; i+words <= len(list); {
			group := list[i : i+words]
			if before == nil {
				before = places(blk)
			}
			if first, ok := m.together(blk, group, before, size); ok && group[0].v.Imm%whole == 0 {
				for j, l := range group {
					gone[l.v] = true
					up[first] = append(up[first], l.v)
					if j == 0 {
						l.v.Vec = uint8(words)
					}
				}
				i += words
				continue
			}
			i++
		}
	}
	if len(gone) == 0 {
		return false
	}
	out := make([]*kir.Value, 0, len(blk.Values))
	for i, v := range blk.Values {
		out = append(out, up[i]...)
		if !gone[v] {
			out = append(out, v)
		}
	}
	blk.Values = out
	return true
}

// together reports whether loads, in the order of their addresses, are of neighbours and may all stand where the first
// of them in the block does, and returns that place.
func (m *merger) together(blk *kir.Block, group []narrowLoad, before []int, size uint64) (first int, ok bool) {
	first, last := group[0].at, group[0].at
	for i, l := range group {
		if l.v.Imm != group[0].v.Imm+uint64(i)*size {
			return 0, false
		}
		first, last = min(first, l.at), max(last, l.at)
	}
	if before[last]-before[first] > m.within {
		return 0, false
	}
	for i := first; i < last; i++ {
		earlier := blk.Values[i]
		if role := roleOf(earlier); role == computes || role == reads {
			continue
		}
		for _, l := range group {
			if l.at > i && m.mustFollow([]*kir.Value{earlier}, []*kir.Value{l.v}) {
				return 0, false
			}
		}
	}
	return first, true
}

// places returns how many instructions stand in front of each value of a block.
func places(blk *kir.Block) []int {
	out, n := make([]int, len(blk.Values)), 0
	for i, v := range blk.Values {
		out[i] = n
		if !v.Op.IsFree() {
			n++
		}
	}
	return out
}

// alignments returns, by value ID, a power of two up to mostVector of which each integer is a multiple whatever the
// kernel's arguments are.
func alignments(f *kir.Func) []uint64 {
	of := make([]uint64, f.NumValues())
	for i := range of {
		of[i] = mostVector
	}
	lower := func(v *kir.Value, to uint64) bool {
		if to >= of[v.ID] {
			return false
		}
		of[v.ID] = to
		return true
	}
	for changed := true; changed; { // each value falls four times at most
		changed = false
		for _, blk := range f.Blocks {
			for _, v := range blk.Values {
				changed = lower(v, alignment(f, v, of)) || changed
			}
			for _, e := range blk.Term.Edges() {
				for i, a := range e.Args {
					changed = lower(e.To.Params[i], of[a.ID]) || changed
				}
			}
		}
	}
	return of
}

func alignment(f *kir.Func, v *kir.Value, of []uint64) uint64 {
	powerOf := func(x uint64) uint64 { return 1 << min(bits.TrailingZeros64(x|mostVector), 4) }
	both := func() uint64 { return min(of[v.Args[0].ID], of[v.Args[1].ID]) }
	switch {
	case v.Op == kir.OpShared:
		return powerOf(uint64(f.Shared[v.Imm].Offset))
	case !v.Type.IsInteger():
		return 1
	}
	switch v.Op {
	case kir.OpConst:
		return powerOf(v.Imm)
	case kir.OpAdd, kir.OpSub, kir.OpOr, kir.OpXor, kir.OpMin, kir.OpMax:
		return both()
	case kir.OpAnd:
		return max(of[v.Args[0].ID], of[v.Args[1].ID])
	case kir.OpMul:
		return min(of[v.Args[0].ID]*of[v.Args[1].ID], mostVector)
	case kir.OpShl:
		if c := v.Args[1]; c.Op == kir.OpConst && c.Imm < 64 {
			return min(of[v.Args[0].ID]<<min(c.Imm, 4), mostVector)
		}
	case kir.OpConvert:
		if v.Args[0].Type.IsInteger() {
			return of[v.Args[0].ID]
		}
	case kir.OpSelect:
		return min(of[v.Args[1].ID], of[v.Args[2].ID])
	}
	return 1
}
