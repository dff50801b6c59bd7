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

// reduceHalfPi writes a finite x as q*pi/2 + r, |r| <= pi/4 and a little, r to 2^-70 of itself. Only the low two bits of q count.
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

// twoOverPiBits is 2/pi after the binary point, and 64 zeros before it.
var twoOverPiBits = [...]uint64{0,
	0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
	0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
	0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
	0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
}

// reduceLarge is Payne and Hanek's reduction ("Radian reduction for trigonometric functions", 1983): with x = m*2^e, the product of
// m with the 192 bits of 2/pi that matter, bits worth multiples of 4 left out, is x*2/pi modulo 4 to 2^-137.
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
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
	}
	zeros := uint64(bits.LeadingZeros64(hi))
	hi, lo = hi<<zeros|lo>>(64-zeros), lo<<zeros
	unit := pow2(-53 - int64(zeros))
	head := float64(float64(int64(hi>>11)) * unit)
	rest := float64(float64(int64((hi<<53|lo>>11)>>1)) * (unit * 0x1p-63)) // 63 bits, so that the conversion is of an int64
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
	return twoOverPiBits[word]<<shift | twoOverPiBits[word+1]>>(64-shift)
}
