package arrays

import (
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// FromSlice returns an array with a copy of the elements of s, a Go slice or array of numbers, bools, strings, times or
// durations, nested for more axes ([][]float64 is 2-D; rows must be equally long). Each Go type has its dtype: int is
// Int64, uint is Uint64, strings are as wide as the longest, or of [StringDType] where that would waste memory, a
// time.Time is a DateTime in nanoseconds (the zero Time is NaT), a time.Duration a TimeDelta. A shape rearranges the
// elements as Reshape does. It panics with *Error on other element types, ragged rows, or a shape of another size.
func FromSlice(s any, shape ...int) *Array {
	r := reflect.ValueOf(s)
	if kind := r.Kind(); kind != reflect.Slice && kind != reflect.Array {
		check("fromslice", &Error{Msg: fmt.Sprintf("%s is not a slice; use []float64, []int, []bool, []string or another slice of numbers, nested for more axes", brief.Type(s))})
	}
	a, err := fromSlice(r)
	check("fromslice", err)
	if len(shape) > 0 {
		a = a.Reshape(shape...)
	}
	return a
}

// From2D returns the matrix with the given rows, a slice of slices as [][]float64. It panics with *Error when they are
// nested otherwise, or differ in length.
func From2D(rows any) *Array {
	a := FromSlice(rows)
	if a.NDim() != 2 {
		check("from2d", &Error{Shapes: [][]int{a.layout.Shape}, Msg: fmt.Sprintf("%s has %s; a matrix is a slice of slices", brief.Type(rows), countAxes(a.NDim()))})
	}
	return a
}

var (
	timeType     = reflect.TypeFor[time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
)

// fromSlice copies a slice or array, nested to any depth.
func fromSlice(r reflect.Value) (*Array, error) {
	leaf := r.Type()
	var shape []int
	for v := r; leaf.Kind() == reflect.Slice || leaf.Kind() == reflect.Array; leaf = leaf.Elem() {
		size := 0
		if v.IsValid() {
			size = v.Len()
		} else if leaf.Kind() == reflect.Array {
			size = leaf.Len()
		}
		shape = append(shape, size)
		if v.IsValid() && size > 0 {
			v = v.Index(0) // the first row decides; fill checks the others
		} else {
			v = reflect.Value{}
		}
	}
	dtype, ok := dtypeOf(leaf)
	if !ok {
		name := func(t reflect.Type) string { return strings.ReplaceAll(t.String(), "interface {}", "any") }
		return nil, &Error{Msg: fmt.Sprintf("a %s has elements of type %s; an array holds numbers, bools, strings, times or durations", name(r.Type()), name(leaf))}
	}
	if err := checkShape(shape); err != nil {
		return nil, err
	}
	if dtype.IsString() {
		chars, bytes := longest(r)
		dtype = textDType(chars, sizeOf(shape), bytes)
	}
	a := New(dtype, shape...)
	_, err := a.fill(r, shape, 0)
	return a, err
}

// goKinds are the dtypes that hold Go's types.
var goKinds = map[reflect.Kind]DType{
	reflect.Bool: Bool,
	reflect.Int:  Int64, reflect.Int8: Int8, reflect.Int16: Int16, reflect.Int32: Int32, reflect.Int64: Int64,
	reflect.Uint: Uint64, reflect.Uint8: Uint8, reflect.Uint16: Uint16, reflect.Uint32: Uint32, reflect.Uint64: Uint64, reflect.Uintptr: Uint64,
	reflect.Float32: Float32, reflect.Float64: Float64, reflect.Complex64: Complex64, reflect.Complex128: Complex128,
	reflect.String: classString,
}

// dtypeOf is the dtype that holds a Go type; strings have no length yet.
func dtypeOf(t reflect.Type) (DType, bool) {
	switch t {
	case timeType:
		return DateTime(Nanosecond), true
	case durationType:
		return TimeDelta(Nanosecond), true
	}
	d, ok := goKinds[t.Kind()]
	return d, ok
}

// longest is the number of characters of the longest string in r, and how many bytes all have.
func longest(r reflect.Value) (chars int, bytes int64) {
	if r.Kind() == reflect.String {
		return utf8.RuneCountInString(r.String()), int64(r.Len())
	}
	for i := range r.Len() {
		c, b := longest(r.Index(i))
		chars, bytes = max(chars, c), bytes+b
	}
	return chars, bytes
}

// fill writes r, of the given shape, from element at on and returns the element after.
func (a *Array) fill(r reflect.Value, shape []int, at int) (int, error) {
	if r.Len() != shape[0] {
		return 0, &Error{Msg: fmt.Sprintf("rows differ in length: one has %d elements, the first has %d", r.Len(), shape[0])}
	}
	if len(shape) > 1 {
		for i := range r.Len() {
			var err error
			if at, err = a.fill(r.Index(i), shape[1:], at); err != nil {
				return 0, err
			}
		}
		return at, nil
	}
	n, size := r.Len(), a.dtype.Size()
	if elem := r.Type().Elem(); r.Kind() == reflect.Slice && n > 0 && elem != timeType && elem.Kind() != reflect.String && int(elem.Size()) == size {
		copy(a.data[at*size:], unsafe.Slice((*byte)(r.UnsafePointer()), n*size))
		return at + n, nil
	}
	for i := range n {
		a.put(at+i, r.Index(i))
	}
	return at + n, nil
}

// put writes a Go value whose type a's dtype holds to storage element at.
func (a *Array) put(at int, v reflect.Value) {
	size := a.dtype.Size()
	to := a.data[at*size : (at+1)*size]
	switch {
	case v.Type() == timeType:
		elements[int64](to)[0] = ofTime(v.Interface().(time.Time), a.dtype.unit())
	case v.Kind() == reflect.Bool:
		to[0] = bit(v.Bool())
	case v.Kind() == reflect.String:
		if a.dtype == StringDType {
			textsOf(a.data)[at] = validText(v.String())
			return
		}
		putRow(a.data, a.dtype.chars(), at, v.String())
	case v.CanInt():
		castOf(Int64, a.dtype)(to, bytesOf([]int64{v.Int()}), 0, 1)
	case v.CanUint():
		casts[Uint64][a.dtype](to, bytesOf([]uint64{v.Uint()}), 0, 1)
	case v.CanFloat():
		casts[Float64][a.dtype](to, bytesOf([]float64{v.Float()}), 0, 1)
	default:
		casts[Complex128][a.dtype](to, bytesOf([]complex128{v.Complex()}), 0, 1)
	}
}
