package simgpu

import (
	"context"
	"sync"
)

// How much the timing model does for one launch, in warp instructions. At a few million a second on one core, a cell's
// kernels take a small part of a second each.
const (
	fullBudget   = 300_000   // kernels up to about this size are replayed whole
	replayBudget = 8_000_000 // no launch replays more, unless Full asks for it
	fullLimit    = 1 << 28   // nor then: traces take some tens of bytes of the host's memory an instruction
	loopGuess    = 16        // how often blocks of kernels with loops are assumed to run
	sampleGroups = 4
	sampleWaves  = 5 // a wave is as many blocks as the SMs hold at a time
)

// plan says which blocks of a launch are recorded, and on what machine they are replayed.
type plan struct {
	scale  int          // the machine has 1/scale of the SMs, L2 and DRAM
	groups []blockRange // blocks that are replayed together, by their place in the order
	order  []int        // of the blocks; nil is that of their numbers
	limit  int64        // warp instructions recorded of each block
	wave   int          // blocks that the machine holds
}

type blockRange struct{ first, count int }

// newPlan plans a launch of so many blocks of so many warps each, of which an SM holds so many blocks at a time.
//
// A sample is groups of neighbouring blocks, taken evenly over the grid; each group runs alone on a machine with a part of
// the SMs and as much less of everything that SMs share, so that a block there finds what it finds on the whole machine.
func newPlan(p *Preset, c *code, blocks, warps, resident int, full bool) plan {
	whole := plan{scale: 1, groups: []blockRange{{0, blocks}}, limit: max(1, fullLimit/int64(blocks)), wave: p.SMs * resident}
	if full {
		return whole
	}
	if int64(blocks)*c.guess(warps) <= fullBudget && !c.loops {
		return whole
	}
	whole.limit = max(1, replayBudget/int64(blocks))
	scale := scaleOf(p)
	wave := p.SMs / scale * resident
	each := (blocks + scale - 1) / scale
	if each > sampleWaves*wave {
		// What is left out is whole waves, so that the last one is as full as in the whole launch.
		each = (sampleWaves-1)*wave + (each-1)%wave + 1
	}
	if int64(blocks)*c.guess(warps) <= fullBudget || blocks < p.SMs || sampleGroups*each >= blocks {
		return whole
	}
	s := plan{scale: scale, limit: max(1, replayBudget/int64(sampleGroups*each)), wave: wave}
	for g := range sampleGroups {
		first := (2*g+1)*blocks/(2*sampleGroups) - each/2
		s.groups = append(s.groups, blockRange{first, each})
	}
	return s
}

// block returns the number of the block that is the at-th to run.
func (pl *plan) block(at int) int {
	if pl.order == nil {
		return at
	}
	return pl.order[at]
}

// recorders returns an empty recorder for each block of the plan.
func (pl *plan) recorders(c *code, at *places, threads, warpSize int) map[int]*recorder {
	out, sh := map[int]*recorder{}, newShapes(c.values)
	for _, g := range pl.groups {
		for b := g.first; b < g.first+g.count; b++ {
			out[pl.block(b)] = newRecorder(c, at, sh, pl.block(b), threads, warpSize, pl.limit)
		}
	}
	return out
}

// guess returns about how many instructions warps of a block execute.
func (c *code) guess(warps int) int64 {
	n := 0
	for i := range c.blocks {
		for j := range c.blocks[i].instrs {
			n += int(c.blocks[i].instrs[j].count)
		}
	}
	if c.loops {
		n *= loopGuess
	}
	return int64(n * warps)
}

// scaleOf returns the largest divisor of the number of SMs that leaves ten or more: at 80, an eighth was measured to be
// within 0 to 7 % of the whole machine.
func scaleOf(p *Preset) int {
	for s := p.SMs / 10; s > 1; s-- {
		if p.SMs%s == 0 {
			return s
		}
	}
	return 1
}

// groupRun is what the replay of a group gave.
type groupRun struct {
	machine *machine
	cycles  int64
	ops     int64 // operations in the traces
	own     int64 // operations that the blocks executed: more, if traces were cut
}

// replay runs the groups, side by side. counts is what each block of the launch executed. With an x, which is for one group
// of all blocks, the launch is executed as it is replayed.
func (pl *plan) replay(ctx context.Context, p *Preset, c *code, pol policies, resident, shared int, traces map[int]*recorder, counts []int64, x *exec) ([]groupRun, error) {
	runs, errs := make([]groupRun, len(pl.groups)), make([]error, len(pl.groups))
	var wg sync.WaitGroup
	for i, group := range pl.groups {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := &runs[i]
			blocks := make([]*blockTrace, group.count)
			for j := range blocks {
				n := pl.block(group.first + j)
				blocks[j] = &traces[n].trace
				r.ops += blocks[j].ops
				r.own += counts[n]
			}
			r.machine = newMachine(p, pl.scale, c, pol, resident, shared, blocks)
			if r.machine.exec = x; x != nil {
				x.cta = func(n int) int { return pl.block(group.first + n) }
			}
			r.cycles, errs[i] = r.machine.run(ctx)
			r.machine.exec = nil
		}()
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// stretch says how a run is made longer: each cycle stands for scale cycles, and each one between from and to, all of them
// times factor.
type stretch struct {
	from, to      int64
	factor, scale float64
}

func (s stretch) at(cycle int64) float64 {
	inside := min(max(cycle, s.from), s.to) - s.from
	return (float64(cycle-inside) + float64(float64(inside)*s.factor)) * s.scale
}

// extrapolate returns how a run of the group goes on to so many operations.
// Traces that were cut short make all of it longer in proportion. The blocks that were left out are dispatched at the rate
// of the middle waves: the first wave, with its cold caches, and the end happen once.
func (r *groupRun) extrapolate(total int64, wave int) stretch {
	s := stretch{0, r.cycles, 1, 1}
	if r.ops == 0 || r.own == 0 {
		return s
	}
	s.scale = float64(r.own) / float64(r.ops)
	missing := float64(total)/s.scale - float64(r.ops)
	d := r.machine.runs
	if first, last := 2*wave, (sampleWaves-1)*wave; len(d) >= last && d[last-1].start > d[first-1].start && missing > 0 {
		steady := int64(0)
		for _, b := range r.machine.blocks[first:last] {
			steady += b.ops
		}
		s.from, s.to, s.factor = d[first-1].start, d[last-1].start, 1+missing/float64(steady)
		return s
	}
	s.scale = float64(total) / float64(r.ops)
	return s
}
