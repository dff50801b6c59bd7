package simgpu

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// This file is what a scheduler does under a Former: threads that have issued come back when their instruction is done
// and are formed into groups anew.

// former is a Divergence of which threads belong to no warp: after each instruction they are formed into groups, whose
// threads may be of several warps.
type former interface {
	Divergence
	form(c *scheduler) *forming
}

// forming is a scheduler's threads under a former.
type forming struct {
	c       *scheduler
	pool    *pool
	picker  Picker
	env     Env
	crossed bool // registers are read through a crossbar

	warps   []*replayWarp      // by number in the hardware; nil: free
	home    [][maxWarp]uint8   // the lane of each of its threads
	passed  []int32            // by thread: immediate postdominators that it has come to
	meeting map[gathering]Mask // who has come to operations of warps
	flights []*flight          // a heap: what is done first is at the front
	sent    int64              // flights so far
	spare   []*flight
	pcs     *pcs
	parts   []part
	outs    []flight
	to      [maxWarp]int32 // by lane: the block that it goes to
	touched [maxWarp]uint64
	mixed   warpSplit
	given   []Cand
	call    *pickerCall // of picker
}

// flight is threads whose instruction, number pc of a block, has issued and is done in a cycle; pc is -1 where they
// begin the block.
type flight struct {
	Group
	block, pc, done int32
	at, number      int64
	long            bool // they wait for global memory
}

// part is the lanes of one warp in a group.
type part struct {
	warp  *replayWarp
	lanes Mask
}

// gathering is a step of a warp with an operation of the warp.
type gathering struct {
	warp *replayWarp
	step int32
}

func newForming(c *scheduler, d DWF) *forming {
	m := c.sm.m
	if m.pcs == nil {
		m.pcs = newPCs(m.code)
	}
	f := &forming{c: c, pool: newPool(d, m.preset.WarpSize, len(m.pcs.at)), picker: d.picker(), crossed: d.RegFile == Crossbar, pcs: m.pcs, meeting: map[gathering]Mask{}, env: Env{Last: -1}}
	f.mixed.ready, f.call = make([]int64, m.code.values), newPickerCall(f.picker)
	return f
}

// launch lets the threads of a warp come to the kernel's beginning in cycle begin.
func (f *forming) launch(w *replayWarp, now, begin int64) {
	f.c.account(now)
	size := f.c.sm.m.preset.WarpSize
	slot := slices.Index(f.warps, nil)
	if slot < 0 {
		slot = len(f.warps)
		f.warps, f.home = append(f.warps, nil), append(f.home, [maxWarp]uint8{})
		f.passed = append(f.passed, make([]int32, size)...)
		f.home[slot] = f.c.sm.m.homes(slot*len(f.c.sm.schedulers) + f.c.number)
	}
	f.warps[slot], w.slot = w, slot
	clear(f.passed[slot*size : (slot+1)*size])
	g := f.groupOf(w, w.live)
	f.send(&g, 0, -1, 0, begin, false)
}

// groupOf returns lanes of one warp as a group.
func (f *forming) groupOf(w *replayWarp, of Mask) Group {
	g := f.pool.group(0)
	for rest := of; rest != 0; rest &= rest - 1 {
		l := rest.first()
		at := f.home[w.slot][l]
		g.Lanes |= 1 << at
		g.Threads[at] = Thread(w.slot*f.c.sm.m.preset.WarpSize + l)
	}
	return g
}

// warpOf returns the warp of a thread and its lane in it.
func (f *forming) warpOf(t Thread) (*replayWarp, int) {
	size := f.c.sm.m.preset.WarpSize
	return f.warps[int(t)/size], int(t) % size
}

// split returns the warps that g has threads of, and their lanes. It is valid until the next call.
func (f *forming) split(g *Group) []part {
	f.parts = f.parts[:0]
	for rest := g.Lanes; rest != 0; rest &= rest - 1 {
		w, l := f.warpOf(g.Threads[rest.first()])
		i := len(f.parts) - 1
		for i >= 0 && f.parts[i].warp != w {
			i--
		}
		if i < 0 {
			i = len(f.parts)
			f.parts = append(f.parts, part{warp: w})
		}
		f.parts[i].lanes |= 1 << uint(l)
	}
	return f.parts
}

