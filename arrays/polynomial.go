package arrays

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
)

// Polynomials are lists of coefficients, the highest power first.

// PolyVal returns the polynomial with the given coefficients, the highest power first, at x (Horner's scheme).
//
//mirror:copy
func PolyVal(coefficients []float64, x ArrayLike) *Array {
	a := must("polyval", x)
	y := ZerosLike(a).AsType(Promote(a.DType(), Float64))
	for i, c := range coefficients {
		if i%(1<<10) == 0 { // there may be a million
			poll()
		}
		y = y.Mul(a).Add(c)
	}
	return y
}

// PolyFit returns the coefficients of the polynomial of a degree that is nearest to the points (x, y), in the sum of
// squares.
//
//mirror:copy
func PolyFit(x, y ArrayLike, degree int) *Array {
	a, b := must("polyfit", x), must("polyfit", y)
	if degree < 0 || a.NDim() != 1 || b.NDim() == 0 || b.Len() != a.Len() || a.Len() == 0 {
		check("polyfit", &Error{Shapes: [][]int{a.Shape(), b.Shape()}, Msg: fmt.Sprintf("a polynomial of degree %d does not fit points of shapes %s and %s; x and y are 1-D arrays of the same length", degree, shapeString(a.Shape()), shapeString(b.Shape()))})
	}
	takesWhole("polyfit", a)
	v := Vander(a, degree+1)
	scale := Sqrt(Sum(v.Square(), Axis(0)))
	c, _, _, _ := LstSq(v.Div(scale), b, float64(a.Len())*0x1p-52)
	if c.NDim() > 1 {
		scale = scale.Reshape(-1, 1)
	}
	return c.Div(scale)
}

// PolyAdd returns the sum of two polynomials.
//
//mirror:copy
func PolyAdd(p, q ArrayLike) *Array {
	a, b := evenly("polyadd", p, q)
	return a.Add(b)
}

// PolySub returns the first of two polynomials less the second.
//
//mirror:copy
func PolySub(p, q ArrayLike) *Array {
	a, b := evenly("polysub", p, q)
	return a.Sub(b)
}

// evenly returns polynomials with zeros before the shorter.
//
//mirror:copy
func evenly(op string, p, q any) (a, b *Array) {
	a, b = must(op, p), must(op, q)
	n := max(a.Size(), b.Size())
	return Pad(a, []int{n - a.Size()}, []int{0}, 0), Pad(b, []int{n - b.Size()}, []int{0}, 0)
}

// PolyMul returns the product of two polynomials.
//
//mirror:copy
func PolyMul(p, q ArrayLike) *Array { return Convolve(p, q) }

// PolyDer returns the derivative of a polynomial.
//
//mirror:copy
func PolyDer(p ArrayLike) *Array {
	a := must("polyder", p)
	n := a.Size()
	return a.At(To(max(n-1, 0))).Mul(Arange(n-1, 0, -1))
}

// PolyInt returns the integral of a polynomial that is 0 at 0.
//
//mirror:copy
func PolyInt(p ArrayLike) *Array {
	a := must("polyint", p)
	return Concat(0, a.Div(Arange(a.Size(), 0, -1)), Zeros(1))
}

// Roots returns the roots of a polynomial, whose coefficients have the highest power first, as complex numbers in no
// particular order: the eigenvalues of its companion matrix.
//
//mirror:host
func Roots(p ArrayLike) *Array {
	a := listOf("roots", p)
	there := FlatNonZero(a).Ints()
	if len(there) == 0 {
		return New(Complex128, 0)
	}
	zeros := a.Len() - 1 - there[len(there)-1]
	a = a.At(S(there[0], a.Len()-zeros))
	if !a.DType().IsInexact() {
		a = a.AsType(Float64)
	}
	n := a.Len() - 1
	companion := Eye(n, n, -1).AsType(a.DType())
	if n > 0 {
		companion.Set(a.At(From(1)).Div(a.At(0)).Neg(), 0)
	}
	found := EigVals(companion)
	return Concat(0, found, New(found.DType(), zeros))
}

// Poly returns the coefficients, the highest power first, of the polynomial with given roots and 1 before its highest
// power; of a square matrix its characteristic polynomial. Complex roots that are all in conjugate pairs give floats.
//
//mirror:host
func Poly(roots ArrayLike) *Array {
	a := AtLeast1D(must("poly", roots))
	d := a.DType()
	if a.NDim() == 2 && a.Shape()[0] == a.Shape()[1] {
		a = EigVals(a)
	}
	a = listOf("poly", a)
	if a.Size() == 0 {
		return Ones(1)
	}
	zeros := a.Complex128s()
	c := []complex128{1}
	var work poller
	for _, z := range zeros {
		work.did(4 * len(c))
		c = append(c, 0)
		for i := len(c) - 1; i > 0; i-- {
			c[i] -= z * c[i-1]
		}
	}
	out := FromSlice(c)
	if d.IsComplex() && !conjugates(zeros) {
		return out.AsType(d)
	}
	if out = Real(out); d == Float32 || d == Complex64 {
		return out.AsType(Float32)
	}
	return out
}

// conjugates reports whether the conjugates of zs are the same numbers.
func conjugates(zs []complex128) bool {
	a := FromSlice(zs)
	return ArrayEqual(Sort(a), Sort(Conj(a)))
}

// PolyDiv returns the quotient of two polynomials, whose coefficients have the highest power first, and what remains.
//
//mirror:host
func PolyDiv(p, q ArrayLike) (quotient, remainder *Array) {
	a, b := listOf("polydiv", p), listOf("polydiv", q)
	d := ResultType(a, b)
	if !d.IsInexact() {
		d = Float64
	}
	if a.Size() == 0 || b.Size() == 0 {
		check("polydiv", &Error{Shapes: [][]int{a.Shape(), b.Shape()}, Msg: "a polynomial has one coefficient or more"})
	}
	if d.IsComplex() {
		quotient, remainder = polyDivide(a.Complex128s(), b.Complex128s(), cmplx.Abs)
	} else {
		quotient, remainder = polyDivide(a.Float64s(), b.Float64s(), math.Abs)
	}
	return quotient.AsType(d), remainder.AsType(d)
}

func polyDivide[T float64 | complex128](p, q []T, abs func(T) float64) (quotient, remainder *Array) {
	out, rest := make([]T, max(len(p)-len(q)+1, 1)), slices.Clone(p)
	scale := 1 / q[0]
	var work poller
	for k := range len(p) - len(q) + 1 {
		work.did(len(q))
		f := scale * rest[k]
		out[k] = f
		for i, c := range q {
			rest[k+i] -= T(f * c) // rounded before it is subtracted, on every machine
		}
	}
	for len(rest) > 1 && abs(rest[0]) <= 1e-8 { // NumPy's allclose to 0
		rest = rest[1:]
	}
	return FromSlice(out), FromSlice(rest)
}

// listOf returns a number or a list as a list.
func listOf(op string, x any) *Array {
	a := AtLeast1D(must(op, x))
	if a.NDim() != 1 {
		check(op, &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("shape %s is not 1-D", shapeString(a.layout.Shape))})
	}
	return a
}
