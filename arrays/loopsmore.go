package arrays

import "math"

// roundLoops makes the loops of a function that rounds: ints and bools are whole already. float32 computes in float64, where
// each of these functions is exact.
func roundLoops(f func(float64) float64) loopTable {
	return loopTable{
		Bool: unary(same), Int64: unary(func(d, x []int64) { copy(d, x) }),
		Float32: unary(each(func(v float32) float32 { return float32(f(float64(v))) })),
		Float64: unary(each(f)),
	}
}

// testLoops makes the loops of a question about a float; ints and bools are asked as such.
func testLoops(f func(float64) bool) loopTable {
	return loopTable{
		unary(test[uint8](f)), unary(test[int64](f)), unary(test[float32](f)), unary(test[float64](f)),
	}
}

func test[T element](f func(float64) bool) func(d []uint8, x []T) {
	return func(d []uint8, x []T) {
		x = x[:len(d)]
		for i := range d {
			d[i] = bit(f(float64(x[i])))
		}
	}
}

// sign keeps a NaN.
func sign[T number](d, x []T) {
	for i, v := range x[:len(d)] {
		switch {
		case v > 0:
			d[i] = 1
		case v < 0:
			d[i] = -1
		case v == 0:
			d[i] = 0
		default:
			d[i] = v
		}
	}
}

func square[T number](d, x []T) { mul(d, x, x) }

func reciprocal[T float](d, x []T) {
	x = x[:len(d)]
	for i := range d {
		d[i] = 1 / x[i]
	}
}

func times[T float](c T) func(d, x []T) {
	return func(d, x []T) {
		x = x[:len(d)]
		for i := range d {
			d[i] = x[i] * c
		}
	}
}

func eachPair2(f func(x, y int64) int64) func(d, x, y []int64) {
	return func(d, x, y []int64) {
		x, y = x[:len(d)], y[:len(d)]
		for i := range d {
			d[i] = f(x[i], y[i])
		}
	}
}

// floorDivInt rounds down; x/0 is 0, as NumPy gives beside its warning.
func floorDivInt(x, y int64) int64 {
	if y == 0 {
		return 0
	}
	q := x / y
	if x%y != 0 && (x < 0) != (y < 0) {
		q--
	}
	return q
}

// remainderInt has the sign of y.
func remainderInt(x, y int64) int64 {
	if y == 0 {
		return 0
	}
	r := x % y
	if r != 0 && (r < 0) != (y < 0) {
		r += y
	}
	return r
}

// divmod is NumPy's: the quotient rounded down and the remainder with the sign of y, both exact for what a float can hold.
func divmod[T float](x, y T) (q, r T) {
	if y == 0 {
		return x / y, T(math.NaN())
	}
	r = T(math.Mod(float64(x), float64(y)))
	q = (x - r) / y
	switch {
	case r == 0:
		r = copySign(0, y)
	case (y < 0) != (r < 0):
		r += y
		q--
	}
	if q == 0 {
		return copySign(0, x/y), r
	}
	whole := T(math.Floor(float64(q)))
	if q-whole > 0.5 {
		whole++
	}
	return whole, r
}

func floorDiv[T float](x, y T) T {
	q, _ := divmod(x, y)
	return q
}

func remainder[T float](x, y T) T {
	_, r := divmod(x, y)
	return r
}

func copySign[T float](x, y T) T { return T(math.Copysign(float64(x), float64(y))) }

// fmin and fmax ignore a NaN where the other operand is a number.
func fmin[T float](x, y T) T {
	if x <= y || y != y {
		return x
	}
	return y
}

func fmax[T float](x, y T) T {
	if x >= y || y != y {
		return x
	}
	return y
}

func bitAnd(x, y int64) int64 { return x & y }
func bitOr(x, y int64) int64  { return x | y }
func bitXor(x, y int64) int64 { return x ^ y }

func invert(d, x []int64) {
	for i, v := range x[:len(d)] {
		d[i] = ^v
	}
}

// A shift by 64 or more, or by a negative number, leaves nothing but the sign.
func leftShift(x, y int64) int64  { return x << uint64(y) }
func rightShift(x, y int64) int64 { return x >> uint64(y) }

func xor(d, x, y []uint8) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = x[i] ^ y[i]
	}
}
