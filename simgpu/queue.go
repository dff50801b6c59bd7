package simgpu

import (
	"context"
	"fmt"

	"github.com/arrayrepl/arrayrepl/internal/mmap"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// operation is one thing in a GPU's queue.
type operation struct {
	gpu *GPU
	run func() // what takes its turn but no device time and cannot fail

	stream    *stream
	event     *event
	ctx       context.Context // ends when the stream gives up
	submitted trace.Time      // on the host clock
	node      *graphNode      // of an operation of a graph
	nesting   nesting         // of a launch
	work      workFunc
}

// workFunc does an operation and fills its event's Start, End and Stats.
type workFunc func(ctx context.Context, at moment, e *trace.Event) error

// moment is what an operation cannot begin before.
type moment struct {
	submitted trace.Time // when the host had queued it
	previous  trace.Time // when its stream was done with what came before
	inGraph   bool       // what came before is of the same graph
	nested    bool       // a kernel launches it
}

// kernel returns when a kernel can begin: after a short gap where it was queued while the stream worked; else its way
// from the host shows. The kernels of a graph are there when it begins.
func (m moment) kernel(p *Preset) trace.Time {
	if m.inGraph {
		return m.previous + trace.Time(p.GraphGap)*trace.Nanosecond
	}
	if m.nested {
		return m.previous + trace.Time(p.LaunchGap)*trace.Nanosecond
	}
	return max(m.submitted+trace.Time(p.LaunchLatency)*trace.Nanosecond, m.previous+trace.Time(p.LaunchGap)*trace.Nanosecond)
}

func (m moment) latest() trace.Time { return max(m.submitted, m.previous) }

func (op *operation) abandon(err error) {
	if op.event != nil {
		op.event.Finish(err)
	}
}

// enqueue puts op at the end of the machine's queue.
func (g *GPU) enqueue(op *operation) {
	if !g.box.enqueue(g, op) {
		op.abandon(fmt.Errorf("%s: %w", g.id, errClosed))
	}
}

func (op *operation) execute() {
	s, e := op.stream, op.event
	if err := s.broken(op.ctx); err != nil {
		e.Record.Start, e.Record.End = s.end, s.end
		e.Finish(err)
		return
	}
	g := s.gpu
	if op.nesting.settles(op.node == nil && s.open || op.node != nil && op.node.settles(s.open)) {
		g.settle()
	}
	at := moment{submitted: op.submitted, previous: s.end}
	if op.node != nil {
		at = op.node.moment(op.submitted, s.end)
	}
	at = g.nest.moment(op.nesting, at)
	waiting := len(g.waiting)
	err := mmap.Read(func() error { return op.work(op.ctx, at, &e.Record) })
	if err == nil && len(g.waiting) > waiting {
		g.waiting[waiting].op = op
		e.open, s.open = true, true
		e.Completion.Finish(nil)
		if len(g.waiting) == maxWaiting {
			g.settle()
		}
		return
	}
	op.told(err)
	e.Finish(err)
}

// told notes that the operation's times are known.
func (op *operation) told(err error) {
	s, e := op.stream, op.event
	called := op.submitted - trace.Time(s.gpu.preset.SubmitTime)*trace.Nanosecond
	e.Record.Launch = max(e.Record.Start-max(s.end, called), 0)
	if err != nil {
		s.fail(op.ctx, err)
	} else {
		s.end = max(s.end, e.Record.End)
		s.gpu.nest.ended(op.nesting, e.Record.End)
	}
}

// event is the end of an operation. The modelled host waits with who waits for it.
type event struct {
	*device.Completion
	gpu  *GPU
	open bool          // its times are not known; the executing goroutine's
	told chan struct{} // closed when they are
}

// Finish ends the operation, whose times are known.
func (e *event) Finish(err error) {
	close(e.told)
	e.Completion.Finish(err)
}

// Wait blocks until the operation is done and returns its error.
func (e *event) Wait(ctx context.Context) error {
	if err := e.Completion.Wait(ctx); !e.Done() {
		return err
	}
	if err := e.timed(ctx); err != nil {
		return err
	}
	e.gpu.hostAt(e.Record.End)
	return e.Completion.Wait(context.Background())
}

// Trace waits for the operation and returns its record.
func (e *event) Trace() trace.Event {
	e.Completion.Wait(context.Background())
	e.timed(context.Background())
	return e.Record
}

// timed waits until the times of an operation that is done are known. They are found with those of all that has been
// queued until somebody asks.
func (e *event) timed(ctx context.Context) error {
	select {
	case <-e.told:
		return nil
	default:
	}
	e.gpu.box.settles()
	select {
	case <-e.told:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// hostAt advances the modelled host clock to t, when it is not there yet.
func (g *GPU) hostAt(t trace.Time) {
	g.box.mu.Lock()
	g.box.clock = max(g.box.clock, t)
	g.box.mu.Unlock()
}

// call advances the host clock by a call and returns when it was over.
func (g *GPU) call() trace.Time {
	g.box.mu.Lock()
	defer g.box.mu.Unlock()
	g.box.clock += trace.Time(g.preset.SubmitTime) * trace.Nanosecond
	return g.box.clock
}
