package simgpu

// load walks a global load through L1, L2 and DRAM and returns the cycle at which its last sector is there. One that
// bypasses L1 finds nothing there and leaves nothing.
func (s *sm) load(st *warpSplit, in *instr, now int64) int64 {
	done, lines := now, int64(0)
	s.late = 0
	for _, t := range s.coalesce(st, in) {
		there, _ := s.fetch(st.warp.block, in, t, s.turn(t.line, now, lines))
		done = max(done, there)
		lines++
	}
	s.occupy(now, s.replayed(s.lookup(st, in, now, lines), lines), done)
	return done
}

// turn returns the cycle in which L1 looks up a line, number n of an access that comes to it in cycle now.
func (s *sm) turn(line uint64, now, n int64) int64 {
	banks := s.m.preset.L1Banks
	if banks == 0 && n == 0 {
		return now
	}
	if banks == 0 {
		return now + n/int64(max(1, s.m.preset.L1Tags))
	}
	at := now
	if banks < Unbanked {
		if s.l1Free == nil {
			s.l1Free = make([]int64, banks)
		}
		free := &s.l1Free[line%uint64(banks)]
		at = max(now, *free)
		*free = at + 1
	}
	s.turned = max(s.turned, at+1)
	return at
}

// replayed returns what a load takes of the pipeline which takes it so many cycles for its lines, with what it takes
// again: lines that were on their way already are looked up a second time when they have come. Reads down the columns
// of a matrix by blocks of 32 x 32, of which eight warps share their sectors, so take a V100 and a P100 63 cycles each,
// not 32.
func (s *sm) replayed(cycles, lines int64) int64 {
	if !s.m.preset.L1Replay || s.late == 0 {
		return cycles
	}
	return cycles + (cycles*s.late+lines-1)/lines
}

// fetch looks up sectors of a line in L1 in cycle at, if the load does not bypass that, and reads what is not there for
// a block. It returns the cycles at which all are there and at which the last of those that were missing arrives in L1,
// 0 where none was.
func (s *sm) fetch(b *residentBlock, in *instr, t transaction, at int64) (done, arrives int64) {
	l, latency := &cacheLine{}, int64(s.m.preset.L1Latency)
	if !in.bypass {
		l = s.l1.find(t.line)
	}
	hit := l.valid & t.sectors
	if hit != 0 {
		late := l.ready > at+latency
		if done = max(at+latency, l.ready); late {
			s.late++
		}
		s.m.hit(in.line, ones(hit), late)
	}
	for miss := t.sectors &^ hit; miss != 0; miss &= miss - 1 {
		sector := miss & -miss
		// The latencies of the levels add up to those that pointer chases measure.
		come := s.m.mem.read(t.line, sector, s.port(at), b.at, s.side)
		l.valid |= sector
		l.ready = max(l.ready, come+latency)
		arrives = max(arrives, come)
	}
	if arrives > 0 {
		s.m.stats.inFlight += arrives - at
		done = max(done, arrives+latency)
	}
	return done, arrives
}

// lookup returns the cycles that a load of so many lines, which have had their turns from cycle now on, takes of the
// memory pipeline. Where L1 looks up several lines at a time, its
// data are in the banks of shared memory, and lanes that want words of one bank take turns. Measured on an A100 (M66 in
// docs/model-accuracy.md): the more of the turns, and of a quarter of a cycle for each line and two for all.
func (s *sm) lookup(st *warpSplit, in *instr, now, lines int64) int64 {
	if s.m.preset.L1Banks != 0 {
		return s.banked(now)
	}
	if s.m.preset.L1Tags < 2 {
		return lines
	}
	var passes int
	if a := s.shaped(st, in.access); a != nil {
		passes, _ = s.m.passesAt(in, a, s.addrs[:0])
	} else {
		passes, _ = s.m.preset.bankPasses(s.addresses(st, in.access), st.lanes, int(in.bytes))
	}
	return s.turns(int64(passes), lines)
}

// banked is the cycles from now on for which the banks of L1 are taken. Where threads issue alone, as many as the banks
// have ports for come to them in a cycle, unless they meet in one.
func (s *sm) banked(now int64) int64 {
	cycles := max(s.turned-now, 1)
	if s.m.shares {
		cycles--
	}
	return cycles
}

// turns is the cycles of L1 for a load of so many passes over the banks and so many lines. What is less than a cycle is
// left to the next.
func (s *sm) turns(passes, lines int64) int64 {
	tags := int64(s.m.preset.L1Tags)
	s.looked += max(passes*tags, lines+tags/2)
	cycles := s.looked / tags
	s.looked %= tags
	return cycles
}

// port returns the cycle, not before at, in which a sector begins its way to or from L2.
func (s *sm) port(at int64) int64 {
	width := int64(max(1, s.m.preset.L1Port))
	s.portFree = max(s.portFree, at*width) + 1
	return (s.portFree - 1) / width
}

