package kir

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir/internal/flow"
)

// Flow is what policies for divergent threads ask of a kernel's control flow. The numbers are those of blocks, whose
// order is the priority of thread-frontier scheduling (Diamos et al., "SIMD Re-Convergence at Thread Frontiers", 2011):
// a join stands after the branches that lead to it, a loop's blocks before what follows the loop.
type Flow struct {
	// where all ways from a block first come together: its immediate post-dominator, or -1; where that is the end of
	// the kernel alone, the block in which those ways come together that do not return before
	Join []int
	// the last block that all ways to a block go through: its immediate dominator; the entry's is itself
	Divide   []int
	Frontier [][]int // the blocks in which other threads of the warp may wait while some are in a block, lowest first
}

// FlowOf analyses f.
func FlowOf(f *Func) Flow {
	succ := f.Succs()
	return Flow{Join: joins(f), Divide: flow.Dominators(succ, 0), Frontier: flow.Frontiers(succ)}
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

// joins is ImmediatePostDominators but for branches whose ways have nothing in common but the end of the kernel, or a
// block that stores a result and returns, since some threads return early: threads that have returned keep nobody
// waiting, so those that are left come together where they would without such returns.
func joins(f *Func) []int {
	join, succ := ImmediatePostDominators(f), f.Succs()
	returns := func(b int) bool { return f.Blocks[b].Term.Kind == TermReturn }
	// returning blocks have nothing before them but a way to the end on which nobody waits for others
	returning := make([]bool, len(f.Blocks))
	for changed := true; changed; {
		changed = false
		for i := len(f.Blocks) - 1; i >= 0; i-- {
			if is := (returns(i) || len(succ[i]) == 1 && returning[succ[i][0]]) && !meets(f.Blocks[i]); is && !returning[i] {
				returning[i], changed = true, true
			}
		}
	}
	early, end := make([]bool, len(f.Blocks)), len(f.Blocks)
	left := make([][]int, len(f.Blocks)+1)
	for i, to := range succ {
		left[i] = append(left[i], to...)
		if len(to) == 2 && to[0] != to[1] && returning[to[0]] != returning[to[1]] {
			early[i], left[i] = true, left[i][:1]
			if returning[to[0]] {
				left[i][0] = to[1]
			}
		}
		if returns(i) {
			left[i] = append(left[i], end)
		}
	}
	// What is the only way out of a loop is not early: that of its first block or its last, else any. The last loops
	// come first, since from those before them there may be no way to the end but through them.
	turns, before := turning(succ), flow.Reversed(left)
	reaches := make([]bool, len(left))
	reach(reaches, before, end)
	for _, any := range []bool{false, true} {
		for i := len(early) - 1; i >= 0; i-- {
			if early[i] && !reaches[i] && (any || turns[i]) {
				early[i], left[i] = false, slices.Clone(succ[i])
				reach(reaches, before, i)
			}
		}
	}
	again := flow.Dominators(flow.Reversed(left), end)
	for i, j := range join {
		ends := j < 0 || returning[j]
		if ends && len(succ[i]) == 2 && !early[i] && again[i] >= 0 && again[i] != end {
			join[i] = again[i]
		}
	}
	return join
}

// turning returns which blocks are the first or the last of a loop.
func turning(succ [][]int) []bool {
	out, divide := make([]bool, len(succ)), flow.Dominators(succ, 0)
	under := make([][]int, len(succ))
	for b, d := range divide {
		if b > 0 && d >= 0 {
			under[d] = append(under[d], b)
		}
	}
	// d divides the ways to b when b's number is among those of d and of what is under it
	number, last, count := make([]int, len(succ)), make([]int, len(succ)), 0
	for todo := []int{0}; len(todo) > 0; {
		b := todo[len(todo)-1]
		if number[b] == 0 {
			count++
			number[b] = count
			todo = append(todo, under[b]...)
			continue
		}
		last[b] = count
		todo = todo[:len(todo)-1]
	}
	for b, to := range succ {
		for _, head := range to {
			if number[head] > 0 && number[head] <= number[b] && number[b] <= last[head] {
				out[head], out[b] = true, true
			}
		}
	}
	return out
}

// reach notes that there is a way to the end from b, and from all before it that are not known yet to have one.
func reach(reaches []bool, before [][]int, b int) {
	reaches[b] = true
	for todo := []int{b}; len(todo) > 0; {
		last := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, p := range before[last] {
			if !reaches[p] {
				reaches[p] = true
				todo = append(todo, p)
			}
		}
	}
}

// meets reports whether threads wait for others in b.
func meets(b *Block) bool {
	return slices.ContainsFunc(b.Values, func(v *Value) bool { return v.Op.IsBarrier() || v.Op.IsWarp() })
}
