package arrays

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// Var returns the variance of x: the mean of the squared distances from the mean. [DDof] changes the divisor.
//
//mirror:copy
func Var(x ArrayLike, opts ...ReduceOption) *Array {
	a := must("var", x)
	switch d := a.DType(); {
	case !d.IsNumber():
		check("var", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("the square of %v has no meaning; AsType(Float64) counts the unit of dates and spans", d)})
	case d == Float16: // squares of halves overflow
		return Var(a.AsType(Float32), opts...).AsType(Float16)
	case !d.IsInexact():
		a = a.AsType(Float64)
	}
	over := append(slices.Clip(opts), DDof(0)) // what else the options say
	d := a.Sub(Mean(a, append(over, KeepDims())...))
	if a.DType().IsComplex() {
		d = Abs(d)
	}
	sum := Sum(d.Square(), over...)
	n := float64(a.Size())/float64(max(sum.Size(), 1)) - float64(ddofOf(opts...))
	return sum.Div(max(n, 0))
}

// Var returns the variance of a, as the function [Var].
//
//mirror:copy
func (a *Array) Var(opts ...ReduceOption) *Array { return Var(a, opts...) }

// Std returns the standard deviation of x, the square root of [Var].
//
//mirror:copy
func Std(x ArrayLike, opts ...ReduceOption) *Array { return Sqrt(Var(x, opts...)) }

// Std returns the standard deviation of a, as the function [Std].
//
//mirror:copy
func (a *Array) Std(opts ...ReduceOption) *Array { return Std(a, opts...) }

// Ptp returns the largest element of x less the smallest.
//
//mirror:copy
func Ptp(x ArrayLike, opts ...ReduceOption) *Array { return Max(x, opts...).Sub(Min(x, opts...)) }

// CountNonZero returns how many elements of x are not zero.
//
//mirror:copy
func CountNonZero(x ArrayLike, opts ...ReduceOption) *Array {
	a := must("count_nonzero", x)
	if a.DType() != Bool {
		a = a.AsType(Bool)
	}
	return Sum(a, opts...)
}

// Average returns the mean of x in which every element counts by its weight; with nil in place of the weights all count
// the same. Weights are of the shape of x, or one for each place along the axes that are named.
//
//mirror:copy
func Average(x ArrayLike, weights any, opts ...ReduceOption) *Array {
	a := must("average", x)
	if weights == nil { // all count the same
		reducedAxes("average", a.Shape(), opts)
		return Mean(a, opts...)
	}
	w := must("average", weights)
	if !slices.Equal(a.Shape(), w.Shape()) {
		reduced := reducedAxes("average", a.Shape(), opts)
		along, stretched := []int{}, make([]int, a.NDim())
		for axis, size := range a.Shape() {
			if stretched[axis] = 1; slices.Contains(reduced, axis) {
				along, stretched[axis] = append(along, size), size
			}
		}
		if !slices.Equal(w.Shape(), along) {
			check("average", &Error{Shapes: [][]int{a.Shape(), w.Shape()}, Msg: fmt.Sprintf(
				"weights of shape %s do not fit shape %s; give as many, or name the axes that they are for with Axis", shapeString(w.Shape()), shapeString(a.Shape()))})
		}
		w = w.Reshape(stretched...)
	}
	if d := Promote(a.DType(), w.DType()); a.DType().IsInexact() {
		a, w = a.AsType(d), w.AsType(d)
	} else if d.IsNumber() {
		a, w = a.AsType(Promote(d, Float64)), w.AsType(Promote(d, Float64))
	}
	return Sum(a.Mul(w), opts...).Div(Sum(BroadcastTo(w, a.Shape()...), opts...))
}

// Cov returns the covariance matrix of the variables in the rows of x, each column being one observation, in float64 or
// complex128. Further operands are more variables, lists or rows; for variables in columns give x.T(). The sum is
// divided by the number of observations less 1, or less n with [DDof](n). With [Weights], one for each observation, it
// is divided by V - n·Q/V, of their sum V and that of their squares Q. [Frequencies] count observations more than once:
// they multiply weights once in each of V and Q, and V - n is the divisor where there are no weights. It needs their
// elements.
//
//mirror:copy
func Cov(x ArrayLike, more ...ArrayLike) *Array { return covariance("cov", x, more) }

