package simgpu

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// storesOf returns what the addresses of f's stores and atomics on device memory come from: for each, the places in the
// packed parameters of the 64-bit integers that it is computed from, other than by way of memory. Pointers are among
// these, or, if none of them is one, come out of memory. Equal lists are there once.
func storesOf(f *kir.Func) [][]int {
	const bits = 64                       // of so many parameters; of more, some share a bit
	var places []int                      // of the parameters
	from := make([]uint64, f.NumValues()) // by value
	for changed := true; changed; {
		changed = false
		join := func(to *kir.Value, set uint64) {
			changed = changed || from[to.ID]|set != from[to.ID]
			from[to.ID] |= set
		}
		for _, b := range f.Blocks {
			for _, v := range b.Values {
				switch {
				case v.Op == kir.OpParam && v.Type.IsInteger() && v.Type.Bytes() == 8:
					n, off := v.ParamRef()
					off += f.Params[n].Offset
					at := slices.Index(places, off)
					if at < 0 {
						at, places = len(places), append(places, off)
					}
					join(v, 1<<(at%bits))
				case v.Op.IsMemory():
				default:
					for _, a := range v.Args {
						join(v, from[a.ID])
					}
				}
			}
			for _, e := range b.Term.Edges() {
				for i, a := range e.Args {
					join(e.To.Params[i], from[a.ID])
				}
			}
		}
	}
	var sets []uint64
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op.IsMemory() && v.Op != kir.OpLoad && v.Space == kir.Global && !slices.Contains(sets, from[v.Args[0].ID]) {
				sets = append(sets, from[v.Args[0].ID])
			}
		}
	}
	out := make([][]int, len(sets))
	for i, set := range sets {
		for at, off := range places {
			if set>>(at%bits)&1 != 0 {
				out[i] = append(out[i], off)
			}
		}
	}
	return out
}
