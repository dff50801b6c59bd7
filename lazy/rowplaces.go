package lazy

import (
	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// asRows returns what an index selects as places along one axis, which stands for the first axes of a shape, so many as
// the index has; why says what in it is not an array of ints, a mask, or an int. It evaluates arrays.
func asRows(shape []int, idx []any) (places *arrays.Array, axes int, why string) {
	for len(idx) > 0 && idx[len(idx)-1] == any(All) {
		idx = idx[:len(idx)-1]
	}
	var along []*arrays.Array
	for _, x := range idx {
		var a *arrays.Array
		switch x := x.(type) {
		case int:
			a = arrays.Scalar(x)
		case *arrays.Array:
			a = x
		case *Array:
			a = x.Array()
		}
		switch {
		case a == nil || a.DType().IsBool() && a.NDim() == 0:
			return nil, 0, "its index has more than arrays of ints and masks for the first axes"
		case a.DType().IsBool():
			along = append(along, arrays.NonZero(a)...)
		default:
			along = append(along, a)
		}
	}
	for k, a := range along {
		at := a.AsType(Int64)
		at = arrays.Where(at.Less(0), at.Add(shape[k]), at)
		if k == 0 {
			places = at
			continue
		}
		places = places.Mul(shape[k]).Add(at)
	}
	return places, len(along), ""
}

// rowsOf returns a view of a's memory in which its first axes are one.
func (a *Array) rowsOf(axes int) *arrays.Layout {
	shape := a.layout.Shape
	l := *contiguous(append([]int{elementsIn(shape[:axes])}, shape[axes:]...))
	l.Offset = a.layout.Offset
	return &l
}

// onDevices says how many devices compute with kernels now, none of them the CPU.
func onDevices() int {
	in := runtime().InUse()
	if _, shares := in[0].(device.Sharer); shares {
		return 0
	}
	return len(in)
}
