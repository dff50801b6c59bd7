package arrays

import "fmt"

// BroadcastShapes returns the shape to which all shapes broadcast: aligned at their last axes, sizes must be equal
// or 1. With no shapes it returns the shape of a 0-d array.
func BroadcastShapes(shapes ...[]int) ([]int, error) {
	ndim := 0
	for _, s := range shapes {
		ndim = max(ndim, len(s))
	}
	out := make([]int, ndim)
	for i := range out {
		out[i] = 1
	}
	for k, s := range shapes {
		for i, size := range s {
			axis := i + ndim - len(s)
			switch {
			case size == 1 || size == out[axis]:
			case out[axis] == 1:
				out[axis] = size
			default:
				return nil, broadcastError(shapes, k, axis, out[axis], size)
			}
		}
	}
	return out, nil
}

// broadcastError names the first earlier shape that set the size which shape k contradicts.
func broadcastError(shapes [][]int, k, axis, have, size int) error {
	ndim := 0
	for _, s := range shapes {
		ndim = max(ndim, len(s))
	}
	other := shapes[0]
	for _, s := range shapes[:k] {
		if i := axis - (ndim - len(s)); i >= 0 && s[i] == have {
			other = s
			break
		}
	}
	return &Error{Shapes: shapes, Msg: fmt.Sprintf(
		"shapes %s and %s do not broadcast: axis %d has %d and %d; sizes must be equal or 1, so reshape one or add an axis with At(All, NewAxis)",
		shapeString(other), shapeString(shapes[k]), axis, have, size)}
}

// BroadcastTo returns l stretched to shape without a copy: new and stretched axes get stride 0. Elements of the result
// share storage, so it is for reading.
func (l Layout) BroadcastTo(shape []int) (Layout, error) {
	if err := checkShape(shape); err != nil {
		return Layout{}, err
	}
	lead := len(shape) - l.NDim()
	out := Layout{Shape: append([]int(nil), shape...), Strides: make([]int, len(shape)), Offset: l.Offset}
	bad := lead < 0
	for i := 0; i < l.NDim() && !bad; i++ {
		switch l.Shape[i] {
		case shape[lead+i]:
			out.Strides[lead+i] = l.Strides[i]
		case 1:
		default:
			bad = true
		}
	}
	if bad {
		return Layout{}, &Error{Shapes: [][]int{l.Shape, shape}, Msg: fmt.Sprintf(
			"shape %s does not broadcast to %s; sizes, aligned at the last axis, must be equal or 1", shapeString(l.Shape), shapeString(shape))}
	}
	return out, nil
}
