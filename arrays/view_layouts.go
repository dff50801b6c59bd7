package arrays

import (
	"fmt"
	"slices"
)

// Flip returns l with the order along the axes reversed, along all when none are named.
func (l Layout) Flip(axes ...int) (Layout, error) {
	if len(axes) == 0 {
		for axis := range l.Shape {
			axes = append(axes, axis)
		}
	}
	idx := wholeAxes(l.NDim())
	for _, axis := range axes {
		axis, err := normalAxis(axis, l.Shape)
		if err != nil {
			return Layout{}, withOp("flip", err)
		}
		if idx[axis] != any(All) {
			return Layout{}, namedTwice("flip", axis, axes, l.Shape)
		}
		idx[axis] = S(End, End, -1)
	}
	return l.Index(idx...)
}

func namedTwice(op string, axis int, axes, shape []int) error {
	return &Error{Op: op, Shapes: [][]int{shape}, Msg: fmt.Sprintf("the axes %v name axis %d of shape %s twice", axes, axis, shapeString(shape))}
}

// Squeeze returns l without the named axes, which must have size 1; without all such axes when none are named.
func (l Layout) Squeeze(axes ...int) (Layout, error) {
	drop := make([]bool, l.NDim())
	for axis, size := range l.Shape {
		drop[axis] = len(axes) == 0 && size == 1
	}
	for _, axis := range axes {
		axis, err := normalAxis(axis, l.Shape)
		if err != nil {
			return Layout{}, withOp("squeeze", err)
		}
		if drop[axis] {
			return Layout{}, namedTwice("squeeze", axis, axes, l.Shape)
		}
		if l.Shape[axis] != 1 {
			return Layout{}, &Error{Op: "squeeze", Shapes: [][]int{l.Shape}, Msg: fmt.Sprintf("axis %d of shape %s has size %d; only axes of size 1 can go", axis, shapeString(l.Shape), l.Shape[axis])}
		}
		drop[axis] = true
	}
	out := Layout{Shape: []int{}, Strides: []int{}, Offset: l.Offset}
	for axis, size := range l.Shape {
		if !drop[axis] {
			out.Shape, out.Strides = append(out.Shape, size), append(out.Strides, l.Strides[axis])
		}
	}
	return out, nil
}

// ExpandDims returns l with a new axis of size 1 at the given place of the result.
func (l Layout) ExpandDims(axis int) (Layout, error) {
	k, err := normalAxis(axis, append(slices.Clone(l.Shape), 1))
	if err != nil {
		return Layout{}, withOp("expand_dims", err)
	}
	return l.Index(append(wholeAxes(k), NewAxis)...)
}

// Axis returns the place of an axis that is counted from the last where it is negative.
func (l Layout) Axis(axis int) (int, error) { return normalAxis(axis, l.Shape) }

// MoveAxis returns l with one axis at another place; the others keep their order.
func (l Layout) MoveAxis(from, to int) (Layout, error) {
	from, err := normalAxis(from, l.Shape)
	if err != nil {
		return Layout{}, withOp("moveaxis", err)
	}
	to, err = normalAxis(to, l.Shape)
	if err != nil {
		return Layout{}, withOp("moveaxis", err)
	}
	var axes []int
	for axis := range l.Shape {
		if axis != from {
			axes = append(axes, axis)
		}
	}
	return l.Transpose(slices.Insert(axes, to, from)...)
}

// SwapAxes returns l with two axes exchanged.
func (l Layout) SwapAxes(i, j int) (Layout, error) {
	axes := make([]int, l.NDim())
	for axis := range axes {
		axes[axis] = axis
	}
	i, err := normalAxis(i, l.Shape)
	if err != nil {
		return Layout{}, withOp("swapaxes", err)
	}
	j, err = normalAxis(j, l.Shape)
	if err != nil {
		return Layout{}, withOp("swapaxes", err)
	}
	axes[i], axes[j] = j, i
	if len(axes) == 0 {
		return l, nil
	}
	return l.Transpose(axes...)
}

// Diagonal returns the elements of the last two axes whose second index is k more than the first, as a last axis.
func (l Layout) Diagonal(k int) (Layout, error) {
	n := l.NDim()
	if n < 2 {
		return Layout{}, &Error{Op: "diagonal", Shapes: [][]int{l.Shape}, Msg: fmt.Sprintf("shape %s has no diagonal; it takes two axes or more", shapeString(l.Shape))}
	}
	rows, cols := l.Shape[n-2], l.Shape[n-1]
	down, right := l.Strides[n-2], l.Strides[n-1]
	size := max(0, min(rows+min(k, 0), cols-max(k, 0)))
	out := Layout{Shape: append(slices.Clone(l.Shape[:n-2]), size), Strides: append(slices.Clone(l.Strides[:n-2]), down+right), Offset: l.Offset}
	if size > 0 && l.Size() > 0 {
		out.Offset += max(k, 0)*right - min(k, 0)*down
	}
	return out, nil
}
