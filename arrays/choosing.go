package arrays

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// Extract returns the elements of x, in C order, for which those of condition are not zero.
//
//mirror:copy
func Extract(condition, x ArrayLike) *Array {
	return Compress(must("extract", condition).Reshape(-1), x)
}

// Compress returns what lies along an axis of x where condition, a 1-D array, is not zero; without an axis, of the
// flattened x. Condition may be shorter than the axis: what is behind its end is left out.
//
//mirror:copy
func Compress(condition, x ArrayLike, axis ...AxisOption) *Array {
	axes := axesFrom("compress", axis)
	a, k := alongOrFlat("compress", x, axes)
	c := must("compress", condition)
	if c.NDim() != 1 {
		check("compress", &Error{Shapes: [][]int{c.Shape(), a.Shape()}, Msg: fmt.Sprintf("a condition of shape %s is not 1-D; Extract takes one of any shape", shapeString(c.Shape()))})
	}
	if c.Len() == a.Shape()[k] && picksInBlocks(a) {
		return pickAlong(a, c.AsType(Bool), k)
	}
	return pickAlong(a, FlatNonZero(c), k)
}

// Choose returns for each element of x, an index, the element at its place of the choice with that index; all
// broadcast. It needs the elements of x.
//
//mirror:copy
func Choose(x ArrayLike, choices ...ArrayLike) *Array {
	choices = unlisted(choices)
	a := must("choose", x)
	if len(choices) == 0 {
		check("choose", &Error{Msg: "there are no choices; give one or more"})
	}
	needPlaces("choose", a, len(choices), []int{len(choices)})
	out := BroadcastArrays(choices[0], a)[0].Copy()
	for i := 1; i < len(choices); i++ {
		out = Where(a.Equal(i), choices[i], out)
	}
	return out
}

// Piecewise returns for each element of x what belongs to the last condition that is true there: values has one value
// for each condition and may have one more, for where none is true; else that is 0. A value is a number, an array or a
// func(*Array) *Array, which is called with all of x. The result has the dtype of x.
//
//mirror:copy
func Piecewise(x ArrayLike, conditions []any, values ...any) *Array {
	a := must("piecewise", x)
	if len(values) != len(conditions) && len(values) != len(conditions)+1 {
		check("piecewise", &Error{Msg: fmt.Sprintf("%d conditions and %d values are given; give as many values, or one more for elsewhere", len(conditions), len(values))})
	}
	value := func(i int) *Array {
		if f, ok := values[i].(func(*Array) *Array); ok {
			return assigned("piecewise", f(a), a.DType()).AsType(a.DType())
		}
		return assigned("piecewise", values[i], a.DType()).AsType(a.DType())
	}
	out := ZerosLike(a)
	if len(values) > len(conditions) {
		out = BroadcastTo(value(len(conditions)), a.Shape()...).Copy()
	}
	for i, c := range conditions {
		out = Where(c, value(i), out)
	}
	return out
}

// PutAlongAxis assigns values to the elements of x at the indices along an axis, the last when none is named: the
// counterpart of [TakeAlongAxis].
//
//mirror:copy
func PutAlongAxis(x *Array, indices, values ArrayLike, axis ...AxisOption) {
	axes := axesFrom("put_along_axis", axis)
	at := must("put_along_axis", indices)
	if x.NDim() == 0 || x.NDim() != at.NDim() || !at.DType().IsInt() {
		check("put_along_axis", &Error{Shapes: [][]int{x.Shape(), at.Shape()}, Msg: fmt.Sprintf(
			"%v indices of shape %s do not fit shape %s; give ints, with as many axes", at.DType(), shapeString(at.Shape()), shapeString(x.Shape()))})
	}
	_, k := alongOrFlat("put_along_axis", x, []int{optional("put_along_axis", "axes", axes, -1)})
	idx := make([]any, x.NDim())
	for i, n := range x.Shape() {
		along := slices.Repeat([]int{1}, x.NDim())
		along[i] = n
		idx[i] = Arange(n).Reshape(along...)
	}
	idx[k] = at
	x.Set(values, idx...)
}

