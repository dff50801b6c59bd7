package arrays

//mirror:copy

import (
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"
)

// The functions below are made of other functions of the package, here and in package lazy alike.

// Views.

// Flip returns a view with the order along the axes reversed, along all when none are named.
func Flip(x any, axes ...int) *Array { return must("flip", x).Flip(axes...) }

// Flip returns a view with the order along the axes reversed, along all when none are named.
func (a *Array) Flip(axes ...int) *Array { return a.viewed(a.layout.Flip(axes...)) }

// Squeeze returns a view without the named axes, which must have size 1; without all such axes when none are named.
func (a *Array) Squeeze(axes ...int) *Array { return a.viewed(a.layout.Squeeze(axes...)) }

// ExpandDims returns a view with a new axis of size 1 at the given place.
func (a *Array) ExpandDims(axis int) *Array { return a.viewed(a.layout.ExpandDims(axis)) }

// MoveAxis returns a view with one axis at another place; the others keep their order.
func (a *Array) MoveAxis(from, to int) *Array { return a.viewed(a.layout.MoveAxis(from, to)) }

// SwapAxes returns a view with two axes exchanged.
func (a *Array) SwapAxes(i, j int) *Array { return a.viewed(a.layout.SwapAxes(i, j)) }

// Diagonal returns a view of the elements of the last two axes at places (i, i), or (i, i+k) when k is given.
func (a *Array) Diagonal(k ...int) *Array { return a.viewed(a.layout.Diagonal(optional(k, 0))) }

// BroadcastTo returns x stretched to shape without a copy. It is for reading: Set refuses it.
func BroadcastTo(x any, shape ...int) *Array {
	a := must("broadcast_to", x)
	return a.viewed(a.layout.BroadcastTo(shape))
}

// Ravel returns the elements in C order along one axis: a view where strides allow it, else a copy.
func (a *Array) Ravel() *Array { return a.Reshape(-1) }

// Flatten returns a copy of the elements in C order along one axis.
func (a *Array) Flatten() *Array { return a.Copy().Reshape(-1) }

// Split cuts x along an axis before each of the given indices, into views; the first begins at 0.
func Split(x any, axis int, indices ...int) []*Array {
	a := must("split", x)
	n := a.MoveAxis(axis, 0).Len()
	out, lo := []*Array{}, 0
	for _, hi := range append(slices.Clone(indices), n) {
		out = append(out, a.MoveAxis(axis, 0).At(S(lo, hi)).MoveAxis(0, axis))
		lo = hi
	}
	return out
}

// ArraySplit cuts x along an axis into n views, of which the first are one longer where the size does not divide.
func ArraySplit(x any, n, axis int) []*Array {
	a := must("array_split", x)
	if n < 1 {
		check("array_split", &Error{Msg: fmt.Sprintf("%d parts cannot be made; use 1 or more", n)})
	}
	size := a.MoveAxis(axis, 0).Len()
	var cuts []int
	at := 0
	for i := range n - 1 {
		at += size / n
		if i < size%n {
			at++
		}
		cuts = append(cuts, at)
	}
	return Split(a, axis, cuts...)
}

// Meshgrid returns a grid of coordinates for each of the lists xs, of the shape that their lengths make: the first list goes
// along the first axis (indexing="ij"). The arrays are views.
func Meshgrid(xs ...any) []*Array {
	lists, shape := make([]*Array, len(xs)), make([]int, len(xs))
	for i, x := range xs {
		lists[i] = must("meshgrid", x).Reshape(-1)
		shape[i] = lists[i].Len()
	}
	out := make([]*Array, len(xs))
	for i, a := range lists {
		idx := make([]any, len(xs))
		for k := range idx {
			idx[k] = NewAxis
		}
		idx[i] = All
		out[i] = BroadcastTo(a.At(idx...), shape...)
	}
	return out
}

// Rows returns the parts of a along its first axis with their indices, as views, for range loops. It panics with *Error when a
// is 0-d.
func (a *Array) Rows() iter.Seq2[int, *Array] {
	n := a.Len()
	return func(yield func(int, *Array) bool) {
		for i := range n {
			if !yield(i, a.At(i)) {
				return
			}
		}
	}
}

