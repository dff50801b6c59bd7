package arrays

import (
	"bytes"
	"io"
	"math"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
)

// plainLines reads lines of numbers of a piece, each with one for each of width cells: that of cell c of line r goes to
// into[r*line+c*cell].
type plainLines struct {
	into       []float64
	rows       int // how many it has room for
	line, cell int
	width      int
	comma      byte
	// that of cell c is at width-c, and not 0 once there has been a number that is not a sign and digits
	points []byte
	gaps   []byte // that of cell c is at width-c, and not 0 once it was missing
	format *csvFormat
}

// read reads the lines at the beginning of text, the first of which is that row of into. It ends before the first line
// that is any other: with a cell that is not a number, a comment, another number of cells.
func (p *plainLines) read(text []byte, row int) (lines int, rest []byte) {
	d := vector.Decimals{
		Text: unsafe.Pointer(unsafe.SliceData(text)), Comma: int(p.comma), Cells: p.width, Width: p.width,
		Into: unsafe.Pointer(unsafe.SliceData(p.into)), Cell: 8 * p.cell, Line: 8 * p.line, Row: 8 * p.line * row, To: 8 * p.line * row, Lines: p.rows - row,
		Powers: unsafe.Pointer(&powersOf10), Points: unsafe.Pointer(unsafe.SliceData(p.points)),
	}
	vectored := len(text) >= vector.DecimalsBehind+vector.DecimalsAhead
	if vectored {
		d.Last = unsafe.Pointer(&text[len(text)-vector.DecimalsAhead])
	}
	for {
		if vectored && d.At >= vector.DecimalsBehind && d.Lines > 0 {
			d.Read()
		}
		for p.comma != ' ' && d.At < len(text) && text[d.At] == ' ' {
			d.At++
		}
		v, n, whole := decimalAt(text[d.At:])
		end := d.At + n
		if n == 0 || end < len(text) && text[end] == ' ' && p.comma != ' ' {
			v, n, whole = p.cellAt(text[d.At:])
			end = d.At + n
		}
		if end >= len(text) || p.width == 1 && n == 0 { // an empty line is not a row
			break
		}
		last := d.Cells == 1
		if last && text[end] == '\r' && end+1 < len(text) {
			end++
		}
		if last && text[end] != '\n' || !last && text[end] != p.comma {
			break
		}
		if !whole {
			p.points[d.Cells] = 1
		}
		if v != v {
			p.gaps[d.Cells] = 1
		}
		p.into[d.To/8] = v
		d.At = end + 1
		d.Cells--
		d.To += d.Cell
		if last {
			d.Cells = p.width
			d.Row += d.Line
			d.To, d.Begun = d.Row, d.At
			d.Lines--
		}
	}
	return p.rows - row - d.Lines, text[d.Begun:]
}

// cellAt reads the cell at the beginning of text, with how many bytes it has: as many as text where it is not a number
// or has no end. A missing one is as good as whole.
func (p *plainLines) cellAt(text []byte) (v float64, n int, whole bool) {
	for n < len(text) && text[n] != p.comma && text[n] != '\n' && text[n] != '\r' {
		n++
	}
	if n == len(text) || p.comma == ' ' { // several spaces are one
		return 0, len(text), false
	}
	cell := textOf(bytes.TrimSpace(text[:n]))
	if cell == "" && p.width == 1 { // an empty line is not a row
		return 0, len(text), false
	}
	if p.format.isMissing(cell) {
		return math.NaN(), n, true
	}
	v, ok := p.format.number(cell)
	if !ok {
		return 0, len(text), false
	}
	digits, _ := p.format.spelled(cell)
	return v, n, isWhole(digits)
}

// numbers returns the numbers of rows.
func (t *table) numbers(rows *csvRows) ([]float64, error) {
	width := len(t.columns)
	values := make([]float64, 0, rows.lines*width)
	p := plainLines{into: values[:cap(values)], rows: rows.lines, line: width, cell: 1, width: width, comma: byte(rows.comma), points: make([]byte, width+1), gaps: make([]byte, width+1), format: t.format}
	err := t.eachPlain(rows, func(text []byte) (int, []byte) {
		lines, rest := p.read(text, len(values)/width)
		values = values[:len(values)+lines*width]
		return lines, rest
	}, func(row []string) (err error) {
		values, err = t.parse(values, rows.at, row)
		return err
	})
	return values, err
}

// eachPlain is each where plain may read lines, the first of the text that it gets, and returns how many and what
// follows; the line that it refuses is a row. It is asked only about pieces all of whose cells are read, in their
// order.
func (t *table) eachPlain(rows *csvRows, plain func(text []byte) (lines int, rest []byte), f func(row []string) error) error {
	if rows.in != nil || !t.isPlain || rows.comma >= utf8.RuneSelf || len(t.columns) != rows.width || !inOrder(t.columns) || strings.ContainsRune("0123456789.+-eE", rows.comma) {
		return t.each(rows, f)
	}
	for {
		lines, rest := plain(rows.text)
		rows.text = rest
		rows.line += lines
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

// inOrder reports whether columns are the numbers from 0.
func inOrder(columns []int) bool {
	for i, c := range columns {
		if c != i {
			return false
		}
	}
	return true
}

// plainCells is plainLines for a line and columns that are known to be floats, as they then still are, with places of
// the cells.
func plainCells(lists []cellList, text []byte, comma byte) (lines int, rest []byte) {
	rest = text
	missed := false
	for i := range lists {
		c := &lists[i]
		v, n, _ := decimalAt(rest)
		good := n < len(rest) && (n > 0 || len(lists) > 1 && comma != ' ')
		if good {
			var place [2]uint32
			if n > 0 {
				from := uint32(len(c.text) - len(rest))
				place = [2]uint32{from, from + uint32(n)}
			} else {
				v, missed = math.NaN(), true
			}
			c.at, c.numbers = append(c.at, place), append(c.numbers, v)
			end := rest[n]
			rest = rest[n+1:]
			if i == len(lists)-1 {
				if end == '\r' && len(rest) > 0 {
					end, rest = rest[0], rest[1:]
				}
				good = end == '\n'
			} else {
				good = end == comma
			}
			if !good {
				i++
			}
		}
		if !good { // take back what was read of the line
			for k := range lists[:i] {
				c := &lists[k]
				c.at, c.numbers = c.at[:len(c.at)-1], c.numbers[:len(c.numbers)-1]
			}
			return 0, text
		}
	}
	if missed {
		for i := range lists {
			c := &lists[i]
			v := c.numbers[len(c.numbers)-1]
			c.kinds.gone = c.kinds.gone || v != v
		}
	}
	return 1, rest
}

// areNumbers reports whether the cells so far are numbers and nothing else, and places in the piece's text; whole ones
// if that may be, and if float64 has those that were last.
func areNumbers(lists []cellList, whole bool) bool {
	for i := range lists {
		c := &lists[i]
		k := &c.kinds
		if !c.shared || !k.number || !k.some || k.truth || k.date || k.whole && !(whole && isExact(c.numbers[len(c.numbers)-1])) {
			return false
		}
	}
	return true
}

// isExact reports whether v, read from a text that is a whole number, is that number; a missing one is.
func isExact(v float64) bool { return !(math.Abs(v) >= 1<<53) }
