package kir

// fixedRegisters are what every kernel needs beside its values: the stack pointer of the ABI, and one pair in which a 64-bit
// address or a predicate's spill is put together.
const fixedRegisters = 3

// Registers returns the registers of 32 bits that a thread needs: the most that are live at one place, where a 64-bit value
// takes two, a bool none (a predicate), and constants, parameters and shared addresses none (they are operands of
// instructions), plus a small number for what every kernel needs. A device's assembler may do better or worse by its
// scheduling; this is what occupancy is computed from.
func Registers(f *Func) int {
	width := func(v *Value) int {
		switch {
		case v.Op == OpConst || v.Op == OpParam || v.Op == OpShared || v.Type == Bool || v.Type == Void:
			return 0
		case v.Type.Bytes() == 8:
			return 2
		}
		return 1
	}
	liveOut := make([]map[*Value]bool, len(f.Blocks)) // what is live on the edges that leave a block, less their arguments
	liveIn := make([]map[*Value]bool, len(f.Blocks))
	for i := range f.Blocks {
		liveOut[i], liveIn[i] = map[*Value]bool{}, map[*Value]bool{}
	}
	most := 0
	for changed := true; changed; {
		changed = false
		for i := len(f.Blocks) - 1; i >= 0; i-- {
			blk := f.Blocks[i]
			live, sum := map[*Value]bool{}, 0
			add := func(v *Value) {
				if !live[v] {
					live[v] = true
					sum += width(v)
				}
			}
			remove := func(v *Value) {
				if live[v] {
					delete(live, v)
					sum -= width(v)
				}
			}
			for _, e := range blk.Term.Edges() {
				for v := range liveIn[e.To.ID] {
					liveOut[i][v] = true
				}
			}
			for v := range liveOut[i] {
				add(v)
			}
			for _, e := range blk.Term.Edges() {
				for _, a := range e.Args {
					add(a)
				}
			}
			if blk.Term.Kind == TermBranch {
				add(blk.Term.Cond)
			}
			most = max(most, sum)
			for j := len(blk.Values) - 1; j >= 0; j-- {
				v := blk.Values[j]
				add(v) // a result needs its register even when nobody reads it
				most = max(most, sum)
				remove(v)
				for _, a := range v.Args {
					add(a)
				}
				most = max(most, sum)
			}
			for _, p := range blk.Params {
				add(p)
			}
			most = max(most, sum)
			for _, p := range blk.Params {
				remove(p)
			}
			if len(live) != len(liveIn[i]) { // the sets only grow
				liveIn[i], changed = live, true
			}
		}
	}
	return most + fixedRegisters
}
