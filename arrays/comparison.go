package arrays

import (
	"math"
	"slices"
)

// IsClose returns where x and y differ by no more than 1e-8 + 1e-5*|y|; infinities of one sign are close, NaNs are not.
//
//mirror:copy
func IsClose(x, y ArrayLike) *Array {
	a := must("isclose", x)
	if !a.DType().IsComplex() {
		a = a.AsType(Float64)
	}
	d := Abs(Sub(a, y))
	return Equal(x, y).LogicalOr(LessEqual(d, Abs(y).Mul(1e-5).Add(1e-8)).LogicalAnd(IsFinite(y)))
}

// AllClose reports whether IsClose is true for all elements. It needs the elements.
//
//mirror:copy
func AllClose(x, y ArrayLike) bool { return IsClose(x, y).AllTrue().Item().(bool) }

// ArrayEqual reports whether x and y have the same shape and elements. It needs the elements.
//
//mirror:copy
func ArrayEqual(x, y ArrayLike) bool {
	a, b := must("array_equal", x), must("array_equal", y)
	if a.DType().IsString() != b.DType().IsString() { // text and a number are never equal
		return slices.Equal(a.Shape(), b.Shape()) && a.Size() == 0
	}
	return slices.Equal(a.Shape(), b.Shape()) && a.Equal(b).AllTrue().Item().(bool)
}

// IsPosInf returns where x is +Inf.
//
//mirror:copy
func IsPosInf(x ArrayLike) *Array { return Equal(realNumbers("isposinf", x), math.Inf(1)) }

// IsNegInf returns where x is -Inf.
//
//mirror:copy
func IsNegInf(x ArrayLike) *Array { return Equal(realNumbers("isneginf", x), math.Inf(-1)) }

// realNumbers returns x, and panics for what realFloats refuses.
//
//mirror:copy
func realNumbers(op string, x any) *Array {
	a := must(op, x)
	if !a.DType().IsFloat() {
		return realFloats(op, a)
	}
	return a
}

// IsReal returns where x has no imaginary part other than 0.
//
//mirror:copy
func IsReal(x ArrayLike) *Array { return LogicalNot(IsComplex(x)) }

// IsComplex returns where x has an imaginary part other than 0.
//
//mirror:copy
func IsComplex(x ArrayLike) *Array {
	a := must("iscomplex", x)
	if !a.DType().IsComplex() {
		return New(Bool, a.Shape()...)
	}
	return Imag(a).NotEqual(0)
}

// ArrayEquiv reports whether x and y are equal after broadcasting; arrays whose shapes do not broadcast are not. It
// needs the elements.
//
//mirror:copy
func ArrayEquiv(x, y ArrayLike) bool {
	a, b := must("array_equiv", x), must("array_equiv", y)
	if _, err := BroadcastShapes(a.Shape(), b.Shape()); err != nil {
		return false
	}
	return a.Equal(b).AllTrue().Bool()
}
