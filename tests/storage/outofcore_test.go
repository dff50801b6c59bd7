//go:build unix

package storage

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// throughout are computations of files that are more than the budget, beside elementwise operations and reductions.
var throughout = map[string]func(x *lazy.Array) *lazy.Array{
	"cumsum":       func(x *lazy.Array) *lazy.Array { return x.CumSum() },
	"cumsum, then": func(x *lazy.Array) *lazy.Array { return x.Mul(0.5).CumSum().Sub(3).Max() },
	"cumsum rows":  func(x *lazy.Array) *lazy.Array { return x.Reshape(n/64, 64).CumSum(lazy.Axis(1)) },
	"cumprod":      func(x *lazy.Array) *lazy.Array { return x.Div(n).Add(1).CumProd() },
	"matvec": func(x *lazy.Array) *lazy.Array {
		return lazy.MatMul(x.Reshape(n/64, 64), lazy.Arange(64).AsType(lazy.Float64))
	},
	"matmul": func(x *lazy.Array) *lazy.Array { return lazy.MatMul(x.Reshape(n/64, 64), lazy.Ones(64, 3)) },
	"sort":   func(x *lazy.Array) *lazy.Array { return lazy.Sort(x.Sub(n / 2).Abs()) },
	"sort, then": func(x *lazy.Array) *lazy.Array {
		return lazy.Sort(x.At(lazy.S(lazy.End, lazy.End, -1))).At(lazy.S(0, 10))
	},
	"sort rows":   func(x *lazy.Array) *lazy.Array { return lazy.Sort(x.Mod(37).Reshape(n/64, 64)) },
	"median":      func(x *lazy.Array) *lazy.Array { return lazy.Median(x) },
	"nanmedian":   func(x *lazy.Array) *lazy.Array { return lazy.NanMedian(x) },
	"quantile":    func(x *lazy.Array) *lazy.Array { return lazy.Quantile(x, 0.123) },
	"percentiles": func(x *lazy.Array) *lazy.Array { return lazy.Percentile(x.Mod(777), []float64{0, 1, 50, 99.9, 100}) },
	"of computed": func(x *lazy.Array) *lazy.Array { return lazy.Quantile(x, lazy.Arange(5).Div(4)) },
	"kept axes": func(x *lazy.Array) *lazy.Array {
		return lazy.Quantile(x.Reshape(n/64, 64), 0.5, lazy.KeepDims(), lazy.QuantileHazen)
	},
	"argsort":       func(x *lazy.Array) *lazy.Array { return lazy.ArgSort(x.Mod(1000)) },
	"argsort, then": func(x *lazy.Array) *lazy.Array { return lazy.ArgSort(x.Neg()).Mul(2).Sum() },
	"of a column": func(x *lazy.Array) *lazy.Array {
		return lazy.ArgSort(x.Mod(77).Reshape(n/64, 64).At(lazy.All, lazy.S(0, 40)).Ravel())
	},
	"long rows":    func(x *lazy.Array) *lazy.Array { return lazy.Sort(x.Mod(91).Reshape(2, n/2)) },
	"long columns": func(x *lazy.Array) *lazy.Array { return lazy.Sort(x.Mod(91).Reshape(n/2, 2), lazy.Axis(0)) },
	"short columns": func(x *lazy.Array) *lazy.Array {
		return lazy.Sort(x.Mod(91).Reshape(64, n/64), lazy.Axis(0))
	},
	"columns of cubes": func(x *lazy.Array) *lazy.Array {
		return lazy.Sort(x.Mod(91).Reshape(2, n/8, 4), lazy.Axis(1))
	},
	"places in rows": func(x *lazy.Array) *lazy.Array { return lazy.ArgSort(x.Mod(37).Reshape(n/64, 64)) },
	"places in long rows": func(x *lazy.Array) *lazy.Array {
		return lazy.ArgSort(x.Mod(37).Reshape(2, n/2))
	},
	"places in long columns": func(x *lazy.Array) *lazy.Array {
		return lazy.ArgSort(x.Mod(37).Reshape(n/4, 4), lazy.Axis(0))
	},
	"inverse": func(x *lazy.Array) *lazy.Array { _, inverse := lazy.UniqueInverse(x.Mod(1000)); return inverse },
	"first": func(x *lazy.Array) *lazy.Array {
		_, first, _, _ := lazy.UniqueAll(x.Mod(1000).Sub(500).Abs().Reshape(n/64, 64))
		return first
	},
	"all of many": func(x *lazy.Array) *lazy.Array {
		v, first, inverse, counts := lazy.UniqueAll(x.Div(2).Floor().Reshape(64, n/64))
		return v.Add(first).Sum().Add(inverse.Mul(lazy.Arange(n / 64)).Sum()).Add(counts.Sum())
	},
	"argmax":            func(x *lazy.Array) *lazy.Array { return x.Mod(1000).ArgMax() },
	"argmin":            func(x *lazy.Array) *lazy.Array { return x.Sub(77777).Abs().ArgMin() },
	"argmax of rows":    func(x *lazy.Array) *lazy.Array { return x.Mod(1000).Reshape(n/64, 64).ArgMax(lazy.Axis(1)) },
	"argmin of columns": func(x *lazy.Array) *lazy.Array { return x.Mod(1000).Reshape(n/64, 64).ArgMin(lazy.Axis(0)) },
	"medians of rows":   func(x *lazy.Array) *lazy.Array { return lazy.Median(x.Mod(1000).Reshape(n/64, 64), lazy.Axis(1)) },
	"quartiles of rows": func(x *lazy.Array) *lazy.Array {
		return lazy.Percentile(x.Reshape(2, n/2), []float64{25, 75}, lazy.Axis(1))
	},
	"medians of columns": func(x *lazy.Array) *lazy.Array {
		return lazy.Median(x.Mod(1000).Reshape(16, 32, n/512), lazy.Axis(1), lazy.KeepDims())
	},
	"unique":        func(x *lazy.Array) *lazy.Array { return lazy.Unique(x.Mod(1000)) },
	"many distinct": func(x *lazy.Array) *lazy.Array { return lazy.Unique(x).Sum() },
	"histogram":     func(x *lazy.Array) *lazy.Array { c, _ := lazy.Histogram(x, 17); return c },
	"of what was taken": func(x *lazy.Array) *lazy.Array { // it is in memory by then
		c, _ := lazy.Histogram(lazy.Take(x, lazy.Arange(n).Mul(7).Mod(n)), 17)
		return c
	},
	"edges": func(x *lazy.Array) *lazy.Array { _, e := lazy.Histogram(x, 17, lazy.Limits(5, 1000)); return e },
	"density": func(x *lazy.Array) *lazy.Array {
		c, _ := lazy.Histogram(x, []float64{0, 10, 1e6}, lazy.Density())
		return c
	},
	"bincount": func(x *lazy.Array) *lazy.Array { return lazy.BinCount(x.AsType(lazy.Int64).Mod(19)) },
	"deleted":  func(x *lazy.Array) *lazy.Array { return lazy.Delete(x, []int{7, -3, 7}) },
	"deleted rows": func(x *lazy.Array) *lazy.Array {
		return lazy.Delete(x.Reshape(n/64, 64), lazy.S(10, 500), lazy.Axis(0))
	},
	"joined": func(x *lazy.Array) *lazy.Array {
		return lazy.Concat(lazy.Axis(0), x, x.AsType(lazy.Float32), []int{1}, x.At(lazy.S(9, 5, -1)))
	},
	"joined rows": func(x *lazy.Array) *lazy.Array {
		return lazy.Concat(lazy.Axis(0), x.Reshape(64, n/64).T(), lazy.Ones(3, 64))
	},
	"rolled":      func(x *lazy.Array) *lazy.Array { return lazy.Roll(x, 12345) },
	"gradient":    func(x *lazy.Array) *lazy.Array { return lazy.Gradient(x.Square(), 2) },
	"unwrapped":   func(x *lazy.Array) *lazy.Array { return lazy.Unwrap(x.Mul(1.7)) },
	"picked most": func(x *lazy.Array) *lazy.Array { return x.At(x.Mod(3).Greater(0)) },
	"picked in places": func(x *lazy.Array) *lazy.Array {
		return x.At(x.Mod(100_000).Less(9)).Mul(x.At(x.Mod(100_000).Less(9)))
	},
	"picked by memory": func(x *lazy.Array) *lazy.Array { return x.At(lazy.Arange(n).Mod(5).Greater(0)) },
	"picked columns": func(x *lazy.Array) *lazy.Array {
		m := x.Reshape(n/64, 64).T()
		return m.At(m.Mod(7).Greater(1))
	},
	"points": func(x *lazy.Array) *lazy.Array {
		c, e, _ := lazy.Histogram2D(x.Mod(1000), x.Mod(77), []int{9, 5})
		return lazy.Concat(lazy.Axis(0), c.Ravel(), e)
	},
	"points within": func(x *lazy.Array) *lazy.Array {
		c, _, _ := lazy.Histogram2D(x.AsType(lazy.Int64), lazy.Arange(n).Mod(9), []int{4}, 100, 9000, 2, 5)
		return c
	},
	"trimmed": func(x *lazy.Array) *lazy.Array {
		return lazy.TrimZeros(lazy.Where(x.Greater(5000), x, 0).Reshape(n/64, 64)).Sum(lazy.Axis(0))
	},
}

