package elementary

import "math"

// Exp returns e to the power x. Go 1.26's math.Exp on amd64 overflows from 709.1 on, where the result is still finite; the
// square of the root is within 2 ulp there.
func Exp(x float64) float64 {
	if x > 709 {
		root := math.Exp(x / 2)
		return root * root
	}
	return math.Exp(x)
}

// Log returns the natural logarithm of x. Go 1.26's math.Log on amd64 gives -709 for every subnormal.
func Log(x float64) float64 {
	if x > 0 && x < 0x1p-1022 {
		hi, _ := logPair(x)
		return hi
	}
	return math.Log(x)
}

// Sin returns the sine of x radians.
func Sin(x float64) float64 { return math.Sin(x) }

// Cos returns the cosine of x radians.
func Cos(x float64) float64 { return math.Cos(x) }
