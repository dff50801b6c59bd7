package arrays

import (
	"math"
	"slices"
)

// NanToNum returns x with NaN as 0 and infinities as the largest and smallest numbers of its dtype; of complex numbers
// in both parts.
//
//mirror:copy
func NanToNum(x ArrayLike) *Array {
	a := must("nan_to_num", x)
	switch d := a.DType(); {
	case d.IsComplex():
		return Add(NanToNum(Real(a)), NanToNum(Imag(a)).AsType(d).Mul(1i))
	case !d.IsFloat():
		return a.Copy()
	}
	limit := math.MaxFloat64
	switch a.DType() {
	case Float32:
		limit = math.MaxFloat32
	case Float16:
		limit = 65504
	}
	return Where(IsNaN(a), 0.0, Clip(a, -limit, limit)).AsType(a.DType())
}

// NanProd is [Prod] without the NaNs.
//
//mirror:copy
func NanProd(x ArrayLike, opts ...ReduceOption) *Array { return Prod(noNaN(x, 1), opts...) }

// NanCumSum is [CumSum] with NaN as 0.
//
//mirror:copy
func NanCumSum(x ArrayLike, axis ...AxisOption) *Array {
	return cumulate("nancumsum", CumSum, noNaN(x, 0), axesFrom("nancumsum", axis))
}

// NanCumProd is [CumProd] with NaN as 1.
//
//mirror:copy
func NanCumProd(x ArrayLike, axis ...AxisOption) *Array {
	return cumulate("nancumprod", CumProd, noNaN(x, 1), axesFrom("nancumprod", axis))
}

//mirror:copy
func cumulate(op string, along func(x any, axis ...AxisOption) *Array, a *Array, axis []int) *Array {
	for _, k := range axis {
		axisFor(op, a, k)
	}
	return along(a, axis)
}

// NanArgMax is [ArgMax] without the NaNs. It panics with *Error where there is nothing else, as NumPy's does.
//
//mirror:copy
func NanArgMax(x ArrayLike, opts ...ReduceOption) *Array {
	return call(Routines{}.NanArg("nanargmax", ReduceArgMax, opts), x)
}

// NanArgMin is [ArgMin] without the NaNs. It panics with *Error where there is nothing else, as NumPy's does.
//
//mirror:copy
func NanArgMin(x ArrayLike, opts ...ReduceOption) *Array {
	return call(Routines{}.NanArg("nanargmin", ReduceArgMin, opts), x)
}

// NanSum returns the sum of the elements of x that are not NaN.
//
//mirror:copy
func NanSum(x ArrayLike, opts ...ReduceOption) *Array { return Sum(noNaN(x, 0), opts...) }

// NanMean returns the mean of the elements of x that are not NaN.
//
//mirror:copy
func NanMean(x ArrayLike, opts ...ReduceOption) *Array {
	if a := must("nanmean", x); !a.DType().IsInexact() {
		return Mean(a, opts...)
	}
	return perCount(NanSum(x, opts...), Sum(LogicalNot(IsNaN(x)), opts...))
}

// perCount is a sum divided by how many there were, of the sum's dtype where that has fractions.
//
//mirror:copy
func perCount(sum, n *Array) *Array {
	mean := sum.Div(n)
	if sum.DType().IsInexact() {
		mean = mean.AsType(sum.DType())
	}
	return mean
}

// NanMax returns the largest of the elements of x that are not NaN; NaN where there are none.
//
//mirror:copy
func NanMax(x ArrayLike, opts ...ReduceOption) *Array {
	if a := must("nanmax", x); a.DType().IsTime() { // NaT counts as the smallest
		return Max(a.AsType(Int64), opts...).AsType(a.DType())
	}
	return nanOf(x, Max(noNaN(x, math.Inf(-1)), opts...), opts)
}

// NanMin returns the smallest of the elements of x that are not NaN; NaN where there are none.
//
//mirror:copy
func NanMin(x ArrayLike, opts ...ReduceOption) *Array {
	if a := must("nanmin", x); a.DType().IsTime() {
		low := Min(Where(IsNaN(a), math.MaxInt64, a.AsType(Int64)), opts...)
		return Where(low.Equal(math.MaxInt64), math.MinInt64, low).AsType(a.DType())
	}
	return nanOf(x, Min(noNaN(x, math.Inf(1)), opts...), opts)
}

// nanOf is r, but NaN where all elements of x that were reduced to it are.
//
//mirror:copy
func nanOf(x any, r *Array, opts []ReduceOption) *Array {
	if a := must("nanmax", x); a.DType().IsInexact() {
		return Where(IsNaN(a).AllTrue(opts...), math.NaN(), r)
	}
	return r
}

// NanVar returns the variance of the elements of x that are not NaN; NaN where there are no more than [DDof] leaves
// out.
//
//mirror:copy
func NanVar(x ArrayLike, opts ...ReduceOption) *Array {
	a := must("nanvar", x)
	if !a.DType().IsInexact() {
		return Var(a, opts...)
	}
	over := append(slices.Clip(opts), DDof(0))
	d := a.Sub(NanMean(a, append(over, KeepDims())...))
	if a.DType().IsComplex() {
		d = Abs(d)
	}
	n := Sum(LogicalNot(IsNaN(a)), over...).Sub(ddofOf(opts...))
	sum := Sum(Where(IsNaN(a), 0.0, d.Square()), over...) // the distance of an infinity is NaN and stays
	return Where(n.Greater(0), perCount(sum, n), math.NaN())
}

// NanStd returns the standard deviation of the elements of x that are not NaN.
//
//mirror:copy
func NanStd(x ArrayLike, opts ...ReduceOption) *Array { return Sqrt(NanVar(x, opts...)) }

// noNaN puts value in place of NaNs; what has none is as it is.
//
//mirror:copy
func noNaN(x any, value float64) *Array {
	a := must("isnan", x)
	if !a.DType().IsInexact() {
		return a
	}
	return Where(IsNaN(a), value, a)
}

// NanArg is the routine of [NanArgMax] and [NanArgMin], which op names: r is their reduction of what is not NaN.
func (Routines) NanArg(op string, r Reduction, opts []ReduceOption) Routine {
	return Routine{
		Name: op,
		Resolve: func(in []Spec) (Spec, error) {
			spec, err := r.Resolve(in[0].DType, in[0].Shape, opts...)
			if err != nil {
				return Spec{}, asOp(op, err)
			}
			return Spec{DType: spec.Out, Shape: spec.OutShape}, nil
		},
		Run: func(out *Array, in []*Array) {
			a := in[0]
			if !a.dtype.IsInexact() {
				out.Set(Reduce(r, a, opts...))
				return
			}
			nan := IsNaN(a)
			if AnyTrue(Reduce(ReduceAll, nan, opts...)).Bool() {
				panic(&Error{Op: op, Shapes: [][]int{a.Shape()}, Msg: "all elements are NaN, so none is an extreme; fill them first, as with np.NanToNum, or check np.IsNaN(x).AllTrue()"})
			}
			fill := math.Inf(1)
			if r == ReduceArgMax {
				fill = math.Inf(-1)
			}
			out.Set(Reduce(r, Where(nan, fill, a), opts...))
		},
	}
}
