package arrays

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/internal/reading"
)

// isJSON reports whether the name of a file says that it has records, and whether each is a line of it.
func isJSON(path string) (is, byLine bool) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".json":
		return true, false
	case ".jsonl", ".ndjson":
		return true, true
	}
	return false, false
}

// ReadRecords reads a table of JSON records from what in yields, a list of objects of one level or objects one after
// the other: [{"city":"Ulm","people":126000}]. The columns are all names, in the order in which they first appear, or
// those of [Columns]; what a record lacks, or has as null, is missing. Numbers become int64 where all of a column are
// written as whole ones, uint64 where one is beyond that, else float64; where that would round a whole one, the column
// is text. Texts all of which are dates of ISO 8601 become datetime64. A missing value is NaN, NaT or empty text; it
// makes a column of whole numbers float64, and one of bools text, but with [MissingInto]. Values of several kinds in a
// column, and lists and objects in a record, are an error that names row and column.
func ReadRecords(in io.Reader, opts ...CSVOption) (names []string, columns []*Array, err error) {
	defer reading.Guard[*Error](&err, readerError("readrecords", ""))
	o := gather(opts)
	if name := o.textOnly(); name != "" {
		return nil, nil, badFile(nil, "%s is for CSV; leave it out for JSON", name)
	}
	text, err := budget.ReadAll(polledReader{in}, "the table", 0)
	if err != nil {
		return nil, nil, err
	}
	return readRecords(text, o)
}

// loadJSONRecords is [ReadRecords] of a file.
func loadJSONRecords(path string, o csvOptions) (names []string, columns []*Array, err error) {
	text, err := budget.ReadFileThrough(path, "the table", 0, polled)
	if err != nil {
		return nil, nil, err
	}
	return readRecords(text, o)
}

// records collects the values of columns.
type records struct {
	masked bool // missing whole numbers and bools leave a column what it is
	names  []string
	number map[string]int
	values [][]json.Token // of each column, up to the last row that has one
	rows   int
	work   poller
}

// readRecords reads records, a list of them or one after the other.
func readRecords(text []byte, o csvOptions) (names []string, columns []*Array, err error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // some programs write a byte order mark
	if err := budget.JSON("the table", text, poll); err != nil {
		return nil, nil, err
	}
	r := records{number: map[string]int{}, masked: o.masks != nil}
	if err := r.read(text); err != nil {
		return nil, nil, err
	}
	return r.table(o)
}

func (r *records) read(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	bad := func(err error) error {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("the JSON text ends too early, after %d bytes", d.InputOffset())
		}
		return fmt.Errorf("this is not valid JSON, at byte %d: %w", d.InputOffset(), err)
	}
	first, err := d.Token()
	switch {
	case err == io.EOF && len(bytes.TrimSpace(text)) == 0:
		return nil // no lines
	case err != nil:
		return bad(err)
	case first == json.Delim('['):
		for d.More() {
			start, err := d.Token()
			if err != nil {
				return bad(err)
			}
			if start != json.Delim('{') {
				return fmt.Errorf("element %d of the list is %s; a table is a list of records, [{\"name\": value}]: LoadJSON reads lists of numbers", r.rows, what(start))
			}
			if err := r.record(d, bad); err != nil {
				return err
			}
		}
		if _, err := d.Token(); err != nil {
			return bad(err)
		}
		if _, err := d.Token(); err != io.EOF {
			return fmt.Errorf("there is more text after the list, at byte %d", d.InputOffset())
		}
	case first == json.Delim('{'):
		for start := first; ; {
			if start != json.Delim('{') {
				return fmt.Errorf("after %d records there is %s; each line is a record, {\"name\": value}", r.rows, what(start))
			}
			if err := r.record(d, bad); err != nil {
				return err
			}
			if start, err = d.Token(); err == io.EOF {
				break
			} else if err != nil {
				return bad(err)
			}
		}
	default:
		return fmt.Errorf("this is %s; a table is a list of records, [{\"name\": value}]", what(first))
	}
	return nil
}

