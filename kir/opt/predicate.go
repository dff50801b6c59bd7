package opt

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// maxPredicated bounds the instructions of a side that a device's compiler predicates instead of branching over it.
// ptxas does so for a handful; more than the branch costs would be issued in vain where no thread takes the side.
const maxPredicated = 4

// Predication is what a device's compiler does with branches over one or two short sides without barriers or operations
// of warps: threads execute the sides under a predicate. The kernel says the same either way; a model of time asks.
type Predication struct {
	NoEnd []bool       // by block ID: the branch or jump that ends the block is not an instruction
	Under []*kir.Value // by block ID: the condition that all instructions of the block wait for, or nil
}

// Predicate returns what a device predicates in f.
func Predicate(f *kir.Func) Predication {
	into := incoming(f)
	p := Predication{make([]bool, len(f.Blocks)), make([]*kir.Value, len(f.Blocks))}
	for _, blk := range f.Blocks {
		if blk.Term.Kind != kir.TermBranch {
			continue
		}
		yes, no := blk.Term.To[0].To, blk.Term.To[1].To
		side := func(b *kir.Block) bool {
			return len(into[b.ID]) == 1 && b.Term.Kind == kir.TermJump && b.Instructions() <= maxPredicated &&
				!slices.ContainsFunc(b.Values, func(v *kir.Value) bool { return costly(v) || roleOf(v) == syncs || roleOf(v) == stays })
		}
		join := func(b *kir.Block) *kir.Block { return b.Term.To[0].To }
		var sides []*kir.Block
		switch {
		case side(yes) && join(yes) == no && no != blk:
			sides = []*kir.Block{yes}
		case side(no) && join(no) == yes && yes != blk:
			sides = []*kir.Block{no}
		case side(yes) && side(no) && join(yes) == join(no) && join(yes) != blk:
			sides = []*kir.Block{yes, no}
		}
		for _, s := range sides {
			p.NoEnd[blk.ID], p.NoEnd[s.ID], p.Under[s.ID] = true, true, blk.Term.Cond
		}
	}
	return p
}
