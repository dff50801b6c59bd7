package arrays

import (
	"fmt"
	"iter"
	"reflect"
	"time"
	"unsafe"
)

// Item returns the one element of an array of size 1 as the Go value of its dtype: bool, int8 to int64, uint8 to
// uint64, float32 (of Float16 too), float64, complex64, complex128, string, time.Time (zero for NaT) or time.Duration.
// It panics with *Error on other sizes, and on spans of months and years, which are not a time.Duration.
func (a *Array) Item() any {
	a.assigned()
	a.needOne("item")
	one := a.Copy().data
	switch d := a.dtype; d.class() {
	case StringDType:
		return textsOf(one)[0]
	case Bool:
		return one[0] != 0
	case Int8:
		return elements[int8](one)[0]
	case Int16:
		return elements[int16](one)[0]
	case Int32:
		return elements[int32](one)[0]
	case Int64:
		return elements[int64](one)[0]
	case Uint8:
		return one[0]
	case Uint16:
		return elements[uint16](one)[0]
	case Uint32:
		return elements[uint32](one)[0]
	case Uint64:
		return elements[uint64](one)[0]
	case Float16:
		return elements[half](one)[0].float()
	case Float32:
		return elements[float32](one)[0]
	case Float64:
		return elements[float64](one)[0]
	case Complex64:
		return elements[complex64](one)[0]
	case Complex128:
		return elements[complex128](one)[0]
	case classString:
		return rowString(one, d.chars(), 0)
	case classDateTime:
		return timeOf(elements[int64](one)[0], d.unit())
	default:
		return durationOf(elements[int64](one)[0], d.unit())
	}
}

// durationOf returns a span as Go's. NaT, which Go has not, is the shortest one.
func durationOf(v int64, u Unit) time.Duration { return time.Duration(toUnit(v, u, Nanosecond, false)) }

// needOne panics unless a has one element.
func (a *Array) needOne(op string) {
	if a.Size() != 1 {
		check(op, &Error{Shapes: [][]int{a.layout.Shape}, Msg: fmt.Sprintf("shape %s has %d elements, not one; pick one with At or a reduction", shapeString(a.layout.Shape), a.Size())})
	}
}

// Float64 returns the element at idx, one int for each axis, as a float64; without idx, that of an array of size 1.
// Every real dtype converts. It panics with *Error on a bad index and on other dtypes.
func (a *Array) Float64(idx ...int) float64 {
	a.assigned()
	if at, ok := a.layout.placeOfInts(idx); ok {
		a.needKind(Float64)
		return a.float64At(at)
	}
	if len(idx) > 0 {
		if len(idx) != a.NDim() {
			check("index", &Error{Shapes: [][]int{a.layout.Shape}, Msg: fmt.Sprintf("%d indices are given for shape %s; one element takes %d", len(idx), shapeString(a.layout.Shape), a.NDim())})
		}
		args := make([]any, len(idx))
		for i, x := range idx {
			args[i] = x
		}
		a = a.At(args...)
	}
	a.needOne("float64")
	a.needKind(Float64)
	return a.float64At(a.layout.Offset)
}

// Complex128 returns the element of an array of size 1 as a complex128. Every dtype of numbers converts.
func (a *Array) Complex128() complex128 {
	a.assigned()
	a.needOne("complex128")
	return a.Complex128s()[0]
}

// float64At converts the storage element at, of a real dtype.
func (a *Array) float64At(at int) float64 {
	switch a.dtype {
	case Float64:
		return elements[float64](a.data)[at]
	case Float32:
		return float64(elements[float32](a.data)[at])
	case Int64:
		return float64(elements[int64](a.data)[at])
	}
	var v [1]float64
	castOf(a.dtype, Float64)(bytesOf(v[:]), a.data, at, 0)
	return v[0]
}

// The methods below return copies of the elements in C order as Go slices, for code that cannot call the generic
// [Data]. They panic with *Error where elements would lose more than digits: floats as ints, complex numbers as floats,
// ints out of range.

// Float64s returns a copy of the elements in C order as float64. Every real dtype converts; int64 beyond 2^53 are
// rounded.
func (a *Array) Float64s() []float64 {
	a.assigned()
	return elements[float64](a.flat(Float64))
}

// Float32s returns a copy of the elements in C order as float32, rounded where they have more digits.
func (a *Array) Float32s() []float32 {
	a.assigned()
	return elements[float32](a.flat(Float32))
}

