package arrays

import (
	"fmt"
	"math"
	"reflect"
)

// AsArray makes an array of an operand: an *Array is itself; a Go number becomes a 0-d array and is weak (see [Operand]); a
// Go bool becomes a 0-d bool; slices become arrays as [FromSlice] makes them; anything with a method Array() *Array is asked
// for it. Other values are an error.
func AsArray(v any) (a *Array, weak bool, err error) {
	switch v := v.(type) {
	case *Array:
		if v == nil {
			return nil, false, &Error{Msg: "an operand is a nil *Array; was it never assigned?"}
		}
		return v, false, nil
	case interface{ Array() *Array }:
		return AsArray(v.Array())
	case bool:
		return scalarOf(Bool, bit(v)), false, nil
	case int:
		return scalarOf(Int64, int64(v)), true, nil
	case float64:
		return scalarOf(Float64, v), true, nil
	case nil:
		return nil, false, &Error{Msg: "an operand is nil; use an array, a Go number or a slice"}
	}
	r := reflect.ValueOf(v)
	switch {
	case r.CanInt():
		return scalarOf(Int64, r.Int()), true, nil
	case r.CanUint():
		if r.Uint() > math.MaxInt64 {
			return nil, false, &Error{Msg: fmt.Sprintf("%d does not fit an int64", r.Uint())}
		}
		return scalarOf(Int64, int64(r.Uint())), true, nil
	case r.Kind() == reflect.Float32:
		return scalarOf(Float32, float32(r.Float())), true, nil
	case r.CanFloat():
		return scalarOf(Float64, r.Float()), true, nil
	case r.Kind() == reflect.Bool:
		return scalarOf(Bool, bit(r.Bool())), false, nil
	case r.Kind() == reflect.Slice || r.Kind() == reflect.Array:
		a, err := fromSlice(r)
		return a, false, err
	}
	return nil, false, &Error{Msg: fmt.Sprintf("a %T is no operand; use an array, a Go number or a slice of numbers", v)}
}

// Scalar returns a 0-d array of a Go number or bool: ints give int64, float32 gives float32, float64 gives float64. Unlike
// a Go number it is not weak. It panics with *Error on other values.
func Scalar(v any) *Array {
	a, _, err := AsArray(v)
	check("scalar", err)
	if a.NDim() != 0 {
		check("scalar", &Error{Shapes: [][]int{a.layout.Shape}, Msg: fmt.Sprintf("a %T of shape %s is no single value; use FromSlice", v, shapeString(a.layout.Shape))})
	}
	return a.Copy()
}

// scalarOf returns the 0-d array of one element.
func scalarOf[T element](dtype DType, v T) *Array {
	a := New(dtype)
	elements[T](a.data)[0] = v
	return a
}
