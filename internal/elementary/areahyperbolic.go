package elementary

import "math"

// Asinh returns the inverse hyperbolic sine of x: log(1 + (x + (sqrt(x^2+1) - 1))).
func Asinh(x float64) float64 {
	abs := math.Abs(x)
	switch {
	case !(abs <= math.MaxFloat64):
		return x
	case abs > 0x1p30:
		return math.Copysign(logDouble(abs), x)
	}
	square := twoProd(abs, abs)
	under := fastSum(1, square.hi)
	if abs > 1 {
		under = fastSum(square.hi, 1)
	}
	y := log1p(plusRoot(abs, -1, under.hi, under.lo+square.lo))
	if abs < 0x1p-27 {
		y = abs
	}
	return math.Copysign(y, x)
}

// plusRoot returns a + (sqrt(hi+lo) + b) for b of 0 or -1, where the sum in parentheses is exact but for what sqrt
// rounds, which is kept.
func plusRoot(a, b, hi, lo float64) pair {
	root := math.Sqrt(hi)
	rest := float64((math.FMA(-root, root, hi) + lo) * (0.5 / root))
	sum := twoSum(a, root+b)
	return pair{sum.hi, sum.lo + rest}
}

// Acosh returns the inverse hyperbolic cosine of x >= 1: log(1 + ((x-1) + sqrt((x-1)*(x+1)))).
func Acosh(x float64) float64 {
	switch {
	case !(x >= 1):
		return math.NaN()
	case x == 1:
		return 0
	case x > 0x1p30:
		return logDouble(x)
	}
	more := fastSum(x, 1)
	under := twoProd(x-1, more.hi)
	return log1p(plusRoot(x-1, 0, under.hi, math.FMA(x-1, more.lo, under.lo)))
}

// Atanh returns the inverse hyperbolic tangent of x, -1 <= x <= 1: log(1 + 2x/(1-x))/2.
func Atanh(x float64) float64 {
	abs := math.Abs(x)
	switch {
	case x != x:
		return x
	case abs > 1:
		return math.NaN()
	case abs == 1:
		return math.Copysign(math.Inf(1), x)
	}
	less := fastSum(1, -abs)
	q := 2 * abs / less.hi
	rest := math.FMA(-q, less.lo, math.FMA(-q, less.hi, 2*abs)) / less.hi
	return math.Copysign(float64(log1p(pair{q, rest})/2), x)
}

// logDouble is log(2x), which is finite for every finite x.
func logDouble(x float64) float64 {
	if x > math.MaxFloat64 {
		return x
	}
	return logPair(pair{x, 0}).add(ln2Pair()).float64()
}
