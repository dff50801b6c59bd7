package kir

import "math/bits"

// bitset is a set of small numbers: here, IDs of values.
type bitset []uint64

func (s bitset) add(i int)      { s[i>>6] |= 1 << (i & 63) }
func (s bitset) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }

// union adds t to s and reports whether s grew.
func (s bitset) union(t bitset) bool {
	grew := false
	for i, x := range t {
		if x&^s[i] != 0 {
			s[i] |= x
			grew = true
		}
	}
	return grew
}

func (s bitset) each(do func(i int)) {
	for w, x := range s {
		for ; x != 0; x &= x - 1 {
			do(w<<6 + bits.TrailingZeros64(x))
		}
	}
}

// liveness returns, by block ID, the values that are live at its start, its parameters not among them, and at its end, what
// its edges bring among them. keep tells which values count, and as which: one that is another name of a register counts
// as the value that names it.
func (f *Func) liveness(keep func(*Value) *Value) (in, out []bitset) {
	n := len(f.Blocks)
	words := (f.nextID + 63) / 64
	sets := make([]uint64, 3*n*words)
	in, out = make([]bitset, n), make([]bitset, n)
	defs := make([]bitset, n)
	for i := range n {
		at := func(k int) bitset { return sets[(3*i+k)*words:][:words] }
		in[i], out[i], defs[i] = at(0), at(1), at(2)
	}
	for i, blk := range f.Blocks {
		use := func(s bitset, v *Value) {
			if v = keep(v); v != nil && !defs[i].has(v.ID) {
				s.add(v.ID)
			}
		}
		for _, p := range blk.Params {
			defs[i].add(p.ID)
		}
		for _, v := range blk.Values {
			for _, a := range v.Args {
				use(in[i], a)
			}
			if keep(v) == v {
				defs[i].add(v.ID)
			}
		}
		if blk.Term.Kind == TermBranch {
			use(in[i], blk.Term.Cond)
		}
		for _, e := range blk.Term.Edges() {
			for _, a := range e.Args {
				use(in[i], a)
				if a = keep(a); a != nil {
					out[i].add(a.ID)
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := n - 1; i >= 0; i-- {
			for _, e := range f.Blocks[i].Term.Edges() {
				out[i].union(in[e.To.ID])
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
