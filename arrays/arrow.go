package arrays

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/csvtable"
	"github.com/arrayrepl/arrayrepl/internal/mmap"
	"github.com/arrayrepl/arrayrepl/internal/reading"
	"github.com/arrayrepl/arrayrepl/internal/replace"
	"github.com/arrayrepl/arrayrepl/internal/tables"
)

// Package internal/arrowtable reads and writes the format; here columns become arrays.

// LoadArrow reads a table from an Arrow IPC file, which is also Feather of version 2, or from a file that holds an IPC
// stream: the named columns in this order, all when none are named. Each value of a column is an element of the first
// axis; lists of one fixed size give the further ones. Dates and timestamps become datetime64 (of UTC where a time zone
// is given), durations timedelta64; a dictionary gives its values. A missing value is NaN, NaT or empty text; it makes
// a column of whole numbers float64, and is an error where that would round them, beyond 2^53. Other types, files that
// are damaged, and bools with missing values are an error that names the column. A program that uses this package alone
// imports package arrays/arrow for it, as a program imports image/png.
func LoadArrow(path string, columns ...string) (names []string, values []*Array, err error) {
	defer reading.Guard[*Error](&err, readerError("loadarrow", path))
	return loadArrow(path, csvOptions{Options: csvtable.Options{Columns: columns}})
}

// loadArrow is LoadArrow that fills masks as [MissingInto] says, if there are any.
func loadArrow(path string, o csvOptions) (names []string, values []*Array, err error) {
	data, done, err := mapFile(path)
	if err != nil {
		return nil, nil, err
	}
	defer done(false)
	err = mmap.Read(func() (err error) {
		names, values, err = readArrow(data, o.Columns, o.masks)
		for i, a := range values {
			values[i] = a.Copy() // what is returned must not lie in the file, which is let go
		}
		return err
	})
	return names, values, err
}

// MapArrow is [LoadArrow] without reading: columns of numbers, dates and durations lie in the file itself, and the
// system brings in what is touched, so that a file may be larger than memory. Writing to such an array leaves the file
// as it is. Columns with missing values, of bools or text, in several record batches or compressed cannot be used as
// they lie and are copied, and so is a file with a dictionary. The file stays mapped until [Array.Close] of one of
// them, and must not be cut or overwritten until then. Where files cannot be mapped (Windows) it is read.
func MapArrow(path string, columns ...string) (names []string, values []*Array, err error) {
	defer reading.Guard[*Error](&err, readerError("maparrow", path))
	data, done, err := mapFile(path)
	if err != nil {
		return nil, nil, err
	}
	lies := false
	defer func() { done(lies) }()
	err = mmap.Read(func() (err error) { names, values, err = readArrow(data, columns, nil); return err })
	lies = err == nil
	return names, values, err
}

// ReadArrow is [LoadArrow] of what in yields, up to its end, a file or a stream. The columns share the memory that was
// read.
func ReadArrow(in io.Reader, columns ...string) (names []string, values []*Array, err error) {
	defer reading.Guard[*Error](&err, readerError("readarrow", "input"))
	data, err := budget.ReadAll(polledReader{in}, "the input", 0)
	if err != nil {
		return nil, nil, badFile(err, "cannot be read: %v", err)
	}
	return readArrow(data, columns, nil)
}

// isArrow reports whether the name of a file says that it is Arrow's.
func isArrow(path string) bool {
	return slices.Contains([]string{".arrow", ".arrows", ".feather"}, strings.ToLower(filepath.Ext(path)))
}

// arrowFormat is what reads and writes Arrow's files, which a program that wants it imports: this package does not link
// the library that decodes them.
func arrowFormat() (tables.Format, error) {
	if f := tables.Arrow(); f != nil {
		return f, nil
	}
	return nil, badFile(nil, `files of Arrow are read and written by programs that import _ "github.com/arrayrepl/arrayrepl/arrays/arrow", and this one does not`)
}

// readArrow reads a table whose bytes are data; its columns may lie in them.
func readArrow(data []byte, columns []string, masks []map[string][]bool) (names []string, values []*Array, err error) {
	defer func() {
		if err != nil {
			names, values = nil, nil
		}
	}()
	defer reading.Decoder[*Error](&err)
	format, err := arrowFormat()
	if err != nil {
		return nil, nil, err
	}
	read, err := format.Read(data, columns, tables.Memory{Allocate: allocate, Poll: poll})
	if err != nil {
		return nil, nil, err
	}
	for _, c := range read {
		gone := &keptMask{kept: masks != nil}
		a, err := columnArray(c, gone)
		if err != nil {
			return nil, nil, tables.Fault(c.Name, err)
		}
		if gone.mask != nil {
			for _, m := range masks {
				m[c.Name] = slices.Clone(gone.mask)
			}
		}
		names, values = append(names, c.Name), append(values, a)
	}
	return names, values, nil
}

// SaveArrow writes columns of one length under their names to an Arrow IPC file (Feather of version 2), which pandas,
// polars and DuckDB read. Columns of more axes are lists of a fixed size. NaT is a missing value; NaN stays a number.
// Complex numbers and spans of months or years have no type there and are an error. A path that ends in .arrows gets
// the stream format. The file that was there before stays as it is when writing fails.
func SaveArrow(path string, names []string, columns []*Array) (err error) {
	defer catch(&err)
	return saveArrow(path, names, columns, new(csvOptions))
}

// saveArrow is SaveArrow of columns of which some elements are missing, as o says.
func saveArrow(path string, names []string, columns []*Array, o *csvOptions) error {
	t, err := encodeArrow(names, columns, o)
	if err != nil {
		return err
	}
	write := t.WriteFile
	if strings.EqualFold(filepath.Ext(path), ".arrows") {
		write = t.WriteStream
	}
	return replace.File(path, false, func(w io.Writer) error { return write(polledWriter{w}) })
}

// WriteArrow is [SaveArrow] to w, in the stream format, which needs no file.
func WriteArrow(w io.Writer, names []string, columns []*Array) (err error) {
	defer catch(&err)
	t, err := encodeArrow(names, columns, new(csvOptions))
	if err != nil {
		return err
	}
	return t.WriteStream(polledWriter{w})
}

// encodeArrow is a table as Arrow has it; numbers are not copied. Columns may have gaps, as o says.
func encodeArrow(names []string, columns []*Array, o *csvOptions) (tables.Encoded, error) {
	format, err := arrowFormat()
	if err != nil {
		return nil, withOp("savearrow", err)
	}
	all, err := tableColumns(names, columns, o)
	if err == nil {
		var t tables.Encoded
		if t, err = format.Encode(all); err == nil {
			return t, nil
		}
	}
	return nil, &Error{Op: "savearrow", Msg: err.Error()}
}
