package csvtable

import (
	endian "encoding/binary"
	"math"
	"math/bits"
	"unsafe"
)

// maxPlaces is the largest power of ten below 2^64, and how many digits always fit there.
const maxPlaces = 19

// longestDecimal is about how many bytes are read as one number, leading zeros among them.
const longestDecimal = 30

// tablePlaces is how many digits may be after the point once an exponent has moved it, and exactPlaces up to where
// powers of ten are float64.
const tablePlaces, exactPlaces = 40, 22

// powersOf10 are 10^k. Divisions by them are multiplications: reciprocal has the first 64 bits of 1/10^k, the highest
// of which is set, and scale is the exponent's field of the float64 that puts the point where it belongs; see quotient.
// Package vector knows its layout.
var powersOf10 = func() (p [tablePlaces + 1]struct {
	whole             uint64  // up to maxPlaces
	float             float64 // up to exactPlaces
	reciprocal, scale uint64
}) {
	p[0].whole, p[0].float = 1, 1
	share := [4]uint64{1 << 63} // 2^255/10^k without its fraction, the highest bits first
	for k := 1; k <= tablePlaces; k++ {
		if k <= maxPlaces {
			p[k].whole = 10 * p[k-1].whole
		}
		if k <= exactPlaces {
			p[k].float = 10 * p[k-1].float
		}
		var left uint64
		for i := range share {
			share[i], left = bits.Div64(left, share[i], 10)
		}
		top := 0
		for share[top] == 0 {
			top++
		}
		zeros := bits.LeadingZeros64(share[top])
		p[k].reciprocal = share[top]<<zeros | share[top+1]>>(64-zeros)
		p[k].scale = uint64(1023+2-64*top-zeros) << 52
	}
	return p
}()

// decimal reads a number of at most 19 digits, leading zeros not counted, as 12, -0.5 or 6.02e3; see tablePlaces and
// what is larger than 2^64. ok is false for all else: strconv reads that, a few times slower.
func decimal(s string) (v float64, ok bool) {
	v, n, _ := decimalAt(unsafe.Slice(unsafe.StringData(s), len(s)))
	return v, n > 0 && n == len(s)
}

// decimalAt is decimal of the number at the beginning of text, with all the bytes that may belong to it; n is how many
// these are, 0 where decimal is false. whole is true where they are digits and a sign alone.
//
// The result is the float64 nearest to the number and the even one of two, as strconv.ParseFloat has it.
func decimalAt(text []byte) (v float64, n int, whole bool) {
	// A sign and how many digits there are is as good as random in many tables: a branch that is guessed wrong takes
	// longer than eight digits.
	x := digits8(text, 0)
	minus := (x&0xFF ^ '-' ^ '0' - 1) >> 63
	sign := minus | (x&0xFF^'+'^'0'-1)>>63
	others := notDigits(x) &^ (sign << 7)
	x &^= sign * 0xFF
	var digits uint64
	for others == 0 {
		digits = digits*100_000_000 + join8(x)
		if n += 8; n > maxPlaces+1 {
			return 0, 0, false
		}
		x = digits8(text, n)
		others = notDigits(x)
	}
	k := bits.TrailingZeros64(others) / 8
	digits = digits*powersOf10[k].whole + join8(x<<8<<(56-8*k))
	n += k
	all, places := n-int(sign), 0
	if all > maxPlaces {
		return 0, 0, false
	}
	whole = true
	if n < len(text) && text[n] == '.' {
		whole = false
		n++
		begin := n
		x = digits8(text, n)
		for others = notDigits(x); others == 0; others = notDigits(x) {
			digits = digits*100_000_000 + join8(x)
			if n += 8; n > longestDecimal {
				return 0, 0, false
			}
			x = digits8(text, n)
		}
		k := bits.TrailingZeros64(others) / 8
		digits = digits*powersOf10[k].whole + join8(x<<8<<(56-8*k))
		n += k
		places = n - begin
		if all += places; all > maxPlaces && all-leadingZeros(text[sign:]) > maxPlaces {
			return 0, 0, false
		}
	}
	if all == 0 {
		return 0, 0, false
	}
	if n < len(text) && text[n]|0x20 == 'e' {
		e, more := exponent(text[n+1:])
		if more == 0 || places-e < -maxPlaces || places-e > tablePlaces {
			return 0, 0, false
		}
		whole = false
		places -= e
		n += 1 + more
	}
	switch {
	case places < 0:
		high, low := bits.Mul64(digits, powersOf10[-places].whole)
		if high != 0 {
			return 0, 0, false
		}
		v = float64(low)
	case all <= 15 && places <= exactPlaces: // both are exact, and the division rounds once
		v = float64(int64(digits)) / powersOf10[places].float
	case places == 0:
		v = float64(digits)
	case digits != 0:
		q, ok := quotient(digits, places)
		switch {
		case ok:
			v = q
		case places <= maxPlaces:
			v = divided(digits, powersOf10[places].whole)
		default:
			return 0, 0, false
		}
	}
	return math.Float64frombits(math.Float64bits(v) | minus<<63), n, whole
}

