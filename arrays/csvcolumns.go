package arrays

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// LoadColumns reads a table from a file as [LoadCSV] does, but each column by itself, under its name or, without a header, its
// number from 0. What all cells of a column are decides its dtype: whole numbers are int64, numbers float64, True and False
// bool, dates (2006-01-02, 2006-01-02T15:04:05.6) datetime64 as precise as the most precise of them, all else text. An empty
// cell is NaN, NaT or empty text; it makes a column of whole numbers float64. Arrow files are read as [LoadTable] does.
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

// LoadTable is [LoadColumns] with the columns in the order of the file. A file that ends in .arrow, .arrows or .feather is read by
// [LoadArrow].
func LoadTable(path string, opts ...CSVOption) (names []string, columns []*Array, err error) {
	if isArrow(path) {
		o := gather(opts)
		if o.delimiter != ',' || o.header != nil || o.skip > 0 || o.textWidth > 0 {
			return nil, nil, arrowError("loadarrow", path, nil, "Delimiter, Header, SkipLines and TextWidth are for files of text; leave them out")
		}
		return LoadArrow(path, o.columns...)
	}
	info, err := os.Stat(path)
	names, columns, err = readColumns(path, opts, err == nil && info.Mode().IsRegular())
	if err == errForgotten {
		return readColumns(path, opts, false)
	}
	return names, columns, err
}

// errForgotten says that a column's cells are wanted as text, of which some are gone.
var errForgotten = errors.New("the text of some cells has not been kept")

// readColumns is LoadTable for text. A forgetful one keeps neither text nor places of lines all of whose cells are numbers, which would take
// most of the memory of a table of them; it fails with errForgotten where these turn out to be needed.
func readColumns(path string, opts []CSVOption, forgetful bool) (names []string, columns []*Array, err error) {
	in, err := openCSV(path)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	var pieces [][]cellList // of each piece of the file, each column's cells
	t, err := readTable(in, path, opts, func(t *table, rows *csvRows) ([]cellList, error) {
		return t.cells(rows, forgetful)
	}, func(cells []cellList) { pieces = append(pieces, cells) })
	if err != nil {
		return nil, nil, err
	}
	columns = make([]*Array, len(t.columns))
	at, fault := makeColumns(columns, pieces, gather(opts).textWidth)
	pieces = nil
	if fault == errForgotten {
		return nil, nil, fault
	} else if fault != nil {
		return nil, nil, csvError(path, fault, "column %s: %v", brief.Text(t.name(at)), fault)
	}
	names = make([]string, len(t.columns))
	seen := map[string]bool{} // of a header; numbers are different
	for i := range names {
		names[i] = t.name(i)
		if t.names == nil {
			continue
		}
		if seen[names[i]] {
			return nil, nil, csvError(path, nil, "two columns are named %s; name them apart, or read without the header: SkipLines(1), Header(false)", brief.Quoted(names[i]))
		}
		seen[names[i]] = true
	}
	return names, columns, nil
}

// name is that of the i-th of the columns that are read: without a header, its number in the file.
func (t *table) name(i int) string {
	if t.names == nil {
		return strconv.Itoa(t.columns[i])
	}
	return t.names[t.columns[i]]
}