// TestThroughoutIsInMemory: what needs all elements of a file that is more than the budget has the bits of what is
// computed in memory, and leaves no file. A short test has a third of the computations, each turn another.
func TestThroughoutIsInMemory(t *testing.T) {
	at := 0
	onEach(t, []string{"host", "sim:tiny"}, func(t *testing.T, rt *offload.Runtime) {
		sampled(t, rt)
		dir := t.TempDir()
		t.Setenv("TMPDIR", dir)
		lazy.SetHostBudget(8 * n / 16)
		path := saved(t)
		for _, name := range slices.Sorted(maps.Keys(throughout)) {
			if at++; !testsize.Part(at, 3) {
				continue
			}
			of := throughout[name]
			want := of(lazy.FromArray(arrays.Arange(n).AsType(arrays.Float64))).Array()
			got := of(open(t, path))
			assert.Equal(t, want.Shape(), got.Shape(), name)
			assert.True(t, string(want.Bytes()) == string(got.Array().Bytes()), name)
		}
		entries, err := os.ReadDir(filepath.Dir(path))
		require.NoError(t, err)
		assert.Len(t, entries, 1)
	})
}

// TestSortedStaysOnDisk: the sorted elements of a file are in a file until they are asked for, and can be saved.
func TestSortedStaysOnDisk(t *testing.T) {
	onEach(t, small, func(t *testing.T, rt *offload.Runtime) {
		lazy.SetHostBudget(8 * n / 16)
		s := lazy.Sort(open(t, saved(t)).Neg())
		assert.Equal(t, float64(1-n), s.At(0).Float64())
		assert.Contains(t, s.String(), "It is too large to be read and shown as a whole")
		assert.Equal(t, fmt.Sprintf("[-%d. -%d. -%d.]", n-1, n-2, n-3), s.At(lazy.S(0, 3)).String(), "a part is shown")
		out := filepath.Join(t.TempDir(), "s.npy")
		require.NoError(t, lazy.Save(out, s))
		want := arrays.Sort(arrays.Arange(n).AsType(arrays.Float64).Neg()).Bytes()
		loaded, err := arrays.Load(out)
		require.NoError(t, err)
		assert.True(t, string(want) == string(loaded.Bytes()))
		assert.True(t, string(want) == string(s.Array().Bytes()))
	})
}

