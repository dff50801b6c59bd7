package arrays

import (
	"io"

	"github.com/arrayrepl/arrayrepl/internal/reading"
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
		n.Decode = func(raw []byte) {
			for i, b := range raw {
				raw[i] = bit(b != 0)
			}
		}
	case f.bigEndian && f.dtype.Size() > 1:
		n.Decode = f.swap
	}
	return n, nil
}

// NPYHeader is what stands in a .npy file before elements in C order.
func (Wiring) NPYHeader(d DType, shape []int) []byte { return npyHead(d, shape) }
