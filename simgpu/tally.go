package simgpu

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// tally counts what the warps of a launch execute under a divergence policy: instructions, lanes, accesses, conflicts,
// branches, in all and by line. It follows from the ways of the threads and not from time, so it is counted of every
// block, also of those that are not timed. It costs far less than timing: warps whose lanes never part are counted
// together, block by block.
type tally struct {
	accesses
	code   *code
	policy Divergence
	shapes *shapes

	steps    [][maxWarp + 1]int64 // by basic block and number of lanes: how often a warp went through it
	patterns []patternCounts      // by number of the pattern
	touched  footprintWriter
	at       int // place of the block
	reader   *traceReader
	machine  machine     // for arms, which follow the trace alone
	perWarp  []int64     // instructions, of the block that is counted
	traces   []warpTrace // room for those of its warps whose lanes part
	buf      [maxWarp]uint64
}

// patternCounts is what accesses of a pattern come to, for places that they begin at.
type patternCounts struct{ at [16]patternCount }

type patternCount struct {
	place            uint64 // the place in a moveBlock + 1
	lanes, conflicts int
	transactions     int
	sectors          int64
	lines            []transaction // of all warps, each line once, counted from the block's
}

func newTally(p *Preset, c *code, policy Divergence, sh *shapes, at *places, f *footprint) *tally {
	t := &tally{accesses: accesses{preset: p, lines: make([]lineCount, len(c.lines))}, code: c, policy: policy, shapes: sh,
		steps: make([][maxWarp + 1]int64, len(c.blocks)), touched: footprintWriter{f: f}}
	t.reader = newTraceReader(&blockTrace{}, c, sh, at, p.WarpSize)
	t.machine.grid = &grid{code: c}
	return t
}

// countBlock counts what the block did, and notes its length in the trace.
func (t *tally) countBlock(b *blockTrace) {
	t.at, b.threadInstrs = b.at, 0
	apart := false
	for _, p := range b.parted {
		apart = apart || p
	}
	r := t.reader
	r.begin(b, t.preset.WarpSize)
	t.perWarp = append(t.perWarp[:0], make([]int64, len(b.parted))...)
	for r.step() {
		blk := &t.code.blocks[r.block]
		steps := &t.steps[r.block]
		for _, s := range r.set {
			b.threadInstrs += int64(s.lanes.Count()) * blk.count
			if !b.parted[s.warp] {
				t.perWarp[s.warp] += t.length(blk)
				steps[s.lanes.Count()]++
			}
		}
		for n := range blk.memory {
			if !r.access() {
				continue
			}
			in := &blk.instrs[blk.memory[n].instr]
			if r.pattern != nil && !apart {
				t.countPattern(in, r.pattern, r.base)
				continue
			}
			for i, s := range r.set {
				if b.parted[s.warp] {
					continue
				}
				if r.pattern != nil {
					w := &r.pattern.warps[i]
					t.countAccess(in, s.lanes, &traceAccess{base: r.base + w.offset, shape: w.shape}, nil)
				} else if a := &r.warps[i]; a.shape != nil {
					t.countAccess(in, s.lanes, a, nil)
				} else {
					t.countAccess(in, s.lanes, nil, a.addresses(s.lanes, s.lanes, r.addrs, t.buf[:0]))
				}
			}
		}
	}
	b.foreign = r.strange
	if apart {
		t.countParted(b)
	}
	b.instrs, b.path = 0, 0
	for _, n := range t.perWarp {
		b.instrs, b.path = b.instrs+n, max(b.path, n)
	}
}

