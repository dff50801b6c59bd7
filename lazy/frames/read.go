package frames

import (
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/replace"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Read reads a table from a file of comma-separated values, of values between tabs when its name ends in .tsv or .tsv.gz, or
// of Arrow's format when it ends in .arrow, .arrows or .feather: see [arrays.LoadArrow]. Each column of text gets the dtype that all
// its cells have: see [arrays.LoadColumns] for which, and [arrays.CSVOption] for choosing columns, another delimiter, a header.
// Without a header the names are numbers from 0.
func Read(path string, opts ...np.CSVOption) (*Table, error) {
	if strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".tsv") {
		opts = append([]np.CSVOption{arrays.Delimiter('\t')}, opts...)
	}
	names, columns, err := np.LoadTable(path, opts...)
	if err != nil {
		return nil, err
	}
	t := &Table{names: names, columns: columns}
	if len(columns) > 0 {
		t.rows = columns[0].Len()
	}
	return t, nil
}

// Must returns t, or panics with err: t := frames.Must(frames.Read(path)).
func Must(t *Table, err error) *Table {
	if err != nil {
		panic(err)
	}
	return t
}

// Write writes t as comma-separated values, with tabs when path ends in .tsv, with a header; or as [arrays.SaveArrow] does when it
// ends in .arrow, .arrows or .feather. A file that is there is replaced when all is written, not before. In text numbers get as many
// digits as say them exactly, missing values an empty cell.
func (t *Table) Write(path string) error {
	switch filepath.Ext(path) {
	case ".arrow", ".arrows", ".feather":
		return np.SaveArrow(path, t.names, t.columns)
	}
	comma := ','
	if strings.HasSuffix(path, ".tsv") {
		comma = '\t'
	}
	if err := replace.File(path, false, func(w io.Writer) error { return t.write(w, comma) }); err != nil {
		return fmt.Errorf("frames.Write: %w", err)
	}
	return nil
}

func (t *Table) write(w io.Writer, comma rune) error {
	out := csv.NewWriter(w)
	out.Comma = comma
	if err := out.Write(t.names); err != nil {
		return err
	}
	np.Eval(t.columns...)
	cells := make([]func(row int) string, len(t.columns))
	for i, c := range t.columns {
		cells[i] = exact(c.Array())
	}
	record := make([]string, len(cells))
	for row := range t.rows {
		for i, cell := range cells {
			record[i] = cell(row)
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// exact returns what writes the elements of x so that [Read] gives them back.
func exact(x *arrays.Array) func(row int) string {
	gone := missing(x).Bools()
	var cell func(row int) string
	switch d := x.DType(); {
	case d.IsString():
		v := x.Strings()
		cell = func(row int) string { return v[row] }
	case d.IsBool():
		v := x.Bools()
		cell = func(row int) string { return map[bool]string{true: "True", false: "False"}[v[row]] }
	case d.IsFloat():
		bits := d.Size() * 8
		v := x.AsType(arrays.Float64).Float64s()
		cell = func(row int) string { return strconv.FormatFloat(v[row], 'g', -1, max(bits, 32)) }
	case d.IsInt():
		cell = func(row int) string { return fmt.Sprint(x.At(row).Item()) }
	default: // dates, spans and complex numbers as they print
		cell = func(row int) string { return x.At(row).String() }
	}
	return func(row int) string {
		if gone[row] {
			return ""
		}
		return cell(row)
	}
}
