package elementary

import "math"

// Expf returns e to the power x, in float32 throughout: at most 0.93 ulp.
func Expf(x float32) float32 {
	if x > 89 {
		x = 89 // e^89 overflows below
	}
	if x < -104 {
		x = -104
	}
	kf, k := nearestf(float32(x * math.Log2E))
	head := x - float32(kf*0x1.62e4p-1) // 15 bits of log(2): the product is exact, and so is the difference
	lo := float32(kf * -0x1.7f7d1cp-20)
	r := head + lo
	lo -= r - head
	r2 := float32(r * r)
	a := float32(r*0.1666652113199234) + 0.4999999403953552
	b := float32(r*0.008368670009076595) + 0.04166826233267784
	p := a + float32(r2*(b+float32(r2*0.0013821019092574716)))
	y := 1 + (r + (float32(r2*p) + lo))
	return scalef(y, k)
}

// nearestf returns the integer nearest to x, |x| < 2^21, as a float and as an integer.
func nearestf(x float32) (float32, int32) {
	const shifter = 0x1.8p23
	t := x + shifter
	return t - shifter, int32(math.Float32bits(t)<<10) >> 10 // the low 22 bits, signed
}

// scalef is y*2^k for |k| < 250, with one rounding where the result is subnormal.
func scalef(y float32, k int32) float32 {
	half := k >> 1
	return y * pow2f(half) * pow2f(k-half)
}

// pow2f is 2^k for normal results.
func pow2f(k int32) float32 { return math.Float32frombits(uint32(k+127) << 23) }

// Sinf returns the sine of x radians, for every finite x. The reduction needs more than float32 has, so everything is
// in float64, with a short series: 0.5 ulp and 2^-10.
func Sinf(x float32) float32 {
	w := float64(x)
	if !(math.Abs(w) >= 0x1p-13 && math.Abs(w) <= math.MaxFloat32) {
		return float32(sinEdge(w))
	}
	r, q := reduceHalfPiFor32(w)
	if q&1 == 1 {
		return float32(flip(cosShort(r), q))
	}
	return float32(flip(sinShort(r), q))
}

// Cosf returns the cosine of x radians, for every finite x, in the way of Sinf.
func Cosf(x float32) float32 {
	w := float64(x)
	if !(math.Abs(w) <= math.MaxFloat32) {
		return float32(math.NaN())
	}
	r, q := reduceHalfPiFor32(w)
	if q&1 == 1 {
		return float32(flip(sinShort(r), q+1))
	}
	return float32(flip(cosShort(r), q+1))
}

// reduceHalfPiFor32 is reduceHalfPi for an x that was a float32, to float64.
func reduceHalfPiFor32(x float64) (r float64, q int64) {
	if math.Abs(x) >= 0x1p27 {
		p, q := reduceLarge(x)
		return p.hi, q
	}
	kf, q := nearest(float64(x * twoOverPi))
	return math.FMA(kf, -halfPiMid, math.FMA(kf, -halfPiHi, x)), q
}

// sinShort is the sine of |r| <= pi/4 to 2^-35.
func sinShort(r float64) float64 {
	z := float64(r * r)
	a := math.FMA(z, 0.008333331873837089, -0.16666666663853044)
	b := math.FMA(z, 2.7249864655139585e-06, -0.00019840086263755443)
	return math.FMA(float64(z*r), math.FMA(float64(z*z), b, a), r)
}

// cosShort is the cosine of |r| <= pi/4 to 2^-39.
func cosShort(r float64) float64 {
	z := float64(r * r)
	z2 := float64(z * z)
	a := math.FMA(z, -0.0013888887671288108, 0.04166666666431933)
	b := math.FMA(z, -2.7300908167996537e-07, 2.480059998353171e-05)
	return math.FMA(z2, math.FMA(z2, b, a), math.FMA(z, -0.5, 1))
}
