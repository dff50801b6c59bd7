package check

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// checker listens to one run.
type checker struct {
	f        *kir.Func
	l        *cpu.Launch
	o        Options
	values   []*kir.Value // by ID
	guesses  []bool       // by ID: loads of what a compare-and-swap compares with, which finds out when they are old
	fences   bool         // there is a fence of the device
	phase    int          // of the grid: how often its barrier has opened, and when it did last
	opened   uint32       //
	clock    uint32       // counts instructions and meetings
	global   shadow
	clusters map[int]*cluster
	atomics  map[int32]map[uint64]uint32 // by block and address: the time of the last atomic, where there are fences
	findings []Finding
	known    map[[3]int32]int // finding number by kind and values
}

func newChecker(p *cpu.Program, l *cpu.Launch, o Options) *checker {
	f := p.Func()
	c := &checker{f: f, l: l, o: o, values: make([]*kir.Value, f.NumValues()), known: map[[3]int32]int{}, atomics: map[int32]map[uint64]uint32{}}
	type cell struct {
		addr *kir.Value
		off  uint64
		size int
	}
	swapped := map[cell]bool{}
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			if v.Op == kir.OpAtomicCAS {
				swapped[cell{v.Args[0], v.Imm, elemBytes(v)}] = true
			}
		}
	}
	c.guesses = make([]bool, f.NumValues())
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			c.guesses[v.ID] = v.Op == kir.OpLoad && swapped[cell{v.Args[0], v.Imm, elemBytes(v)}]
			c.values[v.ID] = v
			c.fences = c.fences || v.Op == kir.OpFence && kir.Scope(v.Imm) != kir.BlockScope
		}
	}
	return c
}

// released reports whether an atomic of old's block, after old, and one of now's block have met at an address.
func (c *checker) released(old, now *stamp) bool {
	if !c.fences {
		return false
	}
	theirs, ours := c.atomics[old.block], c.atomics[now.block]
	for addr, time := range theirs {
		if _, met := ours[addr]; met && time >= old.time {
			return true
		}
	}
	return false
}

// block listens to one thread block.
type block struct {
	c   *checker
	cta int32
	*cluster
	rank    int        // in it
	met     int        // how often its barrier has let the block go on
	phase   int        // how often a barrier of the grid has let it go on
	barrier uint32     // when the last barrier opened
	waiting []bool     // by thread
	waits   int        // how many are waiting
	sync    *kir.Value // the barrier that they wait at
	blk     *kir.Block
	threads []int32 // that execute blk
	next    int     // value of blk that has not been looked at
	synced  []meetings
	copies  map[int32]*copies // by thread: those that it does not wait for
}

// cluster is the shared memory of blocks that see that of each other, or of one block.
type cluster struct {
	shared  shadow
	written [][]uint64 // by block: bytes of shared memory, a bit for each
	ended   []bool     // by block
	round   int        // how often the barrier of the cluster has opened, and when it did last
	metAt   uint32
}

// copies is when a thread has made groups of its asynchronous copies, the oldest first, and up to when they are done.
type copies struct {
	groups []uint32
	done   uint32
}

// group notes a commit or a wait of the threads that execute v.
func (b *block) group(v *kir.Value) {
	b.c.clock++
	if b.copies == nil {
		b.copies = map[int32]*copies{}
	}
	for _, t := range b.threads {
		c := b.copies[t]
		if c == nil {
			c = new(copies)
			b.copies[t] = c
		}
		if v.Op == kir.OpCopyCommit {
			c.groups = append(c.groups, b.c.clock)
			continue
		}
		for len(c.groups) > int(v.Imm) {
			c.done, c.groups = c.groups[0], c.groups[1:]
		}
	}
}

// copied reports whether the thread of an asynchronous copy has waited for it.
func (b *block) copied(s *stamp) bool {
	c := b.copies[s.thread]
	return c != nil && s.time < c.done
}

// meetings holds when two lanes of a warp last met at a warp barrier.
type meetings *[kir.WarpSize * kir.WarpSize]uint32

func (c *checker) block(cta int) cpu.Recorder {
	n := c.l.Block.Count()
	rank, blocks := c.f.ClusterOf(cta, c.l.Grid)
	of := c.clusters[cta-rank]
	if of == nil {
		of = &cluster{written: make([][]uint64, blocks), ended: make([]bool, blocks)}
		for i := range of.written {
			of.written[i] = make([]uint64, (c.f.SharedBytes()+c.l.SharedBytes+63)/64)
		}
		if blocks > 1 {
			if c.clusters == nil {
				c.clusters = map[int]*cluster{}
			}
			c.clusters[cta-rank] = of
		}
	}
	return &block{c: c, cta: int32(cta), waiting: make([]bool, n), barrier: 0, cluster: of, rank: rank}
}

// Step goes on to the next basic block.
func (b *block) Step(blk *kir.Block, threads []int32) {
	b.until(nil)
	if b.waiting[threads[0]] { // the barrier has opened
		b.missed()
		clear(b.waiting)
		b.waits, b.barrier = 0, b.c.clock
		if b.sync.Op == kir.OpGridBarrier {
			if b.phase++; b.phase > b.c.phase { // the first block that goes on: all have come
				b.c.phase, b.c.opened = b.phase, b.c.clock
			}
		}
		if b.sync.Op == kir.OpClusterBarrier {
			if b.met++; b.met > b.round {
				b.round, b.metAt = b.met, b.c.clock
			}
		}
	}
	b.blk, b.threads, b.next = blk, append(b.threads[:0], threads...), 0
}

// End notes that the block's shared memory is gone.
func (b *block) End() { b.ended[b.rank] = true }

