package arrays

import (
	endian "encoding/binary"
	"math"
	"math/bits"
	"unsafe"
)

// maxPlaces is the largest power of ten below 2^64, and how many digits always fit there.
const maxPlaces = 19

var powersOf10 = func() (p [maxPlaces + 1]uint64) {
	p[0] = 1
	for i := range maxPlaces {
		p[i+1] = 10 * p[i]
	}
	return p
}()

// decimal reads a number of at most 19 digits, of which at most 19 are after the point once an exponent has moved it, as 12, -0.5
// or 6.02e3. ok is false for all else: strconv reads that, a few times slower.
//
// The result is the float64 nearest to it and the even one of two, as strconv.ParseFloat has it: its digits and the power of
// ten that divides them are integers below 2^64, and one division gives 63 or 64 bits of the quotient and whether something is left.
func decimal(s string) (v float64, ok bool) {
	text := unsafe.Slice(unsafe.StringData(s), len(s))
	neg := false
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		neg = text[0] == '-'
		text = text[1:]
	}
	n, first, text := leadingDigits(0, text)
	places, all := 0, first
	if len(text) > 0 && text[0] == '.' {
		n, places, text = leadingDigits(n, text[1:])
		all += places
	}
	if all == 0 || all > maxPlaces {
		return 0, false
	}
	if len(text) > 0 {
		e, good := exponent(text)
		if !good {
			return 0, false
		}
		places -= e
	}
	switch {
	case places < -maxPlaces || places > maxPlaces:
		return 0, false
	case places <= 0:
		high, low := bits.Mul64(n, powersOf10[-places])
		if high != 0 {
			return 0, false
		}
		v = float64(low)
	case n != 0:
		v = quotient(n, powersOf10[places])
	}
	if neg {
		v = -v
	}
	return v, true
}

// quotient returns the float64 nearest to n/d, neither of which is 0.
func quotient(n, d uint64) float64 {
	up, down := bits.LeadingZeros64(n), bits.LeadingZeros64(d)
	n <<= up
	q, left := bits.Div64(n>>1, n<<63, d<<down) // n·2^63 / d, 2^62 at least
	if left != 0 {
		q |= 1 // far below the 53 bits that count, it breaks ties
	}
	return float64(q) * math.Float64frombits(uint64(1023-63+down-up)<<52)
}

// leadingDigits appends the digits at the beginning of text to n, and returns how many there are; n is wrong when it does not hold them.
func leadingDigits(n uint64, text []byte) (uint64, int, []byte) {
	was := len(text)
	for len(text) >= 8 {
		// Eight at a time, as D. Lemire, "Number parsing at a gigabyte per second", 2021, section 3: neighbours are joined to
		// numbers of two, four and eight digits.
		x := endian.LittleEndian.Uint64(text)
		if x&0xF0F0F0F0F0F0F0F0|(x+0x0606060606060606)&0xF0F0F0F0F0F0F0F0>>4 != 0x3333333333333333 {
			break
		}
		x = x & 0x0F0F0F0F0F0F0F0F * (10<<8 + 1) >> 8
		x = x & 0x00FF00FF00FF00FF * (100<<16 + 1) >> 16
		x = x & 0x0000FFFF0000FFFF * (10000<<32 + 1) >> 32
		n = n*100_000_000 + x
		text = text[8:]
	}
	for len(text) > 0 && text[0]-'0' <= 9 {
		n = 10*n + uint64(text[0]-'0')
		text = text[1:]
	}
	return n, was - len(text), text
}

// exponent reads what follows the digits: e, a sign or none, one to three digits.
func exponent(text []byte) (e int, ok bool) {
	if text[0] != 'e' && text[0] != 'E' {
		return 0, false
	}
	text = text[1:]
	neg := false
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		neg = text[0] == '-'
		text = text[1:]
	}
	if len(text) == 0 || len(text) > 3 {
		return 0, false
	}
	for _, c := range text {
		if c-'0' > 9 {
			return 0, false
		}
		e = 10*e + int(c-'0')
	}
	if neg {
		e = -e
	}
	return e, true
}
