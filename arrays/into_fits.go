package arrays

import (
	"fmt"
	"slices"
)

// Receives reports, as an error, why a result is not written into an array of layout l and dtype d. With stretch the
// result broadcasts to l's shape; else the two have one shape.
func (l Layout) Receives(result Spec, d DType, stretch bool) error {
	if !slices.Equal(result.Shape, l.Shape) {
		if err := l.stretches(result.Shape, stretch); err != nil {
			return err
		}
	}
	if !sameKind(result.DType, d) {
		return &Error{Shapes: [][]int{result.Shape, l.Shape}, Msg: fmt.Sprintf(
			"the result, of %v, is not written into an array of %v; write into one of %v, or convert and assign it: z.Set(result.AsType(z.DType()))", result.DType, d, result.DType)}
	}
	return l.Writable()
}

// stretches reports whether a result of another shape than l's is stretched to it.
func (l Layout) stretches(shape []int, stretch bool) error {
	if stretch {
		if full, err := BroadcastShapes(shape, l.Shape); err == nil && slices.Equal(full, l.Shape) {
			return nil
		}
	}
	return &Error{Shapes: [][]int{shape, l.Shape}, Msg: fmt.Sprintf(
		"the result has shape %s and is not written into an array of shape %s; write into one of shape %s", shapeString(shape), shapeString(l.Shape), shapeString(shape))}
}

// sameKind is numpy.can_cast with casting="same_kind": from a dtype to one of the same kind, whatever its size, or of a
// higher one.
func sameKind(from, to DType) bool {
	switch {
	case from == to:
		return true
	case to.IsString():
		return !from.IsTime()
	case from.IsNumber() && to.IsNumber():
		return kindRank(from) <= kindRank(to)
	case from.IsTime() && to.IsTime():
		return from.isDate() == to.isDate() && Rules{}.Castable(from, to) == nil
	}
	return to.isSpan() && (from.IsBool() || from.IsInt())
}

// kindRank orders the kinds of numbers: uint64 goes into int8, but no int into a uint.
func kindRank(d DType) int {
	rank := 2 * int(d.Kind())
	if d.IsInt() && d.IsUnsigned() {
		rank--
	}
	return rank
}
