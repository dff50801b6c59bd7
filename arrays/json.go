package arrays

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/csvtable"
	"github.com/arrayrepl/arrayrepl/internal/reading"
	"github.com/arrayrepl/arrayrepl/internal/replace"
)

// MarshalJSON writes a as lists of lists of numbers, bools or texts, a single element without a list. NaN is null;
// dates are texts. JSON has neither infinities nor complex numbers nor durations: they are an error.
func (a *Array) MarshalJSON() (text []byte, err error) {
	a.assigned()
	defer catch(&err)
	var b bytes.Buffer
	err = a.writeJSON(&b)
	return b.Bytes(), err
}

func (a *Array) writeJSON(b *bytes.Buffer) error {
	element, err := jsonElement(a)
	if err != nil {
		return err
	}
	shape, next := a.layout.Shape, 0
	var work poller
	var list func(axis int) error
	list = func(axis int) error {
		if axis == len(shape) {
			work.did(256)
			text, err := element(b.AvailableBuffer(), next)
			if err != nil {
				return err
			}
			b.Write(text)
			next++
			return nil
		}
		b.WriteByte('[')
		for i := range shape[axis] {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := list(axis + 1); err != nil {
				return err
			}
		}
		b.WriteByte(']')
		return nil
	}
	return list(0)
}

// jsonElement returns what appends the i-th element of a in C order.
func jsonElement(a *Array) (func(to []byte, i int) ([]byte, error), error) {
	switch d := a.DType(); {
	case d.IsBool():
		v := a.Bools()
		return func(to []byte, i int) ([]byte, error) { return strconv.AppendBool(to, v[i]), nil }, nil
	case d == Uint64:
		v := a.Uint64s()
		return func(to []byte, i int) ([]byte, error) { return strconv.AppendUint(to, v[i], 10), nil }, nil
	case d.IsInt():
		v := a.AsType(Int64).Int64s()
		return func(to []byte, i int) ([]byte, error) { return strconv.AppendInt(to, v[i], 10), nil }, nil
	case d.IsFloat():
		v, bits := a.AsType(Float64).Float64s(), 32
		if d == Float64 {
			bits = 64
		}
		return func(to []byte, i int) ([]byte, error) {
			switch x := v[i]; {
			case x != x:
				return append(to, "null"...), nil
			case math.IsInf(x, 0):
				return nil, &Error{Op: "json", Shapes: [][]int{a.layout.Shape}, Msg: fmt.Sprintf("element %d in C order is %v, which JSON does not have; NanToNum gives numbers for it", i, x)}
			default:
				text := strconv.AppendFloat(to, x, 'g', -1, bits)
				if !bytes.ContainsAny(text[len(to):], ".e") { // a float reads as one
					text = append(text, ".0"...)
				}
				return text, nil
			}
		}, nil
	case d.IsString() || d.isDate():
		v := a.Ravel()
		if d.isDate() {
			v = v.AsType(Str(0))
		}
		texts := v.Strings()
		return func(to []byte, i int) ([]byte, error) {
			text, err := json.Marshal(texts[i])
			return append(to, text...), err
		}, nil
	}
	return nil, &Error{Op: "json", Msg: fmt.Sprintf("JSON has nothing for elements of %v; convert them first (Real and Imag of complex numbers, AsType(Int64) of durations)", a.DType())}
}

// UnmarshalJSON reads what [Array.MarshalJSON] writes into a: lists of lists of one shape. Numbers become int64 when
// all are whole and written so, uint64 when one is beyond that, else float64; whole ones that float64 would round are
// an error where only it has room for all, as beside null; null is NaN among numbers, and empty among texts. A text for
// whose elements there is no memory is an error.
func (a *Array) UnmarshalJSON(text []byte) (err error) {
	defer reading.Guard[*Error](&err, readerError("json", ""))
	return a.readJSON(text)
}

