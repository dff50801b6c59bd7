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
	return func(dst []byte, in [3][]byte) {
		x, y := elements[uint32](in[0]), elements[uint32](in[1])
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
	return func(dst []byte, in [3][]byte) {
		for i, c := range in[0][:len(dst)/max(size, 1)] {
			from := in[2]
			if c != 0 {
				from = in[1]
			}
			copy(dst[i*size:(i+1)*size], from[i*size:(i+1)*size])
		}
	}
}
