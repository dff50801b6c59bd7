package arrays

import (
	"cmp"
	"slices"
)

// order is how the elements of a dtype sort: what does not compare (NaN, NaT) comes last. Rows of n elements are contiguous; dst
// is other memory than src.
type order struct {
	sort    func(dst, src []byte, n int)
	argsort func(dst []int64, src []byte, n int)
	search  func(dst []int64, list, v []byte, right bool)
	differ  func(line []byte, i, j int) bool // not even two NaNs do
}

// orders are those of the dtypes of numbers.
var orders = [numDTypes]order{
	Bool:       narrowKeys[uint8]().order(8),
	Int8:       narrowKeys[int8]().order(8),
	Int16:      narrowKeys[int16]().order(16),
	Int32:      intKeys[int32, uint32](true).order(32),
	Int64:      intKeys[int64, uint64](true).order(64),
	Uint8:      narrowKeys[uint8]().order(8),
	Uint16:     narrowKeys[uint16]().order(16),
	Uint32:     intKeys[uint32, uint32](false).order(32),
	Uint64:     intKeys[uint64, uint64](false).order(64),
	Float16:    halfKeys.order(16),
	Float32:    floatKeys[float32, uint32]().order(32),
	Float64:    floatKeys[float64, uint64]().order(64),
	Complex64:  compared(elements[complex64], func(x, y complex64) int { return sortComplex(complex128(x), complex128(y)) }, storeElements[complex64]),
	Complex128: compared(elements[complex128], sortComplex, storeElements[complex128]),
}

var timeOrders = timeKeys.order(64)

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

// compared is the order of elements that have no keys: load sees a line as a slice, store writes one element.
func compared[T any](load func([]byte) []T, compare func(x, y T) int, store func(dst []byte, i int, v T)) order {
	return order{
		sort: func(dst, src []byte, n int) {
			all := slices.Clone(load(src))
			for row := range slices.Chunk(all, n) {
				slices.SortStableFunc(row, polled(compare))
			}
			for i, v := range all {
				store(dst, i, v)
			}
		},
		argsort: func(dst []int64, src []byte, n int) {
			all := load(src)
			for lo := 0; lo < len(all); lo += n {
				row := all[lo : lo+n]
				argSort(dst[lo:lo+n], func(i, j int64) int { return compare(row[i], row[j]) })
			}
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
