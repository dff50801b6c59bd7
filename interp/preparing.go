package interp

import (
	"context"
	"errors"
	"sync"
)

// errStopped is what an engine returns when Program.Stop says that nobody wants the program.
var errStopped = errors.New("it is not wanted any more")

// waiting is somebody who waits for a cell to be prepared, until its context ends. A nil one waits for ever.
type waiting struct {
	ctx context.Context

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

// prepareWithin is prepare that returns as soon as ctx ends. The checker and the engines cannot be interrupted within a step,
// and one step may take seconds for a cell with a million numbers: what was begun ends beside the session, which keeps
// nothing of it, and the next cell waits for that, as long as its own context lasts.
func (s *Session) prepareWithin(ctx context.Context, cell int, src string) (*prepared, *Error) {
	type answer struct {
		p    *prepared
		fail *Error
	}
	w := &waiting{ctx: ctx}
	ready := make(chan answer, 1)
	go func() {
		p, fail := s.prepare(w, cell, src)
		ready <- answer{p, fail}
	}()
	select {
	case a := <-ready:
		return a.p, a.fail
	case <-ctx.Done():
		if w.leave() {
			return nil, stopped()
		}
		a := <-ready // it is nearly done
		return a.p, a.fail
	}
}

// stopped is the error of a cell that was interrupted while it was compiled.
func stopped() *Error {
	return &Error{Kind: Interrupted, Message: "interrupted while the cell was compiled; nothing of it ran"}
}
