package arrays

import (
	"fmt"
	"slices"
)

// VDot returns the sum of conj(x)*y over the elements of both, in C order.
//
//mirror:copy
func VDot(x, y ArrayLike) *Array {
	a, b := must("vdot", x).Reshape(-1), must("vdot", y).Reshape(-1)
	if a.Size() != b.Size() {
		check("vdot", &Error{Shapes: [][]int{must("vdot", x).Shape(), must("vdot", y).Shape()}, Msg: fmt.Sprintf("%d and %d elements do not go in pairs", a.Size(), b.Size())})
	}
	return VecDot(a, b)
}

// MultiDot returns the product of two matrices or more, in the order of multiplications that takes the fewest. The
// first may be a list, which is a row, and the last a list, which is a column.
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
			"shapes %s and %s make no system; the first begins with the second, and the rest of it has %d elements", shapeString(m.Shape()), shapeString(v.Shape()), v.Size())})
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
		check("tensorinv", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("%d axes of shape %s have not as many elements as the others", k, shapeString(a.Shape()))})
	}
	return Inv(a.Reshape(n, n)).Reshape(slices.Concat(a.Shape()[k:], a.Shape()[:k])...)
}
