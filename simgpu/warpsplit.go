package simgpu

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// warpSplit is lanes of a warp that issue together: the whole warp, or what a divergence policy made of it.
type warpSplit struct {
	// What each instruction looks at comes first.
	*seat
	sched            *scheduler
	warp             *replayWarp
	ready            []int64 // scoreboard, by value: twice the cycle at which it is there, odd if from global memory
	block            int
	instrs           []instr // of the block
	pc               int     // instruction in the block
	lanes            Mask    // of the warp
	last             int64   // as in ready, of its last instruction
	from             int64   // the cycle from which it can go on, if its operands are there
	done             int32   // how often it has issued
	idle             int32   // instructions under predicates that no lane fulfils, which it issues before the next one
	place            int32   // in its scheduler's list, from 1 on; 0: it is not there
	grid             int32   // the number of its grid
	fetching         bool    // its instruction buffer is empty: it has begun or branched
	split            Split
	value            int      // with Check: the first of the block's values that it has not computed
	own              seat     // of one that is not in the list
	placed, hardware Mask     // lanes, and those of the hardware that they are in
	issuedAt         int64    // with a Picker: cycle in which it issued last
	waits            lineWait // for lines of files
	mixed            *Group   // where it is threads of several warps: lanes are the hardware's then
}

// issue executes the next instruction of st in cycle now.
func (s *sm) issue(st *warpSplit, now int64) {
	in, m := &st.instrs[st.pc], s.m
	st.sched.takes(in, int(st.done), now)
	m.issued(in.line, st.lanes.Count())
	if m.window != nil {
		m.window.executed(st.warp, st.lanes)
	}
	st.done++
	if st.done < in.count {
		st.readyAt, st.wait = now+in.gap, 0
		if in.steps != nil {
			st.port = in.steps[st.done].port
		}
		return
	}
	if m.exec != nil && s.held(st, in, now) {
		return
	}
	if h := st.warp.contexts; h != nil && (in.kind == kindLoad || in.kind == kindStore) {
		h.serve(st, in, now)
	}
	at, long := now+in.time, false
	if in.kind >= kindLoad || in.memory {
		at, long = s.perform(st, in, now)
	}
	s.finishIssue(st, in, now, at, long)
}

// takes occupies the unit that executes instruction number done of the sequence of in from cycle now on.
func (c *scheduler) takes(in *instr, done int, now int64) {
	if in.times && c.unitFree[UnitSpecial] <= now {
		p := c.sm.m.preset
		c.unitFree[UnitSpecial] = now + int64(max(1, p.WarpSize*p.Schedulers/p.Multipliers))
		return
	}
	port, busy := in.unit(done)
	c.unitFree[port] = now + busy
}

// idle issues an instruction of st for none of its lanes. Lines count what some lane executes.
func (s *sm) idle(st *warpSplit, now int64) {
	st.idle--
	s.begin(st, now+1)
}

// held computes the instruction, with Check, and reports whether st must wait at it for other lanes of its warp.
func (s *sm) held(st *warpSplit, in *instr, now int64) bool {
	x := s.m.exec
	if x == nil {
		return false
	}
	if x.now = now; s.m.stats.threadInstrs > x.limit && x.err == nil {
		x.err = x.endless(st)
	}
	if x.reach(st, int(in.value)) {
		return false
	}
	st.stay()
	if h := st.warp.contexts; h != nil {
		h.park(st)
	}
	return true
}

// perform returns the cycle at which the result of in, which st issues in cycle now, is there, and whether it comes
// from global memory.
func (s *sm) perform(st *warpSplit, in *instr, now int64) (at int64, long bool) {
	issued := now
	if in.memory { // it may have to wait in the queue of the memory pipeline
		now = max(now, s.memFree)
	}
	if len(s.m.files) > 0 && in.memory && in.space == kir.Global {
		s.wait(st, in, now)
		at, long = s.access(st, in, issued, now)
		return max(at, st.waits.end()), long
	}
	return s.access(st, in, issued, now)
}