// Complex128s returns a copy of the elements in C order as complex128. Every dtype of numbers converts.
func (a *Array) Complex128s() []complex128 {
	a.assigned()
	return elements[complex128](a.flat(Complex128))
}

// Int64s returns a copy of the elements in C order as int64. It panics with *Error when a holds floats; dates and spans
// count their unit.
func (a *Array) Int64s() []int64 {
	a.assigned()
	return elements[int64](a.flat(Int64))
}

// Ints returns a copy of the elements in C order as int. It panics with *Error as Int64s does.
func (a *Array) Ints() []int {
	a.assigned()
	v := a.Int64s()
	out := make([]int, len(v))
	for i, x := range v {
		out[i] = int(x)
	}
	return out
}

// Int8s returns a copy of the elements in C order as int8. It panics with *Error when a holds others than ints of that
// range.
func (a *Array) Int8s() []int8 {
	a.assigned()
	return elements[int8](a.flat(Int8))
}

// Int16s returns a copy of the elements in C order as int16. It panics with *Error when a holds others than ints of
// that range.
func (a *Array) Int16s() []int16 {
	a.assigned()
	return elements[int16](a.flat(Int16))
}

// Int32s returns a copy of the elements in C order as int32. It panics with *Error when a holds others than ints of
// that range.
func (a *Array) Int32s() []int32 {
	a.assigned()
	return elements[int32](a.flat(Int32))
}

// Uint8s returns a copy of the elements in C order as uint8. It panics with *Error when a holds others than ints of
// that range.
func (a *Array) Uint8s() []uint8 {
	a.assigned()
	return a.flat(Uint8)
}

// Uint16s returns a copy of the elements in C order as uint16. It panics with *Error when a holds others than ints of
// that range.
func (a *Array) Uint16s() []uint16 {
	a.assigned()
	return elements[uint16](a.flat(Uint16))
}

// Uint32s returns a copy of the elements in C order as uint32. It panics with *Error when a holds others than ints of
// that range.
func (a *Array) Uint32s() []uint32 {
	a.assigned()
	return elements[uint32](a.flat(Uint32))
}

// Uint64s returns a copy of the elements in C order as uint64. It panics with *Error when a holds others than ints of
// that range.
func (a *Array) Uint64s() []uint64 {
	a.assigned()
	return elements[uint64](a.flat(Uint64))
}

// Bools returns a copy of the elements in C order. It panics with *Error when a does not hold bools.
func (a *Array) Bools() []bool {
	a.assigned()
	raw := a.flat(Bool)
	out := make([]bool, len(raw))
	for i, b := range raw {
		out[i] = b != 0
	}
	return out
}

// Strings returns a copy of the elements in C order as text: strings as they are, others as they print alone.
func (a *Array) Strings() []string {
	a.assigned()
	c := a.Copy()
	out := make([]string, c.Size())
	if c.dtype == StringDType {
		copy(out, textsOf(contents(c)))
		return out
	}
	var work poller
	for i := range out {
		work.did(256)
		one := Array{c.dtype, Layout{Offset: i}, c.data}
		out[i] = one.scalarString()
	}
	return out
}

// Times returns a copy of the elements in C order as time.Time in UTC, the zero Time for NaT. It panics with *Error
// when a does not hold dates.
func (a *Array) Times() []time.Time {
	a.assigned()
	if !a.dtype.isDate() {
		check("times", &Error{Msg: fmt.Sprintf("a %v array does not hold dates; convert it first: AsType(DateTime(Second))", a.dtype)})
	}
	v := elements[int64](a.Copy().data)
	out := make([]time.Time, len(v))
	var work poller
	for i, x := range v {
		work.did(16)
		out[i] = timeOf(x, a.dtype.unit())
	}
	return out
}

// Values returns the elements in C order as float64, with their places, for range loops: for i, v := range a.Values().
// Every real dtype converts. It panics with *Error on others; Complex128s, Strings and Times are for those.
func (a *Array) Values() iter.Seq2[int, float64] {
	a.assigned()
	a.needKind(Float64)
	return func(yield func(int, float64) bool) {
		in := newStream(a, Float64)
		total := a.Size()
		for lo := 0; lo < total; lo += blockLen {
			for i, v := range elements[float64](in.next(min(blockLen, total-lo))) {
				if !yield(lo+i, v) {
					return
				}
			}
		}
	}
}

