package simgpu

// DWF is dynamic warp formation (Fung, Sham, Yuan and Aamodt, ACM TACO 6, 2009): no thread belongs to a warp. After
// each instruction threads go to a pool, where those with the same next instruction are packed in a warp, whatever
// warps they were in; which warp of the pool issues, its Policy says. A thread has one instruction in flight at a time.
// Where a machine has several schedulers, each has a pool of its own for the warps that it was given.
//
// Barriers of a block count threads. Operations of a warp (shuffles, votes, gpu.SyncWarp) wait for the lanes that take
// part in them; code that relies on the threads of a warp going together without one is wrong under DWF, which a
// machine with [Check] says.
type DWF struct {
	Policy  Picker       // which warp of the pool issues; nil is DMaj
	RegFile RegisterFile // where registers are, which decides which threads can be side by side
	Pool    int          // warps that the pool holds; 0 is the paper's 128. What finds no room waits in memory
	// Heap finds DMaj's PC by the paper's hardware, a heap of 64 PCs that takes in two arrivals a cycle from a queue of
	// four and swaps an entry a cycle, and not at once
	Heap bool
}

// RegisterFile is how a machine that forms warps anew reaches the registers of threads.
type RegisterFile int

// The register files that the paper compares.
const (
	// LaneAware keeps a thread in the lane in which it began, whose bank has its registers, and gives each lane a
	// decoder of its own.
	LaneAware RegisterFile = iota
	// Ported reads the registers of any threads in any lanes at once: an ideal.
	Ported
	// Crossbar lets threads go to any lane; threads whose registers are in one bank take turns, and the others wait.
	Crossbar
)

// Name returns "dwf" and what is not as usual.
func (d DWF) Name() string {
	heap := ""
	if d.Heap {
		heap = " by a heap"
	}
	return "dwf, " + nameOf(d.picker()) + heap + [...]string{"", ", ported registers", ", registers by a crossbar"}[d.RegFile]
}

// New implements Divergence: by how long blocks would be if their warps stayed warps, launches that are sampled choose
// the blocks that they time.
func (d DWF) New(lanes Mask, join []int) Split { return PDOM{}.New(lanes, join) }

func (d DWF) picker() Picker {
	if d.Policy == nil {
		return DMaj
	}
	return d.Policy
}

func (d DWF) form(c *scheduler) *forming { return newForming(c, d) }

// PoolPolicy is one of the paper's policies of which warp of the pool issues.
type PoolPolicy int

// The paper's policies. Among equals the warp goes first that was formed first.
const (
	DTime  PoolPolicy = iota // the warp that was formed first
	DPC                      // the warp with the least PC
	DMaj                     // all warps at the PC with most threads, those that come meanwhile too, before another PC is chosen
	DMin                     // a warp at the PC with fewest threads
	DPdPri                   // the warp with a thread that has come to the fewest immediate postdominators
)

// Name returns "dtime", "dpc", "dmaj", "dmin", "dpdpri".
func (p PoolPolicy) Name() string { return [...]string{"dtime", "dpc", "dmaj", "dmin", "dpdpri"}[p] }

// Pick implements Picker.
func (p PoolPolicy) Pick(_ int64, c []Cand, e *Env) int {
	if p == DMaj {
		return pickMajority(c, e)
	}
	best := -1
	for i := range c {
		if c[i].Ready && (best < 0 || p.before(&c[i], &c[best])) {
			best = i
		}
	}
	return best
}

// before reports whether a, which is younger than b, goes before it.
func (p PoolPolicy) before(a, b *Cand) bool {
	switch p {
	case DPC:
		return a.PC < b.PC
	case DMin:
		return a.AtPC < b.AtPC || a.AtPC == b.AtPC && a.PC < b.PC
	case DPdPri:
		return a.Passed < b.Passed
	}
	return false
}

// pickMajority keeps the majority's PC in e until no warp is there.
func pickMajority(c []Cand, e *Env) int {
	if pc, ok := e.State.(int); ok {
		for i := range c {
			if c[i].PC == pc {
				return pickReadyAt(c, pc)
			}
		}
	}
	most := 0
	for i := range c {
		if c[i].AtPC > c[most].AtPC || c[i].AtPC == c[most].AtPC && c[i].PC < c[most].PC {
			most = i
		}
	}
	e.State = c[most].PC
	return pickReadyAt(c, c[most].PC)
}

func pickReadyAt(c []Cand, pc int) int {
	for i := range c {
		if c[i].PC == pc && c[i].Ready {
			return i
		}
	}
	return -1
}
