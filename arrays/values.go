package arrays

import "fmt"

// Item returns the one element of an array of size 1, as bool, int64, float32 or float64. It panics with *Error on other
// sizes.
func (a *Array) Item() any {
	a.needOne("item")
	at := a.layout.Offset
	switch a.dtype {
	case Bool:
		return a.data[at] != 0
	case Int64:
		return elements[int64](a.data)[at]
	case Float32:
		return elements[float32](a.data)[at]
	default:
		return elements[float64](a.data)[at]
	}
}

// needOne panics unless a has one element.
func (a *Array) needOne(op string) {
	if a.Size() != 1 {
		check(op, &Error{Shapes: [][]int{a.layout.Shape}, Msg: fmt.Sprintf("shape %s has %d elements, not one; pick one with At or a reduction", shapeString(a.layout.Shape), a.Size())})
	}
}

// Float64 returns the element at idx, one int for each axis, as a float64; without idx, that of an array of size 1. Every
// dtype converts. It panics with *Error on a bad index.
func (a *Array) Float64(idx ...int) float64 {
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
	return a.float64At(a.layout.Offset)
}

// float64At converts the storage element at.
func (a *Array) float64At(at int) float64 {
	switch a.dtype {
	case Bool:
		return float64(a.data[at])
	case Int64:
		return float64(elements[int64](a.data)[at])
	case Float32:
		return float64(elements[float32](a.data)[at])
	default:
		return elements[float64](a.data)[at]
	}
}

// Float64s returns a copy of the elements in C order as float64. Every dtype converts; int64 beyond 2^53 are rounded.
func (a *Array) Float64s() []float64 { return elements[float64](a.flat(Float64).data) }

// Float32s returns a copy of the elements in C order as float32, rounded where they have more digits.
func (a *Array) Float32s() []float32 { return elements[float32](a.flat(Float32).data) }

// Int64s returns a copy of the elements in C order as int64. It panics with *Error when a holds floats.
func (a *Array) Int64s() []int64 { return elements[int64](a.flat(Int64).data) }

// Bools returns a copy of the elements in C order. It panics with *Error when a does not hold bools.
func (a *Array) Bools() []bool {
	raw := a.flat(Bool).data
	out := make([]bool, len(raw))
	for i, b := range raw {
		out[i] = b != 0
	}
	return out
}

// flat converts to a dtype whose kind can hold a's.
func (a *Array) flat(dtype DType) *Array {
	if a.dtype.Kind() > dtype.Kind() {
		check("values", &Error{Msg: fmt.Sprintf("a %v array does not give %v values without loss; convert it first: AsType(%v) or a comparison", a.dtype, dtype, goName[dtype])})
	}
	return a.AsType(dtype)
}

// goName is how Go code names a dtype.
var goName = [numDTypes]string{Bool: "Bool", Int64: "Int64", Float32: "Float32", Float64: "Float64"}