// New arrays.

// ZerosLike returns zeros of the shape and dtype of x.
func ZerosLike(x any) *Array { return FullLike(x, 0) }

// OnesLike returns ones of the shape and dtype of x.
func OnesLike(x any) *Array { return FullLike(x, 1) }

// FullLike returns an array of the shape and dtype of x, all of whose elements are value.
func FullLike(x, value any) *Array {
	a := must("full_like", x)
	return BroadcastTo(Scalar(value).AsType(a.DType()), a.Shape()...).Copy()
}

// Eye returns the n x n matrix with ones on the diagonal, as float64; with m it is n x m, with m and k the ones are k columns
// to the right.
func Eye(n int, mk ...int) *Array {
	m, k := n, 0
	if len(mk) > 0 {
		m = mk[0]
	}
	if len(mk) > 1 {
		k = mk[1]
	}
	return Equal(Arange(n).Reshape(n, 1).Add(k), Arange(m)).AsType(Float64)
}

// Diag returns the matrix that has the list x on its diagonal and zeros elsewhere, or the diagonal of a matrix x, as a view.
func Diag(x any) *Array {
	a := must("diag", x)
	if a.NDim() == 2 {
		return a.Diagonal()
	}
	n := a.Size()
	if a.NDim() != 1 {
		check("diag", &Error{Shapes: [][]int{a.Shape()}, Msg: "diag takes a list or a matrix; for more axes use Diagonal"})
	}
	rows := Arange(n).Reshape(n, 1)
	return Where(rows.Eq(Arange(n)), a, ZerosLike(a))
}

// Tril returns x with zeros above the diagonal of its last two axes, or above the k-th.
func Tril(x any, k ...int) *Array {
	a := must("tril", x)
	return Where(lower(a, optional(k, 0)), a, ZerosLike(a))
}

// Triu returns x with zeros below the diagonal of its last two axes, or below the k-th.
func Triu(x any, k ...int) *Array {
	a := must("triu", x)
	return Where(lower(a, optional(k, 0)-1), ZerosLike(a), a)
}

// lower is where a column is at most k to the right of the diagonal.
func lower(a *Array, k int) *Array {
	if a.NDim() < 2 {
		check("tril", &Error{Shapes: [][]int{a.Shape()}, Msg: "a triangle is of a matrix; the array has fewer than two axes"})
	}
	s := a.Shape()
	rows, cols := s[len(s)-2], s[len(s)-1]
	return GreaterEqual(Arange(rows).Reshape(rows, 1).Add(k), Arange(cols))
}

// Logspace returns num values from 10 to the power start to 10 to the power stop, both included, evenly spaced on a log scale.
func Logspace(start, stop float64, num int) *Array { return Pow(10.0, Linspace(start, stop, num)) }

// Rearranged copies.

