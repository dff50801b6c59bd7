package arrays

import (
	"compress/gzip"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/csvtable"
	"github.com/arrayrepl/arrayrepl/internal/replace"
)

// SaveCSV writes x to a file, a line for each row of a matrix, or for each element of a 1-D array, as [SaveTable]
// writes columns: [Columns] gives the names of a header. A file that ends in .gz is compressed. [LoadCSV] and
// [LoadColumns] read it.
func SaveCSV(path string, x ArrayLike, opts ...CSVOption) (err error) {
	defer catch(&err)
	return toFile(path, func(w io.Writer) error { return WriteCSV(w, x, opts...) })
}

// toFile writes a file, compressed when its name ends in .gz.
func toFile(path string, write func(io.Writer) error) error {
	return replace.File(path, false, func(w io.Writer) error {
		if !strings.HasSuffix(path, ".gz") {
			return write(w)
		}
		z := gzip.NewWriter(w)
		if err := write(polledWriter{z}); err != nil {
			return err
		}
		return z.Close()
	})
}

// WriteCSV writes x to w as [SaveCSV] does; nothing is compressed.
func WriteCSV(w io.Writer, x ArrayLike, opts ...CSVOption) (err error) {
	defer catch(&err)
	a, _, err := AsArray(x)
	if err != nil {
		return withOp("savetxt", err)
	}
	o := gather(opts)
	var columns []*Array
	switch a.NDim() {
	case 0, 1:
		columns = []*Array{a.Ravel()}
	case 2:
		for i := range a.layout.Shape[1] {
			columns = append(columns, a.At(All, i))
		}
	default:
		return &Error{Op: "savetxt", Shapes: [][]int{a.layout.Shape}, Msg: fmt.Sprintf("shape %s is not a table; reshape it to two axes, or write it with Save", shapeString(a.layout.Shape))}
	}
	if len(o.Columns) != 0 && len(o.Columns) != len(columns) {
		return &Error{Op: "savetxt", Shapes: [][]int{a.layout.Shape}, Msg: fmt.Sprintf("%d names are given for %d columns; name all of them, or none", len(o.Columns), len(columns))}
	}
	if a.dtype.IsComplex() {
		return &Error{Op: "savetxt", Msg: fmt.Sprintf("a table has no %v; write Real and Imag, or all of it with Save", a.dtype)}
	}
	return writeTable(w, o.Columns, columns, &o)
}

// SaveTable writes columns of one length under their names to a file, so that [LoadTable] reads them back: numbers in
// the fewest digits that give them back, of floats with a point or an exponent; bools as True and False; dates as
// [Array.String] has them, those of years and months as days; text and names in quotes where they would be read
// otherwise without them. A missing value is an empty cell, in a table of one column NaN, NaT or "". [Delimiter],
// [DecimalMark], Header(false), and [MissingInto] change it; other options are for reading. A file that ends in .gz is
// compressed, one that ends in .arrow, .arrows or .feather written by [SaveArrow], one in .json or, with a record on
// each line, in .jsonl or .ndjson by [WriteRecords]. A file that is there is replaced when all is written, not before.
func SaveTable(path string, names []string, columns []*Array, opts ...CSVOption) (err error) {
	defer catch(&err)
	o := gather(opts)
	if isArrow(path) {
		if name := o.textOnly(); name != "" {
			return readerError("savearrow", path)(badFile(nil, "%s is for files of text; leave it out", name))
		}
		return saveArrow(path, names, columns, &o)
	}
	if is, byLine := isJSON(path); is {
		if name := o.textOnly(); name != "" {
			return readerError("json", path)(badFile(nil, "%s is for CSV; leave it out for JSON", name))
		}
		return saveRecords(path, names, columns, &o, byLine)
	}
	if err := areColumns("savetxt", names, columns); err != nil {
		return err
	}
	o.Columns = names
	for i, c := range columns {
		if c.NDim() != 1 {
			return &Error{Op: "savetxt", Shapes: [][]int{c.layout.Shape}, Msg: fmt.Sprintf("column %s has shape %s; all are 1-D arrays of %d elements as the first", brief.Quoted(names[i]), shapeString(c.layout.Shape), columns[0].Len())}
		}
	}
	if o.Header != nil && !*o.Header {
		return toFile(path, func(w io.Writer) error { return writeTable(w, nil, columns, &o) })
	}
	return toFile(path, func(w io.Writer) error { return writeTable(w, names, columns, &o) })
}