func (a *Array) readJSON(text []byte) error {
	if err := budget.JSON("the array", text, poll); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	r := jsonReader{d: d, whole: true}
	if err := r.value(0); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return badFile(nil, "there is more text after the array, at byte %d", d.InputOffset())
	}
	out, err := r.array()
	if err != nil {
		return err
	}
	*a = *out
	return nil
}

// jsonReader collects the elements of nested lists.
type jsonReader struct {
	d      *json.Decoder
	work   poller
	shape  []int
	filled []bool // of shape: the size along an axis is known
	at     []int  // where the reader is
	count  int
	kind   byte // of the elements: 'n' numbers, 'b' bools, 's' texts; 0 while only nulls were there
	whole  bool // all numbers are written as whole ones
	// Of whole numbers: some are below zero, beyond int64, beyond 64 bits; the first that float64 would round.
	negative, beyond, huge bool
	rounded                string
	nulls                  []int
	ints                   []int64
	floats                 []float64
	bools                  []bool
	strings                []string
}

func (r *jsonReader) where() string { return fmt.Sprint(r.at) }

// bad is the error of a text that is not JSON.
func (r *jsonReader) bad(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return &Error{Msg: fmt.Sprintf("the JSON text ends too early, after %d bytes", r.d.InputOffset()), Err: err}
	}
	return &Error{Msg: fmt.Sprintf("this is not valid JSON, at byte %d: %v", r.d.InputOffset(), err), Err: err}
}

// value reads a list, or an element, at a depth.
func (r *jsonReader) value(depth int) error {
	token, err := r.d.Token()
	if err != nil {
		return r.bad(err)
	}
	if token != json.Delim('[') {
		if r.count > 0 || len(r.shape) > 0 {
			if depth != len(r.shape) {
				return &Error{Msg: fmt.Sprintf("there is an element at %s, where other lists have lists: nested lists must have one shape", r.where())}
			}
		}
		return r.element(token)
	}
	if depth == len(r.shape) {
		if r.count > 0 {
			return &Error{Msg: fmt.Sprintf("there is a list at %s, where other lists have elements: nested lists must have one shape", r.where())}
		}
		if depth >= MaxDims {
			return &Error{Msg: fmt.Sprintf("lists are nested more than %d deep", MaxDims)}
		}
		r.shape, r.filled = append(r.shape, 0), append(r.filled, false)
	}
	n := 0
	r.at = append(r.at, 0)
	for r.d.More() {
		r.at[depth] = n
		if err := r.value(depth + 1); err != nil {
			return err
		}
		n++
	}
	r.at = r.at[:depth]
	if _, err := r.d.Token(); err != nil {
		return r.bad(err)
	}
	if r.filled[depth] && r.shape[depth] != n {
		return &Error{Msg: fmt.Sprintf("the list at %s has %d elements and one before it %d: nested lists must have one shape", r.where(), n, r.shape[depth])}
	}
	r.shape[depth], r.filled[depth] = n, true
	return nil
}

// element takes one element.
func (r *jsonReader) element(token json.Token) error {
	r.work.did(512)
	kind := byte(0)
	switch v := token.(type) {
	case json.Number:
		kind = 'n'
		f, err := v.Float64()
		if err != nil {
			return &Error{Msg: fmt.Sprintf("the number %s at %s is too large for float64", brief.Text(v), r.where())}
		}
		r.floats = append(r.floats, f)
		r.ints = append(r.ints, r.integer(string(v), f))
	case bool:
		kind = 'b'
		r.bools = append(r.bools, v)
	case string:
		kind = 's'
		r.strings = append(r.strings, v)
	case nil:
		r.nulls = append(r.nulls, r.count)
		switch r.kind {
		case 'n':
			r.floats, r.ints = append(r.floats, math.NaN()), append(r.ints, 0)
		case 's':
			r.strings = append(r.strings, "")
		case 'b':
			return &Error{Msg: fmt.Sprintf("there is null at %s among bools, which have no missing value", r.where())}
		}
	default:
		return &Error{Msg: fmt.Sprintf("there is an object at %s; an array is of lists, numbers, bools and texts: LoadTable, LoadColumns and frames.Read give records as columns", r.where())}
	}
	if kind != 0 && r.kind == 0 { // nulls came first
		r.kind = kind
		if n := len(r.nulls); n > 0 {
			switch kind {
			case 'n':
				r.floats = append(slices.Repeat([]float64{math.NaN()}, n), r.floats...)
				r.ints = append(make([]int64, n), r.ints...)
			case 's':
				r.strings = append(make([]string, n), r.strings...)
			default:
				return &Error{Msg: "there is null among bools, which have no missing value"}
			}
		}
	}
	if kind != 0 && kind != r.kind {
		names := map[byte]string{'n': "numbers", 'b': "bools", 's': "texts"}
		return &Error{Msg: fmt.Sprintf("%s at %s stands among %s; the elements of an array are of one kind", brief.Text(fmt.Sprint(token)), r.where(), names[r.kind])}
	}
	r.count++
	return nil
}

