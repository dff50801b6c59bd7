package arrays

import (
	"fmt"
	"math/bits"
	"unsafe"
)

// powInt wraps as multiplication does. NumPy refuses negative exponents too, for whatever base.
func powInt[T plainInt](d, x, y []T) {
	for i := range d {
		base, e, p := x[i], y[i], T(1)
		if e < 0 {
			check("power", &Error{Msg: fmt.Sprintf("an %T to a negative power is a fraction; make the base a float with AsType(Float64)", e)})
		}
		for ; e > 0; e >>= 1 {
			if e&1 == 1 {
				p *= base
			}
			base *= base
		}
		d[i] = p
	}
}

func absInt[T plainInt](d, x []T) {
	x = x[:len(d)]
	for i := range d {
		d[i] = max(x[i], -x[i])
	}
}

// floorDivInt rounds down; x/0 is 0, as NumPy gives beside its warning.
func floorDivInt[T plainInt](x, y T) T {
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
func remainderInt[T plainInt](x, y T) T {
	if y == 0 {
		return 0
	}
	r := x % y
	if r != 0 && (r < 0) != (y < 0) {
		r += y
	}
	return r
}

func bitAnd[T plainInt](x, y T) T { return x & y }
func bitOr[T plainInt](x, y T) T  { return x | y }
func bitXor[T plainInt](x, y T) T { return x ^ y }
func invert[T plainInt](x T) T    { return ^x }

// A shift by the width or more, or by a negative number, leaves nothing but the sign.
func leftShift[T plainInt](x, y T) T  { return x << shiftCount(y) }
func rightShift[T plainInt](x, y T) T { return x >> shiftCount(y) }

func shiftCount[T plainInt](y T) uint64 {
	if y < 0 || uint64(y) >= 8*uint64(unsafe.Sizeof(y)) {
		return 64
	}
	return uint64(y)
}

// bitCount counts the ones of the absolute value, which fits its unsigned type also where the smallest int has none.
func bitCount[T plainInt](x T) uint8 {
	v := uint64(x)
	if x < 0 {
		v = -v
	}
	return uint8(bits.OnesCount64(v))
}
