package simgpu

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// This file is where the lanes of a warp are under SBI: in two hot contexts, which issue, and in cold ones in a table.

// contexts is a warp's. What each instruction looks at comes first, as in replayWarp.
type contexts struct {
	hot    [2]*warpSplit // the lower places, the lowest first
	held   bool          // hot[1] waits where ways join
	busy   bool          // what comes in is sorted in when the cycle's instructions have issued
	rule   SBI
	warp   *replayWarp
	sched  *scheduler
	fresh  []*warpSplit // to be sorted in
	score  matrix
	cold   []*warpSplit // the others; the first is the next to come in
	waits  []*warpSplit // at a barrier, or, with Check, at an operation of the warp
	stands *warpSplit   // for the warp in the scheduler's list
	sorted int64        // cycle from which the sorter of the table is free
	parted int64        // cycle in which lanes have parted last
}

// interleave begins a warp with lanes that issue from cycle begin on.
func (s *sm) interleave(rule SBI, w *replayWarp, sch *scheduler, now, begin int64) {
	h := &contexts{rule: rule, warp: w, sched: sch, parted: -1}
	w.contexts = h
	st := s.warpSplit()
	st.warp, st.sched, st.from, st.fetching = w, sch, begin, s.m.preset.InstructionBuffer
	st.goTo(s.m, 0, w.live)
	h.stands = st
	sch.admit(st, now)
	h.fresh = append(h.fresh, st)
	if len(s.m.code.blocks[0].instrs) == 0 {
		h.end(st, now)
	}
	h.settle(now)
}

// before reports whether st is at a lower place than other.
func (st *warpSplit) before(other *warpSplit) bool {
	if st.block != other.block {
		return st.block < other.block
	}
	if st.pc != other.pc {
		return st.pc < other.pc
	}
	return st.done < other.done
}

// advance takes st, which has executed an instruction or been let go on, to its next, from cycle at on.
func (h *contexts) advance(st *warpSplit, at, now int64) {
	if i := slices.Index(h.waits, st); i >= 0 {
		h.waits = slices.Delete(h.waits, i, i+1)
		h.fresh = append(h.fresh, st)
	}
	st.from = at
	if st.pc == len(st.instrs) {
		h.end(st, now)
	}
}

// end takes st past the ends of blocks, to one with an instruction. Lanes that go another way become a context; st has
// none left where all have returned.
func (h *contexts) end(st *warpSplit, now int64) {
	s, w := h.sched.sm, h.warp
	m := s.m
	var going [2]Arm
	n, gone := 0, Mask(0)
	arms := m.arms(st)
	m.ended(st.block, st.lanes, w, len(arms))
	for _, a := range arms {
		if a.Block == Exit {
			gone |= a.Lanes
			continue
		}
		s.move(st, a.Block)
		going[n] = a
		n++
	}
	w.live &^= gone
	st.lanes, st.pc, st.done, st.value = 0, 0, 0, 0
	to := [2]*warpSplit{st}
	if n == 2 {
		to[1] = h.part(st, now)
	}
	for i, a := range going[:n] {
		to[i].goTo(m, a.Block, a.Lanes)
	}
	if gone != 0 {
		m.forget(w)
		if w.live == 0 && s.numbers != nil {
			s.numbers[w.slot] = nil
		}
		s.leave(st, gone, now)
	}
	for _, x := range to[:n] {
		if len(m.code.blocks[x.block].instrs) == 0 {
			h.end(x, now)
		}
	}
}

// part returns a new context at the place of st, without lanes.
func (h *contexts) part(st *warpSplit, now int64) *warpSplit {
	n := h.sched.sm.warpSplit()
	copy(n.ready, st.ready)
	n.warp, n.sched, n.last, n.from = st.warp, st.sched, st.last, st.from
	n.block, n.instrs, n.pc, n.done, n.value, n.fetching = st.block, st.instrs, st.pc, st.done, st.value, st.fetching
	h.fresh, h.parted = append(h.fresh, n), now
	return n
}

// park takes a context out of the places that issue, until it goes on.
func (h *contexts) park(st *warpSplit) {
	st.stay()
	for i := range h.hot {
		if h.hot[i] == st {
			h.hot[i] = nil
		}
	}
	if i := slices.Index(h.fresh, st); i >= 0 {
		h.fresh = slices.Delete(h.fresh, i, i+1)
	}
	if !slices.Contains(h.waits, st) {
		h.waits = append(h.waits, st)
	}
}

