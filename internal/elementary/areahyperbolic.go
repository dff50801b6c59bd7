package elementary

import "math"

// Asinh returns the inverse hyperbolic sine of x: log(x + sqrt(x^2+1)), and atanh(x/sqrt(x^2+1)) near zero.
func Asinh(x float64) float64 {
	abs := math.Abs(x)
	switch {
	case abs < 0x1p-27 || !(abs <= math.MaxFloat64):
		return x
	case abs > 0x1p30:
		return math.Copysign(logDouble(abs), x)
	}
	root := twoProd(abs, abs).add(pair{1, 0}).sqrt()
	var a pair
	if abs < 0.17 {
		a = atanhPair(pair{abs, 0}, root).half()
	} else {
		a = logPair(root.add(pair{abs, 0}))
	}
	return math.Copysign(a.float64(), x)
}

// Acosh returns the inverse hyperbolic cosine of x >= 1: log(x + sqrt(x^2-1)).
func Acosh(x float64) float64 {
	switch {
	case !(x >= 1):
		return math.NaN()
	case x == 1:
		return 0
	case x > 0x1p30:
		return logDouble(x)
	}
	root := pair{x - 1, 0}
	if x > 2 {
		root = twoSum(x, -1)
	}
	root = root.mul(twoSum(x, 1)).sqrt()
	return logPair(pair{x, 0}.add(root)).float64()
}

// Atanh returns the inverse hyperbolic tangent of x, -1 <= x <= 1: log((1+x)/(1-x))/2.
func Atanh(x float64) float64 {
	abs := math.Abs(x)
	switch {
	case abs < 0x1p-27 || x != x:
		return x
	case abs > 1:
		return math.NaN()
	case abs == 1:
		return math.Copysign(math.Inf(1), x)
	}
	var a pair
	if abs < 0.17 {
		a = atanhPair(pair{abs, 0}, pair{1, 0})
	} else {
		a = logPair(twoSum(1, abs).div(twoSum(1, -abs)))
	}
	return math.Copysign(a.half().float64(), x)
}

// logDouble is log(2x), which is finite for every finite x.
func logDouble(x float64) float64 {
	if x > math.MaxFloat64 {
		return x
	}
	return logPair(pair{x, 0}).add(ln2Pair()).float64()
}
