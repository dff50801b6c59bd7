package tests

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/alone"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// scanners are devices that scan by shared memory, with little of it, and by shuffles.
var scanners = []string{"sim:g80", "sim:gtx280", "sim:v100"}

// cumulations are the running results of numbers.
var cumulations = []struct {
	name  string
	eager func(x any, axis ...arrays.AxisOption) *arrays.Array
	lazy  func(x any, axis ...lazy.AxisOption) *lazy.Array
}{
	{"CumSum", arrays.CumSum, lazy.CumSum}, {"CumProd", arrays.CumProd, lazy.CumProd},
	{"CumMax", arrays.CumMax, lazy.CumMax}, {"CumMin", arrays.CumMin, lazy.CumMin},
	{"NanCumSum", arrays.NanCumSum, lazy.NanCumSum}, {"NanCumProd", arrays.NanCumProd, lazy.NanCumProd},
}

// TestCumulationsOnDevices: running sums, products, maxima and minima of random arrays and views, along random axes,
// run on the device and have the bits of eager arrays where no order of additions matters; where one does, all devices
// have the same bits, the CPU among them.
func TestCumulationsOnDevices(t *testing.T) {
	rt := testdevices.Use(t)
	types := []arrays.DType{
		arrays.Bool, arrays.Int8, arrays.Int16, arrays.Int32, arrays.Int64, arrays.Uint8, arrays.Uint16, arrays.Uint32, arrays.Uint64,
		arrays.Float16, arrays.Float32, arrays.Float64,
	}
	for seed := range testsize.Seeds("tests.TestCumulationsOnDevices") {
		r := rand.New(rand.NewPCG(seed, 1))
		d, c := types[r.IntN(len(types))], cumulations[r.IntN(len(cumulations))]
		shape := [][]int{{1 + r.IntN(6000)}, {1 + r.IntN(40), 1 + r.IntN(300)}, {1 + r.IntN(300), 1 + r.IntN(40)}, {1 + r.IntN(5), 1 + r.IntN(90), 1 + r.IntN(20)}, {33 + r.IntN(9), 1024}}[r.IntN(5)]
		e := arrays.DefaultRNG(r.IntN(1<<30)).Normal(0, 1.5, shape...)
		if d.IsFloat() && r.IntN(3) == 0 {
			e = arrays.Where(e.Greater(4), e.Sub(e).Div(0), e) // NaN
		}
		e = e.AsType(d)
		x := lazy.FromArray(e)
		if r.IntN(3) == 0 {
			e, x = e.At(arrays.Dots, arrays.S(arrays.End, arrays.End, -1)), x.At(lazy.Dots, lazy.S(lazy.End, lazy.End, -1))
		}
		var eagerAxis []arrays.AxisOption
		var axis []lazy.AxisOption
		if k := r.IntN(len(shape) + 1); k < len(shape) {
			if r.IntN(2) == 0 {
				k -= len(shape)
			}
			eagerAxis, axis = append(eagerAxis, k), append(axis, k)
		}
		lazy.Use("host")
		host, want := c.lazy(x, axis...).Array(), c.eager(e, eagerAxis...)
		exact := !d.IsFloat() || c.name == "CumMax" || c.name == "CumMin"
		if exact {
			require.True(t, sameNumbers(want, host), "host, seed %d: %s of %v %v", seed, c.name, d, shape)
		} else {
			got, want := arrays.NanToNum(host.AsType(arrays.Float32).AsType(arrays.Float64)), arrays.NanToNum(want.AsType(arrays.Float32).AsType(arrays.Float64))
			bound := want.Abs().Mul(2e-3).Add(2e-3) // a half has eleven bits
			require.True(t, got.Sub(want).Abs().LessEqual(bound).AllTrue().Item().(bool), "host, seed %d: %s of %v %v", seed, c.name, d, shape)
		}
		for _, device := range scanners {
			lazy.Use(device)
			before := rt.Stats().CPUTasks
			got := c.lazy(x, axis...).Array()
			require.Equal(t, host.DType(), got.DType())
			require.Equal(t, host.Shape(), got.Shape())
			require.True(t, sameNumbers(host, got), "%s, seed %d: %s of %v %v along %v", device, seed, c.name, d, shape, axis)
			require.Equal(t, before, rt.Stats().CPUTasks, "%s, seed %d: on the CPU", device, seed)
		}
	}
}

