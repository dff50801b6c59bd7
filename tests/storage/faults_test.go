//go:build unix

package storage

import (
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// savers write what is made of an array in a file, in each way.
var savers = map[string]func(path string, x *lazy.Array) error{
	"npy": func(path string, x *lazy.Array) error { return lazy.Save(path, x) },
	"csv": func(path string, x *lazy.Array) error { return lazy.SaveCSV(path, x.Reshape(-1, 64)) },
	"npz": func(path string, x *lazy.Array) error { return lazy.SaveZ(path, map[string]any{"x": x}) },
	"arrow": func(path string, x *lazy.Array) error {
		return lazy.SaveArrow(path, []string{"x"}, []*lazy.Array{x})
	},
	"json": func(path string, x *lazy.Array) error { return lazy.SaveJSON(path, x) },
	"table.csv": func(path string, x *lazy.Array) error {
		return lazy.SaveTable(path, []string{"x"}, []*lazy.Array{x})
	},
}

// TestSaveOfWhatFails: what cannot be computed is the error of Save, piece by piece and in memory, and what was there
// stays, with nothing beside it.
func TestSaveOfWhatFails(t *testing.T) {
	onEach(t, small, func(t *testing.T, rt *offload.Runtime) {
		for _, budget := range []int64{8 * n / 16, 64 * n} {
			for name, save := range savers {
				for kind, of := range map[string]func(x *lazy.Array) *lazy.Array{
					"elementwise": func(x *lazy.Array) *lazy.Array { return x.Mul(3) },
					"sorted":      func(x *lazy.Array) *lazy.Array { return lazy.Sort(x) },
				} {
					lazy.SetHostBudget(budget)
					x := open(t, saved(t))
					path := filepath.Join(t.TempDir(), "y."+name)
					require.NoError(t, save(path, lazy.Arange(128).AsType(lazy.Float64)))
					before, err := os.ReadFile(path)
					require.NoError(t, err)
					y := of(x)
					require.NoError(t, os.Truncate(storageOf(t, x).Path, 4096*100))
					var wrong error
					assert.NotPanics(t, func() { wrong = save(path, y) }, "%s, %s, budget %d", name, kind, budget)
					assert.ErrorContains(t, wrong, "x.npy", "%s, %s, budget %d", name, kind, budget)
					after, err := os.ReadFile(path)
					require.NoError(t, err)
					assert.True(t, string(before) == string(after), "%s, %s, budget %d", name, kind, budget)
					entries, err := os.ReadDir(filepath.Dir(path))
					require.NoError(t, err)
					assert.Len(t, entries, 1, "%s, %s, budget %d", name, kind, budget)
				}
			}
		}
		var nobody *lazy.Array
		assert.Error(t, lazy.Save(filepath.Join(t.TempDir(), "y.npy"), nobody))
	})
}

// TestFullDiskAtSave: where the system takes no more bytes of a file, Save is an error with the file, and so is a sort
// that goes by way of a temporary file; what was there stays, and the session goes on.
func TestFullDiskAtSave(t *testing.T) {
	onEach(t, small, func(t *testing.T, rt *offload.Runtime) {
		lazy.SetHostBudget(8 * n / 16)
		x := open(t, saved(t))
		path := filepath.Join(t.TempDir(), "y.npy")
		require.NoError(t, lazy.Save(path, lazy.Arange(5)))
		var limit syscall.Rlimit
		require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
		signal.Ignore(syscall.SIGXFSZ) // it is an error then
		defer signal.Reset(syscall.SIGXFSZ)
		less := limit
		less.Cur = 1 << 20
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &less))
		defer func() { require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)) }()
		wrong := lazy.Save(path, x.Mul(3))
		assert.ErrorIs(t, wrong, syscall.EFBIG)
		assert.ErrorContains(t, wrong, "y.npy")
		sorted := panicOf(func() { lazy.Median(x).Float64() })
		assert.ErrorIs(t, sorted, syscall.EFBIG)
		_, createErr := lazy.Create(filepath.Join(filepath.Dir(path), "z.npy"), lazy.Float64, n)
		assert.ErrorIs(t, createErr, syscall.EFBIG)
		entries, err := os.ReadDir(filepath.Dir(path))
		require.NoError(t, err)
		assert.Len(t, entries, 1)
		loaded, err := arrays.Load(path)
		require.NoError(t, err)
		assert.Equal(t, 5, loaded.Size())
		assert.Equal(t, float64(n)*(n-1)/2, x.Sum().Float64())
	})
}

