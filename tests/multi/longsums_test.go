package multi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// TestLongSums: products with few elements and many terms have the bits of package arrays on each number of GPUs, also
// where tiles do not end with blocks of terms and where memory is short.
func TestLongSums(t *testing.T) {
	testsize.InTurn(t, 0)
	rt := use(t)
	defer lazy.SimulateProducts(lazy.SimulateProducts(1 << 30))
	defer offload.MinTile(0)
	defer rt.SetMemLimit(0)
	for _, c := range []struct {
		rows, terms, columns int
		types                []arrays.DType
	}{
		{1, 16_384, 3, []arrays.DType{arrays.Float64, arrays.Int64}}, {1, 17_001, 20, []arrays.DType{arrays.Float64}},
		{3, 20_480, 2, []arrays.DType{arrays.Float32}},
	} {
		for _, d := range c.types {
			left := arrays.Arange(float64(c.rows*c.terms)).Mod(17).Sub(8).Div(7).AsType(d).Reshape(c.rows, c.terms)
			right := arrays.Arange(float64(c.terms*c.columns)).Mod(23).Sub(10).Div(3).AsType(d).Reshape(c.terms, c.columns)
			want := arrays.Dot(left, right)
			for i, machine := range [][]string{{"sim:v100"}, {"sim:v100x8#1", "sim:v100x8#4"}, {"sim:a100x8#0", "sim:a100x8#1", "sim:a100x8#2"}, {"sim:dgx1v"}} {
				lazy.Use(machine...)
				offload.MinTile([]int64{0, 1000, 100_000, 5000}[i])
				rt.SetMemLimit([]int64{0, 0, 500_000, 0}[i])
				x, y := lazy.FromArray(left), lazy.FromArray(right).Add(0)
				lazy.Eval(y)
				product := lazy.Dot(x, y)
				got := product.Array()
				require.Equal(t, want.Bytes(), got.Bytes(), "%v of %v on %s", c, d, lazy.Device())
				if i == 3 {
					require.Greater(t, len(kernelsOn()), 4)
				}
			}
		}
	}
}

// TestLongColumnProductsOnSeveralDevices: several devices share what a product with a column sums over, and have the
// bits of eager arrays.
func TestLongColumnProductsOnSeveralDevices(t *testing.T) {
	testsize.InTurn(t, 1)
	use(t)
	defer offload.MinTile(0)
	lazy.Use("sim:tiny", "sim:v100x8#2", "sim:v100x8#5")
	offload.MinTile(1 << 10)
	r := arrays.DefaultRNG(4)
	v, w := r.StandardNormal(300_000), r.StandardNormal(2, 150_000)
	lv, lw := lazy.FromArray(v), lazy.FromArray(w)
	for name, c := range map[string]struct {
		got  *lazy.Array
		want *arrays.Array
	}{
		"itself":   {lazy.Dot(lv, lv), arrays.Dot(v, v)},
		"rows":     {lazy.Dot(lw, lv.At(lazy.To(150_000))), arrays.Dot(w, v.At(arrays.To(150_000)))},
		"together": {lazy.VecDot(lw, lw), arrays.VecDot(w, w)},
	} {
		require.Equal(t, c.want.Bytes(), c.got.Array().Bytes(), name)
	}
}
