package arrays

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
)

// Polynomials and their roots.

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
