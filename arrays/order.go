package arrays

import (
	"cmp"
	"math"
	"slices"
)

// order is how the elements of a dtype sort: what does not compare (NaN, NaT) comes last. Lines are contiguous.
type order struct {
	sort    func(dst, src []byte)
	argsort func(dst []int64, src []byte)
	search  func(dst []int64, list, v []byte, right bool)
	differ  func(line []byte, i, j int) bool // not even two NaNs do
}

// orders are those of the dtypes of numbers.
var orders = [numDTypes]order{
	Bool:       keyed(uintKey[uint8], uintKey[uint8], func(k uint64) uint8 { return uint8(k) }),
	Int8:       keyed(signedKey[int8], signedKey[int8], keySigned[int8]),
	Int16:      keyed(signedKey[int16], signedKey[int16], keySigned[int16]),
	Int32:      keyed(signedKey[int32], signedKey[int32], keySigned[int32]),
	Int64:      keyed(signedKey[int64], signedKey[int64], keySigned[int64]),
	Uint8:      keyed(uintKey[uint8], uintKey[uint8], func(k uint64) uint8 { return uint8(k) }),
	Uint16:     keyed(uintKey[uint16], uintKey[uint16], func(k uint64) uint16 { return uint16(k) }),
	Uint32:     keyed(uintKey[uint32], uintKey[uint32], func(k uint64) uint32 { return uint32(k) }),
	Uint64:     keyed(uintKey[uint64], uintKey[uint64], func(k uint64) uint64 { return k }),
	Float16:    keyed(func(v half) uint64 { return floatKey(float64(v.float())) }, func(v half) uint64 { return floatKey(float64(v.float()) + 0) }, func(k uint64) half { return halfOf(keyFloat(k)) }),
	Float32:    keyed(func(v float32) uint64 { return floatKey(float64(v)) }, func(v float32) uint64 { return floatKey(float64(v) + 0) }, func(k uint64) float32 { return float32(keyFloat(k)) }),
	Float64:    keyed(floatKey, func(v float64) uint64 { return floatKey(v + 0) }, keyFloat),
	Complex64:  compared(elements[complex64], func(x, y complex64) int { return sortComplex(complex128(x), complex128(y)) }, storeElements[complex64]),
	Complex128: compared(elements[complex128], sortComplex, storeElements[complex128]),
}

var timeOrders = keyed(timeKey, timeKey, keyTime)

// orderOf returns the order of any dtype.
func orderOf(d DType) order {
	switch {
	case d.IsNumber():
		return orders[d]
	case d.IsTime():
		return timeOrders
	}
	n := d.chars()
	return compared(func(b []byte) [][]uint32 {
		rows := make([][]uint32, 0, len(b)/(4*n))
		for row := range slices.Chunk(elements[uint32](b), n) {
			rows = append(rows, row)
		}
		return rows
	}, slices.Compare[[]uint32], func(dst []byte, i int, row []uint32) { copy(elements[uint32](dst)[i*n:], row) })
}

// sortComplex orders as NumPy does: by real parts, then imaginary ones, and numbers with a NaN last, those whose real part is
// one behind those whose imaginary part is.
func sortComplex(x, y complex128) int {
	rank := func(z complex128) int {
		return 2*int(bit(real(z) != real(z))) + int(bit(imag(z) != imag(z)))
	}
	if c := cmp.Compare(rank(x), rank(y)); c != 0 {
		return c
	}
	return compareComplex(x, y)
}

// Keys are integers in the order of the elements: NaNs last, -0 before 0.

func uintKey[T unsignedInt](v T) uint64 { return uint64(v) }
func signedKey[T signedInt](v T) uint64 { return uint64(int64(v)) ^ 1<<63 }
func keySigned[T signedInt](k uint64) T { return T(int64(k ^ 1<<63)) }

// The smallest int64, NaT, comes last.
func timeKey(v int64) uint64 { return signedKey(v) - 1 }
func keyTime(k uint64) int64 { return keySigned[int64](k + 1) }

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

