package emulate

import (
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"sync"

	"github.com/visualfc/gid"
)

// Thread is one thread of a block that runs.
type Thread struct {
	Index, Block, BlockDim, GridDim [3]int
	Rank                            int // in its block
	Dynamic                         int // bytes of dynamic shared memory
	Asked                           any // what the caller of Run keeps there for the thread

	b      *block
	warp   *group
	copies copies
	shared int // arrays of gpu.Shared that it has asked for
	value  any
	what   string
	round  []any // what the threads brought to the meeting that opened last, by their numbers in the group
	met    chan struct{}
}

// WarpSize is the number of threads in a warp.
const WarpSize = 32

var threads sync.Map // of goroutine numbers to *Thread

// Current returns the thread that the calling goroutine is. It panics, naming the function that was called, outside of
// kernels.
func Current(name string) *Thread {
	if t, ok := threads.Load(gid.Get()); ok {
		return t.(*Thread)
	}
	panic(fmt.Sprintf("gpu.%s can be called in kernels only: run the function with gpu.Launch, or gpu.Emulate", name))
}

// Failure is the error of a run in which a thread panicked or threads waited for each other for ever.
type Failure struct {
	Block, Thread [3]int
	Value         any // what the thread panicked with
}

func (f *Failure) Error() string {
	return fmt.Sprintf("thread (%d,%d,%d) of block (%d,%d,%d): %v", f.Thread[0], f.Thread[1], f.Thread[2], f.Block[0], f.Block[1], f.Block[2], f.Value)
}

// Unwrap returns what the thread panicked with, when it is an error.
func (f *Failure) Unwrap() error {
	err, _ := f.Value.(error)
	return err
}

// Run calls kernel once for each thread of the grid, the threads of a block side by side and the blocks one after the
// other, with so many bytes of dynamic shared memory. The error is a *Failure.
func Run(grid, blockDim [3]int, dynamic int, kernel func()) error {
	for at := range placesOf(grid) {
		b := &block{dynamic: map[any]any{}}
		if err := b.run(at, grid, blockDim, dynamic, kernel); err != nil {
			return err
		}
	}
	return nil
}

// placesOf goes through the blocks of a grid, x fastest.
func placesOf(grid [3]int) iter.Seq[[3]int] {
	return func(yield func([3]int) bool) {
		for i := range grid[0] * grid[1] * grid[2] {
			if !yield([3]int{i % grid[0], i / grid[0] % grid[1], i / (grid[0] * grid[1])}) {
				return
			}
		}
	}
}

// block is a block of threads that runs.
type block struct {
	mu      sync.Mutex
	all     group
	live    int
	blocked int
	fail    *Failure
	shared  []any
	dynamic map[any]any
	grid    *together // nil where blocks run one after another
	cluster *together // nil where there are none
}

// errLeft ends the threads that wait when another has failed.
var errLeft = errors.New("another thread of the block has failed")

func (b *block) run(at, grid, dim [3]int, dynamic int, kernel func()) error {
	n := dim[0] * dim[1] * dim[2]
	b.live, b.all.live = n, n
	warps := make([]group, (n+WarpSize-1)/WarpSize)
	var wg sync.WaitGroup
	var ts []*Thread
	for rank := range n {
		t := &Thread{
			Index: [3]int{rank % dim[0], rank / dim[0] % dim[1], rank / dim[0] / dim[1]}, Block: at, BlockDim: dim, GridDim: grid,
			Rank: rank, Dynamic: dynamic, b: b, warp: &warps[rank/WarpSize], met: make(chan struct{}, 1),
		}
		t.warp.live++
		t.warp.alive |= 1 << t.Lane()
		ts = append(ts, t)
	}
	for _, t := range ts {
		wg.Go(func() { t.run(kernel) })
	}
	wg.Wait()
	if b.fail != nil {
		return b.fail
	}
	return nil
}

func (t *Thread) run(kernel func()) {
	id := gid.Get()
	threads.Store(id, t)
	ended := false
	defer func() {
		threads.Delete(id)
		r := recover()
		if r == nil && !ended {
			r = "it was ended from outside" // by Goexit: the cell was interrupted
		}
		t.leave(r)
	}()
	kernel()
	ended = true
}

// leave ends a thread: others need not wait for it any more.
func (t *Thread) leave(panicked any) {
	b := t.b
	b.mu.Lock()
	defer b.mu.Unlock()
	if panicked != nil && panicked != errLeft {
		b.give(&Failure{Block: t.Block, Thread: t.Index, Value: panicked})
	}
	b.live--
	groups := []*group{&b.all, t.warp}
	t.warp.alive &^= 1 << t.Lane()
	for mask, g := range t.warp.parts {
		if mask>>t.Lane()&1 == 1 {
			groups = append(groups, g)
		}
	}
	for _, g := range groups {
		g.live--
		g.tryOpen(b)
	}
	b.stuck()
}

