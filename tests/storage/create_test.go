//go:build unix

package storage

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dtypes are those that files can be written to in parts.
var dtypes = []lazy.DType{lazy.Bool, lazy.Int8, lazy.Int16, lazy.Int32, lazy.Int64, lazy.Uint8, lazy.Uint16, lazy.Uint32, lazy.Uint64, lazy.Float16, lazy.Float32, lazy.Float64, lazy.Complex64, lazy.Complex128}

// TestRandomAssignments: assignments to parts of an array in a file leave what they leave in memory, and the file has
// it: numbers, arrays of other dtypes, what is made of the array itself, by slices of any step, masks and indices. What
// was asked for before sees the elements as they were.
func TestRandomAssignments(t *testing.T) {
	testdevices.Use(t)
	dir := t.TempDir()
	for seed := range testsize.Seeds("tests/storage.TestRandomAssignments") {
		r := rand.New(rand.NewPCG(seed, 33))
		lazy.Use(small[seed%2])
		rows, columns := 20+r.IntN(200), 1+r.IntN(90)
		dtype := dtypes[r.IntN(len(dtypes))]
		path := filepath.Join(dir, fmt.Sprint(seed, ".npy"))
		x, err := lazy.Create(path, dtype, rows, columns)
		require.NoError(t, err)
		lazy.SetHostBudget(int64(1000 + r.IntN(2*x.NBytes())))
		y := lazy.Zeros(rows, columns).AsType(dtype)
		cut := func(n int) lazy.Slice {
			lo, step := r.IntN(n), 1+r.IntN(4)
			if r.IntN(3) == 0 {
				return lazy.S(lazy.End, lo, -step)
			}
			return lazy.S(lo, lo+1+r.IntN(n), step)
		}
		for range 8 {
			waiting := [2]*lazy.Array{x.Ravel().At(lazy.S(0, 7)).Copy(), y.Ravel().At(lazy.S(0, 7)).Copy()}
			part, value := []any{cut(rows), cut(columns)}, float64(r.IntN(100))
			if r.IntN(3) == 0 {
				part = part[:1]
			}
			kind := r.IntN(7)
			if kind == 6 || kind == 4 && dtype.IsComplex() { // in memory: by indices, and what has no kernel
				lazy.SetHostBudget(1 << 20)
			}
			both := func(a *lazy.Array) {
				to := a.At(part...)
				switch kind {
				case 0:
					a.Set(value, part...)
				case 1:
					a.Set(lazy.Arange(to.Size()).Mod(100).Reshape(to.Shape()...), part...)
				case 2:
					a.Set(to.Copy().At(lazy.S(lazy.End, lazy.End, -1)), part...)
				case 3:
					to.T().Set(1)
				case 4:
					a.Set(value, lazy.Arange(rows*columns).Mod(3).Equal(0).Reshape(rows, columns))
				case 5:
					a.T().Set(a.T().At(lazy.S(0, 1)))
				case 6:
					a.Set(value, []int{3, 1, -1})
				}
			}
			both(y)
			both(x)
			require.Equal(t, waiting[1].Array().Bytes(), waiting[0].Array().Bytes(), "seed %d, kind %d", seed, kind)
		}
		lazy.SetHostBudget(1 << 20)
		want := y.Array().Bytes()
		require.Equal(t, want, x.Copy().Array().Bytes(), "seed %d", seed)
		require.NoError(t, x.Flush())
		file, err := arrays.Load(path)
		require.NoError(t, err)
		require.Equal(t, want, file.Bytes(), "seed %d", seed)
		require.NoError(t, x.Close())
		assert.ErrorContains(t, panicOf(func() { x.Set(1) }), "was closed")
	}
	lazy.SetHostBudget(0)
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

// TestCopiesKeepTheirElements: what is a file's array in other words (a copy of it, a choice between it and itself) has
// the elements from before an assignment and a launch all the same, whether it was computed before or not.
func TestCopiesKeepTheirElements(t *testing.T) {
	onEach(t, small, func(t *testing.T, rt *offload.Runtime) {
		const m = 10_000
		same := map[string]func(x *lazy.Array) *lazy.Array{
			"copy":       func(x *lazy.Array) *lazy.Array { return x.Copy() },
			"conversion": func(x *lazy.Array) *lazy.Array { return x.AsType(lazy.Float64) },
			"choice":     func(x *lazy.Array) *lazy.Array { return lazy.Where(x.Greater(3), x, x) },
			"twice":      func(x *lazy.Array) *lazy.Array { return x.Copy().Copy() },
			"reversed":   func(x *lazy.Array) *lazy.Array { return x.At(lazy.S(lazy.End, lazy.End, -1)).Copy() },
		}
		stamp := guarded(t, "stamp", m, []string{"x"}, func(b *kir.Builder, i *kir.Value, p []*kir.Value) {
			b.Store(kir.Global, b.Index(p[0], i, kir.F64), b.Const(kir.F64, -1))
		})
		changes := map[string]func(x *lazy.Array){
			"mask": func(x *lazy.Array) { x.Set(-1, x.Greater(1)) }, "slice": func(x *lazy.Array) { x.Set(-1, lazy.S(2, m)) },
			"launch": func(x *lazy.Array) { launch(stamp, m, []*lazy.Array{x}, 0) },
		}
		for name, of := range same {
			for how, change := range changes {
				for _, computed := range []bool{false, true} {
					path := filepath.Join(t.TempDir(), "x.npy")
					require.NoError(t, arrays.Save(path, arrays.Arange(m).AsType(arrays.Float64)))
					x, err := lazy.Open(path, lazy.Writable())
					require.NoError(t, err)
					y := of(x)
					if computed {
						lazy.Eval(y)
					}
					change(x)
					assert.Equal(t, float64(m)*(m-1)/2, y.Sum().Float64(), "%s, %s, %v", name, how, computed)
					assert.Equal(t, -1.0, x.Float64(m-1), "%s, %s, %v", name, how, computed)
					require.NoError(t, x.Close())
				}
			}
		}
	})
}

// TestAssignedInPieces: what is assigned may be larger than the budget, and made of what it replaces.
func TestAssignedInPieces(t *testing.T) {
	budgeted(t, func(t *testing.T, rt *offload.Runtime) {
		x, err := lazy.Create(filepath.Join(t.TempDir(), "x.npy"), lazy.Float64, n)
		require.NoError(t, err)
		x.Set(lazy.Arange(n))
		x.Set(x.At(lazy.S(lazy.End, lazy.End, -1)).Mul(2))
		assert.Equal(t, []float64{2 * (n - 1), 2 * (n - 2)}, x.At(lazy.S(0, 2)).Float64s())
		assert.Equal(t, float64(n)*(n-1), x.Sum().Float64())
		before := x.Add(1).Sum()
		x.Set(7)
		assert.Equal(t, float64(n)*(n-1)+n, before.Float64())
		assert.Equal(t, 7.0*n, x.Sum().Float64())
	})
}

// TestWriters: one program writes to a file at a time; in it, who opens the file again has the same array, and who
// reads it finds all that was written.
func TestWriters(t *testing.T) {
	testdevices.Use(t)
	path := filepath.Join(t.TempDir(), "x.npy")
	x, err := lazy.Create(path, lazy.Int32, 5000)
	require.NoError(t, err)
	again, err := lazy.Open(path)
	require.NoError(t, err)
	again.Set(3, 7)
	assert.Equal(t, 3, x.At(7).Int())
	_, err = lazy.Create(path, lazy.Int32, 5)
	assert.ErrorContains(t, err, "is open for writing")
	other := exec.Command(os.Args[0], "-test.run=^TestMain$")
	other.Env = append(os.Environ(), "STORAGE_OPEN="+path)
	out, err := other.CombinedOutput()
	require.NoError(t, err)
	assert.Contains(t, string(out), "another session has it open for writing")
	require.NoError(t, x.Close())
	other = exec.Command(os.Args[0], "-test.run=^TestMain$")
	other.Env = append(os.Environ(), "STORAGE_OPEN="+path)
	out, err = other.CombinedOutput()
	require.NoError(t, err)
	assert.Contains(t, string(out), "opened")
	for _, wrong := range []func() (*lazy.Array, error){
		func() (*lazy.Array, error) { return lazy.Open(path, lazy.Backing("tape")) },
		func() (*lazy.Array, error) { return lazy.Open(path, lazy.LineBytes(100)) },
		func() (*lazy.Array, error) { return lazy.Open(path, lazy.CachePolicy("best")) },
		func() (*lazy.Array, error) { return lazy.Open(path, lazy.Raw(lazy.Float64, 1e6)) },
		func() (*lazy.Array, error) { return lazy.Open(path, lazy.Raw(lazy.Float64, 7, -1)) },
		func() (*lazy.Array, error) { return lazy.Create(filepath.Join(path, "y.npy"), lazy.Int8, 2) },
		func() (*lazy.Array, error) { return lazy.Create(path, lazy.Str(5), 2) },
	} {
		_, err := wrong()
		assert.ErrorAs(t, err, new(*lazy.Error))
	}
}

// TestRaw: a file of nothing but elements.
func TestRaw(t *testing.T) {
	testdevices.Use(t)
	path := filepath.Join(t.TempDir(), "x.bin")
	require.NoError(t, os.WriteFile(path, arrays.Arange(6000).Bytes(), 0o600))
	x, err := lazy.Open(path, lazy.Raw(lazy.Int64, -1, 3), lazy.Writable())
	require.NoError(t, err)
	assert.Equal(t, []int{2000, 3}, x.Shape())
	x.Set(-1, lazy.All, 0)
	assert.Equal(t, 6000*5999/2-3*1999*1000-2000, x.Sum().Int())
	require.NoError(t, x.Close())
}

// TestMain lets tests run this program as another one, which writes to a file.
func TestMain(m *testing.M) {
	if path := os.Getenv("STORAGE_OPEN"); path != "" {
		_, err := lazy.Open(path, lazy.Writable())
		fmt.Println("opened", err)
		os.Exit(0)
	}
	if dir := os.Getenv("STORAGE_WRITE"); dir != "" {
		seed, err := strconv.ParseUint(os.Getenv("STORAGE_SEED"), 10, 64)
		if err == nil {
			err = writeUntilKilled(dir, seed)
		}
		fmt.Println(err)
		os.Exit(1)
	}
	if path := os.Getenv("STORAGE_MEMORY"); path != "" {
		if err := measureLarge(path, os.Getenv("STORAGE_NAMES")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}
