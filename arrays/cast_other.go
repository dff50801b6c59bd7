package arrays

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// castOther returns the conversion between dtypes of which one at least is of strings, dates or spans.
func castOther(from, to DType) (castFunc, error) {
	none := func() (castFunc, error) {
		return nil, &Error{Msg: fmt.Sprintf("%v does not convert to %v", from, to)}
	}
	switch {
	case from == StringDType || to == StringDType:
		return textCast(from, to)
	case from.IsString() && to.IsString():
		return recode(from.chars(), to.chars()), nil
	case from.IsString():
		n := from.chars()
		return parsed(func(src []byte, at int) string { return rowString(src, n, at) }, to)
	case to.IsString():
		return written(from, to.chars()), nil
	case from.IsTime() && to.IsTime():
		switch {
		case from.isDate() && to.isSpan():
			return none()
		case from.isSpan() && from.unit().varies() != to.unit().varies():
			_, err := commonUnit(from.unit(), to.unit(), true, true)
			return nil, err
		}
		date := from.isDate()
		return mapped(func(v int64) int64 { return toUnit(v, from.unit(), to.unit(), date) }), nil
	case from.IsTime() && to.IsFloat(): // NaT becomes NaN
		return func(dst, src []byte, at, stride int) {
			v := make([]float64, len(dst)/to.Size())
			for i := range v {
				if v[i] = float64(elements[int64](src)[at+i*stride]); v[i] == notATime {
					v[i] = math.NaN()
				}
			}
			casts[Float64][to](dst, bytesOf(v), 0, 1)
		}, nil
	case from.IsTime() && !to.IsComplex():
		return casts[Int64][to], nil
	case to.IsTime() && !from.IsComplex():
		return casts[from][Int64], nil // NaN becomes the smallest int64, which is NaT
	}
	return none()
}

// Strings are rows of code points, 4 bytes each.

// rowString reads element at of strings of n characters.
func rowString(src []byte, n, at int) string {
	row := elements[uint32](src[4*n*at : 4*n*(at+1)])
	for len(row) > 0 && row[len(row)-1] == 0 {
		row = row[:len(row)-1]
	}
	var room [64]byte // most texts need no more, so that they are allocated once
	b := room[:0]
	for _, c := range row {
		b = utf8.AppendRune(b, rune(c))
	}
	return string(b)
}

// putRow writes an element, cut to n characters.
func putRow(dst []byte, n, at int, s string) {
	row := elements[uint32](dst[4*n*at : 4*n*(at+1)])
	i := 0
	for i < len(s) && i < len(row) && s[i] < utf8.RuneSelf {
		row[i] = uint32(s[i])
		i++
	}
	clear(row[i:])
	for _, c := range s[i:] {
		if i == n {
			return
		}
		row[i] = uint32(c)
		i++
	}
}

// recode copies strings into rows of another length.
func recode(from, to int) castFunc {
	return func(dst, src []byte, at, stride int) {
		if to == 0 {
			return
		}
		for i := range len(dst) / (4 * to) {
			row := dst[4*to*i : 4*to*(i+1)]
			n := copy(row, src[4*from*at:4*from*(at+1)])
			clear(row[n:])
			at += stride
		}
	}
}

// parsed reads numbers and dates from strings, which text finds in a storage.
func parsed(text func(src []byte, at int) string, to DType) (castFunc, error) {
	put := func(dst []byte, i int, s string) error { return parseNumber(dst, i, s, to) }
	switch {
	case to.isDate():
		put = func(dst []byte, i int, s string) error {
			v, u, ok := parseDate(s)
			if !ok {
				return &Error{Msg: fmt.Sprintf("%s is not a date; dates are written as 2006-01-02 or 2006-01-02T15:04:05", brief.Quoted(s))}
			}
			elements[int64](dst)[i] = toUnit(v, u, to.unit(), true)
			return nil
		}
	case to.isSpan():
		put = func(dst []byte, i int, s string) error {
			if s == "NaT" || s == "" {
				elements[int64](dst)[i] = notATime
				return nil
			}
			return parseNumber(dst, i, s, Int64)
		}
	}
	return func(dst, src []byte, at, stride int) {
		for i := range len(dst) / to.Size() {
			check("astype", put(dst, i, text(src, at)))
			at += stride
		}
	}, nil
}

// parseNumber writes element i of dst, of dtype to.
func parseNumber(dst []byte, i int, s string, to DType) error {
	text, size := strings.TrimSpace(s), to.Size()
	var err error
	switch to.Kind() {
	case KindBool:
		dst[i] = bit(s != "")
	case KindInt:
		if to.IsUnsigned() {
			var v uint64
			if v, err = strconv.ParseUint(text, 10, 8*size); err == nil {
				casts[Uint64][to](dst[i*size:(i+1)*size], bytesOf([]uint64{v}), 0, 1)
			}
			break
		}
		var v int64
		if v, err = strconv.ParseInt(text, 10, 8*size); err == nil {
			casts[Int64][to](dst[i*size:(i+1)*size], bytesOf([]int64{v}), 0, 1)
		}
	case KindFloat:
		var v float64
		if v, err = strconv.ParseFloat(text, 64); err == nil {
			casts[Float64][to](dst[i*size:(i+1)*size], bytesOf([]float64{v}), 0, 1)
		}
	default:
		var v complex128
		if v, err = strconv.ParseComplex(strings.NewReplacer("j", "i", "J", "i").Replace(text), 128); err == nil {
			casts[Complex128][to](dst[i*size:(i+1)*size], bytesOf([]complex128{v}), 0, 1)
		}
	}
	if err != nil {
		what := "not a valid " + to.String()
		if strings.Contains(err.Error(), "out of range") {
			what = "out of the range of " + to.String()
		}
		return &Error{Msg: fmt.Sprintf("the text %s is %s", brief.Quoted(s), what)}
	}
	return nil
}

// written writes elements as text of at most n characters.
func written(from DType, n int) castFunc {
	return func(dst, src []byte, at, stride int) {
		if n == 0 {
			return
		}
		one := &Array{dtype: from, data: src}
		for i := range len(dst) / (4 * n) {
			one.layout.Offset = at
			putRow(dst, n, i, one.scalarString())
			at += stride
		}
	}
}

// charsOf is the number of characters that hold the elements of a as text, at least 1: a dtype of none has no elements.
func charsOf(a *Array) int {
	n := 1
	c := a.Copy()
	for i := range c.Size() {
		if i%(1<<13) == 0 {
			poll()
		}
		one := Array{c.dtype, Layout{Offset: i}, c.data}
		n = max(n, len([]rune(one.scalarString())))
	}
	return n
}
