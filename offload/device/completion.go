package device

import (
	"context"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

var _ Event = (*Completion)(nil)

// Completion is an Event that whoever does the operation ends itself: of devices that need not be asked whether they
// are done.
type Completion struct {
	Record trace.Event // written before Finish alone
	done   chan struct{}
	err    error
}

// NewCompletion returns the event of an operation that has not ended.
func NewCompletion(record trace.Event) *Completion {
	return &Completion{Record: record, done: make(chan struct{})}
}

// Finish ends it, with the error of the operation or nil. Call it once.
func (c *Completion) Finish(err error) {
	c.err = err
	close(c.done)
}

// Wait waits for the operation and returns its error, or ctx's when that ends first.
func (c *Completion) Wait(ctx context.Context) error {
	if c.Done() {
		return c.err
	}
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Done reports whether the operation has ended.
func (c *Completion) Done() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// Trace waits for the operation and returns its record.
func (c *Completion) Trace() trace.Event {
	<-c.done
	return c.Record
}
