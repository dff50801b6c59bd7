package cudabackend

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/offload/device"
)

// operation is what a stream queues.
type operation interface {
	device.Event
	isOver() bool // without a call of the driver
}

// queue is what a stream has under way.
type queue[E operation] struct {
	mu      sync.Mutex
	pending []E // in order; the oldest first
	closed  bool
	working atomic.Bool // something was queued since the stream was last idle

	errors failures
}

// add queues e. Called with q.mu held.
func (q *queue[E]) add(e E) {
	q.working.Store(true)
	q.pending = append(q.pending, e)
}

// drain waits until all is done and returns the first error since the last call. When ctx ends first it returns at
// once, with what it waited for: the results of that are of no interest.
func (q *queue[E]) drain(ctx context.Context) (left []E, err error) {
	q.mu.Lock()
	pending := slices.Clone(q.pending)
	q.mu.Unlock()
	for _, e := range pending {
		if e.Wait(ctx); ctx.Err() != nil {
			break
		}
	}
	if err := ctx.Err(); err != nil {
		q.errors.giveUp()
		return pending, err
	}
	q.mu.Lock()
	q.pending = slices.DeleteFunc(q.pending, E.isOver)
	q.working.Store(len(q.pending) > 0)
	q.mu.Unlock()
	return nil, q.errors.take()
}

// close lets nothing be queued any more, and reports whether it is the first call.
func (q *queue[E]) close() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	first := !q.closed
	q.closed = true
	return first
}

// failures keeps the first error of a stream since the last Sync.
type failures struct {
	mu    sync.Mutex
	age   int // of the queue: one more each time it is given up
	first error
}

// fail keeps err, of a queue of that age, unless the queue was given up since.
func (f *failures) fail(age int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.first == nil && f.age == age {
		f.first = err
	}
}

// round returns the age of what is queued now.
func (f *failures) round() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.age
}

// giveUp forgets the queue: its errors are of no interest any more.
func (f *failures) giveUp() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.age, f.first = f.age+1, nil
}

// take returns the first error and forgets it.
func (f *failures) take() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.first
	f.first = nil
	return err
}
