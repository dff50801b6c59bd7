package opt

import (
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/internal/flow"
)

// shareDivisions makes x%y of a quotient x/y that is there in any case: x - x/y*y, two instructions in the place of a
// second division. That is so where y is not 0, which kir's remainder takes: range analysis must know.
func shareDivisions(f *kir.Func) bool {
	idom := dominators(f)
	quotients := map[[2]*kir.Value][]*kir.Value{}
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			if v.Op == kir.OpDiv && v.Type.IsInteger() {
				key := [2]*kir.Value{v.Args[0], v.Args[1]}
				quotients[key] = append(quotients[key], v)
			}
		}
	}
	if len(quotients) == 0 {
		return false
	}
	by := map[*kir.Value]*kir.Value{}
	walkRanges(f, func(v *kir.Value, in [3]kir.Range, out kir.Range) {
		if v.Op != kir.OpRem || !v.Type.IsInteger() || !in[1].Known || in[1].Lo < 1 {
			return
		}
		for _, q := range quotients[[2]*kir.Value{v.Args[0], v.Args[1]}] {
			if q.Block != v.Block && flow.Dominates(idom, q.Block.ID, v.Block.ID) || q.Block == v.Block {
				by[v] = q
				return
			}
		}
	})
	if len(by) == 0 {
		return false
	}
	for _, blk := range f.Blocks {
		done := map[*kir.Value]bool{}
		r := rewriter{f: f, blk: blk, out: make([]*kir.Value, 0, len(blk.Values)+4)}
		for _, v := range blk.Values {
			if done[v] {
				continue
			}
			if q := by[v]; q != nil {
				// it stands behind v: its operands are v's, so it can come first
				if q.Block == blk && !placed(r.out, q) {
					r.out, done[q] = append(r.out, q), true
				}
				r.at = v
				v.Op, v.Args = kir.OpSub, []*kir.Value{v.Args[0], r.op(kir.OpMul, v.Type, q, v.Args[1])}
			}
			r.out = append(r.out, v)
		}
		blk.Values = r.out
	}
	return true
}

// placed reports whether v is among vs.
func placed(vs []*kir.Value, v *kir.Value) bool {
	for i := len(vs) - 1; i >= 0; i-- {
		if vs[i] == v {
			return true
		}
	}
	return false
}