// access is perform of an instruction that comes to its unit in cycle now.
func (s *sm) access(st *warpSplit, in *instr, issued, now int64) (at int64, long bool) {
	switch in.kind {
	case kindLoad:
		switch in.space {
		case kir.Shared:
			return s.shared(st, in, now), false
		case kir.Const:
			return s.constant(st, in, now), false
		}
		if s.loads != nil {
			return s.loads.load(st, in, now), true
		}
		return s.load(st, in, now), true
	case kindCopy:
		c := &st.warp.copies
		c.open = max(c.open, s.load(st, in, now)+int64(s.m.preset.SharedLatency)/2) // and into shared memory
		return issued + 1, false
	case kindCommit:
		st.warp.copies.commit()
		return issued + 1, false
	case kindWait:
		return max(issued+1, st.warp.copies.wait(in.left)), true
	case kindStore:
		if in.space == kir.Shared {
			return s.shared(st, in, now), false
		}
		s.store(st, in, now)
	case kindAtomic, kindReduce:
		if in.space == kir.Shared {
			return s.sharedAtomic(st, in, now), false
		}
		return s.atomic(st, in, now), true
	}
	return issued + in.time, false
}

// finishIssue lets st, which has issued in, go on.
func (s *sm) finishIssue(st *warpSplit, in *instr, now, at int64, long bool) {
	next := now + 1
	if s.m.files != nil { // who waits for a line polls
		next = max(next, st.waits.end())
	}
	st.fetching = in.kind == kindEnd && s.m.preset.InstructionBuffer
	switch in.kind {
	case kindPlain, kindLoad, kindAtomic:
		if at >= unknownTime { // the load waits
			s.set(st, in.dst, at, long)
			break
		}
		s.set(st, in.dst, at+s.m.frontEnd, long)
		if long && s.virtual != nil {
			b := st.warp.block
			b.vt.loads = max(b.vt.loads, at)
		}
		if long && s.m.countLoads {
			st.warp.loads = append(st.warp.loads, at)
		}
	case kindWait:
		next = max(next, at) + s.m.frontEnd
	case kindFence, kindEnd:
		next = now + in.time + s.m.frontEnd
	case kindBarrier:
		s.arrive(st, now)
		return
	}
	s.advance(st, next, now)
}

// resume lets st go on, for whose operation of a warp the other lanes have come.
func (s *sm) resume(st *warpSplit, now int64) {
	st.sched.account(now)
	in := &s.m.code.blocks[st.block].instrs[st.pc]
	if f := st.sched.forming; f != nil {
		f.goOn(st, now+in.time)
		return
	}
	s.set(st, in.dst, now+in.time, false)
	s.advance(st, now+1, now)
	if h := st.warp.contexts; h != nil {
		h.settle(now)
	}
}

// advance takes st past its instruction: the next can issue at cycle at.
func (s *sm) advance(st *warpSplit, at, now int64) {
	st.pc, st.done = st.pc+1, 0
	if h := st.warp.contexts; h != nil {
		h.advance(st, at, now)
		return
	}
	if st.pc == len(st.instrs) && !s.proceed(st, now) {
		return
	}
	s.begin(st, at)
}

// set notes that the instruction of st that makes value is done at cycle at.
func (s *sm) set(st *warpSplit, value int32, at int64, long bool) {
	at *= 2
	if long {
		at++
	}
	st.last = at
	if value >= 0 { // a check makes none
		st.ready[value] = at
	}
	if h := st.warp.contexts; h != nil {
		h.score.note(h.place(st), value, at)
	}
}

// begin finds out when st, which can go on at cycle at, has the operands of its next instruction.
func (s *sm) begin(st *warpSplit, at int64) {
	st.from = at
	w, sched := st.seat, st.sched
	if st.idle > 0 { // its predicate is known: the warp has gone its way
		*w = seat{readyAt: at, port: NumUnits}
	} else {
		in := &st.instrs[st.pc]
		ready, why := s.operands(st, in)
		if s.m.files != nil && at > s.m.now+1 && at == st.waits.end() {
			why |= longWait
		}
		if st.fetching && ready == at {
			why |= fetchWait
		}
		*w = seat{readyAt: ready, port: in.port, memory: in.memory, times: in.times, wait: why}
	}
	sched.next = min(sched.next, w.readyAt)
	s.next = min(s.next, sched.next)
	if s.virtual != nil && w.wait&longWait != 0 && w.readyAt > s.m.now {
		s.virtual.waits(st.warp.block)
	}
}

