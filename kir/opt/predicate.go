package opt

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// A device's compiler predicates a side of so many instructions instead of branching over it: 7 where lanes are likely
// to part, 4 elsewhere (NVIDIA, CUDA C Programming Guide 4.2, "Control flow instructions").
const (
	maxPredicated      = 4
	maxPredicatedApart = 7
)

// Predication is what a device's compiler does with branches over one or two short sides without barriers or operations
// of warps: threads execute the sides under a predicate. The kernel says the same either way; a model of time asks.
type Predication struct {
	NoEnd []bool       // by block ID: the branch or jump that ends the block is not an instruction
	Under []*kir.Value // by block ID: the condition that all instructions of the block wait for, or nil
}

// Predicate returns what a device predicates in f, for which each value is as many instructions as count says.
func Predicate(f *kir.Func, count func(*kir.Value) int) Predication {
	into, vary := incoming(f), varying(f)
	p := Predication{make([]bool, len(f.Blocks)), make([]*kir.Value, len(f.Blocks))}
	for _, blk := range f.Blocks {
		if blk.Term.Kind != kir.TermBranch {
			continue
		}
		yes, no := blk.Term.To[0].To, blk.Term.To[1].To
		most := maxPredicated
		if vary[blk.Term.Cond.ID] {
			most = maxPredicatedApart
		}
		side := func(b *kir.Block) bool {
			n := 0
			for _, v := range b.Values {
				n += count(v)
			}
			return len(into[b.ID]) == 1 && b.Term.Kind == kir.TermJump && n <= most &&
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

// varying returns, by value ID, what may differ between lanes of a warp: what comes from the number of a thread, from
// memory, or from other lanes.
func varying(f *kir.Func) []bool {
	out := make([]bool, f.NumValues())
	for changed := true; changed; {
		changed = false
		mark := func(v *kir.Value, is bool) {
			if is && !out[v.ID] {
				out[v.ID], changed = true, true
			}
		}
		for _, blk := range f.Blocks {
			for _, v := range blk.Values {
				switch {
				case v.Op == kir.OpSpecial:
					s := kir.Special(v.Imm)
					mark(v, s <= kir.TidZ || s == kir.LaneID)
				case !v.IsPure():
					mark(v, true)
				}
				for _, a := range v.Args {
					mark(v, out[a.ID])
				}
			}
			for _, e := range blk.Term.Edges() {
				for i, a := range e.Args {
					mark(e.To.Params[i], out[a.ID])
				}
			}
		}
	}
	return out
}