// areColumns returns what is wrong with names and columns of a table.
func areColumns(op string, names []string, columns []*Array) error {
	if len(names) != len(columns) {
		return &Error{Op: op, Msg: fmt.Sprintf("%d names are given for %d columns", len(names), len(columns))}
	}
	for i, c := range columns {
		if c == nil {
			return &Error{Op: op, Msg: fmt.Sprintf("column %s is nil; was it never assigned?", brief.Quoted(names[i]))}
		}
		if c.NDim() == 0 || c.Len() != columns[0].Len() {
			return &Error{Op: op, Shapes: [][]int{c.layout.Shape}, Msg: fmt.Sprintf("column %s has shape %s; all are 1-D arrays of as many elements as the first", brief.Quoted(names[i]), shapeString(c.layout.Shape))}
		}
	}
	return nil
}

// writtenRows is how many rows one processor writes at a time, some milliseconds of work; tests have fewer.
var writtenRows = 1 << 13

// writeTable writes a header, if there are names, and columns of as many elements.
func writeTable(w io.Writer, names []string, columns []*Array, o *csvOptions) error {
	t, err := csvtable.NewWriter(o.Options, len(columns))
	if err != nil {
		return &Error{Op: "savetxt", Msg: err.Error()}
	}
	rows := 0
	if len(columns) > 0 {
		rows = columns[0].Size()
	}
	return t.Write(w, names, rows, writtenRows, func(lo, hi int) []csvtable.Cell {
		cells := make([]csvtable.Cell, len(columns))
		for i, x := range columns {
			var gone []bool
			if i < len(o.Columns) {
				if gone = o.gaps(o.Columns[i]); gone != nil {
					gone = gone[lo:hi]
				}
			}
			cells[i] = cellsOf(t, x.At(S(lo, hi)), gone)
		}
		return cells
	})
}

// cellsOf returns what appends the elements of x; gone, if it is there, says which are missing.
func cellsOf(t *csvtable.Writer, x *Array, gone []bool) csvtable.Cell {
	var cell csvtable.Cell
	empty := ""
	switch d := x.dtype; {
	case d.IsString():
		v := x.Strings()
		return func(line []byte, row int) []byte { return t.Text(line, v[row]) }
	case d.IsBool():
		v := x.Bools()
		empty = "NA"
		cell = func(line []byte, row int) []byte {
			if v[row] {
				return append(line, "True"...)
			}
			return append(line, "False"...)
		}
	case d.IsTime():
		if d.isDate() && d.unit() < Day {
			x = x.AsType(DateTime(Day))
		}
		v := x.Strings()
		gone, empty = IsNaN(x).Bools(), "NaT"
		cell = func(line []byte, row int) []byte { return t.Text(line, v[row]) }
	case d.IsFloat():
		bits := max(d.Size()*8, 32)
		v := x.AsType(Float64).Float64s()
		gone, empty = IsNaN(x).Bools(), "NaN"
		cell = func(line []byte, row int) []byte { return t.Float(line, v[row], bits) }
	case d.IsUnsigned():
		v := x.AsType(Uint64).Uint64s()
		empty = "NA"
		cell = func(line []byte, row int) []byte { return strconv.AppendUint(line, v[row], 10) }
	case d.IsInt():
		v := x.AsType(Int64).Int64s()
		empty = "NA"
		cell = func(line []byte, row int) []byte { return strconv.AppendInt(line, v[row], 10) }
	default: // complex numbers as they print
		gone, empty = IsNaN(x).Bools(), "NaN"
		cell = func(line []byte, row int) []byte { return t.Text(line, x.At(row).String()) }
	}
	if gone == nil {
		return cell
	}
	if !t.Alone() {
		empty = ""
	}
	return func(line []byte, row int) []byte {
		if gone[row] {
			return append(line, empty...)
		}
		return cell(line, row)
	}
}
