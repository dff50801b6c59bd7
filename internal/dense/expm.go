package dense

import (
	"math"
	"math/cmplx"
	"slices"
)

// pade13 are the coefficients of the approximant of degree 13 of the exponential, and theta13 the 1-norm up to which it
// is exact to float64: N. J. Higham, The scaling and squaring method for the matrix exponential revisited, SIAM J.
// Matrix Anal. 26 (2005).
var pade13 = [14]float64{64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600,
	670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1}

const theta13 = 5.371920351148152

// Exponential overwrites the n x n matrix a with e to the power a. It solves as Solve does and sets c to products of a,
// n x k, and b, k x m, by what it is given.
func Exponential[T Number](n int, a []T, solve func(n, m int, a, b []T) error, multiply func(n, k, m int, a, b, c []T)) error {
	norm := 0.0
	for j := range n {
		sum := 0.0
		for i := range n {
			sum += magnitude(a[i*n+j])
		}
		norm = max(norm, sum)
	}
	if math.IsNaN(norm) || math.IsInf(norm, 0) {
		return ErrNotConverged
	}
	squarings := 0
	if norm > theta13 {
		_, squarings = math.Frexp(norm / theta13)
		scale(a, math.Ldexp(1, -squarings))
	}
	product := func(x, y []T) []T {
		z := make([]T, n*n)
		multiply(n, n, n, x, y, z)
		return z
	}
	one := make([]T, n*n)
	identity(n, one)
	a2 := product(a, a)
	a4 := product(a2, a2)
	a6 := product(a4, a2)
	combine := func(c6, c4, c2, c0 float64) []T {
		z := make([]T, n*n)
		for i := range z {
			z[i] = times(a6[i], c6) + times(a4[i], c4) + times(a2[i], c2) + times(one[i], c0)
		}
		return z
	}
	sum := func(x, y []T) []T {
		for i := range x {
			x[i] += y[i]
		}
		return x
	}
	b := pade13
	odd := product(a, sum(product(a6, combine(b[13], b[11], b[9], 0)), combine(b[7], b[5], b[3], b[1])))
	even := sum(product(a6, combine(b[12], b[10], b[8], 0)), combine(b[6], b[4], b[2], b[0]))
	denominator := slices.Clone(even)
	for i := range denominator {
		denominator[i] -= odd[i]
	}
	result := sum(even, odd)
	if err := solve(n, n, denominator, result); err != nil {
		return err
	}
	for range squarings {
		result = product(result, result)
	}
	copy(a, result)
	return nil
}

func magnitude[T Number](v T) float64 {
	switch v := any(v).(type) {
	case float64:
		return math.Abs(v)
	case complex128:
		return cmplx.Abs(v)
	}
	return 0
}

func times[T Number](v T, f float64) T {
	switch w := any(v).(type) {
	case float64:
		return any(w * f).(T)
	case complex128:
		return any(complex(real(w)*f, imag(w)*f)).(T)
	}
	return v
}

func scale[T Number](a []T, f float64) {
	for i := range a {
		a[i] = times(a[i], f)
	}
}