// send lets the threads of g, at instruction pc of a block, come back in cycle at.
func (f *forming) send(g *Group, block, pc, done int, at int64, long bool) {
	var x *flight
	if n := len(f.spare); n > 0 {
		x, f.spare = f.spare[n-1], f.spare[:n-1]
	} else {
		x = new(flight)
	}
	f.sent++
	*x = flight{*g, int32(block), int32(pc), int32(done), at, f.sent, long}
	i := len(f.flights)
	f.flights = append(f.flights, x)
	for i > 0 {
		up := (i - 1) / 2
		if !x.before(f.flights[up]) {
			break
		}
		f.flights[i], f.flights[up], i = f.flights[up], x, up
	}
	f.c.next = min(f.c.next, at)
	f.c.sm.next = min(f.c.sm.next, f.c.next)
}

func (x *flight) before(y *flight) bool { return x.at < y.at || x.at == y.at && x.number < y.number }

// arrived takes the flight that is done first off the heap.
func (f *forming) arrived() *flight {
	h := f.flights
	x, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	f.flights = h
	for i := 0; len(h) > 0; {
		down := 2*i + 1
		if down+1 < len(h) && h[down+1].before(h[down]) {
			down++
		}
		if down >= len(h) || !h[down].before(last) {
			h[i] = last
			break
		}
		h[i], i = h[down], down
	}
	return x
}

// step takes in what is done in cycle now and issues a group, or finds out when it can.
func (f *forming) step(now int64) {
	c := f.c
	c.account(now)
	h := f.pool.heap
	if h != nil {
		h.waited = false
		h.work(now, f.pool.list)
	}
	for len(f.flights) > 0 && f.flights[0].at <= now && c.sm.m.err == nil && (h == nil || !h.full()) {
		x := f.arrived()
		f.land(x, now)
		f.spare = append(f.spare, x)
	}
	next := f.refill(now)
	any := false
	for i := range f.pool.cands {
		k := &f.pool.cands[i]
		in := k.in
		port := in.port
		if in.steps != nil {
			_, _, done := f.pcs.place(k.PC)
			port, _ = in.unit(done)
		}
		at := c.unitFree[port]
		if in.times {
			at = min(at, c.unitFree[UnitSpecial])
		}
		if in.memory {
			at = max(at, c.sm.memFree)
		}
		k.Ready, k.AtPC = at <= now, int(f.pool.threads[k.PC])
		any = any || k.Ready
		if !k.Ready {
			next = min(next, at)
		}
	}
	if len(f.flights) > 0 {
		next = min(next, max(f.flights[0].at, now+1))
	}
	c.next = next
	if !any {
		return
	}
	if c.sm.m.window != nil {
		c.sm.m.window.inspectPool(f, now)
	}
	if i := f.pick(now); i >= 0 {
		f.issue(i, now)
	}
	c.next = now + 1
	if h != nil && h.waited {
		return
	}
	if p := c.sm.m.preset; p.OnePipe && p.Multipliers == 0 && len(f.pool.spilled) == 0 { // whatever comes, it waits for the pipe
		next := int64(never)
		if len(f.pool.cands) > 0 {
			next = c.unitFree[UnitFP32]
		}
		if len(f.flights) > 0 {
			next = min(next, max(f.flights[0].at, now+1))
		}
		c.next = max(c.next, next)
	}
}

// refill brings back what was spilled, while there is room, and returns when more can come.
func (f *forming) refill(now int64) int64 {
	p := f.pool
	for len(p.spilled) > 0 {
		s := &p.spilled[0]
		if s.at > now {
			return s.at
		}
		if !p.insert(&s.Group, s.in, s.passed, now) {
			return never // until a warp issues
		}
		p.spilled = p.spilled[1:]
	}
	return never
}