//mirror:copy
func covariance(op string, x any, more []any) *Array {
	ddof, n := 1, -1
	var w, f *Array
	var rows []any
	for _, v := range append([]any{x}, more...) {
		switch v := v.(type) {
		case interface{ NamedAxes() []int }: // DDof
			if axes := reducedAxes(op, []int{1, 1}, []ReduceOption{v}); len(axes) != 2 {
				check(op, &Error{Msg: "it takes no Axis; variables are rows: for columns give x.T()"})
			}
			ddof = ddofOf(v)
			continue
		case WeightOption:
			w = must(op, v.Of)
			continue
		case FrequencyOption:
			f = must(op, v.Of)
			continue
		case string, DensityOption, EdgeOption, LeftOption, PeriodOption, QuantileMethod, RightOption, SorterOption:
			check(op, &Error{Msg: fmt.Sprintf("%s is not an option; give variables, DDof(...), Weights(...) or Frequencies(...)", brief.Type(v))})
		}
		a := must(op, v)
		switch n := a.NDim(); {
		case n < 2:
			a = a.Reshape(1, -1)
		case n > 2:
			check(op, &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("it takes a 1-D array, or variables in rows, not an array of %d axes", n)})
		}
		if n >= 0 && a.Shape()[1] != n {
			check(op, &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("variables have %d and %d observations; they have as many", n, a.Shape()[1])})
		}
		n = a.Shape()[1]
		rows = append(rows, a)
	}
	a := Concat(0, rows...)
	a = a.AsType(Promote(a.DType(), Float64))
	if w == nil && f == nil {
		d := a.Sub(Mean(a, Axis(1), KeepDims()))
		return MatMul(d, acrossOf(d)).Div(max(n-ddof, 0)).Squeeze()
	}
	for _, w := range []*Array{w, f} {
		if w != nil && (w.NDim() != 1 || w.Len() != n) {
			check(op, &Error{Shapes: [][]int{a.Shape(), w.Shape()}, Msg: fmt.Sprintf("weights of shape %s are not those of %d observations; give a 1-D array of as many", shapeString(w.Shape()), n)})
		}
	}
	switch {
	case f != nil && !f.DType().IsInt():
		check(op, &Error{Shapes: [][]int{a.Shape(), f.Shape()}, Msg: fmt.Sprintf("frequencies are ints, not %v", f.DType())})
	case f != nil && n > 0 && f.Min().AsType(Float64).Float64() < 0:
		check(op, &Error{Shapes: [][]int{a.Shape(), f.Shape()}, Msg: fmt.Sprintf("a frequency is %v; they are 0 or more", f.Min())})
	}
	by := divisorOf(w, f, ddof)
	switch {
	case f == nil:
		w = w.AsType(Float64)
	case w == nil:
		w = f.AsType(Float64)
	default:
		w = w.AsType(Float64).Mul(f)
	}
	d := a.Sub(Sum(a.Mul(w), Axis(1), KeepDims()).Div(Sum(w)))
	return MatMul(d.Mul(w), acrossOf(d)).Div(by).Squeeze()
}

// ddofOf returns the n of [DDof] among opts, 0 when it is not there. The reduction says what is wrong with others.
//
//mirror:copy
func ddofOf(opts ...ReduceOption) (n int) {
	for _, opt := range opts {
		if opt, ok := opt.(interface{ FreedomsLost() (int, bool) }); ok {
			if lost, called := opt.FreedomsLost(); called {
				n = lost
			}
		}
	}
	return n
}

// divisorOf is the divisor of a covariance with weights, frequencies or both.
//
//mirror:copy
func divisorOf(w, f *Array, ddof int) *Array {
	if w == nil {
		return Maximum(Sum(f.AsType(Float64)).Sub(ddof), 0.0)
	}
	w = w.AsType(Float64)
	both := w
	if f != nil {
		both = w.Mul(f)
	}
	total := Sum(both)
	if ddof == 0 {
		return total
	}
	return Maximum(total.Sub(Sum(both.Mul(w)).Mul(ddof).Div(total)), 0.0)
}

// acrossOf is the conjugate transpose.
//
//mirror:copy
func acrossOf(d *Array) *Array {
	if d.DType().IsComplex() {
		return d.T().Conj()
	}
	return d.T()
}

// CorrCoef returns the correlation coefficients of the variables in the rows of x, and of further operands, as [Cov].
//
//mirror:copy
func CorrCoef(x ArrayLike, more ...ArrayLike) *Array {
	c := covariance("corrcoef", x, more)
	if c.NDim() == 0 {
		return c.Div(c)
	}
	s := c.Diagonal().Sqrt()
	return Clip(c.Div(s).Div(s.Reshape(-1, 1)), -1, 1)
}
