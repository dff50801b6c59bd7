package arrays

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// CSVOption changes how [LoadCSV] reads and [SaveCSV] writes: see [Columns], [Delimiter], [Header] and [SkipLines].
type CSVOption func(*csvOptions)

type csvOptions struct {
	columns   []string
	delimiter rune
	header    *bool
	skip      int
	textWidth int
}

func gather(opts []CSVOption) csvOptions {
	o := csvOptions{delimiter: ','}
	for _, opt := range opts {
		opt(&o)
	}
	return o
}

// Columns reads only the named columns, in this order; the file must have a header. Other columns may hold any text.
func Columns(names ...string) CSVOption {
	return func(o *csvOptions) { o.columns = append(o.columns, names...) }
}

// Delimiter sets what separates cells, a comma otherwise. With ' ' runs of spaces count as one.
func Delimiter(r rune) CSVOption { return func(o *csvOptions) { o.delimiter = r } }

// Header says whether the first row holds names. Without it the first row is a header when none of its cells is a number.
func Header(present bool) CSVOption { return func(o *csvOptions) { o.header = &present } }

// SkipLines leaves out the first n lines of the file, whatever they hold.
func SkipLines(n int) CSVOption { return func(o *csvOptions) { o.skip = n } }

// TextWidth cuts texts to the first n characters, for [LoadColumns] and its kin. Strings of an array are as wide as the longest of them, so one
// long text among many short ones would take much memory, and is an error without this option; texts of more than a million
// characters are one, too.
func TextWidth(n int) CSVOption { return func(o *csvOptions) { o.textWidth = n } }

