package kir

import "math"

// HalfOf returns the bits of the F16 nearest to x, the even one of two.
func HalfOf(x float64) uint16 {
	bits := math.Float64bits(x)
	sign := uint16(bits >> 48 & 0x8000)
	switch a := math.Abs(x); {
	case math.IsNaN(x):
		return sign | 0x7e00
	case a >= 65520: // half way from the greatest F16 to the next power of two
		return sign | 0x7c00
	case a < 0x1p-14: // subnormal: multiples of 2^-24, and 0x400 is the least normal number
		return sign | uint16(math.RoundToEven(a*0x1p24))
	}
	// The exponent is rebiased from 1023 to 15 and 42 bits of the fraction are rounded away; a carry goes into the
	// exponent.
	m := bits&(1<<63-1) - (1023-15)<<52
	m += 1<<41 - 1 + m>>42&1
	return sign | uint16(m>>42)
}

// HalfValue returns the value of an F16's bits.
func HalfValue(h uint16) float64 {
	sign := uint64(h&0x8000) << 48
	exp, frac := uint64(h>>10&31), uint64(h&0x3ff)
	switch exp {
	case 0:
		return math.Copysign(float64(frac)*0x1p-24, math.Float64frombits(sign|1<<52))
	case 31:
		return math.Float64frombits(sign | 0x7ff<<52 | frac<<42)
	}
	return math.Float64frombits(sign | (exp+1023-15)<<52 | frac<<42)
}
