package arrays

import (
	"math"
	"math/cmplx"
)

// Complex numbers compute in complex128, rounded once for complex64.

// complexEach makes a loop of a function of package cmplx.
func complexEach[C complexNumber](f func(complex128) complex128) loop {
	return unary(each(func(z C) C { return C(f(complex128(z))) }))
}

func complexPair[C complexNumber](f func(x, y complex128) complex128) loop {
	return binary(eachPair(func(x, y C) C { return C(f(complex128(x), complex128(y))) }))
}

// complexPart makes a loop of a function with a real result, whose dtype is F.
func complexPart[C complexNumber, F float](f func(complex128) float64) loop {
	return unary(each(func(z C) F { return F(f(complex128(z))) }))
}

func complexTest[C complexNumber](f func(float64) bool, any bool) loop {
	return unary(each(func(z C) uint8 {
		r, i := f(real(complex128(z))), f(imag(complex128(z)))
		return bit(r && i || any && (r || i))
	}))
}

// complexLess compares by real parts, then by imaginary ones, and takes for a pair that is alike what same says; false
// where there is a NaN.
func complexLess[F float](same uint8) func(d []uint8, x, y []F) {
	return func(d []uint8, x, y []F) {
		x, y = x[:2*len(d)], y[:2*len(d)]
		for i := range d {
			a, b, c, e := x[2*i], x[2*i+1], y[2*i], y[2*i+1]
			numbers := bit(b == b) & bit(e == e)
			d[i] = bit(a < c)&numbers | bit(a == c)&(bit(b < e)|bit(b == e)&same)
		}
	}
}

func turned[T, R element](f func(d []R, x, y []T)) func(d []R, x, y []T) {
	return func(d []R, x, y []T) { f(d, y, x) }
}

// complexExtreme makes a loop of the smaller or larger of two numbers; of a NaN and a number it gives the NaN, or with
// skip the number.
func complexExtreme[C complexNumber](sign int, skip bool) loop {
	return binary(eachPair(func(x, y C) C {
		switch nx, ny := cmplxNaN(complex128(x)), cmplxNaN(complex128(y)); {
		case nx && skip && !ny:
			return y
		case nx, ny && skip:
			return x
		case ny:
			return y
		}
		if sign*compareComplex(complex128(x), complex128(y)) >= 0 {
			return x
		}
		return y
	}))
}

// absComplex is cmplx.Abs with each operation rounded on every machine: NaN where a part is and none is infinite.
func absComplex(z complex128) float64 {
	p, q := math.Abs(real(z)), math.Abs(imag(z))
	switch {
	case p > math.MaxFloat64 || q > math.MaxFloat64:
		return math.Inf(1)
	case cmplxNaN(z):
		return math.NaN()
	case p < q:
		p, q = q, p
	}
	if p == 0 {
		return 0
	}
	q /= p
	return p * math.Sqrt(1+float64(q*q))
}

func cmplxNaN(z complex128) bool { return real(z) != real(z) || imag(z) != imag(z) }

// compareComplex orders by real parts, then by imaginary ones, each with NaNs last.
func compareComplex(x, y complex128) int {
	if c := compareFloat(real(x), real(y)); c != 0 {
		return c
	}
	return compareFloat(imag(x), imag(y))
}

func compareFloat(x, y float64) int {
	switch {
	case x < y || y != y && x == x:
		return -1
	case x > y || x != x && y == y:
		return 1
	}
	return 0
}

// divComplex is Smith's algorithm, as NumPy has it; by zero each part is divided by zero.
func divComplex(x, y complex128) complex128 {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	switch {
	case c == 0 && d == 0:
		return complex(a/math.Abs(c), b/math.Abs(c))
	case math.Abs(c) >= math.Abs(d):
		r := d / c
		s := 1 / (c + float64(d*r))
		return complex((a+float64(b*r))*s, (b-float64(a*r))*s)
	}
	r := c / d
	s := 1 / (d + float64(c*r))
	return complex((float64(a*r)+b)*s, (float64(b*r)-a)*s)
}

// mulComplex has no rule for infinities: each part is what its formula gives.
func mulComplex(x, y complex128) complex128 {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	return complex(float64(a*c)-float64(b*d), float64(a*d)+float64(b*c))
}

// powComplex multiplies for small whole exponents, which is exact where the products are. Powers of 0 are NumPy's: 1, 0
// or NaN.
func powComplex(x, y complex128) complex128 {
	n := real(y)
	switch {
	case x != 0 || y == 0:
	case n > 0:
		return 0
	default:
		return cmplx.NaN()
	}
	if imag(y) != 0 || n != math.Trunc(n) || math.Abs(n) > 100 {
		return cmplx.Pow(x, y)
	}
	p := complex(1, 0)
	for e := int(math.Abs(n)); e > 0; e >>= 1 {
		if e&1 == 1 {
			p = mulComplex(p, x)
		}
		x = mulComplex(x, x)
	}
	if n < 0 {
		return divComplex(1, p)
	}
	return p
}

// logComplex keeps its digits where the absolute value is near 1.
func logComplex(z complex128) complex128 {
	x, y := math.Abs(real(z)), math.Abs(imag(z))
	if x < y {
		x, y = y, x
	}
	if x > 0.5 && x < 2 {
		return complex(math.Log1p(math.FMA(x-1, x+1, float64(y*y)))/2, cmplx.Phase(z))
	}
	return cmplx.Log(z)
}

func log1pComplex(z complex128) complex128 {
	x, y := real(z), imag(z)
	if math.Abs(x) < 0.5 && math.Abs(y) < 0.5 {
		return complex(math.Log1p(float64(x*(2+x))+float64(y*y))/2, math.Atan2(y, 1+x))
	}
	return logComplex(1 + z)
}

// expm1Complex is exp(z) - 1 without the loss of digits near 0.
func expm1Complex(z complex128) complex128 {
	if z == 0 || special(z) { // of -0 + 0i too it is 0 + 0i
		w := cmplx.Exp(z)
		return complex(real(w)-1, imag(w))
	}
	x, y := real(z), imag(z)
	half := math.Sin(y / 2)
	e := math.Expm1(x)
	return complex(float64(e*math.Cos(y))-float64(2*half*half), math.Exp(x)*math.Sin(y))
}

func exp2Complex(z complex128) complex128 {
	return cmplx.Exp(complex(real(z)*math.Ln2, imag(z)*math.Ln2))
}

// scaledLog makes a logarithm to another base.
func scaledLog(c float64) func(complex128) complex128 {
	return func(z complex128) complex128 {
		l := logComplex(z)
		return complex(real(l)*c, imag(l)*c)
	}
}

// signComplex is z/|z|, and 0 for 0.
func signComplex(z complex128) complex128 {
	n := absComplex(z)
	switch {
	case n == 0:
		return 0
	case math.IsInf(n, 0):
		if cmplxNaN(z) {
			return cmplx.NaN()
		}
		return signComplex(complex(infiniteSign(real(z)), infiniteSign(imag(z))))
	}
	return complex(real(z)/n, imag(z)/n)
}

// infiniteSign is ±1 for infinities and 0 for other numbers.
func infiniteSign(v float64) float64 {
	if math.IsInf(v, 0) {
		return math.Copysign(1, v)
	}
	return 0
}

func realPart(z complex128) float64 { return real(z) }
func imagPart(z complex128) float64 { return imag(z) }

func rintComplex(z complex128) complex128 {
	return complex(math.RoundToEven(real(z)), math.RoundToEven(imag(z)))
}
