package lazy_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Running sums and products of ints, which all processors share, are those of package arrays, which NumPy judges: of
// every dtype, in lines that take several pieces, along axes, and of views.
func TestRunningSumsOfInts(t *testing.T) {
	for _, d := range []np.DType{np.Bool, np.Int8, np.Int16, np.Int32, np.Int64, np.Uint8, np.Uint16, np.Uint32, np.Uint64} {
		shape := [][]int{{70_000 + rand.IntN(70_000)}, {3, 40, 50}, {5, 1}, {0, 3}}[rand.IntN(4)]
		n := 1
		for _, s := range shape {
			n *= s
		}
		e := arrays.DefaultRNG(rand.Int()).Random(n).Mul(1e6).AsType(arrays.Int64).AsType(d).Reshape(shape...)
		for _, of := range []*arrays.Array{e, e.T()} {
			x := np.FromArray(of)
			same := func(want *arrays.Array, got *np.Array) {
				t.Helper()
				require.Equal(t, want.DType(), got.DType())
				require.Equal(t, want.Shape(), got.Shape())
				require.True(t, want.Equal(got.Array()).AllTrue().Item().(bool), "%v of shape %v", d, of.Shape())
			}
			same(of.CumSum(), x.CumSum())
			same(of.CumProd(), x.CumProd())
			for axis := range shape {
				same(of.CumSum(axis), x.CumSum(axis))
				same(of.CumProd(axis), x.CumProd(axis))
			}
		}
	}
}
