// Package stat is gonum.org/v1/gonum/stat on arrays: its functions under the same names, annotated for offloading. A program
// changes by its import. Weights may be nil, as in gonum.
package stat

import (
	"slices"

	"gonum.org/v1/gonum/stat"

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// annotated annotates a function of gonum that makes one number of all of its data.
func annotated(name string, cpu, gpu any, data int) func(args ...any) *np.Array {
	params := make([]offload.Param, data)
	for i := range params {
		params[i].Type = offload.Generic("A")
	}
	return np.Annotate(offload.Annotation{Name: name, CPU: cpu, GPU: gpu, Args: params, Whole: true, Ret: offload.Combined(name, nil)})
}

// mean and moment are expressions of what gonum computes; weights is nil or an array.
func mean(x *np.Array, weights any) *np.Array {
	if w, ok := weights.(*np.Array); ok {
		return x.Mul(w).Sum().Div(w.Sum())
	}
	return x.Mean()
}

func moment(x, y *np.Array, weights any) *np.Array {
	products := x.Sub(mean(x, weights)).Mul(y.Sub(mean(y, weights)))
	if w, ok := weights.(*np.Array); ok {
		return products.Mul(w).Sum().Div(w.Sum().Sub(1))
	}
	return products.Sum().Div(x.Size() - 1)
}

var (
	means       = annotated("stat.Mean", stat.Mean, mean, 1)
	variance    = annotated("stat.Variance", stat.Variance, func(x *np.Array, w any) *np.Array { return moment(x, x, w) }, 1)
	stdDev      = annotated("stat.StdDev", stat.StdDev, func(x *np.Array, w any) *np.Array { return moment(x, x, w).Sqrt() }, 1)
	covariance  = annotated("stat.Covariance", stat.Covariance, moment, 2)
	correlation = annotated("stat.Correlation", stat.Correlation, func(x, y *np.Array, w any) *np.Array {
		return moment(x, y, w).Div(moment(x, x, w).Mul(moment(y, y, w)).Sqrt())
	}, 2)
	skew     = annotated("stat.Skew", stat.Skew, nil, 1)
	kurtosis = annotated("stat.ExKurtosis", stat.ExKurtosis, nil, 1)
	quantile = annotated("stat.Quantile", func(x []float64, p float64, c stat.CumulantKind, weights []float64) float64 {
		if !slices.IsSorted(x) && weights == nil { // gonum asks for sorted data
			x = slices.Sorted(slices.Values(x))
		}
		return stat.Quantile(p, c, x, weights)
	}, nil, 1)
)

// Mean returns the weighted mean of x.
func Mean(x, weights any) *np.Array { return means(x, weights) }

// Variance returns the unbiased weighted variance of x.
func Variance(x, weights any) *np.Array { return variance(x, weights) }

// StdDev returns the square root of Variance.
func StdDev(x, weights any) *np.Array { return stdDev(x, weights) }

// Covariance returns the weighted covariance of x and y.
func Covariance(x, y, weights any) *np.Array { return covariance(x, y, weights) }

// Correlation returns the weighted correlation of x and y.
func Correlation(x, y, weights any) *np.Array { return correlation(x, y, weights) }

// Skew returns the skewness of x.
func Skew(x, weights any) *np.Array { return skew(x, weights) }

// ExKurtosis returns the kurtosis of x less that of the normal distribution.
func ExKurtosis(x, weights any) *np.Array { return kurtosis(x, weights) }

// The kinds of Quantile.
const (
	Empirical = stat.Empirical
	LinInterp = stat.LinInterp
)

// Quantile returns the sample of x below which the fraction p lies. Data without weights need not be sorted.
func Quantile(p float64, c stat.CumulantKind, x, weights any) *np.Array {
	return quantile(x, p, c, weights)
}
