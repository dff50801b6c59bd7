package arrays

import (
	"fmt"
	"math"
)

// Numbers taken apart.

// FMod returns what is left of x after whole multiples of y, with the sign of x, as % of Go and C; [Remainder] has the
// sign of y. Of ints it is 0 where y is.
//
//mirror:copy
func FMod(x, y ArrayLike) *Array {
	d := computedIn("fmod", OpRemainder, x, y)
	if !d.IsFloat() {
		a, r := must("fmod", x), Remainder(x, y)
		return Where(r.Ne(0).And(r.Lt(0).Ne(a.Lt(0))), Sub(r, y), r).AsType(d)
	}
	a, b := must("fmod", x).AsType(d), must("fmod", y).AsType(d) // the smallest int has no absolute value of its dtype
	return CopySign(Remainder(Abs(a), Abs(b)), a)
}

// DivMod returns [FloorDivide] and [Remainder].
//
//mirror:copy
func DivMod(x, y ArrayLike) (quotient, remainder *Array) { return FloorDivide(x, y), Remainder(x, y) }

// ModF returns the fraction of x and its whole part, both with the sign of x.
//
//mirror:copy
func ModF(x ArrayLike) (fraction, whole *Array) {
	a := realFloats("modf", x)
	whole = Trunc(a)
	return CopySign(Where(IsInf(a), 0.0, a.Sub(whole)).AsType(a.DType()), a), whole
}

// Fabs returns the absolute value of x as a float, of small ints and bools a small one.
//
//mirror:copy
func Fabs(x ArrayLike) *Array { return Abs(realFloats("fabs", x)) }

// Spacing returns the distance from x to the next float away from 0, with the sign of x; NaN of infinities.
//
//mirror:copy
func Spacing(x ArrayLike) *Array {
	a := realFloats("spacing", x)
	a = a.Add(0) // -0 is as 0
	end := CopySign(FullLike(a, math.Inf(1)), a)
	return NextAfter(a, end).Sub(a)
}

// FloatPower returns x to the power y in float64, or complex128 where one is complex; so that ints have negative
// powers.
//
//mirror:copy
func FloatPower(x, y ArrayLike) *Array {
	a, b := must("float_power", x), must("float_power", y)
	d := Float64
	for _, of := range []DType{a.DType(), b.DType()} {
		if !of.IsNumber() {
			check("float_power", &Error{Shapes: [][]int{a.Shape(), b.Shape()}, Msg: fmt.Sprintf("it has no meaning of %v; give numbers", of)})
		}
		if of.IsComplex() {
			d = Complex128
		}
	}
	return Pow(a.AsType(d), b.AsType(d))
}

// LogAddExp2 returns log2(2**x + 2**y), where the powers may be out of range.
//
//mirror:copy
func LogAddExp2(x, y ArrayLike) *Array {
	d := computedIn("logaddexp2", OpLogAddExp, x, y)
	a, b := must("logaddexp2", x).AsType(d), must("logaddexp2", y).AsType(d)
	high := Maximum(a, b)
	return Where(Equal(a, b), high.Add(1), high.Add(Log1p(Exp2(Abs(Sub(a, b)).Neg())).Mul(math.Log2E)))
}

// realFloats returns x as floats, ints and bools as the smallest that hold them.
//
//mirror:copy
func realFloats(op string, x any) *Array {
	a := must(op, x)
	switch d := a.DType(); {
	case d.IsFloat():
		return a
	case d.IsBool() || d.IsInt():
		return a.AsType(Promote(d, Float16))
	}
	check(op, &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("it has no meaning of %v; give floats or ints", a.DType())})
	return nil
}

// What elements are.

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
	return Imag(a).Ne(0)
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
	return a.Eq(b).All().Bool()
}

// Bits.

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

// BitCount returns how many bits of x are 1, of negative ints those of the absolute value, as uint8.
//
//mirror:copy
func BitCount(x ArrayLike) *Array {
	a := must("bitwise_count", x)
	if a.DType().IsBool() {
		return a.AsType(Uint8)
	}
	if !a.DType().IsInt() {
		check("bitwise_count", &Error{Msg: fmt.Sprintf("%v are not ints; convert them with AsType(Int64)", a.DType())})
	}
	v := Abs(a).AsType(Uint64)
	if width := a.DType().Size(); width < 8 { // the smallest of signed ints has no absolute value of its dtype
		v = BitAnd(v, uint64(1)<<(8*width)-1)
	}
	v = v.Sub(BitAnd(RightShift(v, uint64(1)), uint64(0x5555555555555555)))
	v = BitAnd(v, uint64(0x3333333333333333)).Add(BitAnd(RightShift(v, uint64(2)), uint64(0x3333333333333333)))
	v = BitAnd(v.Add(RightShift(v, uint64(4))), uint64(0x0f0f0f0f0f0f0f0f))
	return RightShift(v.Mul(uint64(0x0101010101010101)), uint64(56)).AsType(Uint8)
}
