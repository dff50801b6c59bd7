package csvtable

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/reading"
)

// table reads the rows of one file.
type table struct {
	path    string // of the file, once its rows are read: to say where something is
	rows    *rowReader
	options Options
	format  *Format
	names   []string
	columns []int // cells of a row that are read
	report  Report
	sure    bool // of the encoding
}

// newTable begins to read a table: it reads the header, and the first row, whose bytes rows.raw has. It returns io.EOF
// for err when there is none, and no table when something is wrong.
func newTable(in io.Reader, o Options) (*table, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	lines, encoding, sure, err := textReader(in, o.Encoding)
	if err != nil {
		return nil, err
	}
	t := &table{options: o, format: NewFormat(&o), report: Report{Encoding: encoding}, sure: sure}
	t.rows = newRowReader(lines, newDialect(&o))
	for range o.Skip {
		if _, err := t.rows.readLine(); err == io.EOF {
			break // fewer lines than are to be skipped: "no rows" below
		} else if err != nil {
			return nil, unreadable(err)
		}
		t.rows.line++
	}
	if !o.IsDelimited {
		t.findDelimiter()
		t.options.IsDelimited = true
		if err := t.options.Check(); err != nil { // a decimal comma may separate no cells
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
	if err == io.EOF && t.names == nil && o.Names == nil {
		return nil, reading.Fault(nil, "there are no rows; is it the right file?")
	}
	width := max(len(row), len(t.names))
	if o.Names != nil {
		if len(o.Names) != width && width > 0 {
			return nil, reading.Fault(nil, "Names gives %d names to the %d columns of the file", len(o.Names), width)
		}
		t.names = o.Names
	}
	if err := t.choose(o.Columns, width); err != nil {
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
			return reading.Fault(nil, "there is no column %s; the header has %s", brief.Quoted(name), brief.List(t.names))
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
			return reading.Fault(nil, "it has no header, so Columns(%s) finds nothing; its columns are 0 to %d, or say Names(names...), or Header(true) if the first row holds names", brief.List(names), width-1)
		}
		t.columns = append(t.columns, i)
	}
	return nil
}

// parse appends the chosen cells of a row, which stands on that line.
func (t *table) parse(values []float64, line int, row []string) ([]float64, error) {
	for _, i := range t.columns {
		v, ok := math.NaN(), true
		if !t.format.IsMissing(row[i]) {
			v, ok = t.format.Number(row[i])
		}
		if !ok {
			name, hint := "", "if the first row holds names, say so with Header(true); lines before the table can be left out with SkipLines(n), words for missing values named with Missing(words...)"
			if t.names != nil {
				name, hint = fmt.Sprintf(" (%s)", brief.Text(t.names[i])), "correct it, read other columns with Columns(names...), say Missing(words...) if it stands for a missing value, or read text and dates too with LoadColumns"
			}
			return nil, reading.Fault(nil, "line %d, column %d%s: %s is not a number; %s", line, i+1, name, brief.Quoted(row[i]), hint)
		}
		values = append(values, v)
	}
	return values, nil
}

// found is the report of a table that has been read.
func (t *table) found() Report {
	t.report.Skipped = int(t.rows.skipped.Load())
	return t.report
}