// keyed is the order of elements that have keys: sorting by digits of them is linear in the length. equal is the key by which
// elements count as equal; it is the other but for zeros.
func keyed[T element](key, equal func(T) uint64, value func(uint64) T) order {
	keysOf := func(src []byte, key func(T) uint64) []uint64 {
		s := elements[T](src)
		keys := sliceOf[uint64](reserve(8 * len(s)))
		inSteps(len(s), func(lo, hi int) {
			for i, v := range s[lo:hi] {
				keys[lo+i] = key(v)
			}
		})
		return keys
	}
	return order{
		sort: func(dst, src []byte) {
			keys := keysOf(src, key)
			if len(keys) < fewKeys {
				slices.Sort(keys)
			} else {
				keys, _ = radix(keys, nil)
			}
			d := elements[T](dst)
			inSteps(len(keys), func(lo, hi int) {
				for i, k := range keys[lo:hi] {
					d[lo+i] = value(k)
				}
			})
		},
		argsort: func(dst []int64, src []byte) {
			keys := keysOf(src, equal)
			if len(keys) < fewKeys {
				argSort(dst, func(i, j int64) int { return cmp.Compare(keys[i], keys[j]) })
				return
			}
			places := sliceOf[uint32](reserve(4 * len(keys)))
			inSteps(len(places), func(lo, hi int) {
				for i := lo; i < hi; i++ {
					places[i] = uint32(i)
				}
			})
			_, places = radix(keys, places)
			inSteps(len(places), func(lo, hi int) {
				for i, p := range places[lo:hi] {
					dst[lo+i] = int64(p)
				}
			})
		},
		search: func(dst []int64, list, v []byte, right bool) {
			keys, wanted := keysOf(list, equal), keysOf(v, equal)
			inSteps(len(wanted), func(lo, hi int) {
				for i, k := range wanted[lo:hi] {
					at, _ := slices.BinarySearch(keys, k)
					if right {
						at = len(keys)
						if k != math.MaxUint64 {
							at, _ = slices.BinarySearch(keys, k+1)
						}
					}
					dst[lo+i] = int64(at)
				}
			})
		},
		differ: func(line []byte, i, j int) bool {
			s := elements[T](line)
			return equal(s[i]) != equal(s[j])
		},
	}
}

// compared is the order of elements that have no keys: load sees a line as a slice, store writes one element.
func compared[T any](load func([]byte) []T, compare func(x, y T) int, store func(dst []byte, i int, v T)) order {
	return order{
		sort: func(dst, src []byte) {
			line := slices.Clone(load(src))
			slices.SortStableFunc(line, polled(compare))
			for i, v := range line {
				store(dst, i, v)
			}
		},
		argsort: func(dst []int64, src []byte) {
			line := load(src)
			argSort(dst, func(i, j int64) int { return compare(line[i], line[j]) })
		},
		search: func(dst []int64, list, v []byte, right bool) {
			sorted := load(list)
			for i, x := range load(v) {
				at, _ := slices.BinarySearchFunc(sorted, x, func(e, x T) int {
					c := compare(e, x)
					if c == 0 && right {
						return -1
					}
					return c
				})
				dst[i] = int64(at)
			}
		},
		differ: func(line []byte, i, j int) bool {
			s := load(line)
			return compare(s[i], s[j]) != 0
		},
	}
}

func storeElements[T element](dst []byte, i int, v T) { elements[T](dst)[i] = v }

// polled makes a comparison ask now and then whether to go on.
func polled[T any](compare func(x, y T) int) func(x, y T) int {
	var work poller
	return func(x, y T) int {
		work.did(16)
		return compare(x, y)
	}
}

// argSort sorts indices; equal elements keep their order.
func argSort(dst []int64, compare func(i, j int64) int) {
	for i := range dst {
		dst[i] = int64(i)
	}
	slices.SortStableFunc(dst, polled(compare))
}
