package tests

import (
	"errors"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/cudabackend"
	"github.com/arrayrepl/arrayrepl/cudabackend/fake"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// useDevices gives lazy a runtime with the host, every simulated GPU, and what the NVIDIA driver has, if there is one.
func useDevices(t testing.TB) *offload.Runtime {
	var r device.Registry
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	for _, name := range simgpu.Names() {
		r.Add(name, func() (device.Device, error) { return simgpu.Open(name) })
	}
	cudabackend.Register(&r)
	rt, err := offload.New(&r, "host")
	if err != nil {
		t.Fatal(err)
	}
	lazy.SetRuntime(rt)
	t.Cleanup(func() { rt.Trim() }) // the card is one for all tests
	return rt
}

// driver is a driver library for NVIDIA GPUs without a GPU, started once.
var driver = sync.OnceValues(func() (*fake.Driver, error) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	return fake.Start(dir)
})

// TestEveryDeviceAgrees: random programs give the same values on eager arrays, on the host device, on simulated GPUs
// and, as PTX, through a driver.
func TestEveryDeviceAgrees(t *testing.T) {
	names := []string{"host", "sim:v100", "sim:tiny", "cuda:0"}
	if _, err := driver(); errors.Is(err, fake.ErrNone) {
		t.Logf("without cuda:0: %v", err)
		names = names[:3]
	} else if err != nil {
		t.Fatal(err)
	}
	useDevices(t)
	for _, name := range names {
		lazy.Use(name)
		for seed := range testsize.Seeds("tests.TestEveryDeviceAgrees") {
			tw := newTwins(seed)
			for range 25 {
				if err := tw.step(); err != nil {
					t.Fatalf("%s, seed %d: %v", name, seed, err)
				}
			}
			for i := len(tw.pairs) - 1; i >= 0; i -= 1 + i%2 { // the last first: much is evaluated through others
				if msg := tw.pairs[i].differ(); msg != "" {
					t.Fatalf("%s, seed %d, value %d: %s", name, seed, i, msg)
				}
			}
		}
	}
}

// TestMovesBetweenDevices: a value made on one device is used on another, and the bytes are counted.
func TestMovesBetweenDevices(t *testing.T) {
	rt := useDevices(t)
	lazy.Use("sim:v100")
	x := lazy.FromSlice(make([]float64, 1000)).Add(1)
	lazy.Eval(x)
	s := rt.Stats()
	if s.BytesIn != 8000 || s.BytesOut != 0 {
		t.Errorf("evaluating without display copied %d bytes in and %d out; want 8000 and 0", s.BytesIn, s.BytesOut)
	}
	lazy.Use("host")
	if got := x.Mul(2).Sum().Item(); got != 2000.0 {
		t.Errorf("sum on the host = %v, want 2000", got)
	}
	if s := rt.Stats(); s.BytesOut < 8000 {
		t.Errorf("moving to the host copied %d bytes out; want 8000 or more", s.BytesOut)
	}
}

// TestDroppedArraysFreeMemory: 400 arrays of 1 MB, each dropped once it has been made, pass through the 16 MB of
// sim:tiny, and few of them by way of the host.
func TestDroppedArraysFreeMemory(t *testing.T) {
	rt := useDevices(t)
	lazy.Use("sim:tiny")
	const n = 400
	for i := range n {
		lazy.Eval(lazy.Arange(1 << 17).Add(i))
	}
	s := rt.Stats()
	if s.LiveBytes > 16<<20 || s.Launches != n {
		t.Errorf("%d bytes are live after %d launches", s.LiveBytes, s.Launches)
	}
	if s.Evictions > n/10 {
		t.Errorf("%d arrays that nobody had were moved to the host first", s.Evictions)
	}
}

// TestTimesDoNotDependOnTheCollector: a program's modelled times are the same whenever values that are gone are freed.
func TestTimesDoNotDependOnTheCollector(t *testing.T) {
	times := func(seed uint64) (out []trace.Time) {
		useDevices(t)
		lazy.Use("sim:v100")
		r := rand.New(rand.NewPCG(seed, 1))
		x := lazy.Arange(300_000)
		for step := range 12 {
			if seed > 0 && r.IntN(2) == 0 {
				runtime.GC()
				time.Sleep(time.Millisecond) // cleanups run on a goroutine of their own: now some have, some not
			}
			y := x.Mul(2).Add(step)
			lazy.Eval(y)
			lazy.Eval(y.Add(x).Sum())
			if step%3 == 0 {
				x = y
			}
			for _, e := range trace.Last().Kernels() {
				out = append(out, e.Duration())
			}
		}
		return out
	}
	want := times(0)
	for seed := range uint64(4) {
		if got := times(seed + 1); !slices.Equal(got, want) {
			t.Fatalf("kernels take %v, with collections at other times %v", want, got)
		}
	}
}
