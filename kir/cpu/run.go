package cpu

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/internal/mmap"
	"github.com/arrayrepl/arrayrepl/internal/workers"
	"github.com/arrayrepl/arrayrepl/kir"
)

const (
	maxGrid     = math.MaxInt32 // blocks of a launch
	maxTogether = 1 << 20       // threads of a launch whose blocks wait for each other: their registers take memory
	maxShared   = 1 << 30       // bytes; devices set far lower limits, this one protects the host
)

// check reports what is wrong with l as a launch of f.
func (l *Launch) check(f *kir.Func) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("launch of kernel %s, grid %v, block %v: %s", f.Name, l.Grid, l.Block, fmt.Sprintf(format, args...))
	}
	for _, d := range []kir.Dim3{l.Grid, l.Block} {
		if d.X < 1 || d.Y < 1 || d.Z < 1 {
			return fail("every size must be at least 1")
		}
	}
	if b := l.Block; b.X > kir.MaxThreadsPerBlock || b.Y > kir.MaxThreadsPerBlock || b.Z > kir.MaxThreadsPerBlock || b.Count() > kir.MaxThreadsPerBlock {
		return fail("a block may have %d threads", kir.MaxThreadsPerBlock)
	}
	if most := f.Bounds.MaxThreads; most > 0 && l.Block.Count() > most {
		return fail("the kernel was made for blocks of at most %d threads", most)
	}
	if g := l.Grid; g.X > maxGrid || g.Y > maxGrid/g.X || g.Z > maxGrid/(g.X*g.Y) {
		return fail("a grid may have %d blocks", maxGrid)
	}
	if len(l.Params) != f.ParamBytes() {
		return fail("the parameters take %d bytes, not %d", f.ParamBytes(), len(l.Params))
	}
	if err := f.Fits(l.Grid, l.Block, l.Params); err != nil {
		return err
	}
	if f.Bounds.Cluster > 1 && f.Cooperative() {
		return fail("its blocks wait for the whole grid and are in clusters: one of the two is supported")
	}
	if n := l.Grid.Count() * l.Block.Count(); n > maxTogether && f.Cooperative() {
		return fail("a cooperative launch may have %d threads on the CPU", maxTogether)
	}
	most := maxShared
	if f.Bounds.Cluster > 1 {
		most = int(kir.SharedBase(1)) - f.SharedBytes()
	}
	if l.SharedBytes < 0 || l.SharedBytes > most {
		return fail("%d bytes of dynamic shared memory; there may be 0 to %d", l.SharedBytes, most)
	}
	if l.Order != nil {
		return l.checkOrder(fail)
	}
	return nil
}

func (l *Launch) checkOrder(fail func(format string, args ...any) error) error {
	n := l.Grid.Count()
	if len(l.Order) != n {
		return fail("the order of the blocks has %d of %d", len(l.Order), n)
	}
	seen := make([]bool, n)
	for _, cta := range l.Order {
		if cta < 0 || cta >= n {
			return fail("the order of the blocks has number %d; they go from 0 to %d", cta, n-1)
		}
		if seen[cta] {
			return fail("the order of the blocks has number %d twice", cta)
		}
		seen[cta] = true
	}
	return nil
}

// Run executes the launch and waits for its end. The result in memory does not depend on Workers, as long as blocks do
// not write what others read but by atomics: a kernel whose atomics in global memory give results that are used, sum
// floats, or exchange values runs its blocks one after another in the order of their numbers, and an atomic goes
// through its threads in theirs, so that every run gives the same bits. So does a kernel that prints. A bad access or a
// failed check is a *Trap, barriers that cannot open are a *BarrierError, of the lowest numbered block that came to
// one; memory of a mapped file that was cut short is a *mmap.Fault. When ctx is cancelled Run returns ctx.Err() within
// some milliseconds. After an error the memory that the kernel writes holds anything, and Counts are those of what was
// executed.
func (p *Program) Run(ctx context.Context, l Launch) (Counts, error) {
	if err := l.check(p.f); err != nil {
		return Counts{}, err
	}
	if err := ctx.Err(); err != nil {
		return Counts{}, err
	}
	var global table
	paged := false
	if l.Memory != nil {
		global, paged = l.Memory.pieces()
		defer l.Memory.release()
	}
	consts := p.consts
	if p.late {
		data, err := p.f.Constants(l.Params, global.bytes)
		if err != nil {
			return Counts{}, err
		}
		consts = tableFrom(data)
	}
	total := l.Grid.Count()
	procs := l.Workers
	if procs <= 0 {
		procs = runtime.GOMAXPROCS(0)
	}
	r := &run{p: p, l: &l, global: global, consts: consts, paged: paged, counts: make([]int64, total), side: p.sideBySide(&l, procs)}
	perRow := (l.Grid.X + r.side - 1) / r.side
	r.groups = perRow * (total / l.Grid.X)
	if procs = min(procs, r.groups); p.serial || l.Order != nil {
		procs = 1
	}
	r.chunk = max(1, min(64, r.groups/(8*procs)))
	r.limit.Store(int64(total))
	l.Watch.begin(r)
	defer l.Watch.end()
	stop := context.AfterFunc(ctx, func() { r.limit.Store(-1) })
	defer stop()

	if p.together {
		r.runTogether()
	} else {
		r.share(procs)
	}
	counts := Counts{ThreadInstructions: r.counts}
	if r.err != nil && !errors.Is(r.err, errAbandoned) {
		return counts, r.err
	}
	return counts, ctx.Err()
}

// lanesAtOnce is how many threads of small blocks run side by side: enough that an operation costs more than getting to
// it, few enough that the arrays of some operations stay in the first cache.
const lanesAtOnce = 1024

