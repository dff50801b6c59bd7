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

// rowsByPlaces is an index whose mask of the rows of a, which is in a file beyond the budget, is the places of those
// that it picks: by these a file is read.
func (a *Array) rowsByPlaces(idx []any) []any {
	mask, ok := idx[0].(*Array)
	if !ok || mask.dtype != Bool || mask.NDim() != 1 || a.NDim() == 0 || mask.layout.Shape[0] != a.layout.Shape[0] {
		return idx
	}
	if !a.onDisk() || int64(sizeBytes(a.view().node)) <= runtime().HostBudget() {
		return idx
	}
	return append([]any{arrays.FlatNonZero(mask.Array())}, idx[1:]...)
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
