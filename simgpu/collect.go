package simgpu

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"

	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// collector takes the traces of the blocks of a launch as they end, counts all of them, and keeps those that are timed:
// all, while they have no more than limits.whole warp instructions together; else a sample. What is kept follows from
// the blocks and their lengths alone, not from the order in which they end.
type collector struct {
	preset  *Preset
	code    *code
	policy  Divergence // nil: nothing is counted
	shapes  *shapes
	places  *places
	threads int
	order   []int // the block that runs at each place; nil is that of the numbers
	place   []int // the reverse
	limits  limits
	group   int // neighbours that are kept or dropped together

	touched footprint

	mu      sync.Mutex
	free    []*recorder
	tallies []*tally
	lengths []blockLength // of all blocks, in the order in which they run
	kept    []*blockTrace
	all     []*blockTrace // where finish has made a sample of few enough that all may be timed
	total   int64         // warp instructions of all
	held    int64         // of those kept
	full    int64         // so many are too many to hold
}

// blockLength is how much a block executes.
type blockLength struct {
	instrs int64 // warp instructions
	path   int64 // of the warp that has most
}

// How much is kept of a launch that is sampled.
const (
	neighbours = 8 // blocks in a group, of launches with many
	perClass   = 2 // blocks of each class of lengths
)

func (l *timing) newCollector(blocks, threads int, order []int) *collector {
	c := &collector{preset: l.preset, code: l.code, policy: l.policies.divergence, shapes: l.shapes, places: l.places, threads: threads,
		order: order, limits: l.limits, full: 2 * l.limits.sample, lengths: make([]blockLength, blocks), group: max(1, min(neighbours, blocks/64))}
	if !countable(c.policy) {
		c.policy = PDOM{} // for the lengths; what the policy issues is known of what is timed alone
	}
	c.touched.blocks = blocks
	if order != nil {
		c.place = make([]int, blocks)
		for at, n := range order {
			c.place[n] = at
		}
	}
	return c
}

// at returns the place of a block in the order.
func (c *collector) at(cta int) int {
	if c.place == nil {
		return cta
	}
	return c.place[cta]
}

// recorder returns the recorder of a block that begins.
func (c *collector) recorder(cta int) cpu.Recorder {
	c.mu.Lock()
	defer c.mu.Unlock()
	var r *recorder
	if n := len(c.free); n > 0 {
		r, c.free = c.free[n-1], c.free[:n-1]
	} else {
		r = &recorder{c: c, last: make([]uint64, c.code.accesses)}
		r.tally = newTally(c.preset, c.code, c.policy, c.shapes, c.places, &c.touched)
		c.tallies = append(c.tallies, r.tally)
	}
	r.begin(cta)
	return r
}

// take counts the block of r, which has ended.
func (c *collector) take(r *recorder) {
	r.tally.countBlock(&r.trace)
	c.mu.Lock()
	defer c.mu.Unlock()
	t, at := r.trace, r.trace.at
	c.lengths[at] = blockLength{t.instrs, t.path}
	c.total += t.instrs
	c.free = append(c.free, r)
	t.packed, t.parted = slices.Clone(t.packed), slices.Clone(t.parted)
	c.kept = append(c.kept, &t)
	c.held += t.instrs
	if c.total > max(c.limits.whole, c.limits.unsure) && c.held > c.full {
		c.prune()
	}
}

// finish returns what is timed, in the order in which it runs: all blocks, or a sample.
func (c *collector) finish() []*blockTrace {
	byPlace := func(a, b *blockTrace) int { return cmp.Compare(a.at, b.at) }
	if c.total > c.limits.whole {
		if len(c.kept) == len(c.lengths) && c.total <= c.limits.unsure {
			c.all = slices.Clone(c.kept)
			slices.SortFunc(c.all, byPlace)
		}
		c.prune()
	}
	slices.SortFunc(c.kept, byPlace)
	return c.kept
}

// timeable returns all blocks that may be timed, when finish has returned.
func (c *collector) timeable() []*blockTrace {
	if c.all != nil {
		return c.all
	}
	return c.kept
}

// rank orders what is spread over so many places so that those with the least ranks are spread evenly, however many
// they are.
func rank(at, places int) uint64 {
	return bits.Reverse64(uint64(at)) >> uint(bits.LeadingZeros64(uint64(max(places-1, 1))))
}

// groupRank is the rank of the group that the block at a place is of, and the place itself.
func (c *collector) groupRank(at int) uint64 {
	return rank(at/c.group, (len(c.lengths)+c.group-1)/c.group)
}

// class is the class of lengths of a block: there are two for each power of two.
func (n blockLength) class() int {
	b := bits.Len64(uint64(n.path))
	if b < 2 {
		return 2 * b
	}
	return 2*b + int(n.path>>uint(b-2)&1)
}

func (c *collector) sortByGroup(blocks []*blockTrace) {
	slices.SortFunc(blocks, func(a, b *blockTrace) int {
		return cmp.Or(cmp.Compare(c.groupRank(a.at), c.groupRank(b.at)), cmp.Compare(a.at, b.at))
	})
}

// prune drops the blocks that are in no part of the sample: groups of neighbours, evenly over the launch, up to
// limits.sample; some of each class of lengths; the block with the longest warp and that with the most instructions. Of
// the blocks so far: those that come later can only take places.
func (c *collector) prune() {
	c.sortByGroup(c.kept)
	keep := make([]bool, len(c.kept))
	sum := int64(0)
	for i := range c.kept {
		if sum += c.kept[i].instrs; sum > c.limits.sample {
			break
		}
		keep[i] = true
	}
	byClass := map[int][]int{}
	longest, most := 0, 0
	before := func(a, b int) bool { // of two of a class, by chance but always the same
		x, y := rank(c.kept[a].at, len(c.lengths)), rank(c.kept[b].at, len(c.lengths))
		return x < y
	}
	for i := range c.kept {
		n := c.lengths[c.kept[i].at]
		if m := c.lengths[c.kept[longest].at]; n.path > m.path || n.path == m.path && before(i, longest) {
			longest = i
		}
		if m := c.lengths[c.kept[most].at]; n.instrs > m.instrs || n.instrs == m.instrs && before(i, most) {
			most = i
		}
		best := append(byClass[n.class()], i)
		slices.SortFunc(best, func(a, b int) int {
			if before(a, b) {
				return -1
			}
			return 1
		})
		byClass[n.class()] = best[:min(len(best), perClass)]
	}
	keep[longest], keep[most] = true, true
	for _, best := range byClass {
		for _, i := range best {
			keep[i] = true
		}
	}
	rest := c.kept[:0]
	c.held = 0
	for i, k := range c.kept {
		if keep[i] {
			rest = append(rest, k)
			c.held += k.instrs
		}
	}
	clear(c.kept[len(rest):])
	c.kept = rest
	c.full = 2*c.held + c.limits.sample
}
