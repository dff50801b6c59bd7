package interp

import (
	"context"
	"sync"
	"time"

	"github.com/visualfc/gid"
)

// callers are functions that cells call in the place of those that call a function of theirs on another goroutine: a panic
// there would end the process.
func (s *Session) callers() map[string]any {
	return map[string]any{
		"(*sync.WaitGroup).Go": func(wg *sync.WaitGroup, f func()) { wg.Go(s.guarded(f)) },
		"time.AfterFunc":       func(d time.Duration, f func()) *time.Timer { return time.AfterFunc(d, s.guarded(f)) },
		"context.AfterFunc": func(ctx context.Context, f func()) func() bool {
			return context.AfterFunc(ctx, s.guarded(f))
		},
	}
}

// guarded returns f with its panic taken. The trace is that of the call that hands it over, as far as it is known.
func (s *Session) guarded(f func()) func() {
	r := s.mine()
	var trace []Frame
	if r != nil && r.id.Load() == gid.Get() {
		trace = r.where()
	}
	return func() {
		defer func() {
			if v := recover(); v != nil {
				s.panicIn(r, mendPanic(v), trace)
			}
		}()
		f()
	}
}
