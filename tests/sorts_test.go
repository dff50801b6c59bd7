package tests

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// TestSortsOnDevices: what stands on sorted elements runs on devices, and has the bits of eager arrays: random arrays
// and views of all dtypes, with equal elements, NaNs and both zeros, along random axes.
func TestSortsOnDevices(t *testing.T) {
	rt := testdevices.Use(t)
	types := []arrays.DType{
		arrays.Bool, arrays.Int8, arrays.Int16, arrays.Int32, arrays.Int64, arrays.Uint8, arrays.Uint16, arrays.Uint32, arrays.Uint64,
		arrays.Float16, arrays.Float32, arrays.Float64,
	}
	for seed := range testsize.Seeds("tests.TestSortsOnDevices") {
		r := rand.New(rand.NewPCG(seed, 2))
		d := types[r.IntN(len(types))]
		shape := [][]int{{1 + r.IntN(4500)}, {1 + r.IntN(9), 1 + r.IntN(300)}, {1 + r.IntN(300), 1 + r.IntN(9)}, {1 + r.IntN(3), 1 + r.IntN(40), 1 + r.IntN(9)}}[r.IntN(4)]
		e := arrays.DefaultRNG(r.IntN(1<<30)).Normal(0, []float64{1, 30, 1e5}[r.IntN(3)], shape...)
		if d.IsFloat() && r.IntN(2) == 0 {
			e = arrays.Where(e.Greater(1), e.Sub(e).Div(0), e)       // NaN
			e = arrays.Where(e.Less(-1), e.Sub(e).Mul(-1), e.Rint()) // zeros of both signs
		}
		e = e.AsType(d)
		x := lazy.FromArray(e)
		if r.IntN(3) == 0 {
			e, x = e.At(arrays.Dots, arrays.S(arrays.End, arrays.End, -1)), x.At(lazy.Dots, lazy.S(lazy.End, lazy.End, -1))
		}
		k := r.IntN(len(shape))
		device := scanners[r.IntN(len(scanners))]
		lazy.Use(device)
		before := rt.Stats().CPUTasks
		same := func(what string, want *arrays.Array, got *lazy.Array) {
			t.Helper()
			require.Equal(t, want.DType(), got.DType(), what)
			require.Equal(t, want.Shape(), got.Shape(), "%s, seed %d: %s of %v %v along %d", device, seed, what, d, shape, k)
			require.True(t, sameNumbers(want, got.Array()), "%s, seed %d: %s of %v %v along %d", device, seed, what, d, shape, k)
		}
		same("Sort", e.Sort(k), x.Sort(k))
		same("ArgSort", e.ArgSort(k-len(shape)), x.ArgSort(k-len(shape)))
		order := e.Reshape(-1).ArgSort()
		same("Take", e.Reshape(-1).At(order), x.Reshape(-1).At(x.Reshape(-1).ArgSort()))
		pick := arrays.DefaultRNG(1).Integers(-shape[k], shape[k], 3, 5)
		same("Take", arrays.Take(e, pick, k), lazy.Take(x, lazy.FromArray(pick), k))
		same("Unique", arrays.Unique(e), lazy.Unique(x))
		ev, ec := arrays.UniqueCounts(e)
		v, c := lazy.UniqueCounts(x)
		same("UniqueCounts", ev, v)
		same("UniqueCounts", ec, c)
		ev, ef, ei, ec := arrays.UniqueAll(e)
		v, f, i, c := lazy.UniqueAll(x)
		same("UniqueAll", ev, v)
		same("UniqueAll, first", ef, f)
		same("UniqueAll, inverse", ei, i)
		same("UniqueAll, counts", ec, c)
		if d != arrays.Float16 && d != arrays.Bool {
			list := e.Reshape(-1).Sort()
			same("SearchSorted", arrays.SearchSorted(list, e), lazy.SearchSorted(lazy.FromArray(list), x))
			same("SearchSortedRight", arrays.SearchSortedRight(list, e), lazy.SearchSortedRight(lazy.FromArray(list), x))
		}
		if d.IsInt() {
			ints := e.AsType(arrays.Int64).Mod(200).AsType(d)
			if ints.Min().Int() >= 0 {
				same("BinCount", arrays.BinCount(ints, arrays.MinLength(150)), lazy.BinCount(lazy.FromArray(ints), lazy.MinLength(150)))
			}
		}
		require.Equal(t, before, rt.Stats().CPUTasks, "%s, seed %d: on the CPU", device, seed)
	}
}

// TestChainsStayOnDevices: of what is sorted, picked and counted only the sizes of results are copied to the host, and
// the result, and to the device the 51 values that are counted.
func TestChainsStayOnDevices(t *testing.T) {
	rt := testdevices.Use(t)
	lazy.Use("sim:v100")
	e := arrays.DefaultRNG(1).Normal(0, 100, 3000).AsType(arrays.Int32)
	x := lazy.FromArray(e).Add(0)
	n := lazy.Arange(3000).Mod(3)
	lazy.Eval(x, n)
	moved := func(bytes, in int, f func() any) any {
		t.Helper()
		before := rt.Stats()
		got := f()
		require.EqualValues(t, bytes, rt.Stats().BytesOut-before.BytesOut)
		require.EqualValues(t, in, rt.Stats().BytesIn-before.BytesIn)
		require.Equal(t, before.CPUTasks, rt.Stats().CPUTasks)
		return got
	}
	require.Equal(t, e.Sort().CumSum().Max().Item(), moved(8, 0, func() any { return x.Sort().CumSum().Max().Item() }))
	require.Equal(t, e.At(e.ArgSort()).At(arrays.From(10)).Min().Item(), moved(4, 0, func() any { return x.At(x.ArgSort()).At(lazy.From(10)).Min().Item() }))
	require.Equal(t, arrays.Unique(e).CumSum().Max().Item(), moved(8+8, 0, func() any { return lazy.Unique(x).CumSum().Max().Item() }))
	ints := e.Mod(50)
	require.Equal(t, arrays.BinCount(ints).Max().Item(), moved(8+8+8, 51*8, func() any { return lazy.BinCount(x.Mod(50)).Max().Item() }))
	times := arrays.Arange(3000).Mod(3)
	require.Equal(t, arrays.Repeat(e, times.Ints()).CumSum().Max().Item(), moved(8+8+8, 8*times.Sum().Int(), func() any { return lazy.Repeat(x, n).CumSum().Max().Item() }))
	require.Equal(t, arrays.Repeat(e, times).Bytes(), arrays.Repeat(e, times.Ints()).Bytes())
}

// TestIndicesOutOfBounds: a device says what package arrays says.
func TestIndicesOutOfBounds(t *testing.T) {
	testdevices.Use(t)
	e := arrays.Arange(12).Reshape(3, 4)
	for _, at := range []int{4, -5} {
		message := func(f func()) (s string) {
			defer func() { s = recover().(error).Error() }()
			f()
			return ""
		}
		idx := arrays.FromSlice([]int{0, at - 1, 1})
		want := message(func() { arrays.Take(e, idx.Add(1), 1) })
		for _, device := range []string{"host", "sim:v100"} {
			lazy.Use(device)
			require.Equal(t, want, message(func() { lazy.Take(lazy.FromArray(e), lazy.FromArray(idx).Add(1), 1).Array() }), device)
		}
	}
	require.PanicsWithError(t, "repeat: -1 repetitions cannot be made; use 0 or more", func() { lazy.Repeat(lazy.Arange(2), lazy.FromSlice([]int{2, -1})) })
}
