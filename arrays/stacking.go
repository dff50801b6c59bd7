package arrays

import (
	"fmt"
	"reflect"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// FlipLR returns a view of x with its columns, the elements along axis 1, from the last to the first.
//
//mirror:copy
func FlipLR(x ArrayLike) *Array {
	a := must("fliplr", x)
	needAxes("fliplr", a, 2)
	return a.Flip(1)
}

// FlipUD returns a view of x with its rows, the elements along axis 0, from the last to the first.
//
//mirror:copy
func FlipUD(x ArrayLike) *Array {
	a := must("flipud", x)
	needAxes("flipud", a, 1)
	return a.Flip(0)
}

// needAxes panics unless a has so many axes.
//
//mirror:copy
func needAxes(op string, a *Array, n int) {
	if a.NDim() < n {
		check(op, &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("shape %s has fewer than %d axes; add some with ExpandDims or Reshape", shapeString(a.Shape()), n)})
	}
}

// AtLeast1D returns x, a single number as a 1-D array of one element.
//
//mirror:copy
func AtLeast1D(x ArrayLike) *Array {
	a := must("atleast_1d", x)
	if a.NDim() == 0 {
		return a.Reshape(1)
	}
	return a
}

// AtLeast2D returns x, a 1-D array as one row.
//
//mirror:copy
func AtLeast2D(x ArrayLike) *Array {
	a := AtLeast1D(must("atleast_2d", x))
	if a.NDim() == 1 {
		return a.ExpandDims(0)
	}
	return a
}

// AtLeast3D returns x with three axes or more: a matrix of shape (m, n) as (m, n, 1), a 1-D array of shape (n,) as
// (1, n, 1).
//
//mirror:copy
func AtLeast3D(x ArrayLike) *Array {
	a := AtLeast2D(must("atleast_3d", x))
	if a.NDim() == 2 {
		return a.ExpandDims(2)
	}
	return a
}

// ColumnStack joins arrays along their second axis; lists become columns first.
//
//mirror:copy
func ColumnStack(xs ...ArrayLike) *Array {
	xs = unlisted(xs)
	parts := make([]any, len(xs))
	for i, x := range xs {
		a := must("column_stack", x)
		if a.NDim() < 2 {
			a = a.Reshape(-1, 1)
		}
		parts[i] = a
	}
	return Concat(1, parts...)
}

// DStack joins arrays along their third axis, after [AtLeast3D].
//
//mirror:copy
func DStack(xs ...ArrayLike) *Array {
	xs = unlisted(xs)
	parts := make([]any, len(xs))
	for i, x := range xs {
		parts[i] = AtLeast3D(must("dstack", x))
	}
	return Concat(2, parts...)
}

// Block puts arrays together as nested Go slices lay them out: []any joins blocks along the last axis, [][]any rows of
// blocks along the last but one, and so on. Blocks have as many axes as the nesting is deep, or get them in front.
//
//mirror:copy
func Block(blocks any) *Array {
	depth, axes := 0, 0
	var measure func(v any, level int)
	measure = func(v any, level int) {
		parts, nested := blocksOf(v)
		switch {
		case !nested && (depth == 0 || depth == level):
			depth, axes = level, max(axes, must("block", v).NDim())
		case !nested:
			check("block", &Error{Msg: fmt.Sprintf("blocks are nested %d and %d deep; nest all alike", depth-1, level-1)})
		case len(parts) == 0:
			check("block", &Error{Msg: "a list of blocks is empty; give a block of 0 elements instead"})
		}
		for _, p := range parts {
			measure(p, level+1)
		}
	}
	measure(blocks, 1)
	axes = max(axes, depth-1)
	var join func(v any, level int) *Array
	join = func(v any, level int) *Array {
		parts, nested := blocksOf(v)
		if !nested {
			a := must("block", v)
			for a.NDim() < axes {
				a = a.ExpandDims(0)
			}
			return a
		}
		for i, p := range parts {
			parts[i] = join(p, level+1)
		}
		return Concat(level-depth, parts...)
	}
	return join(blocks, 1).Copy()
}

// blocksOf returns the elements of a Go slice of anything, of arrays or of such slices; what else there is are
// operands.
//
//mirror:copy
func blocksOf(v any) (parts []any, nested bool) {
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Slice {
		return nil, false
	}
	leaf := r.Type()
	for leaf.Kind() == reflect.Slice {
		leaf = leaf.Elem()
	}
	if leaf.Kind() != reflect.Interface && leaf != reflect.TypeFor[*Array]() {
		return nil, false
	}
	for i := range r.Len() {
		parts = append(parts, r.Index(i).Interface())
	}
	return parts, true
}

// HSplit cuts x along its second axis, a 1-D array along its only one: parts is a number of equal parts, or []int of
// the places to cut at. The parts are views.
//
//mirror:copy
func HSplit(x ArrayLike, parts any) []*Array {
	a := must("hsplit", x)
	needAxes("hsplit", a, 1)
	return cutAlong("hsplit", a, min(a.NDim()-1, 1), parts)
}

// VSplit cuts x along its first axis, as [HSplit] does along the second.
//
//mirror:copy
func VSplit(x ArrayLike, parts any) []*Array {
	a := must("vsplit", x)
	needAxes("vsplit", a, 2)
	return cutAlong("vsplit", a, 0, parts)
}

// DSplit cuts x along its third axis, as [HSplit] does along the second.
//
//mirror:copy
func DSplit(x ArrayLike, parts any) []*Array {
	a := must("dsplit", x)
	needAxes("dsplit", a, 3)
	return cutAlong("dsplit", a, 2, parts)
}

//mirror:copy
func cutAlong(op string, a *Array, axis int, parts any) []*Array {
	switch p := parts.(type) {
	case int:
		if n := a.Shape()[axis]; p < 1 || n%p != 0 {
			check(op, &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("axis %d of shape %s has no %d equal parts; ArraySplit gives unequal ones", axis, shapeString(a.Shape()), p)})
		}
		return ArraySplit(a, p, axis)
	case []int:
		return cutAt(a, axis, p)
	}
	check(op, &Error{Msg: fmt.Sprintf("%s does not say where to cut; give a number of parts, or []int of the places", brief.Type(parts))})
	return nil
}

// Unstack returns the parts of x along an axis, the first when none is named, as arrays without that axis.
//
//mirror:copy
func Unstack(x ArrayLike, axis ...AxisOption) []*Array {
	axes := axesFrom("unstack", axis)
	a := must("unstack", x)
	a = a.MoveAxis(axisFor("unstack", a, optional("unstack", "axes", axes, 0)), 0)
	parts := make([]*Array, a.Len())
	for i := range parts {
		if i%(1<<14) == 0 { // there may be a million
			poll()
		}
		parts[i] = a.At(i, Dots)
	}
	return parts
}

// BroadcastArrays returns views of all operands in their common shape.
//
//mirror:copy
func BroadcastArrays(xs ...ArrayLike) []*Array {
	xs = unlisted(xs)
	out, shapes := make([]*Array, len(xs)), make([][]int, len(xs))
	for i, x := range xs {
		out[i] = must("broadcast_arrays", x)
		shapes[i] = out[i].Shape()
	}
	shape, err := BroadcastShapes(shapes...)
	check("broadcast_arrays", err)
	for i, a := range out {
		out[i] = BroadcastTo(a, shape...)
	}
	return out
}

// Append returns the elements of x and then those of y as one 1-D array.
//
//mirror:copy
func Append(x, y ArrayLike) *Array {
	return Concat(0, must("append", x).Reshape(-1), must("append", y).Reshape(-1))
}

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