// sameNumbers reports whether a and b have the same bits; one NaN is as good as another.
func sameNumbers(a, b *arrays.Array) bool {
	if a.DType().IsFloat() && arrays.IsNaN(a).AnyTrue().Item().(bool) {
		nan := arrays.IsNaN(a)
		if !arrays.ArrayEqual(nan, arrays.IsNaN(b)) {
			return false
		}
		zero := arrays.Zeros(1).AsType(a.DType())
		a, b = arrays.Where(nan, zero, a), arrays.Where(nan, zero, b)
	}
	return bytes.Equal(a.Bytes(), b.Bytes())
}

// TestWhereScansRun: Explain says by which kernels, and what is between two kernels stays on the device.
func TestWhereScansRun(t *testing.T) {
	rt := testdevices.Use(t)
	lazy.Use("sim:v100")
	step := func(y *lazy.Array) lazy.Step {
		e := lazy.Explain(y)
		return e.Steps[len(e.Steps)-1]
	}
	x := lazy.Arange(5000).Mul(2)
	s := step(x.CumSum())
	require.Equal(t, "sim:v100#0", s.Where)
	require.Equal(t, "a scan in tiles of 2048 elements: their totals, the scan of those, and the elements", s.Why)
	require.Equal(t, []string{"kernel cumsum_reduce, grid (2), block (256)", "kernel cumsum_totals, grid (1), block (32)", "kernel cumsum, grid (3), block (256)"}, s.Runs)
	s = step(x.Reshape(50, 100).CumProd(1))
	require.Equal(t, "a scan of 50 lines, each by a block", s.Why)
	require.Equal(t, []string{"kernel cumprod, grid (50), block (32)"}, s.Runs)
	s = step(lazy.CumMax(x.Reshape(500, 10), 1))
	require.Equal(t, "a scan of 500 lines, each by a thread", s.Why)
	require.Equal(t, "the CPU", step(x.AsType(arrays.Complex64).CumSum()).Where)

	y := x.Add(1).CumSum().Mul(3).CumSum(0)
	before := rt.Stats()
	got := y.Max().Item()
	require.Equal(t, arrays.Arange(5000).Mul(2).Add(1).CumSum().Mul(3).CumSum().Max().Item(), got)
	require.EqualValues(t, 8, rt.Stats().BytesOut-before.BytesOut, "the result alone")
	require.Zero(t, rt.Stats().BytesIn-before.BytesIn)
	for _, e := range trace.Last().Events() {
		require.NotEqual(t, trace.Host, e.Kind)
	}
}

// TestScansLargerThanTheDevice: running results of one vector, and of a few long lines, that the device has no room for
// go through it in pieces, with the bits of the whole.
func TestScansLargerThanTheDevice(t *testing.T) {
	rt := testdevices.Use(t)
	var warned []string
	rt.Warn = func(s string) { warned = append(warned, s) }
	for seed := range testsize.Seeds("tests.TestScansLargerThanTheDevice") {
		r := rand.New(rand.NewPCG(seed, 2))
		n := 30_000 + r.IntN(40_000)
		if r.IntN(3) == 0 {
			n = n / 2048 * 2048
		}
		e := arrays.DefaultRNG(int(seed)).Normal(0, 1, n)
		if r.IntN(2) == 0 {
			e = e.Mul(10).AsType(arrays.Int32)
		}
		shape := [][]int{{n}, {1, n, 1}, {2, n / 2}, {n / 3, 3}, {1, n / 2, 2}}[r.IntN(5)]
		axis := slices.Index(shape, slices.Max(shape))
		c := cumulations[r.IntN(len(cumulations))]
		x := func() *lazy.Array { return c.lazy(lazy.FromArray(arrays.Resize(e, shape...)).Mul(2), axis) }
		lazy.Use("sim:tiny")
		rt.SetMemLimit(0)
		want := x().Array()
		pieces := rt.Stats().Pieces
		rt.SetMemLimit(int64(1+n/shape[axis]) << 16)
		got := x().Mul(1).Array()
		require.True(t, sameNumbers(want.Mul(1), got), "seed %d: %s of %v along %d", seed, c.name, shape, axis)
		require.Greater(t, rt.Stats().Pieces, pieces, "seed %d: %s of %v along %d", seed, c.name, shape, axis)
	}
	require.Empty(t, warned)
}

