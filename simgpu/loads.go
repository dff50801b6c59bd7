package simgpu

import (
	"fmt"
	"slices"
)

// This file is the queue of loads before L1, where a machine has a LoadOrder: when a load is served is not known when
// it issues, so what waits for its value waits for the load.

// loadQueue is an SM's.
type loadQueue struct {
	s       *sm
	room    LoadQueue
	waiting []*waitingLoad // the oldest first
	table   []mshr
	wake    int64 // cycle in which the next of them may be served
	number  int64 // of the next that waits
	joints  []*joint
	given   []WaitingLoad
	refused int  // how often the policy has served none of those that fit
	stands  bool // it has: until a line is there, or another load
}

// waitingLoad is a load that has not been served, or not all of its lines.
type waitingLoad struct {
	warp   *replayWarp
	value  int64 // the time of its result until that is known
	since  int64
	in     *instr
	list   []transaction
	done   int64 // cycle in which the last sector of lines that were served is there
	active bool
}

// mshr is a line of which a miss is in flight.
type mshr struct {
	line  uint64
	ready int64
}

// joint is a value that takes the later of several loads.
type joint struct {
	warp  *replayWarp
	value int64
	of    [2]int64 // of those that are not known
}

// Times from unknownTime on are not known yet: each is the number of a load, or of a joint.
const unknownTime = int64(1) << 60

func newLoadQueue(s *sm) *loadQueue {
	q := &loadQueue{s: s, room: s.m.policies.loads.Queue(), wake: never, number: unknownTime}
	q.room.Active = max(q.room.Active, 1)
	return q
}

// full reports whether the pipeline of memory takes no access in cycle now, since loads wait.
func (s *sm) full() bool {
	return s.loads != nil && len(s.loads.waiting) >= s.loads.room.Active && s.loads.active() >= s.loads.room.Active
}

func (q *loadQueue) active() (n int) {
	for _, w := range q.waiting {
		if w.active || q.room.Inactive == 0 {
			n++
		}
	}
	return n
}

// load issues a load in cycle now: it is served at once where nothing waits and there is room, and waits else. It
// returns when its value is there, or the time that stands for that.
func (q *loadQueue) load(st *warpSplit, in *instr, now int64) int64 {
	w := &waitingLoad{warp: st.warp, since: now, in: in, done: now, active: true}
	w.list = q.s.coalesce(st, in)
	lines := int64(len(w.list))
	if len(q.waiting) == 0 {
		q.s.late = 0
		n := q.serve(w, now)
		lines = q.s.replayed(q.s.lookup(st, in, now, lines), lines)
		switch {
		case q.room.MSHRs == 0:
			q.s.occupy(now, lines, w.done)
			return w.done
		case n == len(w.list):
			q.s.memFree = now + lines
			return w.done
		}
		q.s.memFree = now + q.taken(now, max(1, n))
		w.list = w.list[n:]
	} else {
		q.s.memFree = now + 1
	}
	w.list = slices.Clone(w.list) // it is the machine's
	w.value = q.number
	q.number++
	q.waiting = append(q.waiting, w)
	q.s.m.queued()
	st.warp.block.vt.queued++
	st.warp.queued++
	q.stands = false
	q.soon(now)
	return w.value
}

// serve looks up lines of w from cycle now on, as many as find room, and returns their number.
func (q *loadQueue) serve(w *waitingLoad, now int64) (n int) {
	s := q.s
	for _, t := range w.list {
		at := s.turn(t.line, now, int64(n))
		if q.room.MSHRs > 0 && !q.fits(w, t, q.free(at)) {
			break
		}
		done, arrives := s.fetch(w.warp.block, w.in, t, at)
		if w.done = max(w.done, done); arrives > 0 && q.room.MSHRs > 0 {
			q.enter(t.line, arrives, at)
		}
		n++
	}
	return n
}

// taken is the cycles for which the pipeline is taken by n lines that were served from cycle now on.
func (q *loadQueue) taken(now int64, n int) int64 {
	if q.s.m.preset.L1Banks != 0 {
		return q.s.banked(now)
	}
	return int64(n)
}

// fits reports whether a line of a load can be looked up where there is room for so many misses more. A line that is on
// its way is one of L1's.
func (q *loadQueue) fits(w *waitingLoad, t transaction, room int) bool {
	if room > 0 {
		return true
	}
	l := q.s.l1.peek(t.line)
	return !w.in.bypass && l != nil && l.valid&t.sectors == t.sectors
}

// free returns for how many misses more there is room in cycle at.
func (q *loadQueue) free(at int64) int {
	n := q.room.MSHRs
	for i := range q.table {
		if q.table[i].ready > at {
			n--
		}
	}
	return n
}

// enter notes that a miss of a line is in flight until cycle ready.
func (q *loadQueue) enter(line uint64, ready, at int64) {
	free := -1
	for i, m := range q.table {
		switch {
		case m.ready <= at:
			free = i
		case m.line == line:
			q.table[i].ready = max(m.ready, ready)
			return
		}
	}
	if free < 0 {
		q.table = append(q.table, mshr{})
		free = len(q.table) - 1
	}
	q.table[free] = mshr{line, ready}
}

// soon finds out when the next of the loads that wait may be served, after cycle now.
func (q *loadQueue) soon(now int64) {
	q.wake = never
	if len(q.waiting) == 0 {
		return
	}
	room := q.free(now + 1)
	if !q.stands && slices.ContainsFunc(q.waiting, func(w *waitingLoad) bool { return q.fits(w, w.list[0], room) }) {
		q.wake = max(now+1, q.s.memFree)
	} else {
		for _, m := range q.table {
			if m.ready > now {
				q.wake = min(q.wake, m.ready)
			}
		}
		if q.wake == never {
			q.wake = now + 1
		}
	}
	q.s.next = min(q.s.next, q.wake)
}

