package csvtable

import (
	"bytes"
	endian "encoding/binary"
	"io"
	"math/bits"
	"unicode/utf8"
)

// cellBlock is where the cells of some lines are in a piece's text: those of a line one behind the other.
type cellBlock struct {
	text   []byte // of the piece
	bounds [][2]uint32
	width  int // cells in a line
	lines  int
}

// blockCells is about how many cells a block has: few enough for the fastest cache.
const blockCells = 2048

func newCellBlock(rows *rowReader) *cellBlock {
	lines := max(1, min(blockCells/max(rows.width, 1), rows.lines))
	return &cellBlock{text: rows.all, width: rows.width, bounds: make([][2]uint32, lines*rows.width)}
}

// most is how many lines it has room for.
func (b *cellBlock) most() int { return len(b.bounds) / b.width }

// cut finds the cells of as many lines at the beginning of rows.text as there is room for, and takes them from there.
// It ends before the first line that needs more thought, as rowReader.next gives it: one with another number of cells,
// a comment, one without an end. Eight bytes are looked at at a time: those that are what separates cells have their
// highest bit in mask.
func (b *cellBlock) cut(rows *rowReader) {
	const ones = 0x0101010101010101
	text, isSpaced := b.text, rows.comma == ' '
	comma, other, newline := ones*uint64(rows.comma), ones*uint64(rows.comma), ones*uint64('\n')
	if isSpaced {
		other = ones * uint64('\t')
	}
	careful := b.width == 1 || rows.comment != ""
	at := len(text) - len(rows.text)
	begin, line, count := at, at, 0 // where this cell and this line begin, and how many cells there are
	lineEnds := b.width             // count at the end of this line
	b.lines = 0
scan:
	for at < len(text) {
		var mask uint64
		if at+8 <= len(text) {
			x := endian.LittleEndian.Uint64(text[at:])
			mask = zeroBytes(x^comma) | zeroBytes(x^newline)
			if isSpaced {
				mask |= zeroBytes(x ^ other)
			}
		} else {
			x := last8(text, at)
			mask = (zeroBytes(x^comma) | zeroBytes(x^newline) | zeroBytes(x^other)) & (1<<(8*(len(text)-at)) - 1)
		}
		for ; mask != 0; mask &= mask - 1 {
			end := at + bits.TrailingZeros64(mask)/8
			next := end + 1
			if text[end] != '\n' {
				if isSpaced && end == begin { // one of several blanks
					begin = next
					continue
				}
				if count+1 >= lineEnds {
					if !isSpaced || count == lineEnds {
						break scan
					}
				}
				b.bounds[count] = [2]uint32{uint32(begin), uint32(end)}
				count, begin = count+1, next
				continue
			}
			if end > begin && text[end-1] == '\r' {
				end--
			}
			if !isSpaced || end > begin {
				if count == lineEnds {
					break scan
				}
				b.bounds[count] = [2]uint32{uint32(begin), uint32(end)}
				count++
			}
			if count != lineEnds || careful && rows.isOdd(text[line:end]) {
				break scan
			}
			b.lines++
			begin, line, lineEnds = next, next, lineEnds+b.width
			if lineEnds > len(b.bounds) {
				break scan
			}
		}
		at += 8
	}
	rows.text = text[line:]
	rows.line += b.lines
}

// takeBack gives back the lines of a block from that one on.
func (b *cellBlock) takeBack(rows *rowReader, line int) {
	rows.text = b.text[b.bounds[line*b.width][0]:]
	rows.line -= b.lines - line
}

// zeroBytes has the highest bit of each byte of x that is zero.
func zeroBytes(x uint64) uint64 {
	const low = 0x7f7f7f7f7f7f7f7f
	return ^((x&low + low) | x | low)
}

// isOdd reports whether a line with as many cells as a row may be none, or have a comment.
func (r *rowReader) isOdd(line []byte) bool {
	return isBlank(line, r.comma) || r.comment != "" && bytes.Contains(line, []byte(r.comment))
}

// eachLine calls f with the rows of a piece, or with some of those that are not in pieces, but for the lines that plain
// takes from the beginning of rows.text, where it may.
func (t *table) eachLine(rows *rowReader, plain func(), f func(row []string) error) error {
	if rows.in != nil || rows.comma >= utf8.RuneSelf || rows.width == 0 {
		return t.each(rows, f)
	}
	for {
		plain()
		row, err := rows.next()
		if err == io.EOF {
			rows.ended = true
			return nil
		} else if err != nil {
			return err
		}
		if err := f(row); err != nil {
			return err
		}
	}
}
