package arrays

import (
	"math"
	"math/cmplx"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
)

// Inverse functions and tangents of complex numbers. Those of math/cmplx follow the textbook's formulas, which cancel
// (asinh of -6.7e7 is -Inf), overflow (tanh of 1000 is NaN) and lose the sign of zero on branch cuts. These are W.
// Kahan, "Branch Cuts for Complex Elementary Functions" (1987), with the bounds of CPython's cmathmodule.c. Angles are
// elementary.Atan2's: math.Atan2 gives the other side of the cut where y/x is too small for a float64.

const (
	largeComplex  = math.MaxFloat64 / 4 // from which squares and sums are avoided
	largeTanhReal = 354                 // from which cosh(x)^2 overflows
)

// sideways evaluates asin, atan and tan by what they are along the imaginary axis: f(iz)/i.
func sideways(f func(complex128) complex128, z complex128) complex128 {
	w := f(complex(-imag(z), real(z)))
	return complex(imag(w), -real(w))
}

func asinComplex(z complex128) complex128 { return sideways(asinhComplex, z) }
func atanComplex(z complex128) complex128 { return sideways(atanhComplex, z) }
func tanComplex(z complex128) complex128  { return sideways(tanhComplex, z) }

// logLarge is log(2|z|) of a large z.
func logLarge(z complex128) float64 {
	return math.Log(math.Hypot(real(z)/2, imag(z)/2)) + 2*math.Ln2
}

func isLarge(z complex128) bool {
	return math.Abs(real(z)) > largeComplex || math.Abs(imag(z)) > largeComplex
}

// special reports whether z has an infinity or NaN, where math/cmplx has the values of C99's annex G.
func special(z complex128) bool { return cmplx.IsInf(z) || cmplx.IsNaN(z) }

func asinhComplex(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case special(z):
		return cmplx.Asinh(z)
	case isLarge(z):
		return complex(math.Copysign(logLarge(z), x), elementary.Atan2(y, math.Abs(x)))
	}
	p, q := cmplx.Sqrt(complex(1+y, -x)), cmplx.Sqrt(complex(1-y, x))
	return complex(math.Asinh(real(p)*imag(q)-real(q)*imag(p)), elementary.Atan2(y, real(p)*real(q)-imag(p)*imag(q)))
}

func acosComplex(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case special(z):
		return cmplx.Acos(z)
	case isLarge(z):
		return complex(elementary.Atan2(math.Abs(y), x), -math.Copysign(logLarge(z), y))
	}
	p, q := cmplx.Sqrt(complex(1-x, -y)), cmplx.Sqrt(complex(1+x, y))
	return complex(2*elementary.Atan2(real(p), real(q)), math.Asinh(real(q)*imag(p)-imag(q)*real(p)))
}

func acoshComplex(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case special(z):
		return cmplx.Acosh(z)
	case isLarge(z):
		return complex(logLarge(z), elementary.Atan2(y, x))
	}
	p, q := cmplx.Sqrt(complex(x-1, y)), cmplx.Sqrt(complex(x+1, y))
	return complex(math.Asinh(real(p)*real(q)+imag(p)*imag(q)), 2*elementary.Atan2(imag(p), real(q)))
}

func atanhComplex(z complex128) complex128 {
	x, y := real(z), imag(z)
	if special(z) {
		return cmplx.Atanh(z)
	}
	if x < 0 || x == 0 && math.Signbit(x) {
		return -atanhComplex(-z)
	}
	const largeRoot, smallRoot = 0x1p511, 0x1p-511 // whose squares are near the ends of the range
	switch ay := math.Abs(y); {
	case x > largeRoot || ay > largeRoot:
		h := math.Hypot(x/2, y/2)
		return complex(x/4/h/h, math.Copysign(math.Pi/2, y))
	case x == 1 && ay == 0:
		return complex(math.Inf(1), y)
	case x == 1 && ay < smallRoot:
		return complex(-math.Log(math.Sqrt(ay)/math.Sqrt(math.Hypot(ay, 2))), math.Copysign(elementary.Atan2(2, -ay)/2, y))
	default:
		return complex(math.Log1p(4*x/((1-x)*(1-x)+ay*ay))/4, -elementary.Atan2(-2*y, (1-x)*(1+x)-ay*ay)/2)
	}
}

func tanhComplex(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case x == 0 && special(z):
		return complex(x, math.NaN())
	case special(z):
		return cmplx.Tanh(z)
	case math.Abs(x) > largeTanhReal:
		sin, cos := math.Sincos(y)
		return complex(math.Copysign(1, x), 4*sin*cos*math.Exp(-2*math.Abs(x)))
	}
	tx, ty, c := math.Tanh(x), math.Tan(y), 1/math.Cosh(x)
	product := tx * ty
	d := 1 + product*product
	return complex(tx*(1+ty*ty)/d, ty/d*c*c)
}
