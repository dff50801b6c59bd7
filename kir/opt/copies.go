package opt

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// joinCopies moves the load of an asynchronous copy to its store, where the two are one instruction of a machine. Only
// what is computed stands between, since other accesses do not pass either.
func joinCopies(f *kir.Func) (changed bool) {
	for _, blk := range f.Blocks {
		for i, v := range blk.Values {
			if v.Op != kir.OpStore || v.Access != kir.Async || i == 0 {
				continue
			}
			from := v.Args[1]
			at := slices.Index(blk.Values[:i], from)
			if at < 0 || at == i-1 || from.Op != kir.OpLoad || from.Access != kir.Async {
				continue
			}
			if slices.ContainsFunc(blk.Values[at+1:i], func(w *kir.Value) bool { return roleOf(w) != computes || slices.Contains(w.Args, from) }) {
				continue
			}
			copy(blk.Values[at:i-1], blk.Values[at+1:i])
			blk.Values[i-1] = from
			changed = true
		}
	}
	return changed
}
