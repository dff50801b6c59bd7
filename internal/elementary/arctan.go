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

// Asin returns the arc sine of x, -1 <= x <= 1.
func Asin(x float64) float64 {
	abs := math.Abs(x)
	switch {
	case abs < 0x1p-27 || x != x:
		return x
	case abs > 1:
		return math.NaN()
	}
	return math.Copysign(arctan(pair{abs, 0}, circle(abs)).float64(), x)
}

// Acos returns the arc cosine of x, -1 <= x <= 1.
func Acos(x float64) float64 {
	abs := math.Abs(x)
	if !(abs <= 1) {
		return math.NaN()
	}
	a := arctan(circle(abs), pair{abs, 0})
	if x < 0 {
		a = piPair().add(a.neg())
	}
	return a.float64()
}

// circle is sqrt(1-x^2).
func circle(x float64) pair {
	if x == 1 {
		return pair{}
	}
	return twoSum(1, -x).mul(twoSum(1, x)).sqrt()
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
