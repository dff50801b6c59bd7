package operators

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestWhatDoesNotFitIsNotAssigned: a number that the elements cannot hold is an error on each way to them, lazy and
// eager, and the array is as before. What comes from an array is refused as what Go's numbers are.
func TestWhatDoesNotFitIsNotAssigned(t *testing.T) {
	testsize.InTurn(t, 0)
	s := arraySession(t)
	targets := []string{"u[0] = %[1]", "u[:] = %", "u[1:] = %[:2]", "u[::-2] = %[:2]", "u[u == 0] = %[1:2]", "u[[]int{2, 0}] = %[1:]", "v := u[1:]\nv[:] = %[1]",
		"u[0], u[1] = %[1], 3", "func() { u[2] = %[1] }()", "for i := range 3 { u[i] = %[1] }", "u.Set(%[1], 0)", "u.Set(%)", "np.FillDiagonal(u.Reshape(1, 3), %[1])",
		"np.PutAlongAxis(u, []int{0}, %[1:2], 0)", "_ = np.Insert(u, 0, %)", "_ = np.FullLike(u, %[1])", "_ = np.Pad(u, []int{1}, []int{1}, %[1])"}
	values := map[string]string{
		"np.FromSlice([]int{1, 300, -1})": "Uint8", "np.FromSlice([]int16{1, -1, 2})": "Uint64", "np.FromSlice([]uint64{1, 1 << 63, 2})": "Int64", "np.FromSlice([]uint8{1, 200, 3})": "Int8",
		"np.FromSlice([]float64{1, math.NaN(), 2})": "Int32", "np.FromSlice([]float64{1, -1, 1e30})": "Uint8", "np.FromSlice([]complex128{1, 2i, 3})": "Float64",
	}
	for _, pkg := range []string{"np.", "arrays."} {
		for value, dtype := range values {
			for _, target := range targets {
				cell := strings.ReplaceAll("x := "+value+"\nu := np.Zeros(3).AsType(np."+dtype+")\n"+strings.ReplaceAll(target, "%", "x"), "np.", pkg)
				_, err := run(s, 1, cell)
				if assert.Error(t, err, cell) {
					assert.Regexp(t, "does not fit|the imaginary part would be lost", err.Error(), cell)
				}
				if got, err := run(s, 2, "u"); !strings.Contains(target, "for ") && !strings.Contains(target, "3\n") {
					require.NoError(t, err)
					assert.Regexp(t, `^\[[0 .3]+\]$`, got, cell)
				}
			}
		}
	}
	for cell, want := range map[string]string{
		"u[:] = x.AsType(np.Uint8)\nu": "[ 1 44  3]", "u[:] = x[::2]\nu": "", "u[:] = x * 0 + 255\nu": "[255 255 255]", "u[:2] = x[::2]\nu": "[1 3 0]", "u[:] += 200\nu[:] += 100\nu": "[44 44 44]",
		"w := np.FromSlice([]int32{1 << 30, 1, 1})\nw[:] += np.FromSlice([]int64{1 << 31, 1, 1})\nnp.Into(w).Add(w, np.FromSlice([]int64{1 << 32, 0, 1}))\nw": "[-1073741824           2           3]",
	} {
		got, err := run(s, 3, "x := np.FromSlice([]int{1, 300, 3})\nu := np.Zeros(3).AsType(np.Uint8)\n"+cell)
		if want == "" {
			assert.Error(t, err, cell)
			continue
		}
		require.NoError(t, err, cell)
		assert.Equal(t, want, got, cell)
	}
}
