package arrays

import (
	"archive/zip"
	"bufio"
	"bytes"
	endian "encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The .npy format, versions 1 to 3: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html

const npyMagic = "\x93NUMPY"

// maxNPYHeader is the longest header that is read; NumPy's own limit is the same unless it is told to trust the file.
const maxNPYHeader = 10000

// npyKinds are the dtypes of numbers as files name them, by letter and size.
var npyKinds = map[string]DType{
	"b1": Bool, "i1": Int8, "i2": Int16, "i4": Int32, "i8": Int64, "u1": Uint8, "u2": Uint16, "u4": Uint32, "u8": Uint64,
	"f2": Float16, "f4": Float32, "f8": Float64, "c8": Complex64, "c16": Complex128,
}

// npyName is how a file names d.
func npyName(d DType) string {
	switch {
	case d.IsString():
		return d.String()
	case d.isDate():
		return "<M8[" + d.unit().symbol() + "]"
	case d.isSpan():
		return "<m8[" + d.unit().symbol() + "]"
	}
	for name, k := range npyKinds {
		if k == d && d.Size() == 1 {
			return "|" + name
		} else if k == d {
			return "<" + name
		}
	}
	return ""
}

// npyDType reads the name of a dtype, without its byte order. Strings of bytes have an element for each byte in the file.
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

// WriteNPY writes a in the .npy format, version 1.0, in C order.
func (a *Array) WriteNPY(w io.Writer) error {
	shape := strings.TrimSuffix(shapeString(a.layout.Shape), ")")
	shape = strings.ReplaceAll(shape, ",", ", ") + ")"
	if a.NDim() == 1 {
		shape = fmt.Sprintf("(%d,)", a.Len())
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", npyName(a.dtype), shape)
	pad := 63 - (len(npyMagic)+4+len(header))%64
	head := []byte(npyMagic + "\x01\x00")
	head = endian.LittleEndian.AppendUint16(head, uint16(len(header)+pad+1))
	head = append(head, header...)
	head = append(head, bytes.Repeat([]byte(" "), pad)...)
	if _, err := w.Write(append(head, '\n')); err != nil {
		return err
	}
	_, err := w.Write(a.Bytes())
	return err
}

// ReadNPY reads an array in the .npy format, of every dtype of the package; bytes become strings. Other types, and files that
// are cut short, are an error. It reads no more than the array.
func ReadNPY(r io.Reader) (*Array, error) {
	bad := func(format string, args ...any) (*Array, error) {
		return nil, &Error{Op: "load", Msg: fmt.Sprintf(format, args...)}
	}
	var head [10]byte
	if _, err := io.ReadFull(r, head[:]); err != nil || string(head[:6]) != npyMagic {
		return bad("this is no .npy file: it does not begin as one")
	}
	size := int(endian.LittleEndian.Uint16(head[8:]))
	if v := head[6]; v == 2 || v == 3 {
		var rest [2]byte
		if _, err := io.ReadFull(r, rest[:]); err != nil {
			return bad("the file ends in its header")
		}
		size |= int(endian.LittleEndian.Uint16(rest[:])) << 16
	} else if v != 1 {
		return bad("version %d of the .npy format is not known; versions 1 to 3 are", v)
	}
	if size > maxNPYHeader {
		return bad("a header of %d bytes is too long; it has %d at most", size, maxNPYHeader)
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(r, text); err != nil {
		return bad("the file ends in its header")
	}
	descr, fortran, shape, err := npyHeader(string(text))
	if err != nil {
		return nil, err
	}
	if err := checkShape(shape); err != nil {
		return nil, withOp("load", err)
	}
	dtype, ascii, ok := npyDType(descr[1:])
	if !ok {
		return bad("elements of type %q cannot be read; bools, numbers, text and dates can", descr)
	}
	stored := slices.Clone(shape)
	if fortran {
		slices.Reverse(stored)
	}
	a, err := readElements(r, dtype, stored, descr[0] == '>', ascii)
	if err != nil {
		return nil, err
	}
	if fortran {
		return a.T(), nil
	}
	return a, nil
}

var (
	npyDescr   = regexp.MustCompile(`'descr':\s*'([<>|=][a-zA-Z]\d+(?:\[\w+\])?)'`)
	npyFortran = regexp.MustCompile(`'fortran_order':\s*(True|False)`)
	npyShape   = regexp.MustCompile(`'shape':\s*\(([\d,\sL]*)\)`)
)

// npyHeader reads the Python dictionary of a header.
func npyHeader(text string) (descr string, fortran bool, shape []int, err error) {
	d, f, s := npyDescr.FindStringSubmatch(text), npyFortran.FindStringSubmatch(text), npyShape.FindStringSubmatch(text)
	if d == nil || f == nil || s == nil {
		return "", false, nil, &Error{Op: "load", Msg: fmt.Sprintf("the header %.80q is not of an array of bools, numbers, text or dates", text)}
	}
	shape = []int{}
	for part := range strings.SplitSeq(s[1], ",") {
		if part = strings.TrimSuffix(strings.TrimSpace(part), "L"); part == "" {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil {
			return "", false, nil, &Error{Op: "load", Msg: fmt.Sprintf("the shape (%s) in the header is not one", s[1])}
		}
		shape = append(shape, n)
	}
	return d[1], f[1] == "True", shape, nil
}

// readElements reads the elements of an array in C order. Memory grows with what is there, so that a header that promises
// more than the file has costs nothing.
func readElements(r io.Reader, dtype DType, shape []int, bigEndian, ascii bool) (*Array, error) {
	total, size := sizeOf(shape), dtype.Size()
	if ascii {
		size = dtype.chars()
	}
	if size > 0 && total > math.MaxInt/8/size {
		return nil, &Error{Op: "load", Shapes: [][]int{shape}, Msg: fmt.Sprintf("shape %s of %v does not fit in memory", shapeString(shape), dtype)}
	}
	var data bytes.Buffer
	if n, err := io.CopyN(&data, r, int64(total)*int64(size)); err != nil {
		return nil, &Error{Op: "load", Shapes: [][]int{shape}, Msg: fmt.Sprintf("the file has %d bytes of elements; shape %s needs %d", n, shapeString(shape), total*size)}
	}
	raw := data.Bytes()
	a := New(dtype, shape...)
	switch {
	case dtype == Bool:
		for i, b := range raw {
			a.data[i] = bit(b != 0)
		}
	case ascii:
		for i, b := range raw {
			elements[uint32](a.data)[i] = uint32(b)
		}
	default:
		copy(a.data, raw)
		if bigEndian {
			part := dtypes[dtype.class()].size // of a character, or of a half of a complex number
			if dtype.IsComplex() {
				part /= 2
			}
			for i := 0; i < len(a.data); i += part {
				slices.Reverse(a.data[i : i+part])
			}
		}
	}
	if dtype.IsString() {
		for _, c := range elements[uint32](a.data) {
			if !utf8.ValidRune(rune(c)) {
				return nil, &Error{Op: "load", Msg: fmt.Sprintf("the file's text has %#x, which is no character", c)}
			}
		}
	}
	return a, nil
}

// Save writes x, an array or slice, to a file in NumPy's .npy format, which numpy.load reads. The file that was there before
// stays as it is when writing fails.
func Save(path string, x any) error {
	a, _, err := AsArray(x)
	if err != nil {
		return withOp("save", err)
	}
	return replaceFile(path, a.WriteNPY)
}

// replaceFile writes a file under another name and moves it to its place.
func replaceFile(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".saving-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	w := bufio.NewWriterSize(f, 1<<20)
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}

// Load reads an array from a .npy file, as numpy.save writes it.
func Load(path string) (*Array, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, openError("load", path, err)
	}
	defer f.Close()
	return ReadNPY(bufio.NewReaderSize(f, 1<<20))
}

// SaveZ writes arrays or slices under names to a file in NumPy's .npz format.
func SaveZ(path string, named map[string]any) error {
	return replaceFile(path, func(w io.Writer) error {
		z := zip.NewWriter(w)
		names := make([]string, 0, len(named))
		for name := range named {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			a, _, err := AsArray(named[name])
			if err != nil {
				return withOp("save", err)
			}
			e, err := z.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store})
			if err != nil {
				return err
			}
			if err := a.WriteNPY(e); err != nil {
				return err
			}
		}
		return z.Close()
	})
}

// LoadZ reads all arrays of a .npz file, as numpy.savez and numpy.savez_compressed write it, by their names.
func LoadZ(path string) (map[string]*Array, error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, &Error{Op: "load", Msg: fmt.Sprintf("%s is no .npz file: %v", path, err), Err: err}
	}
	defer z.Close()
	out := make(map[string]*Array, len(z.File))
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		a, err := ReadNPY(r)
		r.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		out[strings.TrimSuffix(f.Name, ".npy")] = a
	}
	return out, nil
}