// flat converts to a dtype of numbers whose kind can hold a's, in memory of its own.
func (a *Array) flat(dtype DType) []byte {
	a.needKind(dtype)
	out := a.AsType(dtype)
	if a.dtype.IsInt() && dtype.IsInt() && (dtype.Size() < a.dtype.Size() || dtype.IsUnsigned() != a.dtype.IsUnsigned()) {
		if lost := apply(&opNotEqual, out, a).Array(); lost.AnyTrue().Bool() {
			at := lost.Reshape(-1).ArgMax().Int()
			check("values", &Error{Msg: fmt.Sprintf("element %d is %v, which no %v holds (%s); AsType(%s) would cut it", at, a.Reshape(-1).At(at), dtype, limits(dtype), dtype.expression())})
		}
	}
	return out.data
}

// needKind panics unless the values of a are among those of dtype's kind.
func (a *Array) needKind(dtype DType) {
	if a.dtype.Kind() > dtype.Kind() && !(a.dtype.IsTime() && dtype == Int64) {
		check("values", &Error{Msg: fmt.Sprintf("a %v array does not give %v values without loss; convert it first: AsType(%s) or a comparison", a.dtype, dtype, dtype.expression())})
	}
}

// DataLike is [Data] for the type of the value like: the elements of a in C order as a slice of that type.
func (a *Array) DataLike(like any) any {
	a.assigned()
	t := reflect.TypeOf(like)
	if t == nil {
		check("data", &Error{Msg: "DataLike(nil): give a value of the type, such as 0.0"})
	}
	if t.Kind() == reflect.String && a.dtype.IsString() {
		check("data", &Error{Msg: "texts do not lie in memory as a Go slice of them that could be shared; Strings returns copies"})
	}
	if d, ok := goKinds[t.Kind()]; !ok || d != a.dtype || int(t.Size()) != d.Size() || t.PkgPath() != "" {
		check("data", &Error{Msg: fmt.Sprintf("a %v array does not hold %v; convert it first: AsType(%s)", a.dtype, t, d.expression())})
	}
	b := a.Bytes()
	return reflect.SliceAt(t, unsafe.Pointer(unsafe.SliceData(b)), len(b)/int(t.Size())).Interface()
}

// Int returns the element of an array of size 1 as an int; a float loses its fraction, as in [Array.AsType]. It panics
// with *Error for other sizes, for complex numbers, and for what no int is: NaN, and numbers beyond int.
//
//mirror:copy
func (a *Array) Int() int {
	a.assigned()
	d := a.DType()
	switch {
	case d.IsComplex():
		check("int", &Error{Msg: fmt.Sprintf("%v is not an int: the imaginary part would be lost; take Real of it", d)})
	case d.IsFloat():
		f := a.Float64()
		if !(f >= -1<<63 && f < 1<<63) {
			check("int", &Error{Msg: fmt.Sprintf("%v does not fit an int; ask with IsFinite, or take Float64 of it", f)})
		}
		return int(f)
	case d == Uint64:
		u := a.Item().(uint64)
		if u >= 1<<63 {
			check("int", &Error{Msg: fmt.Sprintf("%d does not fit an int; take Uint64 of it", u)})
		}
		return int(u)
	}
	return int(a.AsType(Int64).Item().(int64))
}

// Uint64 returns the element of an array of size 1 as a uint64; of negative ints it is what Go's conversion makes, and
// a float loses its fraction. It panics with *Error for other sizes, for complex numbers, and for NaN and floats that
// are negative or beyond uint64.
//
//mirror:copy
func (a *Array) Uint64() uint64 {
	a.assigned()
	switch d := a.DType(); {
	case d == Uint64:
		return a.Item().(uint64)
	case d.IsFloat():
		f := a.Float64()
		if !(f > -1 && f < 1<<64) {
			check("uint64", &Error{Msg: fmt.Sprintf("%v does not fit a uint64; ask with IsFinite, or take Float64 of it", f)})
		}
		return uint64(f)
	}
	return uint64(a.Int())
}

// Bool returns whether the element of an array of size 1 is not zero. It panics with *Error for other sizes: All or Any
// make one truth of many.
//
//mirror:copy
func (a *Array) Bool() bool {
	a.assigned()
	if a.Size() != 1 {
		check("bool", &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("%d elements are neither true nor false together; use AllTrue() or AnyTrue() first", a.Size())})
	}
	return a.AsType(Bool).Item().(bool)
}
