package arrays

import (
	"fmt"
	"math"
	"slices"
)

// The functions of files marked //mirror:copy are made of other functions of the package, here and in package lazy
// alike.

// Elementwise.

// Round returns x rounded to so many decimals, to whole numbers when none are named; halves go to the even neighbour.
// Ints are as they are unless decimals is negative, bools become float16 and have no decimals.
//
//mirror:copy
func Round(x ArrayLike, decimals ...int) *Array {
	a := must("round", x)
	d := optional("round", "numbers of decimals", decimals, 0)
	if !a.DType().IsNumber() {
		check("round", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("it has no meaning of %v; give numbers", a.DType())})
	}
	if a.DType().IsBool() {
		if d != 0 {
			check("round", &Error{Msg: "bools have no decimals; convert with AsType"})
		}
		return a.AsType(Float16)
	}
	if !a.DType().IsInexact() {
		if d >= 0 {
			return a.Copy()
		}
		return Round(a.AsType(Float64), d).AsType(a.DType())
	}
	scale := math.Pow(10, math.Abs(float64(d)))
	switch {
	case d == 0:
		return Rint(a)
	case d > 0:
		return Rint(a.Mul(scale)).Div(scale)
	}
	return Rint(a.Div(scale)).Mul(scale)
}

// Round returns a rounded, as the function [Round].
//
//mirror:copy
func (a *Array) Round(decimals ...int) *Array { return Round(a, decimals...) }

// Clip returns x with what is below lo raised to lo and what is above hi lowered to hi; nil leaves an end open, and so
// does a Go int beyond the end of x's dtype.
//
//mirror:copy
func Clip(x ArrayLike, lo, hi any) *Array {
	a := must("clip", x)
	d := a.DType()
	if lo != nil && beyond(d, lo) >= 0 {
		a = Maximum(a, lo)
	}
	if hi != nil && beyond(d, hi) <= 0 {
		a = Minimum(a, hi)
	}
	return a
}

// beyond is the side of d's numbers, -1 or 1, on which a Go int lies that d, a dtype of ints, cannot hold; else 0.
//
//mirror:copy
func beyond(d DType, v any) int {
	if n, ok := v.(int); ok && d.IsInt() {
		switch info := IInfo(d); {
		case int64(n) < info.Min:
			return -1
		case n > 0 && uint64(n) > info.Max:
			return 1
		}
	}
	return 0
}

// Clip returns a between lo and hi, as the function [Clip].
//
//mirror:copy
func (a *Array) Clip(lo, hi any) *Array { return Clip(a, lo, hi) }

// IsClose returns where x and y differ by no more than 1e-8 + 1e-5*|y|; infinities of one sign are close, NaNs are not.
//
//mirror:copy
func IsClose(x, y ArrayLike) *Array {
	a := must("isclose", x)
	if !a.DType().IsComplex() {
		a = a.AsType(Float64)
	}
	d := Abs(Sub(a, y))
	return Equal(x, y).Or(LessEqual(d, Abs(y).Mul(1e-5).Add(1e-8)).And(IsFinite(y)))
}

// AllClose reports whether IsClose is true for all elements. It needs the elements.
//
//mirror:copy
func AllClose(x, y ArrayLike) bool { return IsClose(x, y).All().Item().(bool) }

// ArrayEqual reports whether x and y have the same shape and elements. It needs the elements.
//
//mirror:copy
func ArrayEqual(x, y ArrayLike) bool {
	a, b := must("array_equal", x), must("array_equal", y)
	if a.DType().IsString() != b.DType().IsString() { // text and a number are never equal
		return slices.Equal(a.Shape(), b.Shape()) && a.Size() == 0
	}
	return slices.Equal(a.Shape(), b.Shape()) && a.Eq(b).All().Item().(bool)
}

// Differences and products.

// Diff returns the differences of neighbours along an axis, the last when none is named.
//
//mirror:copy
func Diff(x ArrayLike, axis ...AxisOption) *Array {
	axes := axesFrom("diff", axis)
	a := must("diff", x)
	k := axisFor("diff", a, optional("diff", "axes", axes, -1))
	b := a.MoveAxis(k, 0)
	if a.DType().IsBool() {
		return NotEqual(b.At(From(1)), b.At(To(-1))).MoveAxis(0, k)
	}
	return Sub(b.At(From(1)), b.At(To(-1))).MoveAxis(0, k)
}

