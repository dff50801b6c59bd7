// Package tables is what passes between arrays and the packages that read and write files of tables: columns as bytes
// and texts. Those packages know no arrays, and package arrays links none of them that a program has not asked for.
package tables

import (
	"io"
	"iter"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/reading"
)

// Column is a column of a table. Its values are one of Data, Texts, Lists and Chosen; where it has no rows, Type, Lists
// or Chosen says which.
type Column struct {
	Name    string
	Type    string           // of Data, as NumPy names it without an order of bytes, b1, i8, f4, M8[ms], m8[s]; or [Text]
	Rows    int              //
	Data    []byte           // elements side by side, little-endian and aligned; bools are bytes 0 and 1
	Texts   iter.Seq[string] // texts that may lie in the file's memory
	Size    int              // of each list, where there are Lists
	Lists   *Column          // the values of all lists, one behind the other
	Chosen  []Chosen         // values of a dictionary, piece by piece
	Missing []bool           // which values are, or nil where none is
}

// Text is the type of columns of texts.
const Text = "U"

// Chosen are values that are given by their numbers in a dictionary.
type Chosen struct{ Index, Values Column }

// Memory is how a reader takes memory and lets itself be interrupted.
type Memory struct {
	Allocate func(n int) []byte // zeroed, aligned for every type; it panics where there is too little
	Poll     func()
}

// Fault is err of the column of that name.
func Fault(name string, err error) error {
	return reading.Fault(err, "column %s: %v; other columns can be read by naming them", brief.Quoted(name), err)
}

// Format reads and writes tables of one format.
type Format interface {
	// Read decodes a whole file or stream. Columns may lie in data. With names it reads these columns alone, in that
	// order. Of what is damaged it panics too, where it or an iterator over texts reaches beyond what is there.
	Read(data []byte, names []string, m Memory) ([]Column, error)
	// Lies says where in data the values of a column are, from which byte to before which, part by part, and what they
	// are: a column of a type and rows alone. It is an error where they do not lie there as elements of arrays do.
	Lies(data []byte, name string, m Memory) (c Column, parts [][2]int64, err error)
	// Encode makes of columns of as many rows what can be written; the error names the column.
	Encode(columns []Column) (Encoded, error)
}

// Encoded is a table that can be written, as a file or as a stream of bytes.
type Encoded interface {
	WriteFile(w io.Writer) error
	WriteStream(w io.Writer) error
}

var arrow atomic.Pointer[Format]

// RegisterArrow says what reads and writes Arrow's files. A package that does it calls it from its init, as those of
// images do; see package arrays/arrow.
func RegisterArrow(f Format) { arrow.Store(&f) }

// Arrow returns what reads and writes Arrow's files, or nil where the program has not imported it.
func Arrow() Format {
	if f := arrow.Load(); f != nil {
		return *f
	}
	return nil
}