// land takes threads whose instruction is done to their next, and to the pool.
func (f *forming) land(x *flight, now int64) {
	m := f.c.sm.m
	b := &m.code.blocks[x.block]
	if x.pc >= 0 && x.done+1 < b.instrs[x.pc].count {
		x.done++
	} else {
		x.pc, x.done = x.pc+1, 0
	}
	if int(x.pc) < len(b.instrs) {
		f.enter(&x.Group, int(x.block), int(x.pc), int(x.done), now)
		return
	}
	f.proceed(&x.Group, int(x.block), now)
}

// enter puts threads in the pool.
func (f *forming) enter(g *Group, block, pc, done int, now int64) {
	g.PC = int(f.pcs.of[block][pc]) + done
	passed := int32(1<<31 - 1)
	for rest := g.Lanes; rest != 0; rest &= rest - 1 {
		passed = min(passed, f.passed[g.Threads[rest.first()]])
	}
	in := &f.c.sm.m.code.blocks[block].instrs[pc]
	if !f.pool.insert(g, in, int(passed), now) {
		p := f.c.sm.m.preset
		f.pool.spilled = append(f.pool.spilled, spill{*g, in, int(passed), now + int64(p.L1Latency+p.L2Latency+p.DRAMLatency)})
		f.pool.spills += int64(g.Lanes.Count())
	}
}

// proceed takes threads that are at the end of a block on to the next, and to the pool where that has an instruction:
// those first that take the branch. It takes g.
func (f *forming) proceed(g *Group, block int, now int64) {
	s, m := f.c.sm, f.c.sm.m
	first := len(f.outs)
	taken := m.code.blocks[block].to[0].block
	parts := f.split(g)
	f.parts = nil // theirs, until they are done
	defer func() { f.parts = parts }()
	gone := false
	for _, p := range parts {
		st := warpSplit{warp: p.warp, lanes: p.lanes, block: block, sched: f.c}
		st.value = m.code.blocks[block].from(len(m.code.blocks[block].instrs))
		arms := m.arms(&st)
		m.ended(block, p.lanes, p.warp, len(arms))
		for _, a := range arms {
			for rest := a.Lanes; rest != 0; rest &= rest - 1 {
				f.to[f.laneOf(g, p.warp, rest.first())] = int32(a.Block)
			}
			if a.Block == Exit {
				p.warp.live &^= a.Lanes
				gone = true
			}
		}
	}
	for rest := g.Lanes; rest != 0; rest &= rest - 1 {
		l := rest.first()
		to := f.to[l]
		if to == Exit {
			continue
		}
		i := first
		for i < len(f.outs) && f.outs[i].block != to {
			i++
		}
		if i == len(f.outs) {
			f.outs = append(f.outs, flight{Group: f.pool.group(0), block: to})
		}
		f.outs[i].Lanes |= 1 << uint(l)
		f.outs[i].Threads[l] = g.Threads[l]
		if f.pcs.joins[to] {
			f.passed[g.Threads[l]]++
		}
		if int(to) == taken && i > first {
			f.outs[first], f.outs[i] = f.outs[i], f.outs[first]
		}
	}
	f.pool.done(g)
	for i := first; i < len(f.outs); i++ {
		o := f.outs[i] // f.outs may move
		if len(m.code.blocks[o.block].instrs) > 0 {
			f.enter(&o.Group, int(o.block), 0, 0, now)
		} else {
			f.proceed(&o.Group, int(o.block), now)
		}
	}
	f.outs = f.outs[:first]
	if !gone {
		return
	}
	s.lastExit = max(s.lastExit, now+1)
	for _, p := range parts {
		if left := p.lanes &^ p.warp.live; left != 0 {
			if p.warp.live == 0 {
				f.warps[p.warp.slot] = nil
			}
			m.forget(p.warp)
			s.leave(&warpSplit{warp: p.warp}, left, now)
		}
	}
}

// laneOf returns the lane in which g has a thread.
func (f *forming) laneOf(g *Group, w *replayWarp, lane int) int {
	want := Thread(w.slot*f.c.sm.m.preset.WarpSize + lane)
	if at := int(f.home[w.slot][lane]); g.Lanes>>uint(at)&1 == 1 && g.Threads[at] == want {
		return at
	}
	for rest := g.Lanes; ; rest &= rest - 1 {
		if at := rest.first(); g.Threads[at] == want {
			return at
		}
	}
}

