package arrays

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"
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
		if o.delimiter != ',' || o.header != nil || o.skip > 0 {
			return nil, nil, arrowError("loadarrow", path, nil, "Delimiter, Header and SkipLines are for files of text; leave them out")
		}
		return LoadArrow(path, o.columns...)
	}
	var cells []cellList
	t, err := loadTable(path, opts, func(_ *table, row []string) error {
		if cells == nil {
			cells = make([]cellList, len(row))
		}
		for i, cell := range row {
			cells[i].add(strings.TrimSpace(cell))
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	if cells == nil {
		cells = make([]cellList, len(t.columns))
	}
	seen := map[string]bool{}
	for i, at := range t.columns {
		name := strconv.Itoa(at)
		if t.names != nil {
			name = t.names[at]
		}
		if seen[name] {
			return nil, nil, csvError(path, nil, "two columns are named %q; name them apart, or read without the header: SkipLines(1), Header(false)", name)
		}
		seen[name] = true
		c, err := column(&cells[i])
		if err != nil {
			return nil, nil, csvError(path, err, "column %s: %v", name, err)
		}
		names, columns = append(names, name), append(columns, c)
	}
	return names, columns, nil
}

// cellList is the cells of a column, one after the other.
type cellList struct {
	text []byte
	ends []int
}

func (c *cellList) add(cell string) {
	c.text = append(c.text, cell...)
	c.ends = append(c.ends, len(c.text))
}

// all yields the cells, which share the list's memory.
func (c *cellList) all(yield func(i int, cell string) bool) {
	lo := 0
	for i, hi := range c.ends {
		if !yield(i, unsafe.String(unsafe.SliceData(c.text[lo:hi]), hi-lo)) {
			return
		}
		lo = hi
	}
}

// cellKinds says what the cells of a column can be read as.
type cellKinds struct {
	whole, number, truth, date, some bool
	unit                             Unit
}

// column reads cells as the first dtype that all of them have.
func column(cells *cellList) (*Array, error) {
	k := cellKinds{whole: true, number: true, truth: true, date: true, unit: Day}
	for i, cell := range cells.all {
		if i%4096 == 0 {
			poll()
		}
		k.see(cell)
	}
	switch {
	case !k.some:
		return read(cells, Float64, number64)
	case k.truth:
		return read(cells, Bool, func(s string) (uint8, error) { return bit(strings.EqualFold(s, "true")), nil })
	case k.whole:
		return read(cells, Int64, func(s string) (int64, error) { return strconv.ParseInt(s, 10, 64) })
	case k.number:
		return read(cells, Float64, number64)
	case k.date:
		return read(cells, DateTime(k.unit), func(s string) (int64, error) {
			if s == "NA" {
				return notATime, nil
			}
			v, u, ok := parseDate(s)
			if !ok {
				return 0, &Error{Msg: fmt.Sprintf("%q is no date", s)}
			}
			return toUnit(v, u, k.unit, true), nil
		})
	}
	longest := 1
	for _, cell := range cells.all {
		longest = max(longest, utf8.RuneCountInString(cell))
	}
	a := New(Str(longest), len(cells.ends))
	for i, cell := range cells.all {
		putRow(a.data, longest, i, cell)
	}
	return a, nil
}

// see takes a cell into account. An empty one says nothing but that there are no whole numbers and no truths.
func (k *cellKinds) see(cell string) {
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
	if k.number && !k.whole {
		_, err := number64(cell)
		k.number = err == nil
	}
	if k.date {
		_, u, ok := parseDate(cell)
		k.date, k.unit = ok && (u >= Day || strings.EqualFold(cell, "NaT")), max(k.unit, u)
	}
}

// read makes an array of what f makes of the cells.
func read[T element](cells *cellList, dtype DType, f func(string) (T, error)) (*Array, error) {
	a := New(dtype, len(cells.ends))
	v := elements[T](a.data)
	for i, cell := range cells.all {
		var err error
		if v[i], err = f(cell); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// loadTable opens a file and calls each with the chosen cells of its rows, which it must not keep.
func loadTable(path string, opts []CSVOption, each func(t *table, row []string) error) (*table, error) {
	in, err := openCSV(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return readTable(in, path, opts, each)
}

// readTable reads the rows of a table.
func readTable(in io.Reader, path string, opts []CSVOption, each func(t *table, row []string) error) (*table, error) {
	t, row, err := newTable(in, path, opts)
	if t == nil {
		return nil, err
	}
	chosen := make([]string, len(t.columns))
	for n := 0; err == nil; row, err = t.next() {
		if n++; n%4096 == 0 {
			poll()
		}
		for i, at := range t.columns {
			chosen[i] = row[at]
		}
		if err := each(t, chosen); err != nil {
			return nil, err
		}
	}
	if err != io.EOF {
		return nil, err
	}
	return t, nil
}
