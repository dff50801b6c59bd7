package simgpu

import (
	"context"
	"math"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

const never = math.MaxInt64

// machine replays blocks on SMs that share a memory. It advances from cycle to cycle in which something can happen; SMs
// act in the order of their numbers, so that a run depends on nothing but its input.
type machine struct {
	*grid      // whose instruction issues, or whose block comes or goes
	policies   policies
	looking    StallAwarePolicy // the issue policy, when it is one
	inTurn     turns            // its order, where all policies are of this package and it has one
	active     int              // blocks per SM that issue
	swapCycles int              // that a block takes which becomes active
	sharer     Sharer           // the divergence policy, when it is one
	shares     bool             // it is
	former     former           // the same, when it is one
	// divergence is the policy itself, also where it is watched
	divergence Divergence
	frontEnd   int64          // cycles that the way of an instruction is longer by the policies
	pairs      bool           // two instructions may share a slot
	pcs        *pcs           // with a former, or a Picker
	atPC       []int32        // with a Picker: by PC, threads
	score      *compiledScore // the picker, when it is one
	countLoads bool           // the picker looks at loads in flight
	startBuf   [1]Mask
	exec       *exec // with Check, else nil
	mem        *memory
	sms        []*sm
	grids      []*grid // where there are several, in the order in which they come
	counted    memoryCounts
	interval   int64 // cycles between the beginnings of two blocks, and the cycle from which on the next one may begin
	begin      int64
	atGrid     int // blocks whose threads all wait at a barrier of the grid

	names     policyNames
	files     []*linesBuffer // of which the launch brings lines
	lineStats *trace.LineStats
	lineWaits [trace.NumLineStates]int64 // cycles, of all warps

	trail   *trail  // of a rehearsal
	window  *window // nil where nobody has asked for one
	guarded bool    // somebody else has written one of the policies: what they choose is looked at
	watched bool    // the divergence policy, so that each of its groups is
	now     int64   // cycle that is executed
	err     error   // what a policy did wrong; it ends the run
	asks    question

	ways   []*way // for warps to come
	armBuf [maxWarp]Arm
}

type policies struct {
	divergence Divergence
	issue      IssuePolicy
	order      BlockOrder
	lanes      LaneMap   // nil is Identity
	co         CoIssue   // nil: nothing issues beside another
	ctas       CTAPolicy // nil is Baseline
	picker     Picker    // of warps, in place of issue; or nil
	loads      LoadOrder // nil: as FIFO{}, without a queue
	wrong      error     // what an option was given that it cannot take
}

// counters are sums over a run of the timing model.
type counters struct {
	warpInstrs, threadInstrs                                    int64
	requests, sectors, transactions, bytes, l1Hits, bankReplays int64
	swaps                                                       int64 // of blocks
	constLoads, constPasses, constMisses                        int64
	pendingHits                                                 int64 // of l1Hits, those on sectors that were on their way
	queued, waited                                              int64 // loads that a LoadOrder let wait, and for how many cycles
	inFlight                                                    int64 // cycles of all lines from the miss to their coming
}

func (c *counters) add(o *counters) {
	c.warpInstrs += o.warpInstrs
	c.threadInstrs += o.threadInstrs
	c.requests += o.requests
	c.sectors += o.sectors
	c.transactions += o.transactions
	c.bytes += o.bytes
	c.l1Hits += o.l1Hits
	c.bankReplays += o.bankReplays
	c.swaps += o.swaps
	c.constLoads += o.constLoads
	c.constPasses += o.constPasses
	c.constMisses += o.constMisses
	c.pendingHits += o.pendingHits
	c.queued += o.queued
	c.waited += o.waited
	c.inFlight += o.inFlight
}

// newMachine makes 1/scale of the machine of l, but with so many SMs, and with the blocks waiting.
func (l *timing) newMachine(scale, sms, l2 int, blocks []*blockTrace) *machine {
	m := &machine{grid: l.newGrid(blocks), policies: l.policies, interval: int64(l.preset.BlockInterval * scale), mem: newMemory(l.preset, scale, l2)}
	if m.active, m.swapCycles = l.active, l.swapCycles; m.active == 0 {
		m.active = m.resident
	}
	if m.policies.picker != nil {
		m.pcs = newPCs(m.code)
		m.atPC, m.countLoads = make([]int32, len(m.pcs.at)), true
		if s, ok := m.policies.picker.(compiledScore); ok {
			m.score, m.countLoads = &s, s.code.reads(fieldLoadsInFlight)
		}
	}
	m.divergence, m.pairs = l.policies.divergence, l.policies.pairs()
	if !l.preset.InOrder { // where nothing of a warp's issues before its last instruction is done, the way is part of that
		m.frontEnd = l.policies.frontEnd()
	}
	m.sharer, m.shares = l.policies.divergence.(Sharer)
	m.former, _ = l.policies.divergence.(former)
	m.looking, _ = l.policies.issue.(StallAwarePolicy)
	foreign := l.policies.foreign()
	m.names, m.guarded, m.watched = l.policies.names(), foreign || guardAll, guardAll || !ours(l.policies.divergence)
	if !foreign && m.policies.picker == nil {
		if p, ok := l.policies.issue.(inTurn); ok {
			m.inTurn = p.turns()
		}
	}
	if m.watched {
		m.policies.divergence = asked{l.policies.divergence, m}
	}
	for i := range sms {
		m.sms = append(m.sms, newSM(m, l.preset.l1Bytes(l.preset.sharedOf(l.shared)*l.resident)))
		m.sms[i].side = i % 2
	}
	return m
}

// run replays all blocks and returns the cycles that it took, to the last instruction and the last byte written.
func (m *machine) run(ctx context.Context) (cycles int64, err error) {
	if m.guarded {
		defer func() {
			if v := recover(); v != nil {
				m.panicked(v)
				err = m.err
			}
		}()
	}
	// Blocks go round the SMs until all are full.
	for range m.resident {
		for _, s := range m.sms {
			m.dispatch(s, 0, 0)
		}
	}
	for round := 0; m.err == nil && !m.trail.full() && (m.exec == nil || m.exec.err == nil); round++ {
		if (round%4096 == 0 || m.guarded) && ctx.Err() != nil { // a policy of others may take its time
			return 0, ctx.Err()
		}
		now := int64(never)
		for _, s := range m.sms {
			now = min(now, s.next)
		}
		if now == never {
			break
		}
		m.now = now
		for _, s := range m.sms {
			if s.next <= now {
				s.step(now)
			}
		}
	}
	if m.err != nil {
		return 0, m.err
	}
	if x := m.exec; x != nil {
		if x.err == nil {
			x.err = x.stuck(m)
		}
		if x.err != nil {
			return 0, x.err
		}
	}
	if m.trail.full() {
		return 0, nil
	}
	if err := m.complete(); err != nil {
		return 0, err
	}
	end := m.mem.lastFinished
	for _, s := range m.sms {
		end = max(end, s.lastIssue+1, s.lastExit)
	}
	for _, s := range m.sms {
		s.finish(end)
	}
	if m.window != nil {
		m.window.close(end)
	}
	return end, nil
}

// dispatch gives s the next block, if there is one, which begins so many cycles later.
func (m *machine) dispatch(s *sm, now int64, latency int) {
	if m.next == len(m.blocks) {
		return
	}
	m.send(s, now, latency)
}

// send gives s the next block of the grid.
func (m *machine) send(s *sm, now int64, latency int) {
	b := m.blocks[m.next]
	m.next++
	if m.mem.others != nil {
		m.mem.others.front = max(m.mem.others.front, b.at)
	}
	m.runs = append(m.runs, blockRun{sm: s, start: now})
	begin := max(now+1+int64(latency), m.begin)
	m.begin = begin + m.interval
	s.launch(b, len(m.runs)-1, now, begin)
}

// idleSMs returns the number of SMs that never had a block of the grid.
func (m *machine) idleSMs() int {
	n := 0
	for i, s := range m.sms {
		if !s.ran || m.grids != nil && !m.on[i].ran {
			n++
		}
	}
	return n
}

// bin returns the issue bin of an instruction with so many active lanes of a warp's; those with none are in the first.
func bin(active, warpSize int) int { return max(0, (active*trace.IssueBins+warpSize-1)/warpSize-1) }
