package arrays

import "math"

// loop computes one block: every slice holds as many elements, of the dtypes that the operation's rule gave; those of
// operands that it does not have are nil. The slices go in registers: an array of them is copied on the stack, which
// waits for results on their way to memory.
type loop func(dst, a, b, c []byte)

func unary[T, R element](f func(d []R, x []T)) loop {
	return func(dst, a, _, _ []byte) { f(elements[R](dst), elements[T](a)) }
}

func binary[T, R element](f func(d []R, x, y []T)) loop {
	return func(dst, a, b, _ []byte) { f(elements[R](dst), elements[T](a), elements[T](b)) }
}

// In the loops below x = x[:len(d)] lets the compiler drop bounds checks.

func each[T, R element](f func(T) R) func(d []R, x []T) {
	return func(d []R, x []T) {
		x = x[:len(d)]
		for i := range d {
			d[i] = f(x[i])
		}
	}
}

func eachPair[T, R element](f func(x, y T) R) func(d []R, x, y []T) {
	return func(d []R, x, y []T) {
		x, y = x[:len(d)], y[:len(d)]
		for i := range d {
			d[i] = f(x[i], y[i])
		}
	}
}

func add[T number](d, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = x[i] + y[i]
	}
}

func sub[T number](d, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = x[i] - y[i]
	}
}

func mul[T number](d, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = x[i] * y[i]
	}
}

func div[T float](d, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = x[i] / y[i]
	}
}

// Go's min and max give NaN when either side is NaN, as NumPy's minimum and maximum do.

func minimum[T realNumber](d, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = min(x[i], y[i])
	}
}

func maximum[T realNumber](d, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = max(x[i], y[i])
	}
}

func neg[T number](d, x []T) {
	x = x[:len(d)]
	for i := range d {
		d[i] = -x[i]
	}
}

func square[T number](d, x []T) { mul(d, x, x) }

func same[T element](d, x []T) { copy(d, x) }

// sign keeps a NaN.
func sign[T realNumber](d, x []T) {
	for i, v := range x[:len(d)] {
		switch {
		case v > 0:
			d[i] = 1
		case v < 0:
			d[i] = 0
			d[i]-- // no constant -1: unsigned ints have none
		case v == 0:
			d[i] = 0
		default:
			d[i] = v
		}
	}
}

func equal[T element](d []uint8, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = bit(x[i] == y[i])
	}
}

func notEqual[T element](d []uint8, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = bit(x[i] != y[i])
	}
}

func less[T realNumber](d []uint8, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = bit(x[i] < y[i])
	}
}

func lessEqual[T realNumber](d []uint8, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = bit(x[i] <= y[i])
	}
}

func greater[T realNumber](d []uint8, x, y []T) { less(d, y, x) }

func greaterEqual[T realNumber](d []uint8, x, y []T) { lessEqual(d, y, x) }

// Logical operations take what is not zero for true, as conversions to bools do.

func logicalAnd[T realNumber](d []uint8, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = bit(x[i] != 0) & bit(y[i] != 0)
	}
}

func logicalOr[T realNumber](d []uint8, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = bit(x[i] != 0) | bit(y[i] != 0)
	}
}

func logicalXor[T realNumber](d []uint8, x, y []T) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = bit(x[i] != 0) ^ bit(y[i] != 0)
	}
}

func logicalNot[T realNumber](d []uint8, x []T) {
	x = x[:len(d)]
	for i := range d {
		d[i] = bit(x[i] == 0)
	}
}

// choose is where for elements of the size of T.
func choose[T any](dst, c, a, b []byte) {
	d, x, y := sliceOf[T](dst), sliceOf[T](a), sliceOf[T](b)
	c, x, y = c[:len(d)], x[:len(d)], y[:len(d)]
	for i := range d {
		if c[i] != 0 {
			d[i] = x[i]
		} else {
			d[i] = y[i]
		}
	}
}

// Bools.

func and(d, x, y []uint8) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = x[i] & y[i]
	}
}

func or(d, x, y []uint8) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = x[i] | y[i]
	}
}

func xor(d, x, y []uint8) {
	x, y = x[:len(d)], y[:len(d)]
	for i := range d {
		d[i] = x[i] ^ y[i]
	}
}

func not(d, x []uint8) {
	x = x[:len(d)]
	for i := range d {
		d[i] = x[i] ^ 1
	}
}

// never and always answer a question about a number with false and true.

func never(dst, _, _, _ []byte) { clear(dst) }

func always(dst, _, _, _ []byte) {
	if len(dst) == 0 {
		return
	}
	dst[0] = 1
	for n := 1; n < len(dst); n *= 2 {
		copy(dst[n:], dst[:n])
	}
}

// Floats.

// angle is that of a real number in the complex plane.
func angle[T float](x T) T {
	switch {
	case x != x:
		return x
	case math.Signbit(float64(x)):
		return math.Pi
	}
	return 0
}

func absFloat[T float](d, x []T) {
	x = x[:len(d)]
	for i := range d {
		d[i] = T(math.Abs(float64(x[i])))
	}
}

// The root of a float32 taken in float64 and rounded is the correctly rounded one.
func sqrt[T float](d, x []T) {
	x = x[:len(d)]
	for i := range d {
		d[i] = T(math.Sqrt(float64(x[i])))
	}
}

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

// float32 rounds in float64, where each of these is exact. The loops call them by name, for which compilers have
// instructions.

func floor[T float](d []T, x []T) {
	x = x[:len(d)]
	for i := range d {
		d[i] = T(math.Floor(float64(x[i])))
	}
}

func ceil[T float](d []T, x []T) {
	x = x[:len(d)]
	for i := range d {
		d[i] = T(math.Ceil(float64(x[i])))
	}
}

func trunc[T float](d []T, x []T) {
	x = x[:len(d)]
	for i := range d {
		d[i] = T(math.Trunc(float64(x[i])))
	}
}

func rint[T float](d []T, x []T) {
	x = x[:len(d)]
	for i := range d {
		d[i] = T(math.RoundToEven(float64(x[i])))
	}
}

func isNaN[T float](d []uint8, x []T) {
	x = x[:len(d)]
	for i := range d {
		d[i] = bit(x[i] != x[i])
	}
}

// isInf: an infinity less itself is NaN.
func isInf[T float](d []uint8, x []T) {
	x = x[:len(d)]
	for i := range d {
		d[i] = bit(x[i] == x[i] && x[i]-x[i] != 0)
	}
}

func isFinite[T float](d []uint8, x []T) {
	x = x[:len(d)]
	for i := range d {
		d[i] = bit(x[i]-x[i] == 0)
	}
}

func signBit[T realNumber](d []uint8, x []T) {
	x = x[:len(d)]
	for i := range d {
		d[i] = bit(math.Signbit(float64(x[i])))
	}
}

// mod is math.Mod. What is left of x after a quotient of less than 2^53 is a float64, which one fused step gives; where
// rounding took the quotient to the next integer, that has the other sign.
func mod(x, y float64) float64 {
	if q := math.Trunc(x / y); math.Abs(q) < 1<<53 {
		r := math.FMA(-q, y, x)
		switch {
		case r == 0:
			return math.Copysign(r, x)
		case math.Signbit(r) == math.Signbit(x) && math.Abs(r) < math.Abs(y):
			return r
		}
	}
	return math.Mod(x, y)
}

// divmod is NumPy's: the quotient rounded down and the remainder with the sign of y, both exact for what a float can
// hold.
func divmod[T float](x, y T) (q, r T) {
	if y == 0 {
		return x / y, T(math.NaN())
	}
	r = T(mod(float64(x), float64(y)))
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