// until goes on in the basic block to v, or to its end.
func (b *block) until(v *kir.Value) {
	if b.blk == nil {
		return
	}
	for ; b.next < len(b.blk.Values) && b.blk.Values[b.next] != v; b.next++ {
		switch u := b.blk.Values[b.next]; {
		case u.Op == kir.OpWarpBarrier:
			b.meet(u)
		case u.Op == kir.OpCopyCommit || u.Op == kir.OpCopyWait:
			b.group(u)
		case u.Op.IsBarrier():
			for _, t := range b.threads {
				b.waiting[t] = true
			}
			b.waits, b.sync = b.waits+len(b.threads), u
		}
	}
	b.next++
}

// missed reports the threads that have ended without reaching the barrier that has opened.
func (b *block) missed() {
	if ended := len(b.waiting) - b.waits; ended > 0 {
		first := int32(slices.Index(b.waiting, true))
		b.add(MissedBarrier, b.sync, Finding{Access: b.c.who(b.sync, b.cta, first), Waited: b.waits, Ended: ended}, b.sync)
	}
}

// NoLane reports a shuffle from a lane that is not there.
func (b *block) NoLane(v *kir.Value, t int32, lane int) {
	f := Finding{Access: b.c.who(v, b.cta, t), Lane: lane}
	if first := t - t%kir.WarpSize; first+int32(lane) < int32(len(b.waiting)) {
		f.Ended = 1
	}
	b.add(NoLane, v, f, v)
}

// Access notes the accesses of an instruction.
func (b *block) Access(v *kir.Value, threads []int32, at cpu.Addresses) {
	b.until(v)
	b.c.clock++
	if v.Space != kir.Global && v.Space != kir.Shared {
		return
	}
	addrs := at.List()
	for i, t := range threads {
		b.access(v, t, addrs[i])
		if v.Op.IsAtomic() && v.Space == kir.Global && b.c.fences {
			m := b.c.atomics[b.cta]
			if m == nil {
				m = map[uint64]uint32{}
				b.c.atomics[b.cta] = m
			}
			m[addrs[i]] = b.c.clock
		}
	}
}

// meet notes that the lanes of the threads have met at a warp barrier. A mask that is not constant is taken to name the
// threads that came together.
func (b *block) meet(v *kir.Value) {
	b.c.clock++
	mask := ^uint32(0)
	if m := v.Args[0]; m.Op == kir.OpConst {
		mask = uint32(m.Imm)
	}
	if b.synced == nil {
		b.synced = make([]meetings, (len(b.waiting)+kir.WarpSize-1)/kir.WarpSize)
		for i := range b.synced {
			b.synced[i] = new([kir.WarpSize * kir.WarpSize]uint32)
		}
	}
	for i, t := range b.threads {
		lane := t % kir.WarpSize
		for j := i; j >= 0 && b.threads[j]/kir.WarpSize == t/kir.WarpSize; j-- {
			if other := b.threads[j] % kir.WarpSize; (mask>>lane)&(mask>>other)&1 == 1 {
				m := b.synced[t/kir.WarpSize]
				m[lane*kir.WarpSize+other], m[other*kir.WarpSize+lane] = b.c.clock, b.c.clock
			}
		}
	}
}

func lastMeeting(m meetings, t, u int32) uint32 {
	return m[t%kir.WarpSize*kir.WarpSize+u%kir.WarpSize]
}

// initialized reports reads of shared memory that nobody has written, and notes writes.
func (b *block) initialized(v *kir.Value, t int32, addr uint64, size int) {
	owner, addr := kir.SharedPlace(addr)
	for i := addr; i < addr+uint64(size); i++ {
		p, bit := &b.written[owner][i/64], uint64(1)<<(i%64)
		if v.Op != kir.OpStore && *p&bit == 0 {
			b.add(Uninitialized, v, Finding{Addr: addr, Access: b.c.who(v, b.cta, t)}, v)
			break
		}
		*p |= bit
	}
}

// report adds a race, or what a missing warp barrier makes one.
func (b *block) report(v *kir.Value, old, now *stamp, addr uint64) {
	kind := Race
	if old.block == now.block && old.thread/kir.WarpSize == now.thread/kir.WarpSize && old.time < now.time {
		kind = MissingWarpSync
	}
	with := b.c.values[old.value]
	b.add(kind, v, Finding{Addr: addr, Access: b.c.who(v, now.block, now.thread), With: b.c.who(with, old.block, old.thread)}, with)
}

func (c *checker) who(v *kir.Value, cta, t int32) Access {
	return Access{v, at(c.l.Grid, int(cta)), at(c.l.Block, int(t))}
}

func at(d kir.Dim3, i int) kir.Dim3 {
	return kir.Dim3{X: i % d.X, Y: i / d.X % d.Y, Z: i / (d.X * d.Y)}
}

// add keeps a finding, once for each pair of values.
func (b *block) add(k Kind, v *kir.Value, f Finding, with *kir.Value) {
	c := b.c
	if c.o.Warps && k != MissingWarpSync {
		return
	}
	pair := []int32{int32(v.ID), int32(with.ID)}
	slices.Sort(pair)
	key := [3]int32{int32(k), pair[0], pair[1]}
	if i, ok := c.known[key]; ok {
		c.findings[i].Count++
		return
	}
	if len(c.findings) >= c.o.Max {
		return
	}
	c.known[key] = len(c.findings)
	f.Kind, f.Kernel, f.Space, f.Count, f.Where = k, c.f.Name, v.Space, 1, c.where(v, f.Addr)
	c.findings = append(c.findings, f)
}
