package gpu

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// goCall returns a call of the function itself with the arguments of a launch, and what gives lazy arrays the elements
// that the function has written.
func goCall(f *gosrc.Func, args []any) (call, back func(), err error) {
	fn := reflect.ValueOf(f.Value)
	if fn.Kind() != reflect.Func {
		return nil, nil, fmt.Errorf("kernel %s cannot be called as a Go function here", f.Name)
	}
	t := fn.Type()
	if t.NumIn() != len(args) {
		return nil, nil, fmt.Errorf("kernel %s takes %d arguments, not %d", f.Name, t.NumIn(), len(args))
	}
	var lazies []*lazy.Array
	for _, a := range args {
		if a, ok := a.(*lazy.Array); ok {
			lazies = append(lazies, a)
		}
	}
	copies, back := lazy.Wiring{}.HostCopies(lazies)
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		want := t.In(i)
		if _, ok := a.(*lazy.Array); ok {
			if in[i], err = sliceOf(copies[0], want); err != nil {
				return nil, nil, fmt.Errorf("kernel %s, argument %d: %w", f.Name, i+1, err)
			}
			copies = copies[1:]
			continue
		}
		if a, ok := a.(*arrays.Array); ok { // what a kernel writes to it is lost: Launch says so
			if in[i], err = sliceOf(a.Copy(), want); err != nil {
				return nil, nil, fmt.Errorf("kernel %s, argument %d: %w", f.Name, i+1, err)
			}
			continue
		}
		v := reflect.ValueOf(a)
		if !v.IsValid() || !v.CanConvert(want) || v.Kind() == reflect.Slice != (want.Kind() == reflect.Slice) {
			return nil, nil, fmt.Errorf("kernel %s, argument %d: %s wanted, not a %T", f.Name, i+1, want, a)
		}
		if t, ok := scalarKinds[want.Kind()]; ok { // what a launch refuses
			if _, err := gosrc.ScalarBits(t, a); err != nil {
				return nil, nil, fmt.Errorf("kernel %s, argument %d: %w", f.Name, i+1, err)
			}
		}
		if in[i] = v.Convert(want); want.Kind() == reflect.Slice { // a launch copies no more of it, and cap(x) is len(x)
			in[i] = in[i].Slice3(0, v.Len(), v.Len())
		}
	}
	return func() { fn.Call(in) }, back, nil
}

var scalarKinds = map[reflect.Kind]kir.Type{
	reflect.Int: kir.I64, reflect.Int8: kir.I8, reflect.Int16: kir.I16, reflect.Int32: kir.I32, reflect.Int64: kir.I64,
	reflect.Uint: kir.U64, reflect.Uint8: kir.U8, reflect.Uint16: kir.U16, reflect.Uint32: kir.U32, reflect.Uint64: kir.U64,
	reflect.Float32: kir.F32, reflect.Float64: kir.F64,
}

// sliceOf returns a's elements, which are contiguous, as a slice of type t. It shares their memory.
func sliceOf(a *arrays.Array, t reflect.Type) (reflect.Value, error) {
	if t.Kind() != reflect.Slice || t.Elem().Kind().String() != a.DType().String() && !(t.Elem().Kind() == reflect.Int && a.DType().String() == "int64") {
		return reflect.Value{}, fmt.Errorf("%s wanted, not an array of %s", t, a.DType())
	}
	return reflect.SliceAt(t.Elem(), unsafe.Pointer(unsafe.SliceData(a.Bytes())), a.Size()).Convert(t), nil
}
