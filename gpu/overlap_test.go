package gpu_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/internal/overlap"
	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// overlapping returns a kernel of package overlap.
func overlapping(t *testing.T, name string, fn any) *gosrc.Func {
	t.Helper()
	return kernelOf(t, "./internal/overlap", name, fn)
}

// as returns the memory of b as a slice of other elements.
func as[T any](b []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}

// TestSlicesOverlap: a launch with Go slices that share memory leaves there what the function itself leaves, on every
// device. Slices of random pieces of one allocation are given to a kernel that reads and writes them in a random order;
// they overlap in part, wholly, or through a third, and have elements of several sizes.
func TestSlicesOverlap(t *testing.T) {
	testsize.InTurn(t, 0)
	f := overlapping(t, "Steps", overlap.Steps)
	for _, device := range []string{"host", "sim:tiny", "sim:v100"} {
		use(t, device)
		for seed := range uint64(60) {
			t.Run(fmt.Sprint(device, "/", seed), func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 1))
				words := make([]uint64, 30)
				memory := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words))
				piece := func(align int) []byte {
					from := r.IntN(len(memory)/2) / align * align
					n := (1 + r.IntN(12)) * align
					return memory[from : from+n]
				}
				ops := make([]int32, 3*40)
				for i := range ops {
					ops[i] = int32(r.IntN(6))
					if i%3 == 2 {
						ops[i] = int32(r.IntN(1000))
					}
				}
				for i := range memory {
					memory[i] = byte(r.Uint32())
				}
				a, b := as[int32](piece(4)), as[int32](piece(4))
				p := overlap.Pair{A: as[int32](piece(4)), B: as[int32](piece(4))}
				small, wide := as[uint8](piece(1)), as[float64](piece(8))
				before := bytes.Clone(memory)
				if n := seed % 4; n == 0 { // the same slice twice
					b = a
				} else if n == 1 {
					p.B = a[len(a)/2:]
				}
				gpu.Emulate(f, 1, 1, ops, a, b, p, small, wide)
				want := bytes.Clone(memory)
				copy(memory, before)
				gpu.Launch(f, 2, 32, ops, a, b, p, small, wide)
				assert.Equal(t, want, memory)
			})
		}
	}
}

// TestCheckSeesSharedMemory: a stencil in place is a race, whether its two arguments are a slice twice, pieces of one,
// or an array and a view of it; with memory of its own it is none.
func TestCheckSeesSharedMemory(t *testing.T) {
	use(t, "sim:tiny")
	f := overlapping(t, "Smooth", overlap.Smooth)
	x := make([]float32, 64)
	lazies := lazy.FromSlice(make([]float32, 64))
	for _, c := range []struct {
		name string
		x, y any
		race bool
	}{
		{"a slice twice", x, x, true},
		{"pieces of a slice", x[:40], x[8:48], true},
		{"an array twice", lazies, lazies, true},
		{"other slices", x, make([]float32, 64), false},
		{"pieces beside each other", x[:32], x[32:], false},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := gpu.Check(f, 1, 64, c.x, c.y)
			assert.Equal(t, c.race, len(found.List) > 0, "%v", found)
		})
	}
}

// TestEmulateSharesArrays: lazy arrays that share their elements share them in an emulation as they do in a launch.
func TestEmulateSharesArrays(t *testing.T) {
	use(t, "host")
	f := overlapping(t, "Steps", overlap.Steps)
	start := func() *lazy.Array { return lazy.Arange(20).AsType(lazy.Int32) }
	run := func(launch func(kernel, grid, block any, args ...any), x *lazy.Array) {
		p := overlap.Pair{A: make([]int32, 1), B: make([]int32, 1)}
		ops := []int32{0, 1, 2, 1, 0, 3, 1, 1, 5, 0, 0, 7, 1, 0, 1, 0, 1, 4}
		launch(f, 1, 1, ops, x.At(lazy.S(0, 12)), x.At(lazy.S(6, 18)), p, make([]uint8, 1), make([]float64, 1))
	}
	launched, emulated := start(), start()
	run(func(kernel, grid, block any, args ...any) { gpu.Launch(kernel, grid, block, args...) }, launched)
	run(gpu.Emulate, emulated)
	assert.Equal(t, launched.String(), emulated.String())
	assert.NotEqual(t, start().String(), emulated.String())
}

// TestSlicesAreOneEvaluation: a launch on Go slices leaves one log, with its kernel and the copies of both ways, for
// charts that ask for the last one.
func TestSlicesAreOneEvaluation(t *testing.T) {
	use(t, "sim:v100")
	saxpy, err := kernels.Source("Saxpy")
	require.NoError(t, err)
	x, y := make([]float32, 256), make([]float32, 256)
	x[7] = 3
	gpu.Launch(saxpy, 1, 256, 2, x, y)
	assert.EqualValues(t, 6, y[7])
	seen := map[trace.Kind]int{}
	for _, e := range trace.Last().Events() {
		seen[e.Kind]++
	}
	assert.Equal(t, 1, seen[trace.Kernel])
	assert.Equal(t, 1, seen[trace.CopyOut], "%v", seen)
}

// TestSlicesEndAtTheirLength: a kernel gets no more of a slice than its elements, launched or emulated.
func TestSlicesEndAtTheirLength(t *testing.T) {
	use(t, "sim:v100")
	room := overlapping(t, "Room", overlap.Room)
	x, launched, emulated := make([]int32, 3, 10), make([]int32, 2), make([]int32, 2)
	gpu.Launch(room, 1, 32, x, launched)
	gpu.Emulate(room, 1, 32, x, emulated)
	assert.Equal(t, []int32{3, 3}, launched)
	assert.Equal(t, launched, emulated)
}
