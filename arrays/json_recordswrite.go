package arrays

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/replace"
)

// WriteRecords writes columns of one length under their names as a list of JSON records, which [ReadRecords] reads
// back: [{"city":"Ulm","people":126000}]. NaN, NaT, empty text and what [MissingInto] says is missing are null, dates
// are texts, those of years and months as days; of columns of more axes each value is a list. JSON has neither
// infinities nor complex numbers nor durations: they are an error.
func WriteRecords(w io.Writer, names []string, columns []*Array, opts ...CSVOption) (err error) {
	defer catch(&err)
	o := gather(opts)
	return writeRecords(w, names, columns, &o, [3]string{"[", ",", "]"})
}

// saveRecords writes a file of records: a list, or a record on each line.
func saveRecords(path string, names []string, columns []*Array, o *csvOptions, byLine bool) error {
	around := [3]string{"[", ",\n", "]\n"}
	if byLine {
		around = [3]string{"", "\n", "\n"}
	}
	return replace.File(path, false, func(w io.Writer) error { return writeRecords(w, names, columns, o, around) })
}

// writeRecords writes the rows with what stands before, between and after them.
func writeRecords(w io.Writer, names []string, columns []*Array, o *csvOptions, around [3]string) error {
	if err := areColumns("json", names, columns); err != nil {
		return err
	}
	rows := 0
	keys := make([][]byte, len(names))
	values := make([]func(to []byte, row int) ([]byte, error), len(names))
	for i, c := range columns {
		rows = c.Len()
		text, err := json.Marshal(names[i])
		if err != nil {
			return err
		}
		keys[i] = append(text, ':')
		if values[i], err = jsonValue(c, o.gaps(names[i])); err != nil {
			return badColumn(names[i], err)
		}
	}
	out := bufio.NewWriter(w)
	out.WriteString(around[0])
	var polls poller
	for row := range rows {
		if row > 0 {
			out.WriteString(around[1])
		}
		polls.did(64 * len(names))
		line := append(out.AvailableBuffer(), '{')
		for i := range names {
			if i > 0 {
				line = append(line, ',')
			}
			line = append(line, keys[i]...)
			var err error
			if line, err = values[i](line, row); err != nil {
				return badColumn(names[i], err)
			}
		}
		if _, err := out.Write(append(line, '}')); err != nil {
			return err
		}
	}
	if rows > 0 || around[0] != "" {
		out.WriteString(around[2])
	}
	return out.Flush()
}

// badColumn names the column in an error.
func badColumn(name string, err error) error {
	named := withOp("json", err)
	named.Msg = "column " + brief.Quoted(name) + ": " + named.Msg
	return named
}

// jsonValue returns what appends the value of a row: null where it is missing.
func jsonValue(c *Array, gone []bool) (func(to []byte, row int) ([]byte, error), error) {
	if c.NDim() > 1 {
		return func(to []byte, row int) ([]byte, error) {
			text, err := c.At(row).MarshalJSON()
			return append(to, text...), err
		}, nil
	}
	if c.dtype.isDate() && c.dtype.unit() < Day { // a year alone is a text
		c = c.AsType(DateTime(Day))
	}
	element, err := jsonElement(c)
	if err != nil {
		return nil, err
	}
	switch {
	case gone != nil:
	case c.dtype.isDate():
		gone = IsNaN(c).Bools()
	case c.dtype.IsString():
		gone = c.Equal("").Bools()
	default: // of numbers NaN is null
		return element, nil
	}
	return func(to []byte, row int) ([]byte, error) {
		if gone[row] {
			return append(to, "null"...), nil
		}
		return element(to, row)
	}, nil
}