// step serves a load of those that wait, in cycle now, before schedulers issue.
func (q *loadQueue) step(now int64) {
	q.given, q.stands = q.given[:0], false
	any, room := false, q.free(now)
	for _, w := range q.waiting {
		k := WaitingLoad{Block: w.warp.block.cta, Warp: w.warp.number, Since: w.since, Lines: len(w.list), Active: w.active, Fits: q.fits(w, w.list[0], room)}
		any = any || k.Fits
		q.given = append(q.given, k)
	}
	if !any {
		q.soon(now)
		return
	}
	m := q.s.m
	m.asks = question{what: "was asked for the load that is served next", kind: loadKind}
	i := m.policies.loads.Next(now, q.given)
	m.asks = question{}
	if i < -1 || i >= len(q.waiting) {
		m.blame(loadKind, m.names.loads, now, q.list(), &PolicyError{What: fmt.Sprintf("chose number %d of %d loads that wait", i, len(q.waiting))})
		return
	}
	if i < 0 || !q.fits(q.waiting[i], q.waiting[i].list[0], room) {
		if q.refused++; q.refused == patience {
			m.blame(loadKind, m.names.loads, now, q.list(), &PolicyError{What: fmt.Sprintf("has served nothing when it was asked %d times with loads that fit", patience)})
			return
		}
		q.stands = true
		q.soon(now)
		return
	}
	q.refused = 0
	w := q.waiting[i]
	n := q.serve(w, now)
	q.s.memFree = now + q.taken(now, n)
	if w.list = w.list[n:]; len(w.list) == 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
		q.back(w, now)
	}
	for _, c := range q.s.schedulers { // the pipeline may take accesses again
		c.next = min(c.next, now)
	}
	q.soon(now)
}

// back lets the warp of a load know when its value is there.
func (q *loadQueue) back(w *waitingLoad, now int64) {
	m, b := q.s.m, w.warp.block
	m.waited(now - w.since)
	if m.countLoads {
		w.warp.loads = append(w.warp.loads, w.done)
	}
	w.warp.queued--
	b.vt.queued--
	b.vt.loads = max(b.vt.loads, w.done)
	q.known(w.warp, w.value, w.done+m.frontEnd, now)
	if v := q.s.virtual; v != nil && b.vt.queued == 0 && b.vt.slot < 0 && b.vt.ready == never {
		b.vt.ready = max(now, b.vt.loads)
		v.soon(max(b.vt.ready, now+1))
	}
}

// known puts a time in the place of what has stood for it, wherever the warp has that.
func (q *loadQueue) known(w *replayWarp, value, at, now int64) {
	for _, c := range q.s.schedulers {
		for _, st := range c.splits {
			if st.warp == w {
				q.update(st, value, at, now)
			}
		}
	}
	for _, st := range w.block.vt.parts {
		if st.warp == w {
			q.update(st, value, at, now)
		}
	}
	for i := 0; i < len(q.joints); i++ {
		j := q.joints[i]
		if j.warp != w {
			continue
		}
		for k := range j.of {
			if j.of[k] == value {
				j.of[k] = at
			}
		}
		if later := max(j.of[0], j.of[1]); later < unknownTime {
			q.joints = slices.Delete(q.joints, i, i+1)
			q.known(w, j.value, later, now)
			i = -1 // it may have been another's
		}
	}
}

func (q *loadQueue) update(st *warpSplit, value, at, now int64) {
	is, was := 2*at+1, 2*value+1
	for i, t := range st.ready {
		if t == was {
			st.ready[i] = is
		}
	}
	if st.last == was {
		st.last = is
	}
	if st.readyAt < unknownTime || st.readyAt == never {
		return
	}
	if st.warp.block.vt.slot < 0 {
		st.readyAt, st.long = q.s.operands(st)
		return
	}
	st.sched.account(now)
	q.s.begin(st, st.from)
}

// later returns the later of two times of a warp's values that are not known, as scoreboards have them.
func (q *loadQueue) later(w *replayWarp, a, b int64) int64 {
	if a == b {
		return a
	}
	j := &joint{warp: w, value: q.number, of: [2]int64{a / 2, b / 2}}
	q.number++
	q.joints = append(q.joints, j)
	return 2*j.value + 1
}

// leaves reports whether there is room for the loads of a block that loses its slots.
func (q *loadQueue) leaves(b *residentBlock) bool {
	if q.room.Inactive == 0 || b.vt.queued == 0 {
		return true
	}
	n := b.vt.queued
	for _, w := range q.waiting {
		if !w.active {
			n++
		}
	}
	return n <= q.room.Inactive
}

// demote notes that a block has lost its slots.
func (q *loadQueue) demote(b *residentBlock) {
	for _, w := range q.waiting {
		if w.warp.block == b {
			w.active = false
		}
	}
}

// list says what waits, for errors.
func (q *loadQueue) list() (list []string) {
	for i, w := range q.waiting {
		if i == mostCandidates {
			return append(list, fmt.Sprintf("and %d more", len(q.waiting)-i))
		}
		fits := "finds no room"
		if q.given[i].Fits {
			fits = "fits"
		}
		list = append(list, fmt.Sprintf("number %d, warp %d of block %d, %d lines since cycle %d: %s", i, w.warp.number, w.warp.block.cta, len(w.list), w.since, fits))
	}
	return list
}
