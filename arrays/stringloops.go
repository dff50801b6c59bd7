package arrays

import "slices"

// stringLoop returns the loop of u on strings of n characters, nil when there is none: they compare by code points.
func stringLoop(u Ufunc, n int) loop {
	holds := map[Ufunc]func(order int) bool{
		OpEqual: func(c int) bool { return c == 0 }, OpNotEqual: func(c int) bool { return c != 0 },
		OpLess: func(c int) bool { return c < 0 }, OpLessEqual: func(c int) bool { return c <= 0 },
		OpGreater: func(c int) bool { return c > 0 }, OpGreaterEqual: func(c int) bool { return c >= 0 },
	}[u]
	if holds == nil {
		return nil
	}
	return func(dst, a, b, _ []byte) {
		x, y := elements[uint32](a), elements[uint32](b)
		for i := range dst {
			dst[i] = bit(holds(slices.Compare(x[i*n:(i+1)*n], y[i*n:(i+1)*n])))
		}
	}
}

// chooseSize returns the loop of OpWhere for elements of so many bytes.
func chooseSize(size int) loop {
	if l := whereLoops[size]; l != nil && size <= 8 {
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
