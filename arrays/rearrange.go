package arrays

import (
	"fmt"
	"slices"
)

// New arrays.

// ZerosLike returns zeros of the shape and dtype of x; of text, empty ones.
//
//mirror:copy
func ZerosLike(x ArrayLike) *Array {
	if a := must("zeros_like", x); a.DType().IsString() {
		return FullLike(a, "")
	}
	return FullLike(x, 0)
}

// OnesLike returns ones of the shape and dtype of x.
//
//mirror:copy
func OnesLike(x ArrayLike) *Array { return FullLike(x, 1) }

// FullLike returns an array of the shape and dtype of x, all of whose elements are value.
//
//mirror:copy
func FullLike(x, value ArrayLike) *Array {
	a := must("full_like", x)
	return BroadcastTo(assigned("full_like", value, a.DType()).AsType(a.DType()), a.Shape()...).Copy()
}

// Eye returns the n x n matrix with ones on the diagonal, as float64; with m it is n x m, with m and k the ones are k
// columns to the right.
//
//mirror:copy
func Eye(n int, mk ...int) *Array {
	return Equal(Arange(n).Reshape(n, 1).Add(oneOf("eye", mk, 1, 0)), Arange(oneOf("eye", mk, 0, n))).AsType(Float64)
}

// Diag returns the matrix that has the list x on its diagonal and zeros elsewhere, or the diagonal of a matrix x, as a
// view.
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
	return Where(rows.Eq(Arange(n)), a, ZerosLike(a))
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

// Logspace returns num values from 10 to the power start to 10 to the power stop, both included, evenly spaced on a log
// scale.
//
//mirror:copy
func Logspace(start, stop float64, num int) *Array { return Pow(10.0, Linspace(start, stop, num)) }

// Rearranged copies.

// VStack joins arrays along their first axis; lists become rows first.
//
//mirror:copy
func VStack(xs ...ArrayLike) *Array {
	xs = unlisted(xs)
	rows := make([]any, len(xs))
	for i, x := range xs {
		a := must("vstack", x)
		for a.NDim() < 2 {
			a = a.ExpandDims(0)
		}
		rows[i] = a
	}
	return Concat(0, rows...)
}

// HStack joins arrays along their second axis, lists along their only one.
//
//mirror:copy
func HStack(xs ...ArrayLike) *Array {
	xs = unlisted(xs)
	parts, axis := make([]any, len(xs)), 1
	for i, x := range xs {
		a := must("hstack", x)
		if a.NDim() == 0 {
			a = a.Reshape(1)
		}
		if i == 0 && a.NDim() == 1 {
			axis = 0
		}
		parts[i] = a
	}
	return Concat(axis, parts...)
}

// Repeat returns x with every element n times in a row along an axis, over the flattened array when none is named. n is
// an int, or []int of a number for each element.
//
//mirror:copy
func Repeat(x, n ArrayLike, axis ...AxisOption) *Array {
	const op = "repeat"
	axes := axesFrom(op, axis)
	a := must(op, x)
	if len(axes) == 0 {
		a = a.Reshape(-1)
	}
	k := axisFor(op, a, optional(op, "axes", axes, 0))
	switch n := n.(type) {
	case int:
		notNegative(op, n)
		b := a.MoveAxis(k, -1)
		shape := b.Shape()
		last := shape[len(shape)-1]
		b = BroadcastTo(b.ExpandDims(b.NDim()), append(slices.Clone(shape), n)...)
		return b.Reshape(append(shape[:len(shape)-1], last*n)...).MoveAxis(-1, k)
	case []int:
		if len(n) == 1 { // as a number
			return Repeat(a, n[0], k)
		}
		if size := a.Shape()[k]; len(n) != size {
			check(op, &Error{Shapes: [][]int{a.Shape(), {len(n)}}, Msg: fmt.Sprintf("there are %d numbers for the %d elements of axis %d", len(n), size, k)})
		}
		total := 0
		for _, times := range n {
			notNegative(op, times)
			total += times
		}
		places := make([]int, 0, total)
		for i, times := range n {
			for range times {
				places = append(places, i)
			}
		}
		return Take(a, FromSlice(places), k)
	}
	check(op, &Error{Msg: fmt.Sprintf("a %T says not how often; give an int, or []int of a number for each element", n)})
	return nil
}

// notNegative refuses n repetitions that are fewer than none.
//
//mirror:copy
func notNegative(op string, n int) {
	if n < 0 {
		check(op, &Error{Msg: fmt.Sprintf("%d repetitions cannot be made; use 0 or more", n)})
	}
}

// Tile returns x repeated as a whole: reps[i] times along axis i, aligned at the last axis.
//
//mirror:copy
func Tile(x ArrayLike, reps ...int) *Array {
	a := must("tile", x)
	for a.NDim() < len(reps) {
		a = a.ExpandDims(0)
	}
	for len(reps) < a.NDim() {
		reps = slices.Insert(slices.Clone(reps), 0, 1)
	}
	var apart, stretched, joined []int
	for axis, size := range a.Shape() {
		if reps[axis] < 0 {
			check("tile", &Error{Msg: fmt.Sprintf("%d repetitions cannot be made; use 0 or more", reps[axis])})
		}
		apart = append(apart, 1, size)
		stretched = append(stretched, reps[axis], size)
		joined = append(joined, reps[axis]*size)
	}
	return BroadcastTo(a.Reshape(apart...), stretched...).Reshape(joined...).Copy()
}

// Roll returns x with its elements moved by shift places along an axis, or along each of several, those that leave at
// one end coming in at the other; in C order over all elements when no axis is named.
//
//mirror:copy
func Roll(x ArrayLike, shift int, axis ...AxisOption) *Array {
	axes := axesFrom("roll", axis)
	a := must("roll", x)
	if len(axes) == 0 {
		return Roll(a.Reshape(-1), shift, 0).Reshape(a.Shape()...)
	}
	if len(axes) > 1 {
		a = Roll(a, shift, axes[1:])
	}
	k := axisFor("roll", a, axes[0])
	b := a.MoveAxis(k, 0)
	n := b.Len()
	if n == 0 {
		return a.Copy()
	}
	cut := ((-shift)%n + n) % n
	return Concat(0, b.At(From(cut)), b.At(To(cut))).MoveAxis(0, k)
}

// Take returns the elements of x at the given indices along an axis, over the flattened array when none is named.
//
//mirror:copy
func Take(x, indices ArrayLike, axis ...AxisOption) *Array {
	axes := axesFrom("take", axis)
	a := must("take", x)
	i := must("take", indices)
	if len(axes) == 0 {
		if a.NDim() != 1 {
			a = a.Reshape(-1)
		}
		return a.At(i)
	}
	return pickAlong(a, i, axisFor("take", a, optional("take", "axes", axes, 0)))
}