// integer returns the bits of a number that is written as a whole one, and takes into account what can hold it: int64,
// uint64, or float64 alone.
func (r *jsonReader) integer(text string, f float64) int64 {
	if !r.whole {
		return 0
	}
	if r.whole = csvtable.IsWhole(text); !r.whole {
		return 0
	}
	r.negative = r.negative || text[0] == '-'
	if r.rounded == "" {
		if exact, ok := new(big.Float).SetPrec(4*uint(len(text)) + 64).SetString(text); !ok || exact.Cmp(big.NewFloat(f)) != 0 {
			r.rounded = text
		}
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i
	}
	r.beyond = true
	u, err := strconv.ParseUint(text, 10, 64)
	r.huge = r.huge || err != nil
	return int64(u)
}

// array returns what was read.
func (r *jsonReader) array() (a *Array, err error) {
	switch {
	case r.kind == 'b':
		a = FromSlice(r.bools)
	case r.kind == 's':
		a = FromSlice(r.strings)
	case r.kind == 'n' && r.whole && len(r.nulls) == 0 && !r.beyond:
		a = FromSlice(r.ints)
	case r.kind == 'n' && r.whole && len(r.nulls) == 0 && !r.huge && !r.negative:
		u := make([]uint64, len(r.ints))
		for i, v := range r.ints {
			u[i] = uint64(v)
		}
		a = FromSlice(u)
	case r.kind == 'n' && r.whole && r.rounded != "":
		return nil, &Error{Msg: fmt.Sprintf("the whole number %s is one that float64 would round, and no dtype of whole numbers has all numbers here, with those that are missing; write it with .0 or an exponent where rounding does not matter, or as text", brief.Text(r.rounded))}
	case r.kind == 'n':
		a = FromSlice(r.floats)
	default:
		a = Full(math.NaN(), r.count)
	}
	if err := checkShape(r.shape); err != nil {
		return nil, err
	}
	return a.Reshape(r.shape...), nil
}

// SaveJSON writes x, an array or slice, to a file as [Array.MarshalJSON] does. The file that was there before stays as
// it is when writing fails.
func SaveJSON(path string, x ArrayLike) (err error) {
	defer catch(&err)
	a, _, err := AsArray(x)
	if err != nil {
		return withOp("json", err)
	}
	text, err := a.MarshalJSON()
	if err != nil {
		return err
	}
	return replace.File(path, false, func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
}

// LoadJSON reads an array from a file as [Array.UnmarshalJSON] does.
func LoadJSON(path string) (a *Array, err error) {
	defer reading.Guard[*Error](&err, readerError("loadjson", path))
	text, err := budget.ReadFileThrough(path, "the file", 0, polled)
	if err != nil {
		return nil, err
	}
	read := new(Array)
	// some programs write a byte order mark
	if err := read.readJSON(bytes.TrimPrefix(text, []byte("\ufeff"))); err != nil {
		return nil, err
	}
	return read, nil
}
