package arrays

import (
	"fmt"
	"math"
)

// Round returns x rounded to so many decimals, to whole numbers when none are named; halves go to the even neighbour.
// Ints are as they are unless decimals is negative, bools become float16 and have no decimals.
//
//mirror:copy
func Round(x ArrayLike, decimals ...int) *Array {
	a := must("round", x)
	d := optional("round", "numbers of decimals", decimals, 0)
	if !a.DType().IsNumber() {
		check("round", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("it is not defined for %v; give numbers", a.DType())})
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
