package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/stat"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy/gonum/internal/odd"
)

// TestOddNumbers: gonum is the judge of NaN, infinities, few numbers, weights that are zero, and of lengths that
// differ, on the CPU and where kernels do the work.
func TestOddNumbers(t *testing.T) {
	for _, where := range odd.Devices {
		odd.Use(t, where)
		for seed := range testsize.Seeds("lazy/gonum/stat.TestOddNumbers") {
			r := rand.New(rand.NewPCG(seed, 6))
			n := []int{0, 1, 2, 3, 50}[seed%5]
			m := n
			if seed%7 == 6 {
				m = n + 1
			}
			x, y := odd.Numbers(r, n), odd.Numbers(r, m)
			if seed%3 > 0 {
				for i := range x {
					x[i] = r.NormFloat64()
				}
			}
			var weights []float64
			var w any
			if seed%2 == 0 {
				weights = make([]float64, n)
				for i := range weights {
					weights[i] = float64(r.IntN(3))
				}
				if seed%11 == 10 {
					weights = append(weights, 1)
				}
				w = weights
			}
			if seed%2 == 1 && seed%3 == 0 {
				w = weights // a slice that is nil
			}
			sorted := slices.Sorted(slices.Values(x))
			one := func(x float64) []float64 { return []float64{x} }
			for name, pair := range map[string][2]func() []float64{
				"Mean":        {func() []float64 { return one(Mean(x, w).Float64()) }, func() []float64 { return one(stat.Mean(x, weights)) }},
				"Variance":    {func() []float64 { return one(Variance(x, w).Float64()) }, func() []float64 { return one(stat.Variance(x, weights)) }},
				"StdDev":      {func() []float64 { return one(StdDev(x, w).Float64()) }, func() []float64 { return one(stat.StdDev(x, weights)) }},
				"Skew":        {func() []float64 { return one(Skew(x, w).Float64()) }, func() []float64 { return one(stat.Skew(x, weights)) }},
				"ExKurtosis":  {func() []float64 { return one(ExKurtosis(x, w).Float64()) }, func() []float64 { return one(stat.ExKurtosis(x, weights)) }},
				"Covariance":  {func() []float64 { return one(Covariance(x, y, w).Float64()) }, func() []float64 { return one(stat.Covariance(x, y, weights)) }},
				"Correlation": {func() []float64 { return one(Correlation(x, y, w).Float64()) }, func() []float64 { return one(stat.Correlation(x, y, weights)) }},
				"median":      {func() []float64 { return one(Quantile(0.5, Empirical, sorted, w).Float64()) }, func() []float64 { return one(stat.Quantile(0.5, Empirical, sorted, weights)) }},
				"ends": {func() []float64 {
					return append(one(Quantile(0, LinInterp, sorted, w).Float64()), Quantile(1, Empirical, sorted, w).Float64())
				},
					func() []float64 {
						return append(one(stat.Quantile(0, LinInterp, sorted, weights)), stat.Quantile(1, Empirical, sorted, weights))
					}},
				"Quantile":  {func() []float64 { return one(Quantile(0.3, LinInterp, sorted, w).Float64()) }, func() []float64 { return one(stat.Quantile(0.3, LinInterp, sorted, weights)) }},
				"unsorted":  {func() []float64 { return one(Quantile(0.3, Empirical, x, w).Float64()) }, func() []float64 { return one(stat.Quantile(0.3, Empirical, x, weights)) }},
				"p above 1": {func() []float64 { return one(Quantile(1.5, Empirical, sorted, w).Float64()) }, func() []float64 { return one(stat.Quantile(1.5, Empirical, sorted, weights)) }},
			} {
				got, panics := odd.Outcome(pair[0])
				want, should := odd.Outcome(pair[1])
				what := fmt.Sprintf("seed %d: %s of %v, %v, weights %v on %s: %v, gonum gives %v", seed, name, x, y, weights, where, got, want)
				require.Equal(t, should, panics, what)
				for i := range want {
					require.True(t, math.IsNaN(want[i]) && math.IsNaN(got[i]) || scalar.EqualWithinAbsOrRel(want[i], got[i], 1e-9, 1e-9), what)
				}
			}
		}
	}
}
