//go:build !nocuda

package cudabackend

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// gone waits for the end of a worker; a busy machine may take its time.
func gone(t *testing.T, w *worker) {
	t.Helper()
	select {
	case <-w.gone:
	case <-time.After(2 * time.Minute):
		t.Fatal("the worker with an endless kernel still runs")
	}
}

// awaits reports whether a launch of the kernel has no reply yet.
func (w *worker) awaits(kernel string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, x := range w.waiting {
		if x.kernel == kernel {
			return true
		}
	}
	return false
}

// impatient is a runtime on a worker that is ended soon after an interrupt.
func impatient(t *testing.T) (*fleet, *offload.Runtime) {
	f, rt := onWorker(t)
	f.patient = 50 * time.Millisecond
	return f, rt
}

// launchEndless launches a kernel that does not end, and returns what it would write.
func launchEndless(t *testing.T) (flag *lazy.Array, run interface{ Eval() }) {
	flag = lazy.Zeros(1).AsType(lazy.Int32)
	return flag, lazy.Wiring{}.Launch(kernelcall.Call[lazy.Array]{Name: "endless", Func: endless(t), Grid: kir.D1(1), Block: kir.D1(1),
		Args: []kernelcall.Arg[lazy.Array]{{Array: flag, Writes: true}}})
}

// cancelWhen calls cancel when w has the kernel.
func cancelWhen(w *worker, cancel func()) {
	go func() {
		for !w.awaits("endless") {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
}

// An interrupt comes too where a cell has queued more behind the endless kernel than a stream takes, and waits for
// room.
func TestAnInterruptComesWhereTheQueueIsFull(t *testing.T) {
	f, rt := impatient(t)
	cell, cancel := context.WithCancel(ctx)
	rt.Context = func() context.Context { return cell }
	rt.Warn = func(string) {}
	lazy.Eval(lazy.Ones(3).Mul(2))
	before, err := f.get()
	if err != nil {
		t.Fatal(err)
	}
	flag, _ := launchEndless(t)
	xs := []*lazy.Array{flag}
	for i := range 3 * depth {
		xs = append(xs, lazy.Arange(i+2).Mul(flag))
	}
	cancelWhen(before, cancel)
	if err := evalError(xs...); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	gone(t, before)
	cell = ctx
	if got := lazy.Arange(3).Mul(2).Float64s(); got[2] != 4 {
		t.Errorf("afterwards: %v", got)
	}
}

// A kernel that does not end is ended with its process some time after the interrupt. The next cell has its arrays,
// copied or computed again, and is told why that was needed, once.
func TestAnEndlessKernelIsEndedAfterAnInterrupt(t *testing.T) {
	f, rt := impatient(t)
	cell, cancel := context.WithCancel(ctx)
	var told []string
	rt.Context = func() context.Context { return cell }
	rt.Warn = func(s string) { told = append(told, s) }

	x := lazy.FromSlice([]float64{1, 2, 3})
	y := x.Mul(10)
	lazy.Eval(y)
	before, err := f.get()
	if err != nil {
		t.Fatal(err)
	}
	flag, run := launchEndless(t)
	cancelWhen(before, cancel)
	if err := evalError(flag); !errors.Is(err, context.Canceled) {
		t.Fatalf("the interrupted cell: %v (%v)", err, run)
	}
	gone(t, before)
	cell = ctx
	if err := evalError(y.Add(x)); err != nil {
		t.Fatal(err)
	}
	if got := y.Add(x).Float64s(); got[0] != 11 || got[2] != 33 {
		t.Errorf("y+x = %v", got)
	}
	if len(told) != 1 {
		t.Fatalf("told %q", told)
	}
	for _, want := range []string{"cuda:0", "kernel endless", "interrupted", "50ms", "computed again"} {
		if !strings.Contains(told[0], want) {
			t.Errorf("%q is not in: %s", want, told[0])
		}
	}
}
