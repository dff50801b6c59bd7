package ixgo

import (
	"go/types"
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"
)

// mendChangeType: ixgo v1.1.1 converts structs and arrays to others of the same layout as if an interface always held
// their address. It holds one that is a single pointer, struct{ m map[string]int } or [1]*int, by itself: the
// conversion would read what the pointer points to.
func mendChangeType(f compiled, instr ssa.Instruction, run instruction) instruction {
	in, ok := instr.(*ssa.ChangeType)
	if !ok || !f.holds(in.X) {
		return nil
	}
	switch in.Type().Underlying().(type) {
	case *types.Struct, *types.Array:
	default:
		return nil
	}
	if _, static := in.X.(*ssa.Const); static || !mayBeDirect(in.Type()) {
		return nil
	}
	x, result := f.register(in.X), f.register(in)
	var last atomic.Pointer[directType]
	return func(fr *ixgo.Frame) {
		r := registers(fr)
		v := r[x]
		d := last.Load()
		if t := reflect.TypeOf(v); d == nil || d.typ != t {
			d = &directType{t, isDirect(t)}
			last.Store(d)
		}
		if !d.yes {
			run(fr)
			return
		}
		word := pointerOf(&v)
		setPointer(&r[x], unsafe.Pointer(&word)) // of a value with an address, as ixgo wants it
		run(fr)
		r[x] = v
		setPointer(&r[result], *(*unsafe.Pointer)(pointerOf(&r[result])))
	}
}

// directType is whether an interface holds the values of a type by themselves.
type directType struct {
	typ reflect.Type
	yes bool
}

// setPointer sets the second word of an interface.
func setPointer(v *any, p unsafe.Pointer) { (*[2]unsafe.Pointer)(unsafe.Pointer(v))[1] = p }

// mayBeDirect reports whether values of a type may be a single pointer.
func mayBeDirect(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return u.Len() == 1 && mayBeDirect(u.Elem())
	case *types.Struct:
		direct := false
		for f := range u.Fields() {
			if isEmpty(f.Type()) {
				continue
			}
			if direct || !mayBeDirect(f.Type()) {
				return false
			}
			direct = true
		}
		return direct
	}
	return false
}

// isEmpty reports whether values of a type take no memory.
func isEmpty(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return u.Len() == 0 || isEmpty(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if !isEmpty(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}
