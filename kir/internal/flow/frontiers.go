package flow

// Frontiers returns, by node, the nodes in which other threads of a warp may wait while some are in it, lowest first,
// when the lowest numbered node runs first in which threads are. It follows threads that do so: from a node that runs,
// they go to its successors, and then the lowest of those and of the nodes where others wait runs while the rest waits.
func Frontiers(succ [][]int) [][]int {
	n := len(succ)
	words := Words(n)
	sets := make([]Bitset, n)
	for i := range sets {
		sets[i] = make(Bitset, words)
	}
	for changed := true; changed; {
		changed = false
		for b, ss := range succ {
			after := make(Bitset, words) // where threads may be once b has run
			after.Union(sets[b])
			for _, s := range ss {
				after.Add(s)
			}
			after.Each(func(next int) { // any of them may be the lowest
				rest := make(Bitset, words)
				after.Each(func(w int) {
					if w > next {
						rest.Add(w)
					}
				})
				if sets[next].Union(rest) {
					changed = true
				}
			})
		}
	}
	out := make([][]int, n)
	for b, s := range sets {
		s.Each(func(w int) { out[b] = append(out[b], w) })
	}
	return out
}