// ApplyAlongAxis calls f with every line of x along an axis and returns the results in place of the lines. f is a
// func(*Array) *Array whose results have one shape, a func(*Array) float64, or a function of the package such as
// [Median] and [Sum]. A function that knows axes itself, as those do, is much faster with [Axis] than line by line.
//
//mirror:copy
func ApplyAlongAxis(f any, axis AxisOption, x ArrayLike) *Array {
	a, k := alongOrFlat("apply_along_axis", x, []int{oneAxis("apply_along_axis", axis)})
	var one func(*Array) *Array
	switch f := f.(type) {
	case func(*Array) *Array:
		one = f
	case func(*Array) float64:
		one = func(v *Array) *Array { return Scalar(f(v)) }
	case func(*Array) int:
		one = func(v *Array) *Array { return Scalar(f(v)) }
	case func(*Array) bool:
		one = func(v *Array) *Array { return Scalar(f(v)) }
	case func(any) *Array:
		one = func(v *Array) *Array { return f(v) }
	case func(any, ...AxisOption) *Array:
		one = func(v *Array) *Array { return f(v) }
	case func(any, ...any) *Array:
		one = func(v *Array) *Array { return f(v) }
	case func(any, ...ReduceOption) *Array:
		one = func(v *Array) *Array { return f(v) }
	case func(any, ...FFTOption) *Array:
		one = func(v *Array) *Array { return f(v) }
	case func(any, ...BinCountOption) *Array:
		one = func(v *Array) *Array { return f(v) }
	default:
		check("apply_along_axis", &Error{Msg: fmt.Sprintf("%s takes no lines; give a func(*Array) *Array or a func(*Array) float64", brief.Type(f))})
	}
	shape := a.Shape()
	n, lead := shape[k], slices.Delete(slices.Clone(shape), k, k+1)
	count := 1
	for _, size := range lead {
		count *= size
	}
	if count == 0 {
		check("apply_along_axis", &Error{Shapes: [][]int{shape}, Msg: fmt.Sprintf("shape %s has no lines along axis %d; check Size before", shapeString(shape), axis)})
	}
	lines, results := a.MoveAxis(k, -1).Reshape(count, n), make([]any, count)
	for i := range results {
		y := one(lines.At(i))
		if i > 0 && !slices.Equal(y.Shape(), results[0].(*Array).Shape()) {
			check("apply_along_axis", &Error{Shapes: [][]int{results[0].(*Array).Shape(), y.Shape()}, Msg: fmt.Sprintf(
				"the function gave shapes %s and %s; its results have one shape", shapeString(results[0].(*Array).Shape()), shapeString(y.Shape()))})
		}
		results[i] = y
	}
	inner := results[0].(*Array).Shape()
	out := Stack(0, results...).Reshape(slices.Concat(lead, inner)...)
	var order []int // the axes before k, those of the results, the axes behind k
	for i := range k {
		order = append(order, i)
	}
	for i := range inner {
		order = append(order, len(lead)+i)
	}
	for i := k; i < len(lead); i++ {
		order = append(order, i)
	}
	if len(order) == 0 {
		return out
	}
	return out.T(order)
}

// LexSort returns the indices that sort by the last of the keys, where those are equal by the one before, and so on:
// lists of one length, or arrays of one shape that are sorted along their last axis.
//
//mirror:copy
func LexSort(keys ...ArrayLike) *Array {
	keys = unlisted(keys)
	if len(keys) == 0 {
		check("lexsort", &Error{Msg: "there are no keys; give one or more"})
	}
	first := AtLeast1D(must("lexsort", keys[0]))
	order := ArgSort(first)
	for _, key := range keys[1:] {
		a := AtLeast1D(must("lexsort", key))
		if !slices.Equal(a.Shape(), first.Shape()) {
			check("lexsort", &Error{Shapes: [][]int{first.Shape(), a.Shape()}, Msg: fmt.Sprintf("keys have shapes %s and %s; they have one shape", shapeString(first.Shape()), shapeString(a.Shape()))})
		}
		order = TakeAlongAxis(order, ArgSort(TakeAlongAxis(a, order)))
	}
	return order
}

// TakeAlongAxis returns the elements of x at the indices along an axis, the last when none is named: indices has the
// shape of x but along that axis, as ArgSort gives it.
//
//mirror:copy
func TakeAlongAxis(x, indices ArrayLike, axis ...AxisOption) *Array {
	axes := axesFrom("take_along_axis", axis)
	a, at := must("take_along_axis", x), must("take_along_axis", indices)
	if a.NDim() == 0 || a.NDim() != at.NDim() || !at.DType().IsInt() {
		check("take_along_axis", &Error{Shapes: [][]int{a.Shape(), at.Shape()}, Msg: fmt.Sprintf(
			"%v indices of shape %s do not pick from shape %s; they are ints of as many axes", at.DType(), shapeString(at.Shape()), shapeString(a.Shape()))})
	}
	k := axisFor("take_along_axis", a, optional("take_along_axis", "axes", axes, -1))
	a, at = a.MoveAxis(k, -1), at.MoveAxis(k, -1)
	n, m := a.Shape()[a.NDim()-1], at.Shape()[at.NDim()-1]
	lead := a.Shape()[:a.NDim()-1]
	at = BroadcastTo(at, append(slices.Clone(lead), m)...)
	rows := 1
	for _, size := range lead {
		rows *= size
	}
	out := a.Reshape(rows, n).At(Arange(rows).Reshape(rows, 1), at.Reshape(rows, m))
	return out.Reshape(append(slices.Clone(lead), m)...).MoveAxis(-1, k)
}

// Select returns for each element that of the first choice whose condition is true there, or otherwise.
//
//mirror:copy
func Select(conditions, choices []any, otherwise ArrayLike) *Array {
	if len(conditions) != len(choices) || len(conditions) == 0 {
		check("select", &Error{Msg: fmt.Sprintf("%d conditions and %d choices are given; give as many of both", len(conditions), len(choices))})
	}
	out := Where(conditions[len(conditions)-1], choices[len(choices)-1], otherwise)
	for i := len(conditions) - 2; i >= 0; i-- {
		out = Where(conditions[i], choices[i], out)
	}
	return out
}
