package elementary

import "math"

// ln2Hi has 32 bits, so that k*ln2Hi is exact for every exponent k; ln2Mid continues it.
const (
	ln2Hi  = 0x1.62e42feep-1
	ln2Mid = 0x1.a39ef35793c76p-33
	ln2Lo  = 0x1.cc01f97b57a08p-87
)

// log2eLo is what math.Log2E leaves out.
const log2eLo = 0x1.777d0ffda0d24p-56

func ln2Pair() pair { return pair{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56} }

// shifter moves the integer nearest to x into the low bits of x+shifter.
const shifter = 0x1.8p52

// nearest returns the integer nearest to x, |x| < 2^31, as a float and as an integer: without a conversion, whose
// result for NaN would depend on the machine.
func nearest(x float64) (float64, int64) {
	t := x + shifter
	return t - shifter, int64(int32(uint32(math.Float64bits(t))))
}

// pow2 is 2^k for normal results.
func pow2(k int64) float64 { return math.Float64frombits(uint64(k+1023) << 52) }

// scale is y*2^k for |k| < 2044, with one rounding where the result is subnormal.
func scale(y float64, k int64) float64 {
	half := k >> 1
	return y * pow2(half) * pow2(k-half)
}

// Exp returns e to the power x. 1+t rounds t to a quarter of the result's last place at worst, besides the sum itself.
func Exp(x float64) float64 {
	if x > 710 {
		x = 710 // e^710 overflows below
	}
	if x < -746 {
		x = -746
	}
	kf, k := nearest(float64(x * math.Log2E))
	head := math.FMA(kf, -ln2Pair().hi, x) // exact: a multiple of 2^-54 below 1/2
	r := math.FMA(kf, -ln2Pair().lo, head)
	r2 := float64(r * r)
	t := head + math.FMA(r2, expRest(r, r2), float64(kf*-ln2Pair().lo))
	return scale(1+t, k)
}

// Exp2 returns 2 to the power x.
func Exp2(x float64) float64 {
	if x > 1025 {
		x = 1025
	}
	if x < -1076 {
		x = -1076
	}
	kf, k := nearest(x)
	f := x - kf
	f2 := float64(f * f)
	return scale(1+math.FMA(f, math.Ln2, float64(f2*exp2Rest(f, f2))), k)
}

// exp2Rest is (2^f-1-f*log(2))/f^2, given f2 = f^2, |f| <= 1/2, and what the float64 math.Ln2 leaves out, to 2^-57 of
// 2^f.
func exp2Rest(f, f2 float64) float64 {
	f4 := float64(f2 * f2)
	a := math.FMA(f, 0.055504108664821715, 0.24022650695910108)
	b := math.FMA(f, 0.0013333558146548382, 0.009618129107601599)
	c := math.FMA(f, 1.5252733631934034e-05, 0.00015403530449044968)
	d := math.FMA(f, 1.0178160881129266e-07, 1.3215438831497014e-06)
	e := math.FMA(f, 4.438740666685321e-10, 7.073233765235645e-09)
	a = math.FMA(f2, b, a)
	c = math.FMA(f2, d, c)
	c = math.FMA(f4, e, c)
	return math.FMA(f4, c, a)
}

// Expm1 returns e^x - 1, accurate near zero. With x = k*log(2) + r it is (2^k - 1 + 2^k*r) + 2^k*(exp(r) - 1 - r), of
// which the sum in parentheses keeps what its rounding loses. All is computed by half, so that it overflows where the
// result does.
func Expm1(x float64) float64 {
	w := x
	if x > 710 {
		w = 710
	}
	if x < -40 {
		w = -40
	}
	kf, k := nearest(float64(w * math.Log2E))
	r := fastSum(math.FMA(kf, -ln2Hi, w), float64(kf*-ln2Mid))
	r2 := float64(r.hi * r.hi)
	rest := math.FMA(r2, expRest(r.hi, r2), math.FMA(r.lo, r.hi, r.lo))
	half := pow2(k - 1)
	less := half - 0.5
	head := math.FMA(half, r.hi, less)
	lost := math.FMA(half, r.hi, less-head) + ((half - less) - 0.5)
	y := 2 * (head + math.FMA(half, rest, lost))
	if math.Abs(x) < 0x1p-54 {
		y = x
	}
	return y
}

// expRest is (exp(r)-1-r)/r^2, given r2 = r^2, |r| <= log(2)/2, to 2^-57 of exp(r).
func expRest(r, r2 float64) float64 {
	r4 := float64(r2 * r2)
	a := math.FMA(r, 0.16666666666666427, 0.5000000000000011)
	b := math.FMA(r, 0.008333333333485217, 0.041666666666526964)
	c := math.FMA(r, 0.00019841269526490958, 0.0013888888944344163)
	d := math.FMA(r, 2.75575686783493e-06, 2.4801492447217578e-05)
	e := math.FMA(r, 2.5005635530084308e-08, 2.7630457835764155e-07)
	a = math.FMA(r2, b, a)
	c = math.FMA(r2, d, c)
	c = math.FMA(r4, e, c)
	return math.FMA(r4, c, a)
}

// reduceLn2 writes x as k*log(2) + r, |r| <= log(2)/2, to about 2^-100.
func reduceLn2(x pair) (r pair, k int64) {
	kf, k := nearest(float64(x.hi * math.Log2E))
	head := math.FMA(kf, -ln2Hi, x.hi)
	w := twoProd(kf, -ln2Mid)
	s := twoSum(head, w.hi)
	return fastSum(s.hi, s.lo+(w.lo+math.FMA(kf, -ln2Lo, x.lo))), k
}

// expPair returns m and k with exp(x) = 2^k*(1+m), |m| < 0.42, to 2^-60. |x.hi| < 1000.
func expPair(x pair) (m pair, k int64) {
	r, k := reduceLn2(x)
	sq := twoProd(r.hi, r.hi)
	half := sq.half()
	s := fastSum(r.hi, half.hi)
	cubic := float64(float64(sq.hi*r.hi) * expCubic(r.hi))
	return fastSum(s.hi, s.lo+(cubic+(half.lo+math.FMA(r.lo, r.hi, r.lo)))), k
}

// expCubic is (exp(r)-1-r-r^2/2)/r^3.
func expCubic(r float64) float64 {
	r2 := float64(r * r)
	r4 := float64(r2 * r2)
	a := math.FMA(r, 0.04166666666666667, 0.16666666666666666)
	b := math.FMA(r, 0.0013888888888883748, 0.008333333333333333)
	c := math.FMA(r, 2.4801587325547743e-05, 0.00019841269841266415)
	d := math.FMA(r, 2.75572736431103e-07, 2.7557319239957097e-06)
	e := math.FMA(r, 2.0914686968086876e-09, 2.5052078002329456e-08)
	e = math.FMA(r2, 1.6084327883952603e-10, e)
	a = math.FMA(r2, b, a)
	c = math.FMA(r2, d, c)
	return math.FMA(r4, math.FMA(r4, e, c), a)
}
