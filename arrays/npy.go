package arrays

import (
	"bytes"
	endian "encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/internal/reading"
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
	defer catch(&err)
	if a.dtype == StringDType {
		fixed, err := a.fixedWidth("SaveArrow and SaveTable write texts of any length")
		if err != nil {
			return withOp("save", err)
		}
		a = fixed
	}
	if _, err := w.Write(npyHead(a.dtype, a.layout.Shape)); err != nil {
		return err
	}
	_, err = w.Write(a.Bytes())
	return err
}

// npyHead is what stands in a file before the elements, which are in C order and little-endian.
func npyHead(d DType, of []int) []byte {
	shape := strings.TrimSuffix(shapeString(of), ")")
	shape = strings.ReplaceAll(shape, ",", ", ") + ")"
	if len(of) == 1 {
		shape = fmt.Sprintf("(%d,)", of[0])
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", npyName(d), shape)
	pad := 63 - (len(npyMagic)+4+len(header))%64
	head := []byte(npyMagic + "\x01\x00")
	head = endian.LittleEndian.AppendUint16(head, uint16(len(header)+pad+1))
	head = append(head, header...)
	head = append(head, bytes.Repeat([]byte(" "), pad)...)
	return append(head, '\n')
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

// npyHeaderText reads the Python dictionary that a file begins with.
func npyHeaderText(r io.Reader) (string, error) {
	bad := func(format string, args ...any) (string, error) {
		return "", &Error{Msg: fmt.Sprintf(format, args...)}
	}
	var head [10]byte
	_, err := io.ReadFull(r, head[:])
	switch {
	case err == nil && string(head[:4]) == "PK\x03\x04":
		return bad("this is an archive, as .npz files are; LoadZ reads those")
	case err != nil || string(head[:6]) != npyMagic:
		return bad("this is not a .npy file: it does not begin as one")
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
	return string(text), nil
}

func readNPYHeader(r io.Reader) (f npyFile, err error) {
	text, err := npyHeaderText(r)
	if err != nil {
		return f, err
	}
	descr, fortran, shape, err := npyHeader(text)
	if err != nil {
		return f, err
	}
	if err := checkShape(shape); err != nil {
		return f, err
	}
	dtype, ascii, ok := npyDType(descr[1:])
	if !ok {
		return f, unknownElements(descr)
	}
	if fortran {
		slices.Reverse(shape)
	}
	return npyFile{dtype, shape, fortran, descr[0] == '>', ascii}, nil
}

var (
	npyDescr   = lazyregexp.New(`'descr':\s*'([<>|=][a-zA-Z]\d+(?:\[\w+\])?)'`)
	npyFortran = lazyregexp.New(`'fortran_order':\s*(True|False)`)
	npyShape   = lazyregexp.New(`'shape':\s*\(([\d,\sL]*)\)`)
)

// errObjects is wrapped by errors of arrays of Python objects.
var errObjects = errors.New("objects of Python")

var npyObject = lazyregexp.New(`'descr':\s*'\|O\d*'`)

func unknownElements(descr string) error {
	return &Error{Msg: fmt.Sprintf("elements of type %s cannot be read; bools, numbers, text and dates can", brief.Quoted(descr))}
}

// npyHeader reads the Python dictionary of a header.
func npyHeader(text string) (descr string, fortran bool, shape []int, err error) {
	d, f, s := npyDescr.FindStringSubmatch(text), npyFortran.FindStringSubmatch(text), npyShape.FindStringSubmatch(text)
	if d == nil && npyObject.MatchString(text) {
		return "", false, nil, &Error{Msg: "its elements are Python objects, which are read by Python alone", Err: errObjects}
	}
	if d == nil && strings.Contains(text, "'descr': [(") {
		return "", false, nil, &Error{Msg: "its elements are records: LoadColumns, LoadTable and frames.Read give their fields as columns"}
	}
	if d == nil || f == nil || s == nil {
		return "", false, nil, &Error{Msg: fmt.Sprintf("the header %s is not of an array of bools, numbers, text or dates", brief.Quoted(text))}
	}
	shape = []int{}
	for part := range strings.SplitSeq(s[1], ",") {
		if part = strings.TrimSuffix(strings.TrimSpace(part), "L"); part == "" {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil {
			return "", false, nil, &Error{Msg: fmt.Sprintf("the shape (%s) in the header is not one", brief.Text(s[1]))}
		}
		shape = append(shape, n)
	}
	return d[1], f[1] == "True", shape, nil
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
	raw, err := f.storage(r, int(size), known)
	if err != nil {
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
	for i := 0; i < len(raw); i += part {
		slices.Reverse(raw[i : i+part])
	}
}

// storage reads n bytes. Where it is not known that r has them, it takes memory for eight times as many as there have
// been.
func (f npyFile) storage(r io.Reader, n int, known bool) ([]byte, error) {
	const piece = 16 << 20
	have := n
	if !known {
		have = min(n, 1<<20)
	}
	raw := reserve(have)
	for done := 0; done < n; {
		poll()
		if done == len(raw) {
			raw = append(reserve(min(n, 8*done))[:0], raw...)
			raw = raw[:min(n, 8*done)]
		}
		some, err := io.ReadFull(r, raw[done:min(done+piece, len(raw))])
		done += some
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return nil, cutShort(f, int64(done), int64(n))
		case err != nil:
			return nil, &Error{Msg: fmt.Sprintf("the elements cannot be read: %v", err), Err: err}
		}
	}
	return raw, nil
}