// Dot returns the dot product of two lists, the product with a number, and otherwise the sums of products along the
// last axis of x and the second to last of y, or its only one, for all pairs of the other axes; of matrices that is
// [MatMul].
//
//mirror:copy
func Dot(x, y ArrayLike) *Array {
	a, b := must("dot", x), must("dot", y)
	if a.NDim() == 0 || b.NDim() == 0 {
		return a.Mul(b)
	}
	if b.NDim() > 1 && a.NDim()+b.NDim() > 4 || a.NDim() == 1 && b.NDim() > 2 {
		return TensorDot(a, b, [][]int{{-1}, {-2}})
	}
	return MatMul(a, b)
}

// Dot returns the product of a and y, as the function [Dot].
//
//mirror:copy
func (a *Array) Dot(y ArrayLike) *Array { return Dot(a, y) }

// Outer returns the products of every element of x with every element of y.
//
//mirror:copy
func Outer(x, y ArrayLike) *Array {
	return Mul(must("outer", x).Reshape(-1, 1), must("outer", y).Reshape(-1))
}

// Trace returns the sum of the diagonal of two axes of x, the first two when none are named (numpy.trace).
// Trace(x, -2, -1) is that of each matrix of a stack (numpy.linalg.trace).
//
//mirror:copy
func Trace(x ArrayLike, axes ...AxisOption) *Array {
	along := axesFrom("trace", axes)
	a := must("trace", x)
	if len(along) == 0 {
		along = []int{0, 1}
	}
	if a.NDim() < 2 {
		check("trace", &Error{Shapes: [][]int{a.Shape()}, Msg: "it takes 2 axes or more"})
	}
	if len(along) != 2 || axisFor("trace", a, along[0]) == axisFor("trace", a, along[1]) {
		check("trace", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("a diagonal has two axes, not those of %v; name two or none", along)})
	}
	first, last := axisFor("trace", a, along[0]), axisFor("trace", a, along[1])
	a = a.MoveAxis(last, -1)
	if first > last {
		first-- // where it is now
	}
	return a.MoveAxis(first, -2).Diagonal().Sum(Axis(-1))
}

// Norm returns the Euclidean norm of x: the square root of the sum of squares, along one axis or over all elements.
//
//mirror:copy
func Norm(x ArrayLike, axis ...AxisOption) *Array {
	axes := axesFrom("norm", axis)
	a := must("norm", x)
	switch d := a.DType(); {
	case d.IsComplex():
		a = Abs(a)
	case !d.IsFloat():
		a = a.AsType(Float64)
	}
	if len(axes) == 0 {
		return Sqrt(Sum(a.Square()))
	}
	for _, k := range axes {
		axisFor("norm", a, k)
	}
	return Sqrt(Sum(a.Square(), Axis(axes...)))
}

// PolyVal returns the polynomial with the given coefficients, the highest power first, at x (Horner's scheme).
//
//mirror:copy
func PolyVal(coefficients []float64, x ArrayLike) *Array {
	a := must("polyval", x)
	y := ZerosLike(a).AsType(Promote(a.DType(), Float64))
	for i, c := range coefficients {
		if i%(1<<10) == 0 { // there may be a million
			poll()
		}
		y = y.Mul(a).Add(c)
	}
	return y
}

// Int returns the element of an array of size 1 as an int; a float loses its fraction, as in [Array.AsType]. It panics
// with *Error for other sizes and for complex numbers.
//
//mirror:copy
func (a *Array) Int() int {
	if d := a.DType(); d.IsComplex() {
		check("int", &Error{Msg: fmt.Sprintf("%v is not an int: the imaginary part would be lost; take Real of it", d)})
	}
	return int(a.AsType(Int64).Item().(int64))
}

// Bool returns whether the element of an array of size 1 is not zero. It panics with *Error for other sizes: All or Any
// make one truth of many.
//
//mirror:copy
func (a *Array) Bool() bool {
	if a.Size() != 1 {
		check("bool", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("%d elements are neither true nor false together; use All() or Any() first", a.Size())})
	}
	return a.AsType(Bool).Item().(bool)
}