// sharedAtOnce is how many bytes of shared memory blocks that run side by side have together: they stay in the second
// cache with the lanes.
const sharedAtOnce = 128 << 10

// sideBySide returns how many blocks of a launch, neighbours in the grid's x, run as one, each with a shared memory of
// its own: where their warps are whole, if they are asked for. A recorded launch runs block by block.
func (p *Program) sideBySide(l *Launch, workers int) int {
	if !p.beside || l.Record != nil || l.Order != nil || p.warps && l.Block.Count()%kir.WarpSize != 0 {
		return 1
	}
	most := lanesAtOnce / l.Block.Count()
	if n := p.sharedStride(l); n > 0 {
		most = min(most, sharedAtOnce/n)
	}
	return max(1, min(most, l.Grid.X, l.Grid.Count()/workers))
}

// sharedStride returns the bytes from a block's shared memory to that of the next one that runs beside it.
func (p *Program) sharedStride(l *Launch) int { return (p.f.SharedBytes() + l.SharedBytes + 15) &^ 15 }

// run is a launch on its way.
type run struct {
	p      *Program
	l      *Launch
	global table
	consts table
	paged  bool // some of global is
	counts []int64
	side   int          // blocks that run side by side, of one row of the grid
	groups int          // of blocks that run side by side
	chunk  int          // groups that a worker takes at a time
	next   atomic.Int64 // first group that no worker has taken
	limit  atomic.Int64 // blocks from here on need not run: there was an error before them, or nobody waits any more

	printed int // bytes; kernels that print have one worker

	mu    sync.Mutex
	err   error
	errAt int
}

// group returns the first block of group number i and the number of its blocks.
func (r *run) group(i int) (cta, n int) {
	if r.l.Order != nil {
		return r.l.Order[i], 1
	}
	x := r.l.Grid.X
	perRow := (x + r.side - 1) / r.side
	at := i % perRow * r.side
	return i/perRow*x + at, min(r.side, x-at)
}

// share lets so many goroutines work: those that package arrays has waiting, where they are enough and free, since new
// ones take longer to begin than a short launch takes.
func (r *run) share(n int) {
	if n > 1 && n <= workers.Count() && workers.Try(n, func(int) { r.guarded() }, func() {}) {
		return
	}
	var wg sync.WaitGroup
	for range n - 1 {
		wg.Go(r.guarded)
	}
	r.guarded()
	wg.Wait()
}

// guarded is work that may come to memory which cannot be read: that of a file that was cut short. The worker, whose
// state is then anything, is not used again.
func (r *run) guarded() {
	if err := mmap.Read(func() error { r.work(); return nil }); err != nil {
		r.fail(0, err)
	}
}

func (r *run) work() {
	w := r.worker()
	for done := false; !done; {
		first := int(r.next.Add(int64(r.chunk))) - r.chunk
		last := min(first+r.chunk, r.groups)
		for i := first; i < last && !done; i++ {
			cta, n := r.group(i)
			if done = r.over(cta); !done {
				r.execute(w, cta, n)
			}
		}
		done = done || last >= r.groups
	}
	r.put(w)
}

// worker returns one that is ready for the launch.
func (r *run) worker() *worker {
	w, _ := r.p.pool.Get().(*worker)
	if w == nil {
		w = &worker{p: r.p}
	}
	w.fit(r.l, r.side, r.global, r.consts)
	if w.paged = r.paged; w.paged {
		w.fitLines()
	}
	w.printed = &r.printed
	return w
}

// put gives a worker back, which keeps nothing of the launch.
func (r *run) put(w *worker) {
	w.l, w.spaces, w.rec, w.grid, w.rank = nil, [kir.NumSpaces]table{}, nil, nil, 0
	clear(w.near)
	clear(w.far)
	w.counted = nil
	for i := range w.regs { // they may point into memory of the launch
		w.regs[i].p = nil
	}
	clear(w.asks[:cap(w.asks)]) // and so may these
	r.p.pool.Put(w)
}

// over reports whether block cta need not run any more. In an order of its own a launch ends with the first error.
func (r *run) over(cta int) bool {
	limit := r.limit.Load()
	return limit <= int64(cta) || r.l.Order != nil && limit < int64(len(r.counts))
}

// execute runs n blocks from number cta on. After an error the blocks run again one by one, to find the lowest that has
// one: what they have written by then may have changed what they do, but memory holds anything after an error.
func (r *run) execute(w *worker, cta, n int) {
	var rec Recorder
	if r.l.Record != nil {
		rec = r.l.Record(cta)
	}
	defer w.letLines()
	w.oneByOne = n > 1
	err := w.run(cta, n, rec, &r.limit)
	w.oneByOne = false
	if err == errRowEnds {
		for i := range n {
			r.execute(w, cta+i, 1)
		}
		return
	}
	for i := range n {
		r.counts[cta+i] = w.work + w.works[i]
	}
	if err == nil || err == errStopped {
		return
	}
	if n == 1 {
		r.fail(cta, err)
		return
	}
	for i := range n {
		if err := w.run(cta+i, 1, nil, &r.limit); err != nil {
			r.fail(cta+i, err)
			return
		}
	}
	r.fail(cta, err)
}

// fail keeps the error of the lowest block and stops the blocks after it. Those before it go on: workers take blocks in
// increasing order, so all of them have begun, and one may fail too.
func (r *run) fail(cta int, err error) {
	r.mu.Lock()
	if r.err == nil || cta < r.errAt {
		r.err, r.errAt = err, cta
	}
	r.mu.Unlock()
	for {
		old := r.limit.Load()
		if old <= int64(cta) || r.limit.CompareAndSwap(old, int64(cta)) {
			return
		}
	}
}
