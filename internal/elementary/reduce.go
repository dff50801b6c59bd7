package elementary

import (
	"math"
	"math/bits"
)

// pi/2 in three parts.
const (
	halfPiHi  = 0x1.921fb54442d18p+0
	halfPiMid = 0x1.1a62633145c07p-54
	halfPiLo  = -0x1.f1976b7ed8fbcp-110
	twoOverPi = 0x1.45f306dc9c883p-1
)

// reduceHalfPi writes a finite x as q*pi/2 + r, |r| <= pi/4 and a little, r to 2^-70 of itself. Only the low two bits
// of q count.
func reduceHalfPi(x float64) (r pair, q int64) {
	if math.Abs(x) >= 0x1p27 {
		return reduceLarge(x)
	}
	kf, q := nearest(float64(x * twoOverPi))
	head := math.FMA(-kf, halfPiHi, x) // exact: head is a multiple of 2^-53 below 1
	p := float64(kf * halfPiMid)
	s := twoSum(head, -p)
	s.lo -= math.FMA(kf, halfPiLo, math.FMA(kf, halfPiMid, -p))
	return s, q // after cancellation lo may be a little more than half an ulp of hi, which the series allow
}

// twoOverPiWord is 64 bits of 2/pi after the binary point, with 64 zeros before it. (A table would be memory, which
// kernels lack.)
func twoOverPiWord(i uint64) uint64 {
	switch i {
	case 1:
		return 0xa2f9836e4e441529
	case 2:
		return 0xfc2757d1f534ddc0
	case 3:
		return 0xdb6295993c439041
	case 4:
		return 0xfe5163abdebbc561
	case 5:
		return 0xb7246e3a424dd2e0
	case 6:
		return 0x06492eea09d1921c
	case 7:
		return 0xfe1deb1cb129a73e
	case 8:
		return 0xe88235f52ebb4484
	case 9:
		return 0xe99c7026b45f7e41
	case 10:
		return 0x3991d639835339f4
	case 11:
		return 0x9c845f8bbdf9283b
	case 12:
		return 0x1ff897ffde05980f
	case 13:
		return 0xef2f118b5a0a6d1f
	case 14:
		return 0x6d367ecf27cb09b7
	case 15:
		return 0x4f463f669e5fea2d
	case 16:
		return 0x7527bac7ebe5f17b
	case 17:
		return 0x3d0739f78a5292ea
	case 18:
		return 0x6bfb5fb11f8d5d08
	case 19:
		return 0x56033046fc7b6bab
	}
	return 0
}

// reduceLarge is Payne and Hanek's reduction ("Radian reduction for trigonometric functions", 1983): with x = m*2^e,
// the product of m with the 192 bits of 2/pi that matter, bits worth multiples of 4 left out, is x*2/pi modulo 4 to
// 2^-137.
func reduceLarge(x float64) (r pair, q int64) {
	b := math.Float64bits(math.Abs(x))
	m := b&fractionMask | 1<<52
	first := uint64(int64(b>>52) - 1023 - 52 - 2 + 64) // where the bit of worth 2^(1-e) is
	word, shift := first/64, first%64
	w0 := window(word, shift)
	w1 := window(word+1, shift)
	w2 := window(word+2, shift)

	hi2, lo2 := bits.Mul64(m, w2)
	hi1, lo1 := bits.Mul64(m, w1)
	mid, carry := bits.Add64(hi2, lo1, 0)
	top, _ := bits.Add64(m*w0, hi1, carry)

	q = int64(top >> 62)
	hi := top<<2 | mid>>62
	lo := mid<<2 | lo2>>62
	negative := hi>>63 == 1 // at least one half: the next quadrant, from below
	if negative {
		q++
		hi, lo = ^hi, -lo
		if lo == 0 {
			hi++
		}
	}
	zeros := uint64(bits.LeadingZeros64(hi))
	hi, lo = hi<<zeros|lo>>(64-zeros), lo<<zeros
	unit := pow2(-53 - int64(zeros))
	head := float64(float64(int64(hi>>11)) * unit)
	// 63 bits, so that the conversion is of an int64
	rest := float64(float64(int64((hi<<53|lo>>11)>>1)) * (unit * 0x1p-63))
	fraction := fastSum(head, rest)
	r = fraction.mul(pair{halfPiHi, halfPiMid})
	if negative != (x < 0) {
		r = r.neg()
	}
	if x < 0 {
		q = -q
	}
	return r, q
}

// window is the 64 bits of 2/pi from a bit position on.
func window(word, shift uint64) uint64 {
	return twoOverPiWord(word)<<shift | twoOverPiWord(word+1)>>(64-shift)
}
