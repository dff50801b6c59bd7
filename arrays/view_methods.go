package arrays

import (
	"fmt"
	"iter"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// Views.

// Flip returns a view with the order along the axes reversed, along all when none are named.
//
//mirror:copy
func Flip(x ArrayLike, axes ...AxisOption) *Array { return must("flip", x).Flip(axes...) }

// Flip returns a view with the order along the axes reversed, along all when none are named.
//
//mirror:copy
func (a *Array) Flip(axes ...AxisOption) *Array {
	a.assigned()
	return a.viewed(a.layout.Flip(axesFrom("flip", axes)...))
}

// Squeeze returns a view without the named axes, which must have size 1; without all such axes when none are named.
//
//mirror:copy
func (a *Array) Squeeze(axes ...AxisOption) *Array {
	a.assigned()
	return a.viewed(a.layout.Squeeze(axesFrom("squeeze", axes)...))
}

// ExpandDims returns a view with a new axis of size 1 at the given place.
//
//mirror:copy
func (a *Array) ExpandDims(axis AxisOption) *Array {
	a.assigned()
	return a.viewed(a.layout.ExpandDims(oneAxis("expand_dims", axis)))
}

// MoveAxis returns a view with one axis at another place; the others keep their order.
//
//mirror:copy
func (a *Array) MoveAxis(from, to int) *Array {
	a.assigned()
	return a.viewed(a.layout.MoveAxis(from, to))
}

// SwapAxes returns a view with two axes exchanged.
//
//mirror:copy
func (a *Array) SwapAxes(i, j int) *Array {
	a.assigned()
	return a.viewed(a.layout.SwapAxes(i, j))
}

// Diagonal returns a view of the elements of the last two axes at places (i, i), or (i, i+k) when k is given.
//
//mirror:copy
func (a *Array) Diagonal(k ...int) *Array {
	a.assigned()
	return a.viewed(a.layout.Diagonal(optional("diagonal", "numbers", k, 0)))
}

// BroadcastTo returns x stretched to shape without a copy. It is for reading: Set refuses it.
//
//mirror:copy
func BroadcastTo(x ArrayLike, shape ...int) *Array {
	a := must("broadcast_to", x)
	l, err := a.layout.BroadcastTo(shape)
	check("broadcast_to", err)
	return a.viewed(l, nil)
}

// Ravel returns the elements in C order along one axis: a view where strides allow it, else a copy.
//
//mirror:copy
func (a *Array) Ravel() *Array {
	a.assigned()
	return a.Reshape(-1)
}

// Flatten returns a copy of the elements in C order along one axis.
//
//mirror:copy
func (a *Array) Flatten() *Array {
	a.assigned()
	return a.Copy().Reshape(-1)
}

// Split cuts x along an axis, the first if none is named: parts is a number of equal parts, or []int of the places to
// cut at, the first part beginning at 0. The parts are views.
//
//mirror:copy
func Split(x ArrayLike, parts any, axis ...AxisOption) []*Array {
	a := must("split", x)
	return cutAlong("split", a, axisFor("split", a, optional("split", "axes", axesFrom("split", axis), 0)), parts)
}

// ArraySplit is [Split], but for a number of parts that does not divide the size: the first ones are one longer then.
//
//mirror:copy
func ArraySplit(x ArrayLike, parts any, axis ...AxisOption) []*Array {
	a := must("array_split", x)
	k := axisFor("array_split", a, optional("array_split", "axes", axesFrom("array_split", axis), 0))
	n, isInt := parts.(int)
	if !isInt {
		return cutAlong("array_split", a, k, parts)
	}
	if n < 1 {
		check("array_split", &Error{Msg: fmt.Sprintf("%d parts cannot be made; use 1 or more", n)})
	}
	size := a.Shape()[k]
	var cuts []int
	at := 0
	for i := range n - 1 {
		at += size / n
		if i < size%n {
			at++
		}
		cuts = append(cuts, at)
	}
	return cutAt(a, k, cuts)
}

// cutAt cuts a along axis k at places.
//
//mirror:copy
func cutAt(a *Array, k int, places []int) []*Array {
	out, lo := []*Array{}, 0
	for _, hi := range append(slices.Clone(places), a.Shape()[k]) {
		out = append(out, a.MoveAxis(k, 0).At(S(lo, hi)).MoveAxis(0, k))
		lo = hi
	}
	return out
}

// Meshgrid returns a grid of coordinates for each of the 1-D arrays xs, of the shape that their lengths make: the first
// one goes along the first axis (indexing="ij"). The arrays are views.
//
//mirror:copy
func Meshgrid(xs ...ArrayLike) []*Array {
	xs = unlisted(xs)
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

// Rows returns the parts of a along its first axis with their indices, as views, for range loops. It panics with *Error
// when a is 0-d.
//
//mirror:copy
func (a *Array) Rows() iter.Seq2[int, *Array] {
	a.assigned()
	n := a.Len()
	return func(yield func(int, *Array) bool) {
		for i := range n {
			if !yield(i, a.At(i)) {
				return
			}
		}
	}
}

// axesFrom are the axes that op was called with.
//
//mirror:copy
func axesFrom(op string, axes []AxisOption) (out []int) {
	for _, axis := range axes {
		switch axis := axis.(type) {
		case int:
			out = append(out, axis)
		case []int:
			out = append(out, axis...)
		case interface{ NamedAxes() []int }: // what Axis makes
			named := axis.NamedAxes()
			if len(named) == 0 {
				check(op, &Error{Msg: "an option names no axis; give an int, or Axis(0): KeepDims and others are for reductions"})
			}
			out = append(out, named...)
		default:
			check(op, &Error{Msg: fmt.Sprintf("%s is not an axis; give an int, or Axis(0), where the function takes one, as Concat(0, a, b) and Sort(x, 0)", brief.Type(axis))})
		}
	}
	return out
}

// oneAxis is the axis that op was called with.
//
//mirror:copy
func oneAxis(op string, axis AxisOption) int {
	k := axesFrom(op, []AxisOption{axis})
	if len(k) != 1 {
		check(op, &Error{Msg: fmt.Sprintf("%d axes are named; it takes one", len(k))})
	}
	return k[0]
}

// optional is the one value that op was given at its end, or what stands for none. More of them are an error: op would
// not read them. What says what they are, in the plural.
//
//mirror:copy
func optional[T any](op, what string, v []T, none T) T {
	atMost(op, what, v, 1)
	if len(v) > 0 {
		return v[0]
	}
	return none
}

// atMost refuses more values at the end of op's arguments than op reads.
//
//mirror:copy
func atMost[T any](op, what string, v []T, most int) {
	if len(v) > most {
		check(op, &Error{Msg: fmt.Sprintf("%d %s are given; it takes at most %d", len(v), what, most)})
	}
}
