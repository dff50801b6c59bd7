package frames

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/replace"
	"github.com/arrayrepl/arrayrepl/internal/workers"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// pieceRows is how many rows one processor writes at a time, some milliseconds of work; tests have fewer.
var pieceRows = 1 << 13

// Write writes t as comma-separated values, with tabs when path ends in .tsv, with a header; or as [arrays.SaveArrow] does when it
// ends in .arrow, .arrows or .feather. A file that is there is replaced when all is written, not before. In text numbers get as many
// digits as say them exactly, missing values an empty cell.
func (t *Table) Write(path string) error {
	switch filepath.Ext(path) {
	case ".arrow", ".arrows", ".feather":
		return np.SaveArrow(path, t.names, t.columns)
	}
	comma := byte(',')
	if strings.HasSuffix(path, ".tsv") {
		comma = '\t'
	}
	if err := replace.File(path, false, func(w io.Writer) error { return t.write(w, comma) }); err != nil {
		return fmt.Errorf("frames.Write: %w", err)
	}
	return nil
}

// write writes pieces of rows, made by all processors, in their order.
func (t *Table) write(w io.Writer, comma byte) error {
	np.Eval(t.columns...)
	columns := make([]*arrays.Array, len(t.columns))
	var header []byte
	for i, c := range t.columns {
		header = append(appendText(header, t.names[i], comma), comma)
		columns[i] = c.Array()
	}
	if _, err := w.Write(endLine(header)); err != nil {
		return err
	}
	texts := make([][]byte, 2*workers.Count())
	for row := 0; row < t.rows; row += len(texts) * pieceRows {
		workers.Do(len(texts), func(i int) {
			lo := min(row+i*pieceRows, t.rows)
			texts[i] = appendRows(texts[i][:0], columns, lo, min(lo+pieceRows, t.rows), comma)
		}, arrays.Poll)
		for _, text := range texts {
			if _, err := w.Write(text); err != nil {
				return err
			}
		}
	}
	return nil
}

// appendRows appends the lines of rows lo to hi.
func appendRows(text []byte, columns []*arrays.Array, lo, hi int, comma byte) []byte {
	cells := make([]func(line []byte, row int) []byte, len(columns))
	for i, x := range columns {
		cells[i] = exact(x.At(arrays.S(lo, hi)), comma)
	}
	for row := range hi - lo {
		for _, cell := range cells {
			text = append(cell(text, row), comma)
		}
		text = endLine(text)
	}
	return text
}

// endLine makes a line end of the comma behind the last cell.
func endLine(text []byte) []byte {
	if len(text) == 0 { // a table without columns
		return append(text, '\n')
	}
	text[len(text)-1] = '\n'
	return text
}

// exact returns what appends the elements of x so that [Read] gives them back.
func exact(x *arrays.Array, comma byte) func(line []byte, row int) []byte {
	gone := missing(x).Bools()
	var cell func(line []byte, row int) []byte
	switch d := x.DType(); {
	case d.IsString():
		v := x.Strings()
		return func(line []byte, row int) []byte { return appendText(line, v[row], comma) }
	case d.IsBool():
		v := x.Bools()
		cell = func(line []byte, row int) []byte {
			if v[row] {
				return append(line, "True"...)
			}
			return append(line, "False"...)
		}
	case d.IsFloat():
		bits := max(d.Size()*8, 32)
		v := x.AsType(arrays.Float64).Float64s()
		cell = func(line []byte, row int) []byte { return strconv.AppendFloat(line, v[row], 'g', -1, bits) }
	case d.IsUnsigned():
		v := x.AsType(arrays.Uint64).Uint64s()
		return func(line []byte, row int) []byte { return strconv.AppendUint(line, v[row], 10) }
	case d.IsInt():
		v := x.AsType(arrays.Int64).Int64s()
		return func(line []byte, row int) []byte { return strconv.AppendInt(line, v[row], 10) }
	case d.IsTime():
		v := x.Strings()
		cell = func(line []byte, row int) []byte { return appendText(line, v[row], comma) }
	default: // complex numbers as they print
		cell = func(line []byte, row int) []byte { return appendText(line, x.At(row).String(), comma) }
	}
	return func(line []byte, row int) []byte {
		if gone[row] {
			return line
		}
		return cell(line, row)
	}
}

// appendText appends a cell of text, in quotes where package encoding/csv writes it so.
func appendText(line []byte, s string, comma byte) []byte {
	if first, _ := utf8.DecodeRuneInString(s); s != `\.` && !unicode.IsSpace(first) && strings.IndexByte(s, comma) < 0 && !strings.ContainsAny(s, "\"\r\n") {
		return append(line, s...)
	}
	line = append(line, '"')
	for part := range strings.SplitAfterSeq(s, `"`) {
		line = append(line, part...)
		if strings.HasSuffix(part, `"`) {
			line = append(line, '"')
		}
	}
	return append(line, '"')
}
