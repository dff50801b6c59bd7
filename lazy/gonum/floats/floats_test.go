package floats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	np "github.com/arrayrepl/arrayrepl/lazy"
)

func random(seed uint64, n int) []float64 {
	r := rand.New(rand.NewPCG(seed, 0))
	out := make([]float64, n)
	for i := range out {
		out[i] = r.NormFloat64()
	}
	return out
}

// TestAsGonum: gonum itself is the judge, of data in one piece and in many.
func TestAsGonum(t *testing.T) {
	for _, n := range []int{1, 7, 100_000} {
		s, d := random(1, n), random(2, n)
		check := func(name string, got *np.Array, want ...float64) {
			t.Helper()
			if !floats.EqualApprox(got.Float64s(), want, 1e-9) {
				t.Errorf("%s of %d elements differs from gonum's", name, n)
			}
		}
		for name, f := range map[string]struct {
			ours  func(dst *np.Array, s any) *np.Array
			their func(dst, s []float64)
		}{
			"Add": {Add, floats.Add}, "Sub": {Sub, floats.Sub}, "Mul": {Mul, floats.Mul}, "Div": {Div, floats.Div},
			"AddConst":  {func(dst *np.Array, _ any) *np.Array { return AddConst(3, dst) }, func(dst, _ []float64) { floats.AddConst(3, dst) }},
			"Scale":     {func(dst *np.Array, _ any) *np.Array { return Scale(3, dst) }, func(dst, _ []float64) { floats.Scale(3, dst) }},
			"AddScaled": {func(dst *np.Array, s any) *np.Array { return AddScaled(dst, 3, s) }, func(dst, s []float64) { floats.AddScaled(dst, 3, s) }},
		} {
			a := np.FromSlice(d)
			f.ours(a, np.FromSlice(s))
			want := append([]float64(nil), d...)
			f.their(want, s)
			check(name, a, want...)
		}
		check("Sum", Sum(s), floats.Sum(s))
		check("Dot", Dot(s, d), floats.Dot(s, d))
		check("Max", Max(s), floats.Max(s))
		check("Min", Min(s), floats.Min(s))
		check("Norm", Norm(s, 2), floats.Norm(s, 2))
		check("Norm", Norm(s, math.Inf(1)), floats.Norm(s, math.Inf(1)))
		check("CumSum", CumSum(np.Zeros(n), s), floats.CumSum(make([]float64, n), s)...)
	}
}

// Example differs from a program on gonum alone in its imports and in how x is made.
func Example() {
	x := np.FromSlice([]float64{1, 2, 3})
	Scale(2, x)
	AddConst(1, x)
	fmt.Println(x, Sum(x))
	// Output: [3. 5. 7.] 15.0
}
