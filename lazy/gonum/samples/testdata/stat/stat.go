// Package stat is lazy/gonum/stat with the slices of gonum's functions in the place of arrays, for gonum's own tests.
package stat

import (
	"gonum.org/v1/gonum/stat"

	np "github.com/arrayrepl/arrayrepl/lazy"
	ours "github.com/arrayrepl/arrayrepl/lazy/gonum/stat"
)

// array returns nil for nil, as weights may be.
func array(s []float64) any {
	if s == nil {
		return nil
	}
	return np.FromSlice(append([]float64{}, s...))
}

// data is array for what is never nil but for an empty slice.
func data(s []float64) *np.Array { return np.FromSlice(append([]float64{}, s...)) }

type CumulantKind = stat.CumulantKind

const (
	Empirical = ours.Empirical
	LinInterp = ours.LinInterp
)

func Mean(x, weights []float64) float64     { return ours.Mean(data(x), array(weights)).Float64() }
func Variance(x, weights []float64) float64 { return ours.Variance(data(x), array(weights)).Float64() }
func StdDev(x, weights []float64) float64   { return ours.StdDev(data(x), array(weights)).Float64() }
func Skew(x, weights []float64) float64     { return ours.Skew(data(x), array(weights)).Float64() }
func ExKurtosis(x, weights []float64) float64 {
	return ours.ExKurtosis(data(x), array(weights)).Float64()
}

func Covariance(x, y, weights []float64) float64 {
	return ours.Covariance(data(x), data(y), array(weights)).Float64()
}

func Correlation(x, y, weights []float64) float64 {
	return ours.Correlation(data(x), data(y), array(weights)).Float64()
}

func Quantile(p float64, c CumulantKind, x, weights []float64) float64 {
	return ours.Quantile(p, c, data(x), array(weights)).Float64()
}
