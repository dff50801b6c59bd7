package arrays

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/reading"
)

// LoadColumns reads a table from a file as [LoadCSV] does, but each column by itself, under its name or, without a
// header, its number from 0. What all cells of a column are decides its dtype: whole numbers are int64, or uint64 where
// one is beyond that, numbers float64, True and False bool, dates (2006-01-02, 2006-01-02T15:04:05.6) datetime64 as
// precise as the most precise of them, all else text. A missing cell, empty or a word of [Missing], is NaN, NaT or
// empty text; it makes a column of whole numbers float64, and one of bools text. Whole numbers that no dtype holds
// exactly, beyond 64 bits or beyond 2^53 with a missing one, are text. In quotes a word of [Missing] is text in a
// column of text. There are no comments but with [Comment]. [ColumnType] sets a dtype. Files of Arrow, NumPy's records
// and JSON are read as [LoadTable] does.
func LoadColumns(path string, opts ...CSVOption) (map[string]*Array, error) {
	names, columns, err := LoadTable(path, opts...)
	if err != nil {
		return nil, err
	}
	out := make(map[string]*Array, len(names))
	for i, name := range names {
		out[name] = columns[i]
	}
	return out, nil
}

// LoadTable is [LoadColumns] with the columns in the order of the file. A file that ends in .arrow, .arrows or .feather
// is read by [LoadArrow], one in .npy as NumPy's structured arrays, each field a column, and one in .json, .jsonl or
// .ndjson by [ReadRecords].
func LoadTable(path string, opts ...CSVOption) (names []string, columns []*Array, err error) {
	o := gather(opts)
	op, load := "loadcsv", loadText
	if isArrow(path) {
		op, load = "loadarrow", loadArrow
	} else if isNPY(path) {
		op, load = "load", loadRecords
	} else if is, _ := isJSON(path); is {
		op, load = "loadjson", loadJSONRecords
	}
	defer reading.Guard[*Error](&err, readerError(op, path))
	if name := o.textOnly(); name != "" && op != "loadcsv" {
		return nil, nil, badFile(nil, "%s is for files of text; leave it out", name)
	}
	return load(path, o)
}

// loadText is LoadTable of text.
func loadText(path string, o csvOptions) (names []string, columns []*Array, err error) {
	info, err := os.Stat(path)
	forgetful := err == nil && info.Mode().IsRegular() && o.types == nil
	names, columns, err = readColumns(path, o, forgetful)
	if err == errForgotten {
		return readColumns(path, o, false)
	}
	return names, columns, err
}

// errForgotten says that a column's cells are wanted as text, of which some are gone.
var errForgotten = errors.New("the text of some cells has not been kept")

// readColumns is LoadTable for text. A forgetful one keeps neither text nor places of lines all of whose cells are
// numbers, which would take most of the memory of a table of them; it fails with errForgotten where these turn out to
// be needed.
func readColumns(path string, o csvOptions, forgetful bool) (names []string, columns []*Array, err error) {
	in, err := openCSV(path)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	var pieces [][]cellList // of each piece of the file, each column's cells
	var sheets []*pieceSheets
	t, err := readTable(in, o, func(t *table, rows *csvRows) (pieceCells, error) {
		return t.cells(rows, forgetful)
	}, func(cells pieceCells) {
		pieces = append(pieces, cells.lists)
		if cells.sheets != nil && len(sheets) < piecesAtOnce {
			sheets = append(sheets, cells.sheets)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	t.path = path
	if err := t.decideEncoding(pieces); err != nil {
		return nil, nil, err
	}
	if names, err = t.columnNames(); err != nil {
		return nil, nil, err
	}
	columns = make([]*Array, len(t.columns))
	made, at, fault := t.makeColumns(columns, pieces)
	pieces = nil
	for _, s := range sheets {
		spareSheets.Put(s)
	}
	var bad *cellFault
	switch {
	case fault == errForgotten:
		return nil, nil, fault
	case errors.As(fault, &bad):
		return nil, nil, badFile(nil, "%s, column %d (%s): %s", t.placeOf(bad.row), t.columns[at]+1, brief.Text(names[at]), bad.msg)
	case fault != nil:
		return nil, nil, badFile(fault, "column %s: %v", brief.Text(names[at]), fault)
	}
	for i, m := range made {
		if m == nil {
			continue
		}
		if m.missing != nil {
			for _, masks := range o.masks {
				masks[names[i]] = m.missing
			}
		}
		if m.note != "" {
			t.report.Notes = append(t.report.Notes, fmt.Sprintf("column %s %s", brief.Text(names[i]), m.note))
		}
	}
	t.tell()
	return names, columns, nil
}

// columnNames are those of the columns that are read, which are all different.
func (t *table) columnNames() ([]string, error) {
	names := make([]string, len(t.columns))
	var seen map[string]bool // of a header; numbers are different
	if t.names != nil {
		seen = make(map[string]bool, len(names))
	}
	for i := range names {
		names[i] = t.name(i)
		if t.names == nil {
			continue
		}
		if seen[names[i]] {
			return nil, badFile(nil, "two columns are named %s; give all columns other names with Names(names...), or read without the header: SkipLines(1), Header(false)", brief.Quoted(names[i]))
		}
		seen[names[i]] = true
	}
	for name := range t.options.types {
		if !slices.Contains(names, name) {
			return nil, badFile(nil, "ColumnType names a column %s, which is not read; there are %s", brief.Quoted(name), brief.List(names))
		}
	}
	return names, nil
}

// placeOf says on which line a row is, from 0 and without the header. The file is read once more for it.
func (t *table) placeOf(row int) string {
	if in, err := openCSV(t.path); err == nil {
		defer in.Close()
		if again, err := newTable(in, t.options); err == nil {
			for n := 0; n < row; n++ {
				if _, err := again.rows.next(); err != nil {
					break
				}
			}
			return fmt.Sprintf("line %d", again.rows.at)
		}
	}
	return fmt.Sprintf("row %d", row+1)
}

// name is that of the i-th of the columns that are read: without a header, its number in the file.
func (t *table) name(i int) string {
	if t.names == nil {
		return strconv.Itoa(t.columns[i])
	}
	return t.names[t.columns[i]]
}
