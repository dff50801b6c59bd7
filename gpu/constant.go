package gpu

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// Const puts the variable of a package that table points to into constant memory and gives it a value: that of its
// type, or of an array the elements, as a slice or as an array of numbers; those that are left out are 0. From then on
// kernels read the variable through the cache of constant memory, where the lanes of a warp that want one word are
// served together and others one after the other. It is CUDA's __constant__ and cudaMemcpyToSymbol.
//
// The variable is one that kernels use, as [Variable] says: each device has a copy, what the program assigns reaches
// all before their next launch. A launch of a kernel that writes to it is an error. Constant memory has 64 KB for the
// tables of a kernel. It panics with *Error when the variable is larger, or the values do not fit.
//
// For example:
//
//	var weights [256]float32 // of a cell
//	gpu.Const(&weights, []float32{0.25, 0.5, 0.25})
//	gpu.Launch(blur, gpu.Blocks(n, 256), 256, in, out) // reads weights[k]
func Const(table, values any) {
	v, err := variableOf(table, "", lazy.Runtime().InUse())
	if err == nil && len(v.host) > kir.MaxConst {
		err = fmt.Errorf("gpu.Const: constant memory has %d bytes, %s takes %d%s: leave it a variable of the device, or pass a slice to the kernel", kir.MaxConst, nameOf(table), len(v.host), usedBy(table))
	}
	var b []byte
	if err == nil {
		if b, err = constantBytes(v.typ, values); err != nil {
			err = fmt.Errorf("gpu.Const, %s: %w", nameOf(table), err)
		}
	}
	if err != nil {
		panic(&Error{Err: err})
	}
	v.v.mu.Lock()
	defer v.v.mu.Unlock()
	v.v.constant = true
	copy(v.host, b)
	v.v.seen = nil // it is for all devices, also where the program has the same already
	v.v.follow(v.host)
}

// constantBytes returns values as the memory of a variable of type t.
func constantBytes(t reflect.Type, values any) ([]byte, error) {
	if b, ok := values.(interface{ Unboxed() any }); ok {
		values = b.Unboxed()
	}
	r := reflect.New(t)
	fits := func(dtype arrays.DType, n int) error {
		elem, length := t, 1
		for elem.Kind() == reflect.Array {
			length *= elem.Len()
			elem = elem.Elem()
		}
		if want := dtypeName(elem); want != dtype.String() {
			return fmt.Errorf("a table of %v cannot have elements of %s: AsType converts them", t, dtype)
		}
		if n > length {
			return fmt.Errorf("there are %d elements for a table of %d", n, length)
		}
		return nil
	}
	if a, ok := values.(*lazy.Array); ok && a != nil {
		values = a.Array()
	}
	if a, ok := values.(*arrays.Array); ok && a != nil {
		if err := fits(a.DType(), a.Size()); err != nil {
			return nil, err
		}
		copy(memoryOf(r), a.Copy().Bytes())
		return memoryOf(r), nil
	}
	x := reflect.ValueOf(values)
	switch {
	case !x.IsValid():
		return nil, errors.New("there are no values: nil")
	case x.Type() == t:
		r.Elem().Set(x)
	case x.Kind() == reflect.Slice && t.Kind() == reflect.Array && x.Type().Elem() == t.Elem():
		if x.Len() > t.Len() {
			return nil, fmt.Errorf("there are %d elements for a table of %d", x.Len(), t.Len())
		}
		if x.Len() > 0 {
			copy(memoryOf(r), unsafe.Slice((*byte)(x.UnsafePointer()), x.Len()*int(t.Elem().Size())))
		}
	case isNumber(t) && isNumber(x.Type()):
		y := x.Convert(t)
		if isFloat(t) || y.Convert(x.Type()).Equal(x) && (x.CanInt() && x.Int() < 0) == (y.CanInt() && y.Int() < 0) {
			r.Elem().Set(y)
			break
		}
		return nil, fmt.Errorf("%v does not fit into a %v", values, t)
	default:
		return nil, fmt.Errorf("a table of type %v cannot have %s as its values", t, describe(values))
	}
	return memoryOf(r), nil
}

// dtypeName is the name of the dtype that numbers of a Go type have.
func dtypeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "int64"
	case reflect.Uint:
		return "uint64"
	}
	return t.Kind().String()
}

func isNumber(t reflect.Type) bool {
	return isFloat(t) || t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64
}

func isFloat(t reflect.Type) bool { return t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64 }

// constants returns the kernel of a launch with the variables that are in constant memory there.
func (l *launch) constants(k *gosrc.Kernel, of []gosrc.Variable) (*kir.Func, error) {
	if len(of) == 0 {
		return k.Func, nil
	}
	key := ""
	for _, x := range of {
		key += fmt.Sprintln(x.First)
	}
	f, err := k.Variant(key, func(f *kir.Func) (*kir.Func, error) {
		for _, x := range of {
			var err error
			if f, err = opt.Constant(f, x.First, x.Bytes, x.Name); err != nil {
				return nil, notConstant(x.Name, err)
			}
		}
		return f, nil
	})
	if err != nil {
		return nil, fmt.Errorf("kernel %s: %w", l.f.name(), err)
	}
	if n := f.ConstBytes(); n > kir.MaxConst {
		var tables []string
		for _, x := range of {
			tables = append(tables, fmt.Sprintf("%s of %d", x.Name, x.Bytes))
		}
		return nil, fmt.Errorf("kernel %s: its tables in constant memory take %d bytes, which has %d: %s", l.f.name(), n, kir.MaxConst, strings.Join(tables, ", "))
	}
	return f, nil
}

// notConstant says in Go's words why a variable cannot be in constant memory.
func notConstant(name string, err error) error {
	var e *opt.ConstantError
	if !errors.As(err, &e) {
		return err
	}
	at := ""
	if e.At.Pos != (kir.Pos{}) {
		at = e.At.Pos.String() + ": "
	}
	return fmt.Errorf("%sgpu.Const has put the variable %s into constant memory: %w", at, name, err)
}
