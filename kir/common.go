package kir

import "slices"

// shareCommon uses a value again where it would be computed a second time from the same operands, in a block that the
// first dominates.
func shareCommon(f *Func) bool {
	type key struct {
		op   Op
		typ  Type
		imm  uint64
		args [3]*Value
	}
	idom := f.dominators()
	known := make(map[key][]*Value)
	by := make(map[*Value]*Value)
	for _, blk := range f.Blocks { // a dominator stands before what it dominates
		for _, v := range blk.Values {
			for i, a := range v.Args {
				if b := by[a]; b != nil {
					v.Args[i] = b
				}
			}
			if !v.pure() {
				continue
			}
			k := key{op: v.Op, typ: v.Type, imm: v.Imm}
			copy(k.args[:], v.Args)
			if commutative[v.Op] && k.args[0].ID > k.args[1].ID {
				k.args[0], k.args[1] = k.args[1], k.args[0]
			}
			i := slices.IndexFunc(known[k], func(w *Value) bool { return dominates(idom, w.Block.ID, blk.ID) })
			if i < 0 {
				known[k] = append(known[k], v)
				continue
			}
			by[v] = known[k][i]
		}
	}
	for _, blk := range f.Blocks {
		blk.Values = slices.DeleteFunc(blk.Values, func(v *Value) bool { return by[v] != nil })
	}
	f.replaceAll(by)
	return len(by) > 0
}

// hoist moves values whose operands come from before a loop to the block that leads into it, when every way round the loop
// computes them. No operation but loads can fail, so a loop that runs no rounds does not matter.
func hoist(f *Func) bool {
	idom, preds := f.dominators(), f.preds()
	loops := f.loops(idom)
	changed := false
	for _, l := range slices.Backward(loops) { // inner loops have later heads
		var entries []int
		for _, p := range preds[l.head] {
			if !l.in[p] {
				entries = append(entries, p)
			}
		}
		if len(entries) != 1 {
			continue
		}
		entry := f.Blocks[entries[0]]
		for _, blk := range f.Blocks {
			if !l.in[blk.ID] || slices.ContainsFunc(l.latches, func(b int) bool { return !dominates(idom, blk.ID, b) }) {
				continue
			}
			blk.Values = slices.DeleteFunc(blk.Values, func(v *Value) bool {
				inside := func(a *Value) bool { return l.in[a.Block.ID] }
				if !v.pure() || slices.ContainsFunc(v.Args, inside) {
					return false
				}
				v.Block, changed = entry, true
				entry.Values = append(entry.Values, v)
				return true
			})
		}
	}
	return changed
}
