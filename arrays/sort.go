package arrays

// Sort returns the elements of x in ascending order along an axis, the last when none is named; NaNs come last.
func Sort(x ArrayLike, axis ...AxisOption) *Array {
	return call(Routines{}.Sort(axesFrom("sort", axis)), x)
}

// Sort returns the elements of a in ascending order along an axis, the last when none is named; NaNs come last.
func (a *Array) Sort(axis ...AxisOption) *Array {
	return call(Routines{}.Sort(axesFrom("sort", axis)), a)
}

// ArgSort returns the indices that sort x along an axis, the last when none is named, as int64. Equal elements keep
// their order; NaNs come last.
func ArgSort(x ArrayLike, axis ...AxisOption) *Array {
	return call(Routines{}.ArgSort(axesFrom("argsort", axis)), x)
}

// ArgSort returns the indices that sort a along an axis, as the function [ArgSort].
func (a *Array) ArgSort(axis ...AxisOption) *Array {
	return call(Routines{}.ArgSort(axesFrom("argsort", axis)), a)
}

// SearchSorted returns, for each element of v, the index at which it goes into x, which has one axis and is sorted, or
// is by the option [Sorter], so that it stays sorted: before elements equal to it.
func SearchSorted(x, v ArrayLike, sorter ...SorterOption) *Array {
	return call(Routines{}.SearchSorted(false), searchable(x, sorter), v)
}

// SearchSortedRight is [SearchSorted], but behind elements equal to v (side="right").
func SearchSortedRight(x, v ArrayLike, sorter ...SorterOption) *Array {
	return call(Routines{}.SearchSorted(true), searchable(x, sorter), v)
}

// Sort is the routine of [Sort].
func (Routines) Sort(axis []int) Routine {
	return rowByRow("sort", axis, sameDType, func(d DType, dst, src []byte, n int) { orderOf(d).sort(dst, src, n) })
}

// ArgSort is the routine of [ArgSort].
func (Routines) ArgSort(axis []int) Routine {
	return rowByRow("argsort", axis, func(DType) DType { return Int64 }, func(d DType, dst, src []byte, n int) {
		orderOf(d).argsort(elements[int64](dst), src, n)
	})
}

// rowByRow makes a routine that turns each line along an axis, the last when none is named, into a line of the same
// length. do gets all lines one after the other, of n elements each.
func rowByRow(name string, axis []int, out func(DType) DType, do func(d DType, dst, src []byte, n int)) Routine {
	return Routine{
		Name:  name,
		Axis:  axis,
		Whole: true,
		Resolve: func(in []Spec) (Spec, error) {
			_, err := axisOf(axis, in[0].Shape, false)
			return Spec{DType: out(in[0].DType), Shape: in[0].Shape}, err
		},
		Run: func(dst *Array, in []*Array) {
			a := in[0]
			k, _ := axisOf(axis, a.layout.Shape, false)
			n := a.layout.Shape[k]
			if a.Size() == 0 {
				return
			}
			moved := k < a.NDim()-1
			if moved {
				a = a.MoveAxis(k, -1)
			}
			to := contents(dst)
			if moved {
				to = roomFor(dst.dtype, dst.Size())
			}
			if !a.layout.IsContiguous() {
				a = a.Copy()
			}
			do(a.dtype, to, contents(a), n)
			if moved {
				rows := &Array{dst.dtype, Contiguous(a.layout.Shape...), to}
				back := newStream(rows.MoveAxis(-1, k), dst.dtype)
				to, size := contents(dst), dst.dtype.Size()
				inSteps(dst.Size(), func(lo, hi int) { back.read(to[lo*size : hi*size]) })
			}
		},
	}
}

// contents is the storage of the elements of a contiguous array. One without elements may begin behind its storage.
func contents(a *Array) []byte {
	size := a.dtype.Size()
	if a.Size() == 0 {
		return nil
	}
	return a.data[a.layout.Offset*size:][:a.Size()*size]
}

// SearchSorted is the routine of [SearchSorted], or with right set that of [SearchSortedRight].
func (Routines) SearchSorted(right bool) Routine {
	return Routine{
		Name:  "searchsorted",
		Plain: !right,
		Right: right,
		Resolve: func(in []Spec) (Spec, error) {
			if len(in[0].Shape) != 1 {
				return Spec{}, &Error{Shapes: [][]int{in[0].Shape}, Msg: "shape " + shapeString(in[0].Shape) + " is not a sorted 1-D array"}
			}
			_, err := promote(in[0].DType, in[1].DType)
			return Spec{DType: Int64, Shape: in[1].Shape}, err
		},
		Run: func(out *Array, in []*Array) {
			d := Promote(in[0].dtype, in[1].dtype)
			orderOf(d).search(elements[int64](out.data), in[0].AsType(d).data, in[1].AsType(d).data, right)
		},
	}
}
