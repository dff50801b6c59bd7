package mat

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestAsGonum: gonum itself is the judge; the sizes make one piece and many.
func TestAsGonum(t *testing.T) {
	for _, n := range []int{3, 150} {
		r := rand.New(rand.NewPCG(uint64(n), 2))
		data := func() []float64 {
			out := make([]float64, n*n)
			for i := range out {
				out[i] = r.NormFloat64()
			}
			return out
		}
		da, db := data(), data()
		a, b := NewDense(n, n, da), NewDense(n, n, db)
		ga, gb := mat.NewDense(n, n, da), mat.NewDense(n, n, db)
		for name, f := range map[string]struct {
			ours  func(c, a, b *Dense)
			their func(c, a, b *mat.Dense)
		}{
			"Add":             {func(c, a, b *Dense) { c.Add(a, b) }, func(c, a, b *mat.Dense) { c.Add(a, b) }},
			"Sub":             {func(c, a, b *Dense) { c.Sub(a, b) }, func(c, a, b *mat.Dense) { c.Sub(a, b) }},
			"MulElem":         {func(c, a, b *Dense) { c.MulElem(a, b) }, func(c, a, b *mat.Dense) { c.MulElem(a, b) }},
			"DivElem":         {func(c, a, b *Dense) { c.DivElem(a, b) }, func(c, a, b *mat.Dense) { c.DivElem(a, b) }},
			"Mul":             {func(c, a, b *Dense) { c.Mul(a, b) }, func(c, a, b *mat.Dense) { c.Mul(a, b) }},
			"Mul, transposed": {func(c, a, b *Dense) { c.Mul(a.T(), b) }, func(c, a, b *mat.Dense) { c.Mul(a.T(), b) }},
			"Inverse":         {func(c, a, b *Dense) { c.Inverse(a) }, func(c, a, b *mat.Dense) { c.Inverse(a) }},
			"Solve":           {func(c, a, b *Dense) { c.Solve(a, b) }, func(c, a, b *mat.Dense) { c.Solve(a, b) }},
		} {
			var c Dense
			var want mat.Dense
			f.ours(&c, a, b)
			f.their(&want, ga, gb)
			if got := mat.NewDense(n, n, c.Float64s()); !mat.EqualApprox(got, &want, 1e-8) {
				t.Errorf("%s of %d×%d differs from gonum's", name, n, n)
			}
		}
		if got, want := Det(a), mat.Det(ga); got != want {
			t.Errorf("the determinant is %v, gonum gives %v", got, want)
		}
	}
}
