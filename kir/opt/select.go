package opt

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// maxSelected bounds the instructions that selectShort lets every thread execute in the place of a branch, selections
// included. A divergent branch costs a warp both sides and the branch itself.
const maxSelected = 7

// maxSelectedByCPU is maxSelected for a CPU that executes threads side by side: where they part there, it finds out
// which goes where, and moves what each side has made, thread by thread.
const maxSelectedByCPU = 32

// selectShort replaces a branch over one or two short blocks that only compute: both sides are computed and the values
// that come out are selected.
func selectShort(f *kir.Func) bool { return selectUpTo(f, maxSelected, false) }

// selectUpTo is selectShort for up to most instructions. Where empty is set, it replaces branches over nothing, too,
// whose sides hand on different values.
func selectUpTo(f *kir.Func, most int, empty bool) bool {
	into := incoming(f)
	changed := false
	for _, blk := range f.Blocks {
		t := &blk.Term
		if t.Kind != kir.TermBranch || t.Cond.Op == kir.OpConst {
			continue
		}
		// arm returns where a side ends up and with what, and the block that it goes through, if any.
		arm := func(e kir.Edge) (kir.Edge, *kir.Block) {
			side := e.To
			if side != blk && side.Term.Kind == kir.TermJump && len(into[side.ID]) == 1 && len(side.Params) == 0 && speculative(side) {
				return side.Term.To[0], side
			}
			return e, nil
		}
		yes, yesBlk := arm(t.To[0])
		no, noBlk := arm(t.To[1])
		if yes.To != no.To { // one side may be the other's target
			switch {
			case yes.To == t.To[1].To:
				no, noBlk = t.To[1], nil
			case no.To == t.To[0].To:
				yes, yesBlk = t.To[0], nil
			default:
				continue
			}
		}
		if yes.To == blk || yesBlk == nil && noBlk == nil && !empty {
			continue
		}
		cost := 0
		for _, side := range []*kir.Block{yesBlk, noBlk} {
			if side != nil {
				cost += side.Instructions()
			}
		}
		for i := range yes.Args {
			if yes.Args[i] != no.Args[i] {
				cost++
			}
		}
		if cost > most {
			continue
		}
		for _, side := range []*kir.Block{yesBlk, noBlk} {
			if side == nil {
				continue
			}
			for _, v := range side.Values {
				v.Block = blk
			}
			blk.Values = append(blk.Values, side.Values...)
			side.Values = nil
		}
		var args []*kir.Value
		for i, y := range yes.Args {
			v := y
			if n := no.Args[i]; n != y {
				v = &kir.Value{ID: f.NewID(), Op: kir.OpSelect, Type: y.Type, Args: []*kir.Value{t.Cond, y, n}, Block: blk, Pos: t.Pos, Note: yes.To.Params[i].Note}
				blk.Values = append(blk.Values, v)
			}
			args = append(args, v)
		}
		*t = kir.Term{Kind: kir.TermJump, To: [2]kir.Edge{{To: yes.To, Args: args}}, Pos: t.Pos}
		f.SortBlocks()
		return true
	}
	return changed
}

// speculative reports whether threads may execute blk that need not: it only computes, and not much.
func speculative(blk *kir.Block) bool {
	return !slices.ContainsFunc(blk.Values, func(v *kir.Value) bool { return !v.IsPure() || costly(v) })
}
