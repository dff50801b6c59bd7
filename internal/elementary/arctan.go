package elementary

import "math"

func halfPiPair() pair { return pair{halfPiHi, halfPiMid} }

func quarterPiPair() pair { return pair{halfPiHi / 2, halfPiMid / 2} }

// Atan returns the arc tangent of x.
func Atan(x float64) float64 {
	abs := math.Abs(x)
	switch {
	case abs < 0x1p-27 || x != x:
		return x
	case abs > 0x1p60:
		return math.Copysign(halfPiHi, x)
	}
	return math.Copysign(arctan(pair{abs, 0}, pair{1, 0}).float64(), x)
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
	a := arctan(pair{n, 0}, pair{d, 0})
	if math.Signbit(x) {
		a = piPair().add(a.neg())
	}
	return math.Copysign(a.float64(), y)
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
	rest := float64(math.FMA(-root, root, z) * math.FMA(z, -4.3, 2.06)) // what the root was rounded by, over 2*root: enough where that counts
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

// arctan returns atan(n/d) for n, d >= 0, not both zero, to about 2^-57: two reflections, at 1 and at tan(pi/8), leave the
// quotient below sqrt(2)-1.
func arctan(n, d pair) pair {
	steep := n.hi > d.hi
	if steep {
		n, d = d, n
	}
	var offset pair
	if n.hi > 0.4142*d.hi {
		n, d = n.add(d.neg()), n.add(d)
		offset = quarterPiPair()
	}
	q := n.div(d)
	z := float64(q.hi * q.hi)
	cubic := float64(float64(z*q.hi) * atanOdd(z))
	a := fastSum(q.hi, cubic+math.FMA(-z, q.lo, q.lo))
	if offset.hi != 0 {
		a = offset.add(a)
	}
	if steep {
		a = halfPiPair().add(a.neg())
	}
	return a
}

// atanOdd is (atan(q)-q)/q^3 in q^2, for |q| <= sqrt(2)-1.
func atanOdd(z float64) float64 {
	z2 := float64(z * z)
	z4 := float64(z2 * z2)
	z8 := float64(z4 * z4)
	a := math.FMA(z, 0.19999999999999993, -0.3333333333333333)
	b := math.FMA(z, 0.11111111110753377, -0.14285714285711507)
	c := math.FMA(z, 0.07692306733164588, -0.09090909066929216)
	d := math.FMA(z, 0.05881924337190751, -0.06666641957150596)
	e := math.FMA(z, 0.04719338362036012, -0.05258032679003167)
	f := math.FMA(z, 0.030630399494587394, -0.04104207294443433)
	a = math.FMA(z2, b, a)
	b = math.FMA(z2, d, c)
	c = math.FMA(z2, f, e)
	a = math.FMA(z4, b, a)
	b = math.FMA(z4, -0.013912862083935091, c)
	return math.FMA(z8, b, a)
}
