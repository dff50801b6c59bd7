package lazy_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// What kernels make of signs, and of maxima that leave NaN out, has the bits of package arrays, of every dtype, of NaN
// and zeros with a sign too; all of it runs in kernels.
func TestSignsInKernels(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), -2.5, 100, -128}
	var xs, ys []float64
	for _, x := range special {
		for _, y := range special {
			xs, ys = append(xs, x), append(ys, y)
		}
	}
	types := []np.DType{np.Bool, np.Int8, np.Int32, np.Int64, np.Uint8, np.Uint64, np.Float16, np.Float32, np.Float64}
	for _, d := range types {
		of := func(v []float64) *arrays.Array {
			a := arrays.FromSlice(v)
			if !d.IsFloat() {
				a = arrays.NanToNum(a)
			}
			return a.Clip(-1e4, 1e4).AsType(d)
		}
		if d.IsFloat() {
			of = func(v []float64) *arrays.Array { return arrays.FromSlice(v).AsType(d) }
		}
		x, y := of(xs), of(ys)
		for name, both := range map[string][2]any{
			"fmax": {arrays.FMax(x, y), np.FMax(np.FromArray(x), np.FromArray(y))}, "fmin": {arrays.FMin(x, y), np.FMin(np.FromArray(x), np.FromArray(y))},
			"copysign": {arrays.CopySign(x, y), np.CopySign(np.FromArray(x), np.FromArray(y))}, "signbit": {arrays.SignBit(x), np.SignBit(np.FromArray(x))},
			"real": {x.Real(), np.FromArray(x).Real()}, "imag": {x.Imag(), np.FromArray(x).Imag()}, "conj": {x.Conj(), np.FromArray(x).Conj()},
			"absolute": {x.Abs(), np.FromArray(x).Abs()}, "angle": {x.Angle(), np.FromArray(x).Angle()},
		} {
			want, got := both[0].(*arrays.Array), both[1].(*np.Array)
			steps := np.Explain(got).Steps
			require.Len(t, steps, 1, "%s of %v", name, d)
			require.NotContains(t, steps[0].Why, "no kernel", "%s of %v", name, d)
			require.Equal(t, want.DType(), got.DType(), "%s of %v", name, d)
			require.Equal(t, want.Copy().Bytes(), got.Array().Bytes(), "%s of %v: %v, %v", name, d, want, got)
		}
	}
}
