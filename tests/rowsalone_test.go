package tests

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/alone"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// TestRowsAloneOnDevices: a row of a matrix product has the bits of eager arrays on every device, whatever other rows
// there are: alone, with others, as a 1-d array, in a batch, with a single column, and where the device has no room for
// the matrices.
func TestRowsAloneOnDevices(t *testing.T) {
	if !alone.Here(t) { // a device without room asks the collector time and again
		return
	}
	rt := testdevices.Use(t)
	rt.Warn = func(s string) { t.Error(s) }
	rng := arrays.DefaultRNG(5)
	const rows = 7
	for _, on := range []struct {
		device string
		limit  int64
	}{{"host", 0}, {"sim:tiny", 0}, {"sim:tiny", 1 << 14}} {
		device := on.device
		lazy.Use(device)
		rt.SetMemLimit(on.limit)
		for _, s := range [][2]int{{5, 3}, {70, 33}, {300, 1}, {33, 100}} {
			for _, d := range []arrays.DType{arrays.Float32, arrays.Float64} {
				x, w := rng.Normal(0, 1, rows, s[0]).AsType(d), rng.Normal(0, 1, s[0], s[1]).AsType(d)
				want := x.MatMul(w)
				lx, lw := lazy.FromArray(x), lazy.FromArray(w)
				for i := range rows {
					row := want.At(arrays.S(i, i+1))
					got := map[string]*lazy.Array{"alone": lx.At(arrays.S(i, i+1)).MatMul(lw), "by Dot": lazy.Dot(lx.At(arrays.S(i, i+1)), lw), "by @": lazy.Einsum("ij,jk->ik", lx.At(arrays.S(i, i+1)), lw),
						"with others": lx.At(arrays.S(i, i+3)).MatMul(lw).At(arrays.To(1)),
						"a line":      lazy.Reshape(lx.At(i).MatMul(lw), 1, -1), "in a batch": lx.At(arrays.All, arrays.NewAxis).MatMul(lw).At(i)}
					for name, g := range got {
						assert.True(t, arrays.ArrayEqual(g.Array(), row), "%s: %v of %v, row %d %s", device, s, d, i, name)
					}
				}
			}
		}
	}
	require.Positive(t, rt.Stats().Pieces)
}
