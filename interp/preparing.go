package interp

import (
	"context"
	"sync"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/supervise"
)

// poll ends the preparing of a cell, by a panic with engine.ErrStopped, when nobody waits for it any more.
func (s *Session) poll() {
	if s.waits.gone() {
		panic(engine.ErrStopped)
	}
}

// waiting is somebody who waits for a cell to be prepared, until its context ends. A nil one waits for ever.
type waiting struct {
	ctx   context.Context
	begun chan struct{} // closed when the cell runs, and when it never will

	mu          sync.Mutex
	left, taken bool // at most one of them
}

// gone reports whether nobody waits any more.
func (w *waiting) gone() bool { return w != nil && w.ctx.Err() != nil }

// take makes the cell one that will run; false when nobody waits for it.
func (w *waiting) take() bool {
	if w == nil {
		return true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.taken = !w.left
	return w.taken
}

// leave ends the waiting; false when the cell has been taken.
func (w *waiting) leave() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left = !w.taken
	return w.left
}

// prepareAndRun takes a cell through all its steps on another goroutine, and returns as soon as ctx ends; nil when
// nothing of it has run. The checker and the engines cannot be interrupted within a step, and one step may take seconds
// for a cell with a million numbers: what was begun ends beside the session, which keeps nothing of it, and the next
// cell waits for that, as long as its own context lasts. One goroutine does both, as to wake another costs more than a
// small cell.
func (s *Session) prepareAndRun(ctx context.Context, c Cell) (*prepared, *Error) {
	r := s.supervisor.NewRun()
	r.Begin = c.Begin
	w := &waiting{ctx: ctx, begun: make(chan struct{})}
	var p *prepared // written before begun is closed
	var fail *Error
	supervise.OnWorker(func() (keep bool) {
		p, fail = s.prepare(w, r, c.Number, c.Source)
		if p == nil {
			close(w.begun)
			return true
		}
		r.Launch(ctx, p.code)
		close(w.begun)
		r.Main(p.code)
		return !r.KeepsThread()
	}, r.Ended)
	stop := r.Wait(ctx)
	if stop != nil && w.leave() {
		return nil, stopped()
	}
	<-w.begun
	if p == nil {
		return nil, fail
	}
	fail = r.Outlive(stop, p.Goes)
	s.commit(p, fail != nil)
	if fail == nil { // after the commit: all of it has run
		fail = r.FailedChecks()
	}
	return p, fail
}

// stopped is the error of a cell that was interrupted while it was compiled.
func stopped() *Error {
	return &Error{Kind: Interrupted, Message: "interrupted while the cell was compiled; nothing of it ran"}
}
