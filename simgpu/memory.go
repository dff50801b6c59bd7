package simgpu

// ticks per cycle: bandwidths are seldom a whole number of cycles a sector.
const ticks = 1024

// memory is what the SMs share below their L1: banks of L2 and channels of DRAM. An access walks through it when it
// issues; every bank and channel keeps the time at which it is next free, and that is all the queueing there is.
type memory struct {
	l2           *cache
	near         []*cache // of each half of an L2 that has two: what its SMs have read last; they find it without going to the other
	farLatency   int64    // cycles that a hit takes more which the other half has
	bankFree     []int64  // ticks
	channelFree  []int64  // ticks
	rows         rows
	load         dramLoad
	bankTime     int64 // ticks that a sector takes of a bank
	partialTime  int64 // ticks that one which is written in part takes more
	partition    int   // bytes of neighbouring memory that a channel has, one after the other; 0: by a hash
	channelTime  int64 // ticks that a sector takes of a channel
	l2Latency    int64 // cycles
	dramLatency  int64 // cycles
	l2Hits       int64 // sectors read
	dramSectors  int64
	lastFinished int64 // cycle at which the last sector was read or written

	consts map[uint64]bool // lines of constant memory that L2 has

	others *others // of a machine with a part of a launch, else nil

	// missed is the sectors that were read from DRAM, for samples to tell what blocks share; no more than maxMissed.
	missed []uint64
}

const maxMissed = 1 << 20

// newMemory makes the memory of a machine of 1/scale of the SMs of p, with as much less of everything but L2, of which
// it has l2 bytes.
func newMemory(p *Preset, scale, l2 int) *memory {
	banks, channels := max(1, p.L2Banks/scale), max(1, p.DRAMChannels/scale)
	if p.PartitionBytes > 0 { // which accesses meet in a partition depends on their number
		channels = p.DRAMChannels
	}
	perSecond := float64(p.DRAMPeak) * p.DRAMShare / float64(scale) / float64(channels)
	m := &memory{
		l2:          newCache(l2, p.L2Ways),
		bankFree:    make([]int64, banks),
		channelFree: make([]int64, channels),
		bankTime:    int64(ticks * float64(banks*scale) / float64(p.L2Banks)),
		channelTime: int64(ticks * sectorBytes * float64(p.ClockMHz) * 1e6 / perSecond),
		rows:        newRows(p, channels),
		l2Latency:   int64(p.L2Latency),
		dramLatency: int64(p.DRAMLatency),
	}
	m.partialTime, m.partition = m.bankTime*int64(max(1, p.L2PartialWrite)-1), p.PartitionBytes
	m.load = newDRAMLoad(p, channels, m.channelTime)
	if p.L2Far > 0 {
		m.near, m.farLatency = []*cache{newCache(l2/2, p.L2Ways), newCache(l2/2, p.L2Ways)}, int64(p.L2Far)
	}
	return m
}

func (m *memory) bankOf(line uint64) *int64 {
	return &m.bankFree[spread(line)%uint64(len(m.bankFree))]
}

// bank waits from cycle at for the bank of a line and returns the cycle at which it has served one sector.
func (m *memory) bank(line uint64, at int64) int64 {
	free := m.bankOf(line)
	*free = max(*free, at*ticks) + m.bankTime
	return (*free + ticks - 1) / ticks
}

// channelOf returns the channel of a line: neighbouring lines share one, 256 bytes at a time.
func (m *memory) channelOf(line uint64) int {
	if m.partition > 0 {
		in := line - line/(placeStep/lineBytes)*(placeStep%(1<<40)/lineBytes) // buffers begin in the first partition
		return int(in * lineBytes / uint64(m.partition) % uint64(len(m.channelFree)))
	}
	return int(spread(line>>1) % uint64(len(m.channelFree)))
}

