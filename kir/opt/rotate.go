package opt

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// maxRotated bounds the instructions of a loop's test that rotate writes twice.
const maxRotated = 16

// rotate turns a loop that tests before each round into one that tests once before it and then after each round: one
// branch a round instead of a branch and a jump, and what the body does is done whenever the loop is entered.
func rotate(f *kir.Func) bool {
	loops, into := loopsOf(f, dominators(f)), incoming(f)
	for _, l := range slices.Backward(loops) {
		head := f.Blocks[l.Head]
		if l.Head == 0 || head.Term.Kind != kir.TermBranch || l.In[head.Term.To[0].To.ID] == l.In[head.Term.To[1].To.ID] ||
			head.Instructions() > maxRotated ||
			slices.ContainsFunc(l.Latches, func(b int) bool { return f.Blocks[b].Term.Kind != kir.TermJump }) ||
			slices.ContainsFunc(head.Values, func(v *kir.Value) bool { return roleOf(v) != computes && v.Op != kir.OpLoad && roleOf(v) != checks }) {
			continue
		}
		c := copyBlocks(f, []*kir.Block{head})
		first := c.blocks[head]
		for _, in := range into[l.Head] {
			if !l.In[in.from.ID] {
				in.edge().To = first
			}
		}
		copies := make(map[*kir.Value][]*kir.Value)
		for v, w := range c.values {
			copies[v] = []*kir.Value{w}
		}
		repair(f, copies, map[*kir.Block]bool{head: true, first: true})
		f.SortBlocks()
		return true
	}
	return false
}
