package simgpu

import "fmt"

// This file watches what policies do: threads are in one group each, at the block that the group is at, and all of them
// come to their end.

// patience is for how many cycles a policy may issue none of the warps that are ready.
const patience = 100_000

// starts returns the lanes of the groups as which lanes of a warp begin.
func (m *machine) starts(lanes Mask) []Mask {
	if !m.shares {
		m.startBuf[0] = lanes
		return m.startBuf[:]
	}
	m.asks = question{what: "was asked for the groups of a warp that begins", lanes: lanes}
	out := m.sharer.Share(lanes)
	m.asks = question{}
	return out
}

// pick asks the issue policy which of the ready warp splits issues in cycle now, and returns its place; -1 for none.
func (c *scheduler) pick(now int64) int {
	m := c.sm.m
	if m.score != nil {
		return c.pickScored(*m.score, now)
	}
	if m.policies.picker != nil {
		return c.pickOf(now)
	}
	if m.looking != nil {
		all := c.candidates()
		if !m.guarded {
			return m.looking.PickAmong(all, c.last)
		}
		m.asks = question{what: "picks", of: c}
		place := m.looking.PickAmong(all, c.last)
		m.asks = question{}
		switch {
		case place < -1 || place >= len(c.splits):
			return c.wrong(now, "chose place %d of %d", place, len(c.splits))
		case place >= 0 && !c.isReady(place):
			return c.wrong(now, "chose place %d, which is not ready", place)
		case place >= 0:
			c.refused = 0
		default:
			if c.refuses() {
				return c.wrong(now, "has issued nothing for %d cycles in which warps were ready", patience)
			}
		}
		return place
	}
	if !m.guarded {
		return c.ready[m.policies.issue.Pick(c.ready, c.last)]
	}
	c.given = append(c.given[:0], c.ready...) // it may change what it gets
	m.asks = question{what: "picks", of: c}
	i := m.policies.issue.Pick(c.given, c.last)
	m.asks = question{}
	if i < 0 || i >= len(c.ready) {
		return c.wrong(now, "chose number %d of %d ready warps", i, len(c.ready))
	}
	return c.ready[i]
}

// refuses notes that the policy issues none of the warps that are ready, and reports whether that was for too long.
// While the pipeline of memory is full a policy may wait for it, as TwoLevel does whose group has loads to issue.
func (c *scheduler) refuses() bool {
	if c.sm.full() {
		return false
	}
	c.refused++
	return c.refused == patience
}

func (c *scheduler) isReady(place int) bool {
	for _, r := range c.ready {
		if r == place {
			return true
		}
	}
	return false
}

// wrong ends the run with what the issue policy did in cycle now.
func (c *scheduler) wrong(now int64, format string, args ...any) int {
	return c.refuse(now, &PolicyError{What: fmt.Sprintf(format, args...)})
}

func (c *scheduler) refuse(now int64, e *PolicyError) int {
	c.sm.m.blame(issueKind, c.sm.m.names.issue, now, c.list(), e)
	return -1
}

// list says what the scheduler has to choose from, for errors.
func (c *scheduler) list() (list []string) {
	if c.forming != nil {
		return c.forming.list()
	}
	for i, st := range c.splits {
		if len(list) == mostCandidates {
			list = append(list, fmt.Sprintf("and %d more", len(c.splits)-i))
			break
		}
		state := "waits for an instruction before it"
		switch {
		case c.isReady(i):
			state = "ready"
		case st.readyAt <= c.sm.m.now:
			state = "waits for its unit"
		case st.wait&longWait != 0:
			state = "waits for memory or at a barrier"
		}
		list = append(list, fmt.Sprintf("place %d, warp %d of block %d, lanes %s: %s", i, st.warp.number, st.warp.block.cta, laneText(st.lanes), state))
	}
	return list
}

// goTo makes st lanes at the beginning of a block; no lanes are nowhere.
func (st *warpSplit) goTo(m *machine, block int, lanes Mask) {
	st.block, st.lanes, st.instrs = block, lanes, nil
	if uint(block) < uint(len(m.code.blocks)) { // a policy that errs may leave a split without lanes to issue
		st.instrs = m.code.blocks[block].instrs
	}
}

// group takes st where its policy says that it goes on: no lanes when all have returned, or when the policy is wrong.
func (m *machine) group(st *warpSplit) {
	if !m.watched {
		block, lanes := st.split.Group()
		st.goTo(m, block, lanes)
		return
	}
	w := st.warp
	w.grouped &^= st.lanes
	block, lanes := st.split.Group()
	switch {
	case m.err != nil:
		lanes = 0
	case lanes&^w.live != 0:
		lanes = m.misgrouped(st, block, lanes, "lanes %s have returned or never were", laneText(lanes&^w.live))
	case lanes&w.grouped != 0:
		lanes = m.misgrouped(st, block, lanes, "lanes %s are in another group of the warp too", laneText(lanes&w.grouped))
	case lanes != 0 && (block < 0 || block >= len(m.code.blocks)):
		lanes = m.misgrouped(st, block, lanes, "the kernel has blocks 0 to %d", len(m.code.blocks)-1)
	}
	for rest := lanes; rest != 0; rest &= rest - 1 {
		if at := m.blockOf(w, rest.first()); at != block {
			lanes = m.misgrouped(st, block, lanes, "lane %d is at block %d", rest.first(), at)
			break
		}
	}
	if lanes == 0 {
		block = 0
	}
	w.grouped |= lanes
	st.goTo(m, block, lanes)
}

func (m *machine) misgrouped(st *warpSplit, block int, lanes Mask, format string, args ...any) Mask {
	m.blameDivergence(fmt.Sprintf("sent lanes %s to block %d: ", laneText(lanes), block)+fmt.Sprintf(format, args...),
		[]string{fmt.Sprintf("warp %d of block %d with lanes %s", st.warp.number, st.warp.block.cta, laneText(st.warp.live))})
	return 0
}

// blockOf returns the basic block that a lane of w, which has not returned, is at or comes to next.
func (m *machine) blockOf(w *replayWarp, lane int) int {
	if m.exec != nil {
		return int(w.block.exec.place[w.first+lane])
	}
	n := w.together
	if n < 0 {
		n = w.at[lane]
	}
	return int(w.step(n).block)
}

// complete returns an error when threads have not come to their end, or not executed what they did in the functional
// pass.
func (m *machine) complete() error {
	if m.done < len(m.blocks) {
		for _, s := range m.sms {
			for _, b := range s.blocks {
				m.blameDivergence(fmt.Sprintf("has left %d threads behind, which no group takes on", b.live), []string{fmt.Sprintf("block %d", b.cta)})
				return m.err
			}
		}
	}
	if m.exec != nil {
		return nil
	}
	want := int64(0)
	for _, b := range m.blocks {
		want += b.threadInstrs
	}
	if got := m.stats.threadInstrs; got != want {
		m.blameDivergence(fmt.Sprintf("made the threads execute %d instructions, which are %d", got, want), nil)
	}
	return m.err
}