// what is a token for people.
func what(t json.Token) string {
	switch v := t.(type) {
	case json.Delim:
		if v == '[' {
			return "a list"
		}
		return "an object"
	case json.Number:
		return "the number " + brief.Text(v)
	case string:
		return "the text " + brief.Quoted(v)
	case nil:
		return "null"
	}
	return fmt.Sprint(t)
}

// record reads an object whose brace is read.
func (r *records) record(d *json.Decoder, bad func(error) error) error {
	for d.More() {
		r.work.did(1024)
		key, err := d.Token()
		if err != nil {
			return bad(err)
		}
		name := key.(string)
		value, err := d.Token()
		if err != nil {
			return bad(err)
		}
		if _, nested := value.(json.Delim); nested {
			return fmt.Errorf("row %d, column %s: the value is %s; records have numbers, texts, bools and null", r.rows, brief.Quoted(name), what(value))
		}
		i, known := r.number[name]
		if !known {
			i = len(r.names)
			r.number[name] = i
			r.names, r.values = append(r.names, name), append(r.values, nil)
			if err := r.fits(); err != nil {
				return err
			}
		}
		if len(r.values[i]) > r.rows {
			return fmt.Errorf("row %d has column %s twice", r.rows, brief.Quoted(name))
		}
		for len(r.values[i]) < r.rows {
			r.values[i] = append(r.values[i], nil)
		}
		r.values[i] = append(r.values[i], value)
	}
	if _, err := d.Token(); err != nil {
		return bad(err)
	}
	r.rows++
	return nil
}

// fits returns an error when there is no memory for a value of each row in each column.
func (r *records) fits() error {
	what := fmt.Sprintf("a table of %d rows and %d columns", r.rows+1, len(r.names))
	return budget.For(what, budget.Product(len(r.names), r.rows+1, 32))
}

// table returns the columns that o chooses.
func (r *records) table(o csvOptions) (names []string, columns []*Array, err error) {
	if err := r.fits(); err != nil {
		return nil, nil, err
	}
	chosen := o.Columns
	if chosen == nil {
		chosen = r.names
	}
	report := CSVReport{Encoding: "utf-8", Header: true}
	for _, name := range chosen {
		i, known := r.number[name]
		if !known {
			return nil, nil, badFile(nil, "there is no column %s; the records have %s", brief.Quoted(name), brief.List(r.names))
		}
		values := append(r.values[i], make([]json.Token, r.rows-len(r.values[i]))...)
		c, err := ofTokens(values, r.masked)
		if err != nil {
			return nil, nil, badFile(err, "column %s: %v", brief.Quoted(name), err)
		}
		if c.missing != nil {
			for _, masks := range o.masks {
				masks[name] = c.missing
			}
		}
		if c.note != "" {
			report.Notes = append(report.Notes, "column "+brief.Text(name)+" "+c.note)
		}
		names, columns = append(names, name), append(columns, c.values)
	}
	for _, into := range o.reports {
		*into = report
	}
	return names, columns, nil
}

// recordColumn is a column of values, and what is to be said of it.
type recordColumn struct {
	values  *Array
	missing []bool // which are, where MissingInto asks for it and the dtype has no value for it
	note    string
}

// ofTokens returns a column of values of one kind.
func ofTokens(values []json.Token, masked bool) (c recordColumn, err error) {
	gone, some := make([]bool, len(values)), false
	var kind json.Token // the first that is not null
	for row, v := range values {
		if row%(1<<14) == 0 {
			poll()
		}
		if gone[row] = v == nil; v == nil {
			some = true
			continue
		}
		if kind == nil {
			kind = v
		}
		if fmt.Sprintf("%T", v) != fmt.Sprintf("%T", kind) {
			return c, fmt.Errorf("row %d has %s, and another row %s; a column has values of one kind", row, what(v), what(kind))
		}
	}
	if some && masked {
		c.missing = gone
	}
	switch kind.(type) {
	case nil:
		c.missing, c.values = nil, Full(math.NaN(), len(values))
	case bool:
		if some && !masked {
			c.values = FromSlice(tokens(values, func(v bool) string { return map[bool]string{true: "True", false: "False"}[v] }))
		} else {
			c.values = FromSlice(tokens(values, func(v bool) bool { return v }))
		}
	case string:
		c.missing = nil
		text := tokens(values, func(v string) string { return v })
		if c.values = isoDates(text); c.values == nil {
			c.values = FromSlice(text)
		}
	default:
		err = c.numbers(tokens(values, func(v json.Number) string { return string(v) }), gone, some)
	}
	return c, err
}

