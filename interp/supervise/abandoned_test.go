package supervise_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/interp"
)

// TestHaltedCodeEndsInLaterCells interrupts cells in compiled code: they reach their next poll when another cell runs.
func TestHaltedCodeEndsInLaterCells(t *testing.T) {
	for _, c := range []struct{ name, src string }{
		{"the cell itself", "wait(); for { n++ }"},
		{"a goroutine of it", "go func() { wait(); for { n++ } }()\nend.Wait()"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRecorder(t, interp.Options{})
			r.Run(1, "n := 0\nvar wg sync.WaitGroup\nwg.Add(1)\nfunc wait() { wg.Wait() }\nvar ticks atomic.Int64\ngo func() { for { ticks.Add(1); time.Sleep(time.Millisecond) } }()\nvar end sync.WaitGroup\nend.Add(1)")
			r.Run(2, "func spin() { "+strings.ReplaceAll(c.src, "\n", "; ")+" }")
			ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
			defer cancel()
			if _, err := r.session.Run(ctx, 3, "spin()"); err == nil {
				t.Fatal("not interrupted")
			}
			if got := r.Run(4, "wg.Done()\nend.Done()\nk := 0\nfor k < 20000 { k++ }\ntime.Sleep(20 * time.Millisecond)\nk"); got != "20000\n" {
				t.Errorf("the cell after the interrupt gave %q", got)
			}
			if got := r.Run(5, "n"); got != "0\n" {
				t.Errorf("the halted code went on: n = %s", got)
			}
			r.Run(6, "before := ticks.Load()\ntime.Sleep(200 * time.Millisecond)")
			if got := r.Run(7, "ticks.Load() > before"); got != "true\n" {
				t.Error("the goroutine of the healthy cell was ended too")
			}
			if n := supervisorOf(r.session).Abandoned(); n > 0 {
				t.Errorf("%d runs still count as left behind", n)
			}
		})
	}
}

func TestBackgroundContextOutlivesItsCell(t *testing.T) {
	s, err := interp.New(interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	seen := make(chan context.Context, 1)
	time.AfterFunc(20*time.Millisecond, func() { seen <- s.Context() })
	if _, err := s.Run(ctx, 1, "time.Sleep(60 * time.Millisecond)"); err != nil {
		t.Fatal(err)
	}
	cancel() // as a kernel does when it has answered the request
	if c := <-seen; c.Err() != nil {
		t.Errorf("the context of the finished cell is over: %v", c.Err())
	}
}
