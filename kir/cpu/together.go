package cpu

import (
	"errors"
	"iter"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/mmap"
	"github.com/arrayrepl/arrayrepl/kir"
)

// errStopped ends a block that waits for others of which one has failed.
var errStopped = errors.New("another block of the grid has failed")

// blockRun is a block that waits for others.
type blockRun struct {
	cta  int
	next func() (*kir.Value, bool)
	stop func()
}

// runTogether runs the blocks of a launch that wait for each other: each by a worker of its own, as a coroutine, one
// after another from barrier to barrier of the grid, or of a cluster after the other. So the order of their atomics is
// the same in every run.
func (r *run) runTogether() {
	total := len(r.counts)
	order := r.p.f.ClusterOrder(r.l.Order)
	n := r.p.f.Bounds.Cluster
	if n <= 1 {
		if n = 1; r.p.f.Cooperative() {
			n = total
		}
	}
	for first := 0; first < total && r.err == nil && r.limit.Load() >= 0; first += n {
		blocks := make([]blockRun, n)
		members := &cluster{memory: make([][]uint64, n)}
		for i := range blocks {
			b := &blocks[i]
			if b.cta = first + i; order != nil {
				b.cta = order[first+i]
			}
			rank, _ := r.p.f.ClusterOf(b.cta, r.l.Grid)
			b.next, b.stop = iter.Pull(r.coroutine(b.cta, rank, members))
		}
		r.meet(blocks)
		for i := range blocks {
			blocks[i].stop()
		}
	}
}

// meet runs blocks from barrier to barrier until all have ended, or one has failed.
func (r *run) meet(blocks []blockRun) {
	for {
		e := &kir.GridBarrierError{Kernel: r.p.f.Name}
		for i := range blocks {
			at, waits := blocks[i].next()
			switch {
			case r.err != nil || r.limit.Load() < 0:
				return
			case waits:
				e.Barrier, e.Waiting, e.Waits = at, indexAt(r.l.Grid, blocks[i].cta), e.Waits+1
			default:
				e.Ended, e.Ends = indexAt(r.l.Grid, blocks[i].cta), e.Ends+1
			}
		}
		if e.Waits == 0 {
			return
		}
		if e.Ends > 0 {
			r.fail(0, e)
			return
		}
	}
}

// cluster is the shared memories of blocks that see those of each other.
type cluster struct {
	memory [][]uint64
	all    table
}

// join gives w a shared memory of its own among those of its cluster.
func (c *cluster) join(w *worker, rank int) {
	w.rank = rank
	n := w.p.f.SharedBytes() + w.l.SharedBytes
	if n == 0 || w.p.f.Bounds.Cluster <= 1 {
		return
	}
	if c.all == nil {
		all := make([]segment, len(c.memory))
		for i := range c.memory {
			c.memory[i] = make([]uint64, (n+7)/8)
			fill(c.memory[i], poison)
			all[i] = segment{base: kir.SharedBase(i), size: uint64(n), ptr: unsafe.Pointer(&c.memory[i][0])}
		}
		c.all = table{all}
	}
	w.smem, w.spaces[kir.Shared] = nil, c.all
}

// coroutine executes a block and yields the barriers of the grid, or its cluster, that it comes to.
func (r *run) coroutine(cta, rank int, members *cluster) iter.Seq[*kir.Value] {
	return func(yield func(*kir.Value) bool) {
		err := mmap.Read(func() error { // a fault leaves a worker that is not used again
			w := r.worker()
			members.join(w, rank)
			w.grid = yield
			r.execute(w, cta, 1)
			r.put(w)
			return nil
		})
		if err != nil {
			r.fail(0, err)
		}
	}
}
