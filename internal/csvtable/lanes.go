package csvtable

import (
	endian "encoding/binary"
	"math"
	"math/bits"

	"github.com/arrayrepl/arrayrepl/internal/calendar"
)

// addBlock appends the cells of a column of a block. What the column has been so far says how to read them; a cell that
// is anything else is added by itself, after which the column may be another.
func (c *Cells) addBlock(f *Format, b *cellBlock, column int) {
	for line := 0; line < b.lines; {
		switch {
		case c.kinds.typed:
			line = c.addPlaces(b, column, line)
		case c.held == holdsNothing && c.isText():
			line = c.addTexts(f, b, column, line)
		case c.held == holdsGone:
			line = c.addGaps(b, column, line)
		case c.held == holdsWhole && f.isPlain && c.isNumber():
			line = c.addWhole(b, column, line)
		case c.held == holdsFloats && f.isPlain && c.isNumber() && !c.kinds.whole:
			line = c.addFloats(b, column, line)
		case c.held == holdsDates && f.dates == nil && c.kinds.unit == calendar.Day:
			line = c.addDays(b, column, line)
		case c.held == holdsTruths:
			line = c.addTruths(b, column, line)
		}
		if line < b.lines {
			at := b.bounds[line*b.width+column]
			c.add(f, textOf(trimmed(b.text[at[0]:at[1]])), false)
			line++
		}
	}
}

// addPlaces appends cells about which nothing else is asked.
func (c *Cells) addPlaces(b *cellBlock, column, line int) int {
	for ; line < b.lines; line++ {
		from, to := trimmedAt(b.text, b.bounds[line*b.width+column])
		c.at = append(c.at, [2]uint32{from, to})
	}
	return line
}

// trimmedAt is trimmed for a place; what is empty is at none.
func trimmedAt(text []byte, at [2]uint32) (from, to uint32) {
	from, to = at[0], at[1]
	if from == to {
		return 0, 0
	}
	if first, last := text[from], text[to-1]; first <= ' ' || last <= ' ' || first >= 0x80 || last >= 0x80 {
		cell := trimmed(text[from:to])
		if len(cell) == 0 {
			return 0, 0
		}
		from = uint32(cap(text) - cap(cell)) // it is a part of the text
		to = from + uint32(len(cell))
	}
	return from, to
}

// addTexts appends cells of a column that is text already.
func (c *Cells) addTexts(f *Format, b *cellBlock, column, line int) int {
	gone, places := c.kinds.gone, c.at
	for ; line < b.lines; line++ {
		from, to := trimmedAt(b.text, b.bounds[line*b.width+column])
		if !gone && f.IsMissing(textOf(b.text[from:to])) {
			gone = true
		}
		places = append(places, [2]uint32{from, to})
	}
	c.kinds.gone, c.at = gone, places
	return line
}

// addGaps appends empty cells.
func (c *Cells) addGaps(b *cellBlock, column, line int) int {
	return c.addValues(b, column, line, notHeld, func(at [2]uint32) (v int64, ok bool) { return notHeld, false })
}

// addValues appends empty cells, whose value is gap, and those of which value makes one.
func (c *Cells) addValues(b *cellBlock, column, line int, gap int64, value func(at [2]uint32) (v int64, ok bool)) int {
	places, values, gone := c.at, c.values, c.kinds.gone
	for ; line < b.lines; line++ {
		at := b.bounds[line*b.width+column]
		v, ok := gap, true
		if at[0] == at[1] {
			at, gone = [2]uint32{}, true
		} else if v, ok = value(at); !ok {
			break
		}
		places, values = append(places, at), append(values, v)
	}
	c.at, c.values, c.kinds.gone = places, values, gone
	return line
}

// addWhole appends whole numbers that int64 has.
func (c *Cells) addWhole(b *cellBlock, column, line int) int {
	places, values, kinds := c.at, c.values, c.kinds
	for ; line < b.lines; line++ {
		at := b.bounds[line*b.width+column]
		v, ok := int64(notHeld), true
		if at[0] == at[1] {
			at, kinds.gone = [2]uint32{}, true
		} else if v, ok = wholeAt(b.text, int(at[0]), int(at[1])); !ok {
			break
		} else if v < 0 {
			kinds.negative = true
		}
		places, values = append(places, at), append(values, v)
	}
	c.at, c.values, c.kinds = places, values, kinds
	return line
}

