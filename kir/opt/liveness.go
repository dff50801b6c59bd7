package opt

import (
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/internal/flow"
)

// liveness returns, by block ID, the values that are live at its start, its parameters not among them, and at its end,
// what its edges bring among them. keep tells which values count, and as which: one that is another name of a register
// counts as the value that names it.
func liveness(f *kir.Func, keep func(*kir.Value) *kir.Value) (in, out []flow.Bitset) {
	n := len(f.Blocks)
	words := flow.Words(f.NumValues())
	sets := make([]uint64, 3*n*words)
	in, out = make([]flow.Bitset, n), make([]flow.Bitset, n)
	defs := make([]flow.Bitset, n)
	for i := range n {
		at := func(k int) flow.Bitset { return sets[(3*i+k)*words:][:words] }
		in[i], out[i], defs[i] = at(0), at(1), at(2)
	}
	for i, blk := range f.Blocks {
		use := func(s flow.Bitset, v *kir.Value) {
			if v = keep(v); v != nil && !defs[i].Has(v.ID) {
				s.Add(v.ID)
			}
		}
		for _, p := range blk.Params {
			defs[i].Add(p.ID)
		}
		for _, v := range blk.Values {
			for _, a := range v.Args {
				use(in[i], a)
			}
			if keep(v) == v {
				defs[i].Add(v.ID)
			}
		}
		if blk.Term.Kind == kir.TermBranch {
			use(in[i], blk.Term.Cond)
		}
		for _, e := range blk.Term.Edges() {
			for _, a := range e.Args {
				use(in[i], a)
				if a = keep(a); a != nil {
					out[i].Add(a.ID)
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := n - 1; i >= 0; i-- {
			for _, e := range f.Blocks[i].Term.Edges() {
				out[i].Union(in[e.To.ID])
			}
			for w, x := range out[i] {
				if x &^= defs[i][w]; x&^in[i][w] != 0 {
					in[i][w] |= x
					changed = true
				}
			}
		}
	}
	return in, out
}
