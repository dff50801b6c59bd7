package simgpu

import (
	"cmp"
	"fmt"
	"slices"
)

// This file is an SM that holds more blocks than it has slots for: which are active, and how they change.

// virtual is the blocks of such an SM.
type virtual struct {
	s        *sm
	slots    []*residentBlock // active; nil: free
	inactive []*residentBlock
	changed  []*residentBlock // active ones of which a warp waits that did not
	wake     int64            // cycle in which a block becomes ready that may come in
	given    []CTA
	looks    []*residentBlock // room for those that a step looks at,
	can      []*residentBlock // and for those that are ready
}

// waiting is what an SM with virtual knows of a resident block.
type waiting struct {
	slot    int         // -1: it is not active
	trace   *blockTrace // of one that has not started
	begin   int64       // cycle in which that may
	ready   int64       // cycle from which one that is not active can go on: its loads are there
	loads   int64       // cycle in which the last of its loads is there
	since   int64       // cycle in which it became active
	issues  int64       // cycle from which its warps issue, of one that a swap has brought in
	parts   []*warpSplit
	queued  int // loads that wait in the SM's queue
	changed bool
}

// add takes a block in that has its registers and shared memory from now on.
func (v *virtual) add(b *residentBlock, t *blockTrace, now, begin int64) {
	b.vt = waiting{slot: -1, trace: t, begin: begin, ready: begin}
	if slot := slices.Index(v.slots, nil); slot >= 0 {
		v.activate(b, slot, now, 0)
		return
	}
	v.inactive = append(v.inactive, b)
	v.soon(begin)
}

// soon lets the SM look at cycle at who comes in.
func (v *virtual) soon(at int64) {
	v.wake = min(v.wake, at)
	v.s.next = min(v.s.next, v.wake)
}

// activate gives a block a slot, from which its warps issue so many cycles later.
func (v *virtual) activate(b *residentBlock, slot int, now int64, cost int) {
	v.slots[slot], b.vt.slot, b.vt.since = b, slot, now
	from := now + 1 + int64(cost)
	if cost > 0 {
		b.vt.issues = from
	}
	if t := b.vt.trace; t != nil {
		b.vt.trace = nil
		v.s.startBlock(b, t, now, max(b.vt.begin, from))
		return
	}
	v.s.count(b.warps, now)
	parts := b.vt.parts
	b.vt.parts = parts[:0]
	for _, st := range parts {
		st.sched = v.scheduler(b, st.warp.number)
		if st.readyAt != never && st.readyAt < from {
			st.readyAt, st.wait = from, st.wait&^longWait
		}
		st.sched.admit(st, now)
		st.sched.next = min(st.sched.next, st.readyAt)
		v.s.next = min(v.s.next, st.sched.next)
	}
}

// scheduler returns the one that a warp of an active block has: that of the slot.
func (v *virtual) scheduler(b *residentBlock, warp int) *scheduler {
	return v.s.schedulers[(b.vt.slot*int(b.warps)+warp)%len(v.s.schedulers)]
}

// freed gives the slot of a block that has ended to the one that has been ready longest.
func (v *virtual) freed(b *residentBlock, now int64) {
	slot := b.vt.slot
	v.slots[slot] = nil
	if ready := v.ready(now); len(ready) > 0 {
		v.take(ready[0])
		v.activate(ready[0], slot, now, v.s.m.swapCycles)
	} else {
		v.sooner(now)
	}
}

// take takes a block from those that are not active.
func (v *virtual) take(b *residentBlock) {
	i := slices.Index(v.inactive, b)
	v.inactive = slices.Delete(v.inactive, i, i+1)
}

// ready returns the blocks that can come in, the one that has been ready longest first. It is valid until the next
// call.
func (v *virtual) ready(now int64) []*residentBlock {
	out := v.can[:0]
	for _, b := range v.inactive {
		if b.vt.ready <= now {
			out = append(out, b)
		}
	}
	if len(out) > 1 {
		slices.SortStableFunc(out, func(a, b *residentBlock) int { return cmp.Compare(a.vt.ready, b.vt.ready) })
	}
	v.can = out
	return out
}

