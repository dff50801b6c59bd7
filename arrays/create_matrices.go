package arrays

import (
	"fmt"
)

// Vander returns the powers of a 1-D array as columns, the highest first: n columns, or as many as elements.
//
//mirror:copy
func Vander(x ArrayLike, n ...int) *Array {
	a := must("vander", x)
	if a.NDim() != 1 {
		check("vander", &Error{Shapes: [][]int{a.Shape()}, Msg: "it takes a 1-D array"})
	}
	if !a.DType().IsInexact() {
		a = a.AsType(Float64)
	}
	columns := optional("vander", "numbers of columns", n, a.Len())
	if columns < 0 {
		check("vander", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("%d columns cannot be made; n is 0 or more", columns)})
	}
	powers := make([]any, columns)
	p := OnesLike(a)
	for k := columns - 1; k >= 0; k-- {
		powers[k] = p
		p = p.Mul(a)
	}
	if columns == 0 {
		return BroadcastTo(a.Reshape(-1, 1), a.Len(), 1).At(All, To(0))
	}
	return Stack(1, powers...)
}

// Tri returns the n x n matrix with ones on and below the diagonal, as float64; with m it is n x m, with m and k the
// ones go up to the k-th diagonal.
//
//mirror:copy
func Tri(n int, mk ...int) *Array {
	return lowerMask("tri", n, oneOf("tri", mk, 0, n), oneOf("tri", mk, 1, 0)).AsType(Float64)
}

// lowerMask is where a column of an n x m matrix is at most k to the right of the diagonal.
//
//mirror:copy
func lowerMask(op string, n, m, k int) *Array {
	if n < 0 || m < 0 {
		check(op, &Error{Msg: fmt.Sprintf("there is no matrix of shape %s; sizes are 0 or more", shapeString([]int{n, m}))})
	}
	return GreaterEqual(Arange(n).Reshape(n, 1).Add(k), Arange(m))
}

// TrilIndices returns the rows and columns of the elements on and below the diagonal of an n x n matrix; with k up to
// the k-th diagonal, with k and m of an n x m matrix. x.At(TrilIndices(n)) are those elements of x.
//
//mirror:copy
func TrilIndices(n int, km ...int) (rows, columns *Array) {
	at := NonZero(lowerMask("tril_indices", n, oneOf("tril_indices", km, 1, n), oneOf("tril_indices", km, 0, 0)))
	return at[0], at[1]
}

// TriuIndices is [TrilIndices] of the elements on and above the diagonal, or the k-th.
//
//mirror:copy
func TriuIndices(n int, km ...int) (rows, columns *Array) {
	at := NonZero(LogicalNot(lowerMask("triu_indices", n, oneOf("triu_indices", km, 1, n), oneOf("triu_indices", km, 0, 0)-1)))
	return at[0], at[1]
}

// oneOf is number i of the up to two that op was given, or what stands for none.
//
//mirror:copy
func oneOf(op string, v []int, i, none int) int {
	atMost(op, "numbers", v, 2)
	if i < len(v) {
		return v[i]
	}
	return none
}

// DiagFlat returns the matrix that has the elements of x on its diagonal, or on the k-th, and zeros elsewhere.
//
//mirror:copy
func DiagFlat(x ArrayLike, k ...int) *Array {
	a := must("diagflat", x)
	at := optional("diagflat", "diagonals", k, 0)
	below, right := max(-at, 0), max(at, 0)
	zero := any(0)
	if a.DType().IsString() {
		zero = ""
	}
	return Pad(Diag(a.Reshape(-1)), []int{below, right}, []int{right, below}, zero)
}

// FillDiagonal assigns value, a number or a 1-D array, to the diagonal of x: a matrix, or an array whose axes have one
// size.
//
//mirror:copy
func FillDiagonal(x *Array, value ArrayLike) {
	needAxes("fill_diagonal", x, 2)
	shape := x.Shape()
	if len(shape) == 2 {
		x.Diagonal().Set(value)
		return
	}
	idx := make([]any, len(shape))
	for k, n := range shape {
		if n != shape[0] {
			check("fill_diagonal", &Error{Shapes: [][]int{shape}, Msg: fmt.Sprintf("shape %s has no diagonal; more than two axes have one size", shapeString(shape))})
		}
		idx[k] = Arange(n)
	}
	x.Set(value, idx...)
}

// Eye returns the n x n matrix with ones on the diagonal, as float64; with m it is n x m, with m and k the ones are k
// columns to the right.
//
//mirror:copy
func Eye(n int, mk ...int) *Array {
	return Equal(Arange(n).Reshape(n, 1).Add(oneOf("eye", mk, 1, 0)), Arange(oneOf("eye", mk, 0, n))).AsType(Float64)
}

// Diag returns the matrix that has the 1-D array x on its diagonal and zeros elsewhere, or the diagonal of a matrix x,
// as a view.
//
//mirror:copy
func Diag(x ArrayLike) *Array {
	a := must("diag", x)
	if a.NDim() == 2 {
		return a.Diagonal()
	}
	n := a.Size()
	if a.NDim() != 1 {
		check("diag", &Error{Shapes: [][]int{a.Shape()}, Msg: "diag takes a 1-D array or a matrix; for more axes use Diagonal"})
	}
	rows := Arange(n).Reshape(n, 1)
	return Where(rows.Equal(Arange(n)), a, ZerosLike(a))
}

// Tril returns x with zeros above the diagonal of its last two axes, or above the k-th.
//
//mirror:copy
func Tril(x ArrayLike, k ...int) *Array {
	a := must("tril", x)
	return Where(lower("tril", a, optional("tril", "diagonals", k, 0)), a, ZerosLike(a))
}

// Triu returns x with zeros below the diagonal of its last two axes, or below the k-th.
//
//mirror:copy
func Triu(x ArrayLike, k ...int) *Array {
	a := must("triu", x)
	return Where(lower("triu", a, optional("triu", "diagonals", k, 0)-1), ZerosLike(a), a)
}

// lower is where a column is at most k to the right of the diagonal.
//
//mirror:copy
func lower(op string, a *Array, k int) *Array {
	if a.NDim() < 2 {
		check(op, &Error{Shapes: [][]int{a.Shape()}, Msg: "a triangle is of a matrix; the array has fewer than two axes"})
	}
	s := a.Shape()
	rows, cols := s[len(s)-2], s[len(s)-1]
	return GreaterEqual(Arange(rows).Reshape(rows, 1).Add(k), Arange(cols))
}
