package simgpu

import (
	"cmp"
	"context"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// grid is the blocks of one launch on a machine: what they execute, how many are on their way, and what is counted of
// them.
type grid struct {
	observer
	code     *code
	shapes   *shapes
	places   *places
	kernel   string
	resident int // blocks per SM
	blocks   []*blockTrace
	next     int        // block to dispatch
	done     int        // blocks that have ended
	runs     []blockRun // of each block that went to an SM, in the order of blocks
	parted   parted
	finished int64 // cycle in which the last of what it has written is where it belongs

	cluster  int                // blocks of a cluster; 0 or 1 where there are none
	clusters map[int]*clusterOn // by number

	// Of a machine with several grids:
	number  int
	arrival int64 // cycle before which no block begins
	end     int64 // cycle in which all of it has ended; 0 before
	use     smUse // of a block
	moves   []lineMove
	counts  memoryCounts
	on      []gridOnSM // by SM
}

// smUse is what a block takes of an SM, or what blocks have taken.
type smUse struct{ blocks, warps, registers, shared int }

func (u *smUse) add(o smUse, times int) {
	u.blocks += times * o.blocks
	u.warps += times * o.warps
	u.registers += times * o.registers
	u.shared += times * o.shared
}

// gridOnSM is what an SM has of a grid.
type gridOnSM struct {
	ran    bool
	blocks int
	warps  int64
	since  int64 // cycle from which there are so many
}

// memoryCounts is what memory counts for a grid.
type memoryCounts struct{ l2Hits, dramSectors, rowMisses int64 }

// lineMove is lines of a grid that are elsewhere on a machine which other grids share.
type lineMove struct{ first, count, by uint64 }

// constStep is between the constant memories of the grids of a machine.
const constStep = 1 << 32

func (l *timing) newGrid(blocks []*blockTrace) *grid {
	counts := accesses{preset: l.preset, lines: make([]lineCount, len(l.code.lines))}
	g := &grid{observer: observer{accesses: counts, bins: binsOf(l.preset.WarpSize)}, code: l.code, shapes: l.shapes, places: l.places,
		kernel: l.kernel, resident: l.resident, blocks: blocks}
	if l.code.f != nil {
		g.cluster = l.code.f.Bounds.Cluster
	}
	return g
}

// enter makes g the grid whose instruction issues, or whose block comes.
func (m *machine) enter(g *grid) {
	if g != m.grid {
		m.attribute()
		m.grid = g
	}
}

// attribute gives the grid what memory has counted since the last time.
func (m *machine) attribute() {
	if m.mem.l2Hits+m.mem.dramSectors == m.counted.l2Hits+m.counted.dramSectors {
		return
	}
	now := memoryCounts{m.mem.l2Hits, m.mem.dramSectors, m.mem.rows.misses}
	c := &m.grid.counts
	c.l2Hits += now.l2Hits - m.counted.l2Hits
	c.dramSectors += now.dramSectors - m.counted.dramSectors
	c.rowMisses += now.rowMisses - m.counted.rowMisses
	m.counted = now
}

// front returns the grid whose blocks are dispatched in cycle now: the first that has come and has some left. As on
// NVIDIA's machines, a grid's blocks begin when all of those that came before it have.
func (m *machine) front(now int64) *grid {
	for _, g := range m.grids {
		if g.next < len(g.blocks) {
			if g.arrival > now {
				break
			}
			return g
		}
	}
	return nil
}

// arriving returns the cycle in which the next grid comes, never where all have.
func (m *machine) arriving() int64 {
	for _, g := range m.grids {
		if g.next == 0 && g.arrival > m.now {
			return g.arrival
		}
	}
	return never
}

// over reports whether all grids that have come by now have ended in a cycle.
func (m *machine) over(cycle int64) bool {
	for _, g := range m.grids {
		if g.arrival <= m.now && (g.end == 0 || g.end > cycle) {
			return false
		}
	}
	return true
}

// fill gives blocks to the SMs, which go round, until none has room: those with the fewest warps first, so that a grid
// which comes to a machine that is not full runs beside what is there.
func (m *machine) fill(now int64, latency int) {
	for again := true; again; {
		again = false
		order := slices.Clone(m.sms)
		slices.SortStableFunc(order, func(a, b *sm) int { return cmp.Compare(a.used.warps, b.used.warps) })
		for _, s := range order {
			again = m.place(s, now, latency) || again
		}
	}
}

// place gives s a block of the front, if there is one and s has room.
func (m *machine) place(s *sm, now int64, latency int) bool {
	g := m.front(now)
	if g == nil || g.on[s.index].blocks == g.resident || !s.fits(g.use) {
		return false
	}
	was := m.grid
	m.enter(g)
	if g.next == 0 {
		g.origin = now
	}
	o := &g.on[s.index]
	if !o.ran {
		for _, c := range s.schedulers {
			c.account(now)
			g.stalled(g.origin, max(now, c.accounted), trace.StallEmpty, -1)
		}
		o.ran, o.since = true, now
	}
	o.blocks++
	s.used.add(g.use, 1)
	m.send(s, now, latency)
	m.enter(was)
	return true
}

// fits reports whether s has room for a block.
func (s *sm) fits(u smUse) bool {
	p := s.m.preset
	u.add(s.used, 1)
	return u.blocks <= p.MaxBlocksPerSM && u.warps <= p.MaxThreadsPerSM/p.WarpSize && u.registers <= p.Registers && u.shared <= p.SharedPerSM
}

// left notes that a block of the grid has ended on s, and gives its room to others.
func (m *machine) left(s *sm, now int64) {
	g := m.grid
	g.on[s.index].blocks--
	s.used.add(g.use, -1)
	if g.done == len(g.blocks) {
		end := max(now+1, g.finished)
		for _, other := range m.sms {
			for _, c := range other.schedulers {
				if c.account(now); g.on[other.index].ran {
					g.stalled(c.accounted, end, trace.StallEmpty, -1)
				}
			}
		}
		g.end = end
	}
	before := m.front(now)
	for m.place(s, now, m.preset.BlockLatency) {
	}
	if m.front(now) != before { // there may be room elsewhere for the blocks of the next
		m.fill(now, m.preset.BlockLatency)
	}
}

// gridStall is why nothing issues of a grid.
type gridStall struct {
	first *warpSplit
	ready int64
	class trace.Stall
	fetch bool
}

// accountGrids classifies the cycles up to until for each grid by its own warps.
func (c *scheduler) accountGrids(from, until int64) {
	for i := range c.stalls {
		c.stalls[i] = gridStall{ready: never, class: trace.StallLong, fetch: true}
	}
	for i, st := range c.splits {
		w, x := &c.seats[i], &c.stalls[st.grid]
		x.fetch = x.fetch && w.wait&fetchWait != 0
		if w.readyAt < x.ready || x.first == nil {
			x.ready, x.first = w.readyAt, st
		}
		if w.wait&longWait == 0 {
			x.class = trace.StallShort
		}
	}
	for i, g := range c.sm.m.grids {
		if !g.on[c.sm.index].ran || g.end != 0 {
			continue
		}
		x := &c.stalls[i]
		if x.first == nil {
			g.stalled(from, until, trace.StallEmpty, -1)
			continue
		}
		if x.fetch {
			x.class = trace.StallFetch
		}
		ready, line := min(max(x.ready, from), until), int32(-1)
		if instrs := g.code.blocks[x.first.block].instrs; x.first.pc < len(instrs) {
			line = instrs[x.first.pc].line
		}
		if ready > from {
			g.stalled(from, ready, x.class, line)
		}
		if ready < until {
			g.stalled(ready, until, trace.StallPipeline, line)
		}
	}
}

// taken notes for the other grids that a slot is the machine's grid's: a warp that waits for a slot waits for its unit.
func (c *scheduler) taken(now int64) {
	m := c.sm.m
	for i, g := range m.grids {
		if g == m.grid || !g.on[c.sm.index].ran || g.end != 0 {
			continue
		}
		class := trace.StallEmpty
		if c.held[i] > 0 {
			class = trace.StallPipeline
		}
		g.profile.at(now - g.origin).stalls[class]++
	}
}

// countOf changes the number of resident warps of the grid by change from cycle now on.
func (s *sm) countOf(g *grid, change, now int64) {
	o := &g.on[s.index]
	g.profile.resident(o.since-g.origin, now-g.origin, o.warps)
	o.warps, o.since = o.warps+change, max(now, o.since)
}

// moved puts the lines of transactions where the machine has them.
func (g *grid) movedTo(list []transaction) []transaction {
	for i := range list {
		list[i].line = g.lineOf(list[i].line)
	}
	return list
}

func (g *grid) lineOf(line uint64) uint64 {
	for i := range g.moves {
		if mv := &g.moves[i]; line-mv.first < mv.count {
			return line + mv.by
		}
	}
	if line >= localBase/lineBytes { // its threads' own
		line += uint64(g.number) << 50
	}
	return line
}

// runGrids replays the blocks of several grids, each from its arrival on. It ends when all have ended that have come:
// those that come later find an empty machine, and have one of their own. It returns how many have ended.
func (m *machine) runGrids(ctx context.Context) (int, error) {
	for round := 0; m.err == nil; round++ {
		if round%4096 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		now := int64(never)
		for _, s := range m.sms {
			now = min(now, s.next)
		}
		if at := m.arriving(); round == 0 || at <= now {
			if round > 0 {
				if m.over(at) {
					break
				}
				m.now = at
			}
			m.fill(m.now, 0)
			continue
		}
		if now == never {
			break
		}
		m.now = now
		for _, s := range m.sms {
			if s.next <= now {
				s.step(now)
			}
		}
	}
	if m.err != nil {
		return 0, m.err
	}
	m.attribute()
	n := 0
	for _, g := range m.grids {
		if g.end == 0 {
			break
		}
		n++
		m.enter(g)
		if err := m.complete(); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// of returns the machine as if g had been its only grid, for its statistics.
func (m *machine) of(g *grid) *machine {
	v, mem := *m, *m.mem
	mem.l2Hits, mem.dramSectors, mem.rows.misses = g.counts.l2Hits, g.counts.dramSectors, g.counts.rowMisses
	v.grid, v.mem = g, &mem
	return &v
}
