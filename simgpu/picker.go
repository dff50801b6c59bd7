package simgpu

// Picker is a policy of which warp a scheduler issues.
type Picker interface {
	Name() string
	// Pick returns an index into ready, which is not empty and holds places in the scheduler's list of warps, the oldest
	// warp first. last is the place of the warp that issued last, or where it was: -1 at first.
	Pick(ready []int, last int) int
}

// GTO is greedy, then oldest: the warp that issued last goes on while it can, else the oldest ready one goes.
type GTO struct{}

// Name returns "gto".
func (GTO) Name() string { return "gto" }

// Pick returns the index of last, or 0.
func (GTO) Pick(ready []int, last int) int {
	for i, place := range ready {
		if place == last {
			return i
		}
	}
	return 0
}

// LRR is loose round robin: the next ready warp after the one that issued last.
type LRR struct{}

// Name returns "lrr".
func (LRR) Name() string { return "lrr" }

// Pick returns the index of the first place after last, going round.
func (LRR) Pick(ready []int, last int) int {
	for i, place := range ready {
		if place > last {
			return i
		}
	}
	return 0
}
