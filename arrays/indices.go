package arrays

import (
	"fmt"
	"slices"
)

// Indices returns for every axis of a shape an array of that shape with the index along that axis, stacked along a new
// first axis.
//
//mirror:copy
func Indices(shape ...int) *Array {
	out := make([]any, len(shape))
	for k, n := range shape {
		along := make([]int, len(shape))
		for i := range along {
			along[i] = 1
		}
		along[k] = n
		out[k] = BroadcastTo(Arange(n).Reshape(along...), shape...)
	}
	if len(out) == 0 {
		return New(Int64, 0)
	}
	return Stack(0, out...)
}

// FromFunction returns the array of a shape of which f says each element from its indices. A function of numbers, as
// func(i, j int) float64, is called for each element, as [Map] does. One of arrays, as func(i, j *Array) *Array, is
// called once with all the indices, which are float64 as NumPy's are.
//
//mirror:copy
func FromFunction(f any, shape ...int) *Array {
	grids := Unstack(Indices(shape...))
	idx, floats := make([]any, len(grids)), make([]*Array, len(grids))
	for k, g := range grids {
		idx[k], floats[k] = g, g.AsType(Float64)
	}
	need := 0
	var y *Array
	switch f := f.(type) {
	case func(i *Array) *Array:
		if need = 1; len(floats) == need {
			y = f(floats[0])
		}
	case func(i, j *Array) *Array:
		if need = 2; len(floats) == need {
			y = f(floats[0], floats[1])
		}
	case func(i, j, k *Array) *Array:
		if need = 3; len(floats) == need {
			y = f(floats[0], floats[1], floats[2])
		}
	case func(idx ...*Array) *Array:
		need, y = len(floats), f(floats...)
	default:
		return mapHere(f, idx...)
	}
	if need != len(shape) {
		check("fromfunction", &Error{Shapes: [][]int{shape}, Msg: fmt.Sprintf("a function of %d indices does not make shape %s, which has %d axes", need, shapeString(shape), len(shape))})
	}
	return y
}

// FlatNonZero returns the indices of the elements of the flattened x that are not zero.
//
//mirror:copy
func FlatNonZero(x ArrayLike) *Array { return NonZero(must("flatnonzero", x).Reshape(-1))[0] }

// Ix returns lists as indices of which each goes along an axis of its own: x.At(Ix(rows, columns)...) are the elements
// where those rows and columns meet. A list of bools stands for the places that are true.
//
//mirror:copy
func Ix(lists ...any) []any {
	out := make([]any, len(lists))
	for k, v := range lists {
		a := must("ix_", v)
		switch {
		case a.NDim() != 1:
			check("ix_", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("shape %s is not 1-D; give 1-D arrays of ints or bools", shapeString(a.Shape()))})
		case a.DType().IsBool():
			a = FlatNonZero(a)
		}
		shape := slices.Repeat([]int{1}, len(lists))
		shape[k] = -1
		if a.Size() == 0 {
			shape[k] = 0
		}
		out[k] = a.Reshape(shape...)
	}
	return out
}

// UnravelIndex returns the indices along each axis of a shape of the elements with the given indices in C order. It
// needs the elements.
//
//mirror:copy
func UnravelIndex(indices ArrayLike, shape ...int) []*Array {
	at := must("unravel_index", indices)
	n := 1
	for _, size := range shape {
		n *= size
	}
	needPlaces("unravel_index", at, n, shape)
	out := make([]*Array, len(shape))
	for k := len(shape) - 1; k >= 0; k-- {
		out[k] = Remainder(at, shape[k])
		at = FloorDivide(at, shape[k])
	}
	return out
}

// RavelMultiIndex returns the indices in C order of the elements of a shape with the given indices: a list of arrays,
// one for each axis. It needs the elements.
//
//mirror:copy
func RavelMultiIndex(indices ArrayLike, shape ...int) *Array {
	var parts []*Array
	given := 0
	switch v := indices.(type) {
	case []any:
		parts, given = BroadcastArrays(v...), len(v)
	case []*Array:
		parts, given = v, len(v)
	default:
		a := AtLeast1D(v)
		if given = a.Len(); given == len(shape) { // else there may be a million of them
			parts = Unstack(a)
		}
	}
	if given != len(shape) || given == 0 {
		check("ravel_multi_index", &Error{Shapes: [][]int{shape}, Msg: fmt.Sprintf("%d arrays of indices do not fit shape %s; give one for each axis", given, shapeString(shape))})
	}
	needPlaces("ravel_multi_index", parts[0], shape[0], shape)
	out := parts[0].AsType(Int64)
	for k := 1; k < len(shape); k++ {
		needPlaces("ravel_multi_index", parts[k], shape[k], shape)
		out = out.Mul(shape[k]).Add(parts[k])
	}
	return out
}

// needPlaces panics unless a has ints from 0 to below n.
//
//mirror:copy
func needPlaces(op string, a *Array, n int, shape []int) {
	switch {
	case !a.DType().IsInt():
		check(op, &Error{Msg: fmt.Sprintf("%v are not indices; convert them with AsType(Int64)", a.DType())})
	case a.Size() > 0 && (a.Min().Int() < 0 || a.Max().Int() >= n):
		check(op, &Error{Shapes: [][]int{shape}, Msg: fmt.Sprintf("indices from %d to %d are not all in shape %s; they go from 0 to %d", a.Min().Int(), a.Max().Int(), shapeString(shape), n-1)})
	}
}
