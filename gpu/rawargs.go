package gpu

import (
	"errors"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// rawCall matches the arguments of a launch with the parameters of a kernel in PTX.
func (l *launch) rawCall() (*kernelcall.Call[lazy.Array], error) {
	k := l.f.raw
	if len(l.args) != len(k.params) {
		return nil, fmt.Errorf("kernel %s takes %d arguments, not %d: %s", k.f.Name, len(k.params), len(l.args), k.signature())
	}
	dynamic := false
	for _, a := range k.f.Shared {
		dynamic = dynamic || a.Len == 0
	}
	if l.option.shared > 0 && !dynamic {
		return nil, fmt.Errorf("kernel %s has no dynamic shared memory (extern __shared__), for which the launch has %d bytes", k.f.Name, l.option.shared)
	}
	c := &kernelcall.Call[lazy.Array]{Name: k.f.Name, Func: l.option.with(k.f), Grid: l.grid, Block: l.block, SharedBytes: l.option.shared, Anyway: l.option.anyway, On: l.option.on}
	for i := range k.params {
		p := &k.params[i]
		a, err := p.bind(l.args[i])
		if err != nil {
			return nil, fmt.Errorf("kernel %s, parameter %d (%v): %w", k.f.Name, i+1, p, err)
		}
		c.Args = append(c.Args, a)
	}
	return c, nil
}

// bind returns what a launch passes for v.
func (p *rawParam) bind(v any) (kernelcall.Arg[lazy.Array], error) {
	if p.p.Type == kir.Void {
		raw, err := structBytes(v, p.p.Size)
		return kernelcall.Arg[lazy.Array]{Raw: raw}, err
	}
	a, isPointer, err := p.bindPointer(v)
	switch {
	case err != nil:
		return a, err
	case isPointer && !p.pointer && !p.maybe:
		return a, fmt.Errorf("it is a number, the argument is %s", describe(v))
	case isPointer:
		return a, nil
	case p.pointer:
		return a, fmt.Errorf("it is a pointer: give it an array or a slice, not %s", describe(v))
	}
	bits, err := numberBits(p.p.Type, v)
	return kernelcall.Arg[lazy.Array]{Bits: bits}, err
}

// bindPointer passes what has memory; ok is false for other arguments.
func (p *rawParam) bindPointer(v any) (a kernelcall.Arg[lazy.Array], ok bool, err error) {
	nilArray := errors.New("the argument is a nil array; was it never assigned?")
	switch v := v.(type) {
	case nil: // a null pointer
		return a, p.pointer || p.maybe, nil
	case *lazy.Array:
		if v == nil {
			return a, true, nilArray
		}
		return kernelcall.Arg[lazy.Array]{Array: v, Writes: p.writes}, true, p.fitsDType(v.DType())
	case *Buffer:
		if v == nil {
			return a, true, errors.New("the argument is a nil buffer; was it never assigned?")
		}
		if err := p.fitsDType(v.dtype); err != nil {
			return a, true, err
		}
		a.Memory, a.Writes = v, p.writes
		a.Bits, err = v.address()
		return a, true, err
	case *arrays.Array:
		switch {
		case v == nil:
			return a, true, nilArray
		case p.writes:
			return a, true, errors.New("the kernel writes to it, an eager array: give it a lazy one, np.FromArray, or a slice")
		}
		return kernelcall.Arg[lazy.Array]{Array: lazy.FromArray(v)}, true, p.fitsDType(v.DType())
	}
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Slice {
		return a, false, nil
	}
	elem := r.Type().Elem()
	if !flat(elem) {
		return a, true, fmt.Errorf("the argument is a %T: only numbers, bools, and arrays and structs of them can be passed", v)
	}
	if err := p.fitsType(elem); err != nil {
		return a, true, err
	}
	if n := r.Len() * int(elem.Size()); n > 0 {
		a.Bytes, a.Writes = unsafe.Slice((*byte)(r.UnsafePointer()), n), p.writes
	}
	return a, true, nil
}

// fits says why a kernel that accesses memory as p does cannot be given elements of a size and name. Bytes may be
// anything; floats are accessed as integers of their size too, by atomics and copies, but not integers as floats.
func (p *rawParam) fits(isFloat bool, size int, name string) error {
	if size == 1 || len(p.elems) == 0 {
		return nil
	}
	for _, t := range p.elems {
		if t.Bytes() == size && (isFloat || !t.IsFloat()) {
			return nil
		}
	}
	return fmt.Errorf("the kernel accesses elements of type %v there, those of the argument are %s", p.elems[0], name)
}

// fitsDType is fits for the elements of an array; complex numbers are pairs.
func (p *rawParam) fitsDType(d arrays.DType) error {
	if d.Kind() == arrays.KindComplex {
		return p.fits(true, d.Size()/2, d.String())
	}
	return p.fits(d.Kind() == arrays.KindFloat, d.Size(), d.String())
}

// fitsType is fits for the elements of a slice; structs may be anything.
func (p *rawParam) fitsType(t reflect.Type) error {
	switch t.Kind() {
	case reflect.Struct:
		return nil
	case reflect.Array:
		return p.fitsType(t.Elem())
	case reflect.Complex64, reflect.Complex128:
		return p.fits(true, int(t.Size())/2, t.String())
	}
	return p.fits(t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64, int(t.Size()), t.String())
}

// numberBits returns a number's bits. PTX does not tell whether an integer has a sign, and has bools in bytes.
func numberBits(t kir.Type, v any) (uint64, error) {
	if b, ok := v.(bool); ok && t.Bytes() == 1 {
		if b {
			return 1, nil
		}
		return 0, nil
	}
	signed, unsigned := map[int]kir.Type{1: kir.I8, 2: kir.I16, 4: kir.I32, 8: kir.I64}, map[int]kir.Type{1: kir.U8, 2: kir.U16, 4: kir.U32, 8: kir.U64}
	if t.IsFloat() || t == kir.Bool {
		return gosrc.ScalarBits(t, v)
	}
	bits, err := gosrc.ScalarBits(signed[t.Bytes()], v)
	if err != nil {
		return gosrc.ScalarBits(unsigned[t.Bytes()], v)
	}
	return bits, nil
}

// structBytes returns the memory of a Go struct or array, which C lays out alike.
func structBytes(v any, size int) ([]byte, error) {
	r := reflect.ValueOf(v)
	if !r.IsValid() || r.Kind() != reflect.Struct && r.Kind() != reflect.Array || !flat(r.Type()) {
		return nil, fmt.Errorf("give it a struct or an array of numbers, not %s", describe(v))
	}
	if n := int(r.Type().Size()); n != size {
		return nil, fmt.Errorf("a %T has %d bytes", v, n)
	}
	c := reflect.New(r.Type())
	c.Elem().Set(r)
	return append([]byte(nil), unsafe.Slice((*byte)(c.UnsafePointer()), size)...), nil
}

// flat reports whether values of a type are their memory: there is no pointer in it.
func flat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return flat(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !flat(t.Field(i).Type) {
				return false
			}
		}
		return true
	}
	return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Complex128
}

func describe(v any) string {
	if v == nil {
		return "nil"
	}
	if r := reflect.ValueOf(v); r.CanInt() || r.CanUint() || r.CanFloat() {
		return fmt.Sprintf("the number %v", v)
	}
	return fmt.Sprintf("a %T", v)
}
