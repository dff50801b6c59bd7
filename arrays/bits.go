package arrays

import (
	"fmt"
)

// PackBits returns the bits that x is, 0 or not, eight in a uint8 with the first as the highest, along an axis or of
// the flattened array; zeros fill the last.
//
//mirror:copy
func PackBits(x ArrayLike, axis ...AxisOption) *Array {
	axes := axesFrom("packbits", axis)
	a, k := alongOrFlat("packbits", x, axes)
	if !a.DType().IsBool() && !a.DType().IsInt() {
		check("packbits", &Error{Msg: fmt.Sprintf("%v are not bits; compare them first", a.DType())})
	}
	a = a.AsType(Bool).MoveAxis(k, -1)
	shape := a.Shape()
	last := len(shape) - 1
	before, after := make([]int, len(shape)), make([]int, len(shape))
	after[last] = (8 - shape[last]%8) % 8
	bits := Pad(a, before, after, false).AsType(Uint8)
	shape[last] = (shape[last] + 7) / 8
	bits = bits.Reshape(append(shape, 8)...).Mul([]uint8{128, 64, 32, 16, 8, 4, 2, 1})
	return Sum(bits, Axis(-1)).AsType(Uint8).MoveAxis(-1, k)
}

// UnpackBits returns the bits of uint8s, eight for each with the highest first, along an axis or of the flattened
// array.
//
//mirror:copy
func UnpackBits(x ArrayLike, axis ...AxisOption) *Array {
	axes := axesFrom("unpackbits", axis)
	a, k := alongOrFlat("unpackbits", x, axes)
	if a.DType() != Uint8 {
		check("unpackbits", &Error{Msg: fmt.Sprintf("%v are not bytes; convert them with AsType(Uint8)", a.DType())})
	}
	a = a.MoveAxis(k, -1)
	shape := a.Shape()
	shape[len(shape)-1] *= 8
	bits := BitAnd(RightShift(a.ExpandDims(-1), []uint8{7, 6, 5, 4, 3, 2, 1, 0}), uint8(1))
	return bits.AsType(Uint8).Reshape(shape...).MoveAxis(-1, k)
}
