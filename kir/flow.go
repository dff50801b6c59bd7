package kir

// Flow is what policies for divergent threads ask of a kernel's control flow. The numbers are those of blocks, whose order
// is the priority of thread-frontier scheduling (Diamos et al., "SIMD Re-Convergence at Thread Frontiers", 2011): a join
// stands after the branches that lead to it, a loop's blocks before what follows the loop.
type Flow struct {
	Join     []int   // where all ways from a block first come together: its immediate post-dominator, or -1
	Divide   []int   // the last block that all ways to a block go through: its immediate dominator; the entry's is itself
	Frontier [][]int // the blocks in which other threads of the warp may wait while some are in a block, lowest first
}

// FlowOf analyses f.
func FlowOf(f *Func) Flow {
	return Flow{Join: ImmediatePostDominators(f), Divide: f.dominators(), Frontier: f.frontiers()}
}

// frontiers follows threads that always run in the lowest numbered block in which some are: from a block that runs, they go
// to its successors, and then the lowest of those and of the blocks where others wait runs while the rest waits.
func (f *Func) frontiers() [][]int {
	n := len(f.Blocks)
	words := (n + 63) / 64
	sets := make([]bitset, n)
	for i := range sets {
		sets[i] = make(bitset, words)
	}
	for changed := true; changed; {
		changed = false
		for b, blk := range f.Blocks {
			after := make(bitset, words) // where threads may be once b has run
			after.union(sets[b])
			for _, e := range blk.Term.Edges() {
				after.add(e.To.ID)
			}
			after.each(func(next int) { // any of them may be the lowest
				rest := make(bitset, words)
				after.each(func(w int) {
					if w > next {
						rest.add(w)
					}
				})
				if sets[next].union(rest) {
					changed = true
				}
			})
		}
	}
	out := make([][]int, n)
	for b, s := range sets {
		s.each(func(w int) { out[b] = append(out[b], w) })
	}
	return out
}
