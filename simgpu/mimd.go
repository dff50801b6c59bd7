package simgpu

// MIMD lets every thread go its own way: in a cycle a scheduler issues as many threads as a warp has lanes, of any of
// its warps, wherever they are. Units take as many threads a cycle as they have lanes. Threads of one warp that come to
// the same load or store in the same cycle make one access. No machine is built so: it is the bound from above for
// policies that keep threads together, with the same peak and the same memory.
type MIMD struct{}

// Name returns "mimd".
func (MIMD) Name() string { return "mimd" }

// New returns a split that never meets another: the machine makes one of each thread.
func (MIMD) New(lanes Mask, join []int) Split { return NREC{}.New(lanes, join) }

// stepThreads issues threads in cycle now, going round from the one that issued last, or finds out when one can.
func (c *scheduler) stepThreads(now int64) {
	width := int64(c.sm.m.preset.WarpSize)
	c.pack = c.pack[:0]
	next, memory := int64(never), c.sm.memFree
	unit := c.laneFree // as it will be when the pack has issued
	for k := range c.splits {
		i := (c.last + 1 + k) % len(c.splits)
		st := c.splits[i]
		at := st.readyAt
		if at <= now {
			at = unit[st.port] / width
			if st.memory {
				at = max(at, memory)
			}
			if at <= now && len(c.pack) < int(width) {
				c.pack = append(c.pack, st)
				in := &c.sm.m.code.blocks[st.block].instrs[st.pc]
				unit[st.port] = max(unit[st.port], now*width) + in.busy
				if lead := c.pack[0]; st.memory && !(st.warp == lead.warp && st.block == lead.block && st.pc == lead.pc) {
					memory = now + 1 // one access a cycle, of whoever comes to it at the same time
				}
				continue
			}
			at = max(at, now+1)
		}
		next = min(next, at)
	}
	if len(c.pack) == 0 {
		c.next = next
		return
	}
	c.account(now)
	c.laneFree = unit
	m := c.sm.m
	m.profile.at(now).issued[bin(len(c.pack), m.preset.WarpSize)]++
	m.stats.warpInstrs++
	m.stats.threadInstrs += int64(len(c.pack))
	// the slot counts where its first thread is
	m.lines[m.code.blocks[c.pack[0].block].instrs[c.pack[0].pc].line].issued++
	c.sm.lastIssue = max(c.sm.lastIssue, now)
	c.accounted, c.next = now+1, now+1
	last := c.pack[len(c.pack)-1]
	for len(c.pack) > 0 {
		c.pack = c.sm.issueThreads(c.pack, now)
	}
	for i, st := range c.splits {
		if st == last {
			c.last = i
		}
	}
}

// issueThreads executes the next instruction of the first of pack, and of those that stand there with it, in cycle now.
// It returns the others.
func (s *sm) issueThreads(pack []*warpSplit, now int64) (rest []*warpSplit) {
	lead := pack[0]
	in := &s.m.code.blocks[lead.block].instrs[lead.pc]
	var here []*warpSplit
	all := Mask(0)
	for _, st := range pack {
		if st.warp != lead.warp || st.block != lead.block || st.pc != lead.pc {
			rest = append(rest, st)
			continue
		}
		s.m.lines[in.line].lanes++
		if st.done++; st.done < in.count {
			st.readyAt, st.long = now+in.gap, false
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
