package tests

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/simgpu"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// TestProductsOnSimulatedGPUs: random products, of views and of batches, run on the device and have the bits of eager
// arrays.
func TestProductsOnSimulatedGPUs(t *testing.T) {
	rt := testdevices.Use(t)
	types := []arrays.DType{arrays.Float32, arrays.Float64, arrays.Int32, arrays.Int64, arrays.Uint32, arrays.Uint64}
	for _, device := range []string{"sim:v100", "sim:a100", "sim:tiny"} {
		lazy.Use(device)
		for seed := range testsize.Seeds("tests.TestProductsOnSimulatedGPUs") {
			r := rand.New(rand.NewPCG(seed, 1))
			d := types[r.IntN(len(types))]
			shape := func(rows, columns int) *arrays.Array {
				dims := []int{rows, columns}
				if r.IntN(3) == 0 {
					dims = []int{1 + 2*r.IntN(2), rows, columns}
				}
				x := arrays.DefaultRNG(r.IntN(1<<30)).Normal(0, 1000, dims...).AsType(arrays.Int64).AsType(d)
				if d.IsFloat() {
					x = x.Mul(3.14159)
				}
				return x.AsType(d)
			}
			m, k, n := 1+r.IntN(40), 1+r.IntN(70), 1+r.IntN(40)*r.IntN(2)
			x, y := shape(m, k), shape(k, n)
			lx, ly := lazy.FromArray(x), lazy.FromArray(y)
			switch r.IntN(4) {
			case 0: // columns first
				x, lx = x.SwapAxes(-1, -2).Copy().SwapAxes(-1, -2), lx.SwapAxes(-1, -2).Copy().SwapAxes(-1, -2)
			case 1: // every second row, backwards
				s := arrays.S(arrays.End, arrays.End, -2)
				x, lx = x.At(arrays.Dots, s, arrays.All), lx.At(arrays.Dots, s, arrays.All)
			case 2:
				x, lx = x.At(arrays.Dots, 0, arrays.All), lx.At(arrays.Dots, 0, arrays.All)
			}
			before := rt.Stats().CPUTasks
			got, want := lx.MatMul(ly).Array(), x.MatMul(y)
			require.True(t, arrays.ArrayEqual(got, want), "%s, seed %d: %v of %v and %v", device, seed, d, x.Shape(), y.Shape())
			require.Equal(t, before, rt.Stats().CPUTasks, "%s, seed %d: on the CPU", device, seed)
		}
	}
}

// TestWhereProductsRun: Explain says where a product runs and why; what has no kernel, and what would be simulated for
// long, runs on the CPU.
func TestWhereProductsRun(t *testing.T) {
	testdevices.Use(t)
	lazy.Use("sim:v100")
	x := lazy.Arange(64).Reshape(8, 8).AsType(arrays.Float32)
	lazy.Eval(x)
	step := func(y *lazy.Array) lazy.Step {
		e := lazy.Explain(y)
		return e.Steps[len(e.Steps)-1]
	}
	s := step(x.MatMul(x))
	require.Equal(t, "sim:v100#0", s.Where)
	require.Contains(t, s.Why, "a kernel of ours: simulated GPUs have no libraries")
	require.Contains(t, s.Runs[0], "kernel matmul_tiled, grid")

	s = step(x.AsType(arrays.Int8).Copy().MatMul(lazy.FromArray(arrays.Ones(8, 8).AsType(arrays.Int8))))
	require.Equal(t, "the CPU", s.Where)
	require.Contains(t, s.Why, "there is no kernel for matmul of int8")

	defer lazy.SimulateProducts(lazy.SimulateProducts(511))
	s = step(x.MatMul(x))
	require.Equal(t, "the CPU", s.Where)
	require.Contains(t, s.Why, "it has 512 multiply-adds, of which sim:v100#0 simulates 511 at most")
	lazy.SimulateProducts(512)
	require.Equal(t, "sim:v100#0", step(x.MatMul(x)).Where)
	require.Panics(t, func() { lazy.SimulateProducts(-1) })

	lazy.Use("host")
	require.Equal(t, "the CPU", step(x.MatMul(x)).Where)
}

// TestModelledTimesOfProducts: of a matrix of 4 MB by a column, the time is about that of reading the matrix once, and
// a product of matrices takes neither less than its multiply-adds at the peak rate, nor a hundred times that.
func TestModelledTimesOfProducts(t *testing.T) {
	testdevices.Use(t)
	lazy.Use("sim:v100")
	defer lazy.SimulateProducts(lazy.SimulateProducts(192 * 192 * 192))
	a := lazy.Ones(1024, 1024).AsType(arrays.Float32)
	x := lazy.Ones(1024).AsType(arrays.Float32)
	lazy.Eval(a, x)
	took := func(y *lazy.Array) float64 {
		y.Array()
		for _, e := range trace.Last().Events() {
			if e.Kind == trace.Kernel {
				return e.Duration().Seconds()
			}
		}
		t.Fatal("no kernel ran")
		return 0
	}
	column := took(a.MatMul(x))
	require.Greater(t, column, 4.19e6/2.5e12, "L2 is faster than DRAM, but not that fast")
	require.Less(t, column, 10*4.19e6/900e9)
	b := lazy.Ones(192, 192).AsType(arrays.Float32)
	lazy.Eval(b)
	square := took(b.MatMul(b))
	peak := 2 * 192 * 192 * 192 / 15.7e12
	require.Greater(t, square, peak)
	require.Less(t, square, 100*peak)
	t.Logf("column %.3g s, square %.3g s, at the peak %.3g s", column, square, peak)
}

func BenchmarkSimulatedProduct(b *testing.B) {
	testdevices.Use(b)
	lazy.Use("sim:v100")
	for _, n := range []int{64, 128, 256} {
		x := lazy.Ones(n, n).Add(0.5)
		lazy.Eval(x)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				lazy.MatMul(x, x).Array()
			}
		})
	}
}

// TestRoutinesFitEveryMachine: the kernels of products, running sums and masks are launched on every simulated GPU,
// the oldest too, which have 32 registers for each thread of a large block.
func TestRoutinesFitEveryMachine(t *testing.T) {
	testsize.InTurn(t, 1)
	testdevices.Use(t)
	for _, name := range simgpu.Names() {
		if p, err := simgpu.PresetByName(name); err != nil || p.SharedPerBlock == 0 {
			require.NoError(t, err)
			continue // of Brook: what needs shared memory is refused (decision 0317)
		}
		lazy.Use(name)
		for _, d := range []arrays.DType{arrays.Float32, arrays.Float64, arrays.Int32, arrays.Int64} {
			e := arrays.Arange(20*20).Mod(7).AsType(d).Reshape(20, 20)
			a := lazy.FromArray(e)
			require.Equal(t, arrays.Dot(e, e).String(), lazy.Dot(a, a).String(), "%s, %v", name, d)
			require.Equal(t, arrays.Dot(e, e.At(0)).String(), lazy.Dot(a, a.At(0)).String(), "%s, %v", name, d)
			require.Equal(t, e.CumSum().String(), a.CumSum().String(), "%s, %v", name, d)
			require.Equal(t, e.CumSum(0).String(), a.CumSum(0).String(), "%s, %v", name, d)
			require.Equal(t, e.At(e.Greater(3)).String(), a.At(a.Greater(3)).String(), "%s, %v", name, d)
		}
	}
}