// wholeAt reads a whole number between two places, if it is one and its value all that there is to it: not -0, and not
// notHeld.
func wholeAt(text []byte, from, to int) (v int64, ok bool) {
	minus := text[from] == '-'
	if minus {
		from++
	}
	var n uint64
	switch size := to - from; {
	case size <= 0 || size > maxPlaces:
		return 0, false
	case size <= 8:
		x := digits8(text, from) << (64 - 8*size) // zeros in front
		if notDigits(x) != 0 {
			return 0, false
		}
		n = join8(x)
	default:
		x := digits8(text, to-8)
		rest := digits8(text, max(from, to-16))
		if size < 16 {
			rest <<= 128 - 8*size
		}
		if notDigits(x)|notDigits(rest) != 0 {
			return 0, false
		}
		n = join8(rest)*100_000_000 + join8(x)
		for i := from; i < to-16; i++ {
			d := text[i] - '0'
			if d > 9 {
				return 0, false
			}
			n += uint64(d) * powersOf10[to-1-i].whole
		}
	}
	if n > math.MaxInt64 || minus && n == 0 {
		return 0, false
	}
	if v = int64(n); minus {
		v = -v
	}
	return v, true
}

// addFloats appends numbers.
func (c *Cells) addFloats(b *cellBlock, column, line int) int {
	return c.addValues(b, column, line, gapBits, func(at [2]uint32) (int64, bool) {
		v, ok := numberAt(b.text, int(at[0]), int(at[1]))
		return int64(math.Float64bits(v)), ok
	})
}

// numberAt is decimal of the text between two places. A number of up to 16 bytes is taken as a whole, the last of them
// as the highest of two words, and what stands before its point moves up by one place.
func numberAt(text []byte, from, to int) (v float64, ok bool) {
	const ones, point = 0x0101010101010101, '.' ^ '0'
	minus := int(bit(text[from] == '-'))
	n := to - from - minus
	if n <= 0 || n > 16 || to < 16 {
		v, n, _ := decimalAt(text[from:])
		return v, n > 0 && n == to-from
	}
	high := endian.LittleEndian.Uint64(text[to-8:]) ^ zeros8
	low := endian.LittleEndian.Uint64(text[to-16:]) ^ zeros8
	if n < 8 {
		high &= ^uint64(0) << (64 - 8*n)
		low = 0
	} else {
		low &= ^uint64(0) << (128 - 8*n)
	}
	places := 0
	if at := zeroBytes(high ^ ones*point); at != 0 {
		below := at&-at>>7 - 1 // the bits below those of the point
		places = bits.LeadingZeros64(below+1) / 8
		high, low = high&^(below|0xff*(below+1))|high&below<<8|low>>56, low<<8
		n--
	} else if at := zeroBytes(low ^ ones*point); at != 0 {
		below := at&-at>>7 - 1
		places = 8 + bits.LeadingZeros64(below+1)/8
		low = low&^(below|0xff*(below+1)) | low&below<<8
		n--
	}
	if n == 0 || notDigits(high)|notDigits(low) != 0 {
		v, n, _ := decimalAt(text[from:])
		return v, n > 0 && n == to-from
	}
	// at most 15 digits before a power of ten are exact as it is, and the division rounds once
	v = float64(join8(low)*100_000_000+join8(high)) / powersOf10[places].float
	return math.Float64frombits(math.Float64bits(v) | uint64(minus)<<63), true
}

// addTruths appends bools.
func (c *Cells) addTruths(b *cellBlock, column, line int) int {
	return c.addValues(b, column, line, notHeld, func(at [2]uint32) (int64, bool) {
		v, ok := Truth(textOf(b.text[at[0]:at[1]]))
		return int64(bit(v)), ok
	})
}

// addDays appends dates without a time of the day.
func (c *Cells) addDays(b *cellBlock, column, line int) int {
	return c.addValues(b, column, line, notHeld, func(at [2]uint32) (int64, bool) {
		if at[1]-at[0] != 10 {
			return 0, false
		}
		return isoDay(textOf(b.text[at[0]:at[1]]))
	})
}

// isoDay reads a date like 2006-01-02, of ten bytes, as days from 1970.
func isoDay(s string) (days int64, ok bool) {
	text := []byte(s)
	// YYYY-MM-: the digits have their places of a number of eight digits, 2006-01-02 as 20060102
	x := endian.LittleEndian.Uint64(text)
	if x&0xff0000ff00000000 != '-'<<56|'-'<<32 {
		return 0, false
	}
	x = x&0x00000000ffffffff | x>>8&0x0000ffff00000000 | uint64(text[8])<<48 | uint64(text[9])<<56
	if x ^= zeros8; notDigits(x) != 0 {
		return 0, false
	}
	n := int64(join8(x))
	y, m, d := n/10_000, n/100%100, n%100
	if m < 1 || m > 12 || d < 1 || d > 28 && d > daysIn(y, m) {
		return 0, false
	}
	return calendar.DaysOfMonth((y-1970)*12+m-1) + d - 1, true
}

// daysIn is how many days a month has.
func daysIn(y, m int64) int64 {
	return calendar.DaysOfMonth((y-1970)*12+m) - calendar.DaysOfMonth((y-1970)*12+m-1)
}
