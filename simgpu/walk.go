package simgpu

import (
	"sync"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Bounds of what is kept of a warp's way.
const (
	maxWalk       = 192 // steps
	beforeParting = 8   // steps that are kept before the first in which lanes part
)

// way is how a warp went through the kernel, as the replay saw it: a step for each pass of lanes through a basic block,
// in the order in which they came to its end.
type way struct {
	steps   []trace.Step
	skipped int
	cut     bool
	parts   bool // its lanes part some time
	parted  bool // they have
}

// parted is the warp of a machine whose lanes parted most often: block is its number among the machine's, warp that in
// the block.
type parted struct {
	times, block, warp int
	way                *way
}

// wayRoom is the room of ways of machines that have ended.
var wayRoom = sync.Pool{New: func() any { return new(way) }}

// follow lets w keep its way, where it may be the one that is shown: that of a warp whose lanes part, or the first of
// all.
func (m *machine) follow(w *replayWarp, t *blockTrace) {
	parts := w.number < len(t.parted) && t.parted[w.number]
	if m.exec != nil || !parts && (w.block.number > 0 || w.number > 0) {
		return
	}
	if n := len(m.ways); n > 0 {
		w.way, m.ways = m.ways[n-1], m.ways[:n-1]
	} else {
		w.way = wayRoom.Get().(*way)
	}
	*w.way = way{steps: w.way.steps[:0], parts: parts}
	if m.parted.way == nil {
		m.parted.way, m.parted.block, m.parted.warp = w.way, w.block.number, w.number
	}
}

// forget gives up the way of w, when all its lanes have returned and another is shown.
func (m *machine) forget(w *replayWarp) {
	if w.live == 0 && w.way != nil && w.way != m.parted.way {
		m.ways, w.way = append(m.ways, w.way), nil
	}
}

// ended notes that lanes of w have come to the end of block b and went so many ways.
func (m *machine) ended(b int, lanes Mask, w *replayWarp, ways int) {
	if line := m.code.blocks[b].branch; line >= 0 {
		m.branched(line, ways)
	}
	if v := w.way; v != nil && !v.cut {
		v.add(trace.Step{Block: b, Lanes: uint64(lanes), Live: uint64(w.live)}, ways)
	}
	if ways > 1 {
		w.parted++
		if w.parted > m.parted.times {
			m.parted = parted{w.parted, w.block.number, w.number, w.way}
		}
	}
}

func (v *way) add(s trace.Step, ways int) {
	v.steps = append(v.steps, s)
	v.parted = v.parted || ways > 1
	if v.parts && !v.parted && len(v.steps) > beforeParting {
		v.steps = v.steps[:copy(v.steps, v.steps[1:])]
		v.skipped++
	}
	v.cut = len(v.steps) == maxWalk
}

// walk returns the way of the warp whose lanes parted most often, of the first warp when no lanes ever did; nil with
// Check.
func (m *machine) walk() *trace.Walk {
	v := m.parted.way
	if v == nil {
		return nil
	}
	return &trace.Walk{Block: m.blocks[m.parted.block].cta, Warp: m.parted.warp, Policy: m.names.divergence, Steps: v.steps, Skipped: v.skipped, Cut: v.cut}
}
