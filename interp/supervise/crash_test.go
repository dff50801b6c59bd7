package supervise_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

// TestNothingKillsTheSession: cells that would end a process end themselves alone.
func TestNothingKillsTheSession(t *testing.T) {
	late := make(chan *interp.Error, 1)
	r := newRecorder(t, interp.Options{Background: func(e *interp.Error) { late <- e }})
	judge.Killed(t, r.Recorder, late, false)
}

func TestPanicKeepsItsValue(t *testing.T) {
	r := newRecorder(t, interp.Options{})
	_, err := r.session.Run(context.Background(), 1, "panic(fmt.Errorf(`reading: %w`, io.ErrUnexpectedEOF))")
	if err == nil || !strings.Contains(err.Error(), "unexpected EOF") {
		t.Fatalf("got %v", err)
	}
	var e *interp.Error
	if !errors.As(err, &e) || e.Value == nil || e.Unwrap() == nil {
		t.Errorf("the panic's error is not kept: %#v", err)
	}
}

func TestBackgroundPanicIsReported(t *testing.T) {
	got := make(chan *interp.Error, 1)
	r := newRecorder(t, interp.Options{Background: func(e *interp.Error) { got <- e }})
	if out := r.Run(1, "fire := make(chan bool)\ngo func() {\n\t<-fire\n\tpanic(`after the cell`)\n}()"); out != "" {
		t.Fatal(out)
	}
	r.Run(2, "go func() { time.Sleep(30 * time.Millisecond); close(fire) }()")
	select {
	case e := <-got:
		if !strings.Contains(e.Message, "after the cell") || len(e.Trace) == 0 || e.Trace[0].Cell != 1 || e.Trace[0].Line != 4 {
			t.Errorf("got %v, trace %v", e, e.Trace)
		}
	case <-time.After(time.Minute):
		t.Error("no report of a goroutine that panicked between cells")
	}
	if out := r.Run(3, "1 + 1"); out != "2\n" {
		t.Error(out)
	}
}
