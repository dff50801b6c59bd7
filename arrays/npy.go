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
)

// The .npy format, versions 1 to 3: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html

const npyMagic = "\x93NUMPY"

// maxNPYHeader is the longest header that is read; NumPy's own limit is the same unless it is told to trust the file.
const maxNPYHeader = 10000

// npyTypes are the dtypes in files: how they are written, and as what those are read that have no dtype here.
var npyTypes = map[string]struct {
	as   DType
	size int
	wide func(b []byte, order endian.ByteOrder) any // the element, of a type that is none of ours
}{
	"b1": {as: Bool, size: 1}, "i8": {as: Int64, size: 8}, "f4": {as: Float32, size: 4}, "f8": {as: Float64, size: 8},
	"i1": {Int64, 1, func(b []byte, _ endian.ByteOrder) any { return int64(int8(b[0])) }},
	"u1": {Int64, 1, func(b []byte, _ endian.ByteOrder) any { return int64(b[0]) }},
	"i2": {Int64, 2, func(b []byte, o endian.ByteOrder) any { return int64(int16(o.Uint16(b))) }},
	"u2": {Int64, 2, func(b []byte, o endian.ByteOrder) any { return int64(o.Uint16(b)) }},
	"i4": {Int64, 4, func(b []byte, o endian.ByteOrder) any { return int64(int32(o.Uint32(b))) }},
	"u4": {Int64, 4, func(b []byte, o endian.ByteOrder) any { return int64(o.Uint32(b)) }},
	"u8": {Int64, 8, func(b []byte, o endian.ByteOrder) any { return o.Uint64(b) }},
	"f2": {Float32, 2, func(b []byte, o endian.ByteOrder) any { return halfToFloat(o.Uint16(b)) }},
}

var npyNames = [numDTypes]string{Bool: "|b1", Int64: "<i8", Float32: "<f4", Float64: "<f8"}

// WriteNPY writes a in the .npy format, version 1.0, in C order.
func (a *Array) WriteNPY(w io.Writer) error {
	shape := strings.TrimSuffix(shapeString(a.layout.Shape), ")")
	shape = strings.ReplaceAll(shape, ",", ", ") + ")"
	if a.NDim() == 1 {
		shape = fmt.Sprintf("(%d,)", a.Len())
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", npyNames[a.dtype], shape)
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

// ReadNPY reads an array in the .npy format. Integers of other sizes become int64, float16 becomes float32; other types, and
// files that are cut short, are an error. It reads no more than the array.
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
	order := endian.ByteOrder(endian.LittleEndian)
	if descr[0] == '>' {
		order = endian.BigEndian
	}
	typ, ok := npyTypes[descr[1:]]
	if !ok {
		return bad("elements of type %q cannot be read; bools, ints and floats can", descr)
	}
	stored := slices.Clone(shape)
	if fortran {
		slices.Reverse(stored)
	}
	a, err := readElements(r, typ.as, typ.size, stored, order, typ.wide)
	if err != nil {
		return nil, err
	}
	if fortran {
		return a.T(), nil
	}
	return a, nil
}

var (
	npyDescr   = regexp.MustCompile(`'descr':\s*'([<>|=][a-zA-Z]\d+)'`)
	npyFortran = regexp.MustCompile(`'fortran_order':\s*(True|False)`)
	npyShape   = regexp.MustCompile(`'shape':\s*\(([\d,\sL]*)\)`)
)

// npyHeader reads the Python dictionary of a header.
func npyHeader(text string) (descr string, fortran bool, shape []int, err error) {
	d, f, s := npyDescr.FindStringSubmatch(text), npyFortran.FindStringSubmatch(text), npyShape.FindStringSubmatch(text)
	if d == nil || f == nil || s == nil {
		return "", false, nil, &Error{Op: "load", Msg: fmt.Sprintf("the header %.80q is not of an array of bools, ints or floats", text)}
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
func readElements(r io.Reader, dtype DType, size int, shape []int, order endian.ByteOrder, wide func([]byte, endian.ByteOrder) any) (*Array, error) {
	total := sizeOf(shape)
	var data bytes.Buffer
	if n, err := io.CopyN(&data, r, int64(total)*int64(size)); err != nil {
		return nil, &Error{Op: "load", Shapes: [][]int{shape}, Msg: fmt.Sprintf("the file has %d bytes of elements; shape %s needs %d", n, shapeString(shape), total*size)}
	}
	raw := data.Bytes()
	a := New(dtype, shape...)
	switch {
	case wide != nil:
		for i := range total {
			switch v := wide(raw[i*size:], order).(type) {
			case int64:
				elements[int64](a.data)[i] = v
			case uint64:
				if v > math.MaxInt64 {
					return nil, &Error{Op: "load", Msg: fmt.Sprintf("element %d is %d, which does not fit an int64", i, v)}
				}
				elements[int64](a.data)[i] = int64(v)
			case float32:
				elements[float32](a.data)[i] = v
			}
		}
	case dtype == Bool:
		for i, b := range raw {
			a.data[i] = bit(b != 0)
		}
	default:
		copy(a.data, raw)
		if order == endian.BigEndian {
			for i := 0; i < len(a.data); i += size {
				slices.Reverse(a.data[i : i+size])
			}
		}
	}
	return a, nil
}

// halfToFloat converts an IEEE 754 half.
func halfToFloat(h uint16) float32 {
	sign, exp, frac := uint32(h>>15), uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch {
	case exp == 0x1f:
		return math.Float32frombits(sign<<31 | 0xff<<23 | frac<<13)
	case exp == 0:
		v := float32(frac) * 0x1p-24
		if sign == 1 {
			v = -v
		}
		return v
	}
	return math.Float32frombits(sign<<31 | (exp+112)<<23 | frac<<13)
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

// Load reads an array from a .npy file, as numpy.save writes it. Integers of other sizes become int64, float16 becomes
// float32.
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
