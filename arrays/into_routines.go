package arrays

// Other functions that write into an array: see [Out].

// Clip writes x with what is below lo raised to lo and what is above hi lowered to hi, as the function [Clip].
//
//mirror:copy
func (o Out) Clip(x ArrayLike, lo, hi any) *Array {
	o.array("clip")
	a := must("clip", x)
	d := a.DType()
	low, high := lo != nil && beyond(d, lo) >= 0, hi != nil && beyond(d, hi) <= 0
	switch {
	case low && high:
		return o.clip(a, lo, hi)
	case low:
		return o.apply(&opMaximum, a, lo)
	case high:
		return o.apply(&opMinimum, a, hi)
	}
	return o.put("clip", a)
}

// CumSum writes the running sums of x along an axis, or over all elements in C order when none is named, as the
// function [CumSum].
func (o Out) CumSum(x ArrayLike, axis ...AxisOption) *Array {
	return o.call(Routines{}.Cumulate(ReduceSum, axesFrom("cumsum", axis)), x)
}

// CumProd writes the running products of x, as [Out.CumSum] the sums.
//
//mirror:copy
func (o Out) CumProd(x ArrayLike, axis ...AxisOption) *Array {
	axes := axesFrom("cumprod", axis)
	return o.call(Routines{}.Cumulate(ReduceProd, axes), x)
}

// Concat writes arrays one after the other along an axis that they have, as the function [Concat].
func (o Out) Concat(axis AxisOption, xs ...ArrayLike) *Array {
	return o.call(Routines{}.Concat(oneAxis("concatenate", axis)), unlisted(xs)...)
}

// Stack writes arrays of one shape one after the other along a new axis, as the function [Stack].
func (o Out) Stack(axis AxisOption, xs ...ArrayLike) *Array {
	return o.call(Routines{}.Stack(oneAxis("stack", axis)), unlisted(xs)...)
}

// Take writes the elements of x at the given indices along an axis, or of the flattened array, as the function [Take].
func (o Out) Take(x, indices ArrayLike, axis ...AxisOption) *Array {
	return o.take(x, indices, axesFrom("take", axis))
}

// MatMul writes the matrix product of x and y, as the function [MatMul].
func (o Out) MatMul(x, y ArrayLike) *Array { return o.call(Routines{}.MatMul(), x, y) }

// Dot writes the dot product of x and y, as the function [Dot]. That of arrays with three axes or more is made first,
// in memory of its own.
//
//mirror:copy
func (o Out) Dot(x, y ArrayLike) *Array {
	o.array("dot")
	a, b := must("dot", x), must("dot", y)
	if a.NDim() == 0 || b.NDim() == 0 {
		return o.put("dot", a.Mul(b))
	}
	if a.NDim() <= 2 && b.NDim() <= 2 {
		return o.call(Routines{}.MatMul(), a, b)
	}
	return o.put("dot", Dot(a, b))
}

// The reductions below make their result, which is mostly small, in memory of its own first.

// Sum writes the sum of x, as the function [Sum].
func (o Out) Sum(x ArrayLike, opts ...ReduceOption) *Array { return o.reduce(ReduceSum, x, opts) }

// Prod writes the product of x, as the function [Prod].
func (o Out) Prod(x ArrayLike, opts ...ReduceOption) *Array { return o.reduce(ReduceProd, x, opts) }

// Mean writes the arithmetic mean of x, as the function [Mean].
func (o Out) Mean(x ArrayLike, opts ...ReduceOption) *Array { return o.reduce(ReduceMean, x, opts) }

// Min writes the smallest element of x, as the function [Min].
func (o Out) Min(x ArrayLike, opts ...ReduceOption) *Array { return o.reduce(ReduceMin, x, opts) }

// Max writes the largest element of x, as the function [Max].
func (o Out) Max(x ArrayLike, opts ...ReduceOption) *Array { return o.reduce(ReduceMax, x, opts) }
