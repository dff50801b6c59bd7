package simgpu

import (
	"fmt"
	"slices"
)

// This file is schedulers under a Picker where warps stay warps: what it sees of them.

// Wait is why a group does not issue.
type Wait uint8

// The reasons.
const (
	WaitsNot   Wait = iota // it is ready
	WaitsUnit              // for its unit
	WaitsShort             // for an earlier result
	WaitsLong              // for global memory, or at a barrier
)

// String says it in words.
func (w Wait) String() string {
	return [...]string{"ready", "waits for its unit", "waits for an earlier result", "waits for memory or at a barrier"}[w]
}

// Named is a policy of any kind.
type Named interface {
	Name() string // for reports and errors
}

// setPicker makes p the policy of which group issues: a Picker, or an IssuePolicy.
func (q *policies) setPicker(p Named) {
	switch p := p.(type) {
	case Picker:
		q.picker = p
	case IssuePolicy:
		q.issue, q.picker = p, nil
	default:
		q.wrong = fmt.Errorf("simgpu: WithPicker of a %T: it is a Picker, with Pick(now int64, c []simgpu.Cand, e *simgpu.Env) int, or an IssuePolicy, with Pick(ready []int, last int) int", p)
	}
}

// picking is what a scheduler keeps for a Picker.
type picking struct {
	env   Env
	cands []Cand
	call  *pickerCall
}

// pickOf asks the Picker which of the scheduler's warp splits issues in cycle now, and returns its place; -1 for none.
// The candidates are written anew for each question, field by field in their places, as they are asked for in every
// cycle and the Picker may have changed what it got.
func (c *scheduler) pickOf(now int64) int {
	m := c.sm.m
	if c.picking == nil {
		c.picking = &picking{call: newPickerCall(m.policies.picker)}
	}
	p := c.picking
	p.cands = slices.Grow(p.cands[:0], len(c.splits))[:len(c.splits)]
	ready := c.ready // in the order of places
	for i, st := range c.splits {
		k := &p.cands[i]
		w := &c.seats[i]
		k.PC, k.Lanes, k.Age, k.Since = m.pcs.number(st), st.lanes, int64(i), w.readyAt
		if k.Threads != nil {
			k.Threads = nil
		}
		k.Ready, k.Wait = false, WaitsShort
		switch {
		case len(ready) > 0 && ready[0] == i:
			k.Ready, k.Wait, ready = true, WaitsNot, ready[1:]
		case w.readyAt <= now:
			k.Wait = WaitsUnit
		case w.wait&longWait != 0:
			k.Wait = WaitsLong
		}
		k.Unit, k.Width, k.Split, k.Passed = w.port, st.lanes.Count(), 0, 0
		k.Warp, k.Block, k.LoadsInFlight, k.LastIssue = st.warp.slot, st.warp.block.cta, st.warp.inFlight(now), st.issuedAt
		m.atPC[k.PC] += int32(k.Width)
	}
	for i := range p.cands {
		p.cands[i].AtPC = int(m.atPC[p.cands[i].PC])
	}
	for i := range p.cands {
		m.atPC[p.cands[i].PC] = 0
	}
	p.env.Last = c.last
	m.asks = question{what: "picks", of: c}
	i := p.call.pick(now, p.cands, &p.env)
	m.asks = question{}
	switch {
	case i < -1 || i >= len(p.cands):
		return c.wrong(now, "chose number %d of %d warps", i, len(p.cands))
	case i >= 0 && !c.isReady(i):
		return c.wrong(now, "chose number %d, which is not ready", i)
	case i >= 0:
		c.refused = 0
		c.splits[i].issuedAt = now
	default:
		if c.refuses() {
			return c.wrong(now, "has issued nothing for %d cycles in which warps were ready", patience)
		}
	}
	return i
}

// number returns the number of the instruction that st executes next.
func (p *pcs) number(st *warpSplit) int {
	of := p.of[st.block]
	if st.pc >= len(of) { // at a barrier that ends its block
		return int(of[len(of)-1])
	}
	return int(of[st.pc]) + int(st.done)
}

// inFlight returns how many accesses of the warp whose values it waits for are not back.
func (w *replayWarp) inFlight(now int64) int {
	if len(w.loads) == 0 {
		return w.queued
	}
	kept := w.loads[:0]
	for _, at := range w.loads {
		if at > now {
			kept = append(kept, at)
		}
	}
	w.loads = kept
	return len(kept) + w.queued
}
