package simgpu

import (
	"slices"
	"sync"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// sm is one streaming multiprocessor: schedulers with their units, resident blocks, an L1 cache and the pipeline that
// memory instructions of all schedulers share.
type sm struct {
	m          *machine
	side       int // of an L2 of two halves
	index      int
	used       smUse // of a machine with several grids
	schedulers []*scheduler
	blocks     []*residentBlock
	next       int64         // cycle at which something can happen
	numbers    []*replayWarp // by number in the hardware, with a CoIssue; nil: free
	lastIssue  int64
	lastExit   int64 // cycle after that in which threads have returned that came back later than they issued
	ran        bool

	l1       *cache
	consts   *cache  // of constant memory
	memFree  int64   // cycle at which the memory pipeline takes the next access
	queue    int64   // cycles before that in which schedulers may issue one already
	inOrder  bool    // as the preset says
	portFree int64   // sector of the port to L2 that is free next: L1Port a cycle
	arrivals int64   // cycle in which the last warp to arrive at a barrier is counted
	l1Free   []int64 // with banks of L1: the cycle in which each looks up the next line
	turned   int64   // the cycle after that in which a bank looked up the last
	looked   int64   // what loads have taken of L1, in parts of a cycle
	late     int64   // lines of a load that were on their way to L1
	probes   int64   // cycle in which the last lookup of a line of a file is done
	pending  []int64 // ring: when the accesses in flight are done
	oldest   int

	virtual    *virtual   // nil where all resident blocks issue
	loads      *loadQueue // nil without a LoadOrder
	warps      int64      // resident, of blocks that issue
	warpsSince int64      // cycle from which there are so many
	nextWarp   int        // warps go round the schedulers
	free       []*warpSplit
	spare      []*blockWarps // of blocks that have ended, where all blocks are of one grid
	addrs      []uint64
}

// residentBlock is a block on an SM.
type residentBlock struct {
	number  int // among the machine's
	at      int // its place in the launch
	cta     int
	live    int // threads that have not returned
	arrived int // threads at the barrier
	waiting []*warpSplit
	opens   int64 // where all its threads wait for other blocks: the cycle in which they had come; else 0
	warps   int64
	ways    *blockWarps
	exec    *execBlock    // with Check
	all     []*replayWarp // with a window
	vt      waiting       // where an SM holds more blocks than it has slots for
}

// replayWarp is where the threads of a warp are in its trace.
type replayWarp struct {
	// What each instruction looks at comes first: it is a line of the host's cache, and a machine has thousands of
	// warps, which take turns.
	trace    *warpTrace
	contexts *contexts      // where its lanes are under SBI, else nil
	ways     *blockWarps    // nil with Check
	block    *residentBlock // nil of one that is not timed
	live     Mask
	grouped  Mask  // the lanes that are in a group, where policies are watched
	together int32 // the step that all live lanes are at, or -1: then at holds them
	slot     int   // its number in the hardware: of its scheduler with a former, of its SM with a CoIssue

	number int             // in the block
	home   *[maxWarp]uint8 // by thread, the lanes of the hardware; nil: as they come
	first  int             // number of its first thread in the block
	copies copies
	way    *way            // nil where nobody looks at it
	parted int             // how often its lanes went different ways
	loads  []int64         // with a Picker: when its accesses in flight are done
	queued int             // loads that wait in the SM's queue
	splits []*warpSplit    // with such a queue: those that its lanes are in
	lines  []askedLine     // of files, that its instructions had last
	steps  *[maxWarp]int64 // with a window: by lane, instructions executed
	at     [maxWarp]int32  // by lane: its step
}

func newSM(m *machine, l1Bytes int) *sm {
	s := &sm{
		m: m, next: never, lastIssue: -1,
		l1:      newCache(l1Bytes, m.preset.L1Ways),
		consts:  newCache(m.preset.ConstBytes, m.preset.ConstWays),
		pending: make([]int64, m.preset.PendingAccesses),
		queue:   int64(m.preset.MemoryQueue),
		inOrder: m.preset.InOrder,
		addrs:   make([]uint64, 0, maxWarp),
	}
	if m.active < m.resident {
		s.virtual = &virtual{s: s, slots: make([]*residentBlock, m.active), wake: never}
	}
	if m.policies.loads != nil {
		s.loads = newLoadQueue(s)
	}
	for range m.preset.Schedulers {
		c := &scheduler{sm: s, number: len(s.schedulers), last: -1, next: never}
		if m.shares {
			c.shared = new(shared)
		}
		if m.former != nil {
			c.forming = m.former.form(c)
		}
		s.schedulers = append(s.schedulers, c)
	}
	return s
}

// step lets every scheduler issue that can in cycle now.
func (s *sm) step(now int64) {
	next := int64(never)
	if q := s.loads; q != nil && q.wake <= now {
		q.step(now)
	}
	for _, sch := range s.schedulers {
		if sch.next <= now {
			sch.step(now)
		}
	}
	// Schedulers wake each other at barriers and when blocks come, so ask them after all have acted.
	if s.virtual != nil {
		s.virtual.step(now)
		next = s.virtual.wake
	}
	if s.loads != nil {
		next = min(next, s.loads.wake)
	}
	for _, sch := range s.schedulers {
		next = min(next, sch.next)
	}
	s.next = max(next, now+1)
	if w := s.m.window; w != nil && w.s == s {
		w.look(now)
	}
}

// launch makes block number n resident in cycle now; its warps can issue in the next one.
func (s *sm) launch(t *blockTrace, n int, now, begin int64) {
	s.ran = true
	size := s.m.preset.WarpSize
	b := &residentBlock{number: n, at: t.at, cta: t.cta, live: t.threads, warps: int64((t.threads + size - 1) / size)}
	s.blocks = append(s.blocks, b)
	if s.virtual != nil {
		s.virtual.add(b, t, now, begin)
		return
	}
	s.startBlock(b, t, now, begin)
}

// startBlock lets the warps of a block begin.
func (s *sm) startBlock(b *residentBlock, t *blockTrace, now, begin int64) {
	size := s.m.preset.WarpSize
	b.ways = s.waysOf(t, int(b.warps))
	if s.m.exec != nil {
		b.exec = s.m.exec.block(b.number, t.threads)
	}
	s.count(b.warps, now)
	warps := make([]replayWarp, b.warps)
	for i, tr := range b.ways.warps {
		w := &warps[i]
		*w = replayWarp{block: b, ways: b.ways, number: i, trace: tr, first: i * size}
		w.live = lanes(0, min(size, t.threads-w.first))
		s.m.follow(w, t)
		if s.m.window != nil {
			b.all = append(b.all, w)
		}
		sch := s.schedulers[s.nextWarp%len(s.schedulers)]
		s.nextWarp++
		if s.virtual != nil {
			sch = s.virtual.scheduler(b, i)
		}
		if s.m.policies.co != nil || s.m.policies.picker != nil {
			s.number(w)
		}
		if sch.forming != nil {
			sch.forming.launch(w, now, begin)
			continue
		}
		if sbi, ok := s.m.divergence.(SBI); ok {
			s.interleave(sbi, w, sch, now, begin)
			continue
		}
		for _, lanes := range s.m.starts(w.live) {
			s.start(w, sch, lanes, now, begin)
		}
	}
}

// waysOf returns the ways of the warps of a block, with the room of a block's that has ended.
func (s *sm) waysOf(t *blockTrace, warps int) *blockWarps {
	m := s.m
	if n := len(s.spare); n > 0 && len(s.spare[n-1].warps) == warps {
		ways := s.spare[n-1]
		s.spare = s.spare[:n-1]
		ways.begin(t, m.preset.WarpSize)
		return ways
	}
	ways := &blockWarps{warps: make([]*warpTrace, warps)}
	if m.exec == nil {
		ways.reader = newTraceReader(t, m.code, m.shapes, m.places, m.preset.WarpSize)
	}
	for i := range ways.warps {
		ways.warps[i] = traceRoom.Get().(*warpTrace)
		ways.warps[i].begin()
	}
	return ways
}

// traceRoom is the room of warps' steps of machines that have ended.
var traceRoom = sync.Pool{New: func() any { return new(warpTrace) }}

// start gives a scheduler lanes of a warp that issue together, from cycle begin on.
func (s *sm) start(w *replayWarp, sch *scheduler, lanes Mask, now, begin int64) {
	st := s.warpSplit()
	st.warp, st.sched, st.fetching, st.grid = w, sch, s.m.preset.InstructionBuffer, int32(s.m.grid.number)
	st.split = s.m.policies.divergence.New(lanes, s.m.code.join)
	s.m.group(st)
	s.waitsFor(st)
	sch.admit(st, now)
	if st.lanes == 0 { // the policy was wrong
		return
	}
	if len(s.m.code.blocks[0].instrs) > 0 || s.proceed(st, now) {
		s.begin(st, begin)
	}
}

// leave notes that lanes have returned, which may complete a barrier or the block.
func (s *sm) leave(st *warpSplit, lanes Mask, now int64) {
	b := st.warp.block
	b.live -= lanes.Count()
	if b.live == 0 {
		for i := range s.blocks {
			if s.blocks[i] == b {
				s.blocks = append(s.blocks[:i], s.blocks[i+1:]...)
				break
			}
		}
		s.count(-b.warps, now+1)
		if s.m.window != nil {
			s.m.window.ended(b, now) // in this cycle another may take its place
		}
		if s.virtual != nil {
			s.virtual.freed(b, now)
		}
		s.m.runs[b.number].end = now + 1
		if s.m.done++; s.m.mem.others != nil {
			s.m.mem.others.end(len(s.m.blocks)-s.m.done, len(s.m.blocks), len(s.m.sms)*s.m.resident)
		}
		s.m.openGrid(now)
		s.m.leftCluster(b, now)
		if s.m.grids == nil && s.m.exec == nil {
			s.spare = append(s.spare, b.ways)
		}
		if s.m.grids != nil {
			s.m.left(s, now)
			return
		}
		s.m.dispatch(s, now, s.m.preset.BlockLatency)
		return
	}
	if s.m.exec != nil {
		s.m.exec.left(st.warp, lanes)
	}
	if s.virtual != nil {
		s.virtual.waits(b)
	}
	if b.arrived == b.live {
		s.complete(b, now, now)
	}
}

// arrive makes st wait at its block's barrier. The SM takes note of one warp after the other.
func (s *sm) arrive(st *warpSplit, now int64) {
	b := st.warp.block
	s.arrivals = max(now, s.arrivals+int64(s.m.preset.BarrierArrival))
	b.arrived += st.lanes.Count()
	b.waiting = append(b.waiting, st)
	st.stay()
	if s.virtual != nil {
		s.virtual.waits(b)
	}
	if h := st.warp.contexts; h != nil {
		h.park(st)
	}
	if w, ok := st.split.(Waiter); ok {
		if others := w.Wait(); others != nil {
			s.fork(st, others, now)
		}
	}
	if b.arrived == b.live {
		s.complete(b, now, s.arrivals)
	}
}

// complete opens the barrier at which all threads of b wait, at a cycle; one of the grid when those of all blocks do.
func (s *sm) complete(b *residentBlock, now, opens int64) {
	values := s.m.code.f.Blocks[b.waiting[0].block].Values
	switch values[len(values)-1].Op {
	case kir.OpGridBarrier:
	case kir.OpClusterBarrier:
		s.waitForCluster(b, now, opens)
		return
	default:
		s.release(b, now, opens)
		return
	}
	b.opens = max(opens, 1)
	s.m.atGrid++
	s.m.openGrid(now)
}

// openGrid lets the blocks that wait for each other go on when all that have been dispatched do. It takes what the
// barrier takes that CUDA's cooperative groups are made of: in each block a barrier before and one behind, between them
// a fence, an atomic addition to one counter, at which blocks take turns, and a look at it.
func (m *machine) openGrid(now int64) {
	if m.atGrid == 0 || m.atGrid < len(m.runs)-m.done {
		return
	}
	p := m.preset
	opens := int64(m.atGrid) + int64(p.BarrierLatency+3*(p.L1Latency+p.L2Latency))
	latest := int64(0)
	for _, s := range m.sms {
		for _, b := range s.blocks {
			latest = max(latest, b.opens)
		}
	}
	m.atGrid = 0
	for _, s := range m.sms {
		for _, b := range slices.Clone(s.blocks) {
			if b.opens > 0 {
				b.opens = 0
				s.release(b, now, latest+opens)
			}
		}
	}
}

// release lets the threads at the barrier of b, which opens at a cycle, go on to the block that follows: kir cuts
// blocks at barriers.
func (s *sm) release(b *residentBlock, now, opens int64) {
	waiting := b.waiting
	b.arrived, b.waiting = 0, nil
	if s.m.exec != nil {
		s.m.exec.release(waiting)
	}
	if s.m.former != nil {
		slices.SortFunc(waiting, byThread)
	}
	for _, st := range waiting {
		st.sched.account(now)
		if f := st.sched.forming; f != nil {
			f.goOn(st, opens+int64(s.m.preset.BarrierLatency))
			continue
		}
		if h := st.warp.contexts; h != nil {
			st.pc = len(s.m.code.blocks[st.block].instrs)
			h.advance(st, opens+int64(s.m.preset.BarrierLatency), now)
			h.settle(now)
			continue
		}
		if s.proceed(st, now) {
			s.begin(st, opens+int64(s.m.preset.BarrierLatency))
		}
	}
}

// count changes the number of resident warps by change from cycle now on.
func (s *sm) count(change, now int64) {
	if s.m.grids != nil {
		s.countOf(s.m.grid, change, now)
		return
	}
	s.m.profile.resident(s.warpsSince, now, s.warps)
	s.warps, s.warpsSince = s.warps+change, max(now, s.warpsSince)
}

// finish accounts the cycles up to end.
func (s *sm) finish(end int64) {
	if !s.ran {
		return
	}
	s.count(0, end)
	for _, sch := range s.schedulers {
		sch.account(end)
	}
}

func (s *sm) warpSplit() *warpSplit {
	if n := len(s.free); n > 0 && len(s.free[n-1].ready) >= s.m.code.values {
		st := s.free[n-1]
		s.free = s.free[:n-1]
		clear(st.ready)
		*st = warpSplit{ready: st.ready}
		st.seat = &st.own
		return st
	}
	st := &warpSplit{ready: make([]int64, s.m.code.values)}
	st.seat = &st.own
	return st
}

func (s *sm) recycle(st *warpSplit) { s.free = append(s.free, st) }

// scheduler issues one instruction a cycle of the warp splits that it has.
type scheduler struct {
	sm        *sm
	number    int                 // among its SM's
	splits    []*warpSplit        // the oldest first
	seats     []seat              // theirs
	still     bool                // it was seen that none can issue, and
	stillAt   int64               // when the first has its operands, and
	stillFor  wait                // what all wait for
	last      int                 // place of the warp split that issued last
	next      int64               // cycle before which nothing can issue
	accounted int64               // cycles before this one have been classified
	shared    *shared             // nil where a slot is for one group
	forming   *forming            // nil where threads stay in their warps
	unitFree  [NumUnits + 1]int64 // the last is of what takes a slot and no unit
	ready     []int
	seen      []Candidate
	given     []int // what a policy is given of ready
	beside    []Cand
	mates     []*warpSplit // of beside
	picking   *picking
	scores    *scoreRun // under a compiled score
	refused   int       // cycles in which the policy has issued none of those that were ready
	held      []int     // splits by grid, where the machine has several
	stalls    []gridStall
}

// step issues an instruction in cycle now, or finds out when one can.
func (c *scheduler) step(now int64) {
	if c.shared != nil {
		c.shared.step(c, now)
		return
	}
	if c.forming != nil {
		c.forming.step(now)
		return
	}
	s, m := c.sm, c.sm.m
	place, next := -1, int64(0)
	if m.inTurn.known {
		if place, next = c.lookInTurn(m.inTurn, now); place < 0 {
			c.next = next
			return
		}
		if c.accounted < now {
			c.account(now)
		}
	} else {
		if next = c.look(now); len(c.ready) == 0 {
			c.next = next
			return
		}
		c.account(now)
		if place = c.pick(now); place < 0 {
			c.next = now + 1
			return
		}
	}
	c.last = place
	st := c.splits[place]
	if c.held != nil {
		m.enter(m.grids[st.grid])
	}
	if m.window != nil && !m.pairs {
		m.window.slot(c, st, nil, now)
	}
	if st.idle > 0 {
		c.issues(now, 0, 0)
		s.idle(st, now)
		return
	}
	if m.pairs {
		c.issuePair(st, place, now)
		return
	}
	c.issues(now, st.lanes.Count(), 0)
	s.issue(st, now)
}

// issues counts a slot that issues so many lanes in cycle now, and others beside them.
func (c *scheduler) issues(now int64, lanes, beside int) {
	s, m := c.sm, c.sm.m
	m.slot(now, lanes, beside)
	if c.held != nil {
		c.taken(now)
	}
	if m.trail != nil {
		m.trail.note(c, now, lanes, beside)
	}
	s.lastIssue = max(s.lastIssue, now)
	c.accounted, c.next = now+1, now+1
}

// candidates returns all warp splits as a StallAwarePolicy sees them, those in ready as ready. It is valid until the
// next call.
func (c *scheduler) candidates() []Candidate {
	c.seen = c.seen[:0]
	for i := range c.seats {
		c.seen = append(c.seen, Candidate{Long: c.seats[i].wait&longWait != 0, Since: c.seats[i].readyAt})
	}
	for _, i := range c.ready {
		c.seen[i].Ready = true
	}
	return c.seen
}

// account classifies the cycles up to until, in which nothing has changed and nothing has issued.
func (c *scheduler) account(until int64) {
	still := c.still
	c.still = false // whoever calls may change something now
	if c.accounted >= until {
		return
	}
	from, m := c.accounted, c.sm.m
	c.accounted = until
	if c.held != nil {
		c.accountGrids(from, until)
		return
	}
	if c.forming != nil {
		class, line := c.forming.stalled()
		m.stalled(from, until, class, int32(line))
		return
	}
	if len(c.splits) == 0 {
		m.stalled(from, until, trace.StallEmpty, -1)
		return
	}
	readyAt, all := c.stillAt, c.stillFor
	if !still {
		readyAt, all = c.standsStill()
	}
	swapping := c.sm.virtual != nil
	for i := 0; swapping && i < len(c.splits); i++ {
		swapping = c.splits[i].warp.block.vt.issues > from
	}
	class, first := trace.StallLong, c.splits[c.firstAt(readyAt)]
	switch {
	case swapping:
		class = trace.StallSwap
	case all&fetchWait != 0:
		class = trace.StallFetch
	case all&longWait == 0:
		class = trace.StallShort
	}
	// From the cycle on in which a warp split was ready, it was its unit that was not.
	ready := min(max(readyAt, from), until)
	line := int32(-1)
	if instrs := m.code.blocks[first.block].instrs; first.pc < len(instrs) {
		line = instrs[first.pc].line
	}
	if class == trace.StallLong {
		from = c.waiting(first, from, ready)
	}
	if from < ready {
		m.stalled(from, ready, class, line)
	}
	if ready < until {
		m.stalled(ready, until, trace.StallPipeline, line)
	}
}
