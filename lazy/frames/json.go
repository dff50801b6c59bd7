package frames

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

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/internal/replace"
	np "github.com/arrayrepl/arrayrepl/lazy"
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

// MarshalJSON writes t as a list of records: [{"city":"Ulm","people":126000}]. What is missing is null, dates are
// texts. JSON has neither infinities nor complex numbers nor durations: they are an error.
func (t *Table) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	if err := t.writeRecords(&b, "[", ",", "]"); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// writeRecords writes the rows with what stands before, between and after them.
func (t *Table) writeRecords(b *bytes.Buffer, before, between, after string) error {
	evaluate(t.columns)
	elements := make([][]json.RawMessage, len(t.columns))
	names := make([][]byte, len(t.columns))
	for i, c := range t.columns {
		text, err := c.json()
		if err == nil {
			err = json.Unmarshal(text, &elements[i])
		}
		if err != nil {
			return fmt.Errorf("frames: column %s: %w", brief.Quoted(t.names[i]), err)
		}
		for row, gone := range c.gaps() {
			if gone {
				elements[i][row] = json.RawMessage("null")
			}
		}
		if names[i], err = json.Marshal(t.names[i]); err != nil {
			return err
		}
	}
	b.WriteString(before)
	for row := range t.rows {
		if row > 0 {
			b.WriteString(between)
		}
		for i := range t.columns {
			b.WriteByte("{,"[min(i, 1)])
			b.Write(names[i])
			b.WriteByte(':')
			b.Write(elements[i][row])
		}
		if len(t.columns) == 0 {
			b.WriteByte('{')
		}
		b.WriteByte('}')
	}
	b.WriteString(after)
	return nil
}

// json writes the values as a list.
func (c *Column) json() ([]byte, error) {
	return c.values.MarshalJSON()
}

func (t *Table) writeJSON(path string, byLine bool) error {
	var b bytes.Buffer
	var err error
	if byLine {
		end := "\n"
		if t.rows == 0 {
			end = ""
		}
		err = t.writeRecords(&b, "", "\n", end)
	} else {
		err = t.writeRecords(&b, "[", ",\n", "]\n")
	}
	if err != nil {
		return err
	}
	return replace.File(path, false, func(w io.Writer) error {
		_, err := w.Write(b.Bytes())
		return err
	})
}

// UnmarshalJSON makes t of records, a list of objects of one level or objects one after the other: the columns are all
// names, in the order in which they first appear, and what a record lacks, or has as null, is missing. Numbers become
// int64 where all of a column are written as whole ones, uint64 where one is beyond that, else float64; where that
// would round a whole one, the column is text. Texts all of which are dates of ISO 8601 become datetime64. Numbers
// among texts, lists and objects in a record are an error that names row and column.
func (t *Table) UnmarshalJSON(text []byte) error {
	out, err := readRecords(text)
	if err != nil {
		return &arrays.Error{Op: "frames.UnmarshalJSON", Msg: err.Error(), Err: err}
	}
	*t = *out
	return nil
}

func readJSON(path string) (*Table, error) {
	text, err := budget.ReadFile(path, "the table", 0)
	var t *Table
	if err == nil {
		t, err = readRecords(text)
	}
	if err != nil {
		return nil, &arrays.Error{Op: "frames.Read", Msg: brief.Path(path) + ": " + brief.Reason(err), Err: err}
	}
	return t, nil
}

// records collects the values of columns.
type records struct {
	names  []string
	number map[string]int
	values [][]json.Token // of each column, up to the last row that has one
	rows   int
}

func readRecords(text []byte) (*Table, error) {
	if err := budget.JSON("the table", text); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	bad := func(err error) error {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("the JSON text ends too early, after %d bytes", d.InputOffset())
		}
		return fmt.Errorf("this is not valid JSON, at byte %d: %w", d.InputOffset(), err)
	}
	r := records{number: map[string]int{}}
	first, err := d.Token()
	switch {
	case err == io.EOF && len(bytes.TrimSpace(text)) == 0:
		return &Table{}, nil // no lines
	case err != nil:
		return nil, bad(err)
	case first == json.Delim('['):
		for d.More() {
			start, err := d.Token()
			if err != nil {
				return nil, bad(err)
			}
			if start != json.Delim('{') {
				return nil, fmt.Errorf("element %d of the list is %s; a table is a list of records, [{\"name\": value}]: LoadJSON reads lists of numbers", r.rows, what(start))
			}
			if err := r.record(d, bad); err != nil {
				return nil, err
			}
		}
		if _, err := d.Token(); err != nil {
			return nil, bad(err)
		}
		if _, err := d.Token(); err != io.EOF {
			return nil, fmt.Errorf("there is more text after the list, at byte %d", d.InputOffset())
		}
	case first == json.Delim('{'):
		for start := first; ; {
			if start != json.Delim('{') {
				return nil, fmt.Errorf("after %d records there is %s; each line is a record, {\"name\": value}", r.rows, what(start))
			}
			if err := r.record(d, bad); err != nil {
				return nil, err
			}
			if start, err = d.Token(); err == io.EOF {
				break
			} else if err != nil {
				return nil, bad(err)
			}
		}
	default:
		return nil, fmt.Errorf("this is %s; a table is a list of records, [{\"name\": value}]", what(first))
	}
	return r.table()
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

