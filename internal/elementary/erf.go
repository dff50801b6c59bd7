package elementary

import "math"

func twoOverSqrtPi() pair { return pair{0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56} }

// erfcStart is the value of (1+2x)*exp(x^2)*erfc(x) at x = 3.5.
const erfcStart = 1.2423492448711544

// Erf returns the error function of x.
func Erf(x float64) float64 {
	abs := math.Abs(x)
	if abs < 1.2 {
		return math.FMA(x, erfSlope(float64(x*x)), x)
	}
	if abs > 6 { // 1 - 2^-55
		abs = 6
	}
	q := logErfc(abs)
	kf, k := nearest(float64(q * math.Log2E))
	power := pow2(k)
	tail := erfExp(math.FMA(kf, -ln2Mid, math.FMA(kf, -ln2Hi, q)))
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

// erfSlope is erf(x)/x - 1 in x^2, for |x| <= 1.2.
func erfSlope(z float64) float64 {
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	z8 := float64(z4 * z4)
	a := math.FMA(z, -0.3761263890318346, 0.12837916709551256)
	b := math.FMA(z, -0.02686617064339467, 0.11283791670943791)
	c := math.FMA(z, -0.0008548326365992061, 0.005223977611601976)
	d := math.FMA(z, -1.492523795884175e-05, 0.00012055312894571054)
	e := math.FMA(z, -1.6309076701884793e-07, 1.645629476239474e-06)
	f := math.FMA(z, -1.0622948725889492e-09, 1.4428765428048003e-08)
	a = math.FMA(z2, b, a)
	c = math.FMA(z2, d, c)
	e = math.FMA(z2, f, e)
	a = math.FMA(z4, c, a)
	e = math.FMA(z4, 4.882426394552984e-11, e)
	return math.FMA(z8, e, a)
}

// logErfc is log(erfc(x)) for 1.2 <= x <= 6, to 2^-56 of erf(x) when erfc(x) is taken from 1: there is less to get right the larger
// x is.
func logErfc(x float64) float64 {
	u := x - 1
	u2 := float64(u * u)
	u4 := float64(u2 * u2)
	u8 := float64(u4 * u4)
	a := math.FMA(u, -2.638967514129078, -1.849605509937269)
	b := math.FMA(u, -0.04156108945002027, -0.8431072575975801)
	c := math.FMA(u, -0.001977774742579688, 0.01003378587880739)
	d := math.FMA(u, 2.681146483716841e-05, 0.00023702040782628655)
	e := math.FMA(u, 1.0343516336326477e-05, -2.7874443600350325e-05)
	f := math.FMA(u, 4.958918028651794e-07, -2.6403004184923036e-06)
	g := math.FMA(u, 5.9528600718654306e-09, -6.68403647145095e-08)
	h := math.FMA(u, 4.814001948143534e-12, -2.9301277685686146e-10)
	a = math.FMA(u2, b, a)
	c = math.FMA(u2, d, c)
	e = math.FMA(u2, f, e)
	g = math.FMA(u2, h, g)
	a = math.FMA(u4, c, a)
	e = math.FMA(u4, g, e)
	return math.FMA(u8, e, a)
}

// erfExp is exp(r) - 1 to 2^-57 for |r| <= log(2)/2.
func erfExp(r float64) float64 {
	r2 := float64(r * r)
	r4 := float64(r2 * r2)
	a := math.FMA(r, 0.16666666666666669, 0.5000000000000001)
	b := math.FMA(r, 0.008333333333330062, 0.04166666666662413)
	c := math.FMA(r, 0.00019841269863053618, 0.0013888888917213717)
	d := math.FMA(r, 2.7557268459997064e-06, 2.4801521295954376e-05)
	e := math.FMA(r, 2.510038549551032e-08, 2.7620088445409746e-07)
	a = math.FMA(r2, b, a)
	c = math.FMA(r2, d, c)
	c = math.FMA(r4, e, c)
	return math.FMA(r2, math.FMA(r4, c, a), r)
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