// settle sorts what has moved, once the instructions of cycle now have issued: equal places become one, the two lowest
// are hot, and the others go to the table.
func (h *contexts) settle(now int64) {
	if h.busy {
		return
	}
	s := h.sched.sm
	if st := h.hot[0]; st != nil && h.hot[1] == nil && st.lanes != 0 && st.lanes == h.warp.live && len(h.fresh) == 0 { // all are together
		h.score.settle(&[3]Mask{st.lanes}, now)
		h.held = false
		h.begin(0, st)
		h.sched.next = min(h.sched.next, st.readyAt)
		s.next = min(s.next, h.sched.next)
		return
	}
	var room [6]*warpSplit
	sorted := room[:0]
	if h.inOrder() {
		sorted = append(sorted, h.hot[:]...)
	} else {
		sorted = h.sort(sorted, now)
	}
	var masks [3]Mask
	for i, st := range sorted {
		h.hot[i], masks[i] = st, st.lanes
	}
	masks[2] = h.warp.live &^ (masks[0] | masks[1])
	h.score.settle(&masks, now)
	h.stand(now)
	h.held = h.mustWait()
	if s.m.window != nil {
		s.m.window.inspectContexts(h, now)
	}
	if s.m.watched {
		h.watch()
	}
	for i, st := range sorted {
		h.begin(i, st)
	}
	if h.hot[0] != nil {
		h.sched.next = min(h.sched.next, h.hot[0].readyAt)
		s.next = min(s.next, h.sched.next)
	}
}

// inOrder reports whether nothing but the two hot contexts has moved, each within its block, and they are still the
// lowest.
func (h *contexts) inOrder() bool {
	a, b := h.hot[0], h.hot[1]
	return len(h.fresh) == 0 && a != nil && b != nil && a.lanes != 0 && b.lanes != 0 && a.before(b) && (len(h.cold) == 0 || b.before(h.cold[0]))
}

// sort appends the two lowest contexts to list, which has none, and stores the others.
func (h *contexts) sort(sorted []*warpSplit, now int64) []*warpSplit {
	list := h.fresh
	for _, st := range h.hot {
		if st != nil {
			list = append(list, st)
		}
	}
	h.fresh, h.hot = list[:0], [2]*warpSplit{}
	for _, st := range list {
		if st.lanes == 0 {
			h.drop(st, now)
			continue
		}
		sorted = h.insert(sorted, st, now)
	}
	for len(h.cold) > 0 && (len(sorted) < 2 || !sorted[len(sorted)-1].before(h.cold[0])) {
		next := h.cold[0]
		h.cold = append(h.cold[:0], h.cold[1:]...)
		sorted = h.insert(sorted, next, now)
	}
	for len(sorted) > 2 {
		h.store(sorted[len(sorted)-1], now)
		sorted = sorted[:len(sorted)-1]
	}
	return sorted
}

// insert puts st in a sorted list, or adds its lanes to the context that is at its place.
func (h *contexts) insert(list []*warpSplit, st *warpSplit, now int64) []*warpSplit {
	i := 0
	for i < len(list) && list[i].before(st) {
		i++
	}
	if i < len(list) && !st.before(list[i]) {
		h.meet(list[i], st, now)
		return list
	}
	return slices.Insert(list, i, st)
}

// meet adds the lanes of from to st, which is at the same place.
func (h *contexts) meet(st, from *warpSplit, now int64) {
	for i, at := range from.ready {
		st.ready[i] = max(st.ready[i], at)
	}
	st.lanes |= from.lanes
	st.last, st.from = max(st.last, from.last), max(st.from, from.from)
	if st.done > 0 {
		st.readyAt = max(st.readyAt, from.readyAt)
	}
	h.drop(from, now)
}

// drop gives up a context without lanes of its own.
func (h *contexts) drop(st *warpSplit, now int64) {
	if h.stands == st {
		h.stand(now)
	}
	h.sched.sm.recycle(st)
}

// store puts a context in the table: the sorter takes a cycle for each that stands before it. While it sorts another,
// the context comes first: then it comes in too early, and lanes meet later.
func (h *contexts) store(st *warpSplit, now int64) {
	if now < h.sorted {
		h.cold = slices.Insert(h.cold, 0, st)
		return
	}
	i := 0
	for i < len(h.cold) && h.cold[i].before(st) {
		i++
	}
	h.sorted = now + int64(min(i+1, mostSorting))
	h.cold = slices.Insert(h.cold, i, st)
}

// stand lets a context stand for the warp in the scheduler's list: the lowest that issues, or one that waits.
func (h *contexts) stand(now int64) {
	want := h.hot[0]
	if want == nil && len(h.waits) > 0 {
		want = h.waits[0]
	}
	if want == h.stands || want == nil && h.warp.live != 0 { // it is being sorted
		return
	}
	c := h.sched
	c.account(now)
	if want == nil {
		c.remove(h.stands)
	} else {
		c.replace(h.stands, want)
	}
	h.stands = want
}

// mustWait reports whether hot[1] is where ways join and hot[0] between the branch and there.
func (h *contexts) mustWait() bool {
	first, second := h.hot[0], h.hot[1]
	if !h.rule.Constraints || second == nil || second.pc > 0 || second.done > 0 {
		return false
	}
	divides := h.sched.sm.m.code.sync[second.block]
	return divides >= 0 && first.block > divides && first.block < second.block
}

