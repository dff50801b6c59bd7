package kir

import "slices"

// simplifyControl turns branches that are decided into jumps, leads edges past empty blocks, and appends a block to the
// only one that leads to it.
func simplifyControl(f *Func) bool {
	changed := false
	for _, blk := range f.Blocks {
		t := &blk.Term
		for i := range t.Edges() {
			changed = skipEmpty(&t.To[i]) || changed
		}
		if t.Kind != TermBranch {
			continue
		}
		same := t.To[0].To == t.To[1].To && slices.Equal(t.To[0].Args, t.To[1].Args)
		if !same && t.Cond.Op != OpConst {
			continue
		}
		if !same && t.Cond.Imm == 0 {
			t.To[0] = t.To[1]
		}
		*t = Term{Kind: TermJump, To: [2]Edge{t.To[0]}, Pos: t.Pos}
		changed = true
	}
	if changed {
		f.sortBlocks() // so that preds counts no edges of blocks that are cut off
	}
	preds := f.preds()
	by := make(map[*Value]*Value)
	gone := make(map[*Block]bool)
	for _, blk := range f.Blocks {
		for !gone[blk] && blk.Term.Kind == TermJump {
			e := blk.Term.To[0]
			if e.To == blk || e.To.ID == 0 || len(preds[e.To.ID]) != 1 {
				break
			}
			for i, p := range e.To.Params {
				by[p] = e.Args[i]
			}
			for _, v := range e.To.Values {
				v.Block = blk
			}
			blk.Values = append(blk.Values, e.To.Values...)
			blk.Term = e.To.Term
			gone[e.To], changed = true, true
		}
	}
	if len(gone) > 0 {
		f.replaceAll(by)
		f.sortBlocks()
	}
	return changed
}

// skipEmpty leads e past a block that does nothing but jump on.
func skipEmpty(e *Edge) bool {
	next := e.To
	if len(next.Params) > 0 || len(next.Values) > 0 || next.Term.Kind != TermJump || next.Term.To[0].To == next {
		return false
	}
	e.To, e.Args = next.Term.To[0].To, slices.Clone(next.Term.To[0].Args)
	return true
}
