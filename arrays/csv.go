package arrays

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/reading"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// LoadCSV reads a file of comma-separated numbers as a 2-d float64 array, one row for each line. A header row is found
// by itself, see [Header]; lines that begin with # are comments, unless [Columns] chooses some, as others may hold it;
// an empty cell is NaN, and so are NA and the other words of [Missing]; a file that ends in .gz is decompressed (see
// [SetUnpackTimes]). The error names path, line, column and value.
func LoadCSV(path string, opts ...CSVOption) (a *Array, err error) {
	defer reading.Guard[*Error](&err, readerError("loadcsv", path))
	in, err := openCSV(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return readCSV(in, opts...)
}

// ReadCSV is [LoadCSV] of what in yields; nothing is decompressed.
func ReadCSV(in io.Reader, opts ...CSVOption) (a *Array, err error) {
	defer reading.Guard[*Error](&err, readerError("loadcsv", "input"))
	return readCSV(in, opts...)
}

// openCSV opens a file, and decompresses it when it ends in .gz.
func openCSV(path string) (io.ReadCloser, error) {
	file, err := os.Open(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return file, err
	}
	packed := &countedBytes{from: file}
	unzipped, err := newUnzipped(packed)
	if err != nil {
		file.Close()
		return nil, badFile(err, "cannot be decompressed: %s", brief.Reason(err))
	}
	return struct {
		io.Reader
		io.Closer
	}{&budget.Unpacked{From: unzipped, What: "the file", Packed: packed.count}, file}, nil
}

// countedBytes counts what is read.
type countedBytes struct {
	from io.Reader
	n    int64
}

// Read implements io.Reader.
func (c *countedBytes) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *countedBytes) count() int64 { return c.n }

// table reads the rows of one file.
type table struct {
	path    string // of the file, once its rows are read: to say where something is
	rows    *csvRows
	options csvOptions
	format  *csvFormat
	names   []string
	columns []int // cells of a row that are read
	report  CSVReport
	sure    bool // of the encoding
}

func readCSV(in io.Reader, opts ...CSVOption) (*Array, error) {
	o := gather(opts)
	if o.types != nil || o.masks != nil {
		return nil, badFile(nil, "ColumnType and MissingInto are for columns by themselves: use LoadColumns; an array has one dtype")
	}
	if o.comment == nil && len(o.columns) == 0 && o.delimiter != '#' && o.quote != '#' {
		hash := "#"
		o.comment, o.wholeComments = &hash, true
	}
	var pieces [][]float64
	count := 0
	t, err := readTable(in, o, (*table).numbers, func(values []float64) {
		pieces = append(pieces, values)
		count += len(values)
	})
	if err != nil {
		return nil, err
	}
	t.tell()
	width := len(t.columns)
	a := newUnset(Float64, []int{count / max(width, 1), width})
	joinPieces(elements[float64](a.data), pieces)
	return a, nil
}

// tell fills what Report names.
func (t *table) tell() {
	t.report.Skipped = int(t.rows.skipped.Load())
	for _, into := range t.options.reports {
		*into = t.report
	}
}

// joinPieces copies pieces to into, one behind the other. Processors share them.
func joinPieces[T any](into []T, pieces [][]T) {
	parts := make([][]T, len(pieces))
	for i, p := range pieces {
		parts[i], into = into[:len(p)], into[len(p):]
	}
	workers.Do(len(pieces), func(i int) { copy(parts[i], pieces[i]) }, poll)
}

