package arrays

import (
	"slices"
	"strings"
)

// stringLoop returns the loop of u on strings of dtype d, nil when there is none: they compare by code points, which is
// the order of the bytes of Go's strings, too.
func stringLoop(u Ufunc, d DType) loop {
	holds := map[Ufunc]func(order int) bool{
		OpEqual: func(c int) bool { return c == 0 }, OpNotEqual: func(c int) bool { return c != 0 },
		OpLess: func(c int) bool { return c < 0 }, OpLessEqual: func(c int) bool { return c <= 0 },
		OpGreater: func(c int) bool { return c > 0 }, OpGreaterEqual: func(c int) bool { return c >= 0 },
	}[u]
	if holds == nil {
		return nil
	}
	if d == StringDType {
		return func(dst, a, b, _ []byte) {
			x, y := textsOf(a), textsOf(b)
			for i := range dst {
				dst[i] = bit(holds(strings.Compare(x[i], y[i])))
			}
		}
	}
	n := d.chars()
	return func(dst, a, b, _ []byte) {
		x, y := elements[uint32](a), elements[uint32](b)
		for i := range dst {
			dst[i] = bit(holds(slices.Compare(x[i*n:(i+1)*n], y[i*n:(i+1)*n])))
		}
	}
}

// chooseLoop returns the loop of OpWhere for elements of dtype d.
func chooseLoop(d DType) loop {
	if d == StringDType {
		return choose[string]
	}
	size := d.Size()
	if l := whereLoop(size); l != nil && size <= 8 {
		return l
	}
	return func(dst, which, a, b []byte) {
		for i, c := range which[:len(dst)/max(size, 1)] {
			from := b
			if c != 0 {
				from = a
			}
			copy(dst[i*size:(i+1)*size], from[i*size:(i+1)*size])
		}
	}
}
