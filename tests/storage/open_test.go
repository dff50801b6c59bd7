//go:build unix

package storage

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// budgeted calls f on each device with a budget that is a sixteenth of saved's elements.
func budgeted(t *testing.T, f func(t *testing.T, rt *offload.Runtime)) {
	onEach(t, small, func(t *testing.T, rt *offload.Runtime) {
		lazy.SetHostBudget(8 * n / 16)
		f(t, rt)
	})
}

// open is the array of a file, which nothing has read.
func open(t *testing.T, path string) *lazy.Array {
	x, err := lazy.Open(path)
	require.NoError(t, err)
	return x
}

// streamed are the computations that read a file piece by piece.
var streamed = map[string]func(x *lazy.Array) *lazy.Array{
	"elementwise": func(x *lazy.Array) *lazy.Array { return x.Sqrt().Add(1) },
	"cast":        func(x *lazy.Array) *lazy.Array { return x.AsType(lazy.Float32) },
	"compared":    func(x *lazy.Array) *lazy.Array { return x.Greater(1000) },
	"broadcast":   func(x *lazy.Array) *lazy.Array { return x.Reshape(n/64, 64).Mul(lazy.Arange(64)) },
	"sum":         func(x *lazy.Array) *lazy.Array { return x.Mul(x).Sum() },
	"mean":        func(x *lazy.Array) *lazy.Array { return x.Mean() },
	"rows":        func(x *lazy.Array) *lazy.Array { return x.Reshape(n/64, 64).Sum(lazy.Axis(1)) },
	"columns":     func(x *lazy.Array) *lazy.Array { return x.Reshape(n/64, 64).Max(lazy.Axis(0)) },
	"middle":      func(x *lazy.Array) *lazy.Array { return x.Reshape(64, n/64/32, 32).Sum(lazy.Axis(1)) },
	"slice":       func(x *lazy.Array) *lazy.Array { return x.At(lazy.S(1000, 1010)).Add(1) },
	"strided":     func(x *lazy.Array) *lazy.Array { return x.At(lazy.S(3, lazy.End, 7)).Add(1) },
	"backwards":   func(x *lazy.Array) *lazy.Array { return x.At(lazy.S(lazy.End, lazy.End, -1)).Mul(2) },
	"column":      func(x *lazy.Array) *lazy.Array { return x.Reshape(n/64, 64).At(lazy.All, 5).Add(1) },
	"transposed":  func(x *lazy.Array) *lazy.Array { return x.Reshape(n/64, 64).T().Add(1).Sum(lazy.Axis(0)) },
	"neighbours":  func(x *lazy.Array) *lazy.Array { return x.At(lazy.S(1, lazy.End)).Sub(x.At(lazy.S(0, -1))) },
	"element":     func(x *lazy.Array) *lazy.Array { return x.At(-7).Add(1) },
	"one":         func(x *lazy.Array) *lazy.Array { return x.At(12345).Copy() },
	"elements":    func(x *lazy.Array) *lazy.Array { return x.At(5).Add(x.At(n - 1)).Mul(lazy.Arange(3)) },
	"then":        func(x *lazy.Array) *lazy.Array { return x.Sub(x.Mean()).Abs().Max() },
}

// TestStreamedIsInMemory: what is computed of a file piece by piece has the bits of what is computed in memory.
func TestStreamedIsInMemory(t *testing.T) {
	devices(t, func(t *testing.T, rt *offload.Runtime) {
		lazy.SetHostBudget(8 * n / 16)
		path := saved(t)
		for i, name := range slices.Sorted(maps.Keys(streamed)) {
			if !testsize.Part(i, 3) {
				continue
			}
			of := streamed[name]
			want := of(lazy.FromArray(arrays.Arange(n).AsType(arrays.Float64))).Array()
			got := of(open(t, path)).Array()
			assert.Equal(t, want.Shape(), got.Shape(), name)
			assert.Equal(t, want.Bytes(), got.Bytes(), name)
		}
		assert.NotZero(t, rt.Stats().Pieces)
	})
}

// TestOpenedDTypes: of all dtypes, of both orders of axes and of bytes.
func TestOpenedDTypes(t *testing.T) {
	testdevices.Use(t)
	lazy.SetHostBudget(1 << 20)
	for _, name := range []string{"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16", "M8[s]", "m8[ns]"} {
		for _, big := range []bool{false, true} {
			for _, fortran := range []bool{false, true} {
				path := filepath.Join(t.TempDir(), "x.npy")
				order, python := "<", "False"
				if big {
					order = ">"
				}
				if fortran {
					python = "True"
				}
				head := fmt.Sprintf("{'descr': '%s%s', 'fortran_order': %s, 'shape': (70, 300), }", order, name, python)
				size := map[byte]int{'1': 1, '2': 2, '4': 4, '8': 8, '6': 16}[name[len(name)-1]]
				if name[0] == 'M' || name[0] == 'm' {
					size = 8
				}
				if name == "c16" {
					size = 16
				}
				file := []byte(fmt.Sprintf("\x93NUMPY\x01\x00\x76\x00%-117s\n", head))
				r := rand.New(rand.NewPCG(uint64(size), 1))
				for range 70 * 300 * size {
					file = append(file, byte(r.Uint32()))
				}
				require.NoError(t, os.WriteFile(path, file, 0o600))
				want, err := arrays.Load(path)
				require.NoError(t, err)
				x := open(t, path)
				assert.Equal(t, want.DType(), x.DType(), head)
				assert.Equal(t, want.Bytes(), x.Copy().Array().Bytes(), head)
				part := []any{lazy.S(5, 60, 3), lazy.S(lazy.End, 10, -1)}
				assert.Equal(t, want.At(part...).Bytes(), x.At(part...).Copy().Array().Bytes(), head)
			}
		}
	}
}

