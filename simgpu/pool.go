package simgpu

// This file is the hardware in which DWF forms warps: the pool and the table that finds, for a PC, the warp of the pool
// that is being filled there.

// Sizes of the paper.
const (
	poolWarps = 128
	lutSets   = 16
	lutWays   = 4
)

// pool is the warps of a scheduler that have been formed and have not issued.
type pool struct {
	regs    RegisterFile
	width   int
	room    int    // warps
	cands   []Cand // the oldest first
	lut     [lutSets][lutWays]lutEntry
	uses    int64
	formed  int64
	threads []int32 // by PC: how many wait there
	spilled []spill // what found no room, the oldest first
	spills  int64   // threads that did
	free    []*[maxWarp]Thread
	heap    *majorityHeap // nil: what DMaj wants to know is known at once
}

// lutEntry says which warp is being filled at a PC: the one of that age.
type lutEntry struct {
	pc, age int64
	used    int64 // 0: the entry is free
}

// spill is threads that wait in memory for room in the pool, and can be back in it from a cycle on.
type spill struct {
	Group
	in     *instr
	passed int
	at     int64
}

func newPool(d DWF, width, pcs int) *pool {
	p := &pool{regs: d.RegFile, width: width, room: d.Pool, threads: make([]int32, pcs)}
	if p.room <= 0 {
		p.room = poolWarps
	}
	if d.Heap {
		p.heap = newMajorityHeap()
	}
	return p
}

// insert packs threads that have come to a PC with those that wait there. Of g's threads those go to the warp that is
// being filled whose lanes are free in it; the others begin another, which is filled from then on. It returns false
// when that finds no room in the pool: then g is what is left, which is the caller's.
func (p *pool) insert(g *Group, in *instr, passed int, now int64) bool {
	e := p.find(int64(g.PC))
	if e.used > 0 && e.pc == int64(g.PC) {
		if c := p.aged(e.age); c != nil {
			p.merge(c, g, passed)
			if g.Lanes == 0 {
				e.use(p)
				p.free = append(p.free, g.Threads)
				return true
			}
		}
	}
	if len(p.cands) >= p.room {
		return false
	}
	p.formed++
	*e = lutEntry{pc: int64(g.PC), age: p.formed}
	e.use(p)
	g.Age, g.Since = p.formed, now
	c := Cand{Group: *g, Width: g.Lanes.Count(), Passed: passed, Unit: in.port, in: in}
	if p.heap != nil {
		c.listed = p.heap.hear(g.PC, c.Width, g.Age)
	}
	p.cands = append(p.cands, c)
	p.threads[g.PC] += int32(g.Lanes.Count())
	return true
}

func (e *lutEntry) use(p *pool) {
	p.uses++
	e.used = p.uses
}

// find returns the entry for a PC: its own, or else a free one, or the one that was used longest ago, whose warp is
// filled no more.
func (p *pool) find(pc int64) *lutEntry {
	set := &p.lut[pc%lutSets]
	best := &set[0]
	for i := range set {
		e := &set[i]
		if e.used > 0 && e.pc == pc {
			return e
		}
		if e.used < best.used {
			best = e
		}
	}
	return best
}

// aged returns the warp of an age, which is in the pool, or nil.
func (p *pool) aged(age int64) *Cand {
	for i := len(p.cands) - 1; i >= 0; i-- {
		if p.cands[i].Age == age {
			return &p.cands[i]
		}
	}
	return nil
}

// merge takes threads of g to c: those whose lanes are free in it, or as many as it has free lanes where registers can
// be read in any lane.
func (p *pool) merge(c *Cand, g *Group, passed int) {
	before := c.Lanes
	for rest := g.Lanes; rest != 0; rest &= rest - 1 {
		from := rest.first()
		to := from
		if p.regs != LaneAware {
			free := lanes(0, p.width) &^ c.Lanes
			if free == 0 {
				break
			}
			to = free.first()
		}
		if bit := Mask(1) << uint(to); c.Lanes&bit == 0 {
			c.Lanes |= bit
			c.Threads[to] = g.Threads[from]
			g.Lanes &^= 1 << uint(from)
		}
	}
	if n := c.Lanes.Count() - before.Count(); n > 0 {
		c.Width += n
		c.Passed = min(c.Passed, passed)
		p.threads[c.PC] += int32(n)
		if p.heap != nil {
			p.heap.hear(c.PC, n, c.Age)
		}
	}
}

// take takes warp number i out of the pool: it issues. Nothing is added to it any more.
func (p *pool) take(i int) Group {
	g := p.cands[i].Group
	p.threads[g.PC] -= int32(p.cands[i].Width)
	if e := p.find(int64(g.PC)); e.used > 0 && e.age == g.Age {
		*e = lutEntry{}
	}
	p.cands = append(p.cands[:i], p.cands[i+1:]...)
	return g
}

// bankTurns returns how often the bank is read from which most threads of g have their registers, which is that of the
// lane that home gives.
func (p *pool) bankTurns(g *Group, home func(Thread) int) int {
	var reads [maxWarp]uint8
	most := uint8(1)
	for rest := g.Lanes; rest != 0; rest &= rest - 1 {
		b := home(g.Threads[rest.first()])
		reads[b]++
		most = max(most, reads[b])
	}
	return int(most)
}

// group returns an empty one at a PC.
func (p *pool) group(pc int) Group {
	g := Group{PC: pc}
	if n := len(p.free); n > 0 {
		g.Threads, p.free = p.free[n-1], p.free[:n-1]
	} else {
		g.Threads = new([maxWarp]Thread)
	}
	return g
}

// done gives back what g has, whose threads are elsewhere by now.
func (p *pool) done(g *Group) { p.free, g.Threads = append(p.free, g.Threads), nil }

// list notes that the heap knows of the warp of an age, and reports whether that is in the pool.
func (p *pool) list(age int64) bool {
	c := p.aged(age)
	if c != nil {
		c.listed = true
	}
	return c != nil
}
