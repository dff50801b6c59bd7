package arrays

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/mmap"
	"github.com/arrayrepl/arrayrepl/internal/npy"
	"github.com/arrayrepl/arrayrepl/internal/reading"
	"github.com/arrayrepl/arrayrepl/internal/tables"
)

// NPYFile is where a .npy file has its elements, for who reads them range by range.
type NPYFile struct {
	DType   DType
	Shape   []int
	Fortran bool  // the first axis is the one along which elements lie side by side
	At      int64 // where they begin
	Bytes   int64
	Decode  func(elements []byte) // makes elements as arrays have them of those in the file; nil where they are
}

// NPYFile reads the header of a file of so many bytes. Texts are an error: arrays do not have them as files do.
func (Wiring) NPYFile(path string, file io.ReaderAt, bytes int64) (n NPYFile, err error) {
	defer reading.Guard[*Error](&err, readerError("open", path))
	f, at, size, err := findNPY(io.NewSectionReader(file, 0, bytes), bytes)
	if err != nil {
		return n, err
	}
	if f.dtype.IsString() {
		return n, badFile(nil, "its elements are text, which is read as a whole: use Load")
	}
	n = NPYFile{DType: f.dtype, Shape: f.shape, Fortran: f.fortran, At: at, Bytes: size}
	switch {
	case f.dtype == Bool:
		n.Decode = boolsIn
	case f.bigEndian && f.dtype.Size() > 1:
		n.Decode = f.swap
	}
	return n, nil
}

// NPYHeader is what stands in a .npy file before elements in C order.
func (Wiring) NPYHeader(d DType, shape []int) []byte { return npy.Head(npyName(d), shape) }

// RawFile is [Wiring.NPYFile] of a file of so many bytes that has nothing but elements. One size of the shape may be
// -1.
func (Wiring) RawFile(d DType, shape []int, bytes int64) (n NPYFile, err error) {
	if d.IsString() || d.Size() == 0 {
		return n, fmt.Errorf("elements of %v cannot be kept as raw bytes in a file; convert them with AsType, as to Str(n)", d)
	}
	shape = slices.Clone(shape)
	need, open := int64(d.Size()), -1
	for i, k := range shape {
		switch {
		case k == -1 && open < 0:
			open = i
		case k < 0:
			return n, fmt.Errorf("a shape has sizes of 0 and more, and -1 once at most")
		case k > 0 && need > math.MaxInt64/int64(k):
			return n, fmt.Errorf("the file has %d bytes, fewer than such an array has", bytes)
		default:
			need *= int64(k)
		}
	}
	if open >= 0 {
		if need == 0 || bytes%need != 0 {
			return n, fmt.Errorf("its %d bytes are not a whole number of such elements", bytes)
		}
		shape[open] = int(bytes / need)
		need = bytes
	}
	if need > bytes {
		return n, fmt.Errorf("the file has %d bytes, and such an array %d", bytes, need)
	}
	n = NPYFile{DType: d, Shape: shape, Bytes: need}
	if d == Bool {
		n.Decode = boolsIn
	}
	return n, nil
}

// boolsIn makes bools as arrays have them of bytes.
func boolsIn(raw []byte) {
	for i, b := range raw {
		raw[i] = bit(b != 0)
	}
}

// Runs calls f for the elements of l in C order: those that lie side by side, from number at on, together. It returns
// the first error of f.
func (Wiring) Runs(l Layout, f func(at, n int) error) error {
	if l.Size() == 0 {
		return nil
	}
	m := l.merged()
	run, axes := 1, len(m.Shape)
	if axes > 0 && m.Strides[axes-1] == 1 {
		axes--
		run = m.Shape[axes]
	}
	index := make([]int, axes)
	for at := m.Offset; ; {
		if err := f(at, run); err != nil {
			return err
		}
		axis := axes - 1
		for ; axis >= 0; axis-- {
			at += m.Strides[axis]
			if index[axis]++; index[axis] < m.Shape[axis] {
				break
			}
			at -= m.Shape[axis] * m.Strides[axis]
			index[axis] = 0
		}
		if axis < 0 {
			return nil
		}
	}
}

// ArrowFile is [Wiring.NPYFile] of a column of an Arrow file, whose elements are in several parts of the file where it
// has several batches. A column that does not lie there as elements of arrays do is an error.
func (Wiring) ArrowFile(path, column string) (n NPYFile, parts [][2]int64, err error) {
	defer reading.Guard[*Error](&err, readerError("open", path))
	format, err := arrowFormat()
	if err != nil {
		return n, nil, err
	}
	data, done, err := mapFile(path)
	if err != nil {
		return n, nil, err
	}
	defer func() { done(false) }()
	err = mmap.Read(func() (err error) {
		defer reading.Decoder[*Error](&err)
		c, lies, err := format.Lies(data, column, tables.Memory{Allocate: allocate, Poll: poll})
		if err != nil {
			return err
		}
		d, _, ok := npyDType(c.Type)
		if !ok {
			return fmt.Errorf("%s has no dtype", c.Type)
		}
		n, parts = NPYFile{DType: d, Shape: []int{c.Rows}, Bytes: int64(c.Rows) * int64(d.Size())}, lies
		return nil
	})
	return n, parts, err
}
