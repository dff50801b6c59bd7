package arrays

import (
	"bufio"
	"bytes"
	"io"
	"os"

	"github.com/arrayrepl/arrayrepl/internal/mmap"
	"github.com/arrayrepl/arrayrepl/internal/reading"
	"github.com/arrayrepl/arrayrepl/internal/replace"
)

// Save writes x, an array or slice, to a file in NumPy's .npy format, which numpy.load reads. The file that was there
// before stays as it is when writing fails.
func Save(path string, x ArrayLike) (err error) {
	defer catch(&err)
	a, _, err := AsArray(x)
	if err != nil {
		return withOp("save", err)
	}
	return replace.File(path, false, a.WriteNPY)
}

// Load reads an array from a .npy file, as numpy.save writes it.
func Load(path string) (a *Array, err error) {
	defer reading.Guard[*Error](&err, readerError("load", path))
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readNPYFile(f)
}

func readNPYFile(f *os.File) (*Array, error) {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return readNPY(f)
	}
	npy, at, size, err := findNPY(f, info.Size())
	if err != nil {
		return nil, err
	}
	return npy.array(io.NewSectionReader(f, at, size), true)
}

// findNPY reads the header of a file of total bytes, and says where its elements begin and how many bytes they are: all
// of them are there, so that memory is taken only for what is.
func findNPY(file io.ReadSeeker, total int64) (f npyFile, at, size int64, err error) {
	header := bufio.NewReader(file)
	if f, err = readNPYHeader(header); err != nil {
		return f, 0, 0, err
	}
	if size, err = f.bytes(); err != nil {
		return f, 0, 0, err
	}
	if at, err = file.Seek(0, io.SeekCurrent); err != nil {
		return f, 0, 0, err
	}
	at -= int64(header.Buffered())
	if have := total - at; have < size {
		return f, 0, 0, cutShort(f, have, size)
	}
	return f, at, size, nil
}

// MapNPY is [Load] without reading: the elements lie in the file itself, and the system brings in what is touched, so
// that a file may be larger than memory. Writing to such an array leaves the file as it is. Bools, text, and numbers
// that the file has in the other order of bytes or at odd places are read. The file stays mapped until
// [Array.Close], and must not be cut or overwritten until then: what was cut off reads as zeros up to the end of a page
// of memory, and as a fault beyond it. Where files cannot be mapped (Windows) it is read.
func MapNPY(path string) (a *Array, err error) {
	defer reading.Guard[*Error](&err, readerError("load", path))
	data, done, err := mapFile(path)
	if err != nil {
		return nil, err
	}
	lies := false
	defer func() { done(lies) }()
	err = mmap.Read(func() (err error) { a, lies, err = inNPY(data); return err })
	return a, err
}

// Close lets go of the mapped file in which a lies, and nothing where it lies in none: the elements of a, and of all
// other arrays in the file, cannot be used any more. Reading them in a cell is then an error; a program gets a fault.
func (a *Array) Close() error {
	if a.missing() {
		return nil
	}
	if f := mmap.Of(a.data); f != nil {
		return f.Close()
	}
	return nil
}

// inNPY returns the array of a file's bytes; lies says that its elements are these bytes.
func inNPY(data []byte) (a *Array, lies bool, err error) {
	r := bytes.NewReader(data)
	f, err := readNPYHeader(r)
	if err != nil {
		return nil, false, err
	}
	size, err := f.bytes()
	if err != nil {
		return nil, false, err
	}
	if have := int64(r.Len()); have < size {
		return nil, false, cutShort(f, have, size)
	}
	at := int64(len(data) - r.Len())
	if f.dtype == Bool || f.dtype.IsString() || f.bigEndian || at%int64(f.dtype.align()) != 0 {
		a, err := f.array(r, true)
		return a, false, err
	}
	return f.whole(FromBytes(f.dtype, f.shape, data[at:at+size:at+size])), true, nil
}
