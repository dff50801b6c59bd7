package ixgo

import (
	"go/types"
	"reflect"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/internal/goerror"
	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// mendTypeAssert: ixgo lets x.(T) succeed where the value can be assigned to T, so that a []int is a named slice, and a
// chan int one that only receives. Go asks for the type itself. The error of an assertion that fails is Go's own.
func mendTypeAssert(f compiled, instr ssa.Instruction, run instruction) instruction {
	in, ok := instr.(*ssa.TypeAssert)
	if !ok {
		return nil
	}
	known := *unexported.At[map[types.Type]reflect.Type](unsafe.Pointer(*unexported.At[*ixgo.Interp](f.p, funcInterp)), interpTypes)
	typ := known[in.AssertedType]
	if typ == nil {
		return nil // ixgo makes it when it runs
	}
	from := known[in.X.Type()]
	if from == nil {
		from = reflect.TypeFor[any]()
	}
	if checksReceiver(in) {
		x := f.register(in.X)
		return func(fr *ixgo.Frame) {
			if registers(fr)[x] == nil {
				panic(goerror.Nil)
			}
		}
	}
	x, result, zero := f.register(in.X), f.register(in), reflect.Zero(typ).Interface()
	var last atomic.Pointer[implemented]
	holds := func(v any) bool { return v != nil && reflect.TypeOf(v) == typ }
	if typ.Kind() == reflect.Interface {
		typ := implementable(typ, in.AssertedType)
		holds = func(v any) bool {
			t := reflect.TypeOf(v)
			if t == nil {
				return false
			}
			m := last.Load()
			if m == nil || m.typ != t {
				m = &implemented{t, t.Implements(typ)}
				last.Store(m)
			}
			return m.yes
		}
	}
	return func(fr *ixgo.Frame) {
		r := registers(fr)
		v := r[x]
		ok := holds(v)
		switch {
		case in.CommaOk && ok:
			r[result] = ixgo.Tuple{v, true}
		case in.CommaOk:
			r[result] = ixgo.Tuple{zero, false}
		case ok:
			r[result] = v
		default:
			panic(goerror.Assertion(from, reflect.TypeOf(v), typ))
		}
	}
}

// checksReceiver reports whether in is not an assertion of the code: go/ssa makes one, whose result nobody uses, where
// a method value x.M is made of an interface. Go loads the method there, which is another panic for nil. The place is
// that of M, or none in a generic function.
func checksReceiver(in *ssa.TypeAssert) bool {
	if in.CommaOk || len(*in.Referrers()) > 0 {
		return false
	}
	if !in.Pos().IsValid() {
		return true
	}
	rest := in.Block().Instrs
	for _, next := range rest[slices.Index(rest, ssa.Instruction(in))+1:] {
		if c, ok := next.(*ssa.MakeClosure); ok {
			return c.Pos() == in.Pos()
		}
	}
	return false
}

// implemented is whether the values of a type have the methods of an interface.
type implemented struct {
	typ reflect.Type
	yes bool
}
