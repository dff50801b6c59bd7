package tests

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/cudabackend/fake"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// TestEveryDeviceAgrees: random programs give the same values on eager arrays, on the host device, on simulated GPUs
// and, as PTX, through a driver.
func TestEveryDeviceAgrees(t *testing.T) {
	names := []string{"host", "sim:v100", "sim:tiny", "cuda:0"}
	if _, err := testdevices.Driver(); errors.Is(err, fake.ErrNone) {
		t.Logf("without cuda:0: %v", err)
		names = names[:3]
	} else if err != nil {
		t.Fatal(err)
	}
	testdevices.Use(t)
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

// TestRandomProgramsWithLittleMemory: random programs give the values of eager arrays on a GPU with memory for a few of
// their arrays: kernels run after others have been moved out, or on the CPU.
func TestRandomProgramsWithLittleMemory(t *testing.T) {
	rt := testdevices.Use(t)
	lazy.Use("sim:tiny")
	rt.SetMemLimit(2048)
	for seed := range testsize.Seeds("tests.TestRandomProgramsWithLittleMemory") {
		tw := newTwins(seed)
		for range 25 {
			if err := tw.step(); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		for i := len(tw.pairs) - 1; i >= 0; i -= 1 + i%2 {
			if msg := tw.pairs[i].differ(); msg != "" {
				t.Fatalf("seed %d, value %d: %s", seed, i, msg)
			}
		}
	}
	if s := rt.Stats(); s.Evictions == 0 {
		t.Error("nothing was moved out: the device had too much memory for this test")
	}
}

// TestMovesBetweenDevices: a value made on one device is used on another, and the bytes are counted.
func TestMovesBetweenDevices(t *testing.T) {
	rt := testdevices.Use(t)
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
	testsize.InTurn(t, 2)
	rt := testdevices.Use(t)
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
// Two arrays fit in L2 and three do not, on sim:tiny, which is a part of a V100, as on the V100 itself: that takes
// twenty times as long, and short tests leave it out.
func TestTimesDoNotDependOnTheCollector(t *testing.T) {
	times := func(device string, n int, seed uint64) (out []trace.Time) {
		testdevices.Use(t)
		lazy.Use(device)
		r := rand.New(rand.NewPCG(seed, 1))
		x := lazy.Arange(n)
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
	for device, n := range map[string]int{"sim:tiny": 9600, "sim:v100": 300_000} {
		if device == "sim:v100" && testsize.Short() {
			continue
		}
		want := times(device, n, 0)
		for seed := range uint64(4) {
			if got := times(device, n, seed+1); !slices.Equal(got, want) {
				t.Fatalf("on %s kernels take %v, with collections at other times %v", device, want, got)
			}
		}
	}
}
