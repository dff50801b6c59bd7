package csvtable

import (
	"io"
	"math"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// plainLines reads lines of numbers of a piece, in one pass by a vector loop where there is one. Each line has a number
// for each of width cells: that of cell c of line r goes to into[r*line+c*cell].
type plainLines struct {
	into       []float64
	rows       int // how many it has room for
	line, cell int
	width      int
	comma      byte
	// that of cell c is at width-c, and not 0 once there has been a number that is not a sign and digits
	points []byte
	gaps   []byte // that of cell c is at width-c, and not 0 once it was missing
	format *Format
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
		for d.At < len(text) && text[d.At] == ' ' {
			d.At++
		}
		v, n, whole := decimalAt(text[d.At:])
		end := d.At + n
		if n == 0 || end < len(text) && text[end] == ' ' {
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
	if n == len(text) {
		return 0, len(text), false
	}
	cell := textOf(trimmed(text[:n]))
	if cell == "" && p.width == 1 { // an empty line is not a row
		return 0, len(text), false
	}
	if p.format.IsMissing(cell) {
		return math.NaN(), n, true
	}
	v, ok := p.format.Number(cell)
	if !ok {
		return 0, len(text), false
	}
	digits, _ := p.format.Spelled(cell)
	return v, n, IsWhole(digits)
}

// newPlainLines reads all the columns of a piece; line and cell say where their numbers go, see plainLines.
func (t *table) newPlainLines(rows *rowReader, into []float64, line, cell int) plainLines {
	return plainLines{into: into, rows: rows.lines, line: line, cell: cell, width: rows.width, comma: byte(rows.comma), points: make([]byte, rows.width+1), gaps: make([]byte, rows.width+1), format: t.format}
}

// readInto appends the lines at the beginning of rows to lists of numbers, whose values are parts of p.into.
func (p *plainLines) readInto(lists []Cells, rows *rowReader) {
	had := len(lists[0].values)
	for i := range lists {
		if c := &lists[i]; c.held != holdsFloats {
			c.asFloats()
		}
	}
	lines, rest := p.read(rows.text, had)
	rows.text = rest
	rows.line += lines
	for i := range lists {
		c := &lists[i]
		c.values, c.forgotten = c.values[:had+lines], c.forgotten || lines > 0
		c.kinds.whole = c.kinds.whole && p.points[len(lists)-i] == 0
		c.kinds.gone = c.kinds.gone || p.gaps[len(lists)-i] != 0
	}
}

// isPlain reports whether plainLines reads the lines of a piece.
func (t *table) isPlain(rows *rowReader) bool {
	return rows.in == nil && t.format.isPlain && rows.comma < utf8.RuneSelf && !strings.ContainsRune("0123456789.+-eE ", rows.comma) && len(t.columns) == rows.width && inOrder(t.columns)
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

// numbers returns the numbers of rows.
func (t *table) numbers(rows *rowReader) ([]float64, error) {
	width := len(t.columns)
	values := make([]float64, 0, rows.lines*width)
	plain := func() {
		block := newCellBlock(rows)
		for block.cut(rows); block.lines > 0; block.cut(rows) {
			lines := 0
			if values, lines = t.blockNumbers(values, block); lines < block.lines {
				block.takeBack(rows, lines)
				return
			}
		}
	}
	if t.isPlain(rows) {
		p := t.newPlainLines(rows, values[:cap(values)], width, 1)
		plain = func() {
			lines, rest := p.read(rows.text, len(values)/width)
			values = values[:len(values)+lines*width]
			rows.text = rest
			rows.line += lines
		}
	}
	err := t.eachLine(rows, plain, func(row []string) (err error) {
		values, err = t.parse(values, rows.at, row)
		return err
	})
	return values, err
}

// blockNumbers appends the numbers of a block, up to the first line with something else.
func (t *table) blockNumbers(values []float64, b *cellBlock) (all []float64, lines int) {
	for ; lines < b.lines; lines++ {
		cells, had := b.bounds[lines*b.width:], len(values)
		for _, column := range t.columns {
			at := cells[column]
			v, n := math.NaN(), 0
			if t.format.isPlain {
				v, n, _ = decimalAt(b.text[at[0]:])
			}
			if n == 0 || n != int(at[1]-at[0]) {
				cell, ok := textOf(trimmed(b.text[at[0]:at[1]])), true
				if v = math.NaN(); !t.format.IsMissing(cell) {
					v, ok = t.format.Number(cell)
				}
				if !ok {
					return values[:had], lines
				}
			}
			values = append(values, v)
		}
	}
	return values, lines
}

// Numbers are those of a table, in pieces of whole rows.
type Numbers struct {
	Rows, Width int
	pieces      [][]float64
	poll        func()
}

// ReadNumbers reads a table of numbers, missing ones as NaN, in which lines that begin with # are comments where
// nothing else is said of them and all columns are read.
func ReadNumbers(in io.Reader, o Options) (Numbers, Report, error) {
	if o.Comment == nil && len(o.Columns) == 0 && o.Delimiter != '#' && o.Quote != '#' {
		hash := "#"
		o.Comment, o.WholeComments = &hash, true
	}
	n, count := Numbers{poll: o.Poll}, 0
	t, err := readTable(in, o, (*table).numbers, func(values []float64) {
		n.pieces = append(n.pieces, values)
		count += len(values)
	})
	if err != nil {
		return Numbers{}, Report{}, err
	}
	n.Width = len(t.columns)
	n.Rows = count / max(n.Width, 1)
	return n, t.found(), nil
}

// Into copies the numbers to into, which has room for Rows·Width, row by row. Processors share them.
func (n Numbers) Into(into []float64) {
	parts := make([][]float64, len(n.pieces))
	for i, p := range n.pieces {
		parts[i], into = into[:len(p)], into[len(p):]
	}
	workers.Do(len(parts), func(i int) { copy(parts[i], n.pieces[i]) }, n.poll)
}
