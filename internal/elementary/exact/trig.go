package exact

import (
	"math"
	"math/big"
)

// SinCos returns the sine and the cosine of x, of any size.
func SinCos(x *big.Float) (sin, cos *big.Float) {
	wide := func() *big.Float { return new(big.Float).SetPrec(reducePrec) }
	quarter := wide().Quo(pi(), big.NewFloat(2))
	k := nearest(wide().Quo(x, quarter))
	r := number().Set(wide().Sub(x, wide().Mul(wide().SetInt(k), quarter)))
	s, c := taylorSin(r), taylorCos(r)
	switch new(big.Int).And(k, big.NewInt(3)).Int64() {
	case 1:
		return c, neg(s)
	case 2:
		return neg(s), neg(c)
	case 3:
		return neg(c), s
	}
	return s, c
}

// Sin returns the sine of x.
func Sin(x *big.Float) *big.Float { s, _ := SinCos(x); return s }

// Cos returns the cosine of x.
func Cos(x *big.Float) *big.Float { _, c := SinCos(x); return c }

// Tan returns the tangent of x.
func Tan(x *big.Float) *big.Float { s, c := SinCos(x); return quo(s, c) }

func taylorSin(x *big.Float) *big.Float { return alternating(number().Set(x), mul(x, x), 1) }
func taylorCos(x *big.Float) *big.Float { return alternating(from(1), mul(x, x), 0) }

// alternating sums first - first*sq/((n+1)(n+2)) + ...
func alternating(first, sq *big.Float, n float64) *big.Float {
	sum, term := number(), number().Set(first)
	for ; term.Sign() != 0 && term.MantExp(nil) > first.MantExp(nil)-Prec; n += 2 {
		sum.Add(sum, term)
		term.Quo(term.Mul(term, sq), from(-(n+1)*(n+2)))
	}
	return sum
}

// SinPi returns sin(pi*x).
func SinPi(x *big.Float) *big.Float {
	r := new(big.Float).SetPrec(2200)
	k := nearest(x)
	r.Sub(x, new(big.Float).SetPrec(2200).SetInt(k))
	s := Sin(mul(r, Pi()))
	if k.Bit(0) == 1 {
		return neg(s)
	}
	return s
}

// Sinc returns sin(pi*x)/(pi*x) for x != 0.
func Sinc(x *big.Float) *big.Float { return quo(SinPi(x), mul(x, Pi())) }

// Atan2 returns the angle of (x, y): Newton's step on the rotation by -a, whose remaining angle is d - d^3/3 with d its
// tangent.
func Atan2(y, x *big.Float) *big.Float {
	fx, fy := number(), number()
	e := max(x.MantExp(nil), y.MantExp(nil))
	fx.SetMantExp(x, -e)
	fy.SetMantExp(y, -e)
	sx, _ := fx.Float64()
	sy, _ := fy.Float64()
	a := from(math.Atan2(sy, sx))
	for range 4 {
		s, c := SinCos(a)
		d := quo(sub(mul(fy, c), mul(fx, s)), add(mul(fx, c), mul(fy, s)))
		a = add(a, d)
	}
	return a
}

// Atan returns the arc tangent of x.
func Atan(x *big.Float) *big.Float { return Atan2(x, from(1)) }

// Asin returns the arc sine of |x| < 1.
func Asin(x *big.Float) *big.Float { return Atan2(x, circle(x)) }

// Acos returns the arc cosine of |x| < 1.
func Acos(x *big.Float) *big.Float { return Atan2(circle(x), x) }

func circle(x *big.Float) *big.Float { return sqrt(mul(sub(from(1), x), add(from(1), x))) }

// Hypot returns sqrt(x^2+y^2).
func Hypot(x, y *big.Float) *big.Float { return sqrt(add(mul(x, x), mul(y, y))) }

// Cbrt returns the cube root of x != 0.
func Cbrt(x *big.Float) *big.Float {
	m := number()
	e := x.MantExp(m)
	third := int(math.Floor(float64(e) / 3))
	m = shift(m, e-3*third)
	start, _ := m.Float64()
	y := from(math.Cbrt(start))
	for range 4 {
		sq := mul(y, y)
		y = sub(y, quo(sub(mul(sq, y), m), mul(sq, from(3))))
	}
	return shift(y, third)
}
