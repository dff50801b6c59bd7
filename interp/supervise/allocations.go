package supervise

import (
	"bufio"
	"bytes"
	"fmt"
	"image"
	"io"
	"math"
	"math/big"
	"math/rand"
	"reflect"
	"strings"
)

// sized are functions that cells call in the place of compiled ones that make something as large as their arguments
// say: the process would end where the system has not got the memory. The limit for cells is that for make.
func (s *Supervisor) sized() map[string]any {
	allow := func(what string, n, each int) {
		s.allow(func() string { return fmt.Sprintf("%s(%d)", what, n) }, int64(n), int64(each))
	}
	repeat := func(what string, bytes, n int) {
		s.allow(func() string { return fmt.Sprintf("%s of %d bytes, %d times,", what, bytes, n) }, int64(n), int64(bytes))
	}
	bits := func(what string, n uint) {
		s.allow(func() string { return fmt.Sprintf("%s(%d)", what, n) }, int64(min(n/8, math.MaxInt64)), 1)
	}
	picture := func(what string, r image.Rectangle, pixel int) {
		if !r.Empty() {
			s.allow(func() string { return fmt.Sprintf("%s(%v)", what, r) }, int64(r.Dx()), int64(pixel*r.Dy()))
		}
	}
	kind := func(what string, t reflect.Type) {
		if t != nil {
			s.allow(func() string { return fmt.Sprintf("%s(%v)", what, t) }, int64(t.Size()), 1)
		}
	}
	elements := func(what string, t reflect.Type, n int) {
		if t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Chan) {
			s.allow(func() string { return fmt.Sprintf("%s(%v, %d)", what, t, n) }, int64(n), int64(t.Elem().Size()))
		}
	}
	return map[string]any{
		"strings.Repeat": func(text string, n int) string {
			repeat("strings.Repeat", len(text), n)
			return strings.Repeat(text, n)
		},
		"bytes.Repeat": func(b []byte, n int) []byte {
			repeat("bytes.Repeat", len(b), n)
			return bytes.Repeat(b, n)
		},
		"(*strings.Builder).Grow": func(b *strings.Builder, n int) {
			allow("(*strings.Builder).Grow", n, 1)
			b.Grow(n)
		},
		"(*bytes.Buffer).Grow": func(b *bytes.Buffer, n int) {
			allow("(*bytes.Buffer).Grow", n, 1)
			b.Grow(n)
		},
		"bufio.NewReaderSize": func(r io.Reader, n int) *bufio.Reader {
			allow("bufio.NewReaderSize", n, 1)
			return bufio.NewReaderSize(r, n)
		},
		"bufio.NewWriterSize": func(w io.Writer, n int) *bufio.Writer {
			allow("bufio.NewWriterSize", n, 1)
			return bufio.NewWriterSize(w, n)
		},
		"math/rand.Perm": func(n int) []int {
			allow("rand.Perm", n, 8)
			return rand.Perm(n)
		},
		"(*math/big.Int).Lsh": func(z, x *big.Int, n uint) *big.Int {
			bits("(*big.Int).Lsh", n)
			return z.Lsh(x, n)
		},
		"(*math/big.Int).SetBit": func(z, x *big.Int, i int, b uint) *big.Int {
			bits("(*big.Int).SetBit", uint(max(i, 0)))
			return z.SetBit(x, i, b)
		},
		"reflect.New": func(t reflect.Type) reflect.Value {
			kind("reflect.New", t)
			return reflect.New(t)
		},
		"reflect.Zero": func(t reflect.Type) reflect.Value {
			kind("reflect.Zero", t)
			return reflect.Zero(t)
		},
		"reflect.MakeSlice": func(t reflect.Type, n, room int) reflect.Value {
			elements("reflect.MakeSlice", t, room)
			return reflect.MakeSlice(t, n, room)
		},
		"reflect.MakeChan": func(t reflect.Type, n int) reflect.Value {
			elements("reflect.MakeChan", t, n)
			return reflect.MakeChan(t, n)
		},
		"reflect.MakeMapWithSize": func(t reflect.Type, n int) reflect.Value {
			if t != nil && t.Kind() == reflect.Map {
				s.allow(func() string { return fmt.Sprintf("reflect.MakeMapWithSize(%v, %d)", t, n) }, int64(n), int64(t.Key().Size()+t.Elem().Size()+1))
			}
			return reflect.MakeMapWithSize(t, n)
		},
		"(reflect.Value).Grow": func(v reflect.Value, n int) {
			if v.Kind() == reflect.Slice {
				elements("reflect.Value.Grow", v.Type(), n)
			}
			v.Grow(n)
		},
		"image.NewRGBA":    pictured(picture, "image.NewRGBA", 4, image.NewRGBA),
		"image.NewNRGBA":   pictured(picture, "image.NewNRGBA", 4, image.NewNRGBA),
		"image.NewRGBA64":  pictured(picture, "image.NewRGBA64", 8, image.NewRGBA64),
		"image.NewNRGBA64": pictured(picture, "image.NewNRGBA64", 8, image.NewNRGBA64),
		"image.NewCMYK":    pictured(picture, "image.NewCMYK", 4, image.NewCMYK),
		"image.NewGray":    pictured(picture, "image.NewGray", 1, image.NewGray),
		"image.NewGray16":  pictured(picture, "image.NewGray16", 2, image.NewGray16),
		"image.NewAlpha":   pictured(picture, "image.NewAlpha", 1, image.NewAlpha),
		"image.NewAlpha16": pictured(picture, "image.NewAlpha16", 2, image.NewAlpha16),
	}
}

// pictured returns a function that makes a picture when it may be made.
func pictured[T any](allow func(what string, r image.Rectangle, pixel int), what string, pixel int, make func(image.Rectangle) T) func(image.Rectangle) T {
	return func(r image.Rectangle) T {
		allow(what, r, pixel)
		return make(r)
	}
}
