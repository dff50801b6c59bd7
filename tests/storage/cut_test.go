//go:build unix

package storage

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/cudabackend/fake"
	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/internal/mmap"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/simgpu"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// n is how many float64 a file has.
const n = 1 << 18

// saved is a file of the numbers from 0.
func saved(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "x.npy")
	require.NoError(t, arrays.Save(path, arrays.Arange(n).AsType(arrays.Float64)))
	return path
}

// mapped is that file's array, in memory.
func mapped(t *testing.T) (x *lazy.Array, path string) {
	path = saved(t)
	x, err := lazy.MapNPY(path)
	require.NoError(t, err)
	return x, path
}

// backwards launches a kernel that writes the elements of x in the other order.
func backwards(t *testing.T, x *lazy.Array) *lazy.Array {
	b := kir.NewBuilder("backwards")
	in, out := b.Param("in", kir.U64), b.Param("out", kir.U64)
	i := b.GlobalIDX()
	from := b.Op(kir.OpSub, b.Int(kir.I64, n-1), i)
	b.Store(kir.Global, b.Index(out, i, kir.F64), b.Load(kir.Global, kir.F64, b.Index(in, from, kir.F64)))
	b.Return()
	f, err := b.Func()
	require.NoError(t, err)
	y := lazy.Zeros(n)
	lazy.Wiring{}.Launch(kernelcall.Call[lazy.Array]{Name: "backwards", Func: f, Grid: kir.D1(n / 256), Block: kir.D1(256), Args: []kernelcall.Arg[lazy.Array]{{Array: x}, {Array: y, Writes: true}}})
	return y
}

// computations are those of x that read all of it, in each way in which the program reads.
var computations = map[string]func(t *testing.T, x *lazy.Array) *lazy.Array{
	"elementwise": func(t *testing.T, x *lazy.Array) *lazy.Array { return x.Sqrt().Add(1) },
	"reduction":   func(t *testing.T, x *lazy.Array) *lazy.Array { return x.Mul(x).Sum() },
	"rows":        func(t *testing.T, x *lazy.Array) *lazy.Array { return x.Reshape(n/64, 64).Sum(lazy.Axis(0)) },
	"strided":     func(t *testing.T, x *lazy.Array) *lazy.Array { return x.At(lazy.S(lazy.End, lazy.End, -2)).Add(1) },
	"taken":       func(t *testing.T, x *lazy.Array) *lazy.Array { return lazy.Take(x, lazy.Arange(n).Mul(7).Mod(n)) },
	"sorted":      func(t *testing.T, x *lazy.Array) *lazy.Array { return lazy.Sort(x.Neg()) },
	"cumulated":   func(t *testing.T, x *lazy.Array) *lazy.Array { return x.CumSum() },
	"product": func(t *testing.T, x *lazy.Array) *lazy.Array {
		m := x.At(lazy.S(0, 256*512, 2)).Reshape(256, 256)
		return lazy.MatMul(m, m)
	},
	"kernel":      backwards,
	"assigned to": func(t *testing.T, x *lazy.Array) *lazy.Array { y := x.At(); y.Set(1, lazy.S(5, 9)); return y },
}

// devices calls f on each device that reads the host's memory in its own way.
func devices(t *testing.T, f func(t *testing.T, rt *offload.Runtime)) { onEach(t, withCard(t), f) }

// withCard returns small and, where there can be one, a card of the fake driver.
func withCard(t *testing.T) []string {
	names := slices.Clone(small)
	if _, err := testdevices.Driver(); errors.Is(err, fake.ErrNone) {
		t.Log("the fake card is left out: ", err)
	} else {
		require.NoError(t, err)
		names = append(names, "cuda:0")
	}
	return names
}

// small are the devices of tests that do not ask how a driver reads.
var small = []string{"host", "sim:tiny"}

func onEach(t *testing.T, names []string, f func(t *testing.T, rt *offload.Runtime)) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			rt := testdevices.Use(t)
			lazy.Use(name)
			t.Cleanup(func() { // what arrays of the test have on the card, which is one for all
				for range 3 {
					offload.Collect()
				}
				rt.MemoryUse()
			})
			f(t, rt)
		})
	}
}

// sampled has simulated GPUs time a part of their blocks, for tests that ask for no times.
func sampled(t *testing.T, rt *offload.Runtime) {
	name := rt.Device().ID()
	testdevices.Use(t, simgpu.SampleAbove(20_000))
	lazy.Use(name)
}

// panicOf is the error with which f panics.
func panicOf(f func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	f()
	return nil
}

