package elementary

import "math"

// sinhOdd is (sinh(r) - r)/r^3 in x = r^2.
func sinhOdd(x float64) float64 {
	y := 1.608662795678037e-10
	y = math.FMA(y, x, 2.505207109429355e-08)
	y = math.FMA(y, x, 2.755731924721873e-06)
	y = math.FMA(y, x, 0.00019841269841263298)
	y = math.FMA(y, x, 0.008333333333333333)
	y = math.FMA(y, x, 0.16666666666666666)
	return y
}

// coshEven is (cosh(r) - 1 - r^2/2)/r^4 in x = r^2.
func coshEven(x float64) float64 {
	y := 2.0911236630261545e-09
	y = math.FMA(y, x, 2.755728296954995e-07)
	y = math.FMA(y, x, 2.4801587317144498e-05)
	y = math.FMA(y, x, 0.0013888888888886552)
	y = math.FMA(y, x, 0.041666666666666664)
	return y
}

// Sinh returns the hyperbolic sine of x.
func Sinh(x float64) float64 {
	sinh, _ := hyperbolic(math.Abs(x))
	return math.Copysign(sinh, x)
}

// Cosh returns the hyperbolic cosine of x.
func Cosh(x float64) float64 {
	_, cosh := hyperbolic(math.Abs(x))
	return cosh
}

// Tanh returns the hyperbolic tangent of x: a series, and from 5/8 on 1 - w with w = 2/(exp(2x)+1), of which what
// rounding lost counts.
func Tanh(x float64) float64 {
	abs := math.Abs(x)
	if abs < 0.625 {
		z := float64(x * x)
		return math.Copysign(math.FMA(float64(x*z), tanhOdd(z), x), x) // of a zero too
	}
	if abs > 20 {
		abs = 20 // 1 - 2^-56
	}
	kf, k := nearest(float64(abs * (2 * math.Log2E)))
	power := pow2(k)
	r := math.FMA(kf, -ln2Mid, math.FMA(kf, -ln2Hi, 2*abs))
	r2 := float64(r * r)
	tail := math.FMA(r2, expRest(r, r2), r)
	sum := math.FMA(power, tail, power+1)
	w := 2 / sum
	head := fastSum(1, -w)
	return math.Copysign(head.hi+math.FMA(math.FMA(w, sum, -2), float64(w/2), head.lo), x)
}

// tanhOdd is (tanh(x)-x)/x^3 in x^2, for |x| <= 5/8.
func tanhOdd(z float64) float64 {
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	z8 := float64(z4 * z4)
	a := math.FMA(z, 0.13333333333333042, -0.3333333333333333)
	b := math.FMA(z, 0.021869488519008305, -0.05396825396789699)
	c := math.FMA(z, 0.0035921217511549622, -0.008863235103240878)
	d := math.FMA(z, 0.0005896606577757043, -0.0014557754120478055)
	e := math.FMA(z, 9.257116129556769e-05, -0.0002375906496055562)
	f := math.FMA(z, 6.485163482793113e-06, -3.12011014257974e-05)
	a = math.FMA(z2, b, a)
	c = math.FMA(z2, d, c)
	e = math.FMA(z2, f, e)
	a = math.FMA(z4, c, a)
	return math.FMA(z8, e, a)
}

// hyperbolic returns sinh(x) and cosh(x) for x >= 0 or NaN. With x = k*log(2) + r, sinh(x) = S*cosh(r) + C*sinh(r) and
// cosh(x) = C*cosh(r) + S*sinh(r), where S and C are sinh and cosh of k*log(2): simple sums of powers of two, and S = 0
// near zero, so that no division and no cancellation occur. What is rounded before the last sum is small, or its loss
// is kept.
func hyperbolic(x float64) (sinh, cosh float64) {
	if x > 712 {
		x = 712 // too large for a float64
	}
	kf, k := nearest(float64(x * math.Log2E))
	r := fastSum(math.FMA(kf, -ln2Hi, x), float64(kf*-ln2Mid))
	sq := float64(r.hi * r.hi)
	odd := math.FMA(float64(sq*r.hi), sinhOdd(sq), r.lo)                                // sinh(r) - r.hi
	even := math.FMA(float64(sq*sq), coshEven(sq), math.FMA(r.hi, r.lo, float64(sq/2))) // cosh(r) - 1
	most := min(k, 1000)
	up, down := pow2(most-1), pow2(-most-1)
	s, c := fastSum(up, -down), fastSum(up, down)
	head := math.FMA(c.hi, r.hi, s.hi)
	lost := math.FMA(c.hi, r.hi, s.hi-head)
	sinh = head + (lost + math.FMA(c.hi, odd, math.FMA(s.hi, even, s.lo)))
	cosh = c.hi + math.FMA(s.hi, r.hi, math.FMA(s.hi, odd, math.FMA(c.hi, even, c.lo)))
	over := pow2(k - most)
	return sinh * over, cosh * over
}