// TestSavedIsNotKept: what was written to somebody's file while it was computed is computed again, by whoever has it.
func TestSavedIsNotKept(t *testing.T) {
	testsize.InTurn(t, 1)
	onEach(t, small, func(t *testing.T, rt *offload.Runtime) {
		lazy.SetHostBudget(8 * n / 16)
		x := open(t, saved(t))
		s := lazy.Sort(x.Neg()).Reshape(64, n/64)
		require.NoError(t, lazy.Save(filepath.Join(t.TempDir(), "s.npy"), s))
		assert.Equal(t, float64(1-n), s.At(0, 0).Float64())
		u := lazy.Sort(x.Neg()).Reshape(64, n/64)
		_, inverse := lazy.UniqueInverse(u)
		assert.Equal(t, n-1, inverse.At(-1, -1).Int())
		assert.Equal(t, []float64{1 - n, 2 - n}, lazy.Unique(u).At(lazy.S(0, 2)).Float64s())
	})
}

// TestLongRunningSums: lines for which the CPU takes another way in memory, with buffers of its own, are cut all the
// same, and have the same bits.
func TestLongRunningSums(t *testing.T) {
	testdevices.Use(t)
	lazy.Use("host")
	defer lazy.SetHostBudget(0)
	for _, long := range []int{1 << 20, 1<<20 + 777} {
		lazy.SetHostBudget(0)
		x := lazy.Arange(long).Mul(0.1).Sin()
		path, out := filepath.Join(t.TempDir(), "x.npy"), filepath.Join(t.TempDir(), "sums.npy")
		require.NoError(t, lazy.Save(path, x))
		want, last := x.CumSum().Array(), x.CumProd().At(-1).Float64()
		lazy.SetHostBudget(int64(8 * long / 16))
		file := open(t, path)
		require.NoError(t, lazy.Save(out, file.CumSum()))
		got, err := arrays.Load(out)
		require.NoError(t, err)
		assert.True(t, string(want.Bytes()) == string(got.Bytes()), long)
		assert.Equal(t, last, file.CumProd().At(-1).Float64())
	}
}