// begin finds out when a hot context can issue.
func (h *contexts) begin(place int, st *warpSplit) {
	m := h.sched.sm.m
	in := &st.instrs[st.pc]
	st.port, _ = in.unit(int(st.done))
	st.memory, st.times = in.memory, in.times
	if st.done > 0 {
		return
	}
	ready := h.score.until(place, in.deps, st.from*2)
	for _, d := range in.deps {
		ready = max(ready, st.ready[d])
	}
	if m.preset.InOrder {
		ready = max(ready, st.last)
	}
	st.readyAt, st.wait = ready/2, wait(ready&1)
	if st.fetching && st.readyAt == st.from {
		st.wait |= fetchWait
	}
	if in.dst >= 0 {
		st.readyAt = h.score.free(st.readyAt)
	}
}

// watch looks whether each thread that lives is in one context, and whether the scoreboard holds back a context
// wherever one of its own threads has a result to wait for.
func (h *contexts) watch() {
	m, all := h.sched.sm.m, Mask(0)
	for _, list := range [][]*warpSplit{h.hot[:], h.cold, h.waits} {
		for _, st := range list {
			if st == nil {
				continue
			}
			if st.lanes == 0 || st.lanes&all != 0 {
				m.blameDivergence("has lanes in two contexts, or none in one", []string{laneText(st.lanes)})
			}
			all |= st.lanes
		}
	}
	if all != h.warp.live {
		m.blameDivergence("has lost lanes", []string{laneText(h.warp.live &^ all)})
	}
	for i, st := range h.hot {
		if st == nil || st.done > 0 {
			continue
		}
		for _, d := range m.code.blocks[st.block].instrs[st.pc].deps {
			if at := st.ready[d]; at/2 > m.now && h.score.until(i, []int32{d}, 0) < at {
				m.blameDivergence("does not hold back what waits for a result", []string{laneText(st.lanes)})
			}
		}
	}
}

// secondary returns what may issue beside the warp's lowest place, or nil.
func (h *contexts) secondary() *warpSplit {
	if h.held || h.hot[1] == nil {
		return nil
	}
	return h.hot[1]
}

// place returns which place a context is at, of those that the scoreboard knows.
func (h *contexts) place(st *warpSplit) int {
	for i, x := range h.hot {
		if x == st {
			return i
		}
	}
	return 2
}

// partsBoth reports whether the lanes of both hot contexts would part at their next instructions, which a cycle does
// not allow.
func (h *contexts) partsBoth() bool {
	m := h.sched.sm.m
	return m.willPart(h.hot[0]) && m.willPart(h.hot[1])
}

// willPart reports whether lanes of st go different ways after its next instruction.
func (m *machine) willPart(st *warpSplit) bool {
	b := &m.code.blocks[st.block]
	if !b.forks || st.pc < len(b.instrs)-1 || st.done < b.instrs[st.pc].count-1 {
		return false
	}
	if m.exec != nil {
		return m.exec.willPart(st)
	}
	to := -1
	for rest := st.lanes; rest != 0; rest &= rest - 1 {
		l := rest.first()
		n := st.warp.stepOf(l) + 1
		for st.warp.step(n).lanes>>uint(l)&1 == 0 {
			n++
		}
		next := int(st.warp.step(n).block)
		if to >= 0 && next != to {
			return true
		}
		to = next
	}
	return false
}

// willPart reports whether the branch at which st is sends its lanes different ways. It executes what stands before
// the branch and takes no time.
func (x *exec) willPart(st *warpSplit) bool {
	blk := x.f.Blocks[st.block]
	x.reach(st, len(blk.Values)-1)
	b, first := st.warp.block.exec, st.warp.first
	cond := b.regs[blk.Term.Cond.ID]
	for rest := st.lanes; rest != 0; rest &= rest - 1 {
		if (cond[first+rest.first()] == 0) != (cond[first+st.lanes.first()] == 0) {
			return true
		}
	}
	return false
}

// serve lets the lanes of st whose words lie in the first line of its access go on alone, while the others come to it
// again in the next cycle. With Check, where all have executed it, they stay together.
func (h *contexts) serve(st *warpSplit, in *instr, now int64) {
	if h.rule.WholeAccesses || h.parted == now || len(h.cold) >= mostCold || in.count > 1 || in.space != kir.Global || h.sched.sm.m.exec != nil {
		return
	}
	s := h.sched.sm
	if a := s.shaped(st, in.access); a != nil && (a.base+uint64(a.shape.lo))/lineBytes == (a.base+uint64(a.shape.hi))/lineBytes {
		return
	}
	list := s.addresses(st, in.access)
	served, i := Mask(0), 0
	for rest := st.lanes; rest != 0; rest &= rest - 1 {
		if list[i]/lineBytes == list[0]/lineBytes {
			served |= rest & -rest
		}
		i++
	}
	if served == st.lanes {
		return
	}
	others := h.part(st, now)
	others.lanes, others.done, others.from = st.lanes&^served, 0, now+1
	st.lanes = served
	s.m.postponed(in.line, others.lanes.Count()) // they execute it when they come again
}
