package csvtable

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// Writer writes the lines of a table.
type Writer struct {
	Options
	format  *Format
	comma   string
	columns int
	alone   bool      // there is one column: its empty cells are made visible
	special [256]bool // the bytes of which text may need quotes, wherever they are
}

// Cell appends the cell of a row to a line.
type Cell func(line []byte, row int) []byte

// NewWriter returns what writes tables of so many columns; the error says which option is wrong.
func NewWriter(o Options, columns int) (*Writer, error) {
	o.IsDelimited = true
	if err := o.Check(); err != nil {
		return nil, err
	}
	if o.Quote == 0 {
		return nil, errors.New("Quote(0) is for reading: text with delimiters or line ends is written in quotes")
	}
	plain := o
	plain.Thousands, plain.Missing, plain.OnlyMissing, plain.Dates = 0, nil, false, nil
	t := &Writer{Options: o, format: NewFormat(&plain), comma: string(o.Delimiter), columns: columns, alone: columns == 1 || o.Delimiter == ' '}
	for _, b := range []byte("\r\n" + t.comma[:1] + string(o.Quote)) {
		t.special[b] = true
	}
	if t.alone {
		for _, b := range []byte("\t" + string(otherDelimiters)) {
			t.special[b] = true
		}
	}
	return t, nil
}

// Alone reports whether an empty cell would make a line that is not a row, so that a missing value is written as a
// word.
func (t *Writer) Alone() bool { return t.alone }

// writtenCells are the most cells that one processor writes at a time, of a table with many columns.
const writtenCells = 1 << 16

// Write writes a header, if there are names or no columns, and so many rows, in pieces of at most each rows that all
// processors make, in their order. cells returns, for the rows from lo up to hi, what appends the cells of each column;
// these rows it counts from 0.
func (t *Writer) Write(w io.Writer, names []string, rows, each int, cells func(lo, hi int) []Cell) error {
	if names != nil || t.columns == 0 {
		var header []byte
		for _, name := range names {
			header = append(t.name(header, name), t.comma...)
		}
		if _, err := w.Write(t.endLine(header)); err != nil {
			return err
		}
	}
	if t.columns == 0 {
		return nil
	}
	step := max(1, min(each, writtenCells/t.columns))
	texts := make([][]byte, min(2*workers.Count(), (rows+step-1)/step))
	for row := 0; row < rows; row += len(texts) * step {
		workers.Do(len(texts), func(i int) {
			lo := min(row+i*step, rows)
			hi := min(lo+step, rows)
			texts[i] = t.rows(texts[i][:0], cells(lo, hi), hi-lo)
		}, t.Poll)
		for _, text := range texts {
			if _, err := w.Write(text); err != nil {
				return err
			}
		}
	}
	return nil
}

// rows appends the lines of so many rows.
func (t *Writer) rows(text []byte, cells []Cell, rows int) []byte {
	for row := range rows {
		for _, cell := range cells {
			text = append(cell(text, row), t.comma...)
		}
		text = t.endLine(text)
	}
	return text
}

// endLine makes a line end of the delimiter behind the last cell.
func (t *Writer) endLine(text []byte) []byte {
	return append(text[:max(len(text)-len(t.comma), 0)], '\n')
}

// Float appends a number that reads as a float: with a point or an exponent.
func (t *Writer) Float(line []byte, v float64, bits int) []byte {
	from := len(line)
	line = strconv.AppendFloat(line, v, 'g', -1, bits)
	if !bytes.ContainsAny(line[from:], ".eIN") {
		line = append(line, ".0"...)
	}
	if t.Point != '.' {
		if i := bytes.IndexByte(line[from:], '.'); i >= 0 {
			line = append(line[:from+i], append([]byte(string(t.Point)), line[from+i+1:]...)...)
		}
	}
	return line
}

// name appends a name, in quotes where it would be a value or a missing one: these make names of them.
func (t *Writer) name(line []byte, s string) []byte {
	if t.format.typeOf(s) != isWord {
		return t.inQuotes(line, s)
	}
	return t.Text(line, s)
}

// Text appends a cell of text, in quotes where it would be read otherwise without them.
func (t *Writer) Text(line []byte, s string) []byte {
	if s == "" && !t.alone {
		return line
	}
	if t.isPlain(s) && !t.format.IsMissing(s) || !t.needsQuotes(s) {
		return append(line, s...)
	}
	return t.inQuotes(line, s)
}

func (t *Writer) needsQuotes(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	last, _ := utf8.DecodeLastRuneInString(s)
	return t.format.IsMissing(s) || s == `\.` || first == '#' || first == '\ufeff' || unicode.IsSpace(first) || unicode.IsSpace(last) || strings.Contains(s, t.comma) || strings.IndexByte(s, byte(t.Quote)) >= 0 || strings.ContainsAny(s, "\r\n") || t.comma == " " && strings.Contains(s, "\t") || t.alone && strings.ContainsAny(s, string(otherDelimiters))
}

// isPlain reports whether text needs no quotes but for being a missing one, as most; false where that takes a closer
// look.
func (t *Writer) isPlain(s string) bool {
	if s == "" || !isGraphic(s[0]) || s[0] == '#' || s[0] == '\\' || !isGraphic(s[len(s)-1]) {
		return false
	}
	for i := range len(s) {
		if t.special[s[i]] {
			return false
		}
	}
	return true
}

// isGraphic reports whether b is a visible character by itself.
func isGraphic(b byte) bool { return ' ' < b && b < utf8.RuneSelf }

func (t *Writer) inQuotes(line []byte, s string) []byte {
	if strings.IndexByte(s, byte(t.Quote)) < 0 {
		return append(append(append(line, byte(t.Quote)), s...), byte(t.Quote))
	}
	quote := string(t.Quote)
	return append(append(append(line, quote...), strings.ReplaceAll(s, quote, quote+quote)...), quote...)
}
