package elementary

import "math"

func twoOverSqrtPi() pair { return pair{0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56} }

// erfcStart is the value of (1+2x)*exp(x^2)*erfc(x) at x = 3.5.
const erfcStart = 1.2423492448711544

// Erf returns the error function of x.
func Erf(x float64) float64 {
	abs := math.Abs(x)
	if abs < 0.84 {
		return math.Copysign(erfSmall(abs).float64(), x)
	}
	if abs > 6 { // 1 - 2^-55
		abs = 6
	}
	q := logErfc(abs)
	kf, k := nearest(float64(q * math.Log2E))
	power := pow2(k)
	tail := expTail(math.FMA(kf, -ln2Hi, q), float64(kf*-ln2Mid))
	return math.Copysign(math.FMA(-power, tail, 1-power), x) // erfc(abs) = power*(1+tail), of which 1-power is exact where it counts
}

// Erfc returns 1 - erf(x), accurate where it is small.
func Erfc(x float64) float64 {
	switch {
	case x != x:
		return x
	case math.Abs(x) < 0.5:
		return pair{1, 0}.add(erfSmall(x).neg()).float64()
	case x < -6:
		return 2
	case x > 28:
		return 0
	}
	m, k := erfcLarge(math.Abs(x))
	if x > 0 {
		return scale(m.float64(), k)
	}
	return pair{2, 0}.add(m.times(pow2(k)).neg()).float64()
}

// erfSmall is erf(x), |x| < 0.85.
func erfSmall(x float64) pair {
	z := float64(x * x)
	head := twoProd(x, twoOverSqrtPi().hi)
	return fastSum(head.hi, math.FMA(float64(z*x), erfOdd(z), math.FMA(x, twoOverSqrtPi().lo, head.lo)))
}

// erfcLarge returns erfc(x) = m*2^k for 0.49 <= x <= 28.
func erfcLarge(x float64) (m pair, k int64) {
	sq := twoProd(x, x)
	e, k := expPair(sq.neg())
	one := fastSum(1, e.hi)
	one.lo += e.lo

	t := (x - 3.5) / (x + 3.5)
	p := fastSum(erfcStart, float64(t*erfcTail(t)))
	return one.mul(p).div(twoSum(1, 2*x)), k
}

// erfOdd is (erf(x)/x - 2/sqrt(pi))/x^2 in x^2, for |x| < 0.85.
func erfOdd(z float64) float64 {
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	z8 := float64(z4 * z4)
	a := math.FMA(z, 0.11283791670955125, -0.37612638903183754)
	b := math.FMA(z, 0.005223977625433904, -0.026866170645130933)
	c := math.FMA(z, 0.00012055332894207419, -0.000854832702234246)
	d := math.FMA(z, 1.6461969014070051e-06, -1.492564596528037e-05)
	e := math.FMA(z, 1.4759856103785567e-08, -1.6362626206533158e-07)
	f := math.FMA(z, 6.936264450098887e-11, -1.1844077981953363e-09)
	a = math.FMA(z2, b, a)
	b = math.FMA(z2, d, c)
	c = math.FMA(z2, f, e)
	a = math.FMA(z4, b, a)
	return math.FMA(z8, c, a)
}

// logErfc is log(erfc(x)) for 0.84 <= x <= 6, to 2^-58 of erf(x) when erfc(x) is taken from 1: there is less to get right the larger
// x is.
func logErfc(x float64) float64 {
	u := x - 1
	u2 := float64(u * u)
	u4 := float64(u2 * u2)
	u8 := float64(u4 * u4)
	a := math.FMA(u, -2.6389675142347913, -1.8496055099332482)
	b := math.FMA(u, -0.0415610980465083, -0.8431072563584854)
	c := math.FMA(u, -0.00197790302188799, 0.010033825434267419)
	d := math.FMA(u, 2.6270376639568032e-05, 0.00023732471135513302)
	e := math.FMA(u, 9.577591251177109e-06, -2.714118056975501e-05)
	f := math.FMA(u, 1.032678292595919e-07, -2.019144176179439e-06)
	g := math.FMA(u, -6.819920542335927e-08, 1.266915361515135e-07)
	h := math.FMA(u, -4.9000721397703805e-09, 2.160741622640523e-08)
	i := math.FMA(u, -9.26928454135176e-11, 8.083135424650348e-10)
	j := math.FMA(u, -2.2049592269891977e-13, 6.611974539298974e-12)
	a = math.FMA(u2, b, a)
	c = math.FMA(u2, d, c)
	e = math.FMA(u2, f, e)
	g = math.FMA(u2, h, g)
	i = math.FMA(u2, j, i)
	a = math.FMA(u4, c, a)
	e = math.FMA(u4, g, e)
	e = math.FMA(u8, i, e)
	return math.FMA(u8, e, a)
}

// erfcTail is ((1+2x)*exp(x^2)*erfc(x) - erfcStart)/t in t = (x-3.5)/(x+3.5), for 0.49 <= x <= 28. The variable is Shepherd and
// Laframboise's ("Chebyshev approximation of (1+2x)exp(x^2)erfc x in 0 <= x < infinity", 1981).
func erfcTail(t float64) float64 {
	t2 := float64(t * t)
	t4 := float64(t2 * t2)
	t8 := float64(t4 * t4)
	t16 := float64(t8 * t8)
	a := math.FMA(t, -0.010555596332218191, -0.1400091801376194)
	b := math.FMA(t, -0.11508959816019788, 0.09751909515325553)
	c := math.FMA(t, -0.048823325827758744, 0.0879831538249779)
	d := math.FMA(t, -0.004215019909619961, 0.019099330940554677)
	e := math.FMA(t, 0.0005643844316934234, -0.00030226786106513754)
	f := math.FMA(t, -4.2782297584193816e-05, -0.00012151250647027826)
	g := math.FMA(t, 2.3285018372374924e-06, 2.4261207388552705e-05)
	h := math.FMA(t, -4.456640523770729e-08, -3.814948701878417e-06)
	i := math.FMA(t, -7.629593672472576e-09, 6.008756864267807e-07)
	j := math.FMA(t, 4.5925301503447506e-10, -9.354005197985989e-08)
	a = math.FMA(t2, b, a)
	b = math.FMA(t2, d, c)
	c = math.FMA(t2, f, e)
	d = math.FMA(t2, h, g)
	e = math.FMA(t2, j, i)
	a = math.FMA(t4, b, a)
	b = math.FMA(t4, d, c)
	c = math.FMA(t4, 1.056281216650288e-08, e)
	a = math.FMA(t8, b, a)
	return math.FMA(t16, c, a)
}
