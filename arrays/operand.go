package arrays

import (
	"fmt"
	"math"
	"reflect"
	"unicode/utf8"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// ArrayLike is what stands for an array, as NumPy's ArrayLike: an *Array; a Go number, bool, string, time.Time or
// time.Duration, or of a type that is made of one; a slice or Go array of them, also nested; what has a method Array()
// *Array; a matrix of gonum; where there are several, a []*Array. All else is an *Error when the function is called.
// The cells of a notebook report it before they run: a func, a map, a channel, another struct or nil is none of these.
//
// It is another name for any, since no interface has methods that Go's numbers have, and a function that is generic in
// its operands cannot be passed on as a value. What is computed with is *Array: [AsArray] makes it.
type ArrayLike = any

// AsArray makes an array of an operand: an *Array is itself; a Go number becomes a 0-d array and is weak (see
// [Operand]); a Go bool, string, time.Time or time.Duration becomes a 0-d array; slices become arrays as [FromSlice]
// makes them; anything with a method Array() *Array is asked for it; a [Matrix] is copied. Other values are an error.
func AsArray(v ArrayLike) (a *Array, weak bool, err error) {
	switch v := v.(type) {
	case *Array:
		if v.missing() {
			return nil, false, v.unassigned()
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
	case Matrix:
		return FromMatrix(v), false, nil
	case nil:
		return nil, false, &Error{Msg: "an operand is nil; use an array, a Go number or a slice"}
	}
	r := reflect.ValueOf(v)
	switch kind := r.Kind(); {
	case kind == reflect.Slice || kind == reflect.Array:
		a, err := fromSlice(r)
		return a, false, err
	case r.Type() == durationType || r.Type() == timeType:
		d, _ := dtypeOf(r.Type())
		a := New(d)
		a.put(0, r)
		return a, false, nil
	case r.CanInt():
		return scalarOf(Int64, r.Int()), true, nil
	case r.CanUint():
		if r.Uint() > math.MaxInt64 {
			return scalarOf(Uint64, r.Uint()), true, nil
		}
		return scalarOf(Int64, int64(r.Uint())), true, nil
	case kind == reflect.Float32:
		return scalarOf(Float32, float32(r.Float())), true, nil
	case r.CanFloat():
		return scalarOf(Float64, r.Float()), true, nil
	case kind == reflect.Complex64:
		return scalarOf(Complex64, complex64(r.Complex())), true, nil
	case r.CanComplex():
		return scalarOf(Complex128, r.Complex()), true, nil
	case kind == reflect.Bool:
		return scalarOf(Bool, bit(r.Bool())), false, nil
	case kind == reflect.String:
		a := New(textDType(utf8.RuneCountInString(r.String()), 1, int64(r.Len())))
		a.put(0, r)
		return a, false, nil
	}
	return nil, false, &Error{Msg: fmt.Sprintf("%s is not an operand; use an array, a Go number or a slice of numbers", brief.Type(v))}
}

// unlisted is the operands of a function that takes any number of them: a []*Array alone stands for its arrays.
func unlisted(xs []any) []any {
	if len(xs) != 1 {
		return xs
	}
	list, is := xs[0].([]*Array)
	if !is {
		return xs
	}
	out := make([]any, len(list))
	for i, a := range list {
		out[i] = a
	}
	return out
}

// operandOf is what Resolve needs to know of what AsArray gave.
func operandOf(a *Array, weak bool) Operand {
	o := Operand{DType: a.dtype, Weak: weak}
	if weak {
		o.Value = a
	}
	return o
}

// computedIn returns the dtype that u computes in for these inputs; the error is op's, a function that is made of
// others.
func computedIn(op string, u *operation, xs ...any) DType {
	in := make([]Operand, len(xs))
	for i, x := range xs {
		a, weak, err := AsArray(x)
		check(op, err)
		in[i] = operandOf(a, weak)
	}
	d, _, err := u.dtypes(in)
	if err != nil {
		named := withOp(op, err)
		named.Op = op
		panic(named)
	}
	return d
}

// Scalar returns a 0-d array of a Go number, bool, string or time: ints give int64, float32 gives float32, float64
// gives float64. Unlike a Go number it is not weak. It panics with *Error on other values.
func Scalar(v ArrayLike) *Array {
	a, _, err := AsArray(v)
	check("scalar", err)
	if a.NDim() != 0 {
		check("scalar", &Error{Shapes: [][]int{a.layout.Shape}, Msg: fmt.Sprintf("%s of shape %s is not a single value; use FromSlice", brief.Type(v), shapeString(a.layout.Shape))})
	}
	return a.Copy()
}

// scalarOf returns the 0-d array of one element, in one piece of memory: there are many of them.
func scalarOf[T element](dtype DType, v T) *Array {
	made(int(unsafe.Sizeof(v)))
	s := new(struct {
		Array
		element T
	})
	s.element = v
	s.Array = Array{dtype, Contiguous(), unsafe.Slice((*byte)(unsafe.Pointer(&s.element)), unsafe.Sizeof(v))}
	return &s.Array
}
