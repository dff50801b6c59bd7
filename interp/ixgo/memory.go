package ixgo

import (
	"fmt"
	"go/types"
	"reflect"
	"runtime"
	"unsafe"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// Instructions that make something large ask the session before. Each costs a few loads more; what is small is not
// asked for.

// sizes are those of this machine.
var sizes = types.SizesFor("gc", runtime.GOARCH)

// mendMemory returns an instruction that asks, nil where nothing large can be made.
func (e *Engine) mendMemory(f compiled, instr ssa.Instruction, run instruction) instruction {
	allow := e.hooks.Allow
	switch in := instr.(type) {
	case *ssa.Alloc:
		t := in.Type().Underlying().(*types.Pointer).Elem()
		if n := sizes.Sizeof(t); in.Heap && n >= engine.LargeAllocation {
			what := "a variable of type " + typeText(t)
			// how go/ssa makes one of constant size
			if a, ok := t.Underlying().(*types.Array); ok && in.Comment == "makeslice" {
				what = fmt.Sprintf("make([]%s, %d)", typeText(a.Elem()), a.Len())
			}
			return func(fr *ixgo.Frame) {
				allow(func() string { return what }, n, 1)
				run(fr)
			}
		}
	case *ssa.MakeSlice:
		elem := sizes.Sizeof(in.Type().Underlying().(*types.Slice).Elem())
		n := f.register(in.Cap)
		return func(fr *ixgo.Frame) {
			if n := integer(registers(fr)[n]); n*elem >= engine.LargeAllocation || n >= engine.LargeAllocation {
				allow(func() string { return fmt.Sprintf("make(%s, %d)", typeText(in.Type()), n) }, n, elem)
			}
			run(fr)
		}
	case *ssa.MakeChan:
		elem := sizes.Sizeof(in.Type().Underlying().(*types.Chan).Elem())
		n := f.register(in.Size)
		return func(fr *ixgo.Frame) {
			if n := integer(registers(fr)[n]); n >= engine.LargeAllocation {
				allow(func() string { return fmt.Sprintf("make(%s, %d)", typeText(in.Type()), n) }, n, elem)
			}
			run(fr)
		}
	case *ssa.MakeMap:
		if in.Reserve == nil {
			return nil
		}
		t := in.Type().Underlying().(*types.Map)
		entry := sizes.Sizeof(t.Key()) + sizes.Sizeof(t.Elem()) + 1
		n := f.register(in.Reserve)
		return func(fr *ixgo.Frame) {
			if n := integer(registers(fr)[n]); n >= engine.LargeAllocation/16 {
				allow(func() string { return fmt.Sprintf("make(%s, %d)", typeText(in.Type()), n) }, n, entry)
			}
			run(fr)
		}
	case *ssa.BinOp:
		if b, ok := in.Type().Underlying().(*types.Basic); !ok || b.Info()&types.IsString == 0 {
			return nil
		}
		x, y := f.register(in.X), f.register(in.Y)
		return func(fr *ixgo.Frame) {
			r := registers(fr)
			if n := length(&r[x]) + length(&r[y]); n >= engine.LargeAllocation {
				allow(func() string { return fmt.Sprintf("a string of %d bytes", n) }, n, 1)
			}
			run(fr)
		}
	case *ssa.Call:
		if builtin(in, "append") == nil || len(in.Call.Args) < 2 {
			return nil
		}
		elem := sizes.Sizeof(in.Type().Underlying().(*types.Slice).Elem())
		to, what := f.register(in.Call.Args[0]), f.register(in.Call.Args[1])
		return func(fr *ixgo.Frame) {
			r := registers(fr)
			n, have := length(&r[to])+length(&r[what]), capacity(&r[to])
			if n > have && n*elem >= engine.LargeAllocation {
				room := max(n, have+have/4) // as the runtime makes it
				allow(func() string { return fmt.Sprintf("append: a %s with room for %d", typeText(in.Type()), room) }, room, elem)
			}
			run(fr)
		}
	}
	return nil
}

// length and capacity are the second and the third word of a slice in a register; a string has two.
func length(v *any) int64   { return word(v, 1) }
func capacity(v *any) int64 { return word(v, 2) }

// word is a word of what a register points to, 0 where words are too short for what is large.
func word(v *any, i uintptr) int64 {
	p := pointerOf(v)
	if p == nil || unsafe.Sizeof(uintptr(0)) != 8 {
		return 0
	}
	return *(*int64)(unsafe.Add(p, 8*i))
}

// integer is the value of an integer of any type.
func integer(v any) int64 {
	if n, ok := v.(int); ok {
		return int64(n)
	}
	switch rv := reflect.ValueOf(v); {
	case rv.CanInt():
		return rv.Int()
	case rv.CanUint():
		return int64(rv.Uint())
	}
	return 0
}

// typeText is a type as a cell writes it.
func typeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == engine.CellPath {
			return ""
		}
		return p.Name()
	})
}
