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
	if gone := fewRanges(index, a.Shape()[k]); gone != nil {
		var kept []ArrayLike
		from := 0
		for _, r := range append(gone, [2]int{a.Shape()[k], 0}) {
			if from < r[0] {
				kept = append(kept, a.At(wholeBut(a.NDim(), k, S(from, r[0]))...))
			}
			from = max(from, r[1])
		}
		if len(kept) > 0 {
			return Concat(Axis(k), kept...)
		}
	}
	keep := Ones(a.Shape()[k]).AsType(Bool)
	if at, ok := index.(Slice); ok {
		keep.Set(false, at)
	} else {
		keep.Set(false, must("delete", index))
	}
	return pickAlong(a, keep, k)
}

// fewRanges are the parts of n elements, in order, that index means, where it is a slice without steps or a few ints;
// nil otherwise, and where it is wrong.
//
//mirror:copy
func fewRanges(index any, n int) (parts [][2]int) {
	if at, ok := index.(Slice); ok {
		clip := func(v, open int) int {
			if v == End {
				return open
			}
			if v < 0 {
				v += n
			}
			return min(max(v, 0), n)
		}
		if lo, hi := clip(at.Lo, 0), clip(at.Hi, n); at.Step == 1 && lo < hi {
			return [][2]int{{lo, hi}}
		}
		return nil
	}
	at := must("delete", index)
	if !at.DType().IsInt() || at.NDim() > 1 || at.Size() == 0 || at.Size() > 16 {
		return nil
	}
	places := at.AsType(Int64).Reshape(-1).Ints()
	for i, p := range places {
		if p < -n || p >= n {
			return nil
		}
		places[i] = (p + n) % n
	}
	slices.Sort(places)
	for _, p := range places {
		parts = append(parts, [2]int{p, p + 1})
	}
	return parts
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
	between, ok := endsOnDisk(a)
	if !ok {
		between = make([][2]int, a.NDim())
		there := ArgWhere(a)
		for k := range between {
			if there.Len() > 0 {
				between[k] = [2]int{there.At(All, k).Min().Int(), there.At(All, k).Max().Int() + 1}
			}
		}
	}
	idx := make([]any, a.NDim())
	for k, size := range a.Shape() {
		lo, hi := between[k][0], between[k][1]
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
