package elementary

import "math"

// splitShort writes a positive finite and normal x as (1+f)*2^k, sqrt(1/2) <= 1+f < sqrt(2).
func splitShort(x float64) (f float64, k int64) {
	bits := math.Float64bits(x) + (1023<<52 - sqrtHalfBits)
	return math.Float64frombits(bits&fractionMask+sqrtHalfBits) - 1, int64(bits>>52) - 1023
}

// log1pShort is log(1+f) for sqrt(1/2) <= 1+f < sqrt(2): with s = f/(2+f), twice the inverse hyperbolic tangent of s.
func log1pShort(f float64) float64 {
	s := f / (2 + f)
	z := float64(s * s)
	a := math.FMA(z, 0.40000121957356166, 0.6666666655435334)
	b := math.FMA(z, 0.23330829986117116, 0.28550807482041596)
	return math.FMA(float64(s*z), math.FMA(float64(z*z), b, a), 2*s)
}

// logShort is the logarithm of a positive finite and normal x.
func logShort(x float64) float64 {
	f, k := splitShort(x)
	return math.FMA(float64(k), math.Ln2, log1pShort(f))
}

// Log2f returns the binary logarithm of x, exact for powers of two.
func Log2f(x float32) float32 {
	if edge, found := logEdge(float64(x)); found {
		return float32(edge)
	}
	f, k := splitShort(float64(x))
	return float32(math.FMA(log1pShort(f), math.Log2E, float64(k)))
}

// Log10f returns the decimal logarithm of x, exact for powers of ten.
func Log10f(x float32) float32 {
	if edge, found := logEdge(float64(x)); found {
		return float32(edge)
	}
	f, k := splitShort(float64(x))
	return float32(math.FMA(log1pShort(f), log10ePair().hi, float64(float64(k)*(math.Ln2*log10ePair().hi))))
}

// Log1pf returns log(1+x), accurate near zero.
func Log1pf(x float32) float32 {
	w := float64(x)
	if edge, found := logEdge(1 + w); found {
		return float32(edge)
	}
	f, k := splitShort(1 + w)
	if k == 0 {
		f = w // of which 1+w may have lost the end
	}
	return float32(math.Copysign(math.FMA(float64(k), math.Ln2, log1pShort(f)), w)) // of a zero too
}

// Asinhf returns the inverse hyperbolic sine of x: log(x + sqrt(x^2+1)), and two terms of its series where that loses digits.
func Asinhf(x float32) float32 {
	abs := math.Abs(float64(x))
	if !(abs <= math.MaxFloat32) {
		return x
	}
	y := logShort(abs + math.Sqrt(math.FMA(abs, abs, 1)))
	if abs < 0x1p-10 {
		y = math.FMA(float64(abs*abs), float64(abs*(-1.0/6)), abs)
	}
	return float32(math.Copysign(y, float64(x)))
}

// Acoshf returns the inverse hyperbolic cosine of x >= 1: log(x + sqrt(x^2-1)).
func Acoshf(x float32) float32 {
	w := float64(x)
	if !(w >= 1) {
		return float32(math.NaN())
	}
	if w > math.MaxFloat32 {
		return x
	}
	return float32(logShort(w + math.Sqrt(math.FMA(w, w, -1))))
}

// Atanhf returns the inverse hyperbolic tangent of x, -1 <= x <= 1: log((1+x)/(1-x))/2, and two terms of its series where that loses
// digits.
func Atanhf(x float32) float32 {
	abs := math.Abs(float64(x))
	switch {
	case !(abs <= 1):
		return float32(math.NaN())
	case abs == 1:
		return float32(math.Copysign(math.Inf(1), float64(x)))
	}
	y := float64(logShort((1+abs)/(1-abs)) / 2)
	if abs < 0x1p-10 {
		y = math.FMA(float64(abs*abs), float64(abs*(1.0/3)), abs)
	}
	return float32(math.Copysign(y, float64(x)))
}

// Powf returns x to the power y as exp(y*log(x)). The special cases are C's.
func Powf(x, y float32) float32 {
	v, w := float64(x), float64(y)
	abs := math.Abs(v)
	switch {
	case w == 0 || v == 1:
		return 1
	case v != v || w != w:
		return float32(v + w)
	case w == 2:
		return float32(v * v)
	case w == 1:
		return x
	case math.Abs(w) > math.MaxFloat32:
		return float32(powInfinite(abs, w > 0))
	}
	integer, odd := parity(w)
	negative := odd && math.Signbit(v)
	switch {
	case abs == 0 || abs > math.MaxFloat32:
		return float32(withSign(powOfEdge((abs == 0) == (w > 0)), negative))
	case v < 0 && !integer:
		return float32(math.NaN())
	}
	e := float64(w * logShort(abs))
	if e > 200 {
		e = 200 // too large for a float32, as what is below -200 is too small
	}
	if e < -200 {
		e = -200
	}
	return float32(withSign(expShort(e), negative))
}