// leadingZeros counts zeros at the beginning of text, before and after a point.
func leadingZeros(text []byte) (n int) {
	for _, c := range text {
		if c == '0' {
			n++
		} else if c != '.' {
			break
		}
	}
	return n
}

// quotient returns the float64 nearest to n/10^places, neither of which is 0, nor places; or not ok, for one in
// hundreds.
//
// With n moved up to its highest bit, the product of n and the reciprocal has the first 62 bits of the quotient or
// more, one less in the last place where the reciprocal's missing bits add to it. Something is always left below, as
// the reciprocal is not exact: that breaks ties. Missing bits matter only where the next integer ends with nine zeros,
// as those do that lie between two float64.
func quotient(n uint64, places int) (v float64, ok bool) {
	p := &powersOf10[places]
	up := bits.LeadingZeros64(n)
	q, _ := bits.Mul64(n<<up, p.reciprocal)
	if q&0x1FF == 0x1FF {
		return 0, false
	}
	return float64(int64(q>>1|1)) * math.Float64frombits(p.scale-uint64(up)<<52), true
}

// divided returns the float64 nearest to n/d, neither of which is 0: one division gives 63 or 64 bits of the quotient
// and whether something is left.
func divided(n, d uint64) float64 {
	up, down := bits.LeadingZeros64(n), bits.LeadingZeros64(d)
	n <<= up
	q, left := bits.Div64(n>>1, n<<63, d<<down) // n·2^63 / d, 2^62 at least
	if left != 0 {
		q |= 1 // far below the 53 bits that count, it breaks ties
	}
	return float64(q) * math.Float64frombits(uint64(1023-63+down-up)<<52)
}

// digits8 returns eight bytes from n on, of which '0' to '9' are 0 to 9 and no others are; behind the text there are
// others.
func digits8(text []byte, n int) uint64 {
	if n+8 <= len(text) {
		return endian.LittleEndian.Uint64(text[n:]) ^ zeros8
	}
	return last8(text, n) ^ zeros8
}

const zeros8 = 0x3030303030303030

// last8 returns what follows n, and zeros.
func last8(text []byte, n int) (x uint64) {
	if had := len(text) - 8; had >= 0 {
		return endian.LittleEndian.Uint64(text[had:]) >> (8 * (n - had))
	}
	for i, c := range text[n:] {
		x |= uint64(c) << (8 * i)
	}
	return x
}

// notDigits has the highest bit of the first byte above 9, and no bit below it. Of bytes after that it says nothing.
func notDigits(x uint64) uint64 { return (x + 0x7676767676767676 | x) & 0x8080808080808080 }

// join8 returns the number of eight digits, the first in the lowest byte. As D. Lemire, "Number parsing at a gigabyte
// per second", 2021, section 3: neighbours are joined to numbers of two, four and eight digits.
func join8(x uint64) uint64 {
	x = x * (10<<8 + 1) >> 8 & 0x00FF00FF00FF00FF
	x = x * (100<<16 + 1) >> 16 & 0x0000FFFF0000FFFF
	return x * (10000<<32 + 1) >> 32
}

// exponent reads what follows an e: a sign or none, one to three digits; n is how many bytes these are, 0 for all else.
func exponent(text []byte) (e, n int) {
	neg := len(text) > 0 && text[0] == '-'
	if neg || len(text) > 0 && text[0] == '+' {
		n = 1
	}
	begin := n
	for n < len(text) && text[n]-'0' <= 9 {
		if n == begin+3 {
			return 0, 0
		}
		e = 10*e + int(text[n]-'0')
		n++
	}
	if n == begin {
		return 0, 0
	}
	if neg {
		e = -e
	}
	return e, n
}
