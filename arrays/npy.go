package arrays

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/npy"
	"github.com/arrayrepl/arrayrepl/internal/reading"
)

// npyKinds are the dtypes of numbers as files name them, by letter and size.
var npyKinds = map[string]DType{
	"b1": Bool, "i1": Int8, "i2": Int16, "i4": Int32, "i8": Int64, "u1": Uint8, "u2": Uint16, "u4": Uint32, "u8": Uint64,
	"f2": Float16, "f4": Float32, "f8": Float64, "c8": Complex64, "c16": Complex128,
}

// npyName is NumPy's name of d, without the order of bytes.
func npyName(d DType) string {
	switch {
	case d.IsString():
		return "U" + strconv.Itoa(d.chars())
	case d.isDate():
		return "M8[" + d.unit().symbol() + "]"
	case d.isSpan():
		return "m8[" + d.unit().symbol() + "]"
	}
	for name, k := range npyKinds {
		if k == d {
			return name
		}
	}
	return ""
}

// npyDType reads the name of a dtype, without its byte order. Strings of bytes have an element for each byte in the
// file.
func npyDType(name string) (d DType, bytes bool, ok bool) {
	if d, ok := npyKinds[name]; ok {
		return d, false, true
	}
	n, err := strconv.Atoi(name[1:])
	switch {
	case (name[0] == 'U' || name[0] == 'S') && err == nil && n > 0 && n <= maxChars:
		return Str(n), name[0] == 'S', true
	case !strings.HasSuffix(name, "]"):
		return 0, false, false
	}
	kind, symbol, _ := strings.Cut(strings.TrimSuffix(name, "]"), "[")
	for u := range Unit(numUnits) {
		if u.symbol() != symbol {
			continue
		}
		switch kind {
		case "M8":
			return DateTime(u), false, true
		case "m8":
			return TimeDelta(u), false, true
		}
	}
	return 0, false, false
}

// WriteNPY writes a in the .npy format, version 1.0, in C order. The format has no texts of any length: [StringDType]
// is written as [Str], as wide as the longest, and is an error where that would waste memory as FromSlice has it, or
// where a text ends in a zero character.
func (a *Array) WriteNPY(w io.Writer) (err error) {
	a.assigned()
	defer catch(&err)
	if a.dtype == StringDType {
		fixed, err := a.fixedWidth("SaveArrow and SaveTable write texts of any length")
		if err != nil {
			return withOp("save", err)
		}
		a = fixed
	}
	if _, err := w.Write(npy.Head(npyName(a.dtype), a.layout.Shape)); err != nil {
		return err
	}
	_, err = w.Write(a.Bytes())
	return err
}

// npyFile is what the header of a .npy file says of the elements that follow.
type npyFile struct {
	dtype     DType
	shape     []int // as they lie in the file: of Fortran order, reversed
	fortran   bool
	bigEndian bool
	ascii     bool // a byte for each character
}

// bytes returns how many follow the header.
func (f npyFile) bytes() (int64, error) {
	total, size := sizeOf(f.shape), f.dtype.Size()
	if f.ascii {
		size = f.dtype.chars()
	}
	n := budget.Product(total, size)
	if n > math.MaxInt/8 {
		return 0, &Error{Shapes: [][]int{f.shape}, Msg: fmt.Sprintf("shape %s of %v does not fit in memory", shapeString(f.shape), f.dtype)}
	}
	return n, nil
}

// fits returns an error when there is no memory for the array. Strings of bytes take four for each in the file, and the
// file's too.
func (f npyFile) fits(size int64) error {
	if f.ascii {
		size *= 5
	}
	if err := budget.For("the array", size); err != nil {
		return &Error{Shapes: [][]int{f.shape}, Msg: fmt.Sprintf("shape %s of %v: %v", shapeString(f.shape), f.dtype, err), Err: err}
	}
	return nil
}

// whole is the array that the file says, of its elements.
func (f npyFile) whole(a *Array) *Array {
	if f.fortran {
		return a.T()
	}
	return a
}

// ReadNPY reads an array in the .npy format, of every dtype of the package; bytes become strings. Other types, files
// that are cut short, and arrays for which there is no memory are an error. It reads no more than the array. Memory
// grows with what is there, so that a header that promises more costs nothing.
func ReadNPY(r io.Reader) (a *Array, err error) {
	defer reading.Guard[*Error](&err, readerError("load", ""))
	return readNPY(r)
}

func readNPY(r io.Reader) (*Array, error) {
	f, err := readNPYHeader(r)
	if err != nil {
		return nil, err
	}
	return f.array(r, false)
}

func cutShort(f npyFile, have, want int64) error {
	return &Error{Shapes: [][]int{f.shape}, Msg: fmt.Sprintf("the file has %d bytes of elements; shape %s needs %d", have, shapeString(f.shape), want)}
}

// readNPYHeader reads a header of an array that can be one of ours.
func readNPYHeader(r io.Reader) (f npyFile, err error) {
	h, err := npy.Read(r)
	if err != nil {
		return f, err
	}
	if err := checkShape(h.Shape); err != nil {
		return f, err
	}
	f, ok := npyFileOf(h.Type, h.Shape)
	if !ok {
		return f, npy.Unknown(h.Type)
	}
	if f.fortran = h.Fortran; f.fortran {
		slices.Reverse(f.shape)
	}
	return f, nil
}

// npyFileOf is a file of elements of a type; ok is false for a type that arrays do not have.
func npyFileOf(t npy.Type, shape []int) (f npyFile, ok bool) {
	f = npyFile{shape: shape, bigEndian: t.BigEndian()}
	f.dtype, f.ascii, ok = npyDType(t.Name())
	return f, ok
}

// array reads the elements from r, which is known to have them where that is said.
func (f npyFile) array(r io.Reader, known bool) (*Array, error) {
	size, err := f.bytes()
	if err == nil {
		err = f.fits(size)
	}
	if err != nil {
		return nil, err
	}
	raw, err := npy.Elements(r, int(size), known, reserve, poll)
	if short := new(npy.Short); errors.As(err, &short) {
		return nil, cutShort(f, short.Have, short.Want)
	} else if err != nil {
		return nil, err
	}
	a := &Array{f.dtype, Contiguous(f.shape...), raw}
	switch {
	case f.dtype == Bool:
		for i, b := range raw {
			raw[i] = bit(b != 0)
		}
	case f.ascii:
		a = newUnset(f.dtype, f.shape)
		for i, b := range raw {
			elements[uint32](a.data)[i] = uint32(b)
		}
	case f.bigEndian:
		f.swap(raw)
	}
	if f.dtype.IsString() {
		for _, c := range elements[uint32](a.data) {
			if !utf8.ValidRune(rune(c)) {
				return nil, &Error{Msg: fmt.Sprintf("the file's text has %#x, which is not a character", c)}
			}
		}
	}
	return f.whole(a), nil
}

// swap puts the bytes of elements in the other order.
func (f npyFile) swap(raw []byte) {
	part := dtypes[f.dtype.class()].size // of a character, or of a half of a complex number
	if f.dtype.IsComplex() {
		part /= 2
	}
	npy.Swap(raw, part)
}
