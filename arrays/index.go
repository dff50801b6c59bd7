package arrays

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// Index returns the layout of the elements that idx selects, always a view (NumPy's basic indexing). Each index is an
// int of any Go type (drops its axis; negative counts from the end), a [Slice], [All], [NewAxis] or [Dots]; axes that
// are not mentioned stay whole. The error names axis, index and size.
func (l Layout) Index(idx ...any) (Layout, error) {
	used, dots := 0, -1
	for i, x := range idx {
		switch x {
		case Dots:
			if dots >= 0 {
				return Layout{}, l.indexError("Dots stands at positions %d and %d; it can stand once", dots, i)
			}
			dots = i
		case NewAxis:
		default:
			used++
		}
	}
	if used > l.NDim() {
		return Layout{}, l.indexError("%d indices are too many for shape %s, which has %s", used, shapeString(l.Shape), countAxes(l.NDim()))
	}
	out := Layout{Shape: []int{}, Strides: []int{}, Offset: l.Offset}
	keep := func(size, stride int) {
		out.Shape, out.Strides = append(out.Shape, size), append(out.Strides, stride)
	}
	axis := 0
	whole := func(count int) {
		for ; count > 0; count-- {
			keep(l.Shape[axis], l.Strides[axis])
			axis++
		}
	}
	for _, x := range idx {
		switch x := x.(type) {
		case AxisIndex:
			switch x {
			case NewAxis:
				keep(1, 0)
			case Dots:
				whole(l.NDim() - used)
			case All:
				whole(1)
			default:
				return Layout{}, l.indexError("%v is not an index value; use All, NewAxis or Dots", x)
			}
		case Slice:
			if x.Step == 0 {
				return Layout{}, l.indexError("the slice along axis %d has step 0; a step is positive or negative", axis)
			}
			first, count := x.resolve(l.Shape[axis])
			stride := l.Strides[axis]
			out.Offset += first * stride
			if count > 1 {
				stride *= x.Step
			}
			keep(count, stride)
			axis++
		default:
			i, ok := asIndex(x)
			if !ok {
				return Layout{}, l.indexError("%s cannot index axis %d; use an int, an array of ints or bools, S(lo, hi), From(lo), To(hi), All, NewAxis or Dots", brief.Type(x), axis)
			}
			size := l.Shape[axis]
			if i < -size || i >= size {
				return Layout{}, l.indexError("index %d is out of bounds for axis %d with size %d", i, axis, size)
			}
			if i < 0 {
				i += size
			}
			out.Offset += i * l.Strides[axis]
			axis++
		}
	}
	whole(l.NDim() - axis)
	if len(out.Shape) > MaxDims {
		return Layout{}, l.indexError("the result would have %d axes; an array has at most %d", len(out.Shape), MaxDims)
	}
	if out.Size() == 0 {
		out.Offset = l.Offset // an empty view must not point outside the storage
	}
	return out, nil
}

// countAxes writes a number of axes: "1 axis", "3 axes".
func countAxes(n int) string {
	if n == 1 {
		return "1 axis"
	}
	return strconv.Itoa(n) + " axes"
}

// indexError is an error of indexing a layout like l.
func (l Layout) indexError(format string, args ...any) error {
	return &Error{Op: "index", Shapes: [][]int{l.Shape}, Msg: fmt.Sprintf(format, args...)}
}

// asIndex accepts every Go integer type and 0-d int arrays.
func asIndex(x any) (int, bool) {
	if i, ok := x.(int); ok {
		return i, true
	}
	switch a := x.(type) {
	case AxisIndex: // its kind is an integer's
		return 0, false
	case *Array:
		return a.asInt()
	case interface{ Array() *Array }:
		return a.Array().asInt()
	}
	v := reflect.ValueOf(x)
	switch {
	case v.CanInt():
		return int(v.Int()), true
	case v.CanUint():
		u := v.Uint()
		return int(min(u, End)), true // out of bounds either way
	}
	return 0, false
}

// asInt returns the element of a 0-d int array.
func (a *Array) asInt() (int, bool) {
	if a == nil || a.NDim() > 0 || !a.dtype.IsInt() {
		return 0, false
	}
	return int(elements[int64](a.At().AsType(Int64).data)[0]), true
}
