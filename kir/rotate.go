package kir

import "slices"

// maxRotated bounds the instructions of a loop's test that rotate writes twice.
const maxRotated = 16

// rotate turns a loop that tests before each round into one that tests once before it and then after each round: one
// branch a round instead of a branch and a jump, and what the body does is done whenever the loop is entered.
func rotate(f *Func) bool {
	loops, into := loopsOf(f, dominators(f)), f.incoming()
	for _, l := range slices.Backward(loops) {
		head := f.Blocks[l.Head]
		if l.Head == 0 || head.Term.Kind != TermBranch || l.In[head.Term.To[0].To.ID] == l.In[head.Term.To[1].To.ID] ||
			head.Instructions() > maxRotated ||
			slices.ContainsFunc(l.Latches, func(b int) bool { return f.Blocks[b].Term.Kind != TermJump }) ||
			slices.ContainsFunc(head.Values, func(v *Value) bool { return v.role() != computes && v.Op != OpLoad && v.role() != checks }) {
			continue
		}
		c := f.copyBlocks([]*Block{head})
		first := c.blocks[head]
		for _, in := range into[l.Head] {
			if !l.In[in.from.ID] {
				in.edge().To = first
			}
		}
		copies := make(map[*Value][]*Value)
		for v, w := range c.values {
			copies[v] = []*Value{w}
		}
		f.repair(copies, map[*Block]bool{head: true, first: true})
		f.SortBlocks()
		return true
	}
	return false
}
