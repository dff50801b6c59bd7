package simgpu

import (
	"cmp"
	"fmt"
	"slices"
)

// CoIssue is a policy of what a scheduler issues beside its first choice, in the same cycle.
type CoIssue interface {
	Name() string
	// Second returns an index into c, of what issues beside c[first], or -1 for nothing. Those are Ready that fit: that
	// could issue now, and go to a unit that the first leaves free or need other lanes of its unit than the first. Two
	// do not go to memory at once. c holds the oldest first, and under SBI the higher places of warps after all others;
	// it may not be kept.
	Second(now int64, first int, c []Cand) int
}

// SWI is simultaneous warp interweaving (Brunie, Collange and Diamos, ISCA 2012): an instruction of another warp issues
// beside the scheduler's choice, the one that fits with most lanes, the oldest of several. It stands on TF or PDOM;
// [WithLanes] sets in which lanes threads are, so that warps that part in the same way leave different lanes free.
//
// Which instruction fits is known in the cycle of the first choice here; in the paper's machine it is a stage later,
// and now and then the next first choice is one that has just issued, and is dropped. The two stages that an
// instruction takes more are counted, but on machines where a warp's next waits for the one before.
type SWI struct {
	// Sets is the number of sets, a power of two, in which warps are by the low bits of their numbers; the second is
	// looked for in the neighbour of the first one's set. 0 and 1: among all.
	Sets int
}

// Name returns "swi", with its sets where there are several.
func (s SWI) Name() string {
	if s.Sets > 1 {
		return fmt.Sprintf("swi of %d sets", s.Sets)
	}
	return "swi"
}

// Second returns the candidate with most threads.
func (s SWI) Second(_ int64, first int, c []Cand) int {
	best := -1
	for i := range c {
		k := &c[i]
		if !k.Ready || best >= 0 && k.Width <= c[best].Width {
			continue
		}
		if own := k.Warp == c[first].Warp; own && k.Split != c[first].Split || !own && (s.Sets <= 1 || k.Warp%s.Sets == c[first].Warp%s.Sets^1) {
			best = i
		}
	}
	return best
}

// issuePair issues st, at a place of c's list, and beside it what the policies choose.
func (c *scheduler) issuePair(st *warpSplit, place int, now int64) {
	other := c.second(place, now)
	beside, h, g := 0, st.warp.contexts, (*contexts)(nil)
	if h != nil {
		h.busy = true
	}
	if other != nil {
		beside = other.lanes.Count()
		if g = other.warp.contexts; g != nil {
			g.busy = true
		}
	}
	if w := c.sm.m.window; w != nil {
		w.slot(c, st, other, now)
	}
	port := st.port
	c.issues(now, st.lanes.Count(), beside)
	c.sm.issue(st, now)
	if other != nil {
		c.issueBeside(other, port, c.unitFree[port], now)
	}
	if h != nil {
		h.busy = false
		h.settle(now)
	}
	if g != nil && g != h {
		g.busy = false
		g.settle(now)
	}
}

// second returns what issues in cycle now beside the warp split at a place of c's list, or nil.
func (c *scheduler) second(place int, now int64) *warpSplit {
	m, lead := c.sm.m, c.splits[place]
	if m.policies.co == nil { // SBI alone
		if own := lead.warp.contexts.secondary(); own != nil && own.readyAt <= now && c.fits(own, c.roomBeside(lead, now), now) {
			return own
		}
		return nil
	}
	c.beside, c.mates = c.beside[:0], c.mates[:0]
	room, first, any := c.roomBeside(lead, now), 0, false
	add := func(st *warpSplit, split int) {
		ready := st != lead && c.fits(st, room, now)
		any = any || ready
		if st == lead {
			first = len(c.beside)
		} else if !ready && !m.guarded {
			return
		}
		n := len(c.beside)
		c.mates, c.beside = append(c.mates, st), slices.Grow(c.beside, 1)[:n+1]
		k := &c.beside[n] // whose other fields nobody sets
		k.Lanes, k.Since, k.Unit, k.Width, k.Split, k.Warp, k.Ready = c.sm.physical(st), st.readyAt, st.port, st.lanes.Count(), split, st.warp.slot, ready
	}
	for i := range c.seats { // our own policies look at none that does not fit
		if c.seats[i].readyAt <= now || m.guarded {
			add(c.splits[i], 0)
		}
	}
	if lead.warp.contexts != nil { // behind all others, so that places stay
		for _, st := range c.splits {
			if x := st.warp.contexts.secondary(); x != nil && x != st && (x.readyAt <= now || m.guarded) {
				add(x, 1)
			}
		}
	}
	if !any {
		return nil
	}
	i := -1
	if m.guarded { // it may change what it gets
		given := append([]Cand(nil), c.beside...)
		m.asks = question{what: "picks", kind: coKind}
		i = m.policies.co.Second(now, first, given)
		m.asks = question{}
		if i < -1 || i >= len(c.beside) || i >= 0 && !c.beside[i].Ready {
			m.blame(coKind, m.names.co, now, c.list(), &PolicyError{What: fmt.Sprintf("chose number %d of %d, which does not fit beside number %d", i, len(c.beside), place)})
			return nil
		}
	} else {
		i = m.policies.co.Second(now, first, c.beside)
	}
	if i < 0 {
		return nil
	}
	return c.mates[i]
}