// TestCutWhileMapped: what reads a mapped file that another program has cut short is an error that names the file and
// the byte; other arrays, and what was computed before, are as they were.
func TestCutWhileMapped(t *testing.T) {
	testsize.InTurn(t, 2)
	devices(t, func(t *testing.T, rt *offload.Runtime) {
		other := lazy.FromArray(arrays.Arange(n)).Add(1)
		for name, of := range computations {
			x, path := mapped(t)
			y := of(t, x)
			require.NoError(t, os.Truncate(path, 4096*100))
			err := panicOf(func() { y.Array() })
			fault := new(mmap.Fault)
			if assert.ErrorAs(t, err, &fault, name) {
				assert.Equal(t, path, fault.Path, name)
				assert.GreaterOrEqual(t, fault.Offset, int64(4096*100), name)
				assert.ErrorContains(t, err, "was cut from", name)
			}
			runtime.KeepAlive(x)
			assert.Equal(t, float64(n)*(n+1)/2, other.Sum().Float64(), name)
		}
	})
}

// TestCutWithinAPage: the rest of a page reads as zeros without a fault, and is an error all the same.
func TestCutWithinAPage(t *testing.T) {
	devices(t, func(t *testing.T, rt *offload.Runtime) {
		x, path := mapped(t)
		require.NoError(t, os.Truncate(path, 128+8*n-8))
		for range 2 {
			assert.ErrorContains(t, panicOf(func() { x.Sum().Float64() }), "was cut")
			assert.ErrorContains(t, panicOf(func() { lazy.Sort(x).Float64s() }), "was cut")
		}
	})
}

// TestMappedIsReleased: a mapping goes with the last array that has it, which may be a view or what waits to be
// computed; one whose memory was handed out stays until it is closed.
func TestMappedIsReleased(t *testing.T) {
	devices(t, func(t *testing.T, rt *offload.Runtime) {
		offload.Collect()
		offload.Collect()
		before := mmap.Count()
		gone := func() bool {
			offload.Collect()
			if mmap.Count() != before {
				offload.Collect()
			}
			return mmap.Count() == before
		}
		for i, name := range []string{"elementwise", "reduction", "taken", "kernel", "sorted"} {
			if !testsize.Part(i, 2) {
				continue
			}
			x, _ := mapped(t)
			view := x.At(lazy.S(10, lazy.End))
			x = nil
			require.False(t, gone(), name)
			whole := view.At(lazy.S(0, n-10))
			view = nil
			assert.Equal(t, 10.0, whole.Float64(0), name)
			_ = whole.String()
			whole = nil
			x, _ = mapped(t)
			y := computations[name](t, x)
			x = nil
			require.False(t, gone(), name)
			lazy.Eval(y)
			assert.True(t, gone(), name)
			assert.NotEmpty(t, y.String(), name)
		}
		x, _ := mapped(t)
		e := x.Array()
		x = nil
		assert.False(t, gone(), "an eager array has it")
		assert.Equal(t, 7.0, e.Float64(7))
		require.NoError(t, e.Close())
		e = nil
		offload.Collect()
	})
}

// TestUseAfterClose: is an error, whatever has been copied to devices before; what was computed stays.
func TestUseAfterClose(t *testing.T) {
	devices(t, func(t *testing.T, rt *offload.Runtime) {
		for name, of := range computations {
			x, _ := mapped(t)
			before := x.Sum()
			lazy.Eval(before)
			y := of(t, x)
			require.NoError(t, x.Close())
			require.NoError(t, x.Close())
			assert.ErrorContains(t, panicOf(func() { y.Array() }), "was closed", name)
			assert.ErrorContains(t, panicOf(func() { _ = x.String() }), "was closed", name)
			assert.Equal(t, float64(n)*(n-1)/2, before.Float64(), name)
		}
		assert.NoError(t, lazy.Zeros(3).Close())
	})
}

// TestClosedTakesNoDeviceMemory: what a card had of a file that was closed is given back, also where a computation has
// failed since.
func TestClosedTakesNoDeviceMemory(t *testing.T) {
	devices(t, func(t *testing.T, rt *offload.Runtime) {
		for _, name := range []string{"elementwise", "kernel", "sorted"} {
			func() {
				x, _ := mapped(t)
				before := x.Sum()
				lazy.Eval(before)
				y := computations[name](t, x)
				require.NoError(t, x.Close())
				assert.Error(t, panicOf(func() { y.Array() }), name)
			}()
			offload.Collect()
			for _, u := range rt.MemoryUse() {
				assert.Zero(t, u.Pool.InUse, "%s, %s", name, u.Device)
				assert.Empty(t, u.Held, "%s, %s", name, u.Device)
			}
		}
	})
}

// TestMappedIsNotPinned: what is copied to a device again and again is not copied to pinned memory as a whole before,
// which would be as large as the file.
func TestMappedIsNotPinned(t *testing.T) {
	rt := testdevices.Use(t)
	lazy.Use("sim:tiny")
	rt.SetMemLimit(1 << 20)
	x, _ := mapped(t)
	want := arrays.Arange(n).AsType(arrays.Float64).Mul(3).Add(1)
	for range 3 {
		assert.True(t, arrays.ArrayEqual(want, x.Mul(3).Add(1).Array()))
	}
	assert.Zero(t, rt.Stats().Pinned)
	assert.NotZero(t, rt.Stats().Pieces)
}