// VStack joins arrays along their first axis; lists become rows first.
func VStack(xs ...any) *Array {
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
func HStack(xs ...any) *Array {
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

// Repeat returns x with every element n times in a row along an axis, over the flattened array when none is named.
func Repeat(x any, n int, axis ...int) *Array {
	a := must("repeat", x)
	if n < 0 {
		check("repeat", &Error{Msg: fmt.Sprintf("%d repetitions cannot be made; use 0 or more", n)})
	}
	if len(axis) == 0 {
		a, axis = a.Reshape(-1), []int{0}
	}
	b := a.MoveAxis(axis[0], -1)
	shape := b.Shape()
	last := shape[len(shape)-1]
	b = BroadcastTo(b.ExpandDims(b.NDim()), append(slices.Clone(shape), n)...)
	return b.Reshape(append(shape[:len(shape)-1], last*n)...).MoveAxis(-1, axis[0])
}

// Tile returns x repeated as a whole: reps[i] times along axis i, aligned at the last axis.
func Tile(x any, reps ...int) *Array {
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

// Roll returns x with its elements moved by shift places along an axis, those that leave at one end coming in at the other;
// in C order over all elements when no axis is named.
func Roll(x any, shift int, axis ...int) *Array {
	a := must("roll", x)
	if len(axis) == 0 {
		return Roll(a.Reshape(-1), shift, 0).Reshape(a.Shape()...)
	}
	b := a.MoveAxis(axis[0], 0)
	n := b.Len()
	if n == 0 {
		return a.Copy()
	}
	cut := ((-shift)%n + n) % n
	return Concat(0, b.At(From(cut)), b.At(To(cut))).MoveAxis(0, axis[0])
}

// Pad returns x with a border of value: before[i] and after[i] places along axis i, or one number for all axes.
func Pad(x any, before, after []int, value any) *Array {
	a := must("pad", x)
	n := a.NDim()
	wide := func(w []int) []int {
		if len(w) == 1 {
			w = slices.Repeat(w, n)
		}
		if len(w) != n || slices.ContainsFunc(w, func(v int) bool { return v < 0 }) {
			check("pad", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("the widths %v do not fit shape %v; give one number of 0 or more for each axis, or one for all", w, a.Shape())})
		}
		return w
	}
	before, after = wide(before), wide(after)
	shape, inside := a.Shape(), make([]any, n)
	for axis := range shape {
		inside[axis] = S(before[axis], before[axis]+shape[axis])
		shape[axis] += before[axis] + after[axis]
	}
	out := BroadcastTo(Scalar(value).AsType(a.DType()), shape...).Copy()
	out.Set(a, inside...)
	return out
}

// Take returns the elements of x at the given indices along an axis, over the flattened array when none is named.
func Take(x, indices any, axis ...int) *Array {
	a := must("take", x)
	i := must("take", indices)
	if len(axis) == 0 {
		return a.Reshape(-1).At(i)
	}
	idx := make([]any, a.NDim())
	for k := range idx {
		idx[k] = All
	}
	k := axis[0]
	if k < 0 {
		k += a.NDim()
	}
	if k < 0 || k >= a.NDim() {
		a.MoveAxis(axis[0], 0) // panics with what is wrong
	}
	idx[k] = i
	return a.At(idx...)
}

// Elementwise.

// Round returns x rounded to so many decimals, to whole numbers when none are named; halves go to the even neighbour. Ints are
// as they are unless decimals is negative.
func Round(x any, decimals ...int) *Array {
	a := must("round", x)
	d := optional(decimals, 0)
	if !a.DType().IsFloat() {
		if d >= 0 {
			return a.Copy()
		}
		return Round(a.AsType(Float64), d).AsType(a.DType())
	}
	scale := math.Pow(10, math.Abs(float64(d)))
	switch {
	case d == 0:
		return Rint(a)
	case d > 0:
		return Rint(a.Mul(scale)).Div(scale)
	}
	return Rint(a.Div(scale)).Mul(scale)
}

// Round returns a rounded, as the function [Round].
func (a *Array) Round(decimals ...int) *Array { return Round(a, decimals...) }

// Clip returns x with what is below lo raised to lo and what is above hi lowered to hi; nil leaves an end open.
func Clip(x, lo, hi any) *Array {
	a := must("clip", x)
	if lo != nil {
		a = Maximum(a, lo)
	}
	if hi != nil {
		a = Minimum(a, hi)
	}
	return a
}

// Clip returns a between lo and hi, as the function [Clip].
func (a *Array) Clip(lo, hi any) *Array { return Clip(a, lo, hi) }

// IsClose returns where x and y differ by no more than 1e-8 + 1e-5*|y|; infinities of one sign are close, NaNs are not.
func IsClose(x, y any) *Array {
	d := Abs(Sub(must("isclose", x).AsType(Float64), y))
	return Equal(x, y).Or(LessEqual(d, Abs(y).Mul(1e-5).Add(1e-8)).And(IsFinite(y)))
}

// AllClose reports whether IsClose is true for all elements. It needs the elements.
func AllClose(x, y any) bool { return IsClose(x, y).All().Item().(bool) }

// ArrayEqual reports whether x and y have the same shape and elements. It needs the elements.
func ArrayEqual(x, y any) bool {
	a, b := must("array_equal", x), must("array_equal", y)
	return slices.Equal(a.Shape(), b.Shape()) && a.Eq(b).All().Item().(bool)
}

// Statistics.

// Var returns the variance of x: the mean of the squared distances from the mean. [DDof] changes the divisor.
func Var(x any, opts ...ReduceOption) *Array {
	a := must("var", x)
	if !a.DType().IsFloat() {
		a = a.AsType(Float64)
	}
	d := a.Sub(Mean(a, append(slices.Clip(opts), KeepDims())...))
	sum := Sum(d.Square(), opts...)
	n := float64(a.Size())/float64(max(sum.Size(), 1)) - float64(DDofOf(opts...))
	return sum.Div(max(n, 0))
}

// Var returns the variance of a, as the function [Var].
func (a *Array) Var(opts ...ReduceOption) *Array { return Var(a, opts...) }

// Std returns the standard deviation of x, the square root of [Var].
func Std(x any, opts ...ReduceOption) *Array { return Sqrt(Var(x, opts...)) }

// Std returns the standard deviation of a, as the function [Std].
func (a *Array) Std(opts ...ReduceOption) *Array { return Std(a, opts...) }

// Ptp returns the largest element of x less the smallest.
func Ptp(x any, opts ...ReduceOption) *Array { return Max(x, opts...).Sub(Min(x, opts...)) }

// CountNonZero returns how many elements of x are not zero.
func CountNonZero(x any, opts ...ReduceOption) *Array { return Sum(NotEqual(x, 0), opts...) }

// Average returns the mean of x in which every element counts by its weight.
func Average(x, weights any, opts ...ReduceOption) *Array {
	a, w := must("average", x), must("average", weights)
	return Sum(a.Mul(w), opts...).Div(Sum(BroadcastTo(w, a.Shape()...), opts...))
}

// Quantile returns the value below which the part q (0 to 1) of x lies, between two elements on the line that joins them
// (NumPy's default), along one axis or over all elements. NaN where any element is NaN.
func Quantile(x any, q float64, axis ...int) *Array {
	a := must("quantile", x)
	if !(q >= 0 && q <= 1) {
		check("quantile", &Error{Msg: fmt.Sprintf("the part %v is not between 0 and 1; for percents use Percentile", q)})
	}
	if len(axis) == 0 {
		a, axis = a.Reshape(-1), []int{0}
	}
	if !a.DType().IsFloat() {
		a = a.AsType(Float64)
	}
	s := Sort(a.MoveAxis(axis[0], 0), 0)
	n := s.Len()
	if n == 0 {
		check("quantile", &Error{Shapes: [][]int{a.Shape()}, Msg: "there are no elements along the axis; check Size before"})
	}
	at := q * float64(n-1)
	i := int(at)
	t := at - float64(i)
	lo, hi := s.At(i), s.At(min(i+1, n-1))
	d := hi.Sub(lo)
	between := lo.Add(d.Mul(t))
	if t >= 0.5 {
		between = hi.Sub(d.Mul(1 - t))
	}
	if t == 0 { // also where d is infinite
		between = lo
	}
	last := s.At(n - 1)
	return Where(IsNaN(last), last, between)
}

// Percentile is [Quantile] with q from 0 to 100.
func Percentile(x any, q float64, axis ...int) *Array { return Quantile(x, q/100, axis...) }

// Median returns the middle of the sorted elements of x, or the mean of the middle two.
func Median(x any, axis ...int) *Array { return Quantile(x, 0.5, axis...) }

// NanSum returns the sum of the elements of x that are not NaN.
func NanSum(x any, opts ...ReduceOption) *Array { return Sum(noNaN(x, 0), opts...) }

// NanMean returns the mean of the elements of x that are not NaN.
func NanMean(x any, opts ...ReduceOption) *Array {
	return NanSum(x, opts...).Div(Sum(LogicalNot(IsNaN(x)), opts...))
}

// NanMax returns the largest of the elements of x that are not NaN; -Inf where there are none.
func NanMax(x any, opts ...ReduceOption) *Array { return Max(noNaN(x, math.Inf(-1)), opts...) }

// NanMin returns the smallest of the elements of x that are not NaN; Inf where there are none.
func NanMin(x any, opts ...ReduceOption) *Array { return Min(noNaN(x, math.Inf(1)), opts...) }

// NanVar returns the variance of the elements of x that are not NaN.
func NanVar(x any, opts ...ReduceOption) *Array {
	a := must("nanvar", x)
	d := a.Sub(NanMean(a, append(slices.Clip(opts), KeepDims())...))
	n := Sum(LogicalNot(IsNaN(a)), opts...).Sub(DDofOf(opts...))
	return NanSum(d.Square(), opts...).Div(n)
}

// NanStd returns the standard deviation of the elements of x that are not NaN.
func NanStd(x any, opts ...ReduceOption) *Array { return Sqrt(NanVar(x, opts...)) }

// noNaN puts value in place of NaNs; what has none is as it is.
func noNaN(x any, value float64) *Array {
	a := must("isnan", x)
	if !a.DType().IsFloat() {
		return a
	}
	return Where(IsNaN(a), value, a)
}

// Cov returns the covariance matrix of the variables in the rows of x, each column being one observation.
func Cov(x any) *Array {
	a := must("cov", x)
	if a.NDim() < 2 {
		a = a.Reshape(1, -1)
	}
	if !a.DType().IsFloat() {
		a = a.AsType(Float64)
	}
	d := a.Sub(Mean(a, Axis(1), KeepDims()))
	return MatMul(d, d.T()).Div(max(a.Shape()[1]-1, 0)).Squeeze()
}

// CorrCoef returns the correlation coefficients of the variables in the rows of x.
func CorrCoef(x any) *Array {
	c := Cov(x)
	if c.NDim() == 0 {
		return c.Div(c)
	}
	s := c.Diagonal().Sqrt()
	return Clip(c.Div(s).Div(s.Reshape(-1, 1)), -1, 1)
}

// Differences and products.

// Diff returns the differences of neighbours along an axis, the last when none is named.
func Diff(x any, axis ...int) *Array {
	a := must("diff", x)
	k := optional(axis, -1)
	b := a.MoveAxis(k, 0)
	if a.DType().IsBool() {
		return NotEqual(b.At(From(1)), b.At(To(-1))).MoveAxis(0, k)
	}
	return Sub(b.At(From(1)), b.At(To(-1))).MoveAxis(0, k)
}

// Gradient returns the slope of x along an axis (the last when none is named) for points h apart: central differences, at
// the ends the difference to the neighbour.
func Gradient(x any, h float64, axis ...int) *Array {
	a := must("gradient", x)
	if !a.DType().IsFloat() {
		a = a.AsType(Float64)
	}
	k := optional(axis, -1)
	b := a.MoveAxis(k, 0)
	if b.Len() < 2 {
		check("gradient", &Error{Shapes: [][]int{a.Shape()}, Msg: "a slope takes two points or more along the axis"})
	}
	inner := b.At(From(2)).Sub(b.At(To(-2))).Div(2 * h)
	first := b.At(S(1, 2)).Sub(b.At(S(0, 1))).Div(h)
	last := b.At(From(-1)).Sub(b.At(S(-2, -1))).Div(h)
	return Concat(0, first, inner, last).MoveAxis(0, k)
}

// Trapezoid returns the integral of x by the trapezoidal rule along an axis (the last when none is named), for points h apart.
func Trapezoid(x any, h float64, axis ...int) *Array {
	b := must("trapezoid", x).MoveAxis(optional(axis, -1), 0)
	return b.At(From(1)).Add(b.At(To(-1))).Mul(h / 2).Sum(Axis(0))
}

// Dot returns the dot product of two lists, the product with a number, or otherwise [MatMul].
func Dot(x, y any) *Array {
	a, b := must("dot", x), must("dot", y)
	if a.NDim() == 0 || b.NDim() == 0 {
		return a.Mul(b)
	}
	return MatMul(a, b)
}

// Dot returns the product of a and y, as the function [Dot].
func (a *Array) Dot(y any) *Array { return Dot(a, y) }

// Outer returns the products of every element of x with every element of y.
func Outer(x, y any) *Array {
	return Mul(must("outer", x).Reshape(-1, 1), must("outer", y).Reshape(-1))
}

// Trace returns the sum of the diagonal of the last two axes.
func Trace(x any) *Array { return must("trace", x).Diagonal().Sum(Axis(-1)) }

// Norm returns the Euclidean norm of x: the square root of the sum of squares, along one axis or over all elements.
func Norm(x any, axis ...int) *Array {
	a := must("norm", x)
	if !a.DType().IsFloat() {
		a = a.AsType(Float64)
	}
	if len(axis) == 0 {
		return Sqrt(Sum(a.Square()))
	}
	return Sqrt(Sum(a.Square(), Axis(axis...)))
}

// PolyVal returns the polynomial with the given coefficients, the highest power first, at x (Horner's scheme).
func PolyVal(coefficients []float64, x any) *Array {
	a := must("polyval", x)
	y := ZerosLike(a).AsType(Float64)
	for _, c := range coefficients {
		y = y.Mul(a).Add(c)
	}
	return y
}

// optional is the first of the values, or what stands for none.
func optional(v []int, none int) int {
	if len(v) > 0 {
		return v[0]
	}
	return none
}

// Int returns the element of an array of size 1 as an int; a float loses its fraction, as in [Array.AsType].
func (a *Array) Int() int { return int(a.AsType(Int64).Item().(int64)) }

// Bool returns whether the element of an array of size 1 is not zero. It panics with *Error for other sizes: All or Any make
// one truth of many.
func (a *Array) Bool() bool {
	if a.Size() != 1 {
		check("bool", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("%d elements are neither true nor false together; use All() or Any() first", a.Size())})
	}
	return a.AsType(Bool).Item().(bool)
}

// operations are the operators that [Operate] knows.
var operations = map[string]Ufunc{
	"+": OpAdd, "-": OpSub, "*": OpMul, "/": OpDiv, "%": OpRemainder, "&": OpBitAnd, "|": OpBitOr, "^": OpBitXor, "<<": OpLeftShift, ">>": OpRightShift,
}

// Operate returns x op y for a Go operator, of arrays as the operators of cells do it, of Go numbers of one type as Go does:
// it is what an operator in a generic function becomes whose type may be either.
func Operate(op string, x, y any) any {
	u, ok := operations[op]
	if !ok {
		check("operate", &Error{Msg: fmt.Sprintf("%q is no operator of arrays", op)})
	}
	if _, array := x.(*Array); !array {
		if _, array := y.(*Array); !array {
			return arithmetic(op, x, y)
		}
	}
	return Apply(u, x, y)
}

// arithmetic is x op y of two numbers, in the type of x unless that is an int which stands for an untyped constant.
func arithmetic(op string, x, y any) any {
	a, b := reflect.ValueOf(x), reflect.ValueOf(y)
	switch t := a.Type(); {
	case t == b.Type():
	case t.Kind() == reflect.Int && a.CanConvert(b.Type()):
		a = a.Convert(b.Type())
	case b.CanConvert(t):
		b = b.Convert(t)
	}
	out := reflect.New(a.Type()).Elem()
	switch {
	case a.CanInt():
		out.SetInt(integers(op, a.Int(), b.Int()))
	case a.CanUint():
		out.SetUint(integers(op, a.Uint(), b.Uint()))
	case a.CanFloat():
		out.SetFloat(realNumbers(op, a.Float(), b.Float()))
	default:
		check("operate", &Error{Msg: fmt.Sprintf("%T %s %T is no arithmetic", x, op, y)})
	}
	return out.Interface()
}

func integers[T int64 | uint64](op string, x, y T) T {
	switch op {
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "/":
		return x / y
	case "%":
		return x % y
	case "&":
		return x & y
	case "|":
		return x | y
	case "^":
		return x ^ y
	case "<<":
		return x << y
	}
	return x >> y
}

func realNumbers(op string, x, y float64) float64 {
	switch op {
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "/":
		return x / y
	}
	check("operate", &Error{Msg: fmt.Sprintf("floats have no operator %s", op)})
	return 0
}
