package supervise_test

import (
	"context"
	"errors"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

func TestInterrupt(t *testing.T) {
	r := newRecorder(t, interp.Options{})
	judge.Interrupted(t, r.Recorder, false)
	// Nothing of the above may go on, though goroutines may still be blocked. What ends runs for a moment more; a loop
	// that goes on always runs or is about to.
	for range 500 {
		if busy() == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines go on after the interrupts", busy())
}

// BenchmarkInterrupt reports the time from an interrupt to the return of Run, for each kind of endless cell.
func BenchmarkInterrupt(b *testing.B) {
	for _, c := range judge.Endless() {
		b.Run(c.Name, func(b *testing.B) {
			s, err := interp.New(interp.Options{})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := s.Run(context.Background(), 1, "kept := 0\n"+c.Before); err != nil {
				b.Fatal(err)
			}
			var total time.Duration
			for range b.N {
				ctx, cancel := context.WithCancel(context.Background())
				var at time.Time
				time.AfterFunc(20*time.Millisecond, func() {
					at = time.Now()
					cancel()
				})
				if _, err := s.Run(ctx, 2, c.Source); ctx.Err() == nil {
					b.Fatal(err)
				}
				total += time.Since(at)
			}
			b.ReportMetric(float64(total.Microseconds())/1e3/float64(b.N), "ms/interrupt")
		})
	}
}

// busy is how many goroutines run or could run, but for the one that asks.
func busy() uint64 {
	states := []metrics.Sample{{Name: "/sched/goroutines/running:goroutines"}, {Name: "/sched/goroutines/runnable:goroutines"}}
	metrics.Read(states)
	return max(states[0].Value.Uint64(), 1) - 1 + states[1].Value.Uint64()
}

func TestInterruptBeforeTheCell(t *testing.T) {
	r := newRecorder(t, interp.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := r.session.Run(ctx, 1, "x := 1")
	var e *interp.Error
	if !errors.As(err, &e) || e.Kind != interp.Interrupted {
		t.Fatalf("got %v", err)
	}
}

func TestAbandonedCellDoesNotGoOn(t *testing.T) {
	r := newRecorder(t, interp.Options{})
	r.Run(1, "gate := make(chan int)\nhits := 0")
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	r.session.Run(ctx, 2, "<-gate\nhits = 1")
	r.Run(3, "close(gate)")
	time.Sleep(20 * time.Millisecond)
	if got := r.Run(4, "hits"); got != "0\n" {
		t.Errorf("a cell that was given up went on when its channel was closed: hits = %s", got)
	}
}

func TestContextOfTheRunningCell(t *testing.T) {
	s, err := interp.New(interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	type key struct{}
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), key{}, "mine"))
	seen := make(chan context.Context, 1)
	go func() {
		for s.Context().Value(key{}) == nil { // until the cell runs
			time.Sleep(time.Millisecond)
		}
		seen <- s.Context()
		cancel()
	}()
	s.Run(ctx, 1, "for {}")
	if c := <-seen; c.Value(key{}) != "mine" || c.Err() == nil {
		t.Errorf("during the cell: value %v, after the interrupt: %v", c.Value(key{}), c.Err())
	}
	if s.Context().Err() != nil {
		t.Error("with no cell running, the context is over")
	}
}

func TestInterruptSaysWhereTheCellWaits(t *testing.T) {
	r := newRecorder(t, interp.Options{})
	r.Run(1, "var wg sync.WaitGroup\nwg.Add(1)\nc := make(chan int)\nfunc wait() {\n\twg.Wait()\n}")
	for _, c := range []struct{ src, want string }{
		{"_ = 1\n<-c", "cell 2, line 2"},
		{"_ = 1\n\ntime.Sleep(time.Hour)", "cell 2, line 3"},
		{"wait()", "cell 1, line 5, in wait\n    cell 2, line 1"},
		{"_ = 1\nfor range 3 { fmt.Sprint(1) }\nselect {}", "cell 2, line 3"},
		{"for {\n}", "cell 2, line 1"},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond) // time enough to come there
		_, err := r.session.Run(ctx, 2, c.src)
		cancel()
		var e *interp.Error
		if !errors.As(err, &e) {
			t.Fatal(err)
		}
		if all := strings.Join(e.Lines(false), "\n"); all != "interrupted\n    "+c.want {
			t.Errorf("%q:\n%s\nwant the line %s", c.src, all, c.want)
		}
	}
}