// give makes f the block's failure and ends the threads that wait.
func (b *block) give(f *Failure) {
	if b.fail == nil {
		b.fail = f
	}
	b.release(&b.all)
	for _, g := range b.all.warps {
		b.release(g)
	}
}

func (b *block) release(g *group) {
	for _, t := range g.waiting {
		b.blocked--
		t.met <- struct{}{}
	}
	g.waiting = nil
}

// stuck fails the block when all its threads wait.
func (b *block) stuck() {
	if b.live == 0 || b.blocked < b.live || b.fail != nil {
		return
	}
	var where string
	var one *Thread
	count := map[string]int{}
	for _, g := range append([]*group{&b.all}, b.all.warps...) {
		for _, t := range g.waiting {
			count[t.what]++
			if one == nil {
				one, where = t, t.what
			}
		}
	}
	b.give(&Failure{Block: one.Block, Thread: one.Index, Value: fmt.Sprintf(
		"waits in gpu.%s for threads that wait elsewhere (%v): all threads of a block, or of a warp, must come to the same call", where, count)})
}

// group is the threads that meet: those of a block, those of a warp, or some lanes of one.
type group struct {
	live    int
	waiting []*Thread
	warps   []*group // of a block: those of its threads that have waited
	// of a warp: the lanes that have not ended, and the groups of some of its lanes, by their masks
	alive uint32
	parts map[uint32]*group
}

// meet waits until all live threads of g have come, each with a value.
func (t *Thread) meet(g *group, what string, value any) {
	b := t.b
	b.mu.Lock()
	if b.fail != nil {
		b.mu.Unlock()
		panic(errLeft)
	}
	if g != &b.all && !contains(b.all.warps, g) {
		b.all.warps = append(b.all.warps, g)
	}
	t.value, t.what = value, what
	g.waiting = append(g.waiting, t)
	b.blocked++
	g.tryOpen(b)
	b.stuck()
	b.mu.Unlock()
	<-t.met
	b.mu.Lock()
	failed := b.fail != nil
	b.mu.Unlock()
	if failed {
		panic(errLeft)
	}
}

func contains(gs []*group, g *group) bool {
	for _, x := range gs {
		if x == g {
			return true
		}
	}
	return false
}

// tryOpen lets the waiting threads go on when all have come to the same call.
func (g *group) tryOpen(b *block) {
	if len(g.waiting) == 0 || len(g.waiting) < g.live {
		return
	}
	for _, t := range g.waiting {
		if t.what != g.waiting[0].what {
			b.give(&Failure{Block: t.Block, Thread: t.Index, Value: fmt.Sprintf("is at gpu.%s while others are at gpu.%s", t.what, g.waiting[0].what)})
			return
		}
	}
	size := WarpSize
	if g == &b.all {
		size = 0
		for _, t := range g.waiting {
			size = max(size, t.Rank+1)
		}
	}
	round := make([]any, size)
	for _, t := range g.waiting {
		round[t.Rank%size] = t.value
	}
	for _, t := range g.waiting {
		t.round = round
	}
	b.release(g)
}

// Sync waits for all threads of the block and returns what each brought, nil for threads that have ended.
func (t *Thread) Sync(what string, value any) []any {
	t.meet(&t.b.all, what, value)
	return t.round
}

// Warp waits for the threads of the warp and returns what each brought, by lanes; nil for lanes that have ended.
func (t *Thread) Warp(what string, value any) []any {
	t.meet(t.warp, what, value)
	return t.round
}

// Lanes waits for the threads of the warp that mask names, the thread among them, and returns what each brought, by
// lanes; nil for the others and for those that have ended.
func (t *Thread) Lanes(mask uint32, what string, value any) []any {
	t.meet(t.part(mask), what, value)
	return t.round
}

// part returns the group of some lanes of the thread's warp.
func (t *Thread) part(mask uint32) *group {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	g := t.warp.parts[mask]
	if g == nil {
		if t.warp.parts == nil {
			t.warp.parts = map[uint32]*group{}
		}
		g = &group{live: bits.OnesCount32(mask & t.warp.alive)}
		t.warp.parts[mask] = g
	}
	return g
}

// Lane returns the thread's number in its warp.
func (t *Thread) Lane() int { return t.Rank % WarpSize }

// Shared returns what the threads of the block share under the number of times that the thread has called it: make
// makes it.
func (t *Thread) Shared(make func() any) any {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	t.shared++
	if t.shared > len(t.b.shared) {
		t.b.shared = append(t.b.shared, make())
	}
	return t.b.shared[t.shared-1]
}

// DynamicShared returns the block's dynamic shared memory as make makes it of its size, the same for equal keys.
func (t *Thread) DynamicShared(key any, make func(bytes int) any) any {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	v, ok := t.b.dynamic[key]
	if !ok {
		v = make(t.Dynamic)
		t.b.dynamic[key] = v
	}
	return v
}

var memory sync.Mutex

// Atomically runs f while no other thread does.
func Atomically(f func()) {
	memory.Lock()
	defer memory.Unlock()
	f()
}
