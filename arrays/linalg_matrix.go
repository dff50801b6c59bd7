package arrays

import (
	"fmt"
	"math"
	"slices"
)

// Trace returns the sum of the diagonal of two axes of x, the first two when none are named (numpy.trace).
// Trace(x, -2, -1) is that of each matrix of a stack (numpy.linalg.trace).
//
//mirror:copy
func Trace(x ArrayLike, axes ...AxisOption) *Array {
	along := axesFrom("trace", axes)
	a := must("trace", x)
	if len(along) == 0 {
		along = []int{0, 1}
	}
	if a.NDim() < 2 {
		check("trace", &Error{Shapes: [][]int{a.Shape()}, Msg: "it takes 2 axes or more"})
	}
	if len(along) != 2 || axisFor("trace", a, along[0]) == axisFor("trace", a, along[1]) {
		check("trace", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("a diagonal has two axes, not those of %v; name two or none", along)})
	}
	first, last := axisFor("trace", a, along[0]), axisFor("trace", a, along[1])
	a = a.MoveAxis(last, -1)
	if first > last {
		first-- // where it is now
	}
	return a.MoveAxis(first, -2).Diagonal().Sum(Axis(-1))
}

// MultiDot returns the product of two matrices or more, in the order of multiplications that takes the fewest. The
// first may be a 1-D array, which is a row, and the last one too, which is a column.
//
//mirror:copy
func MultiDot(xs ...ArrayLike) *Array {
	xs = unlisted(xs)
	n := len(xs)
	if n < 2 {
		check("multi_dot", &Error{Msg: fmt.Sprintf("%d matrices are given; a product takes two or more", n)})
	}
	chain := make([]*Array, n)
	for i, x := range xs {
		chain[i] = must("multi_dot", x)
	}
	row, column := chain[0].NDim() == 1, chain[n-1].NDim() == 1
	if row {
		chain[0] = chain[0].ExpandDims(0)
	}
	if column {
		chain[n-1] = chain[n-1].ExpandDims(1)
	}
	sizes := make([]float64, n+1)
	for i, a := range chain {
		if a.NDim() != 2 {
			check("multi_dot", &Error{Shapes: [][]int{must("multi_dot", xs[i]).Shape()}, Msg: fmt.Sprintf("factor %d has shape %s; it takes matrices, and 1-D arrays at the ends", i, shapeString(a.Shape()))})
		}
		if i > 0 && a.Shape()[0] != chain[i-1].Shape()[1] {
			check("multi_dot", &Error{Shapes: [][]int{chain[i-1].Shape(), a.Shape()}, Msg: fmt.Sprintf(
				"shapes %s and %s do not go together; the columns of one are as many as the rows of the next", shapeString(chain[i-1].Shape()), shapeString(a.Shape()))})
		}
		sizes[i], sizes[i+1] = float64(a.Shape()[0]), float64(a.Shape()[1])
	}
	// cost[i][j] is the least for the factors i to j, cut[i][j] the last of those in the left half.
	cost, cut := make([][]float64, n), make([][]int, n)
	for i := range n {
		cost[i], cut[i] = make([]float64, n), make([]int, n)
	}
	for length := 1; length < n; length++ {
		for i := range n - length {
			j := i + length
			for k := i; k < j; k++ {
				c := cost[i][k] + cost[k+1][j] + sizes[i]*sizes[k+1]*sizes[j+1]
				if k == i || c < cost[i][j] {
					cost[i][j], cut[i][j] = c, k
				}
			}
		}
	}
	var product func(i, j int) *Array
	product = func(i, j int) *Array {
		if i == j {
			return chain[i]
		}
		return MatMul(product(i, cut[i][j]), product(cut[i][j]+1, j))
	}
	out := product(0, n-1)
	if column {
		out = out.At(All, 0)
	}
	if row {
		out = out.At(0)
	}
	return out.Copy()
}

// TensorSolve returns the x for which [TensorDot] of a and x, over all axes of x, is b: the first axes of a are those
// of b, the others those of x, and both have as many elements.
//
//mirror:copy
func TensorSolve(a, b ArrayLike) *Array {
	m, v := must("tensorsolve", a), must("tensorsolve", b)
	rest := m.Shape()[min(v.NDim(), m.NDim()):]
	n := 1
	for _, size := range rest {
		n *= size
	}
	if !slices.Equal(m.Shape()[:min(v.NDim(), m.NDim())], v.Shape()) || n != v.Size() {
		check("tensorsolve", &Error{Shapes: [][]int{m.Shape(), v.Shape()}, Msg: fmt.Sprintf(
			"shapes %s and %s do not make a system of equations; the first must begin with the second, and the rest of it have %d elements", shapeString(m.Shape()), shapeString(v.Shape()), v.Size())})
	}
	return Solve(m.Reshape(n, n), v.Reshape(-1)).Reshape(rest...)
}

