package interp

import (
	"go/types"
	"reflect"
	"unsafe"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"
)

// Each program makes the run-time types of some unnamed types anew: of structs that embed fields, of interfaces, and of what
// is made of them. Their values are alike, but in an interface a value of an earlier cell must have the type that a later
// one means. So the first run-time type of each is kept, and what becomes an interface gets that one.

// remade reports whether each program makes the run-time type of t anew.
func remade(t types.Type) bool {
	switch t := t.(type) {
	case *types.Alias:
		return remade(types.Unalias(t))
	case *types.Map:
		return remade(t.Key()) || remade(t.Elem())
	case interface{ Elem() types.Type }:
		return remade(t.Elem())
	case *types.Signature:
		for _, vars := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range vars.Variables() {
				if remade(v.Type()) {
					return true
				}
			}
		}
	case *types.Interface:
		return t.NumMethods() > 0
	case *types.Struct:
		blank := 0
		for f := range t.Fields() {
			if f.Name() == "_" {
				blank++
			}
			if f.Embedded() || blank > 1 || remade(f.Type()) {
				return true
			}
		}
	}
	return false
}

// first returns the first run-time type of an unnamed type, which is rt when there was none; nil for a type whose run-time
// types are not made anew.
func (c *typeCache) first(t types.Type, rt reflect.Type) reflect.Type {
	if !remade(t) {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if first := c.unnamed.At(t); first != nil {
		return first.(reflect.Type)
	}
	if rt != nil {
		c.unnamed.Set(t, rt)
	}
	return rt
}

// retyped is the value of an interface with another type of the same layout.
func retyped(v any, t unsafe.Pointer) any {
	(*[2]unsafe.Pointer)(unsafe.Pointer(&v))[0] = t
	return v
}

// mendMakeInterface gives values of unnamed types that are made anew the first run-time type.
func (e *ixgoEngine) mendMakeInterface(f compiled, instr ssa.Instruction, run instruction) instruction {
	in, ok := instr.(*ssa.MakeInterface)
	if !ok {
		return nil
	}
	first := e.loader.first(in.X.Type(), nil)
	if first == nil {
		return nil
	}
	typ, result := unsafe.Pointer(headOf(first)), f.register(in)
	return func(fr *ixgo.Frame) {
		run(fr)
		r := registers(fr)
		if r[result] != nil {
			r[result] = retyped(r[result], typ)
		}
	}
}
