package sfu

import "math"

// A segment has the coefficients of c0 + c1·t + c2·t² for t from 0 to 1: c0 with c0Bits bits after the point, the
// others with c1Bits.
type segment struct{ c0, c1, c2 int32 }

const (
	c0Bits  = 26
	c1Bits  = 27
	sumBits = 32 // after the point of what interpolate returns
)

// interpolate returns the polynomial at t/2^bits, with sumBits bits after the point. Products are cut.
func (s segment) interpolate(t int64, bits uint) int64 {
	slope := int64(s.c2)<<(sumBits-c1Bits)*t>>bits + int64(s.c1)<<(sumBits-c1Bits)
	return int64(s.c0)<<(sumBits-c0Bits) + slope*t>>bits
}

// number returns sum, which has sumBits bits after the point, times 2^exp, rounded once.
func number(sum int64, exp int) float32 {
	return float32(float64(sum) * math.Float64frombits(uint64(exp-sumBits+1023)<<52))
}

// fields cuts a positive finite number into (1 + mant/2^23)·2^exp.
func fields(bits uint32) (mant uint32, exp int) {
	if bits>>23 == 0 { // subnormal
		for exp = -126; bits>>23 == 0; exp-- {
			bits <<= 1
		}
		return bits & (1<<23 - 1), exp
	}
	return bits & (1<<23 - 1), int(bits>>23) - 127
}

const (
	signBit  = 1 << 31
	infinity = 0x7f80_0000
)

var nan = math.Float32frombits(0x7fc0_0000)

func withSign(x float32, sign uint32) float32 {
	return math.Float32frombits(math.Float32bits(x) | sign)
}
