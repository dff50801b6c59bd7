package lazy

import (
	"errors"
	"io"
	"math"
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	_ "github.com/arrayrepl/arrayrepl/arrays/arrow"  // Arrow files
	_ "github.com/arrayrepl/arrayrepl/arrays/images" // pictures
	"github.com/arrayrepl/arrayrepl/offload"
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
)

// Full returns an array of the given shape, all of whose elements are value, a Go number or bool; those of an array are
// stretched to it.
func Full(value ArrayLike, shape ...int) *Array {
	v := must("full", value)
	l, err := v.layout.BroadcastTo(shape)
	check("full", err)
	return v.through(l).Copy()
}

// New returns an array of zeros of the given dtype and shape.
func New(dtype DType, shape ...int) *Array {
	_, err := noAxes.BroadcastTo(shape)
	check("new", err)
	return constant(arrays.New(dtype), contiguous(shape)).whole()
}

// Zeros returns a float64 array of zeros.
func Zeros(shape ...int) *Array { return New(Float64, shape...) }

// Ones returns a float64 array of ones.
func Ones(shape ...int) *Array { return Full(1.0, shape...) }

// Scalar returns a 0-d array of a Go number or bool; unlike a Go number it is not weak in promotion.
func Scalar(v ArrayLike) *Array { return FromArray(arrays.Scalar(v)) }

// iota1 returns 0, 1, … n-1 as int64; no memory holds them.
func iota1(n int) *Array {
	return newNode(kindIota, Int64, contiguous([]int{n}), &ordinary).whole()
}

// Linspace returns num evenly spaced float64 values from start to stop, both included.
func Linspace(start, stop float64, num int) *Array {
	if num < 2 || math.IsInf(stop-start, 0) || math.IsNaN(stop-start) || (stop-start)/float64(num-1) == 0 {
		return FromArray(arrays.Linspace(start, stop, num)) // the degenerate cases have rules of their own
	}
	i := iota1(num)
	scaled := i.AsType(Float64).Mul((stop - start) / float64(num-1))
	x, last := scaled.Add(start), i.Eq(num-1)
	for _, a := range []*Array{scaled, x, last} {
		a.ref.node.part = true
	}
	out := Where(last, stop, x)
	out.ref.node.own().label = "linspace"
	return out
}

// Arange is NumPy's: Arange(stop), Arange(start, stop) or Arange(start, stop, step), int64 when all are Go integers,
// float64 otherwise.
func Arange(args ...any) *Array {
	if len(args) == 1 {
		if n, ok := args[0].(int); ok {
			return iota1(max(n, 0))
		}
	}
	return FromArray(arrays.Arange(args...))
}

// FromSlice returns an array of the elements of a Go slice, copied, in the given shape (one axis when there is none).
func FromSlice(s any, shape ...int) *Array { return FromArray(arrays.FromSlice(s, shape...)) }

// From2D returns the matrix with the given rows, a slice of slices as [][]float64.
func From2D(rows any) *Array { return FromArray(arrays.From2D(rows)) }

// LoadCSV reads a table of numbers from a file: float64, a row per line. See arrays.LoadCSV.
func LoadCSV(path string, opts ...CSVOption) (*Array, error) {
	a, err := arrays.LoadCSV(path, opts...)
	if err != nil {
		return nil, err
	}
	return FromArray(a), nil
}

// ReadCSV is [LoadCSV] of what in yields. See arrays.ReadCSV.
func ReadCSV(in io.Reader, opts ...CSVOption) (*Array, error) {
	a, err := arrays.ReadCSV(in, opts...)
	if err != nil {
		return nil, err
	}
	return FromArray(a), nil
}

// SaveCSV evaluates x and writes it to a file, a line for each row. See arrays.SaveCSV.
func SaveCSV(path string, x ArrayLike, opts ...CSVOption) error {
	eager, err := forFile(x)
	if err != nil {
		return err
	}
	return arrays.SaveCSV(path, eager, opts...)
}

// WriteCSV evaluates x and writes it to w as [SaveCSV] does. See arrays.WriteCSV.
func WriteCSV(w io.Writer, x ArrayLike, opts ...CSVOption) error {
	eager, err := forFile(x)
	if err != nil {
		return err
	}
	return arrays.WriteCSV(w, eager, opts...)
}

// LoadColumns reads each column of a table by itself, by its name: numbers, bools, dates and text. See
// arrays.LoadColumns.
func LoadColumns(path string, opts ...CSVOption) (map[string]*Array, error) {
	named, err := arrays.LoadColumns(path, opts...)
	if err != nil {
		return nil, err
	}
	return placeholders(named), nil
}

// LoadTable is [LoadColumns] with the columns in the order of the file. See arrays.LoadTable.
func LoadTable(path string, opts ...CSVOption) (names []string, columns []*Array, err error) {
	names, eager, err := arrays.LoadTable(path, opts...)
	return names, placeholderList(eager), err
}

// ReadRecords reads a table of JSON records. See arrays.ReadRecords.
func ReadRecords(in io.Reader, opts ...CSVOption) (names []string, columns []*Array, err error) {
	names, eager, err := arrays.ReadRecords(in, opts...)
	return names, placeholderList(eager), err
}

// WriteRecords evaluates columns and writes them under their names as JSON records. See arrays.WriteRecords.
func WriteRecords(w io.Writer, names []string, columns []*Array, opts ...CSVOption) error {
	eager, err := evaluatedList(columns)
	if err != nil {
		return err
	}
	return arrays.WriteRecords(w, names, eager, opts...)
}

