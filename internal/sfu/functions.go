package sfu

import (
	"math"
	"math/bits"
)

// Function is one of the unit's.
type Function struct {
	Name string // as PTX has it: "rsqrt"
	Of   func(x float32) float32
}

// Functions are all.
var Functions = []Function{{"rcp", Rcp}, {"rsqrt", Rsqrt}, {"sqrt", Sqrt}, {"ex2", Exp2}, {"lg2", Log2}, {"sin", Sin}, {"cos", Cos}}

// Rcp returns 1/x, at most 1 ulp from it.
func Rcp(x float32) float32 {
	b := math.Float32bits(x)
	sign, b := b&signBit, b&^signBit
	switch {
	case b > infinity:
		return nan
	case b == infinity:
		return withSign(0, sign)
	case b == 0:
		return math.Float32frombits(infinity | sign)
	}
	mant, exp := fields(b)
	return withSign(number(rcpTable[mant>>16].interpolate(int64(mant&0xffff), 16), -exp), sign)
}

// Rsqrt returns 1/√x, at most 1.6 ulp from it.
func Rsqrt(x float32) float32 {
	b := math.Float32bits(x)
	switch {
	case b&^signBit == 0:
		return math.Float32frombits(infinity | b)
	case b > infinity: // NaN, or negative
		return nan
	case b == infinity:
		return 0
	}
	s, exp := ofRoot(&rsqrtTable, b)
	return number(s, -exp)
}

// Sqrt returns √x, at most 1.5 ulp from it.
func Sqrt(x float32) float32 {
	b := math.Float32bits(x)
	switch {
	case b&^signBit == 0 || b == infinity:
		return x
	case b > infinity:
		return nan
	}
	return number(ofRoot(&sqrtTable, b))
}

// ofRoot looks up x = y·4^exp, y in [1,4).
func ofRoot(table *[128]segment, b uint32) (sum int64, exp int) {
	mant, exp := fields(b)
	return table[uint32(exp&1)<<6|mant>>17].interpolate(int64(mant&(1<<17-1)), 17), exp >> 1
}

// fraction is how many bits after the point the arguments of Exp2, Sin and Cos have left when their whole part is cut
// off.
const fraction = 30

// Exp2 returns 2 to the power x, at most 1.5 ulp from it.
func Exp2(x float32) float32 {
	switch {
	case x != x:
		return nan
	case x >= 128:
		return math.Float32frombits(infinity)
	case x < -150:
		return 0
	}
	fixed := int64(math.Floor(float64(x) * (1 << fraction)))
	rest := fixed & (1<<fraction - 1)
	s := exp2Table[rest>>(fraction-6)].interpolate(rest&(1<<(fraction-6)-1), fraction-6)
	return number(s, int(fixed>>fraction))
}

// Log2 returns the binary logarithm of x. What it errs by, at most 2^-23, does not shrink with the result: near 1 few
// bits are right.
func Log2(x float32) float32 {
	b := math.Float32bits(x)
	switch {
	case b&^signBit == 0:
		return math.Float32frombits(infinity | signBit)
	case b > infinity:
		return nan
	case b == infinity:
		return x
	}
	mant, exp := fields(b)
	return number(int64(exp)<<sumBits+log2Table[mant>>17].interpolate(int64(mant&(1<<17-1)), 17), 0)
}

// Sin returns the sine of x radians. What it errs by, at most 2^-22.5, does not shrink with the result. From |x| = 2^30
// on the error grows, and beyond 2^57 nothing of x is left.
func Sin(x float32) float32 {
	b := math.Float32bits(x)
	if b&^signBit >= infinity {
		return nan
	}
	s, sign := quarters(quarterTurns(b&^signBit), b&signBit)
	return withSign(s, sign)
}

// Cos returns the cosine of x radians, as Sin does.
func Cos(x float32) float32 {
	b := math.Float32bits(x) &^ signBit
	if b >= infinity {
		return nan
	}
	s, sign := quarters(quarterTurns(b)+1<<fraction, 0)
	return withSign(s, sign)
}

// quarterTurns returns x·2/π modulo 4, with fraction bits after the point, cut.
func quarterTurns(b uint32) uint32 {
	if b == 0 {
		return 0
	}
	const twoByPi = 0xa2f9836e4e44152a // 64 bits after the point
	mant, exp := fields(b)
	hi, lo := bits.Mul64(twoByPi, uint64(mant|1<<23)) // times 2^(exp-23-64)
	switch shift := 87 - fraction - exp; {
	case shift >= 128:
		return 0
	case shift >= 64:
		return uint32(hi >> (shift - 64))
	case shift >= 0:
		return uint32(hi<<(64-shift) | lo>>shift)
	default:
		return uint32(lo << -shift)
	}
}

// quarters returns the size and sign of the sine of q quarter turns.
func quarters(q, sign uint32) (float32, uint32) {
	if q>>(fraction+1)&1 == 1 {
		sign ^= signBit
	}
	t := int64(q & (1<<fraction - 1))
	if q>>fraction&1 == 1 {
		t = 1<<fraction - t
	}
	if t == 1<<fraction {
		return 1, sign
	}
	s := sinTable[t>>(fraction-6)].interpolate(t&(1<<(fraction-6)-1), fraction-6)
	return number(min(max(s, 0), 1<<sumBits), 0), sign
}