// LoadCSV reads a file of comma-separated numbers as a 2-d float64 array, one row for each line. A header row is found by
// itself; lines that begin with # are comments; an empty cell (or NA) is NaN; a file that ends in .gz is decompressed (see
// [SetUnpackTimes]). The error names path, line, column and value.
func LoadCSV(path string, opts ...CSVOption) (*Array, error) {
	in, err := openCSV(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return readCSV(in, path, opts...)
}

// ReadCSV is [LoadCSV] of what in yields; nothing is decompressed.
func ReadCSV(in io.Reader, opts ...CSVOption) (*Array, error) { return readCSV(in, "input", opts...) }

// openCSV opens a file, and decompresses it when it ends in .gz.
func openCSV(path string) (io.ReadCloser, error) {
	file, err := os.Open(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		if err != nil {
			return nil, openError("loadcsv", path, err)
		}
		return file, nil
	}
	packed := &countedBytes{from: file}
	unzipped, err := gzip.NewReader(packed)
	if err != nil {
		file.Close()
		return nil, csvError(path, err, "cannot be decompressed: %s", brief.Reason(err))
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

// openError says where a file was looked for: a notebook's working directory is easily another than one thinks.
func openError(op, path string, err error) error {
	cause := err
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		cause = pathErr.Err
	}
	dir := filepath.Dir(path)
	if abs, absErr := filepath.Abs(path); absErr == nil {
		dir = filepath.Dir(abs)
	}
	return &Error{Op: op, Msg: fmt.Sprintf("%s: cannot be opened: %v (looked for in directory %s)", path, cause, dir), Err: err}
}

func csvError(path string, cause error, format string, args ...any) error {
	return &Error{Op: "loadcsv", Msg: path + ": " + fmt.Sprintf(format, args...), Err: cause}
}

// table reads the rows of one file.
type table struct {
	path    string
	rows    *csvRows
	names   []string
	columns []int // cells of a row that are read
}

func readCSV(in io.Reader, path string, opts ...CSVOption) (a *Array, err error) {
	defer func() {
		if err != nil && !errors.As(err, new(*Error)) {
			err = csvError(path, err, "%v", err)
		}
	}()
	defer intoError(&err)
	var pieces [][]float64
	count := 0
	t, err := readTable(in, path, opts, (*table).numbers, func(values []float64) {
		pieces = append(pieces, values)
		count += len(values)
	})
	if err != nil {
		return nil, err
	}
	width := len(t.columns)
	a = newUnset(Float64, []int{count / max(width, 1), width})
	joinPieces(elements[float64](a.data), pieces)
	return a, nil
}

// joinPieces copies pieces to into, one behind the other. Processors share them.
func joinPieces[T any](into []T, pieces [][]T) {
	parts := make([][]T, len(pieces))
	for i, p := range pieces {
		parts[i], into = into[:len(p)], into[len(p):]
	}
	workers.Do(len(pieces), func(i int) { copy(parts[i], pieces[i]) }, poll)
}

// newTable begins to read a table. It returns the first row with io.EOF for err when there is none, and no table when
// something is wrong.
func newTable(in io.Reader, path string, opts []CSVOption) (*table, []string, error) {
	o := gather(opts)
	lines := bufio.NewReader(in)
	if mark, _ := lines.Peek(3); bytes.Equal(mark, []byte("\ufeff")) { // spreadsheets write a byte order mark
		_, _ = lines.Discard(3)
	}
	for range o.skip {
		if _, err := lines.ReadString('\n'); err != nil {
			break // fewer lines than are to be skipped: "no rows" below
		}
	}
	t := &table{path: path, rows: newCSVRows(lines, o.delimiter, o.skip)}
	if o.delimiter == ' ' {
		t.rows = newCSVRows(&spaceReader{in: lines}, ' ', o.skip)
	}
	row, err := t.next()
	if err == nil && t.isHeader(row, o.header) {
		t.names = kept(row)
		for i, name := range t.names {
			t.names[i] = strings.TrimSpace(name)
		}
		row, err = t.next()
	}
	if err != nil && err != io.EOF {
		return nil, nil, err
	}
	if err == io.EOF && t.names == nil {
		return nil, nil, csvError(path, nil, "there are no rows; is it the right file?")
	}
	if err := t.choose(o.columns, len(row)); err != nil {
		return nil, nil, err
	}
	return t, row, err
}

// kept returns a row, which is good until the next one is read, with a text of its own, which the cells share.
func kept(row []string) []string {
	text, out := strings.Join(row, ""), make([]string, len(row))
	for i, cell := range row {
		out[i], text = text[:len(cell)], text[len(cell):]
	}
	return out
}

// next returns the cells of the next row, which are good until the following call.
func (t *table) next() ([]string, error) {
	row, err := t.rows.next()
	return row, t.said(err)
}

// said names the file in an error of its rows, but for io.EOF.
func (t *table) said(err error) error {
	if err != nil && err != io.EOF {
		return csvError(t.path, err, "%v", err)
	}
	return err
}

// isHeader decides about the first row.
func (t *table) isHeader(row []string, said *bool) bool {
	if said != nil {
		return *said
	}
	words := 0
	for _, cell := range row {
		v, err := number64(cell)
		switch {
		case err != nil:
			words++
		case v == v: // an empty cell says nothing
			return false
		}
	}
	return words > 0
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
		return csvError(t.path, nil, "it has no header, so Columns(%s) finds nothing; read all columns and select with At(All, i)", brief.List(names))
	}
	for _, name := range names {
		i := slices.Index(t.names, name)
		if i < 0 {
			return csvError(t.path, nil, "there is no column %s; the header has %s", brief.Quoted(name), brief.List(t.names))
		}
		t.columns = append(t.columns, i)
	}
	return nil
}

// parse appends the chosen cells of a row, which stands on that line.
func (t *table) parse(values []float64, line int, row []string) ([]float64, error) {
	for _, i := range t.columns {
		v, err := number64(row[i])
		if err != nil {
			name, hint := "", "if the first row holds names, say so with Header(true); lines before the table can be left out with SkipLines(n)"
			if t.names != nil {
				name, hint = fmt.Sprintf(" (%s)", brief.Text(t.names[i])), "correct it, read other columns with Columns(names...), or text and dates too with LoadColumns"
			}
			return nil, csvError(t.path, err, "line %d, column %d%s: %s is not a number; %s", line, i+1, name, brief.Quoted(row[i]), hint)
		}
		values = append(values, v)
	}
	return values, nil
}

// number64 reads a cell; an empty one is NaN, and so is NA.
func number64(cell string) (float64, error) {
	if v, ok := decimal(cell); ok {
		return v, nil
	}
	cell = strings.TrimSpace(cell)
	if cell == "" || cell == "NA" {
		return math.NaN(), nil
	}
	v, err := strconv.ParseFloat(cell, 64)
	if errors.Is(err, strconv.ErrRange) {
		return v, nil // the nearest value: infinity or zero, as every reader of such files does
	}
	return v, err
}