// Load reads an array from a .npy file, as numpy.save writes it. See arrays.Load.
func Load(path string) (*Array, error) {
	if err := disk.Written(runtime().CellContext(), path); err != nil {
		return nil, err
	}
	return placeholder(arrays.Load(path))
}

// MapNPY is [Load] of a file that stays where it is, mapped into memory, until no array has it any more, or
// [Array.Close]. See arrays.MapNPY.
func MapNPY(path string) (*Array, error) {
	if err := disk.Written(runtime().CellContext(), path); err != nil {
		return nil, err
	}
	a, err := arrays.MapNPY(path)
	if err != nil {
		return nil, err
	}
	return inFiles(a)[0], nil
}

// LoadZ reads the arrays of a .npz file by their names, all where none is named. See arrays.LoadZ.
func LoadZ(path string, names ...string) (map[string]*Array, error) {
	named, err := arrays.LoadZ(path, names...)
	if err != nil {
		return nil, err
	}
	return placeholders(named), nil
}

// Save evaluates x and writes it to a file in NumPy's .npy format, which numpy.load reads. The file is there whole, or
// as it was before. What is larger than the host's budget for files (see [SetHostBudget]), and is not there yet, is
// computed and written piece by piece, where it can be; arrays that it was computed from are not kept for that. What
// goes wrong in computing x is the error that Save returns.
func Save(path string, x ArrayLike) (err error) {
	defer caught(&err)
	if a, ok := x.(*Array); ok && a != nil && a.large() {
		if err := a.saveInPieces(path); !errors.As(err, new(*offload.NotStreamed)) {
			return err
		}
	}
	eager, err := forFile(x)
	if err != nil {
		return err
	}
	return arrays.Save(path, eager)
}

// SaveZ evaluates arrays and writes them under names to a file in NumPy's .npz format.
func SaveZ(path string, named map[string]any) error {
	eager := make(map[string]any, len(named))
	for name, x := range named {
		var err error
		if eager[name], err = forFile(x); err != nil {
			return err
		}
	}
	return arrays.SaveZ(path, eager)
}

// LoadArrow reads columns of an Arrow IPC file (Feather of version 2). See arrays.LoadArrow.
func LoadArrow(path string, columns ...string) (names []string, values []*Array, err error) {
	names, eager, err := arrays.LoadArrow(path, columns...)
	return names, placeholderList(eager), err
}

// MapArrow is [LoadArrow] of a file that stays where it is, mapped into memory, until no array has it any more, or
// [Array.Close]. See arrays.MapArrow.
func MapArrow(path string, columns ...string) (names []string, values []*Array, err error) {
	names, eager, err := arrays.MapArrow(path, columns...)
	if err != nil {
		return nil, nil, err
	}
	return names, inFiles(eager...), nil
}

// ReadArrow is [LoadArrow] of what in yields. See arrays.ReadArrow.
func ReadArrow(in io.Reader, columns ...string) (names []string, values []*Array, err error) {
	names, eager, err := arrays.ReadArrow(in, columns...)
	return names, placeholderList(eager), err
}

// SaveTable evaluates columns and writes them under their names to a file that [LoadTable] reads back. See
// arrays.SaveTable.
func SaveTable(path string, names []string, columns []*Array, opts ...CSVOption) error {
	eager, err := evaluatedList(columns)
	if err != nil {
		return err
	}
	return arrays.SaveTable(path, names, eager, opts...)
}

// SaveArrow evaluates columns and writes them to an Arrow IPC file (Feather of version 2). See arrays.SaveArrow.
func SaveArrow(path string, names []string, columns []*Array) error {
	eager, err := evaluatedList(columns)
	if err != nil {
		return err
	}
	return arrays.SaveArrow(path, names, eager)
}

// WriteArrow evaluates columns and writes them to w as an Arrow IPC stream. See arrays.WriteArrow.
func WriteArrow(w io.Writer, names []string, columns []*Array) error {
	eager, err := evaluatedList(columns)
	if err != nil {
		return err
	}
	return arrays.WriteArrow(w, names, eager)
}

// forFile is [evaluated] of what is written to a file: what goes wrong is an error, as of the writing.
func forFile(x any) (eager any, err error) {
	a, ok := x.(*Array)
	if !ok || a == nil {
		return x, nil
	}
	defer caught(&err)
	a.assigned()
	out, err := eval([]*Array{a}, true)
	if err != nil {
		return nil, inWhole("save", err)
	}
	return out[0], nil
}

// caught makes an error of a panic with one of the array packages'.
func caught(err *error) {
	switch p := recover().(type) {
	case nil: // or the goroutine ends
	case *Error:
		*err = p
	case *offload.NotStreamed:
		*err = p
	default:
		panic(p)
	}
}

func evaluatedList(columns []*Array) (out []*arrays.Array, err error) {
	defer caught(&err)
	known := slices.DeleteFunc(slices.Clone(columns), func(c *Array) bool { return c == nil })
	for _, c := range known {
		c.assigned()
	}
	eager, err := eval(known, true)
	if err != nil {
		return nil, inWhole("save", err)
	}
	at := 0
	out = make([]*arrays.Array, len(columns))
	for i, c := range columns {
		if c != nil {
			out[i] = eager[at]
			at++
		}
	}
	return out, nil
}
