package arrays

import (
	"fmt"
	"math"
)

// GCD returns the greatest common divisor of the absolute values of ints; of 0 and n it is n.
//
//mirror:host
func GCD(x, y ArrayLike) *Array { return ofIntPairs("gcd", x, y, gcd) }

// LCM returns the least common multiple of the absolute values of ints; 0 where one is 0.
//
//mirror:host
func LCM(x, y ArrayLike) *Array {
	return ofIntPairs("lcm", x, y, func(a, b uint64) uint64 {
		if a == 0 || b == 0 {
			return 0
		}
		return a / gcd(a, b) * b
	})
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// ofIntPairs calls f with the absolute values of each pair, in the dtype that both have in common.
func ofIntPairs(op string, x, y any, f func(a, b uint64) uint64) *Array {
	d := computedIn(op, &opBitAnd, x, y)
	if !d.IsInt() {
		check(op, &Error{Msg: fmt.Sprintf("%v is not a dtype of ints; convert with AsType(Int64)", d)})
	}
	wide := Int64
	if d.IsUnsigned() {
		wide = Uint64
	}
	both := BroadcastArrays(x, y)
	a, b := both[0].AsType(d).AsType(wide), both[1].AsType(d).AsType(wide)
	p, q := elements[uint64](a.data), elements[uint64](b.data)
	size := func(v uint64) uint64 {
		if wide == Int64 && int64(v) < 0 {
			return -v
		}
		return v
	}
	inSteps(len(p), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p[i] = f(size(p[i]), size(q[i]))
		}
	})
	return a.AsType(d)
}

// FRexp returns x as fraction * 2**exponent, the fraction from 0.5 to below 1 in size and the exponent an int32. What
// is not finite, and 0, has the exponent 0.
//
//mirror:host
func FRexp(x ArrayLike) (fraction, exponent *Array) {
	a := realFloats("frexp", x)
	exponent = New(Int32, a.layout.Shape...)
	wide := a.AsType(Float64)
	v, e := elements[float64](wide.data), elements[int32](exponent.data)
	inSteps(len(v), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			part, power := math.Frexp(v[i])
			v[i], e[i] = part, int32(power)
		}
	})
	return wide.AsType(a.dtype), exponent
}

// LDExp returns x * 2**exponent for ints exponent, of the dtype of x, or the smallest floats that hold x where it has
// ints.
//
//mirror:host
func LDExp(x, exponent ArrayLike) *Array {
	a, e := realFloats("ldexp", x), must("ldexp", exponent)
	switch {
	case e.dtype == Uint64:
		check("ldexp", &Error{Msg: "exponents of uint64 may be beyond int64; convert them with AsType(Int64)"})
	case !e.dtype.IsInt() && !e.dtype.IsBool():
		check("ldexp", &Error{Msg: fmt.Sprintf("exponents of %v are not ints; FloatPower and Exp2 take floats", e.dtype)})
	}
	both := BroadcastArrays(a, e)
	wide := both[0].AsType(Float64)
	v, powers := elements[float64](wide.data), elements[int64](both[1].AsType(Int64).data)
	inSteps(len(v), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v[i] = math.Ldexp(v[i], int(max(min(powers[i], 1<<20), -1<<20)))
		}
	})
	return wide.AsType(a.dtype)
}
