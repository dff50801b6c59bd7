package kir

import "slices"

// sortBlocks puts the blocks in a reverse post-order from the entry in which the blocks of a loop stand before those that
// follow the loop, whichever way round its branches are written; it drops blocks that cannot be reached.
func (f *Func) sortBlocks() {
	f.number(postOrder(f.Blocks[0], nil))
	depth := f.sharedLoops()
	// What is visited first comes last: the ways out of a loop before the ways that stay in it.
	f.number(postOrder(f.Blocks[0], func(from *Block, edges []Edge) {
		slices.SortStableFunc(edges, func(a, b Edge) int {
			return depth(from.ID, a.To.ID) - depth(from.ID, b.To.ID)
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

// A loop is a natural loop: its head dominates all of it, and every latch leads back to the head.
type loop struct {
	head    int
	latches []int
	in      []bool // by block ID
}

// loops returns the natural loops, by their heads' order. A loop's blocks may be those of an inner one too.
func (f *Func) loops(idom []int) []*loop {
	preds := f.preds()
	var out []*loop
	for head := range f.Blocks {
		var l *loop
		for _, latch := range preds[head] {
			if !dominates(idom, head, latch) {
				continue
			}
			if l == nil {
				l = &loop{head: head, in: make([]bool, len(f.Blocks))}
				l.in[head] = true
				out = append(out, l)
			}
			l.latches = append(l.latches, latch)
			for work := []int{latch}; len(work) > 0; {
				b := work[len(work)-1]
				work = work[:len(work)-1]
				if !l.in[b] {
					l.in[b] = true
					work = append(work, preds[b]...)
				}
			}
		}
	}
	return out
}

// sharedLoops returns a function that counts the loops that two blocks have in common.
func (f *Func) sharedLoops() func(a, b int) int {
	loops := f.loops(f.dominators())
	return func(a, b int) int {
		n := 0
		for _, l := range loops {
			if l.in[a] && l.in[b] {
				n++
			}
		}
		return n
	}
}

func (f *Func) succs() [][]int {
	out := make([][]int, len(f.Blocks))
	for i, blk := range f.Blocks {
		for _, e := range blk.Term.Edges() {
			out[i] = append(out[i], e.To.ID)
		}
	}
	return out
}

func (f *Func) preds() [][]int { return reversed(f.succs()) }

func reversed(succ [][]int) [][]int {
	out := make([][]int, len(succ))
	for i, ss := range succ {
		for _, s := range ss {
			out[s] = append(out[s], i)
		}
	}
	return out
}

// dominators returns the immediate dominator of each block by ID; the entry's is itself, and that of a block that cannot be
// reached is -1.
func (f *Func) dominators() []int { return immediateDominators(f.succs(), 0) }

// ImmediatePostDominators returns, by block ID, the block in which all ways from a block to the end of the thread first come
// together: where divergent threads reconverge at the latest. It is -1 where they meet only at the end of the kernel and
// where there is no way to the end.
func ImmediatePostDominators(f *Func) []int {
	end := len(f.Blocks)
	succ := append(f.succs(), nil)
	for i, blk := range f.Blocks {
		if blk.Term.Kind == TermReturn {
			succ[i] = append(succ[i], end)
		}
	}
	out := immediateDominators(reversed(succ), end)[:end]
	for i, d := range out {
		if d == end {
			out[i] = -1
		}
	}
	return out
}

// immediateDominators follows Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
func immediateDominators(succ [][]int, entry int) []int {
	n := len(succ)
	num, idom := make([]int, n), make([]int, n)
	for i := range idom {
		num[i], idom[i] = -1, -1
	}
	var post []int
	seen := make([]bool, n)
	var visit func(int)
	visit = func(b int) {
		seen[b] = true
		for _, s := range succ[b] {
			if !seen[s] {
				visit(s)
			}
		}
		num[b] = len(post)
		post = append(post, b)
	}
	visit(entry)
	idom[entry] = entry
	preds := reversed(succ)
	for changed := true; changed; {
		changed = false
		for i := len(post) - 2; i >= 0; i-- { // the entry is last in post
			b, d := post[i], -1
			for _, p := range preds[b] {
				switch {
				case idom[p] < 0:
				case d < 0:
					d = p
				default:
					for a := p; a != d; {
						if num[a] < num[d] {
							a = idom[a]
						} else {
							d = idom[d]
						}
					}
				}
			}
			if idom[b] != d {
				idom[b], changed = d, true
			}
		}
	}
	return idom
}

// dominates reports whether every way from the entry to block b goes through block a.
func dominates(idom []int, a, b int) bool {
	for b != a && idom[b] >= 0 && idom[b] != b {
		b = idom[b]
	}
	return a == b
}