// TestWrongFiles: files that are not what they say are errors of Open, and odd ones are opened.
func TestWrongFiles(t *testing.T) {
	onEach(t, []string{"host"}, func(t *testing.T, rt *offload.Runtime) {
		dir := t.TempDir()
		write := func(content string) string {
			path := filepath.Join(dir, "x.npy")
			require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
			return path
		}
		head := func(dict string) string {
			for (10+len(dict)+1)%64 != 0 {
				dict += " "
			}
			return "\x93NUMPY\x01\x00" + string([]byte{byte(len(dict) + 1), byte((len(dict) + 1) >> 8)}) + dict + "\n"
		}
		dict := func(shape string) string { return "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }" }
		for name, content := range map[string]string{
			"nothing": "", "other bytes": "not an array at all, but a line of text", "half a header": head(dict("(5,)"))[:40],
			"no shape": head("{'descr': '<f8', 'fortran_order': False}"), "a text for a shape": head(dict("'5'")), "a negative size": head(dict("(-5,)")),
			"a shape that is too large": head(dict("(4611686018427387904, 8)")), "fewer elements than the shape": head(dict("(5,)")) + "12345678",
			"objects": head("{'descr': '|O', 'fortran_order': False, 'shape': (5,), }"), "an unknown dtype": head("{'descr': '<f7', 'fortran_order': False, 'shape': (5,), }"),
			"texts": head("{'descr': '<U3', 'fortran_order': False, 'shape': (2,), }") + string(make([]byte, 24)),
		} {
			_, err := lazy.Open(write(content))
			assert.Error(t, err, name)
			assert.ErrorContains(t, err, "x.npy", name)
		}
		numbers := string(arrays.Arange(7).AsType(arrays.Float64).Bytes())
		for name, c := range map[string]struct {
			content string
			shape   []int
			sum     float64
		}{
			"0-d":                          {head(dict("()")) + numbers[8:16], []int{}, 1},
			"no elements":                  {head(dict("(0, 3)")), []int{0, 3}, 0},
			"more elements than the shape": {head(dict("(5,)")) + numbers, []int{5}, 10},
			"one":                          {head(dict("(1, 1)")) + numbers[16:24], []int{1, 1}, 2},
		} {
			for _, opts := range [][]lazy.FileOption{nil, {lazy.Writable()}} {
				x, err := lazy.Open(write(c.content), opts...)
				require.NoError(t, err, name)
				assert.Equal(t, c.shape, append([]int{}, x.Shape()...), name)
				assert.Equal(t, c.sum, x.Sum().Float64(), name)
				assert.NoError(t, x.Close(), name)
			}
		}
		for name, opt := range map[string]lazy.FileOption{
			"a line below a block": lazy.LineBytes(256), "lines of no size": lazy.LineBytes(-1), "huge lines": lazy.LineBytes(1 << 40),
			"a negative cache": lazy.CacheBytes(-5), "a cache of everything": lazy.CacheBytes(math.MaxInt64),
		} {
			x, err := lazy.Open(saved(t), opt)
			if err == nil { // it may also mean the least, or the most that there is
				assert.Equal(t, 3.0, lazy.Take(x, []int{3}).Float64(0), name)
				require.NoError(t, x.Close())
			}
		}
	})
}
