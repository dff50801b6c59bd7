package elementary

import "math"

// erfcStart is the value of (1+2x)*exp(x^2)*erfc(x) at x = 3.5.
func erfcStart() pair { return pair{1.2423492448711544, -1.0846756337728736e-17} }

// Erf returns the error function of x. The fourth root of erfc(abs) is 1+t; where 1+t is squared, t becomes t*t+2t, so
// that nothing of a small t is lost and no exponential is needed. The first square adds to the double of the exact
// slope, which leaves out the rounding of t.
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

// Erfc returns 1 - erf(x), accurate where it is small: (1+2x)*exp(x^2)*erfc(x) for x > 0 is a polynomial in
// (x-3.5)/(x+3.5), of which what rounding lost counts where x is small.
func Erfc(x float64) float64 {
	abs := math.Abs(x)
	if abs > 28 {
		abs = 28 // too small for a float64
	}
	sq := twoProd(abs, abs)
	e := float64(sq.hi * -math.Log2E)
	rest := math.FMA(sq.lo, -math.Log2E, math.FMA(sq.hi, -log2eLo, math.FMA(sq.hi, -math.Log2E, -e)))
	power, k := exp2Pair(e, rest)

	above, below := fastSum(-3.5, abs), fastSum(3.5, abs)
	t := above.hi / below.hi
	lost := math.FMA(-t, below.lo, math.FMA(-t, below.hi, above.hi)+above.lo)
	p := fastSum(erfcStart().hi, math.FMA(t, erfcTail(t), math.FMA(lost, erfcSlope(t), erfcStart().lo)))
	num := rough(power, p)
	den := twoSum(1, 2*abs)
	inverse := 1 / den.hi
	y := float64(num.hi * inverse)
	y = float64(scale(math.FMA(math.FMA(-y, den.lo, math.FMA(-y, den.hi, num.hi)+num.lo), inverse, y), k))
	if x < 0 {
		y = 2 - y
	}
	return y
}

// erfRootSlope is that of the fourth root of erfc at 0, -1/(2*sqrt(pi)).
const erfRootSlope = -0x1.20dd750429b6dp-2

// erfRoot is (erfc(x)^(1/4) - 1 - erfRootSlope*x)/x^2 for 0 <= x <= 6 to 2^-55 of erf(x), given z = x^2: there is less
// to get right the larger x is.
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

// erfcSlope is the derivative of (1+2x)*exp(x^2)*erfc(x) by t = (x-3.5)/(x+3.5), over x+3.5 = 7/(1-t), to 2^-7.
func erfcSlope(t float64) float64 {
	y := 0.28070613642156383
	y = math.FMA(y, t, -0.22452274238927267)
	y = math.FMA(y, t, -0.0200173282439123)
	y = math.FMA(y, t, 0.042166378360006085)
	y = math.FMA(y, t, -0.016584825785736647)
	return y
}

// erfcTail is ((1+2x)*exp(x^2)*erfc(x) - erfcStart)/t in t = (x-3.5)/(x+3.5), for 0 <= x <= 28, to 2^-56 of the whole.
// The variable is Shepherd and Laframboise's ("Chebyshev approximation of (1+2x)exp(x^2)erfc x in 0 <= x < infinity",
// 1981).
func erfcTail(t float64) float64 {
	t2 := float64(t * t)
	t4 := float64(t2 * t2)
	t8 := float64(t4 * t4)
	a := math.FMA(t, -0.010555596332217934, -0.1400091801376194)
	b := math.FMA(t, -0.11508959816022765, 0.09751909515325528)
	c := math.FMA(t, -0.048823325826742904, 0.08798315382500001)
	d := math.FMA(t, -0.004215019925600284, 0.019099330939907462)
	e := math.FMA(t, 0.0005643845707015896, -0.00030226785212341724)
	f := math.FMA(t, -4.2783029060604936e-05, -0.00012151257571973362)
	g := math.FMA(t, 2.3309297558120814e-06, 2.426153589648759e-05)
	h := math.FMA(t, -4.9686171181175256e-08, -3.815945439761409e-06)
	i := math.FMA(t, -9.723994184128743e-10, 6.02827721239502e-07)
	j := math.FMA(t, -4.411003112178916e-09, -9.593893593352723e-08)
	k := math.FMA(t, 1.5342919349317015e-09, 1.2251923025120653e-08)
	a = math.FMA(t2, b, a)
	c = math.FMA(t2, d, c)
	e = math.FMA(t2, f, e)
	g = math.FMA(t2, h, g)
	i = math.FMA(t2, j, i)
	k = math.FMA(t2, -5.213846449633341e-10, k)
	a = math.FMA(t4, c, a)
	e = math.FMA(t4, g, e)
	i = math.FMA(t4, k, i)
	a = math.FMA(t8, e, a)
	return math.FMA(float64(t8*t8), i, a)
}
