// Package stat is gonum.org/v1/gonum/stat on arrays: its functions under the same names, annotated for offloading. A
// program changes by its import. Weights may be nil, as in gonum.
package stat

import (
	"fmt"

	"gonum.org/v1/gonum/stat"

	"github.com/arrayrepl/arrayrepl/arrays"
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

// products is the sum of the products of deviations from the means, less what rounding of the means adds, as gonum and
// Chan et al. (1983) have it; total is the sum of the weights.
func products(x, y *np.Array, weights any) (sum, total *np.Array) {
	dx, dy := x.Sub(mean(x, weights)), y.Sub(mean(y, weights))
	if w, ok := weights.(*np.Array); ok {
		total = w.Sum()
		return dx.Mul(dy).Mul(w).Sum().Sub(dx.Mul(w).Sum().Mul(dy.Mul(w).Sum()).Div(total)), total
	}
	total = np.Full(float64(x.Size()))
	return dx.Mul(dy).Sum().Sub(dx.Sum().Mul(dy.Sum()).Div(total)), total
}

func moment(x, y *np.Array, weights any) *np.Array {
	sum, total := products(x, y, weights)
	return sum.Div(total.Sub(1))
}

var (
	means       = annotated("stat.Mean", stat.Mean, mean, 1)
	variance    = annotated("stat.Variance", stat.Variance, func(x *np.Array, w any) *np.Array { return moment(x, x, w) }, 1)
	stdDev      = annotated("stat.StdDev", stat.StdDev, func(x *np.Array, w any) *np.Array { return moment(x, x, w).Sqrt() }, 1)
	covariance  = annotated("stat.Covariance", stat.Covariance, moment, 2)
	correlation = annotated("stat.Correlation", stat.Correlation, func(x, y *np.Array, w any) *np.Array {
		xy, _ := products(x, y, w)
		xx, _ := products(x, x, w)
		yy, _ := products(y, y, w)
		return xy.Div(xx.Mul(yy).Sqrt())
	}, 2)
	skew     = annotated("stat.Skew", stat.Skew, nil, 1)
	kurtosis = annotated("stat.ExKurtosis", stat.ExKurtosis, nil, 1)
	quantile = annotated("stat.Quantile", func(x []float64, p float64, c stat.CumulantKind, weights []float64) float64 {
		return stat.Quantile(p, c, x, weights)
	}, nil, 1)
)

// alike returns the weights, nil for a slice that is nil. It panics with *arrays.Error when data, or weights that are
// not nil, have not one length, as gonum does.
func alike(op string, data, other, weights any) any {
	n := length(op, data)
	if m := length(op, other); m != n {
		panic(&arrays.Error{Op: "stat." + op, Msg: fmt.Sprintf("slice length mismatch: %d and %d values; both must be as many", n, m)})
	}
	if w, ok := weights.([]float64); weights == nil || ok && w == nil {
		return nil
	}
	if m := length(op, weights); m != n {
		panic(&arrays.Error{Op: "stat." + op, Msg: fmt.Sprintf("slice length mismatch: %d values and %d weights; both must be as many", n, m)})
	}
	return weights
}

func length(op string, v any) int {
	if a, ok := v.(*np.Array); ok && a != nil {
		return a.Size()
	}
	a, _, err := arrays.AsArray(v)
	if err != nil {
		panic(&arrays.Error{Op: "stat." + op, Msg: err.Error(), Err: err})
	}
	return a.Size()
}

// Mean returns the weighted mean of x. As all functions here it panics with *arrays.Error when data and weights, which
// are nil for none, have other lengths.
func Mean(x, weights any) *np.Array {
	weights = alike("Mean", x, x, weights)
	return means(x, weights)
}

// Variance returns the unbiased weighted variance of x.
func Variance(x, weights any) *np.Array {
	weights = alike("Variance", x, x, weights)
	return variance(x, weights)
}

// StdDev returns the square root of Variance.
func StdDev(x, weights any) *np.Array {
	weights = alike("StdDev", x, x, weights)
	return stdDev(x, weights)
}

// Covariance returns the weighted covariance of x and y.
func Covariance(x, y, weights any) *np.Array {
	weights = alike("Covariance", x, y, weights)
	return covariance(x, y, weights)
}

// Correlation returns the weighted correlation of x and y.
func Correlation(x, y, weights any) *np.Array {
	weights = alike("Correlation", x, y, weights)
	return correlation(x, y, weights)
}

// Skew returns the skewness of x.
func Skew(x, weights any) *np.Array {
	weights = alike("Skew", x, x, weights)
	return skew(x, weights)
}

// ExKurtosis returns the kurtosis of x less that of the normal distribution.
func ExKurtosis(x, weights any) *np.Array {
	weights = alike("ExKurtosis", x, x, weights)
	return kurtosis(x, weights)
}

// The kinds of Quantile.
const (
	Empirical = stat.Empirical
	LinInterp = stat.LinInterp
)

// Quantile returns the sample of x below which the fraction p lies. As in gonum x must be sorted, NaN gives NaN, and
// evaluation panics for what gonum panics for: np.Sort(x) sorts.
func Quantile(p float64, c stat.CumulantKind, x, weights any) *np.Array {
	weights = alike("Quantile", x, x, weights)
	return quantile(x, p, c, weights)
}
