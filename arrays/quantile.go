package arrays

// Order statistics.

// Quantile returns the q-quantile of x, 0 <= q <= 1: the value below which that fraction of x lies, over all elements
// or along the axes that are named. q is a number, or an array, whose shape then comes before that of the rest of x.
// Between two elements the quantile is interpolated on the line that joins them; other methods are named by a
// [QuantileMethod]. Elements may have [Weights], for [QuantileInvertedCDF] alone. NaN where any element is NaN.
//
// The result is as exact as NumPy's, rounded as there: a Go number q is of the dtype of floats x.
//
//mirror:copy
func Quantile(x, q ArrayLike, opts ...QuantileOption) *Array {
	return call(Routines{}.Quantile("quantile", q, opts), withWeights(x, q, opts)...)
}

// Percentile is [Quantile] with q from 0 to 100.
//
//mirror:copy
func Percentile(x, q ArrayLike, opts ...QuantileOption) *Array {
	return call(Routines{}.Quantile("percentile", q, opts), withWeights(x, q, opts)...)
}

// NanQuantile is [Quantile] without the NaNs; NaN where there is nothing else.
//
//mirror:copy
func NanQuantile(x, q ArrayLike, opts ...QuantileOption) *Array {
	return call(Routines{}.Quantile("nanquantile", q, opts), withWeights(x, q, opts)...)
}

// NanPercentile is [NanQuantile] with q from 0 to 100.
//
//mirror:copy
func NanPercentile(x, q ArrayLike, opts ...QuantileOption) *Array {
	return call(Routines{}.Quantile("nanpercentile", q, opts), withWeights(x, q, opts)...)
}

// Median returns the middle of the sorted elements of x, or the mean of the middle two, over all elements or along the
// axes that are named: ints, or [Axis], which [KeepDims] keeps. NaN where there are none, and where any is NaN.
//
//mirror:copy
func Median(x ArrayLike, opts ...ReduceOption) *Array {
	return call(Routines{}.Median("median", opts), x)
}

// NanMedian is [Median] without the NaNs.
//
//mirror:copy
func NanMedian(x ArrayLike, opts ...ReduceOption) *Array {
	return call(Routines{}.Median("nanmedian", opts), x)
}

// withWeights returns the operands of a quantile.
//
//mirror:copy
func withWeights(x, q any, opts []QuantileOption) []any {
	operands := []any{x, q}
	for _, o := range opts {
		if w, ok := o.(WeightOption); ok {
			operands = append(operands, w.Of)
		}
	}
	return operands
}
