package kir

import "github.com/arrayrepl/arrayrepl/kir/internal/flow"

// Flow is what policies for divergent threads ask of a kernel's control flow. The numbers are those of blocks, whose
// order is the priority of thread-frontier scheduling (Diamos et al., "SIMD Re-Convergence at Thread Frontiers", 2011):
// a join stands after the branches that lead to it, a loop's blocks before what follows the loop.
type Flow struct {
	Join []int // where all ways from a block first come together: its immediate post-dominator, or -1
	// the last block that all ways to a block go through: its immediate dominator; the entry's is itself
	Divide   []int
	Frontier [][]int // the blocks in which other threads of the warp may wait while some are in a block, lowest first
}

// FlowOf analyses f.
func FlowOf(f *Func) Flow {
	succ := f.Succs()
	return Flow{Join: ImmediatePostDominators(f), Divide: flow.Dominators(succ, 0), Frontier: flow.Frontiers(succ)}
}

// ImmediatePostDominators returns, by block ID, the block in which all ways from a block to the end of the thread first
// come together: where divergent threads reconverge at the latest. It is -1 where they meet only at the end of the
// kernel and where there is no way to the end.
func ImmediatePostDominators(f *Func) []int {
	end := len(f.Blocks)
	succ := append(f.Succs(), nil)
	for i, blk := range f.Blocks {
		if blk.Term.Kind == TermReturn {
			succ[i] = append(succ[i], end)
		}
	}
	out := flow.Dominators(flow.Reversed(succ), end)[:end]
	for i, d := range out {
		if d == end {
			out[i] = -1
		}
	}
	return out
}
