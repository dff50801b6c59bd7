package elementary

import "math"

// Atan returns the arc tangent of x: beyond 1 what that of 1/x leaves of pi/2.
func Atan(x float64) float64 {
	abs := math.Abs(x)
	if abs > 0x1p60 {
		abs = 0x1p60 // pi/2, rounded
	}
	n, d, turn := abs, 1.0, 0.0
	if abs > 1 {
		n, d, turn = 1, abs, 2
	}
	return math.Copysign(arctan(n, d, turn, abs > 1), x)
}

// Atan2 returns the angle of the point (x, y), in [-pi, pi].
func Atan2(y, x float64) float64 {
	n, d := math.Abs(y), math.Abs(x)
	infinite := max(n, d) > math.MaxFloat64
	switch {
	case x != x || y != y:
		return x + y
	case infinite && n == d:
		n, d = 1, 1
	case infinite && n > d:
		n, d = 1, 0
	case infinite || n == 0:
		n, d = 0, 1
	default:
		down, _ := unitScale(max(n, d))
		n, d = n*down, d*down
	}
	turn, left, steep := 0.0, math.Signbit(x), n > d
	if left {
		turn = 4
	}
	if steep {
		n, d, turn = d, n, 2
	}
	return math.Copysign(arctan(n, d, turn, left != steep), y)
}

// Asin returns the arc sine of x, -1 <= x <= 1. From 1/2 on it is pi/2 - 2*asin(sqrt((1-x)/2)).
func Asin(x float64) float64 {
	abs := math.Abs(x)
	if abs <= 0.5 {
		z := float64(x * x)
		return math.FMA(float64(x*z), asinOdd(z), x)
	}
	z := float64((1 - abs) / 2)
	root := math.Sqrt(z)
	// what the root was rounded by, over 2*root: enough where that counts
	rest := float64(math.FMA(-root, root, z) * math.FMA(z, -4.3, 2.06))
	rest = math.FMA(float64(root*z), asinOdd(z), rest)
	head := fastSum(halfPiHi, float64(-2*root))
	return math.Copysign(head.hi+math.FMA(-2, rest, head.lo+halfPiMid), x)
}

// Acos returns the arc cosine of x, -1 <= x <= 1: that of |x| is pi/2 - asin(|x|), from 1/2 on 2*asin(sqrt((1-|x|)/2)).
func Acos(x float64) float64 {
	abs := math.Abs(x)
	if abs <= 0.5 {
		z := float64(x * x)
		head := fastSum(halfPiHi, -x)
		return head.hi + math.FMA(-float64(x*z), asinOdd(z), head.lo+halfPiMid)
	}
	z := float64((1 - abs) / 2)
	root := math.Sqrt(z)
	rest := math.FMA(-root, root, z) / math.FMA(2, root, 0x1p-1000) // 0 at 1
	rest = math.FMA(float64(root*z), asinOdd(z), rest)
	if x > 0 {
		return 2 * (root + rest)
	}
	head := fastSum(2*halfPiHi, float64(-2*root))
	return head.hi + math.FMA(-2, rest, head.lo+2*halfPiMid)
}

// asinOdd is (asin(x)-x)/x^3 in x^2, for |x| <= 1/2.
func asinOdd(z float64) float64 {
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	z8 := float64(z4 * z4)
	a := math.FMA(z, 0.07499999999998433, 0.16666666666666669)
	b := math.FMA(z, 0.030381944138531247, 0.04464285714635543)
	c := math.FMA(z, 0.017352392720869973, 0.02237217294214989)
	d := math.FMA(z, 0.011479177415184906, 0.013971212973552933)
	e := math.FMA(z, 0.005457506718640358, 0.01032281435018578)
	f := math.FMA(z, -0.014851887071247204, 0.01740087944269402)
	a = math.FMA(z2, b, a)
	c = math.FMA(z2, d, c)
	e = math.FMA(z2, f, e)
	a = math.FMA(z4, c, a)
	e = math.FMA(z4, 0.028757851367421566, e)
	return math.FMA(z8, e, a)
}

// arctan returns turn*pi/4 plus atan(n/d), or minus that, for 0 <= n <= d. Beyond 1/2 it is pi/4 + atan((n-d)/(n+d)),
// where n-d is exact.
func arctan(n, d, turn float64, minus bool) float64 {
	lo, eighth := 0.0, 0.0
	if n > 0.5*d {
		sum := fastSum(d, n)
		n, d, lo, eighth = n-d, sum.hi, sum.lo, 1
	}
	q := n / d
	rest := math.FMA(-q, lo, math.FMA(-q, d, n)) / d
	if minus {
		q, rest, eighth = -q, -rest, -eighth
	}
	turn += eighth
	base := twoProd(turn, halfPiHi/2)
	head := fastSum(base.hi, q)
	z := float64(q * q)
	rest = math.FMA(rest, 1-z, math.FMA(turn, halfPiMid/2, base.lo+head.lo)) // a slope of 1/(1+z), near enough
	return head.hi + math.FMA(float64(q*z), atanOdd(z), rest)
}

// atanOdd is (atan(q)-q)/q^3 in q^2, for |q| <= 1/2.
func atanOdd(z float64) float64 {
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	a := math.FMA(z2, math.FMA(z, 0.11111111100917376, -0.14285714285599188), math.FMA(z, 0.19999999999999488, -0.3333333333333333))
	b := math.FMA(z2, math.FMA(z, 0.05879578429582425, -0.06666435677235948), math.FMA(z, 0.07692294712540285, -0.09090908620322523))
	c := math.FMA(z2, math.FMA(z, 0.025006503566489507, -0.03806653672057366), math.FMA(z, 0.04628024868570153, -0.05240099507994713))
	c = math.FMA(z4, -0.009215792047089858, c)
	return math.FMA(z4, math.FMA(z4, c, b), a)
}