// operands returns the cycle from which st, which has begun no part of in, its next instruction, can issue it, and
// whether it waits for global memory.
func (s *sm) operands(st *warpSplit, in *instr) (at int64, why wait) {
	ready := st.from * 2
	for _, d := range in.deps {
		ready = max(ready, st.ready[d])
	}
	if s.inOrder {
		ready = max(ready, st.last)
	}
	return ready / 2, wait(ready & 1)
}

// proceed takes st past the ends of blocks until there is an instruction. It reports false when all lanes have
// returned; then st is gone.
func (s *sm) proceed(st *warpSplit, now int64) bool {
	for {
		arms, gone := s.m.arms(st), Mask(0)
		s.m.ended(st.block, st.lanes, st.warp, len(arms))
		s.pass(st, arms)
		for _, a := range arms {
			if a.Block == Exit {
				gone |= a.Lanes
			} else {
				s.move(st, a.Block)
			}
		}
		st.warp.live &^= gone
		st.warp.grouped &^= st.lanes
		st.lanes = 0
		for _, forked := range st.split.Resolve(arms) {
			s.fork(st, forked, now)
		}
		s.m.group(st)
		st.pc, st.done, st.value = 0, 0, 0
		if s.m.window != nil {
			s.m.window.inspect(st, now)
		}
		if st.lanes == 0 {
			st.sched.account(now)
			st.sched.remove(st)
		}
		if gone != 0 {
			s.m.forget(st.warp)
			if st.warp.live == 0 && s.numbers != nil {
				s.numbers[st.warp.slot] = nil
			}
			s.leave(st, gone, now)
		}
		if st.lanes == 0 {
			s.waitsNoMore(st)
			s.recycle(st)
			return false
		}
		if len(s.m.code.blocks[st.block].instrs) > 0 {
			return true
		}
	}
}

// pass notes what st issues of the sides of a branch to which none of its lanes goes.
func (s *sm) pass(st *warpSplit, arms []Arm) {
	if s.m.shares {
		return
	}
	for _, side := range s.m.code.blocks[st.block].sides {
		if !slices.ContainsFunc(arms, func(a Arm) bool { return a.Block == side }) {
			st.idle += int32(s.m.code.blocks[side].count)
		}
	}
}

// move gives the parameters of the block that st goes to the times of their arguments, all at once.
func (s *sm) move(st *warpSplit, to int) {
	for _, e := range s.m.code.blocks[st.block].to {
		if e.block != to || len(e.moves) == 0 {
			continue
		}
		var times [16]int64
		ts := times[:0]
		for _, mv := range e.moves {
			t := int64(0)
			for _, d := range mv.deps {
				if at := st.ready[d]; min(t, at) >= 2*unknownTime {
					t = s.loads.later(st.warp, t, at)
				} else {
					t = max(t, at)
				}
			}
			ts = append(ts, t)
			if h := st.warp.contexts; h != nil {
				h.score.rename(mv.deps, mv.dst)
			}
		}
		for i, mv := range e.moves {
			st.ready[mv.dst] = ts[i]
		}
		return
	}
}

// fork starts a warp split for a split that a policy parted from st.
func (s *sm) fork(st *warpSplit, split Split, now int64) {
	n := s.warpSplit()
	copy(n.ready, st.ready)
	n.last = st.last
	n.warp, n.sched, n.split, n.fetching, n.grid = st.warp, st.sched, split, st.fetching, st.grid
	s.m.group(n)
	s.waitsFor(n)
	n.sched.admit(n, now)
	if n.lanes == 0 { // the policy was wrong
		return
	}
	if len(s.m.code.blocks[n.block].instrs) > 0 || s.proceed(n, now) {
		s.begin(n, now+int64(s.m.preset.Units[UnitControl].Latency))
	}
}