// sooner sets the cycle in which the next block becomes ready.
func (v *virtual) sooner(now int64) {
	v.wake = never
	for _, b := range v.inactive {
		if b.vt.ready > now {
			v.soon(b.vt.ready)
		}
	}
}

// waits notes that a warp of b waits for long, or has ended.
func (v *virtual) waits(b *residentBlock) {
	if !b.vt.changed {
		b.vt.changed = true
		v.changed = append(v.changed, b)
	}
}

// step lets blocks come in, in cycle now, when its instructions have issued.
func (v *virtual) step(now int64) {
	if v.wake > now && len(v.changed) == 0 && !v.s.m.guarded {
		return
	}
	look := v.changed
	if v.wake <= now {
		look = v.slots
		for i, b := range v.slots {
			if b != nil {
				continue
			}
			if ready := v.ready(now); len(ready) > 0 {
				v.take(ready[0])
				v.activate(ready[0], i, now, v.s.m.swapCycles)
			}
		}
		v.sooner(now)
	}
	v.looks = append(v.looks[:0], look...)
	for _, b := range v.looks {
		if b == nil {
			continue
		}
		b.vt.changed = false
		if b.vt.slot < 0 || b.live == 0 || len(v.inactive) == 0 || !v.s.stalled(b, now) || v.s.loads != nil && !v.s.loads.leaves(b) {
			continue
		}
		if ready := v.ready(now); len(ready) > 0 {
			v.swap(b, ready, now)
		}
	}
	v.changed = v.changed[:0]
	if v.s.m.guarded {
		v.watch(now)
	}
}

// watch looks whether each resident block is in a slot of its own or not active, and as many are resident as may be.
func (v *virtual) watch(now int64) {
	resident, right := len(v.inactive), true
	for i, b := range v.slots {
		if b != nil {
			resident++
			right = right && b.vt.slot == i && b.live > 0
		}
	}
	for _, b := range v.inactive {
		right = right && b.vt.slot < 0 && b.live > 0
	}
	if m := v.s.m; !right || resident != len(v.s.blocks) || resident > m.resident {
		m.blame(ctaKind, m.names.ctas, now, nil, &PolicyError{What: fmt.Sprintf("has %d blocks in slots and beside them, of %d", resident, len(v.s.blocks))})
	}
}

// swap gives the slot of a block to one of those that are ready, as the policy says.
func (v *virtual) swap(out *residentBlock, ready []*residentBlock, now int64) {
	m := v.s.m
	v.given = v.given[:0]
	for _, b := range ready {
		v.given = append(v.given, CTA{b.cta, b.live, b.vt.ready, b.vt.trace == nil})
	}
	m.asks = question{what: "was asked for the block that comes in", kind: ctaKind}
	i := m.policies.ctas.Swap(now, CTA{out.cta, out.live, out.vt.since, true}, v.given)
	m.asks = question{}
	if i < -1 || i >= len(ready) {
		m.blame(ctaKind, m.names.ctas, now, nil, &PolicyError{What: fmt.Sprintf("chose number %d of %d blocks that are ready", i, len(ready))})
		return
	}
	if i < 0 {
		return
	}
	slot := out.vt.slot
	for _, c := range v.s.schedulers {
		c.account(now)
		out.vt.parts = c.removeBlock(out, out.vt.parts)
	}
	v.s.count(-out.warps, now)
	out.vt.slot, out.vt.ready = -1, max(now, out.vt.loads)
	if v.s.loads != nil && out.vt.queued > 0 {
		out.vt.ready = never // until they are served
		v.s.loads.demote(out)
	}
	v.take(ready[i])
	v.inactive = append(v.inactive, out)
	v.soon(max(out.vt.ready, now+1))
	m.swapped()
	v.activate(ready[i], slot, now, m.swapCycles)
}
