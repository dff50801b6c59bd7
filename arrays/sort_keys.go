package arrays

import (
	"math"
	"slices"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/sorting"
)

// keying makes keys of elements, unsigned ints in the order of these with NaNs last, and elements of keys. -0 is before
// 0 or, where zeros are equal, has its key.
type keying[T element, K sorting.Key] struct {
	of func(dst []K, src []T, equalZeros bool, poll func())
	to func(dst []T, src []K) // dst may be the memory of src

	nan K // the key of what does not compare; 0 where all do
}

// bitsOf sees elements as keys of their size.
func bitsOf[T element, K sorting.Key](s []T) []K {
	return unsafe.Slice((*K)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

func intKeys[T plainInt, K sorting.Key](signed bool) keying[T, K] {
	if !signed {
		return keying[T, K]{
			of: func(dst []K, src []T, _ bool, poll func()) { sorting.Copy(dst, bitsOf[T, K](src), poll) },
			to: func(dst []T, src []K) {}, // they are in place
		}
	}
	return keying[T, K]{
		of: func(dst []K, src []T, _ bool, poll func()) { sorting.FlipSigns(dst, bitsOf[T, K](src), poll) },
		to: func(dst []T, src []K) { sorting.FlipSigns(bitsOf[T, K](dst), src, poll) },
	}
}

func floatKeys[T float, K sorting.Key]() keying[T, K] {
	return keying[T, K]{
		of: func(dst []K, src []T, equalZeros bool, poll func()) {
			sorting.OfFloats(dst, bitsOf[T, K](src), equalZeros, poll)
		},
		to:  func(dst []T, src []K) { sorting.ToFloats(bitsOf[T, K](dst), src, poll) },
		nan: sorting.NaN[K](),
	}
}

// timeKeys has NaT, the smallest int64, last.
var timeKeys = keying[int64, uint64]{
	of: func(dst []uint64, src []int64, _ bool, _ func()) {
		for i, v := range src {
			dst[i] = (uint64(v) ^ 1<<63) - 1
		}
	},
	to: func(dst []int64, src []uint64) {
		for i, k := range src {
			dst[i] = int64((k + 1) ^ 1<<63)
		}
	},
	nan: math.MaxUint64,
}

// narrowKeys are for ints of 8 and 16 bits.
func narrowKeys[T int8 | int16 | uint8 | uint16]() keying[T, uint32] {
	least := uint32(0) // what is added so that none is negative
	if ^T(0) < 0 {
		least = 1 << (8*sizeOfElement[T]() - 1)
	}
	return keying[T, uint32]{
		of: func(dst []uint32, src []T, _ bool, _ func()) {
			for i, v := range src {
				dst[i] = uint32(v) + least
			}
		},
		to: func(dst []T, src []uint32) {
			for i, k := range src {
				dst[i] = T(k - least)
			}
		},
	}
}

// halfNaN is the key of all NaNs.
const halfNaN = 0xfe00

var halfKeys = keying[half, uint32]{
	of: func(dst []uint32, src []half, equalZeros bool, _ func()) {
		for i, h := range src {
			switch {
			case h&0x7fff > 0x7c00:
				dst[i] = halfNaN
			case h&0x8000 == 0 || h == 0x8000 && equalZeros:
				dst[i] = uint32(h | 0x8000)
			default:
				dst[i] = uint32(^h)
			}
		}
	},
	to: func(dst []half, src []uint32) {
		for i, k := range src {
			h := half(k)
			if h&0x8000 != 0 {
				h ^= 0x8000
			} else {
				h = ^h
			}
			dst[i] = h
		}
	},
	nan: halfNaN,
}

// order is that of elements whose keys have no more than so many bits.
func (k keying[T, K]) order(bits int) order {
	inPlace := sizeOfElement[T]() == int(unsafe.Sizeof(K(0)))
	// keysOf returns keys, in room if they fit.
	keysOf := func(room, src []byte, equalZeros bool) []K {
		s := elements[T](src)
		if !inPlace || room == nil {
			room = reserve(len(s) * int(unsafe.Sizeof(K(0))))
		}
		keys := sliceOf[K](room)
		k.of(keys, s, equalZeros, poll)
		return keys
	}
	return order{
		pick: k.pick,
		partition: func(dst []byte, places []int64, src []byte, n int, ks []int) {
			k.partition(dst, places, src, n, ks)
		},
		sort: func(dst, src []byte, n int) {
			keys := keysOf(dst, src, false)
			if bits <= 16 && n >= 2<<bits {
				for row := range slices.Chunk(keys, n) {
					sorting.Count(row, bits, poll)
				}
			} else {
				sorting.Rows(keys, n, poll)
			}
			k.to(elements[T](dst), keys)
		},
		argsort: func(dst []int64, src []byte, n int) {
			s := elements[T](src)
			sorting.EachRows(len(s)/n, n, func(lo, hi int, poll func()) {
				rows := s[lo*n : hi*n]
				sorting.Places(dst[lo*n:hi*n], n, func(to []K, from int) { k.of(to, rows[from:from+len(to)], true, ignore) }, poll)
			}, poll)
		},
		search: func(dst []int64, list, v []byte, right bool) {
			keys := keysOf(nil, list, true)
			poll()
			wanted := keysOf(nil, v, true)
			poll()
			var work poller
			for i, key := range wanted {
				work.did(costOfSearch)
				at, found := slices.BinarySearch(keys, key)
				if right && found {
					at = len(keys)
					if key != ^K(0) {
						at, _ = slices.BinarySearch(keys, key+1)
					}
				}
				dst[i] = int64(at)
			}
		},
		starts: func(line []byte) []int {
			keys := keysOf(nil, line, true)
			return starts(len(keys), func(i int) bool { return keys[i-1] != keys[i] })
		},
	}
}

// ignore polls nothing.
func ignore() {}
