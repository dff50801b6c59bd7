package arrays

import (
	"fmt"
	"math"
)

// Zeros returns a float64 array of zeros.
func Zeros(shape ...int) *Array { return New(Float64, shape...) }

// Ones returns a float64 array of ones.
func Ones(shape ...int) *Array { return Full(1.0, shape...) }

// Full returns an array of one value, of the dtype that [Scalar] gives it; an array's elements are stretched to the
// shape. It panics with *Error on other values.
func Full(value ArrayLike, shape ...int) *Array {
	check("full", checkShape(shape))
	v, _, err := AsArray(value)
	check("full", err)
	l, err := v.layout.BroadcastTo(shape)
	check("full", err)
	return (&Array{v.dtype, l, v.data}).Copy()
}

// Linspace returns num float64 values from start to stop, both included, evenly spaced. It panics with *Error when num
// is negative.
func Linspace(start, stop float64, num int) *Array {
	if num < 0 {
		check("linspace", &Error{Msg: fmt.Sprintf("%d values cannot be made; num is 0 or more", num)})
	}
	a := New(Float64, num)
	v := elements[float64](a.data)
	span := stop - start
	step := span / float64(max(num-1, 1))
	for i := range v {
		if step == 0 { // span is 0, or so small that the step underflows
			v[i] = start + float64(float64(i)/float64(max(num-1, 1))*span)
		} else {
			v[i] = start + float64(float64(i)*step)
		}
	}
	if num > 1 {
		v[num-1] = stop
	}
	return a
}

// Arange returns evenly spaced values, as NumPy's arange: Arange(stop) from 0 with step 1, Arange(start, stop), or
// Arange(start, stop, step); stop is left out. Ints alone give int64, any float gives float64. It panics with *Error on
// a zero step, other types, or another number of arguments.
func Arange(args ...any) *Array {
	if len(args) < 1 || len(args) > 3 {
		check("arange", &Error{Msg: fmt.Sprintf("%d arguments are given; use Arange(stop), Arange(start, stop) or Arange(start, stop, step)", len(args))})
	}
	bounds := [3]*Array{scalarOf(Int64, int64(0)), nil, scalarOf(Int64, int64(1))}
	dtype := Int64
	for i, arg := range args {
		a, _, err := AsArray(arg)
		check("arange", err)
		if a.NDim() != 0 {
			check("arange", &Error{Msg: fmt.Sprintf("an array of shape %s is not a bound; use single numbers", shapeString(a.layout.Shape))})
		}
		if len(args) == 1 {
			i = 1
		}
		bounds[i] = a
		if a.dtype.IsFloat() {
			dtype = Float64
		}
	}
	if dtype == Int64 {
		return arangeInt(bounds[0].Int64s()[0], bounds[1].Int64s()[0], bounds[2].Int64s()[0])
	}
	return arangeFloat(bounds[0].Float64(), bounds[1].Float64(), bounds[2].Float64())
}

func arangeInt(start, stop, step int64) *Array {
	n := uint64(0)
	switch {
	case step == 0:
		check("arange", &Error{Msg: "the step is 0; use a positive or negative step"})
	case step > 0 && stop > start:
		n = (uint64(stop)-uint64(start)-1)/uint64(step) + 1
	case step < 0 && stop < start:
		n = (uint64(start)-uint64(stop)-1)/(-uint64(step)) + 1
	}
	a := New(Int64, arangeLen(float64(n)))
	v := elements[int64](a.data)
	for i := range v {
		v[i] = start + int64(i)*step
	}
	return a
}

// arangeFloat spaces by the rounded difference of the first two values, as NumPy does.
func arangeFloat(start, stop, step float64) *Array {
	if step == 0 {
		check("arange", &Error{Msg: "the step is 0; use a positive or negative step"})
	}
	a := New(Float64, arangeLen(math.Ceil((stop-start)/step)))
	v := elements[float64](a.data)
	delta := start + step - start
	for i := range v {
		v[i] = start + float64(float64(i)*delta)
	}
	if len(v) > 1 {
		v[1] = start + step
	}
	return a
}

// arangeLen is n as a length: not below zero, and small enough to ask for.
func arangeLen(n float64) int {
	if !(n <= math.MaxInt/16) { // also NaN
		check("arange", &Error{Msg: fmt.Sprintf("%v values do not fit in memory; check the bounds and the step", n)})
	}
	return max(int(n), 0)
}
