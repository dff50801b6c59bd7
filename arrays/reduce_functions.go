package arrays

// The reductions below go over all axes unless [Axis] names some; [KeepDims] keeps the reduced axes. They panic with
// *Error on axes that do not exist.

// Sum returns the sum of x, an array or Go slice. Bools count as 0 and 1 and give int64, which wraps; float32 is added
// in float64.
func Sum(x ArrayLike, opts ...ReduceOption) *Array { return Reduce(ReduceSum, x, opts...) }

// Mean returns the arithmetic mean of x, an array or Go slice. Ints and bools give float64; float32 is added in
// float64; no elements give NaN.
func Mean(x ArrayLike, opts ...ReduceOption) *Array { return Reduce(ReduceMean, x, opts...) }

// Max returns the largest element of x, an array or Go slice. NaN where any is NaN. It panics with *Error when there
// are no elements.
func Max(x ArrayLike, opts ...ReduceOption) *Array { return Reduce(ReduceMax, x, opts...) }

// Min returns the smallest element of x, an array or Go slice. NaN where any is NaN. It panics with *Error when there
// are no elements.
func Min(x ArrayLike, opts ...ReduceOption) *Array { return Reduce(ReduceMin, x, opts...) }

// ArgMax returns the int64 index of the first maximum of x, an array or Go slice. A NaN counts as the maximum. It goes
// along one axis or over the flattened array, and panics with *Error when there are no elements.
func ArgMax(x ArrayLike, opts ...ReduceOption) *Array { return Reduce(ReduceArgMax, x, opts...) }

// ArgMin returns the int64 index of the first minimum of x, an array or Go slice. A NaN counts as the minimum. It goes
// along one axis or over the flattened array, and panics with *Error when there are no elements.
func ArgMin(x ArrayLike, opts ...ReduceOption) *Array { return Reduce(ReduceArgMin, x, opts...) }

// Prod returns the product of x, an array or Go slice. Bools count as 0 and 1 and give int64, which wraps; float32 is
// multiplied in float64. No elements give 1.
func Prod(x ArrayLike, opts ...ReduceOption) *Array { return Reduce(ReduceProd, x, opts...) }

// AllTrue returns whether all elements of x are not zero (numpy.all; All is an index here).
func AllTrue(x ArrayLike, opts ...ReduceOption) *Array { return Reduce(ReduceAll, x, opts...) }

// AnyTrue returns whether any element of x is not zero.
func AnyTrue(x ArrayLike, opts ...ReduceOption) *Array { return Reduce(ReduceAny, x, opts...) }

// ArgMin returns the int64 index of the first minimum of a, as the function [ArgMin].
func (a *Array) ArgMin(opts ...ReduceOption) *Array { return Reduce(ReduceArgMin, a, opts...) }

// Prod returns the product of a, as the function [Prod].
func (a *Array) Prod(opts ...ReduceOption) *Array { return Reduce(ReduceProd, a, opts...) }

// AllTrue returns whether all elements of a are not zero, as the function [AllTrue].
func (a *Array) AllTrue(opts ...ReduceOption) *Array { return Reduce(ReduceAll, a, opts...) }

// AnyTrue returns whether any element of a is not zero, as the function [AnyTrue].
func (a *Array) AnyTrue(opts ...ReduceOption) *Array { return Reduce(ReduceAny, a, opts...) }

// Sum returns the sum of a, as the function [Sum].
func (a *Array) Sum(opts ...ReduceOption) *Array { return Reduce(ReduceSum, a, opts...) }

// Mean returns the arithmetic mean of a, as the function [Mean].
func (a *Array) Mean(opts ...ReduceOption) *Array { return Reduce(ReduceMean, a, opts...) }

// Max returns the largest element of a, as the function [Max].
func (a *Array) Max(opts ...ReduceOption) *Array { return Reduce(ReduceMax, a, opts...) }

// Min returns the smallest element of a, as the function [Min].
func (a *Array) Min(opts ...ReduceOption) *Array { return Reduce(ReduceMin, a, opts...) }

// ArgMax returns the int64 index of the first maximum of a, as the function [ArgMax].
func (a *Array) ArgMax(opts ...ReduceOption) *Array { return Reduce(ReduceArgMax, a, opts...) }