// arms returns where the lanes of st go from the end of its block, by the trace (or by what they compute, with Check),
// and moves them there. The result is valid until the next call.
func (m *machine) arms(st *warpSplit) []Arm {
	if m.exec != nil {
		return m.exec.leave(st)
	}
	w := st.warp
	out := m.armBuf[:0]
	if m.code.blocks[st.block].returns {
		return append(out, Arm{Exit, st.lanes})
	}
	if w.together >= 0 {
		if next := w.together + 1; st.lanes == w.live && w.step(next).lanes&st.lanes == st.lanes {
			w.together = next
			return append(out, Arm{int(w.step(next).block), st.lanes})
		}
		for i := range w.at {
			w.at[i] = w.together
		}
		w.together = -1
	}
	taken := m.code.blocks[st.block].to[0].block
	same, first := true, int32(-1)
	for rest := st.lanes; rest != 0; {
		lane := rest.first()
		from := w.at[lane]
		next := from + 1
		step := w.step(next)
		passed := Mask(0) // lanes of steps between
		for step.lanes>>uint(lane)&1 == 0 {
			passed |= step.lanes
			next++
			step = w.step(next)
		}
		to, along := int(step.block), Mask(0)
		for more := step.lanes & rest &^ passed; more != 0; more &= more - 1 { // those that were with it take the same step
			if k := more.first(); w.at[k] == from {
				w.at[k] = next
				along |= 1 << uint(k)
			}
		}
		rest &^= along
		if first < 0 {
			first = next
		}
		same = same && next == first
		i := 0
		for i < len(out) && out[i].Block != to {
			i++
		}
		if i == len(out) {
			out = append(out, Arm{Block: to})
		}
		out[i].Lanes |= along
		if to == taken && i > 0 {
			out[0], out[i] = out[i], out[0]
		}
	}
	if same && st.lanes == w.live {
		w.together = first
	}
	return out
}

// stepOf returns the number of the step that a lane is at.
func (w *replayWarp) stepOf(lane int) int32 {
	if w.together >= 0 {
		return w.together
	}
	return w.at[lane]
}

// step returns step number n of the warp's trace, which must have it: threads go on until they return.
func (w *replayWarp) step(n int32) *traceStep {
	if int(n-w.trace.first) >= len(w.trace.steps) {
		w.more(n)
	}
	return &w.trace.steps[n-w.trace.first]
}

// more unpacks the trace to step number n.
func (w *replayWarp) more(n int32) {
	done := n - 1
	if w.together < 0 {
		for rest := w.live; rest != 0; rest &= rest - 1 {
			done = min(done, w.at[rest.first()])
		}
	} else {
		done = min(done, w.together)
	}
	for int(n-w.trace.first) >= len(w.trace.steps) {
		if !w.ways.more(w.number, done) {
			panic(fmt.Sprintf("simgpu: the record of block %d ends before warp %d has returned", w.ways.reader.t.cta, w.number))
		}
	}
}

// shaped returns access number n of the step that st is in, where that has a shape and st all its lanes; else nil.
func (st *warpSplit) shaped(n int32) *traceAccess {
	w := st.warp
	if w.together < 0 {
		return nil
	}
	step := w.step(w.together)
	if step.lanes != st.lanes {
		return nil
	}
	if a := &w.trace.access[step.access+n]; a.shape != nil {
		return a
	}
	return nil
}

// shaped is warpSplit.shaped, and nil with Check.
func (s *sm) shaped(st *warpSplit, n int32) *traceAccess {
	if s.m.exec != nil || st.mixed != nil {
		return nil
	}
	return st.shaped(n)
}

// addresses returns what the lanes of st touch in access number n of the block. It is valid until the next call.
func (s *sm) addresses(st *warpSplit, n int32) access {
	if st.mixed != nil {
		return st.sched.forming.addresses(st, s.addrs[:0])
	}
	if s.m.exec != nil {
		return s.m.exec.addresses(st.lanes, s.addrs[:0])
	}
	return st.warp.addresses(st.lanes, n, s.addrs[:0])
}

// addresses returns what the given lanes touch in access number n of the block that they are in. It may use the room in
// out.
func (w *replayWarp) addresses(lanes Mask, n int32, out []uint64) access {
	of := func(number int32, m Mask, out []uint64) []uint64 {
		step := w.step(number)
		return w.trace.access[step.access+n].addresses(m, step.lanes, w.trace.addrs, out)
	}
	if w.together >= 0 {
		return of(w.together, lanes, out)
	}
	for rest := lanes; rest != 0; {
		number := w.at[rest.first()]
		same := Mask(0)
		for r := rest; r != 0; r &= r - 1 {
			if l := r.first(); w.at[l] == number {
				same |= 1 << uint(l)
			}
		}
		if same == lanes {
			return of(number, same, out)
		}
		// More steps follow: a list of one must not be appended to where it lies in the trace.
		out = append(out, of(number, same, out[len(out):len(out):cap(out)])...)
		rest &^= same
	}
	return out
}
