package elementary

import "math"

// The gamma functions of float32 are float64 inside, by the formulas of the float64 ones without pairs: at most 0.6
// ulp.

// Gammaf returns the gamma function of x.
func Gammaf(x float32) float32 {
	w := float64(x)
	if w < 0 {
		return float32(gammaEdge(w))
	}
	if w > 40 {
		w = 40 // too large for a float32
	}
	l, product := shiftedShort(w)
	return float32(exp2Short(l) / product)
}

// Lgammaf returns log(|gamma(x)|).
func Lgammaf(x float32) float32 {
	w := float64(x)
	if !(w > 0 && w <= math.MaxFloat32) {
		return float32(lgammaEdge(w))
	}
	l, product := shiftedShort(w)
	y := float64((l - log2Short(product)) * math.Ln2)
	if math.Abs(w-1) <= 0.125 {
		y = float64((w-1)*lgammaAt1Short(w-1)) + 0 // log(gamma(1)) is not -0
	}
	if math.Abs(w-2) <= 0.125 {
		y = float64((w - 2) * lgammaAt2Short(w-2))
	}
	return float32(y)
}

// shiftedShort is shifted to 2^-35.
func shiftedShort(x float64) (lgamma, product float64) {
	y := x
	product = 1
	if x < 9 {
		y = x + 9
		p := float64(x * (x + 8))
		product = float64(float64(p*(p+7))*float64((p+12)*(p+15))) * (x + 4)
	}
	inverse := 1 / y
	z := float64(inverse * inverse)
	tail := math.FMA(z, math.FMA(z, 0.0011268742002259577, -0.00400737546832944), 0.12022458657139892)
	return math.FMA(y-0.5, log2Short(y)-math.Log2E, math.FMA(inverse, tail, 0x1.3573fcf6d5af9p-1)), product
}

// lgammaAt1Short and lgammaAt2Short are log(gamma(1+x))/x and log(gamma(2+x))/x for |x| <= 1/8, to 2^-29.
func lgammaAt1Short(x float64) float64 {
	x2 := float64(x * x)
	a := math.FMA(x, 0.8224670869228817, -0.5772156649651939)
	b := math.FMA(x, 0.270553452248218, -0.4006856065428203)
	c := math.FMA(x, 0.1730429517951549, -0.2073741887018551)
	c = math.FMA(x2, -0.14659104815574367, c)
	return math.FMA(x2, math.FMA(x2, c, b), a)
}

func lgammaAt2Short(x float64) float64 {
	x2 := float64(x * x)
	a := math.FMA(x, 0.32246703433400337, 0.4227843349563051)
	b := math.FMA(x, 0.020580520816774753, -0.06735213682568093)
	c := math.FMA(x, 0.0029136231109909553, -0.0074135822388872695)
	return math.FMA(x2, math.FMA(x2, c, b), a)
}
