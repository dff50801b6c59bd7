package exact

import (
	"math"
	"math/big"
)

// Exp returns e^x.
func Exp(x *big.Float) *big.Float {
	const halvings = 12
	k := nearest(quo(x, ln2()))
	kf := number().SetInt(k)
	y := add(from(1), taylorExpm1(shift(sub(x, mul(kf, ln2())), -halvings)))
	for range halvings {
		y = mul(y, y)
	}
	return shift(y, int(k.Int64()))
}

// Expm1 returns e^x - 1.
func Expm1(x *big.Float) *big.Float {
	if small(x, -1) {
		return taylorExpm1(x)
	}
	return sub(Exp(x), from(1))
}

// taylorExpm1 is the sum of x^n/n! from n = 1 on.
func taylorExpm1(x *big.Float) *big.Float {
	sum, term := number(), number().Set(x)
	for n := 2.0; term.Sign() != 0 && term.MantExp(nil) > x.MantExp(nil)-Prec; n++ {
		sum.Add(sum, term)
		term.Quo(term.Mul(term, x), from(n))
	}
	return sum
}

// Log returns the natural logarithm of x > 0.
func Log(x *big.Float) *big.Float {
	m := number()
	k := x.MantExp(m) // m in [1/2, 1)
	if m.Cmp(big.NewFloat(math.Sqrt2/2)) < 0 {
		m, k = shift(m, 1), k-1
	}
	f := sub(m, from(1))
	if f.Sign() == 0 || small(f, -8) {
		return add(doubleAtanh(quo(f, add(m, from(1)))), mul(from(float64(k)), ln2()))
	}
	start, _ := m.Float64()
	y := from(math.Log(start))
	for range 3 { // Halley's step triples the digits: y + 2*(m-e^y)/(m+e^y)
		e := Exp(y)
		y = add(y, quo(shift(sub(m, e), 1), add(m, e)))
	}
	return add(y, mul(from(float64(k)), ln2()))
}

// Log1p returns log(1+x).
func Log1p(x *big.Float) *big.Float {
	if x.Sign() == 0 || small(x, -8) {
		return doubleAtanh(quo(x, add(x, from(2))))
	}
	return Log(new(big.Float).SetPrec(1200).Add(x, from(1)))
}

// doubleAtanh is 2*atanh(s) by its series.
func doubleAtanh(s *big.Float) *big.Float {
	sum := number()
	power, sq := shift(s, 1), mul(s, s)
	for n := 1.0; power.Sign() != 0 && power.MantExp(nil) > s.MantExp(nil)-Prec; n += 2 {
		sum.Add(sum, quo(power, from(n)))
		power.Mul(power, sq)
	}
	return sum
}

// Pow returns x^y for x > 0.
func Pow(x, y *big.Float) *big.Float { return Exp(mul(y, Log(x))) }

// Logaddexp returns log(e^a + e^b).
func Logaddexp(a, b *big.Float) *big.Float {
	if a.Cmp(b) < 0 {
		a, b = b, a
	}
	d := new(big.Float).SetPrec(2200).Sub(b, a)
	if d.Cmp(from(-1e6)) < 0 {
		return number().Set(a)
	}
	return add(a, Log1p(Exp(d)))
}

// Sinh returns the hyperbolic sine of x.
func Sinh(x *big.Float) *big.Float { return half(sub(Expm1(x), Expm1(neg(x)))) }

// Cosh returns the hyperbolic cosine of x.
func Cosh(x *big.Float) *big.Float { return half(add(Exp(x), Exp(neg(x)))) }

// Tanh returns the hyperbolic tangent of x.
func Tanh(x *big.Float) *big.Float {
	e := Expm1(shift(x, 1))
	return quo(e, add(e, from(2)))
}

// Asinh returns log(x + sqrt(x^2+1)).
func Asinh(x *big.Float) *big.Float {
	abs, one := number().Abs(x), from(1)
	sq := mul(x, x)
	y := Log1p(add(abs, quo(sq, add(one, sqrt(add(sq, one))))))
	if x.Sign() < 0 {
		return neg(y)
	}
	return y
}

// Acosh returns log(x + sqrt(x^2-1)) for x > 1.
func Acosh(x *big.Float) *big.Float {
	less := sub(x, from(1))
	return Log1p(add(less, sqrt(mul(less, add(x, from(1))))))
}

// Atanh returns log((1+x)/(1-x))/2.
func Atanh(x *big.Float) *big.Float {
	return half(Log1p(quo(shift(x, 1), sub(from(1), x))))
}