// TestNeedsAllOfIt: what cannot be streamed says so by name before it reads, and reads the file whole where the budget
// allows it.
func TestNeedsAllOfIt(t *testing.T) {
	budgeted(t, func(t *testing.T, rt *offload.Runtime) {
		path := saved(t)
		eager := arrays.Arange(n).AsType(arrays.Float64)
		for name, of := range map[string]func(x *lazy.Array) *lazy.Array{
			"ArgPartition": func(x *lazy.Array) *lazy.Array { return lazy.ArgPartition(x, 5) },
			"SetDiff":      func(x *lazy.Array) *lazy.Array { return lazy.SetDiff(x, []float64{1}) },
			"quartiles of many rows": func(x *lazy.Array) *lazy.Array { // they do not come in order
				return lazy.Percentile(x.Reshape(n/2, 2), []float64{25, 75}, lazy.Axis(1))
			},
			"itself": func(x *lazy.Array) *lazy.Array { return x },
		} {
			lazy.SetHostBudget(8 * n / 16)
			err := panicOf(func() { of(open(t, path)).Array() })
			var whole *offload.NotStreamed
			if assert.ErrorAs(t, err, &whole, name) {
				assert.ErrorContains(t, err, "x.npy", name)
				assert.ErrorContains(t, err, "SetHostBudget", name)
			}
			lazy.SetHostBudget(16 * n)
			assert.Equal(t, of(lazy.FromArray(eager)).Array().Bytes(), of(open(t, path)).Array().Bytes(), name)
		}
	})
}

// TestChangedWhileOpen: a file that another program cuts or writes to is an error that names it; one that is replaced
// or removed is read as it was. The session goes on.
func TestChangedWhileOpen(t *testing.T) {
	budgeted(t, func(t *testing.T, rt *offload.Runtime) {
		sum := float64(n) * (n - 1) / 2
		for name, c := range map[string]struct {
			change func(path string) error
			want   string
		}{
			"cut":      {func(path string) error { return os.Truncate(path, 40_000) }, "x.npy cannot be read at byte 40000"},
			"emptied":  {func(path string) error { return os.Truncate(path, 0) }, "x.npy cannot be read at byte 0"},
			"written":  {func(path string) error { return os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)) }, "another program has written to it"},
			"removed":  {os.Remove, ""},
			"replaced": {func(path string) error { return arrays.Save(path, arrays.Zeros(3)) }, ""},
		} {
			path := saved(t)
			x := open(t, path)
			y := x.Sum()
			require.NoError(t, c.change(path))
			err := panicOf(func() { assert.Equal(t, sum, y.Float64(), name) })
			if c.want == "" {
				assert.NoError(t, err, name)
			} else {
				assert.ErrorContains(t, err, c.want, name)
			}
			require.NoError(t, x.Close())
			assert.ErrorContains(t, panicOf(func() { x.Max().Float64() }), "was closed", name)
			assert.Equal(t, 3.0, lazy.Ones(3).Sum().Float64())
		}
	})
}

// TestSavedInPieces: what is larger than the budget is written piece by piece, and is what is written whole. A short
// test has a third of the computations, each turn another.
func TestSavedInPieces(t *testing.T) {
	at := 0
	budgeted(t, func(t *testing.T, rt *offload.Runtime) {
		path := saved(t)
		out := filepath.Join(t.TempDir(), "y.npy")
		eager := arrays.Arange(n).AsType(arrays.Float64)
		for _, name := range slices.Sorted(maps.Keys(streamed)) {
			if at++; !testsize.Part(at, 3) {
				continue
			}
			of := streamed[name]
			for kind, x := range map[string]*lazy.Array{"of a file": open(t, path), "of memory": lazy.FromArray(eager), "of numbers": lazy.Arange(n).AsType(lazy.Float64)} {
				before := rt.Stats().Pieces
				y := of(x)
				require.NoError(t, lazy.Save(out, y), name)
				got, err := arrays.Load(out)
				require.NoError(t, err)
				want := of(lazy.FromArray(eager)).Array()
				assert.True(t, want.DType() == got.DType() && string(want.Bytes()) == string(got.Bytes()), "%s %s", name, kind)
				if y.NBytes() > 8*n/16 {
					assert.NotZero(t, rt.Stats().Pieces-before, "%s %s is written whole", name, kind)
				}
				assert.Equal(t, want.Bytes(), y.Array().Bytes(), "computed again: %s %s", name, kind)
			}
		}
		entries, err := os.ReadDir(filepath.Dir(out))
		require.NoError(t, err)
		assert.Len(t, entries, 1)
	})
}

// TestExplained: np.Explain says how each step reads files.
func TestExplained(t *testing.T) {
	testdevices.Use(t)
	x := open(t, saved(t))
	assert.Contains(t, lazy.Explain(x.Sqrt().Sum()).String(), "x.npy is read piece by piece")
	assert.Contains(t, lazy.Explain(lazy.Take(x, []int{1, 2})).String(), "x.npy is read where elements of it are needed")
	assert.Contains(t, lazy.Explain(lazy.Sort(x)).String(), "x.npy is read as a whole: 2.1 MB")
	assert.Contains(t, lazy.Explain(backwards(t, x)).String(), "x.npy is read where kernels touch it, by lines")
}
