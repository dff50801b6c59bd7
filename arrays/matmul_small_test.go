package arrays

import (
	"bytes"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// TestSmallProducts: products of many small matrices have the bits of each product alone, however the matrices lie and
// whoever computes them.
func TestSmallProducts(t *testing.T) {
	defer workers.SetCount(0)
	rng := DefaultRNG(3)
	for _, d := range []DType{Float64, Float32} {
		random := func(shape ...int) *Array { return rng.Normal(0, 1, shape...).AsType(d) }
		for name, in := range map[string][2]*Array{
			"3x3":           {random(700, 3, 3), random(700, 3, 3)},
			"2x1 by 1x2":    {random(300, 2, 1), random(300, 1, 2)},
			"13x5 by 5x33":  {random(40, 13, 5), random(40, 5, 33)},
			"broadcast":     {random(7, 1, 3, 4), random(9, 4, 5)},
			"one for all":   {random(4, 4), random(500, 4, 2)},
			"transposed":    {random(50, 4, 3).SwapAxes(1, 2), random(50, 6, 4).SwapAxes(1, 2)},
			"backwards":     {random(50, 4, 3).At(S(End, End, -1), All, S(End, End, -1)), random(50, 3, 6).At(All, S(End, End, -1))},
			"every second":  {random(60, 5, 8).At(S(0, End, 2), All, S(0, End, 2)), random(30, 4, 8).At(All, All, S(0, End, 2))},
			"other dtypes":  {random(50, 3, 3).AsType(Float32), rng.Integers(0, 9, 50, 3, 3)},
			"as large as 1": {random(3, 40, 50), random(3, 50, 60)},
		} {
			for _, count := range []int{1, 2, 5} {
				workers.SetCount(count)
				got := MatMul(in[0], in[1])
				lead := got.Shape()[:got.NDim()-2]
				x := BroadcastTo(in[0], append(append([]int{}, lead...), in[0].Shape()[in[0].NDim()-2:]...)...)
				y := BroadcastTo(in[1], append(append([]int{}, lead...), in[1].Shape()[in[1].NDim()-2:]...)...)
				n := sizeOf(lead)
				x, y = x.Reshape(append([]int{n}, x.Shape()[len(lead):]...)...), y.Reshape(append([]int{n}, y.Shape()[len(lead):]...)...)
				flat := got.Reshape(append([]int{n}, got.Shape()[len(lead):]...)...)
				for b := range n {
					if one := MatMul(x.At(b), y.At(b)); !bytes.Equal(one.Bytes(), flat.At(b).Copy().Bytes()) {
						t.Fatalf("%v, %s: product %d of %d differs from it alone", d, name, b, n)
					}
				}
			}
		}
	}
}

// A sum of no products is 0, in every dtype.
func TestProductsOfNothing(t *testing.T) {
	for _, d := range []DType{Bool, Int64, Float16, Float64, Complex64} {
		if got := New(d, 3, 2, 0).MatMul(New(d, 3, 0, 1)); !ArrayEqual(got, New(d, 3, 2, 1)) {
			t.Errorf("%v: %v", d, got)
		}
	}
}
