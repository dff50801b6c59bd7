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
	given   []WaitingLoad  // what the policy sees of each of them
	shown   []WaitingLoad  // a copy of that, for policies that may write to it
	table   mshrs
	away    int         // how many of waiting are of blocks without slots
	led     int         // by how many of those they are led, at least
	oldest  oldestFirst // the policy, where what it chooses is known
	wake    int64       // cycle in which the next of them may be served
	number  int64       // of the next that waits
	joints  []*joint
	refused int      // how often the policy has served none of those that fit
	stands  bool     // it has: until a line is there, or another load
	all     bool     // given says that all fit, else that those do which L1 has
	lines   []uint64 // the first of each of waiting
	firsts  linesByKind
	has     []bool // L1 has it
	some    int    // how many of them it has
	looked  uint64 // the clock of L1 when that was so
	spare   []*waitingLoad
}

// waitingLoad is a load that has not been served, or not all of its lines.
type waitingLoad struct {
	warp  *replayWarp
	value int64 // the time of its result until that is known
	since int64
	in    *instr
	list  []transaction
	room  []transaction // that list begins in
	done  int64         // cycle in which the last sector of lines that were served is there
}

// linesByKind is how many lines of a list there are of each of 512 kinds: where there is none of a line's kind, there
// is no need to look for it in the list, and most lines that are looked up are not there.
type linesByKind [512]uint16

// noLine is a line that no load asks for.
const noLine = ^uint64(0)

func (c *linesByKind) of(line uint64) *uint16 { return &c[(line^line>>9)%uint64(len(c))] }

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
	q.oldest, _ = s.m.policies.loads.(oldestFirst)
	return q
}

// full reports whether the pipeline of memory takes no access in cycle now, since loads wait.
func (s *sm) full() bool {
	return s.loads != nil && len(s.loads.waiting) >= s.loads.room.Active && s.loads.active() >= s.loads.room.Active
}

// active is how many of the loads that wait count against the room of those of active blocks.
func (q *loadQueue) active() int {
	if q.room.Inactive == 0 {
		return len(q.waiting)
	}
	return len(q.waiting) - q.away
}

