package arrays

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

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
	t, err := readTable(in, o, func(t *table, rows *csvRows) ([]cellList, error) {
		return t.cells(rows, forgetful)
	}, func(cells []cellList) { pieces = append(pieces, cells) })
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

// cells returns each column's cells in rows.
func (t *table) cells(rows *csvRows, forgetful bool) ([]cellList, error) {
	cells, sheet := t.newCellLists(rows)
	p := plainLines{into: sheet, rows: rows.lines, line: 1, cell: rows.lines, width: len(cells), comma: byte(rows.comma),
		points: make([]byte, len(cells)+1), gaps: make([]byte, len(cells)+1), format: t.format}
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
			c.kinds.gone = c.kinds.gone || p.gaps[len(cells)-i] != 0
		}
		return lines, rest
	}, func(row []string) error {
		numbers = false
		for i, at := range t.columns {
			cells[i].add(t.format, row[at], rows.quoted != nil && rows.quoted[at])
		}
		return nil
	})
	if err == nil && forgetful && areNumbers(cells, true) {
		rows.keep = false
		for i := range cells {
			cells[i].text, cells[i].at, cells[i].forgotten = nil, nil, true
		}
		return cells, nil
	}
	checked := false       // the text that columns share
	for i := range cells { // the sheet would be kept for a column of numbers among others
		c := &cells[i]
		c.numbers = slices.Clone(c.numbers)
		if c.isText() && !(c.shared && checked) {
			c.odd = !utf8.Valid(c.text)
			checked = checked || c.shared
		}
	}
	return cells, err
}

// cellList is the cells of a column in a piece of a file, and what they can be read as.
type cellList struct {
	text      []byte // the piece's, which all columns share, or a copy of the cells alone
	shared    bool
	forgotten bool        // of some cells there is neither text nor place
	odd       bool        // the text is not UTF-8; of a shared one the first column of text knows
	narrow    bool        // the text is Windows-1252
	at        [][2]uint32 // where in text each cell begins and ends; the first has inQuotes
	numbers   []float64   // while all cells are numbers, their values
	kinds     cellKinds
}

// inQuotes marks cells that stand in quotes.
const inQuotes = 1 << 31

// isText reports whether the cells are nothing but text.
func (c *cellList) isText() bool {
	k := &c.kinds
	return k.typed || k.words || k.some && !k.number && !k.truth && !k.date
}

// newCellLists returns lists for the columns of a piece, whose text they keep. Their numbers are parts of one sheet, a
// column behind the other.
func (t *table) newCellLists(rows *csvRows) (lists []cellList, sheet []float64) {
	rows.keep = true
	lists, sheet = make([]cellList, len(t.columns)), make([]float64, len(t.columns)*rows.lines)
	for i := range lists {
		from := i * rows.lines
		lists[i] = cellList{text: rows.text, shared: rows.in == nil, numbers: sheet[from : from : from+rows.lines], kinds: allKinds}
		if t.options.types != nil {
			name := t.name(i)
			if !t.sure && !utf8.ValidString(name) { // see decideEncoding
				name = narrow(name)
			}
			if _, typed := t.options.types[name]; typed {
				lists[i].kinds = cellKinds{typed: true}
			}
		}
	}
	return lists, sheet
}

// add appends a cell, a part of the text if that is shared.
func (c *cellList) add(f *csvFormat, cell string, quoted bool) {
	from := len(c.text)
	switch {
	case c.shared && cell == "": // it may be no part of anything
		from = 0
	case c.shared:
		from = int(uintptr(unsafe.Pointer(unsafe.StringData(cell))) - uintptr(unsafe.Pointer(unsafe.SliceData(c.text))))
	default:
		c.text = append(c.text, cell...)
	}
	mark := uint32(0)
	if quoted {
		mark = inQuotes
	}
	c.at = append(c.at, [2]uint32{uint32(from) | mark, uint32(from + len(cell))})
	if !c.kinds.typed {
		c.see(f, cell, quoted)
	}
}

// all yields the cells, which share the list's memory.
func (c *cellList) all(yield func(cell string, quoted bool) bool) {
	for _, at := range c.at {
		cell := textOf(c.text[at[0]&^inQuotes : at[1]])
		if c.narrow {
			cell = narrow(cell)
		}
		if !yield(cell, at[0]&inQuotes != 0) {
			return
		}
	}
}

// cellKinds says what the cells of a column can be read as.
type cellKinds struct {
	number, truth, date, some bool
	unit                      Unit
	whole                     bool // all numbers are a sign and digits
	negative, beyond          bool // some are below zero, or beyond int64
	huge                      bool // some are beyond 64 bits
	gone                      bool // some cells are missing
	words                     bool // some of these are words in quotes, which are text in a column of text
	typed                     bool // the dtype is given, and nothing else is known
}

// allKinds are those of no cells.
var allKinds = cellKinds{whole: true, number: true, truth: true, date: true, unit: Day}

// and adds what another piece of the column is.
func (k *cellKinds) and(o cellKinds) {
	k.number, k.truth, k.date, k.whole = k.number && o.number, k.truth && o.truth, k.date && o.date, k.whole && o.whole
	k.some, k.negative, k.beyond, k.huge = k.some || o.some, k.negative || o.negative, k.beyond || o.beyond, k.huge || o.huge
	k.gone, k.words, k.typed, k.unit = k.gone || o.gone, k.words || o.words, k.typed || o.typed, max(k.unit, o.unit)
}

// areExact reports whether whole numbers are what float64 says.
func areExact(lists []*cellList) bool {
	for _, l := range lists {
		poll()
		for _, v := range l.numbers {
			if !isExact(v) {
				return false
			}
		}
	}
	return true
}

// see takes a cell into account.
func (c *cellList) see(f *csvFormat, cell string, quoted bool) {
	k := &c.kinds
	if f.isMissing(cell) {
		k.gone, k.words = true, k.words || quoted && cell != ""
		if k.number {
			c.numbers = append(c.numbers, math.NaN())
		}
		return
	}
	k.some = true
	if k.number {
		v, ok := f.number(cell)
		if k.number = ok; ok {
			c.numbers = append(c.numbers, v)
		} else {
			c.numbers = nil
		}
	}
	if k.whole = k.whole && k.number; k.whole {
		digits, _ := f.spelled(cell)
		if k.whole = isWhole(digits); k.whole {
			k.negative = k.negative || digits[0] == '-'
			if len(digits) > 18 {
				k.seeLong(digits)
			}
		}
	}
	if k.truth {
		_, k.truth = csvTruth(cell)
	}
	if k.date {
		_, u, ok := f.date(cell)
		k.date, k.unit = ok, max(k.unit, u)
	}
}

// seeLong takes digits into account that may be beyond int64.
func (k *cellKinds) seeLong(digits string) {
	if _, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return
	}
	k.beyond = true
	if _, err := strconv.ParseUint(strings.TrimPrefix(digits, "+"), 10, 64); err != nil {
		k.huge = true
	}
}
