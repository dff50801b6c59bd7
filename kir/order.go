package kir

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir/internal/flow"
)

// SortBlocks puts the blocks in a reverse post-order from the entry in which the blocks of a loop stand before those
// that follow the loop, whichever way round its branches are written; it drops blocks that cannot be reached.
func (f *Func) SortBlocks() {
	f.number(postOrder(f.Blocks[0], nil))
	succ := f.Succs()
	loops := flow.Loops(succ, flow.Dominators(succ, 0))
	// What is visited first comes last: the ways out of a loop before the ways that stay in it.
	f.number(postOrder(f.Blocks[0], func(from *Block, edges []Edge) {
		slices.SortStableFunc(edges, func(a, b Edge) int {
			return flow.Shared(loops, from.ID, a.To.ID) - flow.Shared(loops, from.ID, b.To.ID)
		})
	}))
}

func (f *Func) number(post []*Block) {
	slices.Reverse(post)
	f.Blocks = post
	for i, blk := range post {
		blk.ID = i
	}
}

// postOrder returns the blocks that can be reached, each after those that it leads to. Edges are followed last first;
// arrange may put them in another order.
func postOrder(entry *Block, arrange func(from *Block, edges []Edge)) []*Block {
	var post []*Block
	seen := make(map[*Block]bool)
	var visit func(*Block)
	visit = func(blk *Block) {
		seen[blk] = true
		edges := slices.Clone(blk.Term.Edges())
		slices.Reverse(edges)
		if arrange != nil {
			arrange(blk, edges)
		}
		for _, e := range edges {
			if !seen[e.To] {
				visit(e.To)
			}
		}
		post = append(post, blk)
	}
	visit(entry)
	return post
}

// Succs returns the numbers of the blocks that each block leads to.
func (f *Func) Succs() [][]int {
	out := make([][]int, len(f.Blocks))
	for i, blk := range f.Blocks {
		for _, e := range blk.Term.Edges() {
			out[i] = append(out[i], e.To.ID)
		}
	}
	return out
}
