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
	log := logPair(pair{abs, 0})
	p := twoProd(y, log.hi)
	e := pair{p.hi, math.FMA(y, log.lo, p.lo)}
	if e.hi > 800 {
		e = pair{800, 0}
	}
	if e.hi < -800 {
		e = pair{-800, 0}
	}
	m, k := expPair(e)
	one := fastSum(1, m.hi)
	return withSign(scale(one.hi+(one.lo+m.lo), k), negative)
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
	abs := math.Abs(y)
	if abs >= 0x1p53 {
		return true, false
	}
	if math.Trunc(abs) != abs {
		return false, false
	}
	half := abs / 2
	return true, math.Trunc(half) != half
}