// store walks a global store to L1 where that keeps it, else to L2. Nobody waits for it, but it takes its place among
// the accesses in flight.
func (s *sm) store(st *warpSplit, in *instr, now int64) {
	done, lines := now, int64(0)
	for _, t := range s.coalesce(st, in) {
		line, want := t.line, t.sectors
		at := now + lines
		if s.m.preset.L1Banks != 0 {
			at = s.turn(line, now, lines)
		}
		lines++
		if s.m.preset.WriteBack {
			done = max(done, s.keep(t, at, st.warp.block.at))
			continue
		}
		for ; want != 0; want &= want - 1 {
			done = max(done, s.m.mem.write(line, want&-want, t.partial&want&-want != 0, s.port(at), st.warp.block.at))
		}
	}
	if s.m.preset.L1Banks != 0 {
		lines = s.banked(now)
	}
	s.occupy(now, lines, done)
}

// keep stores sectors of a line in L1 in cycle at, for the block at a place. What is written in part and not there is
// read first. As in memory.write, writing it back is charged when a sector becomes dirty.
func (s *sm) keep(t transaction, at int64, block int) (done int64) {
	l := s.l1.find(t.line)
	done = at
	for want := t.sectors &^ l.dirty; want != 0; want &= want - 1 {
		sector := want & -want
		if t.partial&sector != 0 && l.valid&sector == 0 {
			l.ready = max(l.ready, s.m.mem.read(t.line, sector, s.port(at), block, s.side)+int64(s.m.preset.L1Latency))
			done = max(done, l.ready)
		}
		s.m.mem.write(t.line, sector, false, s.port(at), block)
	}
	l.valid |= t.sectors
	l.dirty |= t.sectors
	return done
}

// shared serves an access to shared memory, pass after pass, and returns the cycle at which a load has its result.
func (s *sm) shared(st *warpSplit, in *instr, now int64) int64 {
	var passes, conflicts int
	if a := s.shaped(st, in.access); a != nil {
		passes, conflicts = s.m.passesAt(in, a, s.addrs[:0])
	} else {
		passes, conflicts = s.m.preset.bankPasses(s.addresses(st, in.access), st.lanes, int(in.bytes))
	}
	s.m.conflicts(in, conflicts)
	s.memFree = now + int64(passes)
	if s.m.shares && s.m.preset.L1Banks != 0 { // see banked
		s.memFree--
	}
	return now + int64(s.m.preset.SharedLatency+passes-1) + s.distance(st, in)
}

// sharedAtomic serves an atomic on shared memory: lanes that meet at a word take turns, each a pass, and so do those
// whose words share a bank. A turn takes as many passes of the memory as the preset says.
func (s *sm) sharedAtomic(st *warpSplit, in *instr, now int64) int64 {
	turns := s.addresses(st, in.access).turns(int(in.bytes), s.m.preset.SharedBanks)
	s.m.conflicts(in, turns-1)
	passes := turns * max(1, s.m.preset.SharedAtomic)
	s.memFree = now + int64(passes)
	return now + int64(s.m.preset.SharedLatency+passes-1) + s.distance(st, in)
}

// atomic walks an atomic on global memory past L1 to the banks of L2, and returns the cycle at which the values that
// were there come back. A bank takes L2Atomic cycles for a sector, of different words of which lanes come together, and
// one more for each further lane at one word.
func (s *sm) atomic(st *warpSplit, in *instr, now int64) int64 {
	list := s.coalesce(st, in)
	addrs := s.addresses(st, in.access)
	done, lines := now, int64(0)
	for _, t := range list {
		line, want := t.line, t.sectors
		if s.m.moves != nil {
			line = s.m.lineOf(line)
		}
		at := now + lines
		lines++
		s.l1.find(line).valid &^= want // what L1 has of them is old now
		for ; want != 0; want &= want - 1 {
			ready := s.m.mem.write(line, want&-want, false, s.port(at), st.warp.block.at)
			turns := addrs.meetings(t.line*(lineBytes/sectorBytes) + uint64(Mask(want).first()))
			for range turns - 1 {
				ready = max(ready, s.m.mem.bank(line, ready))
			}
			for range s.m.preset.L2Atomic - 1 { // the bank writes back, and nobody waits for that
				s.m.mem.bank(line, ready)
			}
			done = max(done, ready+int64(s.m.preset.L1Latency+s.m.preset.L2Latency))
		}
	}
	s.occupy(now, lines, done)
	return done
}

// coalesce returns the transactions of an access and counts them.
func (s *sm) coalesce(st *warpSplit, in *instr) []transaction {
	var list []transaction
	var sectors int64
	if a := s.shaped(st, in.access); a != nil {
		list, sectors = s.m.transactionsAt(in, a, s.addrs[:0])
	} else {
		list, sectors = s.m.transactionsOf(in, st.lanes, s.addresses(st, in.access))
	}
	s.m.count(in, st.lanes.Count(), len(list), sectors)
	if s.m.moves != nil && in.kind != kindAtomic && in.kind != kindReduce {
		return s.m.movedTo(list)
	}
	return list
}

// occupy holds the memory pipeline for the lines of an access, and for as long as too many accesses are in flight.
func (s *sm) occupy(now, lines, done int64) {
	s.memFree = max(now+lines, s.pending[s.oldest])
	s.m.finished = max(s.m.finished, done)
	s.pending[s.oldest] = done
	s.oldest = (s.oldest + 1) % len(s.pending)
}

func ones(x uint8) int { return Mask(x).Count() }
