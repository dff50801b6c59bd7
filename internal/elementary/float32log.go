package elementary

import "math"

// log1pShort is log(1+f) for sqrt(1/2) <= 1+f < sqrt(2), to 2^-30: with s = f/(2+f), twice the inverse hyperbolic
// tangent of s.
func log1pShort(f float64) float64 {
	s := f / (2 + f)
	z := float64(s * s)
	a := math.FMA(z, 0.3997755166882415, 0.6666677623392677)
	return math.FMA(float64(s*z), math.FMA(float64(z*z), 0.2987159514880437, a), 2*s)
}

// log2Short is the binary logarithm of a positive, finite and normal x, to 2^-37.
func log2Short(x float64) float64 {
	m, biased := split(x)
	f := m - 1
	s := f / (m + 1)
	z := float64(s * s)
	z2 := float64(z * z)
	a := math.FMA(z, 0.9617966732612233, 2.8853900817901574)
	b := math.FMA(z, 0.41167191083178944, 0.5770835992370466)
	p := math.FMA(z2, math.FMA(z2, 0.3407443885514844, b), a)
	return math.FMA(s, p, unbiased(biased))
}

// logShort is the logarithm of a positive finite and normal x.
func logShort(x float64) float64 {
	m, biased := split(x)
	return math.FMA(unbiased(biased), math.Ln2, log1pShort(m-1))
}

// Log1pf returns log(1+x), accurate near zero.
func Log1pf(x float32) float32 {
	w := float64(x)
	if edge, found := logEdge(1 + w); found {
		return float32(edge)
	}
	m, biased := split(1 + w)
	f := m - 1
	if biased == 1023 {
		f = w // of which 1+w may have lost the end
	}
	return float32(math.Copysign(math.FMA(unbiased(biased), math.Ln2, log1pShort(f)), w)) // of a zero too
}

// Asinhf returns the inverse hyperbolic sine of x: log(x + sqrt(x^2+1)), and two terms of its series where that loses
// digits.
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

// Atanhf returns the inverse hyperbolic tangent of x, -1 <= x <= 1: k*log(2)/2 + atanh(s), where (1+s)/(1-s) =
// 2^-k*(1+x)/(1-x). The difference of the bits of 1+x and 1-x tells a k for which that is near 1; s is a quotient of
// sums, of which none cancels where k = 0.
func Atanhf(x float32) float32 {
	abs := math.Abs(float64(x))
	if !(abs < 1) {
		if abs == 1 {
			return float32(math.Copysign(math.Inf(1), float64(x)))
		}
		return float32(math.NaN())
	}
	difference := math.Float64bits(1+abs) - math.Float64bits(1-abs) + 1<<51
	power := math.Float64frombits(difference&^fractionMask + 1023<<52) // 2^k
	more, less := 1+power, 1-power
	s := math.FMA(abs, more, less) / math.FMA(abs, less, more)
	z := float64(s * s)
	p := math.FMA(z, math.FMA(z, 0.15183604347692153, 0.1997876405105859), 0.3333347504638463)
	k := math.Float64frombits(difference>>52|0x433<<52) - 0x1p52
	y := math.FMA(k, math.Ln2/2, math.FMA(float64(s*z), p, s))
	return float32(math.Copysign(y, float64(x)))
}

// Powf returns x to the power y as 2^(y*log2(x)). The special cases are C's.
func Powf(x, y float32) float32 {
	v, w := float64(x), float64(y)
	abs := math.Abs(v)
	if !(abs > 0 && abs <= math.MaxFloat32 && math.Abs(w) < 0x1p40) {
		return float32(powEdge(v, w))
	}
	e := float64(w * log2Short(abs))
	if e > 200 {
		e = 200 // too large for a float32, as what is below -200 is too small
	}
	if e < -200 {
		e = -200
	}
	power := exp2Short(e)
	if w == 2 {
		power = v * v
	}
	t := w + shifter // its last bit is that of a whole w
	if v < 0 && t-shifter != w {
		power = math.NaN()
	}
	return float32(math.Float64frombits(math.Float64bits(power) ^ math.Float64bits(v)&(math.Float64bits(t)<<63)))
}
