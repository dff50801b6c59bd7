package arrays

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// Partition returns x with the element at place k along an axis, the last when none is named, where sorting would put
// it, what is smaller before it and what is larger behind; NaNs come last. k is an int, negative from the end, or an
// []int of several places. The time is in proportion to the elements; the result is the same on every machine.
func Partition(x ArrayLike, k any, axis ...AxisOption) *Array {
	return call(Routines{}.Partition(k, axesFrom("partition", axis)), x)
}

// ArgPartition returns the int64 indices that give [Partition].
func ArgPartition(x ArrayLike, k any, axis ...AxisOption) *Array {
	return call(Routines{}.ArgPartition(k, axesFrom("argpartition", axis)), x)
}

// Partition is the routine of [Partition].
func (Routines) Partition(k any, axis []int) Routine {
	return partitioning("partition", k, axis, sameDType, func(d DType, dst, src []byte, n int, ks []int) {
		if o := orderOf(d); sortsInstead(o, n, ks) {
			o.sort(dst, src, n)
		} else {
			o.partition(dst, nil, src, n, ks)
		}
	})
}

// ArgPartition is the routine of [ArgPartition].
func (Routines) ArgPartition(k any, axis []int) Routine {
	return partitioning("argpartition", k, axis, func(DType) DType { return Int64 }, func(d DType, dst, src []byte, n int, ks []int) {
		if o := orderOf(d); sortsInstead(o, n, ks) {
			o.argsort(elements[int64](dst), src, n)
		} else {
			o.partition(nil, elements[int64](dst), src, n, ks)
		}
	})
}

// sortsInstead is whether sorting rows of n is quicker than dividing them, or the only way.
func sortsInstead(o order, n int, ks []int) bool {
	return o.partition == nil || n <= fewElements || len(ks) == 0 || len(ks) > manyPlaces
}

// partitioning is rowByRow with places along the axis.
func partitioning(name string, k any, axis []int, out func(DType) DType, do func(d DType, dst, src []byte, n int, ks []int)) Routine {
	ks, bad := placesOf(k)
	r := rowByRow(name, axis, out, func(d DType, dst, src []byte, n int) { do(d, dst, src, n, placesIn(ks, n)) })
	resolve := r.Resolve
	r.Resolve = func(in []Spec) (Spec, error) {
		spec, err := resolve(in)
		if err != nil {
			return spec, err
		}
		if bad != nil {
			return spec, bad
		}
		along, _ := axisOf(axis, in[0].Shape, false)
		n := in[0].Shape[along]
		for _, k := range ks {
			if k < -n || k >= n {
				hint := fmt.Sprintf("places go from %d to %d", -n, n-1)
				if n == 0 {
					hint = "it has no elements; check Size before"
				}
				return spec, &Error{Shapes: [][]int{in[0].Shape}, Msg: fmt.Sprintf("there is no place %d along axis %d of shape %s; %s", k, along, shapeString(in[0].Shape), hint)}
			}
		}
		return spec, nil
	}
	return r
}

func placesOf(k any) ([]int, error) {
	switch k := k.(type) {
	case int:
		return []int{k}, nil
	case []int:
		return slices.Clone(k), nil
	}
	return nil, &Error{Msg: fmt.Sprintf("%s is not a place; give an int or an []int", brief.Type(k))}
}

// placesIn returns places from 0, in ascending order, each once.
func placesIn(ks []int, n int) []int {
	out := slices.Clone(ks)
	for i, k := range out {
		if k < 0 {
			out[i] += n
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
