package arrays

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/replace"
)

// SaveCSV writes x to a file, a line for each row of a matrix, or for each element of a list: numbers in the fewest digits that give them
// back, dates as [Array.String] has them, text in quotes where it needs them. [Columns] gives the names of a header, [Delimiter]
// what separates cells; other options are for reading. A file that ends in .gz is compressed. [LoadCSV] and [LoadColumns]
// read it.
func SaveCSV(path string, x any, opts ...CSVOption) error {
	return replace.File(path, false, func(w io.Writer) error {
		if !strings.HasSuffix(path, ".gz") {
			return WriteCSV(w, x, opts...)
		}
		z := gzip.NewWriter(w)
		if err := WriteCSV(z, x, opts...); err != nil {
			return err
		}
		return z.Close()
	})
}

// WriteCSV writes x to w as [SaveCSV] does; nothing is compressed.
func WriteCSV(w io.Writer, x any, opts ...CSVOption) error {
	a, _, err := AsArray(x)
	if err != nil {
		return withOp("savetxt", err)
	}
	o := gather(opts)
	columns := 1
	switch a.NDim() {
	case 0, 1:
	case 2:
		columns = a.layout.Shape[1]
	default:
		return &Error{Op: "savetxt", Shapes: [][]int{a.layout.Shape}, Msg: fmt.Sprintf("shape %s is no table; reshape it to two axes, or write it with Save", shapeString(a.layout.Shape))}
	}
	if len(o.columns) != 0 && len(o.columns) != columns {
		return &Error{Op: "savetxt", Shapes: [][]int{a.layout.Shape}, Msg: fmt.Sprintf("%d names are given for %d columns; name all of them, or none", len(o.columns), columns)}
	}
	cell, err := cellWriter(a, o.delimiter)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	var line []byte
	end := func(k int) {
		if k < columns-1 {
			line = append(line, string(o.delimiter)...)
		} else {
			line = append(line, '\n')
		}
	}
	for k, name := range o.columns {
		line = appendText(line, name, o.delimiter)
		end(k)
	}
	for i := range a.Size() {
		line = cell(line, i)
		end(i % columns)
		if len(line) >= 1<<12 {
			poll()
			if _, err := out.Write(line); err != nil {
				return err
			}
			line = line[:0]
		}
	}
	if _, err := out.Write(line); err != nil {
		return err
	}
	return out.Flush()
}

// cellWriter returns what appends the text of element i.
func cellWriter(a *Array, delimiter rune) (func(line []byte, i int) []byte, error) {
	switch d := a.dtype; {
	case d.IsBool():
		v := a.Bools()
		return func(line []byte, i int) []byte { return strconv.AppendBool(line, v[i]) }, nil
	case d.IsUnsigned():
		v := a.Uint64s()
		return func(line []byte, i int) []byte { return strconv.AppendUint(line, v[i], 10) }, nil
	case d.IsInt():
		v := a.Int64s()
		return func(line []byte, i int) []byte { return strconv.AppendInt(line, v[i], 10) }, nil
	case d.IsFloat():
		v, bits := a.Float64s(), 64
		if d != Float64 {
			bits = 32
		}
		return func(line []byte, i int) []byte { return strconv.AppendFloat(line, v[i], 'g', -1, bits) }, nil
	case d.IsComplex():
		return nil, &Error{Op: "savetxt", Msg: fmt.Sprintf("a table has no %v; write Real and Imag, or all of it with Save", d)}
	}
	v := a.Strings()
	return func(line []byte, i int) []byte { return appendText(line, v[i], delimiter) }, nil
}

// appendText appends a cell of text, in quotes where it would be read otherwise without them.
func appendText(line []byte, s string, delimiter rune) []byte {
	if s != "" && !strings.ContainsRune(s, delimiter) && !strings.ContainsAny(s, "\"\r\n") && !strings.ContainsAny(s[:1], " \t#") {
		return append(line, s...)
	}
	return append(append(append(line, '"'), strings.ReplaceAll(s, `"`, `""`)...), '"')
}
