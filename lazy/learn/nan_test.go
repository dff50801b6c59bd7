package learn

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/host"
)

// TestNaNNamesItsColumn: as in scikit-learn, samples with NaN or infinities are an error; ours says where.
func TestNaNNamesItsColumn(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(-1)
	good := np.From2D([][]float64{{1, 2, 3}, {2, 1, 0}, {0, 1, 5}, {4, 4, 1}})
	y := []int{0, 1, 0, 1}
	for _, where := range []string{"sim:tiny", host.ID} {
		use(t, where)
		for _, c := range []struct {
			at, column int
			v          float64
			want       string
		}{{2, 1, nan, "column 1 of the samples has NaN, first in row 2"}, {0, 2, inf, "column 2 of the samples has an infinity, first in row 0"}} {
			bad := good.Copy()
			bad.Set(c.v, c.at, c.column)
			for name, f := range map[string]func() *np.Array{
				"linear":            func() *np.Array { return NewLinearRegression().Fit(bad, y).Coef() },
				"linear predict":    func() *np.Array { return NewLinearRegression().Fit(good, y).Predict(bad) },
				"logistic":          func() *np.Array { return NewLogisticRegression().Fit(bad, y).Coef() },
				"logistic predict":  func() *np.Array { return NewLogisticRegression().Fit(good, y).Predict(bad) },
				"k-means":           func() *np.Array { return NewKMeans(2).Fit(bad).ClusterCenters() },
				"k-means labels":    func() *np.Array { return NewKMeans(2).FitPredict(bad) },
				"neighbors":         func() *np.Array { return NewKNeighborsClassifier(1).Fit(bad, y).Predict(good) },
				"PCA":               func() *np.Array { return NewPCA(1).Fit(bad).Components() },
				"PCA transform":     func() *np.Array { return NewPCA(1).FitTransform(bad) },
				"TruncatedSVD":      func() *np.Array { return NewTruncatedSVD(1).Fit(bad).Components() },
				"DBSCAN":            func() *np.Array { return NewDBSCAN(1, 2).Fit(bad).Labels() },
				"neighbors predict": func() *np.Array { return NewKNeighborsClassifier(1).Fit(good, y).Predict(bad) },
			} {
				if where != host.ID && name == "neighbors predict" {
					continue // by kernels, which do not look
				}
				err := mistake(func() { f().Array() })
				require.ErrorContains(t, err, c.want, name)
				var e *arrays.Error
				require.True(t, errors.As(err, &e), name)
			}
		}
	}
	require.ErrorContains(t, mistake(func() { NewLinearRegression().Fit(good, []float64{1, nan, 2, 3}).Coef().Array() }), "target 1 is NaN")
	require.ErrorContains(t, mistake(func() { NewLogisticRegression().Fit(good, []float64{1, nan, 2, 3}) }), "a class is NaN")
	require.ErrorContains(t, mistake(func() { NewLogisticRegression().Fit(good, []int{1, 1, 1, 1}) }), "all samples are of one class")
	require.ErrorContains(t, mistake(func() { NewLogisticRegression(Inverse(0)) }), "C is 0")
	require.ErrorContains(t, mistake(func() { NewLinearRegression().Fit(good, []int{1, 1}) }), "there are 4 samples and 2 targets")
	require.ErrorContains(t, mistake(func() { NewLinearRegression().Fit(good, []string{"a", "b", "c", "d"}) }), "they must be real numbers")
	require.ErrorContains(t, mistake(func() { NewLinearRegression().Predict(good) }), "call Fit first")
	require.ErrorContains(t, mistake(func() { NewLogisticRegression().Coef() }), "call Fit first")
}

func mistake(f func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	f()
	return nil
}

// TestScalerLeavesNaNOut: the means and deviations of the other samples, as numpy.nanmean and nanvar give them, and NaN
// where it was: what scikit-learn documents of StandardScaler.
func TestScalerLeavesNaNOut(t *testing.T) {
	nan := math.NaN()
	for _, where := range []string{host.ID, "sim:tiny"} {
		use(t, where)
		s := NewStandardScaler()
		z := s.FitTransform(np.From2D([][]float64{{1, nan, 5}, {nan, nan, 5}, {3, nan, 5}})).Float64s()
		require.Equal(t, []float64{2, 5}, []float64{s.Mean().Float64(0), s.Mean().Float64(2)})
		require.Equal(t, []float64{1, 0}, []float64{s.Var().Float64(0), s.Var().Float64(2)})
		require.True(t, math.IsNaN(s.Mean().Float64(1)))
		require.Equal(t, []float64{-1, 1, 0}, []float64{z[0], z[6], z[2]})
		require.True(t, math.IsNaN(z[3]) && math.IsNaN(z[1]))
	}
}

// TestLinearOfManySamples: the coefficients that noise-free targets are made of.
func TestLinearOfManySamples(t *testing.T) {
	use(t, host.ID)
	x := np.DefaultRNG(3).Normal(0, 1, 5000, 4)
	y := np.MatMul(x, []float64{1, -2, 0.5, 3}).Add(10)
	m := NewLinearRegression().Fit(x, y)
	require.InDeltaSlice(t, []float64{1, -2, 0.5, 3}, m.Coef().Float64s(), 1e-12)
	require.InDelta(t, 10, m.Intercept().Float64(), 1e-12)
	require.InDelta(t, 1, m.Score(x, y).Float64(), 1e-12)
}
