package arrays

import (
	"fmt"
	"math"
)

// MaxDims is the largest number of axes of an array.
const MaxDims = 32

// Layout is the geometry of an array: element (i0, i1, ...) lies at Offset + i0*Strides[0] + i1*Strides[1] + ... of its
// storage. Strides and Offset count elements, not bytes; strides may be negative, and zero along broadcast axes. A
// Layout is a value: methods return new ones and never write to the slices.
type Layout struct {
	Shape, Strides []int
	Offset         int
}

// Contiguous returns the layout of a fresh array in C order (last axis fastest). It panics with *Error when a size is
// negative, there are more than MaxDims axes, or the number of elements does not fit an int.
func Contiguous(shape ...int) Layout {
	check("shape", checkShape(shape))
	return inRows(shape, make([]int, 2*len(shape)))
}

// inRows is the layout in C order of a valid shape, in memory of twice as many ints.
func inRows(shape, room []int) Layout {
	n := len(shape)
	l := Layout{Shape: room[:n:n], Strides: room[n : 2*n : 2*n]}
	copy(l.Shape, shape)
	setRowStrides(l.Strides, shape)
	return l
}

// checkShape reports what makes shape unusable.
func checkShape(shape []int) error {
	if len(shape) > MaxDims {
		return &Error{Msg: fmt.Sprintf("%d axes are too many; an array has at most %d", len(shape), MaxDims)}
	}
	n := 1
	for axis, size := range shape {
		if size < 0 {
			return &Error{Shapes: [][]int{shape}, Msg: fmt.Sprintf("shape %s has a negative size along axis %d", shapeString(shape), axis)}
		}
		// Zero sizes do not excuse an overflow: strides are products of the other sizes.
		if size > 0 {
			if n > math.MaxInt/8/size {
				return &Error{Shapes: [][]int{shape}, Msg: fmt.Sprintf("shape %s has too many elements for this machine's memory", shapeString(shape))}
			}
			n *= size
		}
	}
	return nil
}

// rowStrides returns the strides of shape in C order.
func rowStrides(shape []int) []int {
	strides := make([]int, len(shape))
	setRowStrides(strides, shape)
	return strides
}

func setRowStrides(strides, shape []int) {
	step := 1
	for axis := len(shape) - 1; axis >= 0; axis-- {
		strides[axis] = step
		step *= max(shape[axis], 1)
	}
}

// sizeOf is the number of elements of a valid shape.
func sizeOf(shape []int) int {
	n := 1
	for _, size := range shape {
		n *= size
	}
	return n
}

// Size returns the number of elements.
func (l Layout) Size() int { return sizeOf(l.Shape) }

// NDim returns the number of axes.
func (l Layout) NDim() int { return len(l.Shape) }

// IsContiguous reports whether the elements lie side by side in C order, from Offset on. Strides of axes of size 1 do
// not matter, and an empty layout is contiguous.
func (l Layout) IsContiguous() bool {
	step := 1
	for axis := len(l.Shape) - 1; axis >= 0; axis-- {
		if l.Shape[axis] != 1 && l.Strides[axis] != step {
			return l.Size() == 0
		}
		step *= l.Shape[axis]
	}
	return true
}

// Transpose returns l with its axes permuted: axis i of the result is axis axes[i] of l. No axes reverse the order.
// Negative axes count from the end.
func (l Layout) Transpose(axes ...int) (Layout, error) {
	n := l.NDim()
	if len(axes) == 0 {
		axes = make([]int, n)
		for i := range axes {
			axes[i] = n - 1 - i
		}
	}
	if len(axes) != n {
		return Layout{}, &Error{Op: "transpose", Shapes: [][]int{l.Shape},
			Msg: fmt.Sprintf("%d axes are given for shape %s; name each of its %d axes once, or none to reverse them", len(axes), shapeString(l.Shape), n)}
	}
	out := Layout{Shape: make([]int, n), Strides: make([]int, n), Offset: l.Offset}
	seen := make([]bool, n)
	for i, axis := range axes {
		axis, err := normalAxis(axis, l.Shape)
		if err != nil {
			return Layout{}, withOp("transpose", err)
		}
		if seen[axis] {
			return Layout{}, &Error{Op: "transpose", Shapes: [][]int{l.Shape}, Msg: fmt.Sprintf("axis %d is named twice; name each axis once", axis)}
		}
		seen[axis] = true
		out.Shape[i], out.Strides[i] = l.Shape[axis], l.Strides[axis]
	}
	return out, nil
}

// normalAxis counts a negative axis from the end and refuses one that shape does not have.
func normalAxis(axis int, shape []int) (int, error) {
	n := len(shape)
	if axis < -n || axis >= n {
		hint := fmt.Sprintf("axes go from %d to %d", -n, n-1)
		if n == 0 {
			hint = "a 0-d array has no axes"
		}
		return 0, &Error{Shapes: [][]int{shape}, Msg: fmt.Sprintf("axis %d is out of bounds for shape %s; %s", axis, shapeString(shape), hint)}
	}
	if axis < 0 {
		axis += n
	}
	return axis, nil
}

// merged returns l with axes of size 1 dropped and neighbouring axes joined where one step walks both: the same
// elements in the same order with as few axes as possible. The caller has handled empty layouts.
func (l Layout) merged() Layout { return l.mergedIn(make([]int, 2*len(l.Shape))) }

// mergedIn is merged in memory of twice as many ints as l has axes.
func (l Layout) mergedIn(room []int) Layout {
	out := Layout{room[:0:len(l.Shape)], room[len(l.Shape):len(l.Shape)], l.Offset}
	for axis, size := range l.Shape {
		if size == 1 {
			continue
		}
		last := len(out.Shape) - 1
		if last >= 0 && out.Strides[last] == l.Strides[axis]*size {
			out.Shape[last] *= size
			out.Strides[last] = l.Strides[axis]
			continue
		}
		out.Shape = append(out.Shape, size)
		out.Strides = append(out.Strides, l.Strides[axis])
	}
	return out
}

// bounds returns the first and one past the last storage element that l reaches; (0, 0) when it is empty.
func (l Layout) bounds() (lo, hi int) {
	lo, hi = l.Offset, l.Offset
	for axis, size := range l.Shape {
		if size == 0 {
			return 0, 0
		}
		reach := (size - 1) * l.Strides[axis]
		lo, hi = lo+min(reach, 0), hi+max(reach, 0)
	}
	return lo, hi + 1
}
