package arrays

// Sort returns the elements of x in ascending order along an axis, the last when none is named; NaNs come last.
func Sort(x any, axis ...int) *Array { return Call(RoutineSort(axis), x) }

// Sort returns the elements of a in ascending order along an axis, the last when none is named; NaNs come last.
func (a *Array) Sort(axis ...int) *Array { return Call(RoutineSort(axis), a) }

// ArgSort returns the indices that sort x along an axis, the last when none is named, as int64. Equal elements keep their
// order; NaNs come last.
func ArgSort(x any, axis ...int) *Array { return Call(RoutineArgSort(axis), x) }

// ArgSort returns the indices that sort a along an axis, as the function [ArgSort].
func (a *Array) ArgSort(axis ...int) *Array { return Call(RoutineArgSort(axis), a) }

// SearchSorted returns, for each element of v, the index at which it goes into x, which is sorted and has one axis, so that it
// stays sorted: before elements equal to it.
func SearchSorted(x, v any) *Array { return Call(RoutineSearchSorted(false), x, v) }

// SearchSortedRight is SearchSorted, but behind elements equal to v (side="right").
func SearchSortedRight(x, v any) *Array { return Call(RoutineSearchSorted(true), x, v) }

// RoutineSort is the routine of [Sort].
func RoutineSort(axis []int) Routine {
	return along("sort", axis, false, sameDType, sameDType, everyDType, func(d, _ DType, dst, src []byte) { orderOf(d).sort(dst, src) })
}

// RoutineArgSort is the routine of [ArgSort].
func RoutineArgSort(axis []int) Routine {
	return along("argsort", axis, false, sameDType, func(DType) DType { return Int64 }, everyDType, func(d, _ DType, dst, src []byte) {
		orderOf(d).argsort(elements[int64](dst), src)
	})
}

// RoutineSearchSorted is the routine of [SearchSorted], or with right set that of [SearchSortedRight].
func RoutineSearchSorted(right bool) Routine {
	return Routine{
		Name: "searchsorted",
		Resolve: func(in []Spec) (Spec, error) {
			if len(in[0].Shape) != 1 {
				return Spec{}, &Error{Shapes: [][]int{in[0].Shape}, Msg: "shape " + shapeString(in[0].Shape) + " is no sorted list; it has one axis"}
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
