package offload

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
	testsize.InTurn(t, 2)
	first, second := make(slowEvent), make(slowEvent)
	rec := &recorder{queued: []queued{{ev: first, task: 1}, {ev: second, task: 2}}, tasks: 3}
	var label string
	bar := &shownProgress{}
	rt := &Runtime{Progress: func(l string, total int) Progress {
		if label = l; total != 3 {
			t.Errorf("%d tasks", total)
		}
		return bar
	}, name: "sim:slow"}
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

// watchedStream is a slow one whose kernel is known.
type watchedStream struct{ slowStream }

func (watchedStream) Where() string {
	return "kernel spin: thread (5) of block (0) is at cell 1, line 4"
}

// TestLongKernelsAreNamed: of a kernel that runs for seconds it is said once where it is, and again when it is
// interrupted.
func TestLongKernelsAreNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := make(slowEvent), make(slowEvent)
		rec := &recorder{queued: []queued{{ev: first, task: 1}, {ev: second, task: 2}}, tasks: 2}
		var told []string
		rt := &Runtime{
			Progress: func(string, int) Progress { return &shownProgress{} },
			Warn:     func(text string) { told = append(told, text) },
			current:  namedDevice{},
		}
		ctx, interrupt := context.WithCancel(t.Context())
		time.AfterFunc(4*time.Second, func() { close(first) })
		time.AfterFunc(30*time.Second, interrupt)
		require.ErrorIs(t, rt.wait(ctx, watchedStream{slowStream{last: second}}, rec), context.Canceled)
		const at = "kernel spin: thread (5) of block (0) is at cell 1, line 4"
		assert.Equal(t, []string{"it has run for 5s: " + at, "interrupted: " + at}, told)
	})
}

// TestLongChecksAreNamed: so it is of a kernel that no device runs, and nothing is said of one that ends soon.
func TestLongChecksAreNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const at = "kernel spin: thread (5) of block (0) is at cell 1, line 4"
		var told []string
		rt := &Runtime{Warn: func(text string) { told = append(told, text) }}
		where := func() string { return at }
		require.NoError(t, rt.Watch(t.Context(), where, func() error { time.Sleep(4 * time.Second); return nil }))
		assert.Empty(t, told)
		ctx, interrupt := context.WithCancel(t.Context())
		time.AfterFunc(30*time.Second, interrupt)
		require.ErrorIs(t, rt.Watch(ctx, where, func() error { <-ctx.Done(); return ctx.Err() }), context.Canceled)
		assert.Equal(t, []string{"it has run for 5s: " + at, "interrupted: " + at}, told)
		told = nil
		require.NoError(t, rt.Watch(t.Context(), func() string { return "" }, func() error { time.Sleep(time.Minute); return nil }))
		assert.Empty(t, told)
	})
}