// issue issues warp number i of the pool.
func (f *forming) issue(i int, now int64) {
	s, m := f.c.sm, f.c.sm.m
	g := f.pool.take(i)
	block, pc, done := f.pcs.place(g.PC)
	in := &m.code.blocks[block].instrs[pc]
	f.c.issues(now, g.Lanes.Count(), 0)
	if m.window != nil {
		m.window.group(f.c, g.Lanes, in, done, now)
	}
	f.c.takes(in, done, now)
	m.issued(in.line, g.Lanes.Count())
	if m.window != nil {
		for rest := g.Lanes; rest != 0; rest &= rest - 1 {
			w, lane := f.warpOf(g.Threads[rest.first()])
			m.window.executed(w, 1<<lane)
		}
	}
	wait := int64(0)
	if f.crossed {
		size := m.preset.WarpSize
		wait = int64(f.pool.bankTurns(&g, func(t Thread) int { return int(f.home[int(t)/size][int(t)%size]) }) - 1)
		port, _ := in.unit(done)
		f.c.unitFree[port] += wait
	}
	if done+1 < int(in.count) {
		f.send(&g, block, pc, done, now+wait+in.gap, false)
		return
	}
	if f.hold(&g, block, pc, in, now); g.Lanes == 0 {
		f.pool.done(&g)
		return
	}
	parts := f.split(&g)
	if in.kind == kindBarrier {
		for _, p := range slices.Clone(parts) {
			s.arrive(&warpSplit{warp: p.warp, lanes: p.lanes, block: block, pc: pc, sched: f.c}, now)
		}
		f.pool.done(&g)
		return
	}
	st := &f.mixed
	*st = warpSplit{ready: st.ready, warp: parts[0].warp, lanes: parts[0].lanes, block: block, pc: pc, sched: f.c}
	if len(parts) > 1 {
		st.lanes, st.mixed = g.Lanes, &g
	}
	at, long := s.perform(st, in, now)
	switch in.kind {
	case kindReduce, kindStore, kindFence, kindEnd:
		at, long = now+in.time, false
	}
	if b := &m.code.blocks[block]; b.returns && pc == len(b.instrs)-1 { // nothing of theirs waits for it
		f.proceed(&g, block, now)
		return
	}
	f.send(&g, block, pc, done, max(at, now+1)+wait, long)
}

// pick asks the policy which warp of the pool issues.
func (f *forming) pick(now int64) int {
	c, m := f.c, f.c.sm.m
	if f.pool.heap != nil {
		return f.pool.heap.pick(f.pool.cands)
	}
	if !m.guarded {
		return f.picker.Pick(now, f.pool.cands, &f.env)
	}
	f.given = append(f.given[:0], f.pool.cands...) // it may change what it gets
	for i := range f.given {
		threads := *f.given[i].Threads
		f.given[i].Threads = &threads
	}
	m.asks = question{what: "picks", of: c}
	i := f.call.pick(now, f.given, &f.env)
	m.asks = question{}
	switch {
	case i < -1 || i >= len(f.pool.cands):
		return c.wrong(now, "chose number %d of %d warps", i, len(f.pool.cands))
	case i >= 0 && !f.pool.cands[i].Ready:
		return c.wrong(now, "chose number %d, which is not ready", i)
	case i >= 0:
		c.refused = 0
	default:
		if c.refuses() {
			return c.wrong(now, "has issued nothing for %d cycles in which warps were ready", patience)
		}
	}
	return i
}

// list says what the pool has, for errors.
func (f *forming) list() (list []string) {
	for i := range f.pool.cands {
		k := &f.pool.cands[i]
		if i == mostCandidates {
			return append(list, fmt.Sprintf("and %d more", len(f.pool.cands)-i))
		}
		state := "waits for its unit"
		if k.Ready {
			state = "ready"
		}
		list = append(list, fmt.Sprintf("number %d at PC %d, lanes %s: %s", i, k.PC, laneText(k.Lanes), state))
	}
	return list
}

