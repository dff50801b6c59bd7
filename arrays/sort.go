package arrays

import (
	"cmp"
	"math"
	"slices"
)

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
	return along("sort", axis, false, sameDType, sameDType, func(d DType, dst, src []byte) {
		switch d {
		case Bool:
			zeros := len(src)
			for _, v := range src {
				zeros -= int(v)
			}
			for i := range dst {
				dst[i] = bit(i >= zeros)
			}
		case Int64:
			sortLine(elements[int64](dst), elements[int64](src), intKey, keyInt)
		case Float32:
			sortLine(elements[float32](dst), elements[float32](src), func(v float32) uint64 { return floatKey(float64(v)) }, func(k uint64) float32 { return float32(keyFloat(k)) })
		default:
			sortLine(elements[float64](dst), elements[float64](src), floatKey, keyFloat)
		}
	})
}

// RoutineArgSort is the routine of [ArgSort].
func RoutineArgSort(axis []int) Routine {
	return along("argsort", axis, false, sameDType, func(DType) DType { return Int64 }, func(d DType, dst, src []byte) {
		out := elements[int64](dst)
		switch d {
		case Bool:
			argSortLine(out, src, func(v uint8) uint64 { return uint64(v) })
		case Int64:
			argSortLine(out, elements[int64](src), intKey)
		case Float32:
			argSortLine(out, elements[float32](src), func(v float32) uint64 { return floatKey(float64(v)) })
		default:
			argSortLine(out, elements[float64](src), floatKey)
		}
	})
}

// Keys are integers in the order of the elements: NaNs last, -0 and 0 equal.

func intKey(v int64) uint64 { return uint64(v) ^ 1<<63 }
func keyInt(k uint64) int64 { return int64(k ^ 1<<63) }

func floatKey(v float64) uint64 {
	if v != v {
		return math.MaxUint64
	}
	b := math.Float64bits(v)
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}

func keyFloat(k uint64) float64 {
	switch {
	case k == math.MaxUint64:
		return math.NaN()
	case k>>63 == 1:
		return math.Float64frombits(k &^ (1 << 63))
	}
	return math.Float64frombits(^k)
}

// fewKeys is the length below which sorting by comparison is quicker than by digits.
const fewKeys = 256

// sortLine sorts by digits of the keys: linear in the length.
func sortLine[T element](dst, src []T, key func(T) uint64, value func(uint64) T) {
	keys := make([]uint64, len(src))
	inSteps(len(src), func(lo, hi int) {
		for i, v := range src[lo:hi] {
			keys[lo+i] = key(v)
		}
	})
	if len(keys) < fewKeys {
		slices.Sort(keys)
	} else {
		keys, _ = radix(keys, nil)
	}
	inSteps(len(keys), func(lo, hi int) {
		for i, k := range keys[lo:hi] {
			dst[lo+i] = value(k)
		}
	})
}

// argSortLine sorts indices. Zeros of both signs are equal, so that they keep their order.
func argSortLine[T element](dst []int64, src []T, key func(T) uint64) {
	if len(src) < fewKeys {
		for i := range dst {
			dst[i] = int64(i)
		}
		zero := func(i int64) uint64 { return key(src[i] + 0) }
		slices.SortStableFunc(dst, func(i, j int64) int { return cmp.Compare(zero(i), zero(j)) })
		return
	}
	keys, places := make([]uint64, len(src)), make([]uint32, len(src))
	inSteps(len(src), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			keys[i], places[i] = key(src[i]+0), uint32(i) // -0 + 0 is 0
		}
	})
	_, places = radix(keys, places)
	inSteps(len(places), func(lo, hi int) {
		for i, p := range places[lo:hi] {
			dst[lo+i] = int64(p)
		}
	})
}

// radix sorts keys, and places beside them where they are given, by eight digits of eight bits; digits that all keys share
// cost one look. It returns the sorted slices, which may be other ones.
func radix(keys []uint64, places []uint32) ([]uint64, []uint32) {
	var counts [8][256]int
	inSteps(len(keys), func(lo, hi int) {
		for _, k := range keys[lo:hi] {
			for d := range counts {
				counts[d][byte(k>>(8*d))]++
			}
		}
	})
	other := make([]uint64, len(keys))
	var otherPlaces []uint32
	if places != nil {
		otherPlaces = make([]uint32, len(places))
	}
	for d := range counts {
		c := &counts[d]
		if len(keys) == 0 || c[byte(keys[0]>>(8*d))] == len(keys) {
			continue
		}
		at := 0
		for i, n := range c {
			c[i], at = at, at+n
		}
		inSteps(len(keys), func(lo, hi int) {
			for i := lo; i < hi; i++ {
				to := &c[byte(keys[i]>>(8*d))]
				other[*to] = keys[i]
				if places != nil {
					otherPlaces[*to] = places[i]
				}
				*to++
			}
		})
		keys, other = other, keys
		places, otherPlaces = otherPlaces, places
	}
	return keys, places
}

// RoutineSearchSorted is the routine of [SearchSorted], or with right set that of [SearchSortedRight].
func RoutineSearchSorted(right bool) Routine {
	return Routine{
		Name: "searchsorted",
		Resolve: func(in []Spec) (Spec, error) {
			if len(in[0].Shape) != 1 {
				return Spec{}, &Error{Shapes: [][]int{in[0].Shape}, Msg: "shape " + shapeString(in[0].Shape) + " is no sorted list; it has one axis"}
			}
			return Spec{DType: Int64, Shape: in[1].Shape}, nil
		},
		Run: func(out *Array, in []*Array) {
			d := commonDType(Operand{DType: in[0].dtype}, Operand{DType: in[1].dtype})
			list, v := in[0].AsType(d), in[1].AsType(d)
			to := elements[int64](out.data)
			switch d {
			case Bool:
				searchLine(to, list.data, v.data, func(v uint8) uint64 { return uint64(v) }, right)
			case Int64:
				searchLine(to, elements[int64](list.data), elements[int64](v.data), intKey, right)
			case Float32:
				searchLine(to, elements[float32](list.data), elements[float32](v.data), func(v float32) uint64 { return floatKey(float64(v)) }, right)
			default:
				searchLine(to, elements[float64](list.data), elements[float64](v.data), floatKey, right)
			}
		},
	}
}

func searchLine[T element](dst []int64, list, v []T, key func(T) uint64, right bool) {
	keys := make([]uint64, len(list))
	inSteps(len(list), func(lo, hi int) {
		for i, x := range list[lo:hi] {
			keys[lo+i] = key(x + 0)
		}
	})
	inSteps(len(v), func(lo, hi int) {
		for i, x := range v[lo:hi] {
			k := key(x + 0)
			at, _ := slices.BinarySearch(keys, k)
			if right {
				if k == math.MaxUint64 {
					at = len(keys)
				} else {
					at, _ = slices.BinarySearch(keys, k+1)
				}
			}
			dst[lo+i] = int64(at)
		}
	})
}
