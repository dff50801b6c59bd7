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

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// odd returns numbers of which some are NaN, infinite or zeros of both signs.
func odd(r *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, r.NormFloat64(), r.NormFloat64()}[r.IntN(8)]
	}
	if r.IntN(4) == 0 {
		for i := range out {
			out[i] = math.NaN()
		}
	}
	return out
}

// use lets arrays be computed on a device until the test ends.
func use(t *testing.T, name string) {
	t.Helper()
	var r device.Registry
	r.Add(host.ID, func() (device.Device, error) { return host.Open(0), nil })
	r.Add("sim:tiny", func() (device.Device, error) { return simgpu.Open("sim:tiny") })
	rt, err := offload.New(&r, host.ID)
	require.NoError(t, err)
	np.SetRuntime(rt)
	np.Use(name)
	t.Cleanup(func() { np.Use(host.ID) })
}

// outcome is what f returns, or whether it panics.
func outcome(f func() []float64) (v []float64, panics bool) {
	defer func() { panics = recover() != nil }()
	return f(), false
}

// TestOddNumbers: gonum is the judge of NaN, infinities, few numbers, weights that are zero, and of lengths that differ, on the CPU and where kernels do the work.
func TestOddNumbers(t *testing.T) {
	for _, where := range []string{host.ID, "sim:tiny"} {
		use(t, where)
		for seed := range uint64(80) {
			r := rand.New(rand.NewPCG(seed, 6))
			n := []int{0, 1, 2, 3, 50}[seed%5]
			m := n
			if seed%7 == 6 {
				m = n + 1
			}
			x, y := odd(r, n), odd(r, m)
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
				"Quantile":    {func() []float64 { return one(Quantile(0.3, LinInterp, sorted, w).Float64()) }, func() []float64 { return one(stat.Quantile(0.3, LinInterp, sorted, weights)) }},
				"unsorted":    {func() []float64 { return one(Quantile(0.3, Empirical, x, w).Float64()) }, func() []float64 { return one(stat.Quantile(0.3, Empirical, x, weights)) }},
				"p above 1":   {func() []float64 { return one(Quantile(1.5, Empirical, sorted, w).Float64()) }, func() []float64 { return one(stat.Quantile(1.5, Empirical, sorted, weights)) }},
			} {
				got, panics := outcome(pair[0])
				want, should := outcome(pair[1])
				what := fmt.Sprintf("seed %d: %s of %v, %v, weights %v on %s: %v, gonum gives %v", seed, name, x, y, weights, where, got, want)
				require.Equal(t, should, panics, what)
				for i := range want {
					require.True(t, math.IsNaN(want[i]) && math.IsNaN(got[i]) || scalar.EqualWithinAbsOrRel(want[i], got[i], 1e-9, 1e-9), what)
				}
			}
		}
	}
}
