package arrays

import (
	"math"
)

// Bartlett returns the triangle of n points that is 0 at both ends and 1 in the middle.
//
//mirror:copy
func Bartlett(n int) *Array {
	if n <= 1 {
		return Ones(max(n, 0))
	}
	j := Arange(1-n, n, 2).Div(n - 1)
	return Where(j.LessEqual(0), j.Add(1), Sub(1, j))
}

// Kaiser returns the window I0(beta*sqrt(1-t*t)) / I0(beta) of n points, t from -1 to 1: a rectangle for beta 0, near
// the Blackman window for 8.6.
//
//mirror:copy
func Kaiser(n int, beta float64) *Array {
	if n <= 1 {
		return Ones(max(n, 0))
	}
	half := float64(n-1) / 2
	t := Arange(n).Sub(half).Div(half)
	return I0(Sqrt(Sub(1, t.Square())).Mul(beta)).Div(I0(beta))
}

// I0 returns the modified Bessel function of the first kind and order 0 of real x.
//
//mirror:copy
func I0(x ArrayLike) *Array {
	a := must("i0", x)
	if !a.DType().IsFloat() {
		a = realFloats("i0", a).AsType(Float64)
	}
	a = Abs(a)
	near := chebyshev(a.Div(2).Sub(2), besselNear)
	far := chebyshev(Div(32, a).Sub(2), besselFar).Div(Sqrt(a))
	return Exp(a).Mul(Where(a.LessEqual(8), near, far)).AsType(a.DType())
}

// chebyshev is a series of Chebyshev polynomials at x/2, by Clenshaw's recurrence.
//
//mirror:copy
func chebyshev(x *Array, c []float64) *Array {
	b0, b1, b2 := FullLike(x, c[0]), ZerosLike(x), ZerosLike(x)
	for _, v := range c[1:] {
		b2, b1 = b1, b0
		b0 = x.Mul(b1).Sub(b2).Add(v)
	}
	return b0.Sub(b2).Mul(0.5)
}

// The series of Cephes' i0, as in NumPy, of exp(-x)*I0(x) up to 8 and of exp(-x)*sqrt(x)*I0(x) beyond.
//
//mirror:copy
var (
	besselNear = []float64{
		-4.4153416464793395e-18, 3.3307945188222384e-17, -2.431279846547955e-16, 1.715391285555133e-15,
		-1.1685332877993451e-14, 7.676185498604936e-14, -4.856446783111929e-13, 2.95505266312964e-12,
		-1.726826291441556e-11, 9.675809035373237e-11, -5.189795601635263e-10, 2.6598237246823866e-09,
		-1.300025009986248e-08, 6.046995022541919e-08, -2.670793853940612e-07, 1.1173875391201037e-06,
		-4.4167383584587505e-06, 1.6448448070728896e-05, -5.754195010082104e-05, 0.00018850288509584165,
		-0.0005763755745385824, 0.0016394756169413357, -0.004324309995050576, 0.010546460394594998,
		-0.02373741480589947, 0.04930528423967071, -0.09490109704804764, 0.17162090152220877,
		-0.3046826723431984, 0.6767952744094761,
	}
	besselFar = []float64{
		-7.233180487874754e-18, -4.830504485944182e-18, 4.46562142029676e-17, 3.461222867697461e-17,
		-2.8276239805165836e-16, -3.425485619677219e-16, 1.7725601330565263e-15, 3.8116806693526224e-15,
		-9.554846698828307e-15, -4.150569347287222e-14, 1.54008621752141e-14, 3.8527783827421426e-13,
		7.180124451383666e-13, -1.7941785315068062e-12, -1.3215811840447713e-11, -3.1499165279632416e-11,
		1.1889147107846439e-11, 4.94060238822497e-10, 3.3962320257083865e-09, 2.266668990498178e-08,
		2.0489185894690638e-07, 2.8913705208347567e-06, 6.889758346916825e-05, 0.0033691164782556943,
		0.8044904110141088,
	}
)

// Hanning returns the window 0.5 - 0.5·cos(2πj/(n-1)) of n points.
//
//mirror:copy
func Hanning(n int) *Array { return window(n, 0.5, 0.5, 0) }

// Hamming returns the window 0.54 - 0.46·cos(2πj/(n-1)) of n points.
//
//mirror:copy
func Hamming(n int) *Array { return window(n, 0.54, 0.46, 0) }

// Blackman returns the window 0.42 - 0.5·cos(2πj/(n-1)) + 0.08·cos(4πj/(n-1)) of n points.
//
//mirror:copy
func Blackman(n int) *Array { return window(n, 0.42, 0.5, 0.08) }

//mirror:copy
func window(n int, a, b, c float64) *Array {
	if n <= 1 {
		return Ones(max(n, 0))
	}
	j := Arange(1-n, n, 2).Mul(math.Pi / float64(n-1)) // from -π to π, so that both halves are the same
	return j.Cos().Mul(b).Add(a).Add(j.Mul(2).Cos().Mul(c))
}
