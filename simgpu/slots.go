package simgpu

// This file is what a scheduler issues in a cycle under a Sharer: as many groups as find lanes, in place of one that
// its issue policy chooses.

// shared is a scheduler's slots that groups share, in turns: units take as many threads a cycle as they have lanes.
type shared struct {
	laneFree [NumUnits]int64 // the cycle at which a unit is free, times WarpSize, since each thread takes its part
	pack     []*warpSplit    // what issues in a cycle
}

// step issues in cycle now, or finds out when it can.
func (f *shared) step(c *scheduler, now int64) {
	width := int64(c.sm.m.preset.WarpSize)
	next, memory, taken := int64(never), c.sm.memFree-c.sm.queue, int64(0)
	unit := f.laneFree // as it will be when the pack has issued
	f.pack = f.pack[:0]
	for k := range c.splits {
		i := (c.last + 1 + k) % len(c.splits)
		w := &c.seats[i]
		at := w.readyAt
		if at <= now {
			at = unit[w.port] / width
			if w.memory {
				at = max(at, memory)
			}
			st := c.splits[i]
			if lanes := int64(st.lanes.Count()); at <= now && taken+lanes <= width {
				f.pack, taken = append(f.pack, st), taken+lanes
				in := &c.sm.m.code.blocks[st.block].instrs[st.pc]
				unit[st.port] = max(unit[st.port], now*width) + in.busy*lanes
				if lead := f.pack[0]; st.memory && !st.meets(lead) && c.sm.m.preset.L1Banks == 0 {
					memory = now + 1 // one access a cycle, of whoever comes to it at the same time
				}
				continue
			}
			at = max(at, now+1)
		}
		next = min(next, at)
	}
	if len(f.pack) == 0 {
		c.next = next
		return
	}
	c.account(now)
	f.laneFree = unit
	c.issues(now, int(taken), 0)
	// the slot counts where its first group is
	first, last := f.pack[0], f.pack[len(f.pack)-1]
	in := &c.sm.m.code.blocks[first.block].instrs[first.pc]
	c.sm.m.issued(in.line, 0)
	if w := c.sm.m.window; w != nil {
		w.group(c, lanes(0, int(taken)), in, int(first.done), now)
	}
	for rest := f.pack; len(rest) > 0; {
		rest = c.sm.issueTogether(rest, now)
	}
	for i, st := range c.splits {
		if st == last {
			c.last = i
		}
	}
}

// meets reports whether st and other are groups of one warp at one instruction.
func (st *warpSplit) meets(other *warpSplit) bool {
	return st.warp == other.warp && st.block == other.block && st.pc == other.pc
}

// issueTogether executes the next instruction of the first of pack, and of those that stand there with it, in cycle
// now. It returns the others.
func (s *sm) issueTogether(pack []*warpSplit, now int64) (rest []*warpSplit) {
	lead := pack[0]
	in := &s.m.code.blocks[lead.block].instrs[lead.pc]
	var here []*warpSplit
	all := Mask(0)
	for _, st := range pack {
		if !st.meets(lead) {
			rest = append(rest, st)
			continue
		}
		s.m.executed(in.line, st.lanes.Count())
		if s.m.window != nil {
			s.m.window.executed(st.warp, st.lanes)
		}
		if st.done++; st.done < in.count {
			st.readyAt, st.wait = now+in.gap, 0
			continue
		}
		if s.held(st, in, now) {
			continue
		}
		here, all = append(here, st), all|st.lanes
	}
	if len(here) == 0 {
		return rest
	}
	own := here[0].lanes
	here[0].lanes = all
	at, long := s.perform(here[0], in, now)
	here[0].lanes = own
	for _, st := range here {
		s.finishIssue(st, in, now, at, long)
	}
	return rest
}
