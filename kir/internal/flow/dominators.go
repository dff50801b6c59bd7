package flow

// Reversed returns the predecessors of each node.
func Reversed(succ [][]int) [][]int {
	out := make([][]int, len(succ))
	for i, ss := range succ {
		for _, s := range ss {
			out[s] = append(out[s], i)
		}
	}
	return out
}

// Dominators returns the immediate dominator of each node: the last node that all ways to it go through. The entry's is
// itself, and that of a node that cannot be reached is -1. It follows Cooper, Harvey and Kennedy, "A Simple, Fast
// Dominance Algorithm" (2001).
func Dominators(succ [][]int, entry int) []int {
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
	preds := Reversed(succ)
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

// Dominates reports whether every way from the entry to node b goes through node a, by the immediate dominators.
func Dominates(idom []int, a, b int) bool {
	for b != a && idom[b] >= 0 && idom[b] != b {
		b = idom[b]
	}
	return a == b
}

// Children returns the nodes that each node is the immediate dominator of.
func Children(idom []int) [][]int {
	children := make([][]int, len(idom))
	for b, i := range idom {
		if b != i && i >= 0 {
			children[i] = append(children[i], b)
		}
	}
	return children
}
