package arrays

// Union returns the distinct elements that are in x or y, ascending (numpy.union1d).
//
//mirror:host
func Union(x, y ArrayLike) *Array {
	return Unique(Concat(0, must("union", x).Reshape(-1), must("union", y).Reshape(-1)))
}

// Intersect returns the distinct elements that are in both x and y, ascending (numpy.intersect1d).
//
//mirror:host
func Intersect(x, y ArrayLike) *Array {
	a, b := must("intersect", x), must("intersect", y)
	u := Unique(a.AsType(ResultType(a, b)))
	return u.At(IsIn(u, b))
}

// SetDiff returns the distinct elements of x that are not in y, ascending (numpy.setdiff1d).
//
//mirror:host
func SetDiff(x, y ArrayLike) *Array {
	u := Unique(x)
	return u.At(IsIn(u, y).LogicalNot())
}

// IsIn returns, in the shape of x, which of its elements are in y. No element is a NaN.
//
//mirror:host
func IsIn(x, y ArrayLike) *Array {
	a, set := must("isin", x), Unique(y)
	// what has no dtype in common is never equal
	if _, err := commonDType(operandOf(a, false), operandOf(set, false)); err != nil || set.Size() == 0 {
		return New(Bool, a.layout.Shape...)
	}
	at := Minimum(SearchSorted(set, a), set.Size()-1)
	return set.At(at).Equal(a)
}

// convolutions convolves lists of each dtype.
var convolutions = [numDTypes]func(dst, x, y []byte){
	Bool: convolveBool,
	Int8: convolveOf[int8], Int16: convolveOf[int16], Int32: convolveOf[int32], Int64: convolveOf[int64],
	Uint8: convolveOf[uint8], Uint16: convolveOf[uint16], Uint32: convolveOf[uint32], Uint64: convolveOf[uint64],
	Float32: convolveOf[float32], Float64: convolveOf[float64], Complex64: convolveOf[complex64], Complex128: convolveOf[complex128],
}

// SetXor returns the distinct elements that are in one of x and y, ascending (numpy.setxor1d).
//
//mirror:copy
func SetXor(x, y ArrayLike) *Array { return Union(SetDiff(x, y), SetDiff(y, x)) }
