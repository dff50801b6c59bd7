// Package npy reads and writes what stands in a .npy file before its elements, and turns elements into those of this
// machine. It knows no arrays: what a type of NumPy's is, its caller says. Versions 1 to 3 of the format:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
package npy

import (
	"bytes"
	endian "encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/internal/reading"
)

const magic = "\x93NUMPY"

// maxHeader is the longest header that is read; NumPy's own limit is the same unless it is told to trust the file.
const maxHeader = 10000

// Header is what a file says of the elements that follow.
type Header struct {
	Type    Type
	Shape   []int // as NumPy prints it
	Fortran bool  // elements lie side by side along the first axis
}

// Type is the type of elements as headers have it: <i8, >f4, |b1, <M8[ms].
type Type string

// Name is the type without the order of bytes.
func (t Type) Name() string { return string(t[1:]) }

// BigEndian reports whether the highest byte of each part comes first.
func (t Type) BigEndian() bool { return t[0] == '>' }

// ErrObjects is wrapped by errors of arrays of Python's objects.
var ErrObjects = errors.New("objects of Python")

// Unknown is the error of a type that arrays do not have.
func Unknown(t Type) error {
	return fmt.Errorf("elements of type %s cannot be read; bools, numbers, text and dates can", brief.Quoted(string(t)))
}

// Read reads a header. An archive, another version, and elements that are records or objects are errors.
func Read(r io.Reader) (Header, error) {
	text, err := headerText(r)
	if err != nil {
		return Header{}, err
	}
	return parse(text)
}

// headerText reads the Python dictionary that a file begins with.
func headerText(r io.Reader) (string, error) {
	var head [10]byte
	_, err := io.ReadFull(r, head[:])
	switch {
	case err == nil && string(head[:4]) == "PK\x03\x04":
		return "", errors.New("this is an archive, as .npz files are; LoadZ reads those")
	case err != nil || string(head[:6]) != magic:
		return "", errors.New("this is not a .npy file: it does not begin as one")
	}
	size := int(endian.LittleEndian.Uint16(head[8:]))
	if v := head[6]; v == 2 || v == 3 {
		var rest [2]byte
		if _, err := io.ReadFull(r, rest[:]); err != nil {
			return "", errors.New("the file ends in its header")
		}
		size |= int(endian.LittleEndian.Uint16(rest[:])) << 16
	} else if v != 1 {
		return "", fmt.Errorf("version %d of the .npy format is not known; versions 1 to 3 are", v)
	}
	if size > maxHeader {
		return "", fmt.Errorf("a header of %d bytes is too long; it has %d at most", size, maxHeader)
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(r, text); err != nil {
		return "", errors.New("the file ends in its header")
	}
	return string(text), nil
}

var (
	descrPart   = lazyregexp.New(`'descr':\s*'([<>|=][a-zA-Z]\d+(?:\[\w+\])?)'`)
	fortranPart = lazyregexp.New(`'fortran_order':\s*(True|False)`)
	shapePart   = lazyregexp.New(`'shape':\s*\(([\d,\sL]*)\)`)
	objectPart  = lazyregexp.New(`'descr':\s*'\|O\d*'`)
)

// parse reads the Python dictionary of a header.
func parse(text string) (h Header, err error) {
	d, f, s := descrPart.FindStringSubmatch(text), fortranPart.FindStringSubmatch(text), shapePart.FindStringSubmatch(text)
	if d == nil && objectPart.MatchString(text) {
		return h, reading.Fault(ErrObjects, "its elements are Python objects, which are read by Python alone")
	}
	if d == nil && strings.Contains(text, "'descr': [(") {
		return h, errors.New("its elements are records: LoadColumns, LoadTable and frames.Read give their fields as columns")
	}
	if d == nil || f == nil || s == nil {
		return h, fmt.Errorf("the header %s is not of an array of bools, numbers, text or dates", brief.Quoted(text))
	}
	h = Header{Type: Type(d[1]), Shape: []int{}, Fortran: f[1] == "True"}
	for part := range strings.SplitSeq(s[1], ",") {
		if part = strings.TrimSuffix(strings.TrimSpace(part), "L"); part == "" {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil {
			return h, fmt.Errorf("the shape (%s) in the header is not one", brief.Text(s[1]))
		}
		h.Shape = append(h.Shape, n)
	}
	return h, nil
}

// Head is what stands in a file, of version 1.0, before elements of a type in C order, which are little-endian.
func Head(name string, shape []int) []byte {
	order := "<"
	if name == "b1" || name == "i1" || name == "u1" {
		order = "|"
	}
	sizes := make([]string, len(shape))
	for i, n := range shape {
		sizes[i] = strconv.Itoa(n)
	}
	list := strings.Join(sizes, ", ")
	if len(shape) == 1 {
		list += ","
	}
	header := fmt.Sprintf("{'descr': '%s%s', 'fortran_order': False, 'shape': (%s), }", order, name, list)
	pad := 63 - (len(magic)+4+len(header))%64
	head := []byte(magic + "\x01\x00")
	head = endian.LittleEndian.AppendUint16(head, uint16(len(header)+pad+1))
	head = append(head, header...)
	head = append(head, bytes.Repeat([]byte(" "), pad)...)
	return append(head, '\n')
}

// Swap puts the bytes of each part in the other order: of numbers, of characters, and of the halves of complex numbers.
func Swap(raw []byte, part int) {
	for i := 0; i < len(raw); i += part {
		slices.Reverse(raw[i : i+part])
	}
}

// Short is the error of a file that has fewer bytes of elements than its header says.
type Short struct{ Have, Want int64 }

// Error implements error.
func (s *Short) Error() string {
	return fmt.Sprintf("the file has %d bytes of elements and needs %d", s.Have, s.Want)
}

// Elements reads n bytes into memory that reserve gives. Where it is not known that r has them, it takes memory for
// eight times as many as there have been, so that a header that promises more costs nothing; poll is called between
// pieces.
func Elements(r io.Reader, n int, known bool, reserve func(n int) []byte, poll func()) ([]byte, error) {
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
			return nil, &Short{int64(done), int64(n)}
		case err != nil:
			return nil, fmt.Errorf("the elements cannot be read: %w", err)
		}
	}
	return raw, nil
}
