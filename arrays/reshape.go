package arrays

import "fmt"

// Reshape returns the layout of the same elements, in C order, under another shape. One size may be -1: it is inferred.
// ok is false when no strides of l's storage can express the result (as after a transpose): the layout returned is then
// the contiguous one of a copy. err says why shape cannot hold the elements.
func (l Layout) Reshape(shape ...int) (out Layout, ok bool, err error) {
	shape, err = inferShape(l.Shape, shape)
	if err != nil {
		return Layout{}, false, err
	}
	out = Layout{Shape: shape, Strides: rowStrides(shape), Offset: l.Offset}
	if l.Size() == 0 {
		return out, true, nil
	}
	// The merged axes are the longest runs that one stride walks; each must be cut into whole new axes.
	runs := l.merged()
	axis := 0
	for r, size := range runs.Shape {
		first, product := axis, 1
		for product < size {
			product *= shape[axis]
			axis++
		}
		if product != size {
			return Layout{Shape: shape, Strides: rowStrides(shape)}, false, nil
		}
		step := runs.Strides[r]
		for i := axis - 1; i >= first; i-- {
			out.Strides[i] = step
			step *= shape[i]
		}
	}
	return out, true, nil
}

// inferShape replaces a -1 in shape by what is left of old's size and checks that the sizes agree.
func inferShape(old, shape []int) ([]int, error) {
	size, free := sizeOf(old), -1
	for axis, n := range shape {
		switch {
		case n == -1 && free >= 0:
			return nil, &Error{Op: "reshape", Shapes: [][]int{old, shape}, Msg: fmt.Sprintf("shape %s has more than one -1; only one size can be inferred", shapeString(shape))}
		case n == -1:
			free = axis
		}
	}
	out := append([]int{}, shape...)
	if free >= 0 {
		out[free] = 1
	}
	if err := checkShape(out); err != nil {
		return nil, withOp("reshape", err)
	}
	known := sizeOf(out)
	if free >= 0 && known > 0 && size%known == 0 {
		out[free] = size / known
		return out, nil
	}
	if free >= 0 || known != size {
		return nil, &Error{Op: "reshape", Shapes: [][]int{old, shape}, Msg: fmt.Sprintf(
			"shape %s has %d elements, which do not fit shape %s; the sizes must multiply to %d (one may be -1)",
			shapeString(old), size, shapeString(shape), size)}
	}
	return out, nil
}

// Reshape returns the elements of x in C order under another shape, as [Array.Reshape] does.
func Reshape(x ArrayLike, shape ...int) *Array {
	a, _, err := AsArray(x)
	check("reshape", err)
	return a.Reshape(shape...)
}