// hold computes the instruction, with Check, and takes those threads out of g that wait there for others of their warp.
func (f *forming) hold(g *Group, block, pc int, in *instr, now int64) {
	m := f.c.sm.m
	if m.exec == nil && !in.meets {
		return
	}
	value := m.code.blocks[block].from(pc)
	for _, p := range slices.Clone(f.split(g)) {
		stays := Mask(0)
		if m.exec != nil {
			st := &warpSplit{warp: p.warp, lanes: p.lanes, block: block, pc: pc, value: value, sched: f.c}
			if f.c.sm.held(st, in, now) {
				stays = p.lanes
			}
		} else {
			stays = f.meet(p, block, pc, in, now)
		}
		for rest := p.lanes; rest != 0; rest &= rest - 1 {
			at := f.laneOf(g, p.warp, rest.first())
			if stays>>uint(rest.first())&1 == 1 {
				g.Lanes &^= 1 << uint(at)
			} else {
				f.touched[at] = 0
				if m.exec != nil {
					f.touched[at] = m.exec.touched[rest.first()]
				}
			}
		}
	}
}

// meet brings lanes of a warp to an operation of the warp, and returns those that wait there for others: all that were
// together in it when the kernel was computed go on together.
func (f *forming) meet(p part, block, pc int, in *instr, now int64) (stays Mask) {
	for rest := p.lanes; rest != 0; {
		number := p.warp.stepOf(rest.first())
		here := Mask(0)
		for r := rest; r != 0; r &= r - 1 {
			if l := r.first(); p.warp.stepOf(l) == number {
				here |= 1 << uint(l)
			}
		}
		rest &^= here
		key := gathering{p.warp, number}
		before := f.meeting[key]
		if all := p.warp.step(number).lanes; before|here != all {
			f.meeting[key] = before | here
			stays |= here
			continue
		}
		delete(f.meeting, key)
		if before != 0 {
			g := f.groupOf(p.warp, before)
			f.send(&g, block, pc, int(in.count)-1, now+in.time, false)
		}
	}
	return stays
}

// goOn lets the threads of st, who have waited at instruction st.pc, come back in cycle at.
func (f *forming) goOn(st *warpSplit, at int64) {
	g := f.groupOf(st.warp, st.lanes)
	f.send(&g, st.block, st.pc, int(f.c.sm.m.code.blocks[st.block].instrs[st.pc].count)-1, at, false)
}

// addresses appends what the threads of st touch in the access that they make, by lane.
func (f *forming) addresses(st *warpSplit, out []uint64) access {
	g, in := st.mixed, &f.c.sm.m.code.blocks[st.block].instrs[st.pc]
	for rest := g.Lanes; rest != 0; rest &= rest - 1 {
		at := rest.first()
		w, l := f.warpOf(g.Threads[at])
		addr := f.touched[at]
		if f.c.sm.m.exec == nil {
			var room [1]uint64
			addr = w.addresses(1<<uint(l), in.access, room[:0])[0]
		}
		if in.space == kir.Shared { // each block has its own
			addr += uint64(w.block.number) << 32
		}
		out = append(out, addr)
	}
	return out
}

// stalled says why nothing issues.
func (f *forming) stalled() (class trace.Stall, line int32) {
	switch h := f.pool.heap; {
	case h != nil && h.waited:
		return trace.StallHeap, f.pool.cands[0].in.line
	case len(f.pool.cands) > 0:
		return trace.StallPipeline, f.pool.cands[0].in.line
	case !slices.ContainsFunc(f.warps, func(w *replayWarp) bool { return w != nil }):
		return trace.StallEmpty, -1
	}
	class, line = trace.StallLong, -1
	for _, x := range f.flights {
		if !x.long {
			class = trace.StallShort
		}
	}
	if len(f.flights) > 0 && f.flights[0].pc >= 0 {
		x := f.flights[0]
		line = f.c.sm.m.code.blocks[x.block].instrs[x.pc].line
	}
	return class, line
}

// byThread orders what waits at a barrier by its threads.
func byThread(a, b *warpSplit) int {
	return cmp.Or(cmp.Compare(a.warp.number, b.warp.number), cmp.Compare(a.lanes.first(), b.lanes.first()))
}
