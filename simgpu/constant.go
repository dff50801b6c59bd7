package simgpu

// constLine is the bytes that a miss of the cache of constant memory brings: Jia et al. found so many on Volta, Wong et
// al. on a GT200.
const constLine = 64

// constant serves a load of constant memory through the SM's cache of it: one word a pass, for all lanes that want it.
// What is not there comes from L2.
func (s *sm) constant(st *warpSplit, in *instr, now int64) int64 {
	p := s.m.preset
	all := s.addresses(st, in.access)
	words := all.words()
	s.memFree = now + int64(words)
	done := now + int64(p.SharedLatency+words-1)
	s.m.stats.constLoads++
	s.m.stats.constPasses += int64(words)
	if p.ConstBytes == 0 {
		return done
	}
	last := ^uint64(0)
	for _, addr := range all {
		addr += uint64(s.m.number) * constStep
		if addr/constLine == last {
			continue
		}
		last = addr / constLine
		l := s.consts.find(addr / lineBytes)
		if want := uint8(3) << (addr % lineBytes / constLine * 2); l.valid&want == 0 {
			l.valid |= want
			l.ready = max(l.ready, s.m.mem.constant(last, s.port(now))+int64(p.SharedLatency))
			s.m.stats.constMisses++
		}
		done = max(done, l.ready)
	}
	return done
}

// constant returns the cycle at which a line of constant memory that an SM asks for at cycle at leaves L2 for it. Who
// asks first of a launch has it from DRAM; on a machine without L2 all have.
func (m *memory) constant(line uint64, at int64) int64 {
	where := line * constLine / lineBytes
	at = m.bank(where, at)
	if m.l2.sets > 0 && m.consts[line] {
		return at + m.l2Latency
	}
	if m.consts == nil {
		m.consts = map[uint64]bool{}
	}
	m.consts[line] = true
	for range constLine/sectorBytes - 1 {
		m.channel(where, at)
	}
	return m.channel(where, at) + m.dramLatency + m.l2Latency
}