// channel waits from cycle at for the DRAM channel of a line and returns the cycle at which it has moved one sector.
func (m *memory) channel(line uint64, at int64) int64 {
	c := m.channelOf(line)
	free := &m.channelFree[c]
	*free = max(*free, at*ticks) + m.channelTime
	m.dramSectors++
	end := *free
	if m.rows.miss > 0 {
		end = m.rows.access(c, line, at*ticks, end, m.channelTime)
	}
	done := (end + ticks - 1) / ticks
	m.lastFinished = max(m.lastFinished, done)
	return done
}

// find returns a line of L2, for the block at a place.
func (m *memory) find(line uint64, block int) *cacheLine {
	l := m.l2.find(line)
	if m.others != nil {
		if l.valid != 0 && m.others.lost(line, int(l.place), block) {
			l.valid, l.dirty = 0, 0
		}
		l.place = int32(block)
	}
	return l
}

// read returns the cycle at which a sector that a block asks for at cycle at leaves L2 for its SM, which is on one side
// of an L2 of two halves; blocks are known by their places.
func (m *memory) read(line uint64, sector uint8, at int64, block, side int) int64 {
	at = m.bank(line, at)
	l := m.find(line, block)
	if l.valid&sector != 0 {
		m.l2Hits++
		return max(at, l.ready) + m.l2Latency + m.way(line, l, sector, side)
	}
	l.valid |= sector
	if m.others != nil && m.l2.sets > 0 {
		if valid, _ := m.others.before(line, block); valid&sector != 0 {
			m.l2Hits++
			return max(at, l.ready) + m.l2Latency + m.way(line, l, sector, side)
		}
		if brought, coming := m.others.brought(line, sector, block); brought {
			m.l2Hits++
			if coming {
				l.ready = max(l.ready, at+m.dramLatency)
			}
			return max(at, l.ready) + m.l2Latency + m.way(line, l, sector, side)
		}
	}
	m.way(line, l, sector, side) // DRAMLatency is the mean of both halves
	if m.l2.sets > 0 && len(m.missed) < maxMissed {
		m.missed = append(m.missed, line<<8|uint64(sector))
	}
	m.load.note(at, false)
	l.ready = m.channel(line, at) + m.dramLatency + m.load.wait
	return l.ready + m.l2Latency
}

// way returns the cycles that a sector of L2 takes more to a side of it where the other half has the sector. Each half
// keeps what its own SMs read, until they have read as much as it holds; what it has lost the other has. Who brought
// what was there before the launch, or what blocks brought that are not timed, is not known: a hash says so.
func (m *memory) way(line uint64, l *cacheLine, sector uint8, side int) int64 {
	if m.near == nil {
		return 0
	}
	mine, seen := uint8(1)<<side, l.sides
	l.sides |= mine
	n := m.near[side].find(line)
	if n.valid&sector != 0 {
		return 0
	}
	n.valid |= sector
	if seen == 0 && int(spread(line)>>1&1) == side {
		return 0
	}
	return m.farLatency
}

// release gives the caches back.
func (m *memory) release() {
	m.l2.release()
	for _, c := range m.near {
		c.release()
	}
}

// write returns the cycle at which a sector that is written at cycle at has left the SM's queue for good. The write to
// DRAM is charged when a sector becomes dirty, not when it is evicted: the same traffic, but a short sample of a kernel
// sees it, and a kernel pays for its own results. Writing a dirty sector again costs no DRAM. Of a sector that is
// written in part the bank keeps the rest, which takes it longer.
func (m *memory) write(line uint64, sector uint8, partial bool, at int64, block int) int64 {
	if at = m.bank(line, at); partial && m.partialTime > 0 {
		free := m.bankOf(line)
		*free += m.partialTime
		at = (*free + ticks - 1) / ticks
	}
	l := m.find(line, block)
	l.valid |= sector
	if l.dirty&sector != 0 {
		m.lastFinished = max(m.lastFinished, at)
		return at
	}
	l.dirty |= sector
	if m.others != nil {
		if _, dirty := m.others.before(line, block); dirty&sector != 0 {
			m.lastFinished = max(m.lastFinished, at)
			return at
		}
	}
	m.load.note(at, true)
	return m.channel(line, at)
}
