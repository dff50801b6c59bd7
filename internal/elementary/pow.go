package elementary

import "math"

// Pow returns x to the power y as exp(y*log(x)), with the logarithm and the product in pairs. The special cases are C's.
func Pow(x, y float64) float64 {
	abs := math.Abs(x)
	switch {
	case y == 0 || x == 1:
		return 1
	case x != x || y != y:
		return x + y
	case y == 2:
		return x * x
	case y == 1:
		return x
	case math.Abs(y) > math.MaxFloat64:
		return powInfinite(abs, y > 0)
	}
	integer, odd := parity(y)
	negative := odd && math.Signbit(x)
	switch {
	case abs == 0 || abs > math.MaxFloat64:
		return withSign(powOfEdge((abs == 0) == (y > 0)), negative)
	case x < 0 && !integer:
		return math.NaN()
	}
	log := powLog(abs)
	p := twoProd(y, log.hi)
	e := p.hi
	lo := math.FMA(y, log.lo, p.lo)
	if e > 800 {
		e, lo = 800, 0
	}
	if e < -800 {
		e, lo = -800, 0
	}
	kf, k := nearest(float64(e * math.Log2E))
	r := math.FMA(kf, -ln2Hi, e)
	return withSign(scale(1+expTail(r, math.FMA(kf, -ln2Mid, lo)), k), negative)
}

// powLog is the logarithm of a positive finite x to about 2^-65: as logPair, without what x.lo takes there, and with one division, as
// 1/(m+1) is (1-s)/2.
func powLog(x float64) pair {
	m, k := split(x)
	f := m - 1
	den := fastSum(1, m)
	s := f / den.hi
	rest := float64(math.FMA(-s, den.lo, math.FMA(-s, den.hi, f)) * math.FMA(s, -0.5, 0.5)) // s + rest = f/den
	sq := twoProd(s, s)
	sq.lo = math.FMA(2*s, rest, sq.lo)
	cube := twoProd(s, sq.hi)
	cube.lo = math.FMA(s, sq.lo, math.FMA(rest, sq.hi, cube.lo))
	third := twoProd(cube.hi, twoThirds().hi)
	third.lo = math.FMA(cube.hi, twoThirds().lo, math.FMA(cube.lo, twoThirds().hi, third.lo))
	tail := math.FMA(float64(cube.hi*sq.hi), atanhTail(sq.hi), math.FMA(2, rest, third.lo))
	sum := fastSum(2*s, third.hi)
	kf := float64(k)
	all := fastSum(float64(kf*ln2Hi), sum.hi)
	return fastSum(all.hi, all.lo+math.FMA(kf, ln2Mid, sum.lo+tail))
}

// powInfinite is abs to the power of plus or minus infinity.
func powInfinite(abs float64, plus bool) float64 {
	if abs == 1 {
		return 1
	}
	return powOfEdge((abs < 1) == plus)
}

func powOfEdge(zero bool) float64 {
	if zero {
		return 0
	}
	return math.Inf(1)
}

func withSign(x float64, negative bool) float64 {
	if negative {
		return -x
	}
	return x
}

// parity says whether a finite y is an integer, and an odd one.
func parity(y float64) (integer, odd bool) {
	half := float64(y / 2)
	integer = math.Trunc(y) == y
	return integer, integer && math.Trunc(half) != half
}
