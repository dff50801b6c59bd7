package simgpu

// SBI is simultaneous branch interweaving (Brunie, Collange and Diamos, ISCA 2012): two instructions of one warp issue
// in a cycle, those of the two places with the lowest addresses where lanes of it are, each in its own lanes. Lanes
// meet in thread-frontier order, as under [TF], instruction by instruction. Of several places the others wait in a
// table; a warp parts once in a cycle, by a branch or since memory serves some of its lanes before others.
//
// A scheduler chooses a warp by its lower place; what is at the higher one issues beside it where it fits. With
// [WithCoIssue] an instruction of another warp may do so instead. Where the machine has predicates, compilers make them
// of short branches, under SBI as under other policies, and nothing is left to issue together.
type SBI struct {
	// Constraints holds back lanes that are at a point where ways join while others of the warp are between the branch
	// and that point: what follows then issues once for all of them.
	Constraints bool
	// WholeAccesses keeps lanes together whose loads and stores go to several lines. Else those that memory has served
	// go on, while the others come to the instruction again.
	WholeAccesses bool
}

// Name returns "sbi", with what is not as usual.
func (s SBI) Name() string {
	name := "sbi"
	if s.Constraints {
		name += ", constrained"
	}
	if s.WholeAccesses {
		name += ", whole accesses"
	}
	return name
}

// New implements Divergence: by how long blocks would be under TF, launches that are sampled choose the blocks that
// they time.
func (SBI) New(lanes Mask, join []int) Split { return TF{}.New(lanes, join) }

// Sizes of the paper.
const (
	mostCold      = 8  // places in the table for which lanes part that memory serves one after the other
	mostSorting   = 64 // cycles that sorting a place in takes at most
	matrixEntries = 6
)

// frontEnd returns the cycles by which the policies lengthen the way of an instruction: a stage that hands out two (SBI
// and SWI), and a second scheduler behind the first (SWI).
func (p policies) frontEnd() (cycles int64) {
	_, two := p.divergence.(SBI)
	if _, cascade := p.co.(SWI); cascade {
		return 2
	}
	if two {
		return 1
	}
	return 0
}

// pairs reports whether two instructions may share a slot.
func (p policies) pairs() bool {
	_, two := p.divergence.(SBI)
	return two || p.co != nil
}

// reconvergences returns, by block, the block that divides the ways which join there, or -1: where several ways come
// from before. Blocks are in the order of their addresses.
func reconvergences(succ [][]int, idom []int) []int {
	out, ways := make([]int, len(succ)), make([]int, len(succ))
	for b, to := range succ {
		for _, s := range to {
			if s > b {
				ways[s]++
			}
		}
	}
	for b := range out {
		if out[b] = -1; ways[b] > 1 {
			out[b] = idom[b]
		}
	}
	return out
}
