package arrays

import (
	"fmt"
	"math"
	"reflect"
)

// FromSlice returns an array with a copy of the elements of s, a Go slice or array of numbers or bools, nested for more
// axes ([][]float64 is 2-D; rows must be equally long). All Go ints give int64. A shape rearranges the elements as Reshape
// does. It panics with *Error on other element types, ragged rows, or a shape of another size.
func FromSlice(s any, shape ...int) *Array {
	r := reflect.ValueOf(s)
	if kind := r.Kind(); kind != reflect.Slice && kind != reflect.Array {
		check("fromslice", &Error{Msg: fmt.Sprintf("a %T is no slice; use []float64, []float32, []int, []int64, []bool or nested ones", s)})
	}
	a, err := fromSlice(r)
	check("fromslice", err)
	if len(shape) > 0 {
		a = a.Reshape(shape...)
	}
	return a
}

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
	dtype, ok := dtypeOf(leaf.Kind())
	if !ok {
		return nil, &Error{Msg: fmt.Sprintf("a %v has elements of type %v; an array holds numbers or bools", r.Type(), leaf)}
	}
	if err := checkShape(shape); err != nil {
		return nil, err
	}
	a := New(dtype, shape...)
	_, err := a.fill(r, shape, 0)
	return a, err
}

// dtypeOf is the dtype that holds a Go kind.
func dtypeOf(k reflect.Kind) (DType, bool) {
	switch {
	case k == reflect.Bool:
		return Bool, true
	case k >= reflect.Int && k <= reflect.Uint64:
		return Int64, true
	case k == reflect.Float32:
		return Float32, true
	case k == reflect.Float64:
		return Float64, true
	}
	return 0, false
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
	n := r.Len()
	if r.CanInterface() {
		switch s := r.Interface().(type) {
		case []float64:
			return at + copy(elements[float64](a.data)[at:], s), nil
		case []float32:
			return at + copy(elements[float32](a.data)[at:], s), nil
		case []int64:
			return at + copy(elements[int64](a.data)[at:], s), nil
		}
	}
	for i := range n {
		switch v := r.Index(i); {
		case v.Kind() == reflect.Bool:
			elements[uint8](a.data)[at+i] = bit(v.Bool())
		case v.CanInt():
			elements[int64](a.data)[at+i] = v.Int()
		case v.CanUint():
			if v.Uint() > math.MaxInt64 {
				return 0, &Error{Msg: fmt.Sprintf("element %d is %d, which does not fit an int64", at+i, v.Uint())}
			}
			elements[int64](a.data)[at+i] = int64(v.Uint())
		case a.dtype == Float32:
			elements[float32](a.data)[at+i] = float32(v.Float())
		default:
			elements[float64](a.data)[at+i] = v.Float()
		}
	}
	return at + n, nil
}
