package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	np "github.com/arrayrepl/arrayrepl/lazy"
)

// TestAsGonum: gonum itself is the judge, with weights and without.
func TestAsGonum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	x, y, w := make([]float64, 5000), make([]float64, 5000), make([]float64, 5000)
	for i := range x {
		x[i], y[i], w[i] = r.NormFloat64()+3, r.ExpFloat64(), r.Float64()
	}
	for _, weights := range [][]float64{nil, w} {
		var lw any
		if weights != nil {
			lw = np.FromSlice(weights)
		}
		lx, ly := np.FromSlice(x), np.FromSlice(y)
		for name, c := range map[string]struct {
			got  *np.Array
			want float64
		}{
			"Mean":        {Mean(lx, lw), stat.Mean(x, weights)},
			"Variance":    {Variance(lx, lw), stat.Variance(x, weights)},
			"StdDev":      {StdDev(lx, lw), stat.StdDev(x, weights)},
			"Covariance":  {Covariance(lx, ly, lw), stat.Covariance(x, y, weights)},
			"Correlation": {Correlation(lx, ly, lw), stat.Correlation(x, y, weights)},
			"Skew":        {Skew(lx, lw), stat.Skew(x, weights)},
			"ExKurtosis":  {ExKurtosis(lx, lw), stat.ExKurtosis(x, weights)},
		} {
			if got := c.got.Float64(); math.Abs(got-c.want) > 1e-9*math.Abs(c.want) {
				t.Errorf("%s, weights %v: %v, gonum gives %v", name, weights != nil, got, c.want)
			}
		}
	}
	if got := Quantile(0.5, Empirical, np.Sort([]float64{5, 1, 4, 2, 3}), nil).Float64(); got != 3 {
		t.Errorf("the median of 1 to 5 is %v", got)
	}
}

// TestStaysOnTheDevice: the mean of an array that was computed by a kernel is computed by the same kernel.
func TestStaysOnTheDevice(t *testing.T) {
	x := np.Arange(1000).AsType(np.Float64).Add(1)
	before := np.Stats()
	if got := Mean(x, nil).Float64(); got != 500.5 {
		t.Errorf("the mean of 1 to 1000 is %v", got)
	}
	if s := np.Stats(); s.CPUTasks != before.CPUTasks || s.Launches != before.Launches+1 {
		t.Errorf("%d tasks on the CPU, %d kernels; want none and one", s.CPUTasks-before.CPUTasks, s.Launches-before.Launches)
	}
}
