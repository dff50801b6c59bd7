package paging

import "github.com/arrayrepl/arrayrepl/kir"

// reach returns the accesses of f to global memory whose address may come from a parameter that is one of paged: which
// gets the bytes of the packed parameters.
func reach(f *kir.Func, paged func(offset int) bool) map[*kir.Value]bool {
	from := make([]bool, f.NumValues())
	stored := false // such an address is in memory, so that any may come from there
	for changed := true; changed; {
		changed = false
		mark := func(v *kir.Value) {
			if !from[v.ID] {
				from[v.ID], changed = true, true
			}
		}
		for _, blk := range f.Blocks {
			for _, v := range blk.Values {
				switch {
				case v.Op == kir.OpParam:
					if n, off := v.ParamRef(); paged(f.Params[n].Offset + off) {
						mark(v)
					}
				case v.Op == kir.OpLoad:
					if stored && v.Type.Bytes() == 8 {
						mark(v)
					}
				case v.Op == kir.OpStore:
					if from[v.Args[1].ID] && !stored {
						stored, changed = true, true
					}
				case v.Op.IsAtomic():
					for _, a := range v.Args[1:] {
						if from[a.ID] && !stored {
							stored, changed = true, true
						}
					}
					if stored && v.Type.Bytes() == 8 {
						mark(v)
					}
				default:
					for _, a := range v.Args {
						if from[a.ID] {
							mark(v)
						}
					}
				}
			}
			for _, e := range blk.Term.Edges() {
				for i, a := range e.Args {
					if from[a.ID] {
						mark(e.To.Params[i])
					}
				}
			}
		}
	}
	out := make(map[*kir.Value]bool)
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			if v.Op.IsMemory() && v.Space == kir.Global && from[v.Args[0].ID] {
				out[v] = true
			}
		}
	}
	return out
}