// countPattern counts an access of a whole block.
func (t *tally) countPattern(in *instr, p *pattern, base uint64) {
	for p.number >= len(t.patterns) {
		t.patterns = append(t.patterns, patternCounts{})
	}
	c := &t.patterns[p.number].at[base/sectorBytes%16]
	if at := base%moveBlock + 1; c.place != at {
		before := t.stats
		*c = patternCount{place: at}
		var line lineCount
		line, t.lines[in.line] = t.lines[in.line], line
		for i := range p.warps {
			w := &p.warps[i]
			t.countAccess(in, w.shape.lanes, &traceAccess{base: base + w.offset, shape: w.shape}, nil)
			c.lanes += w.shape.lanes.Count()
			if !in.moves() {
				continue
			}
			for _, m := range t.moved { // what the access has moved
				m.line -= base / moveBlock * moveLines
				if i := slices.IndexFunc(c.lines, func(o transaction) bool { return o.line == m.line }); i >= 0 {
					c.lines[i].sectors |= m.sectors
				} else {
					c.lines = append(c.lines, m)
				}
			}
		}
		c.sectors, c.transactions, c.conflicts = t.stats.sectors-before.sectors, int(t.stats.transactions-before.transactions), int(t.stats.bankReplays-before.bankReplays)
		t.stats, t.lines[in.line] = before, line
	}
	if c.conflicts > 0 {
		t.conflicts(in, c.conflicts)
	}
	if in.moves() {
		t.count(in, c.lanes, c.transactions, c.sectors)
		first := base / moveBlock * moveLines
		for _, m := range c.lines {
			t.touched.add(m.line+first, m.sectors, t.at, !in.reads())
		}
		more := int64(len(p.warps) - 1)
		t.stats.requests += more
		t.lines[in.line].requests += more
	}
}

// moves reports whether in accesses device memory.
func (in *instr) moves() bool { return in.space == kir.Global || in.space == kir.Local }

// countAccess counts an access of a warp: of all lanes of a shape, or of lanes at addrs.
func (t *tally) countAccess(in *instr, lanes Mask, a *traceAccess, addrs access) {
	switch {
	case in.moves():
		var list []transaction
		var sectors int64
		if a != nil {
			list, sectors = t.transactionsAt(in, a, t.buf[:0])
		} else {
			list, sectors = t.transactionsOf(in, lanes, addrs)
		}
		t.count(in, lanes.Count(), len(list), sectors)
		for _, m := range list {
			t.touched.add(m.line, m.sectors, t.at, !in.reads())
		}
	case in.space == kir.Shared && (in.kind == kindAtomic || in.kind == kindReduce):
		if a != nil {
			addrs = a.addresses(lanes, lanes, nil, t.buf[:0])
		}
		t.conflicts(in, addrs.turns(int(in.bytes), t.preset.SharedBanks)-1)
	case in.space == kir.Shared:
		conflicts := 0
		if a != nil {
			_, conflicts = t.passesAt(in, a, t.buf[:0])
		} else {
			_, conflicts = t.preset.bankPasses(addrs, lanes, int(in.bytes))
		}
		t.conflicts(in, conflicts)
	}
}

// countParted counts the warps whose lanes part, by going the way that the policy makes them go.
func (t *tally) countParted(b *blockTrace) {
	r := t.reader
	r.begin(b, t.preset.WarpSize)
	ways := &blockWarps{reader: r, warps: make([]*warpTrace, len(b.parted))}
	if n := len(b.parted) - len(t.traces); n > 0 {
		t.traces = append(t.traces, make([]warpTrace, n)...)
	}
	var left []*replayWarp
	for i, parted := range b.parted {
		if parted {
			t.traces[i].begin()
			ways.warps[i] = &t.traces[i]
			left = append(left, &replayWarp{ways: ways, number: i, trace: ways.warps[i], live: r.live.masks[i]})
		}
	}
	// Warps take turns, so that none falls far behind in the trace that all read.
	walks := make([]*warpWalk, len(left))
	for i, w := range left {
		walks[i] = newWarpWalk(w, t.policy, t.code.join)
	}
	for again := true; again; {
		again = false
		for i, k := range walks {
			if k == nil {
				continue
			}
			for range unpackAhead {
				st := k.next()
				if st == nil {
					walks[i] = nil
					break
				}
				t.countStep(st, left[i].number)
				if n := t.code.blocks[st.block].instrs; len(n) > 0 && n[len(n)-1].kind == kindBarrier {
					k.wait(st)
				}
				arms := t.machine.arms(st)
				if line := t.code.blocks[st.block].branch; line >= 0 && len(arms) > 1 {
					t.lines[line].parted++
				}
				k.resolve(st, arms)
			}
			again = again || walks[i] != nil
		}
	}
}

