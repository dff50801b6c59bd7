package gpu

import (
	"fmt"
	"reflect"

	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// goCall returns a call of the function itself with the arguments of a launch, and what gives lazy arrays the elements that
// the function has written.
func goCall(f *gosrc.Func, args []any) (call, back func(), err error) {
	fn := reflect.ValueOf(f.Value)
	if fn.Kind() != reflect.Func {
		return nil, nil, fmt.Errorf("kernel %s cannot be called as a Go function here", f.Name)
	}
	t := fn.Type()
	if t.NumIn() != len(args) {
		return nil, nil, fmt.Errorf("kernel %s takes %d arguments, not %d", f.Name, t.NumIn(), len(args))
	}
	in := make([]reflect.Value, len(args))
	var backs []func()
	for i, a := range args {
		want := t.In(i)
		switch a := a.(type) {
		case *lazy.Array:
			s, err := sliceOf(a, want)
			if err != nil {
				return nil, nil, fmt.Errorf("kernel %s, argument %d: %w", f.Name, i+1, err)
			}
			in[i] = s
			backs = append(backs, func() { a.Set(lazy.FromSlice(s.Interface(), a.Shape()...)) })
			continue
		}
		v := reflect.ValueOf(a)
		if !v.IsValid() || !v.CanConvert(want) || v.Kind() == reflect.Slice != (want.Kind() == reflect.Slice) {
			return nil, nil, fmt.Errorf("kernel %s, argument %d: %s wanted, not a %T", f.Name, i+1, want, a)
		}
		in[i] = v.Convert(want)
	}
	return func() { fn.Call(in) }, func() {
		for _, b := range backs {
			b()
		}
	}, nil
}

// sliceOf returns a copy of a's elements as a slice of type t.
func sliceOf(a *lazy.Array, t reflect.Type) (reflect.Value, error) {
	e := a.Array().Copy()
	if t.Kind() != reflect.Slice || t.Elem().Kind().String() != e.DType().String() && !(t.Elem().Kind() == reflect.Int && e.DType().String() == "int64") {
		return reflect.Value{}, fmt.Errorf("%s wanted, not an array of %s", t, e.DType())
	}
	s := reflect.MakeSlice(t, e.Size(), e.Size())
	copyBytes(s, e.Bytes())
	return s, nil
}
