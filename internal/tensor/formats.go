package tensor

import "math"

// Brain returns the value of the bits of a bfloat16.
func Brain(bits uint16) float32 { return math.Float32frombits(uint32(bits) << 16) }

// BrainOf returns the bits of the bfloat16 nearest to x, the even one of two; of a NaN the greatest ones.
func BrainOf(x float32) uint16 {
	bits := math.Float32bits(x)
	if x != x {
		return 0x7fff
	}
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}

// TF32Bits are the bits of a float32 that a tf32 has: sign, 8 bits of exponent, 10 of fraction. The others are
// ignored.
const TF32Bits = ^uint32(1<<13 - 1)

// TF32 returns the value of the bits of a tf32.
func TF32(bits uint32) float32 { return math.Float32frombits(bits & TF32Bits) }

// TF32Of returns the bits of the tf32 nearest to x, that farther from zero of two: cvt.rna.tf32.f32. Of a NaN they are
// the greatest ones.
func TF32Of(x float32) uint32 {
	if x != x {
		return 0x7fffffff & TF32Bits
	}
	return (math.Float32bits(x) + 1<<12) & TF32Bits
}

// Small is a format of 8 bits.
type Small struct {
	Fraction int    // bits of its fraction
	Bias     int    // of its exponent
	Greatest uint32 // bits of its greatest number
}

// The two formats (Micikevicius and others, "FP8 formats for deep learning", 2022): the first has no infinities.
var (
	FormatE4M3 = Small{3, 7, 0x7e}
	FormatE5M2 = Small{2, 15, 0x7b}
)

// Step returns the distance of subnormal numbers.
func (f Small) Step() float32 { return float32(math.Ldexp(1, 1-f.Bias-f.Fraction)) }

// Magic returns a number whose neighbours are f.Step() apart, so that its sum with a subnormal number of f is rounded
// as f is.
func (f Small) Magic() float32 { return f.Step() * (1 << 23) }

// Of returns the bits of the number of f nearest to x, the even one of two, and the greatest one where x is beyond it
// or infinite: cvt.rn.satfinite. Of a NaN they are 0x7f.
func (f Small) Of(x float32) uint8 {
	if x != x {
		return 0x7f
	}
	bits := math.Float32bits(x)
	size, sign, cut := bits&0x7fffffff, bits>>31<<7, 23-f.Fraction
	code := (size+(1<<(cut-1)-1)+size>>cut&1)>>cut - uint32(127-f.Bias)<<f.Fraction
	if size < uint32(128-f.Bias)<<23 { // less than the least that is normal
		code = math.Float32bits(math.Float32frombits(size)+f.Magic()) - math.Float32bits(f.Magic())
	}
	return uint8(sign | min(code, f.Greatest))
}

// E4M3 returns the value of the bits of a number with 4 bits of exponent and 3 of fraction.
func E4M3(bits uint8) float32 {
	f, size := FormatE4M3, uint32(bits&0x7f)
	x := float32(size) * f.Step()
	switch {
	case size == 0x7f:
		return float32(math.NaN())
	case size >= 1<<f.Fraction:
		x = math.Float32frombits(size<<(23-f.Fraction) + uint32(127-f.Bias)<<23)
	}
	return math.Float32frombits(math.Float32bits(x) | uint32(bits>>7)<<31)
}
