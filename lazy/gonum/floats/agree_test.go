package floats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/floats/scalar"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/lazy/gonum/internal/odd"
)

// TestOddNumbers: gonum is the judge of NaN, infinities, empty slices and slices of two lengths, on the CPU and where
// kernels do the work.
func TestOddNumbers(t *testing.T) {
	for _, where := range odd.Devices {
		odd.Use(t, where)
		for seed := range testsize.Seeds("lazy/gonum/floats.TestOddNumbers") {
			r := rand.New(rand.NewPCG(seed, 5))
			n := []int{0, 1, 2, 9, 100}[seed%5]
			m := n
			if seed%7 == 6 {
				m = n + 1
			}
			a, b := odd.Numbers(r, n), odd.Numbers(r, m)
			one := func(x float64) []float64 { return []float64{x} }
			clone := func(x []float64) []float64 { return append([]float64{}, x...) }
			in := func(f func(d *np.Array, s any) *np.Array) func() []float64 {
				return func() []float64 { d := np.FromSlice(clone(a)); f(d, np.FromSlice(b)); return d.Float64s() }
			}
			gonums := func(f func(d, s []float64)) func() []float64 {
				return func() []float64 { d := clone(a); f(d, b); return d }
			}
			for name, pair := range map[string][2]func() []float64{
				"Add": {in(Add), gonums(floats.Add)}, "Sub": {in(Sub), gonums(floats.Sub)}, "Mul": {in(Mul), gonums(floats.Mul)}, "Div": {in(Div), gonums(floats.Div)},
				"AddScaled": {in(func(d *np.Array, s any) *np.Array { return AddScaled(d, 2, s) }), gonums(func(d, s []float64) { floats.AddScaled(d, 2, s) })},
				"CumSum":    {in(CumSum), gonums(func(d, s []float64) { floats.CumSum(d, s) })},
				"Sum":       {func() []float64 { return one(Sum(a).Float64()) }, func() []float64 { return one(floats.Sum(a)) }},
				"Dot":       {func() []float64 { return one(Dot(a, b).Float64()) }, func() []float64 { return one(floats.Dot(a, b)) }},
				"Max":       {func() []float64 { return one(Max(a).Float64()) }, func() []float64 { return one(floats.Max(a)) }},
				"Min":       {func() []float64 { return one(Min(a).Float64()) }, func() []float64 { return one(floats.Min(a)) }},
				"AddConst":  {in(func(d *np.Array, _ any) *np.Array { return AddConst(-1.5, d) }), gonums(func(d, _ []float64) { floats.AddConst(-1.5, d) })},
				"Scale":     {in(func(d *np.Array, _ any) *np.Array { return Scale(-1.5, d) }), gonums(func(d, _ []float64) { floats.Scale(-1.5, d) })},
				"Norm 1":    {func() []float64 { return one(Norm(a, 1).Float64()) }, func() []float64 { return one(floats.Norm(a, 1)) }},
				"Norm 3":    {func() []float64 { return one(Norm(a, 3).Float64()) }, func() []float64 { return one(floats.Norm(a, 3)) }},
				"Norm Inf":  {func() []float64 { return one(Norm(a, math.Inf(1)).Float64()) }, func() []float64 { return one(floats.Norm(a, math.Inf(1))) }},
				"Norm":      {func() []float64 { return one(Norm(a, 2).Float64()) }, func() []float64 { return one(floats.Norm(a, 2)) }},
			} {
				got, panics := odd.Outcome(pair[0])
				want, should := odd.Outcome(pair[1])
				require.Equal(t, should, panics, "%s of %v and %v on %s: %v, gonum gives %v", name, a, b, where, got, want)
				require.Len(t, got, len(want))
				for i := range want {
					require.True(t, scalar.Same(want[i], got[i]) || scalar.EqualWithinAbsOrRel(want[i], got[i], 1e-12, 1e-12), "%s of %v and %v on %s: %v, gonum gives %v", name, a, b, where, got, want)
				}
			}
		}
	}
}
