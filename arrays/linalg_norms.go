package arrays

import (
	"fmt"
	"math"
)

// Norm returns the Euclidean norm of x: the square root of the sum of squares, along one axis or over all elements.
//
//mirror:copy
func Norm(x ArrayLike, axis ...AxisOption) *Array {
	axes := axesFrom("norm", axis)
	a := must("norm", x)
	switch d := a.DType(); {
	case d.IsComplex():
		a = Abs(a)
	case !d.IsFloat():
		a = a.AsType(Float64)
	}
	if len(axes) == 0 {
		return Sqrt(Sum(a.Square()))
	}
	for _, k := range axes {
		axisFor("norm", a, k)
	}
	return Sqrt(Sum(a.Square(), Axis(axes...)))
}

// VectorNorm returns the norm of order ord along axes, or of all elements: (Σ|x|^ord)^(1/ord), the largest |x|
// for +Inf, the smallest for -Inf, how many are not 0 for 0.
//
//mirror:copy
func VectorNorm(x ArrayLike, ord float64, opts ...ReduceOption) *Array {
	a := must("vector_norm", x)
	if !a.DType().IsInexact() {
		a = a.AsType(Float64)
	}
	size := Abs(a)
	switch {
	case math.IsInf(ord, 1):
		return Max(size, opts...)
	case math.IsInf(ord, -1):
		return Min(size, opts...)
	case ord == 0:
		return Sum(size.NotEqual(0), opts...).AsType(size.DType())
	case ord == 1:
		return Sum(size, opts...)
	case ord == 2:
		return Sqrt(Sum(size.Square(), opts...))
	}
	return Pow(Sum(size.Pow(ord), opts...), 1/ord)
}

// MatrixNorm returns the norms of matrices, those of the last two axes: for ord "fro" the root of the sum of squares,
// "nuc" the sum of the singular values, 1 and -1 the largest and smallest sum of a column's absolute values, +Inf
// and -Inf that of a row, 2 and -2 the largest and smallest singular value.
//
//mirror:copy
func MatrixNorm(x ArrayLike, ord any) *Array {
	a := must("matrix_norm", x)
	if a.NDim() < 2 {
		check("matrix_norm", &Error{Shapes: [][]int{a.Shape()}, Msg: "it takes 2 axes or more; VectorNorm takes 1-D arrays"})
	}
	if !a.DType().IsInexact() {
		a = a.AsType(Float64)
	}
	switch ord {
	case "fro":
		return VectorNorm(a, 2, Axis(-2, -1))
	case "nuc":
		return Sum(SVDVals(a), Axis(-1))
	}
	switch p := orderOfNorm("matrix_norm", ord); p {
	case 1, -1, math.Inf(1), math.Inf(-1):
		lines := Sum(Abs(a), Axis(-2))
		if math.IsInf(p, 0) {
			lines = Sum(Abs(a), Axis(-1))
		}
		if p > 0 {
			return Max(lines, Axis(-1))
		}
		return Min(lines, Axis(-1))
	case 2:
		return Max(SVDVals(a), Axis(-1))
	default:
		return Min(SVDVals(a), Axis(-1))
	}
}

// orderOfNorm is the number that an order of [MatrixNorm] is, NaN of a name. It refuses all others.
//
//mirror:copy
func orderOfNorm(op string, ord any) float64 {
	p := math.NaN()
	switch v := ord.(type) {
	case string:
		if v == "fro" || v == "nuc" {
			return p
		}
	case int:
		p = float64(v)
	case float64:
		p = v
	}
	if abs := math.Abs(p); !(abs == 1 || abs == 2 || math.IsInf(p, 0)) {
		check(op, &Error{Msg: fmt.Sprintf("there is no norm %v of matrices; use \"fro\", \"nuc\", 1, -1, 2, -2 or an infinity", ord)})
	}
	return p
}
