//go:build unix

package storage

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// holes is a file of so many zeros that takes no room on the disk.
func holes(t *testing.T, n int) string {
	path := filepath.Join(t.TempDir(), "x.npy")
	head := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }", n)
	require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, "\x93NUMPY\x01\x00\x76\x00%-117s\n", head), 0o600))
	require.NoError(t, os.Truncate(path, int64(128+8*n)))
	return path
}

// TestRefusedBeforeItIsRead: what needs all of a file of 16 times the budget, in any of its steps, or what is made of
// one, is an error by name before a byte is read: also where steps before it could read the file in pieces.
func TestRefusedBeforeItIsRead(t *testing.T) {
	const n = 8 << 20
	matrix := func(x *lazy.Array) *lazy.Array { return x.Reshape(n/64, 64) }
	onEach(t, small, func(t *testing.T, rt *offload.Runtime) {
		lazy.SetHostBudget(8 * n / 16)
		defer lazy.SetHostBudget(0)
		path := holes(t, n)
		for name, of := range map[string]func(x *lazy.Array) *lazy.Array{
			"product with itself": func(x *lazy.Array) *lazy.Array { return lazy.MatMul(matrix(x).T(), matrix(x)) },
			"partition":           func(x *lazy.Array) *lazy.Array { return lazy.Partition(x.Mul(2).Add(1), 10).Sum() },
			"transform":           func(x *lazy.Array) *lazy.Array { return lazy.Abs(lazy.FFT(x.Add(1))).Sum() },
			"convolve":            func(x *lazy.Array) *lazy.Array { return lazy.Convolve(x, []float64{1, 2}) },
			"interp":              func(x *lazy.Array) *lazy.Array { return lazy.Interp(x, []float64{0, 1}, []float64{0, 1}) },
			"set":                 func(x *lazy.Array) *lazy.Array { return lazy.Intersect(x, []float64{0, 1}) },
			"singular values":     func(x *lazy.Array) *lazy.Array { return lazy.SVDVals(matrix(x)) },
			"padded":              func(x *lazy.Array) *lazy.Array { return lazy.Pad(x, []int{3}, []int{4}, 0).Sum() },
			"rows joined":         func(x *lazy.Array) *lazy.Array { return lazy.Concat(lazy.Axis(1), matrix(x), matrix(x)).Sum() },
		} {
			x := open(t, path)
			err := panicOf(func() { lazy.Eval(of(x)) })
			var whole *offload.NotStreamed
			if assert.ErrorAs(t, err, &whole, name) {
				assert.ErrorContains(t, err, "x.npy", name)
			}
			s, err := x.Storage()
			require.NoError(t, err)
			assert.Less(t, s.BytesRead, int64(1<<16), name) // the header
			require.NoError(t, x.Close())
		}
	})
}