// tokens are values of one type, the zero of another for null.
func tokens[T, U any](values []json.Token, of func(T) U) []U {
	out := make([]U, len(values))
	for i, v := range values {
		if i%(1<<16) == 0 {
			poll()
		}
		if v, ok := v.(T); ok {
			out[i] = of(v)
		}
	}
	return out
}

// numbers makes a column of numbers as they are written, "" where one is missing.
func (c *recordColumn) numbers(text []string, gone []bool, some bool) error {
	ints, uints, floats := make([]int64, len(text)), make([]uint64, len(text)), make([]float64, len(text))
	whole, signed, unsigned, rounded := true, true, true, ""
	for i, s := range text {
		if i%(1<<14) == 0 {
			poll()
		}
		if gone[i] {
			floats[i] = math.NaN()
			continue
		}
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return fmt.Errorf("row %d has %s, which is too large for float64", i, brief.Text(s))
		}
		floats[i] = v
		if strings.ContainsAny(s, ".eE") {
			whole = false
			continue
		}
		var e1, e2 error
		ints[i], e1 = strconv.ParseInt(s, 10, 64)
		uints[i], e2 = strconv.ParseUint(s, 10, 64)
		signed, unsigned = signed && e1 == nil, unsigned && e2 == nil
		if math.Abs(v) >= 1<<53 && rounded == "" {
			if exact, ok := new(big.Int).SetString(s, 10); ok && new(big.Float).SetInt(exact).Cmp(big.NewFloat(v)) != 0 {
				rounded = s
			}
		}
	}
	some = some && c.missing == nil // no dtype of whole numbers has all values
	switch {
	case whole && signed && !some:
		c.values = FromSlice(ints)
	case whole && unsigned && !some:
		c.values = FromSlice(uints)
	case rounded != "":
		c.missing, c.values = nil, FromSlice(text)
		c.note = "is text: no dtype of numbers has all of it exactly, as " + brief.Text(rounded)
	default:
		c.missing, c.values = nil, FromSlice(floats)
	}
	return nil
}

var isoDate = lazyregexp.New(`^-?\d{4,}-\d\d-\d\d([T ]\d\d(:\d\d(:\d\d(\.\d{1,9})?)?)?)?$`)

// isoDates returns texts, all of which are dates of ISO 8601 but for empty ones, as datetime64 in the unit of the most
// precise; or nil.
func isoDates(text []string) (x *Array) {
	unit, some := Day, false
	filled := make([]string, len(text))
	for i, s := range text {
		if i%(1<<12) == 0 {
			poll()
		}
		if s == "" {
			filled[i] = "NaT"
			continue
		}
		m := isoDate.FindStringSubmatch(s)
		if m == nil {
			return nil
		}
		of := Day
		switch digits := len(m[4]) - 1; {
		case digits > 6:
			of = Nanosecond
		case digits > 3:
			of = Microsecond
		case digits > 0:
			of = Millisecond
		case m[3] != "":
			of = Second
		case m[2] != "":
			of = Minute
		case m[1] != "":
			of = Hour
		}
		unit, some, filled[i] = max(unit, of), true, s
	}
	if !some {
		return nil
	}
	var bad error
	defer func() {
		if bad != nil { // 2026-02-31 is text
			x = nil
		}
	}()
	defer catch(&bad)
	return FromSlice(filled).AsType(DateTime(unit))
}