func (r *records) table() (*Table, error) {
	if err := r.fits(); err != nil {
		return nil, err
	}
	t := &Table{names: r.names, rows: r.rows}
	for i, values := range r.values {
		for len(values) < r.rows {
			values = append(values, nil)
		}
		c, note, err := ofTokens(values)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", brief.Quoted(r.names[i]), err)
		}
		if note != "" {
			t.notes = append(t.notes, "column "+brief.Text(r.names[i])+" "+note)
		}
		t.columns = append(t.columns, c)
	}
	return t, nil
}

// ofTokens returns a column of values of one kind.
func ofTokens(values []json.Token) (c *Column, note string, err error) {
	gone := make([]bool, len(values))
	var kind json.Token // the first that is not null
	for row, v := range values {
		if gone[row] = v == nil; v == nil {
			continue
		}
		if kind == nil {
			kind = v
		}
		if fmt.Sprintf("%T", v) != fmt.Sprintf("%T", kind) {
			return nil, "", fmt.Errorf("row %d has %s, and another row %s; a column has values of one kind", row, what(v), what(kind))
		}
	}
	mask := arrays.FromSlice(gone)
	switch kind.(type) {
	case nil:
		return eager(make([]float64, len(values))).without(mask), "", nil
	case bool:
		return eager(tokens(values, func(v bool) bool { return v })).without(mask), "", nil
	case string:
		text := tokens(values, func(v string) string { return v })
		if x := dates(text); x != nil {
			return &Column{values: np.FromArray(x)}, "", nil
		}
		return ofTexts(text), "", nil
	}
	return ofNumbers(tokens(values, func(v json.Number) string { return string(v) }), mask)
}

// tokens are values of one type, the zero of another for null.
func tokens[T, U any](values []json.Token, of func(T) U) []U {
	out := make([]U, len(values))
	for i, v := range values {
		if v, ok := v.(T); ok {
			out[i] = of(v)
		}
	}
	return out
}

// ofNumbers returns a column of numbers as they are written, "" where one is missing.
func ofNumbers(text []string, mask *arrays.Array) (c *Column, note string, err error) {
	ints, uints, floats := make([]int64, len(text)), make([]uint64, len(text)), make([]float64, len(text))
	whole, signed, unsigned, rounded := true, true, true, ""
	for i, s := range text {
		if s == "" {
			continue
		}
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return nil, "", fmt.Errorf("row %d has %s, which is too large for float64", i, brief.Text(s))
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
	switch {
	case whole && signed:
		return eager(ints).without(mask), "", nil
	case whole && unsigned:
		return eager(uints).without(mask), "", nil
	case rounded != "":
		return ofTexts(text), "is text: no dtype of numbers has all of it exactly, as " + brief.Text(rounded), nil
	}
	return eager(floats).without(mask), "", nil
}

var isoDate = lazyregexp.New(`^-?\d{4,}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?)?$`)

// dates returns texts, all of which are dates of ISO 8601 but for empty ones, as datetime64 in the unit of the most
// precise; or nil.
func dates(text []string) (x *arrays.Array) {
	unit, some := arrays.Day, false
	filled := make([]string, len(text))
	for i, s := range text {
		if s == "" {
			filled[i] = "NaT"
			continue
		}
		m := isoDate.FindStringSubmatch(s)
		if m == nil {
			return nil
		}
		of := arrays.Day
		switch digits := len(m[3]) - 1; {
		case digits > 6:
			of = arrays.Nanosecond
		case digits > 3:
			of = arrays.Microsecond
		case digits > 0:
			of = arrays.Millisecond
		case m[2] != "":
			of = arrays.Second
		case m[1] != "":
			of = arrays.Minute
		}
		unit, some, filled[i] = max(unit, of), true, s
	}
	if !some {
		return nil
	}
	defer func() { // 2026-02-31 is text
		if _, ok := recover().(*arrays.Error); ok {
			x = nil
		}
	}()
	return arrays.FromSlice(filled).AsType(arrays.DateTime(unit))
}
