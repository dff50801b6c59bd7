package cpu

import (
	"errors"
	"iter"

	"github.com/arrayrepl/arrayrepl/internal/mmap"
	"github.com/arrayrepl/arrayrepl/kir"
)

// errStopped ends a block that waits for others of which one has failed.
var errStopped = errors.New("another block of the grid has failed")

// runTogether runs the blocks of a launch that wait for each other: each by a worker of its own, as a coroutine, one
// after another from barrier to barrier of the grid. So the order of their atomics is the same in every run.
func (r *run) runTogether() {
	total := len(r.counts)
	order := r.l.Order
	type blockRun struct {
		next func() (*kir.Value, bool)
		stop func()
	}
	blocks := make([]blockRun, total)
	for i := range blocks {
		blocks[i].next, blocks[i].stop = iter.Pull(r.coroutine(i))
		defer blocks[i].stop()
	}
	for {
		e := &kir.GridBarrierError{Kernel: r.p.f.Name}
		for i := range blocks {
			if order != nil {
				i = order[i]
			}
			at, waits := blocks[i].next()
			switch {
			case r.err != nil || r.limit.Load() < 0:
				return
			case waits:
				e.Barrier, e.Waiting, e.Waits = at, indexAt(r.l.Grid, i), e.Waits+1
			default:
				e.Ended, e.Ends = indexAt(r.l.Grid, i), e.Ends+1
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

// coroutine executes a block and yields the barriers of the grid that it comes to.
func (r *run) coroutine(cta int) iter.Seq[*kir.Value] {
	return func(yield func(*kir.Value) bool) {
		err := mmap.Read(func() error { // a fault leaves a worker that is not used again
			w := r.worker()
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
