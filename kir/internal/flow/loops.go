package flow

// Loop is a natural loop: its head dominates all of it, and every latch leads back to the head.
type Loop struct {
	Head    int
	Latches []int
	In      []bool // by node
}

// Loops returns the natural loops of a graph with the given immediate dominators, by their heads' order. A loop's nodes
// may be those of an inner one too.
func Loops(succ [][]int, idom []int) []*Loop {
	preds := Reversed(succ)
	var out []*Loop
	for head := range succ {
		var l *Loop
		for _, latch := range preds[head] {
			if !Dominates(idom, head, latch) {
				continue
			}
			if l == nil {
				l = &Loop{Head: head, In: make([]bool, len(succ))}
				l.In[head] = true
				out = append(out, l)
			}
			l.Latches = append(l.Latches, latch)
			for work := []int{latch}; len(work) > 0; {
				b := work[len(work)-1]
				work = work[:len(work)-1]
				if !l.In[b] {
					l.In[b] = true
					work = append(work, preds[b]...)
				}
			}
		}
	}
	return out
}

// Shared returns how many of the loops two nodes have in common.
func Shared(loops []*Loop, a, b int) int {
	n := 0
	for _, l := range loops {
		if l.In[a] && l.In[b] {
			n++
		}
	}
	return n
}