// TestMasksOnDevices: what a mask picks is packed on the device, of every dtype and of views, and only the number of
// elements is copied to the host.
func TestMasksOnDevices(t *testing.T) {
	testsize.InTurn(t, 0)
	rt := testdevices.Use(t)
	for i, d := range []arrays.DType{arrays.Int8, arrays.Uint16, arrays.Float16, arrays.Int32, arrays.Float32, arrays.Float64, arrays.Uint64} {
		e := arrays.DefaultRNG(i).Normal(0, 50, 70, 71).AsType(d)
		keep := arrays.DefaultRNG(i+100).Normal(0, 1, 71, 70).Greater([]float64{-9, -1, 0, 2, 9}[i%5])
		for _, device := range append([]string{"host"}, scanners...) {
			lazy.Use(device)
			x, mask := lazy.FromArray(e), lazy.FromArray(keep)
			before := rt.Stats().CPUTasks
			require.True(t, sameNumbers(e.At(keep.T()), x.At(mask.T()).Array()), "%s, %v", device, d)
			require.True(t, sameNumbers(e.T().At(keep), x.T().At(mask).Array()), "%s, %v", device, d)
			for k, places := range lazy.NonZero(x.Sub(x.Max())) {
				require.True(t, sameNumbers(arrays.NonZero(e.Sub(e.Max()))[k], places.Array()), "%s, %v", device, d)
			}
			if device != "host" && keep.AnyTrue().Item().(bool) {
				require.Equal(t, before, rt.Stats().CPUTasks, "%s, %v", device, d)
			}
		}
	}
	lazy.Use("sim:v100")
	e := arrays.DefaultRNG(1).Normal(0, 1, 30_000)
	x := lazy.FromArray(e).Add(0)
	lazy.Eval(x)
	before := rt.Stats()
	got := x.At(x.Greater(0)).CumSum().Max().Item().(float64)
	require.InDelta(t, e.At(e.Greater(0)).Sum().Item().(float64), got, 1e-6)
	require.EqualValues(t, 16, rt.Stats().BytesOut-before.BytesOut, "the number of elements, and the result")
	require.Zero(t, rt.Stats().BytesIn-before.BytesIn)
	require.Equal(t, before.CPUTasks, rt.Stats().CPUTasks)
}

// TestMasksLargerThanTheDevice: what a mask picks of an array that the device has no room for goes through it in
// pieces; so do the places where a mask is true, and what is computed of both. The mask may be of an earlier cell.
func TestMasksLargerThanTheDevice(t *testing.T) {
	if !alone.Here(t) { // a device without room asks the collector time and again
		return
	}
	rt := testdevices.Use(t)
	var warned []string
	rt.Warn = func(s string) { warned = append(warned, s) }
	lazy.Use("sim:tiny")
	for seed := range testsize.Seeds("tests.TestMasksLargerThanTheDevice") {
		r := rand.New(rand.NewPCG(seed, 3))
		n := 40_000 + r.IntN(40_000)
		if r.IntN(3) == 0 {
			n = n / 4096 * 4096
		}
		d := []arrays.DType{arrays.Float64, arrays.Int32, arrays.Float32, arrays.Int64}[r.IntN(4)]
		e := arrays.DefaultRNG(int(seed)).Normal(0, 100, n/2, 2).AsType(d)
		least := []int{-1000, -50, 0, 150, 280, 1000}[r.IntN(6)]
		keep := e.Greater(least)
		rt.SetMemLimit(1 << 17)
		x := lazy.FromArray(e)
		mask := x.Greater(least)
		if r.IntN(2) == 0 {
			lazy.Eval(mask) // in a cell before
		}
		if r.IntN(3) == 0 { // of views
			x, mask, e, keep = x.T().At(lazy.All, lazy.S(lazy.End, lazy.End, -1)), mask.T(), e.T().At(arrays.All, arrays.S(arrays.End, arrays.End, -1)), keep.T()
		}
		pieces := rt.Stats().Pieces
		require.True(t, sameNumbers(e.At(keep), x.At(mask).Array()), "seed %d", seed)
		require.True(t, sameNumbers(e.At(keep).Mul(2), x.At(mask).Mul(2).Array()), "seed %d", seed)
		for k, places := range lazy.NonZero(mask) {
			require.True(t, sameNumbers(arrays.NonZero(keep)[k], places.Array()), "seed %d", seed)
		}
		if keep.AnyTrue().Item().(bool) {
			require.Greater(t, rt.Stats().Pieces, pieces, "seed %d", seed)
		}
	}
	require.Empty(t, warned)
}

// TestReductionsOfNothing: a sum of no elements is computed where the device has room for little, too.
func TestReductionsOfNothing(t *testing.T) {
	rt := testdevices.Use(t)
	lazy.Use("sim:tiny")
	rt.SetMemLimit(1 << 16)
	x := lazy.FromArray(arrays.Arange(20_000).AsType(arrays.Float64))
	all, none := x.Sum(), x.Mul(2).At(lazy.To(0)).Sum()
	lazy.Eval(x.Mul(3), all, none)
	require.Zero(t, none.Float64())
	require.Equal(t, 20_000*19_999/2.0, all.Float64())
}
