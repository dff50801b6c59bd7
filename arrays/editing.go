package arrays

import (
	"fmt"
	"slices"
)

// Delete returns x without what index selects along an axis, without those of the flattened array when none is named.
// index is an int, a [Slice], a list of ints or a mask of bools.
//
//mirror:copy
func Delete(x ArrayLike, index any, axis ...AxisOption) *Array {
	axes := axesFrom("delete", axis)
	a, k := alongOrFlat("delete", x, axes)
	keep := Ones(a.Shape()[k]).AsType(Bool)
	if at, ok := index.(Slice); ok {
		keep.Set(false, at)
	} else {
		keep.Set(false, must("delete", index))
	}
	return pickAlong(a, keep, k)
}

// Insert returns x with values put in before index along an axis, before those of the flattened array when none is
// named. index is an int, before which all values come, or a list of ints of which each gets one value; values
// broadcast, and take the dtype of x.
//
//mirror:copy
func Insert(x ArrayLike, index any, values ArrayLike, axis ...AxisOption) *Array {
	axes := axesFrom("insert", axis)
	a, k := alongOrFlat("insert", x, axes)
	takesWhole("insert", a)
	at, v := must("insert", index), assigned("insert", values, a.DType()).AsType(a.DType())
	if at.DType().IsBool() {
		at = FlatNonZero(at)
	}
	for v.NDim() < a.NDim() {
		v = v.ExpandDims(0)
	}
	if !at.DType().IsInt() && at.Size() > 0 || at.NDim() > 1 {
		check("insert", &Error{Shapes: [][]int{at.Shape()}, Msg: fmt.Sprintf("%v of shape %s cannot be places to insert at; give an int or a 1-D array of ints", at.DType(), shapeString(at.Shape()))})
	}
	if at.NDim() == 0 {
		v = v.MoveAxis(0, k)
	}
	n := a.Shape()[k]
	places := at.AsType(Int64).Reshape(-1).Ints()
	for i, p := range places {
		if p < -n || p > n {
			check("insert", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("there is no place %d along axis %d of shape %s; it goes from %d to %d", p, k, shapeString(a.Shape()), -n, n)})
		}
		if p < 0 {
			places[i] += n
		}
	}
	if len(places) == 1 {
		places = slices.Repeat(places, v.Shape()[k])
	}
	// Where each value stands in the result: those that come before it, of x and of values, in the order of the places.
	for before, i := range ArgSort(places).Ints() {
		places[i] += before
	}
	old := Ones(n + len(places)).AsType(Bool)
	old.Set(false, places)
	shape := a.Shape()
	shape[k] += len(places)
	out := New(a.DType(), shape...)
	idx := wholeBut(a.NDim(), k, old)
	out.Set(a, idx...)
	idx[k] = places
	out.Set(v, idx...)
	return out
}

// Resize returns an array of another shape that repeats the elements of x in C order as often as it takes.
// (numpy.resize; the method of ndarrays fills with zeros, as [Pad] does.)
//
//mirror:copy
func Resize(x ArrayLike, shape ...int) *Array {
	a := must("resize", x).Reshape(-1)
	n := 1
	for _, size := range shape {
		if size < 0 {
			check("resize", &Error{Msg: fmt.Sprintf("shape %s has a size below 0; only Reshape works sizes out", shapeString(shape))})
		}
		n *= size
	}
	if a.Size() == 0 {
		return New(a.DType(), shape...)
	}
	return Tile(a, (n+a.Size()-1)/a.Size()).At(To(n)).Reshape(shape...)
}

// TrimZeros returns a view of x without the zeros at the ends of each of its axes. With "f" they go at the front only,
// with "b" at the back.
//
//mirror:copy
func TrimZeros(x ArrayLike, ends ...string) *Array {
	a := must("trim_zeros", x)
	which := optional("trim_zeros", "texts", ends, "fb")
	if which != "fb" && which != "bf" && which != "f" && which != "b" {
		check("trim_zeros", &Error{Msg: fmt.Sprintf("%.60q names no ends; use \"f\", \"b\" or \"fb\"", which)})
	}
	idx := make([]any, a.NDim())
	for k, size := range a.Shape() {
		lo, hi := 0, 0
		if a.Size() > 0 { // where along the axis there is something
			there := a.AsType(Bool).MoveAxis(k, 0).Reshape(size, -1).AnyTrue(Axis(1))
			if there.AnyTrue().Bool() {
				lo, hi = there.ArgMax().Int(), size-there.Flip().ArgMax().Int()
			}
		}
		switch {
		case hi == 0: // there is nothing else
		case which == "f":
			hi = size
		case which == "b":
			lo = 0
		}
		idx[k] = S(lo, hi)
	}
	return a.At(idx...)
}

// alongOrFlat returns x and the axis that is named, from 0 on; or when none is, the flattened x and 0.
//
//mirror:copy
func alongOrFlat(op string, x any, axis []int) (*Array, int) {
	a := must(op, x)
	if len(axis) == 0 {
		return a.Reshape(-1), 0
	}
	return a, axisFor(op, a, optional(op, "axes", axis, 0))
}

// axisFor is the place of an axis of a that op was called with: a wrong one is its error, not that of what op is made
// of.
//
//mirror:copy
func axisFor(op string, a *Array, axis int) int {
	k, err := a.layout.Axis(axis)
	check(op, err)
	return k
}

// pickAlong returns what an index selects along axis k.
//
//mirror:copy
func pickAlong(a *Array, index any, k int) *Array { return a.At(wholeBut(a.NDim(), k, index)...) }

// wholeBut is an index of n axes: all of each, but of axis k.
//
//mirror:copy
func wholeBut(n, k int, index any) []any {
	idx := make([]any, n)
	for i := range idx {
		idx[i] = All
	}
	idx[k] = index
	return idx
}