// roomBeside is what an instruction leaves free that issues.
type roomBeside struct {
	lead   *warpSplit
	lanes  Mask // that it takes of the hardware
	memory bool // the pipeline of memory takes an access beside it
}

func (c *scheduler) roomBeside(lead *warpSplit, now int64) roomBeside {
	return roomBeside{lead, c.sm.physical(lead), !lead.memory && c.sm.memFree <= now && !c.sm.full()}
}

// fits reports whether st can issue in cycle now in the room beside another.
func (c *scheduler) fits(st *warpSplit, room roomBeside, now int64) bool {
	if st.readyAt > now || st.idle > 0 || st.memory && !room.memory {
		return false
	}
	if st.warp == room.lead.warp && st.warp.contexts != nil && st.warp.contexts.partsBoth() {
		return false
	}
	if st.port == room.lead.port {
		return c.sm.physical(st)&room.lanes == 0
	}
	return c.unitFree[st.port] <= now
}

// issueBeside issues st beside lead, which has issued in cycle now.
func (c *scheduler) issueBeside(st *warpSplit, port Unit, before int64, now int64) {
	c.sm.m.warpInstr(st.lanes.Count())
	own := st.port
	c.sm.issue(st, now)
	if own == port { // they share it as long as the longer takes
		c.unitFree[port] = max(c.unitFree[port], before)
	}
}

// physical returns the lanes of the hardware in which st's threads are.
func (s *sm) physical(st *warpSplit) Mask {
	home := st.warp.home
	if home == nil {
		return st.lanes
	}
	if st.placed != st.lanes {
		st.placed, st.hardware = st.lanes, 0
		for rest := st.lanes; rest != 0; rest &= rest - 1 {
			st.hardware |= 1 << home[rest.first()]
		}
	}
	return st.hardware
}

// number gives a warp that begins the lowest number that is free in the hardware, and its threads their lanes.
func (s *sm) number(w *replayWarp) {
	at := 0
	for at < len(s.numbers) && s.numbers[at] != nil {
		at++
	}
	if at == len(s.numbers) {
		s.numbers = append(s.numbers, nil)
	}
	s.numbers[at], w.slot = w, at
	if s.m.policies.lanes != nil {
		home := s.m.homes(at)
		w.home = &home
	}
}

// combines returns why the policies cannot be used together, or nil.
func (p policies) combines() error {
	if p.wrong != nil {
		return p.wrong
	}
	if p.picker != nil {
		switch p.divergence.(type) {
		case Sharer:
			return fmt.Errorf("simgpu: %s issues in turns, and no policy chooses", nameOf(p.divergence))
		case DWF:
			return fmt.Errorf("simgpu: DWF has a Policy of its own: there is nothing for the picker %s to choose", nameOf(p.picker))
		}
	}
	if d, ok := p.divergence.(DWF); ok {
		if d.Pool < 0 || d.RegFile < LaneAware || d.RegFile > Crossbar {
			return fmt.Errorf("simgpu: DWF with a pool of %d warps and register file %d: the pool is 0 or more, register files are LaneAware, Ported and Crossbar", d.Pool, d.RegFile)
		}
		if d.Heap && d.picker() != Picker(DMaj) {
			return fmt.Errorf("simgpu: DWF with a heap and the policy %s: the heap finds DMaj's PC", nameOf(d.picker()))
		}
		if q, ok := d.Policy.(PoolPolicy); ok && (q < DTime || q > DPdPri) {
			return fmt.Errorf("simgpu: DWF with policy %d: there are DTime, DPC, DMaj, DMin and DPdPri", q)
		}
	}
	if v, ok := p.ctas.(VT); ok && (v.PortBits < 0 || v.StackDepth < 0) {
		return fmt.Errorf("simgpu: VT with a port of %d bits and stacks of %d: both are 1 or more, or 0 for 512 bits and 4", v.PortBits, v.StackDepth)
	}
	if l, ok := p.lanes.(LaneShuffle); ok && (l < Identity || l > Swizzle) {
		return fmt.Errorf("simgpu: lane map %d: there are Identity, MirrorOdd, MirrorHalf, Xor, XorRev and Swizzle", l)
	}
	if err := cmp.Or(p.swaps(), p.queues()); err != nil {
		return err
	}
	if p.co == nil {
		return nil
	}
	if s, ok := p.co.(SWI); ok && (s.Sets < 0 || s.Sets&(s.Sets-1) != 0) {
		return fmt.Errorf("simgpu: SWI with %d sets: the number is a power of two", s.Sets)
	}
	why := ""
	switch p.divergence.(type) {
	case former:
		why = "whose groups are of several warps, so that all lanes are filled when they are formed"
	case Sharer:
		why = "whose groups share each slot already"
	case NREC:
		why = "whose parts of a warp would issue beside each other as if they were warps"
	}
	if why != "" {
		return fmt.Errorf("simgpu: %s issues beside the warps of TF or PDOM, not under %s, %s", nameOf(p.co), nameOf(p.divergence), why)
	}
	return nil
}
