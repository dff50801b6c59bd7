package arrays

import (
	"fmt"
	"math"
)

// Correlate returns the sums of x times y, shifted by each step at which they overlap: numpy.correlate(mode="full").
//
//mirror:copy
func Correlate(x, y ArrayLike) *Array {
	b := must("correlate", y)
	if b.DType().IsComplex() {
		b = b.Conj()
	}
	return Convolve(x, Flip(b))
}

// Unwrap returns angles in radians along an axis, the last when none is named, with steps of more than half a turn
// taken the other way.
//
//mirror:copy
func Unwrap(x ArrayLike, axis ...AxisOption) *Array {
	axes := axesFrom("unwrap", axis)
	a := must("unwrap", x)
	if !a.DType().IsFloat() {
		a = realFloats("unwrap", a).AsType(Float64)
	}
	k := axisFor("unwrap", a, optional("unwrap", "axes", axes, -1))
	a = a.MoveAxis(k, -1)
	step := Diff(a)
	wrapped := Remainder(step.Add(math.Pi), 2*math.Pi).Sub(math.Pi)
	wrapped = Where(wrapped.Equal(-math.Pi).LogicalAnd(step.Greater(0)), math.Pi, wrapped)
	turn := Where(Abs(step).Less(math.Pi), 0.0, wrapped.Sub(step)).AsType(a.DType())
	return Concat(-1, a.At(Dots, To(1)), a.At(Dots, From(1)).Add(CumSum(turn, -1))).MoveAxis(-1, k)
}

// Convolve returns the discrete convolution of two 1-D arrays, of length len(x)+len(y)-1; that of bools is bool.
//
//mirror:host
func Convolve(x, y ArrayLike) *Array {
	a, b := must("convolve", x), must("convolve", y)
	if a.NDim() != 1 || b.NDim() != 1 || a.Size() == 0 || b.Size() == 0 {
		check("convolve", &Error{Shapes: [][]int{a.layout.Shape, b.layout.Shape}, Msg: fmt.Sprintf(
			"shapes %s and %s do not convolve; give two 1-D arrays that are not empty", shapeString(a.layout.Shape), shapeString(b.layout.Shape))})
	}
	d := Promote(a.dtype, b.dtype)
	switch {
	case !d.IsNumber():
		check("convolve", refuse(d))
	case d == Float16:
		return Convolve(a.AsType(Float32), b.AsType(Float32)).AsType(d)
	}
	a, b = a.AsType(d), b.AsType(d)
	out := New(d, a.Size()+b.Size()-1)
	convolutions[d](out.data, a.data, b.data)
	return out
}

func convolveOf[T number](dst, x, y []byte) {
	convolve(elements[T](dst), elements[T](x), elements[T](y))
}

// convolveBool is whether any pair is true on both sides.
func convolveBool(dst, x, y []byte) {
	var work poller
	for i, v := range x {
		if work.did(len(y)); v != 0 {
			row := dst[i : i+len(y)]
			or(row, row, y)
		}
	}
}

func convolve[T number](dst, x, y []T) {
	var work poller
	for i, v := range x {
		work.did(len(y))
		row := dst[i : i+len(y)]
		for j := range row {
			row[j] += T(v * y[j])
		}
	}
}
