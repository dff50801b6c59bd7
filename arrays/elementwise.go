package arrays

import (
	"fmt"
	"math"
)

// Positive returns x, numbers or spans; bools have no sign.
//
//mirror:copy
func Positive(x ArrayLike) *Array {
	computedIn("positive", &opNeg, x)
	return must("positive", x).Copy()
}

// Heaviside returns 0 where x is below 0, 1 where it is above, h where it is 0.
//
//mirror:copy
func Heaviside(x, h ArrayLike) *Array {
	d := computedIn("heaviside", &opCopySign, x, h)
	a, b := must("heaviside", x).AsType(d), must("heaviside", h).AsType(d)
	return Where(IsNaN(a), a, Where(a.Equal(0), b, Where(a.Greater(0), 1.0, 0.0).AsType(d)))
}

// FMod returns what is left of x after whole multiples of y, with the sign of x, as % of Go and C; [Remainder] has the
// sign of y. Of ints it is 0 where y is.
//
//mirror:copy
func FMod(x, y ArrayLike) *Array {
	d := computedIn("fmod", &opRemainder, x, y)
	if !d.IsFloat() {
		a, r := must("fmod", x), Remainder(x, y)
		return Where(r.NotEqual(0).LogicalAnd(r.Less(0).NotEqual(a.Less(0))), Sub(r, y), r).AsType(d)
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
			check("float_power", &Error{Shapes: [][]int{a.Shape(), b.Shape()}, Msg: fmt.Sprintf("it is not defined for %v; give numbers", of)})
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
	d := computedIn("logaddexp2", &opLogAddExp, x, y)
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
	check(op, &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("it is not defined for %v; give floats or ints", a.DType())})
	return nil
}

// NextAfter returns the next float from x towards y, y where both are equal, of the dtype that both have in common.
//
//mirror:host
func NextAfter(x, y ArrayLike) *Array {
	sum := apply(&opCopySign, x, y) // checks and promotes
	d := sum.dtype
	a := BroadcastTo(must("nextafter", x), sum.layout.Shape...).AsType(d)
	b := BroadcastTo(must("nextafter", y), sum.layout.Shape...).AsType(d)
	switch d {
	case Float64:
		p, q := elements[float64](a.data), elements[float64](b.data)
		for i := range p {
			if p[i] == q[i] {
				p[i] = q[i] // a zero of the sign of y
			} else {
				p[i] = math.Nextafter(p[i], q[i])
			}
		}
	case Float32:
		p, q := elements[float32](a.data), elements[float32](b.data)
		for i := range p {
			if p[i] == q[i] {
				p[i] = q[i] // a zero of the sign of y
			} else {
				p[i] = math.Nextafter32(p[i], q[i])
			}
		}
	case Float16:
		p, q := elements[half](a.data), elements[half](b.data)
		for i := range p {
			p[i] = nextHalf(p[i], q[i])
		}
	}
	return a
}

// nextHalf is the next float16 from x towards y.
func nextHalf(x, y half) half {
	const sign, inf = 0x8000, 0x7c00
	switch {
	case x&^sign > inf:
		return x
	case y&^sign > inf, x == y, (x|y)&^sign == 0:
		return y // a NaN, or a zero of the sign of y
	case x&^sign == 0:
		return y&sign | 1
	}
	if up := x.float() < y.float(); up == (x&sign == 0) {
		return x + 1
	}
	return x - 1
}

// Mod is Remainder: what is left of x after FloorDivide by y.
func Mod(x, y ArrayLike) *Array { return apply(&opRemainder, x, y) }

// Mod returns what is left of a after FloorDivide by y, with the sign of y: Python's a%y. An int by zero leaves 0.
func (a *Array) Mod(y ArrayLike) *Array { return apply(&opRemainder, a, y) }

// Mod is Remainder: what is left of x after FloorDivide by y.
func (o Out) Mod(x, y ArrayLike) *Array { return o.apply(&opRemainder, x, y) }