// newTable begins to read a table: it reads the header, and the first row, whose bytes rows.raw has. It returns io.EOF
// for err when there is none, and no table when something is wrong.
func newTable(in io.Reader, o csvOptions) (*table, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	lines, encoding, sure, err := textReader(in, o.encoding)
	if err != nil {
		return nil, err
	}
	t := &table{options: o, format: newCSVFormat(&o), report: CSVReport{Encoding: encoding}, sure: sure}
	t.rows = newCSVRows(lines, newDialect(&o))
	for range o.skip {
		if _, err := t.rows.readLine(); err == io.EOF {
			break // fewer lines than are to be skipped: "no rows" below
		} else if err != nil {
			return nil, unreadable(err)
		}
		t.rows.line++
	}
	if !o.isDelimited {
		t.findDelimiter()
		t.options.isDelimited = true
		if err := t.options.check(); err != nil { // a decimal comma may separate no cells
			return nil, err
		}
	}
	row, err := t.rows.next()
	if err == nil {
		row = kept(row) // looking at what follows moves it
		t.rows.raw = slices.Clone(t.rows.raw)
		if t.isHeader(row) {
			t.names = row
			row, err = t.rows.next()
		}
	}
	if err != nil && err != io.EOF {
		return nil, err
	}
	if err == io.EOF && t.names == nil && o.names == nil {
		return nil, badFile(nil, "there are no rows; is it the right file?")
	}
	width := max(len(row), len(t.names))
	if o.names != nil {
		if len(o.names) != width && width > 0 {
			return nil, badFile(nil, "Names gives %d names to the %d columns of the file", len(o.names), width)
		}
		t.names = o.names
	}
	if err := t.choose(o.columns, width); err != nil {
		return nil, err
	}
	return t, err
}

// kept returns a row, which is good until the next one is read, with a text of its own, which the cells share.
func kept(row []string) []string {
	text, out := strings.Clone(strings.Join(row, "")), make([]string, len(row))
	for i, cell := range row {
		out[i], text = text[:len(cell)], text[len(cell):]
	}
	return out
}

// choose finds the columns to read: all of width, or those named.
func (t *table) choose(names []string, width int) error {
	if len(names) == 0 {
		t.columns = make([]int, max(width, len(t.names)))
		for i := range t.columns {
			t.columns[i] = i
		}
		return nil
	}
	if t.names == nil {
		return t.chooseNumbers(names, width)
	}
	for _, name := range names {
		i := slices.Index(t.names, name)
		if i < 0 && !t.sure { // of an encoding that is known when all is read
			i = slices.IndexFunc(t.names, func(s string) bool { return !utf8.ValidString(s) && narrow(s) == name })
		}
		if i < 0 {
			return badFile(nil, "there is no column %s; the header has %s", brief.Quoted(name), brief.List(t.names))
		}
		t.columns = append(t.columns, i)
	}
	return nil
}

// chooseNumbers is choose where columns have numbers for names.
func (t *table) chooseNumbers(names []string, width int) error {
	for _, name := range names {
		i, err := strconv.Atoi(name)
		if err != nil || i < 0 || i >= width || strconv.Itoa(i) != name {
			return badFile(nil, "it has no header, so Columns(%s) finds nothing; its columns are 0 to %d, or say Names(names...), or Header(true) if the first row holds names", brief.List(names), width-1)
		}
		t.columns = append(t.columns, i)
	}
	return nil
}

// parse appends the chosen cells of a row, which stands on that line.
func (t *table) parse(values []float64, line int, row []string) ([]float64, error) {
	for _, i := range t.columns {
		v, ok := math.NaN(), true
		if !t.format.isMissing(row[i]) {
			v, ok = t.format.number(row[i])
		}
		if !ok {
			name, hint := "", "if the first row holds names, say so with Header(true); lines before the table can be left out with SkipLines(n), words for missing values named with Missing(words...)"
			if t.names != nil {
				name, hint = fmt.Sprintf(" (%s)", brief.Text(t.names[i])), "correct it, read other columns with Columns(names...), say Missing(words...) if it stands for a missing value, or read text and dates too with LoadColumns"
			}
			return nil, badFile(nil, "line %d, column %d%s: %s is not a number; %s", line, i+1, name, brief.Quoted(row[i]), hint)
		}
		values = append(values, v)
	}
	return values, nil
}
