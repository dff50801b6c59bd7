package cpu

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// splitAtBarriers cuts blocks so that a barrier is the last value of its block, which then jumps on without arguments:
// no value computed before a barrier is in flight at it.
func splitAtBarriers(f *kir.Func) {
	split(f, func(blk *kir.Block) int {
		i := slices.IndexFunc(blk.Values, func(v *kir.Value) bool { return v.Op.IsBarrier() })
		atEnd := i == len(blk.Values)-1 && blk.Term.Kind == kir.TermJump && len(blk.Term.To[0].Args) == 0
		if i < 0 || atEnd {
			return -1
		}
		return i + 1
	})
}

// splitAtWarps cuts blocks so that an operation in which lanes of a warp meet comes first in its block, or after
// another one with the same mask: lanes that have to wait do so before a block.
func splitAtWarps(f *kir.Func) {
	split(f, func(blk *kir.Block) int {
		var met *kir.Value
		first := true
		for i, v := range blk.Values {
			m := maskOf(v)
			if m != nil && !first && !sameMask(m, met) {
				return i
			}
			if m != nil {
				met = m
			}
			first = first && fixed(v)
		}
		return -1
	})
}

// split cuts blocks before the value with the number that at tells, again and again until that is negative.
func split(f *kir.Func, at func(*kir.Block) int) {
	var out []*kir.Block
	for _, blk := range f.Blocks {
		out = append(out, blk)
		for i := at(blk); i >= 0; i = at(blk) {
			rest := &kir.Block{Name: blk.Name + "'", Values: blk.Values[i:], Term: blk.Term}
			blk.Values = slices.Clip(blk.Values[:i])
			blk.Term = kir.Term{Kind: kir.TermJump, To: [2]kir.Edge{{To: rest}}, Pos: blk.Values[i-1].Pos}
			for _, v := range rest.Values {
				v.Block = rest
			}
			out = append(out, rest)
			blk = rest
		}
	}
	f.Blocks = out
	for i, blk := range out {
		blk.ID = i
	}
}