// cells returns each column's cells in rows.
func (t *table) cells(rows *csvRows, forgetful bool) ([]cellList, error) {
	cells, sheet := newCellLists(len(t.columns), rows)
	p := plainLines{into: sheet, rows: rows.lines, line: 1, cell: rows.lines, width: len(cells), comma: byte(rows.comma), points: make([]byte, len(cells)+1)}
	numbers := false // are all columns as far as they have been read
	err := t.eachPlain(rows, func(text []byte) (lines int, rest []byte) {
		if numbers = numbers || areNumbers(cells, forgetful); !numbers {
			return 0, text
		}
		if !forgetful {
			return plainCells(cells, text, byte(rows.comma))
		}
		had := len(cells[0].numbers)
		lines, rest = p.read(text, had)
		for i := range cells {
			c := &cells[i]
			c.numbers, c.forgotten = c.numbers[:had+lines], c.forgotten || lines > 0
			c.kinds.whole = c.kinds.whole && p.points[len(cells)-i] == 0
		}
		return lines, rest
	}, func(row []string) error {
		numbers = false
		for i, at := range t.columns {
			cells[i].add(strings.TrimSpace(row[at]))
		}
		return nil
	})
	if err == nil && forgetful && areNumbers(cells, true) {
		rows.keep = false
		for i := range cells {
			cells[i].text, cells[i].at, cells[i].forgotten = nil, nil, true
		}
	} else { // the sheet would be kept for a column of numbers among others
		for i := range cells {
			cells[i].numbers = slices.Clone(cells[i].numbers)
		}
	}
	return cells, err
}

// cellList is the cells of a column in a piece of a file, and what they can be read as.
type cellList struct {
	text      []byte // the piece's, which all columns share, or a copy of the cells alone
	shared    bool
	forgotten bool        // of some cells there is neither text nor place
	at        [][2]uint32 // where in text each cell begins and ends
	numbers   []float64   // while all cells are numbers, their values
	kinds     cellKinds
}

// newCellLists returns lists for the columns of a piece, whose text they keep. Their numbers are parts of one sheet, a column behind
// the other.
func newCellLists(columns int, rows *csvRows) (lists []cellList, sheet []float64) {
	rows.keep = true
	lists, sheet = make([]cellList, columns), make([]float64, columns*rows.lines)
	for i := range lists {
		from := i * rows.lines
		lists[i] = cellList{text: rows.text, shared: rows.in == nil, numbers: sheet[from : from : from+rows.lines],
			kinds: cellKinds{whole: true, number: true, truth: true, date: true, unit: Day}}
	}
	return lists, sheet
}

// add appends a cell, a part of the text if that is shared.
func (c *cellList) add(cell string) {
	from := len(c.text)
	switch {
	case c.shared && cell == "": // it may be no part of anything
		from = 0
	case c.shared:
		from = int(uintptr(unsafe.Pointer(unsafe.StringData(cell))) - uintptr(unsafe.Pointer(unsafe.SliceData(c.text))))
	default:
		c.text = append(c.text, cell...)
	}
	c.at = append(c.at, [2]uint32{uint32(from), uint32(from + len(cell))})
	c.see(cell)
}

// all yields the cells, which share the list's memory.
func (c *cellList) all(yield func(cell string) bool) {
	for _, at := range c.at {
		cell := c.text[at[0]:at[1]]
		if !yield(unsafe.String(unsafe.SliceData(cell), len(cell))) {
			return
		}
	}
}

// cellKinds says what the cells of a column can be read as.
type cellKinds struct {
	whole, number, truth, date, some bool
	unit                             Unit
}

// areExact reports whether whole numbers are what float64 says.
func areExact(lists []*cellList) bool {
	for _, l := range lists {
		for _, v := range l.numbers {
			if !isExact(v) {
				return false
			}
		}
	}
	return true
}

// see takes a cell into account. An empty one says nothing but that there are no whole numbers and no truths.
func (c *cellList) see(cell string) {
	k := &c.kinds
	if k.number {
		v, err := number64(cell)
		if k.number = err == nil; k.number {
			c.numbers = append(c.numbers, v)
		} else {
			c.numbers = nil
		}
	}
	if cell == "" || cell == "NA" {
		k.whole, k.truth = false, false
		return
	}
	k.some = true
	if k.truth {
		k.truth = strings.EqualFold(cell, "true") || strings.EqualFold(cell, "false")
	}
	if k.whole {
		_, err := strconv.ParseInt(cell, 10, 64)
		k.whole = err == nil
	}
	if k.date {
		_, u, ok := parseDate(cell)
		k.date, k.unit = ok && (u >= Day || strings.EqualFold(cell, "NaT")), max(k.unit, u)
	}
}
