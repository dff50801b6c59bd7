package opt

import (
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/internal/flow"
)

// dominators returns the immediate dominator of each block by ID; the entry's is itself, and that of a block that
// cannot be reached is -1.
func dominators(f *kir.Func) []int { return flow.Dominators(f.Succs(), 0) }

// loop is a flow.Loop, with what passes ask of it.
type loop flow.Loop

// loopsOf returns the natural loops, by their heads' order. A loop's blocks may be those of an inner one too.
func loopsOf(f *kir.Func, idom []int) []*loop {
	var out []*loop
	for _, l := range flow.Loops(f.Succs(), idom) {
		out = append(out, (*loop)(l))
	}
	return out
}