// TensorInv returns the inverse of x for [TensorDot] over so many axes, 2 when none are given: the first axes of x,
// which have as many elements together as the others, become its last.
//
//mirror:copy
func TensorInv(x ArrayLike, axes ...int) *Array {
	a, k := must("tensorinv", x), optional("tensorinv", "numbers of axes", axes, 2)
	n, m := 1, 1
	for i, size := range a.Shape() {
		if i < k {
			n *= size
		} else {
			m *= size
		}
	}
	if k < 1 || k > a.NDim() || n != m {
		check("tensorinv", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("the first %d axes of shape %s must have as many elements together as the others", k, shapeString(a.Shape()))})
	}
	return Inv(a.Reshape(n, n)).Reshape(slices.Concat(a.Shape()[k:], a.Shape()[:k])...)
}

// MatrixPower returns x·x·... (n times) of square matrices: the identity for 0, powers of the inverse for negative n.
//
//mirror:copy
func MatrixPower(x ArrayLike, n int) *Array {
	a := must("matrix_power", x)
	shape := a.Shape()
	if len(shape) < 2 || shape[len(shape)-1] != shape[len(shape)-2] {
		check("matrix_power", &Error{Shapes: [][]int{shape}, Msg: fmt.Sprintf("matrices of shape %s have no powers; they must be square: the last two axes equal", shapeString(shape))})
	}
	if n < 0 {
		if n == math.MinInt {
			check("matrix_power", &Error{Msg: "the power is too far below 0"})
		}
		a, n = Inv(a), -n
	}
	if n == 0 {
		return BroadcastTo(Eye(shape[len(shape)-1]).AsType(a.DType()), shape...).Copy()
	}
	var out *Array
	for ; n > 0; n >>= 1 {
		switch {
		case n&1 == 0:
		case out == nil:
			out = a
		default:
			out = MatMul(out, a)
		}
		if n > 1 {
			a = MatMul(a, a)
		}
	}
	return out
}

// MatrixRank returns how many singular values of matrices are above rtol times the largest; without rtol that is the
// precision of the dtype times the longer side.
//
//mirror:copy
func MatrixRank(x ArrayLike, rtol ...float64) *Array {
	a := must("matrix_rank", x)
	atMost("matrix_rank", "tolerances", rtol, 1)
	if a.NDim() < 2 {
		return a.NotEqual(0).AnyTrue().AsType(Int64)
	}
	s := SVDVals(a)
	epsilon := 0x1p-52
	if s.DType() == Float32 {
		epsilon = 0x1p-23
	}
	shape := a.Shape()
	cut := optional("matrix_rank", "tolerances", rtol, epsilon*float64(max(shape[len(shape)-1], shape[len(shape)-2])))
	if s.Shape()[s.NDim()-1] == 0 {
		return Sum(s, Axis(-1)).AsType(Int64)
	}
	return Sum(s.Greater(Max(s, Axis(-1), KeepDims()).Mul(cut)), Axis(-1))
}

// Cond returns the condition numbers of matrices: the largest singular value by the smallest, or for an ord of
// [MatrixNorm] the norm times that of the inverse, Inf of singular ones.
//
//mirror:copy
func Cond(x ArrayLike, ord ...any) *Array {
	a := must("cond", x)
	atMost("cond", "orders", ord, 1)
	if len(ord) == 0 || ord[0] == nil {
		ord = []any{2}
	}
	orderOfNorm("cond", ord[0])
	if p, ok := ord[0].(int); ok && (p == 2 || p == -2) {
		s := SVDVals(a)
		first, last := 0, -1
		if p == -2 {
			first, last = -1, 0
		}
		r := s.At(Dots, first).Div(s.At(Dots, last))
		return Where(IsNaN(r), math.Inf(1), r) // of zeros alone
	}
	sign, _ := SLogDet(a)
	singular := Equal(sign, 0)
	n := a.Shape()[a.NDim()-1]
	inverse := Inv(Where(singular.ExpandDims(-1).ExpandDims(-1), Eye(n).AsType(a.DType()), a))
	return Where(singular, math.Inf(1), MatrixNorm(a, ord[0]).Mul(MatrixNorm(inverse, ord[0])))
}
