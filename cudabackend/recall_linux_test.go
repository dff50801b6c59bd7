//go:build !nocuda

package cudabackend

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
)

// onWorker makes lazy arrays compute on a GPU in a worker of the fleet.
func onWorker(t *testing.T) (*fleet, *offload.Runtime) {
	t.Helper()
	library.Reset(1, 256*mb, 12040, 1)
	if err := initAgain(); err != nil {
		t.Fatal(err)
	}
	f := newFleetHere(t)
	var r device.Registry
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	r.Add("cuda:0", func() (device.Device, error) { return openRemote(f, 0) })
	rt, err := offload.New(&r, "cuda:0")
	if err != nil {
		t.Fatal(err)
	}
	lazy.Wiring{}.SetRuntime(rt)
	t.Cleanup(func() { lazy.Wiring{}.SetRuntime(nil) })
	return f, rt
}

// lazyOnWorker makes lazy arrays compute on a GPU in a worker, which kill kills.
func lazyOnWorker(t *testing.T) (kill func()) {
	f, _ := onWorker(t)
	return func() {
		f.mu.Lock()
		w := f.worker
		f.mu.Unlock()
		w.cmd.Process.Kill()
		<-w.gone
	}
}

func evalError(xs ...*lazy.Array) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = p.(error)
		}
	}()
	lazy.Eval(xs...)
	for _, x := range xs {
		x.Array()
	}
	return nil
}

// What only the card had is computed again after its worker was killed, as far as variables have what it came from: x
// from the host, the rest from x. The figures are those of plain Go.
func TestLostArraysAreComputedAgain(t *testing.T) {
	kill := lazyOnWorker(t)
	const n = 1000
	in := make([]float64, n)
	for i := range in {
		in[i] = float64(i) - 300
	}
	x := lazy.FromSlice(in)
	y := x.Mul(2)
	lazy.Eval(y)
	z := y.Add(1).Abs()
	sum := z.Sum()
	ramp := lazy.Arange(n).Mul(3)
	lazy.Eval(z, sum, ramp)
	for range 2 { // and once more, of what was computed again
		kill()
		if err := evalError(sum, ramp); err != nil {
			t.Fatal(err)
		}
		want := 0.0
		for _, v := range in {
			if v = 2*v + 1; v < 0 {
				v = -v
			}
			want += v
		}
		if got := sum.Float64(); got != want { // whole numbers: exact in any order
			t.Errorf("sum %v, want %v", got, want)
		}
		if got := ramp.Int64s()[n-1]; got != 3*(n-1) {
			t.Errorf("ramp ends in %d", got)
		}
		if got, want := z.Sub(y).Float64(10), 579.0+580; got != want { // in[10] is -290
			t.Errorf("z-y at 10: %v, want %v", got, want)
		}
	}
	runtime.KeepAlive(x)
}

// What came from what no variable has any more is lost: its name is in the error, the rest goes on.
func TestALostArrayIsNamed(t *testing.T) {
	kill := lazyOnWorker(t)
	y := lazy.FromSlice(make([]float32, 5000)).Mul(2)
	lazy.Eval(y)
	for range 3 { // its cleanup holds it through the first
		offload.Collect()
	}
	kill()
	err := evalError(y.Add(1))
	if err == nil {
		t.Fatal("no error: the array came from nowhere")
	}
	for _, want := range []string{"(5000,)", "float32", "multiply of 20 kB", "in the memory of cuda:0", "no variable has", "Run the cells again"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
	if got := lazy.Arange(10).Mul(2).Sum().Item(); got != int64(90) {
		t.Errorf("another array: %v", got)
	}
}

// A sticky error in mid-cell is that cell's: it names kernel and cause, and the same lines, run again, give the right
// values.
func TestACellGetsTheStickyError(t *testing.T) {
	lazyOnWorker(t)
	x := lazy.FromSlice([]float64{1, 2, 3})
	first := x.Add(1)
	lazy.Eval(first)
	for name, result := range map[string]int32{"CUDA_ERROR_ILLEGAL_ADDRESS (700)": 700, "CUDA_ERROR_LAUNCH_TIMEOUT (702)": 702} {
		y := first.Mul(10)
		library.Fail("cuLaunchKernel", 0, result)
		err := evalError(y)
		var lost *Lost
		if !errors.As(err, &lost) || !strings.Contains(err.Error(), name) || !strings.Contains(lost.Kernels, "kernel ") {
			t.Fatalf("%v", err)
		}
		if err := evalError(y); err != nil {
			t.Fatal(err)
		}
		if got := y.Float64s(); got[0] != 20 || got[2] != 40 {
			t.Errorf("y = %v", got)
		}
	}
}