// countStep counts one pass of lanes through a block.
func (t *tally) countStep(st *warpSplit, warp int) {
	blk := &t.code.blocks[st.block]
	t.perWarp[warp] += t.length(blk)
	t.steps[st.block][st.lanes.Count()]++
	for n := range blk.memory {
		m := &blk.memory[n]
		if m.instr < 0 {
			continue
		}
		in := &blk.instrs[m.instr]
		if a := st.shaped(int32(n)); a != nil {
			t.countAccess(in, st.lanes, a, nil)
		} else {
			t.countAccess(in, st.lanes, nil, st.warp.addresses(st.lanes, int32(n), t.buf[:0]))
		}
	}
}

// length returns the instructions that a warp issues which comes to blk: also those under predicates to which blk
// leads, whatever lanes go there, and none of its own where it is such a block.
func (t *tally) length(blk *codeBlock) (n int64) {
	if n = blk.count; blk.under {
		n = 0
	}
	for _, side := range blk.sides {
		n += t.code.blocks[side].count
	}
	return n
}

// warpWalk is the way of a warp under a policy, step by step and without time.
type warpWalk struct {
	warp   *replayWarp
	splits []*warpSplit // what goes on alone takes turns
}

func newWarpWalk(w *replayWarp, policy Divergence, join []int) *warpWalk {
	return &warpWalk{w, []*warpSplit{{warp: w, lanes: w.live, split: policy.New(w.live, join)}}}
}

// next returns the warp split whose turn it is, or nil at the end.
func (k *warpWalk) next() *warpSplit {
	if len(k.splits) == 0 {
		return nil
	}
	return k.splits[0]
}

// wait lets those go on that st, the warp split whose turn it is, holds back while it waits at a barrier.
func (k *warpWalk) wait(st *warpSplit) {
	if w, ok := st.split.(Waiter); ok {
		if others := w.Wait(); others != nil {
			k.add(others)
		}
	}
}

func (k *warpWalk) add(s Split) {
	n := &warpSplit{warp: k.warp, split: s}
	if n.block, n.lanes = s.Group(); n.lanes != 0 {
		k.splits = append(k.splits, n)
	}
}

// resolve takes st, the warp split whose turn it was, where its lanes go.
func (k *warpWalk) resolve(st *warpSplit, arms []Arm) {
	k.splits = append(k.splits[:0], k.splits[1:]...)
	for _, a := range arms {
		if a.Block == Exit {
			k.warp.live &^= a.Lanes
		}
	}
	for _, s := range st.split.Resolve(arms) {
		k.add(s)
	}
	if st.block, st.lanes = st.split.Group(); st.lanes != 0 {
		k.splits = append(k.splits, st)
	}
}

// totals is what the tallies of a launch come to.
type totals struct {
	counters
	issued [trace.IssueBins]int64
	flops  flops
	lines  []lineCount
}

func sumOfSteps(steps *[maxWarp + 1]int64) (n int64) {
	for _, m := range steps {
		n += m
	}
	return n
}

// addIdle adds the instructions of a block under a predicate that a warp issued so often for none of its lanes. Lines
// count what some lane executes.
func (s *totals) addIdle(blk *codeBlock, often int64) {
	s.warpInstrs += often * blk.count
	s.issued[0] += often * blk.count
}

// sumOf adds up tallies.
func sumOf(p *Preset, c *code, tallies []*tally) *totals {
	s := &totals{lines: make([]lineCount, len(c.lines))}
	for _, t := range tallies {
		s.add(&t.stats)
		for i := range t.lines {
			s.lines[i].add(&t.lines[i])
		}
		for b := range t.steps {
			blk := &c.blocks[b]
			for lanes, n := range t.steps[b] {
				if n == 0 {
					continue
				}
				s.warpInstrs += n * blk.count
				s.threadInstrs += n * blk.count * int64(lanes)
				s.issued[bin(lanes, p.WarpSize)] += n * blk.count
				s.flops.add(blk.flops, n*int64(lanes))
				for i := range blk.instrs {
					l := &s.lines[blk.instrs[i].line]
					l.issued += n * int64(blk.instrs[i].count)
					l.lanes += n * int64(blk.instrs[i].count) * int64(lanes)
				}
				if blk.branch >= 0 {
					s.lines[blk.branch].branches += n
				}
			}
			for _, side := range blk.sides {
				s.addIdle(&c.blocks[side], sumOfSteps(&t.steps[b])-sumOfSteps(&t.steps[side]))
			}
		}
	}
	return s
}
