package simgpu

// IssuePolicy is a policy of which warp a scheduler issues.
type IssuePolicy interface {
	Name() string
	// Pick returns an index into ready, which is not empty and holds places in the scheduler's list of warps, the
	// oldest warp first. last is the place of the warp that issued last, or where it was: -1 at first.
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

// Oldest issues the oldest ready warp, however recently it issued.
type Oldest struct{}

// Name returns "oldest".
func (Oldest) Name() string { return "oldest" }

// Pick returns 0.
func (Oldest) Pick([]int, int) int { return 0 }

// Candidate is a warp, or a part of one that goes on alone, as a StallAwarePolicy sees it.
type Candidate struct {
	Ready bool
	Long  bool  // not ready: it waits for global memory or at a barrier
	Since int64 // ready: the cycle from which it has been, if for its unit
}

// StallAwarePolicy is an IssuePolicy that looks at warps that are not ready too.
type StallAwarePolicy interface {
	IssuePolicy
	// PickAmong returns the place in all of the warp to issue, or -1 for none in this cycle. all holds the scheduler's
	// warps, the oldest first; last is as in Pick.
	PickAmong(all []Candidate, last int) int
}

// TwoLevel keeps to a group of so many neighbouring warps (0 means 8), round robin, until all of them wait for memory
// or at a barrier; then it goes on to the next group. So groups come to their long waits at different times.
type TwoLevel struct{ Group int }

// Name returns "two-level".
func (TwoLevel) Name() string { return "two-level" }

// Pick is PickAmong for a list without those that wait.
func (p TwoLevel) Pick(ready []int, last int) int { return LRR{}.Pick(ready, last) }

// PickAmong returns the next ready warp of the group of last, or of the next group in which not all wait long.
func (p TwoLevel) PickAmong(all []Candidate, last int) int {
	size := p.Group
	if size <= 0 {
		size = 8
	}
	groups := (len(all) + size - 1) / size
	first := max(last, 0) / size % groups
	for k := range groups {
		g := (first + k) % groups
		from, to := g*size, min(g*size+size, len(all))
		start, short := from, false
		if g == first && last >= from && last < to {
			start = last + 1
		}
		for i := range to - from {
			at := from + (start-from+i)%(to-from)
			if all[at].Ready {
				return at
			}
			short = short || !all[at].Long
		}
		if short {
			return -1
		}
	}
	return -1
}

// Barrel issues the warp that has been ready longest: a queue that warps leave when they issue and come back to when
// they can go on.
type Barrel struct{}

// Name returns "barrel".
func (Barrel) Name() string { return "barrel" }

// Pick is PickAmong for warps that became ready together.
func (Barrel) Pick(ready []int, last int) int { return LRR{}.Pick(ready, last) }

// PickAmong returns the ready warp with the least Since, the oldest of several.
func (Barrel) PickAmong(all []Candidate, _ int) int {
	best := -1
	for i := range all {
		if all[i].Ready && (best < 0 || all[i].Since < all[best].Since) {
			best = i
		}
	}
	return best
}
