package elementary

import "math"

func twoOverSqrtPi() pair { return pair{0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56} }

// erfcStart is the value of (1+2x)*exp(x^2)*erfc(x) at x = 3.5.
const erfcStart = 1.2423492448711544

// Erf returns the error function of x. The fourth root of erfc(abs) is 1+t; where 1+t is squared, t becomes t*t+2t, so
// that nothing of a small t is lost and no exponential is needed. The first square adds to the double of the exact slope, which
// leaves out the rounding of t.
func Erf(x float64) float64 {
	abs := math.Abs(x)
	if abs > 6 { // 1 - 2^-55
		abs = 6
	}
	z := float64(abs * abs)
	rest := float64(z * erfRoot(abs, z))
	t := math.FMA(abs, erfRootSlope, rest)
	t = math.FMA(abs, 2*erfRootSlope, math.FMA(t, t, rest+rest))
	return math.Copysign(math.FMA(t, t, t+t), x)
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

// erfRootSlope is that of the fourth root of erfc at 0, -1/(2*sqrt(pi)).
const erfRootSlope = -0x1.20dd750429b6dp-2

// erfRoot is (erfc(x)^(1/4) - 1 - erfRootSlope*x)/x^2 for 0 <= x <= 6 to 2^-55 of erf(x), given z = x^2: there is less to get right
// the larger x is.
func erfRoot(x, z float64) float64 {
	a := math.FMA(z, math.FMA(x, -0.0012220129595718098, 0.018626447010109324), math.FMA(x, 0.015462231328241116, -0.11936620731892213))
	b := math.FMA(z, math.FMA(x, -2.944260991695511e-05, 0.00012169092280591025), math.FMA(x, 0.00021675655944748578, -0.00194624075164473))
	c := math.FMA(z, math.FMA(x, 2.936306874699287e-07, -7.971120934103937e-07), math.FMA(x, 1.0631674398530517e-06, 5.460656170360516e-07))
	d := math.FMA(z, math.FMA(x, -1.84246747084736e-08, 4.8019341767249075e-08), math.FMA(x, -8.120163473615742e-08, 2.504403391266205e-08))
	e := math.FMA(z, math.FMA(x, -3.047485419210562e-11, 2.1681779504776253e-10), math.FMA(x, -1.208995983634387e-09, 5.32763401515232e-09))
	f := math.FMA(z, math.FMA(x, -5.181285715047267e-16, 1.4796780954732394e-14), math.FMA(x, -2.638495120521494e-13, 3.2911457655871743e-12))
	z2 := float64(z * z)
	f = math.FMA(z2, 8.525334590429543e-18, f)
	e = math.FMA(z2, f, e)
	d = math.FMA(z2, e, d)
	c = math.FMA(z2, d, c)
	b = math.FMA(z2, c, b)
	return math.FMA(z2, b, a)
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
