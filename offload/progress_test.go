package offload

import (
	"context"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// slowEvent is done when its channel is closed.
type slowEvent chan struct{}

func (e slowEvent) Wait(ctx context.Context) error {
	select {
	case <-e:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (e slowEvent) Done() bool {
	select {
	case <-e:
		return true
	default:
		return false
	}
}

func (slowEvent) Trace() trace.Event { return trace.Event{} }

// slowStream is idle when its last event is done.
type slowStream struct {
	device.Stream
	last slowEvent
}

func (s slowStream) Sync(ctx context.Context) error { return s.last.Wait(ctx) }

type shownProgress struct {
	set []int
}

func (p *shownProgress) Set(n int) { p.set = append(p.set, n) }
func (p *shownProgress) Done()     {}

// A long wait shows how many tasks are done, a short one nothing, and an interrupt ends both.
func TestLongWaitsShowProgress(t *testing.T) {
	first, second := make(slowEvent), make(slowEvent)
	rec := &recorder{queued: []queued{{ev: first, task: 1}, {ev: second, task: 2}}, tasks: 3}
	var label string
	bar := &shownProgress{}
	rt := &Runtime{Progress: func(l string, total int) Progress {
		if label = l; total != 3 {
			t.Errorf("%d tasks", total)
		}
		return bar
	}, current: namedDevice{}}
	close(first)
	ctx, interrupt := context.WithCancel(t.Context())
	time.AfterFunc(progressAfter+5*progressTick, interrupt)
	if err := rt.wait(ctx, slowStream{last: second}, rec); err != context.Canceled {
		t.Error(err)
	}
	if label != "computing on sim:slow" || len(bar.set) == 0 || bar.set[0] != 1 {
		t.Errorf("%q, %+v", label, bar)
	}
	label, rec.bar = "", nil
	close(second)
	if err := rt.wait(t.Context(), slowStream{last: second}, rec); err != nil || label != "" {
		t.Errorf("%v, %q", err, label)
	}
}

type namedDevice struct{ device.Device }

func (namedDevice) ID() string { return "sim:slow" }