var methods = []lazy.QuantileMethod{
	lazy.QuantileInvertedCDF, lazy.QuantileAveragedInvertedCDF, lazy.QuantileClosestObservation, lazy.QuantileLinear,
	lazy.QuantileMedianUnbiased, lazy.QuantileLower, lazy.QuantileHigher, lazy.QuantileMidpoint, lazy.QuantileNearest,
}

// TestRandomElementsOutOfCore: of random dtypes, sizes, values and budgets, with NaNs and zeros of both signs.
func TestRandomElementsOutOfCore(t *testing.T) {
	testdevices.Use(t)
	lazy.Use("host")
	dir := t.TempDir()
	dtypes := []lazy.DType{lazy.Bool, lazy.Int8, lazy.Uint8, lazy.Int16, lazy.Uint16, lazy.Int32, lazy.Uint32, lazy.Int64, lazy.Uint64, lazy.Float32, lazy.Float64}
	for seed := range asked(testsize.Seeds("tests/storage.TestRandomElementsOutOfCore")) {
		r := rand.New(rand.NewPCG(seed, 33))
		d := dtypes[r.IntN(len(dtypes))]
		vals := make([]float64, 60_000+r.IntN(60_000))
		span := math.Pow(10, 1+4*r.Float64())
		for i := range vals {
			if vals[i] = math.Floor(r.Float64() * span); !d.IsUnsigned() && !d.IsBool() {
				vals[i] -= math.Floor(span / 2)
			}
			if d.IsFloat() && r.IntN(1000) == 0 {
				vals[i] = []float64{math.NaN(), math.Inf(1), math.Copysign(0, -1)}[r.IntN(3)]
			}
		}
		eager := arrays.FromSlice(vals, len(vals)).AsType(d)
		path := filepath.Join(dir, fmt.Sprintf("%d.npy", seed))
		require.NoError(t, arrays.Save(path, eager))
		budget := 20_000 + r.IntN(30_000)
		lazy.SetHostBudget(int64(budget))
		x, err := lazy.Open(path, lazy.Backing(disk.Backings[r.IntN(4)]))
		require.NoError(t, err)
		same := func(want *arrays.Array, got *lazy.Array, what string) {
			t.Helper()
			require.Equal(t, want.DType(), got.DType(), "%s, seed %d", what, seed)
			require.True(t, string(want.Bytes()) == string(got.Array().Bytes()), "%s of %v, seed %d: %v, not %v", what, d, seed, got, want)
		}
		same(arrays.Sort(eager), lazy.Sort(x), "sort")
		same(arrays.ArgSort(eager), lazy.ArgSort(x), "argsort")
		uv, uf, ui, uc := arrays.UniqueAll(eager)
		wv, wf, wi, wc := lazy.UniqueAll(x)
		same(uv, wv, "all: values")
		same(uf, wf, "all: first")
		same(ui, wi, "all: inverse")
		same(uc, wc, "all: counts")
		if lines := 2 + r.IntN(4); len(vals)%lines == 0 {
			axis, square := arrays.Axis(r.IntN(2)), []int{lines, len(vals) / lines}
			if r.IntN(2) == 0 {
				square[0], square[1] = square[1], square[0]
			}
			same(arrays.Sort(eager.Reshape(square...), axis), lazy.Sort(x.Reshape(square...), axis), "sort of lines")
			same(arrays.ArgSort(eager.Reshape(square...), axis), lazy.ArgSort(x.Reshape(square...), axis), "argsort of lines")
		}
		lines, inner := 1+r.IntN(300), []int{1, 1 + r.IntN(6), 1 + r.IntN(400)}[r.IntN(3)]
		if m := len(vals) / inner; m >= lines { // some elements, in three axes of any sizes
			e, y := eager.At(arrays.To(m/lines*lines*inner)), x.At(lazy.To(m/lines*lines*inner))
			shape := [][]int{{lines, m / lines, inner}, {m / lines, lines, inner}, {m / lines * inner, lines}}[r.IntN(3)]
			e, y = e.Reshape(shape...), y.Reshape(shape...)
			axis := []arrays.ReduceOption{arrays.Axis(r.IntN(len(shape)))}
			two := false
			switch r.IntN(4) {
			case 0:
				axis[0], two = arrays.Axis(0, 1), true
			case 1:
				axis = append(axis, arrays.KeepDims())
			}
			what := fmt.Sprintf(" of %v by %+v, budget %d", shape, axis, budget)
			if !two { // places are along one axis
				same(e.ArgMax(axis...), y.ArgMax(axis...), "argmax"+what)
				same(e.ArgMin(axis...), y.ArgMin(axis...), "argmin"+what)
			}
			if !d.IsBool() {
				same(arrays.Median(e, axis...), lazy.Median(y, axis...), "median"+what)
				same(arrays.NanMedian(e, axis...), lazy.NanMedian(y, axis...), "median without NaNs"+what)
				q := []any{0.3, []float64{0.1, 0.77, 1}}[r.IntN(2)]
				options := make([]arrays.QuantileOption, len(axis))
				for i, o := range axis {
					options[i] = o
				}
				want := arrays.Quantile(e, q, options...)
				if want.NBytes() <= 1<<16 { // several of each line wait in memory
					same(want, lazy.Quantile(y, q, options...), "quantiles"+what)
				}
			}
		}
		v, c := arrays.UniqueCounts(eager)
		w, e := lazy.UniqueCounts(x)
		same(v, w, "unique")
		same(c, e, "counts")
		same(eager.ArgMax(), x.ArgMax(), "argmax")
		same(eager.ArgMin(), x.ArgMin(), "argmin")
		if !d.IsBool() {
			same(arrays.Median(eager), lazy.Median(x), "median")
			same(arrays.NanMedian(eager), lazy.NanMedian(x), "median without NaNs")
			q, method := []float64{r.Float64(), 0, r.Float64(), 1}, methods[r.IntN(len(methods))]
			same(arrays.Quantile(eager, q, method), lazy.Quantile(x, q, method), "quantiles by "+string(method))
			same(arrays.NanPercentile(eager, 100*q[0]), lazy.NanPercentile(x, 100*q[0]), "percentile without NaNs")
		}
		limits := arrays.Limits(-span/3, span/3)
		counts, edges := arrays.Histogram(eager.AsType(arrays.Float64), 12, limits)
		got, between := lazy.Histogram(x.AsType(lazy.Float64), 12, limits)
		same(counts, got, "histogram")
		same(edges, between, "edges")
		require.NoError(t, x.Close())
	}
}
