package arrays

import "slices"

// distinctInts gives the distinct elements of an array of ints, ascending. Others are sorted with their places, so that
// of equal elements that differ, as zeros do, the first stays.
var distinctInts = [numDTypes]func(a *Array) *Array{
	Int8: distinct[int8], Int16: distinct[int16], Int32: distinct[int32], Int64: distinct[int64],
	Uint8: distinct[uint8], Uint16: distinct[uint16], Uint32: distinct[uint32], Uint64: distinct[uint64],
}

// sparse is how many times as many values as elements there may be between the least and the largest element for those
// that occur to be marked in a table, which takes a byte for each value and one pass over both; beyond that the
// elements are sorted.
const sparse = 4

func distinct[T plainInt](a *Array) *Array {
	a = a.Reshape(-1)
	if a.Size() == 0 || !a.layout.IsContiguous() {
		a = a.Copy()
	}
	result := func(values []T) *Array { return FromBytes(a.dtype, []int{len(values)}, bytesOf(values)) }
	src := elements[T](a.data)[a.layout.Offset:][:a.Size()]
	if len(src) == 0 {
		return result(nil)
	}
	least, most := src[0], src[0]
	for _, v := range src {
		least, most = min(least, v), max(most, v)
	}
	// wraps to the distance for negative ones too
	if span := uint64(most) - uint64(least); span < sparse*uint64(len(src)) {
		there := make([]bool, span+1)
		for lo := 0; lo < len(src); lo += pollEvery {
			poll()
			for _, v := range src[lo:min(lo+pollEvery, len(src))] {
				there[uint64(v)-uint64(least)] = true
			}
		}
		var out []T
		for i, yes := range there {
			if yes {
				out = append(out, T(uint64(least)+uint64(i)))
			}
		}
		return result(out)
	}
	return result(slices.Compact(elements[T](Sort(a).data)))
}
