package arrays

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// Map applies a Go function of numbers or bools, with one result, to the elements of xs: arrays, Go numbers and slices,
// which broadcast. Arrays are converted to the types of f's parameters where that loses nothing; AsType converts in any
// case. The result has the dtype of f's result. It panics with *Error when they do not fit.
//
// An eager array calls f for each element; package lazy compiles f to a kernel.
func Map(f any, xs ...ArrayLike) *Array {
	fn := reflect.ValueOf(f)
	in, out, err := signatureOf(f)
	check("map", err)
	operands, shape, err := mapOperands(in, xs)
	check("map", err)
	res := New(out, shape...)
	args := make([]reflect.Value, len(in))
	values := make([][]reflect.Value, len(in))
	for i, a := range operands {
		values[i] = reflectElements(a, fn.Type().In(i))
	}
	results := make([]reflect.Value, res.Size())
	for k := range results {
		for i := range args {
			args[i] = values[i][k]
		}
		results[k] = fn.Call(args)[0]
	}
	setReflected(res, results)
	return res
}

// mapHere is [Map], in package lazy too: it needs no source of f, which a function that was handed on has not.
func mapHere(f any, xs ...any) *Array { return Map(f, xs...) }

// signatureOf returns the dtypes of the parameters and of the result of a Go function, a func value. The error says
// what keeps it from being applied to elements.
func signatureOf(f any) (in []DType, out DType, err error) {
	t := reflect.TypeOf(f)
	if t == nil || t.Kind() != reflect.Func {
		return nil, 0, &Error{Msg: fmt.Sprintf("the function is %s; give a Go function of numbers", brief.Type(f))}
	}
	if t.NumOut() != 1 || t.IsVariadic() || t.NumIn() == 0 {
		return nil, 0, &Error{Msg: fmt.Sprintf("the function is a %v; it must have one result, and a parameter for each array", t)}
	}
	for i := range t.NumIn() {
		d, ok := dtypeOfKind(t.In(i).Kind())
		if !ok {
			return nil, 0, &Error{Msg: fmt.Sprintf("no array has elements of type %v, as parameter %d of the function wants", t.In(i), i+1)}
		}
		in = append(in, d)
	}
	out, ok := dtypeOfKind(t.Out(0).Kind())
	if !ok {
		return nil, 0, &Error{Msg: fmt.Sprintf("no array has elements of type %v, which the function returns", t.Out(0))}
	}
	return in, out, nil
}

// dtypeOfKind returns the dtype whose elements are of kind k. Go's int is int64.
func dtypeOfKind(k reflect.Kind) (DType, bool) {
	name := k.String()
	switch k {
	case reflect.Int:
		name = "int64"
	case reflect.Uint:
		name = "uint64"
	}
	for d := DType(0); d < numDTypes; d++ {
		if d.String() == name {
			return d, true
		}
	}
	return 0, false
}

// mapOperands converts and broadcasts the operands of a Map.
func mapOperands(in []DType, xs []any) (operands []*Array, shape []int, err error) {
	if len(xs) != len(in) {
		return nil, nil, &Error{Msg: fmt.Sprintf("the function takes %d arguments, not %d", len(in), len(xs))}
	}
	var shapes [][]int
	for i, x := range xs {
		a, weak, err := AsArray(x)
		if err != nil {
			return nil, nil, err
		}
		if !weak && Promote(a.dtype, in[i]) != in[i] {
			return nil, nil, &Error{Msg: fmt.Sprintf("argument %d is an array of %v, the function takes %v: convert it with AsType", i+1, a.dtype, in[i])}
		}
		operands, shapes = append(operands, a.AsType(in[i])), append(shapes, a.layout.Shape)
	}
	if shape, err = BroadcastShapes(shapes...); err != nil {
		return nil, nil, err
	}
	for i, a := range operands {
		l, err := a.layout.BroadcastTo(shape)
		if err != nil {
			return nil, nil, err
		}
		operands[i] = a.View(l)
	}
	return operands, shape, nil
}

// reflectElements returns the elements of a in C order as values of type t.
func reflectElements(a *Array, t reflect.Type) []reflect.Value {
	flat := a.Copy().Reshape(-1)
	out := make([]reflect.Value, flat.Size())
	for i := range out {
		out[i] = reflect.ValueOf(flat.At(i).Item()).Convert(t)
	}
	return out
}

// setReflected makes the elements of a be the given values.
func setReflected(a *Array, values []reflect.Value) {
	flat := a.Reshape(-1)
	for i, v := range values {
		switch {
		case v.CanFloat():
			flat.Set(v.Float(), i)
		case v.CanInt():
			flat.Set(int(v.Int()), i)
		case v.CanUint():
			flat.Set(int(v.Uint()), i)
		default:
			flat.Set(v.Bool(), i)
		}
	}
}

// reduceFunc combines elements with a Go function of two numbers, along axes.
func reduceFunc(f, x any, opts ...ReduceOption) *Array {
	in, out, err := signatureOf(f)
	check("reduce", err)
	check("reduce", reducible(in, out))
	a, _, err := AsArray(x)
	check("reduce", err)
	operands, _, err := mapOperands(in[:1], []any{a})
	check("reduce", err)
	spec, err := ReduceMax.Resolve(out, a.layout.Shape, opts...)
	check("reduce", err)
	rows := operands[0].T(spec.LastAxes(a.NDim())).Copy()
	count := 1
	for _, axis := range spec.Axes {
		count *= a.layout.Shape[axis]
	}
	fn := reflect.ValueOf(f)
	values := reflectElements(rows, fn.Type().In(0))
	var results []reflect.Value
	for len(values) > 0 {
		acc := values[0]
		for _, v := range values[1:count] {
			acc = fn.Call([]reflect.Value{acc, v})[0]
		}
		results, values = append(results, acc), values[count:]
	}
	res := New(out, spec.OutShape...)
	setReflected(res, results)
	return res
}

// reducible says why a function cannot combine elements.
func reducible(in []DType, out DType) error {
	if len(in) != 2 || in[0] != in[1] || in[0] != out {
		return &Error{Msg: fmt.Sprintf("a function that combines elements is a func(a, b T) T; this one takes %v and returns %v", in, out)}
	}
	return nil
}

// LastAxes returns the axes of an array in an order in which those that s reduces stand last.
func (s ReduceSpec) LastAxes(ndim int) []int {
	var order []int
	for axis := range ndim {
		if !slices.Contains(s.Axes, axis) {
			order = append(order, axis)
		}
	}
	return append(order, s.Axes...)
}