// load issues a load in cycle now: it is served at once where nothing waits and there is room, and waits else. It
// returns when its value is there, or the time that stands for that.
func (q *loadQueue) load(st *warpSplit, in *instr, now int64) int64 {
	w := &waitingLoad{}
	if n := len(q.spare); n > 0 {
		w, q.spare = q.spare[n-1], q.spare[:n-1]
	}
	*w = waitingLoad{warp: st.warp, since: now, in: in, done: now, room: w.room}
	w.list = q.s.coalesce(st, in)
	q.table.arrived(now)
	lines := int64(len(w.list))
	if len(q.waiting) == 0 {
		q.s.late = 0
		n := q.serve(w, now)
		lines = q.s.replayed(q.s.lookup(st, in, now, lines), lines)
		switch {
		case q.room.MSHRs == 0:
			q.s.occupy(now, lines, w.done)
			q.spare = append(q.spare, w)
			return w.done
		case n == len(w.list):
			q.s.memFree = now + lines
			q.spare = append(q.spare, w)
			return w.done
		}
		q.s.memFree = now + q.taken(now, max(1, n))
		w.list = w.list[n:]
	} else {
		q.s.memFree = now + 1
	}
	w.room = append(w.room[:0], w.list...) // it is the machine's
	w.list = w.room
	w.value = q.number
	q.number++
	q.add(w)
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
		at, clock := s.turn(t.line, now, int64(n)), s.l1.clock
		if q.room.MSHRs > 0 && q.free(at) <= 0 && !q.there(w, t) {
			break
		}
		done, arrives := s.fetch(w.warp.block, w.in, t, at)
		if w.done = max(w.done, done); arrives > 0 && q.room.MSHRs > 0 {
			q.table.enter(t.line, arrives)
		}
		q.looks(t.line, clock)
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

// there reports whether a line of a load can be looked up where there is no room for a miss more: it is one of L1's, as
// lines on their way are.
func (q *loadQueue) there(w *waitingLoad, t transaction) bool {
	if w.in.bypass {
		return false
	}
	l := q.s.l1.peek(t.line)
	return l != nil && l.valid&t.sectors == t.sectors
}

// note finds out whether L1 has the first line of load number i.
func (q *loadQueue) note(i int) {
	q.is(i, q.there(q.waiting[i], q.waiting[i].list[0]))
}

// is notes that L1 has the first line of load number i, or has it not.
func (q *loadQueue) is(i int, there bool) {
	if q.has[i] != there {
		if q.has[i] = there; there {
			q.some++
		} else {
			q.some--
		}
	}
	q.given[i].Fits = q.all || there
}

// add lets a load wait.
func (q *loadQueue) add(w *waitingLoad) {
	q.waiting = append(q.waiting, w)
	q.given = append(q.given, WaitingLoad{Block: w.warp.block.cta, Warp: w.warp.number, Since: w.since, Lines: len(w.list), Active: true})
	q.lines, q.has = append(q.lines, w.list[0].line), append(q.has, false)
	*q.firsts.of(w.list[0].line)++
	q.note(len(q.waiting) - 1)
}

// advance takes the first n lines from load number i, and the load from the queue where they were all; it reports that.
// L1 does not have the next of its lines, or it had been looked up, too.
func (q *loadQueue) advance(i, n int) bool {
	w := q.waiting[i]
	if w.list = w.list[n:]; len(w.list) > 0 {
		q.given[i].Lines, q.lines[i] = len(w.list), w.list[0].line
		*q.firsts.of(q.lines[i])++
		q.is(i, false)
		return false
	}
	if !q.given[i].Active {
		q.away--
	}
	if i < q.led {
		q.led--
	}
	if q.has[i] {
		q.some--
	}
	q.waiting, q.given = slices.Delete(q.waiting, i, i+1), slices.Delete(q.given, i, i+1)
	q.lines, q.has = slices.Delete(q.lines, i, i+1), slices.Delete(q.has, i, i+1)
	return true
}

// any reports whether one of the loads that wait can be served where there is room for so many misses more.
func (q *loadQueue) any(room int) bool {
	if room > 0 {
		return len(q.waiting) > 0
	}
	if q.looked != q.s.l1.clock { // others than loads have changed it
		for i := range q.waiting {
			q.note(i)
		}
		q.looked = q.s.l1.clock
	}
	return q.some > 0
}

// show says in given which of them can.
func (q *loadQueue) show(room int) {
	if all := room > 0; q.all != all {
		q.all = all
		for i, has := range q.has {
			q.given[i].Fits = all || has
		}
	}
}

// looks notes that a line was looked up in L1, which had the clock before.
func (q *loadQueue) looks(line, clock uint64) {
	if q.looked != clock { // any will find out
		return
	}
	q.looked = q.s.l1.clock
	gone := q.s.l1.gone - 1
	if *q.firsts.of(line)+*q.firsts.of(gone) == 0 {
		return
	}
	for i, l := range q.lines {
		if l == line || l == gone && gone != noLine {
			q.note(i)
		}
	}
}

// free returns for how many misses more there is room in cycle at.
func (q *loadQueue) free(at int64) int { return q.room.MSHRs - q.table.after(at) }

// soon finds out when the next of the loads that wait may be served, after cycle now.
func (q *loadQueue) soon(now int64) {
	q.wake = never
	if len(q.waiting) == 0 {
		return
	}
	q.table.arrived(now)
	switch {
	case !q.stands && q.any(q.free(now+1)):
		q.wake = max(now+1, q.s.memFree)
	default:
		if q.wake = q.table.first(); q.wake == never {
			q.wake = now + 1
		}
	}
	q.s.next = min(q.s.next, q.wake)
}

// step serves a load of those that wait, in cycle now, before schedulers issue.
func (q *loadQueue) step(now int64) {
	q.stands = false
	q.table.arrived(now)
	room := q.free(now)
	if !q.any(room) {
		q.soon(now)
		return
	}
	q.show(room)
	m := q.s.m
	i := q.choose(now)
	if i < -1 || i >= len(q.waiting) {
		m.blame(loadKind, m.names.loads, now, q.list(), &PolicyError{What: fmt.Sprintf("chose number %d of %d loads that wait", i, len(q.waiting))})
		return
	}
	if i < 0 || !q.given[i].Fits {
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
	*q.firsts.of(q.lines[i])-- // advance looks at what is left of it
	q.lines[i] = noLine
	n := q.serve(w, now)
	q.s.memFree = now + q.taken(now, n)
	full := q.s.full()
	if q.advance(i, n) {
		q.returns(w, now)
	}
	if full {
		for _, c := range q.s.schedulers { // the pipeline may take accesses again
			c.next = min(c.next, now)
		}
	}
	q.soon(now)
}

// choose asks the policy which load is served next.
func (q *loadQueue) choose(now int64) int {
	m := q.s.m
	if q.oldest != nil && !m.guarded {
		return q.first(q.oldest.activeFirst())
	}
	m.asks = question{what: "was asked for the load that is served next", kind: loadKind}
	given := q.given
	if m.guarded {
		q.shown = append(q.shown[:0], given...)
		given = q.shown
	}
	i := m.policies.loads.Next(now, given)
	m.asks = question{}
	return i
}

// oldestFirst is a LoadOrder that serves the oldest load that fits; if activeFirst is true, of those of blocks with
// slots where there is one. Then it need not look at all that wait for each line that comes back, which took a tenth
// of a replay.
type oldestFirst interface{ activeFirst() bool }

// first is what such a policy chooses.
func (q *loadQueue) first(active bool) int {
	if !active && q.all {
		return 0
	}
	if active && q.all {
		for q.led < len(q.given) && !q.given[q.led].Active { // who has lost its slots gets them when its loads are there
			q.led++
		}
		if q.led < len(q.given) {
			return q.led
		}
		return 0
	}
	other := -1
	for i, has := range q.has {
		switch {
		case !has:
		case !active || q.given[i].Active:
			return i
		case other < 0:
			other = i
		}
	}
	return other
}

// returns lets the warp of a load know when its value is there.
func (q *loadQueue) returns(w *waitingLoad, now int64) {
	m, b := q.s.m, w.warp.block
	m.waited(now - w.since)
	if m.countLoads {
		w.warp.loads = append(w.warp.loads, w.done)
	}
	w.warp.queued--
	b.vt.queued--
	b.vt.loads = max(b.vt.loads, w.done)
	q.known(w.warp, w.value, w.done+m.frontEnd, now)
	if guardAll {
		q.watch(w.value)
	}
	if v := q.s.virtual; v != nil && b.vt.queued == 0 && b.vt.slot < 0 && b.vt.ready == never {
		b.vt.ready = max(now, b.vt.loads)
		v.soon(max(b.vt.ready, now+1))
	}
	q.spare = append(q.spare, w)
}

// watch looks whether what is kept beside the lists is what they say, and whether nobody waits for a value that is
// there: tests walk all that the queue does not.
func (q *loadQueue) watch(value int64) {
	var firsts, flying linesByKind
	for i, w := range q.waiting {
		*firsts.of(w.list[0].line)++
		if q.lines[i] != w.list[0].line || q.looked == q.s.l1.clock && q.has[i] != q.there(w, w.list[0]) {
			panic(fmt.Sprintf("simgpu: load %d of the queue has another first line than it says", i))
		}
	}
	for i := range q.table.lists {
		for _, m := range q.table.lists[i].away() {
			*flying.of(m.line)++
		}
	}
	if firsts != q.firsts || flying != q.table.kinds {
		panic("simgpu: the queue of loads counts other lines than it has")
	}
	all := []*warpSplit{}
	for _, c := range q.s.schedulers {
		all = append(all, c.splits...)
	}
	for _, b := range q.s.blocks {
		all = append(all, b.vt.parts...)
	}
	for _, st := range all {
		if slices.Contains(st.ready, 2*value+1) || st.last == 2*value+1 || !slices.Contains(st.warp.splits, st) {
			panic(fmt.Sprintf("simgpu: warp %d of block %d waits for a load that has come", st.warp.number, st.warp.block.cta))
		}
	}
}

// waitsFor notes a split that has, from now on, what loads of its warp return: others need not be looked at.
func (s *sm) waitsFor(st *warpSplit) {
	if s.loads != nil {
		st.warp.splits = append(st.warp.splits, st)
	}
}

// waitsNoMore forgets a split whose lanes have gone elsewhere.
func (s *sm) waitsNoMore(st *warpSplit) {
	if s.loads != nil {
		i := slices.Index(st.warp.splits, st)
		st.warp.splits = slices.Delete(st.warp.splits, i, i+1)
	}
}

// known puts a time in the place of what has stood for it, wherever the warp has that.
func (q *loadQueue) known(w *replayWarp, value, at, now int64) {
	for _, st := range w.splits {
		q.update(st, value, at, now)
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
		at, why := q.s.operands(st, &st.instrs[st.pc])
		st.readyAt, st.wait = at, why|st.wait&fetchWait
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
	return b.vt.queued+q.away <= q.room.Inactive
}

// demote notes that a block has lost its slots.
func (q *loadQueue) demote(b *residentBlock) {
	for i, w := range q.waiting {
		if w.warp.block == b && q.given[i].Active {
			q.given[i].Active = false
			q.away++
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
