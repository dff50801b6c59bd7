package ixgo

import (
	"go/types"
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/goplus/ixgo"

	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// Compiled code calls a method of a cell's type by reflection, which takes several times as long as a small method. One
// that is called millions of times, as a policy is by a simulated machine, is called without.

// Method returns a function that calls the method of that name that v's type declares in a cell, with the receiver and
// the arguments, each of its parameter's type, and returns the result. It is nil where v's type is none of a cell, its
// session was closed, or the method has not v's type as its receiver or not one result. One goroutine may call it at a
// time, and not from within itself.
func Method(v any, name string) func(args []any) any {
	openMethods.Lock()
	defer openMethods.Unlock()
	for _, programs := range openMethods.of {
		for _, h := range programs {
			if !h.whole.Load() { // no value has a type of it yet
				continue
			}
			if call := h.method(reflect.TypeOf(v), name); call != nil {
				return call
			}
		}
	}
	return nil
}

func (h *heldMethods) method(of reflect.Type, name string) func(args []any) any {
	h.mu.Lock()
	defer h.mu.Unlock()
	known := *unexported.At[map[types.Type]reflect.Type](unsafe.Pointer(h.interp), interpTypes)
	for _, m := range h.all {
		if m.of.Name() != name || m.of.Signature().Results().Len() != 1 {
			continue
		}
		recv := m.of.Signature().Recv().Type()
		t := known[recv]
		if p, ok := recv.(*types.Pointer); ok {
			if t = known[p.Elem()]; t != nil {
				t = reflect.PointerTo(t)
			}
		}
		if t != of {
			continue
		}
		fn := h.interp.MainPkg().Prog.LookupMethod(recv, m.of.Pkg(), name)
		if f := functions(h.interp).MapIndex(reflect.ValueOf(fn)); f.IsValid() {
			return quick(h.interp, f.UnsafePointer())
		}
	}
	return nil
}

// quick calls a function of a program.
func quick(i *ixgo.Interp, f unsafe.Pointer) func(args []any) any {
	outermost := new(ixgo.Frame) // as no function of a cell is the caller
	deferred := unexported.At[int32](unsafe.Pointer(i), interpDeferCount)
	return func(args []any) any {
		caller := outermost
		if atomic.LoadInt32(deferred) != 0 {
			caller = deferringFrame(i)
		}
		return callFunction(i, caller, f, args, nil)
	}
}

// callFunction is how ixgo calls a function of a program.
//
//go:linkname callFunction github.com/goplus/ixgo.(*Interp).callFunction
func callFunction(i *ixgo.Interp, caller *ixgo.Frame, f unsafe.Pointer, args, env []any) any

// deferringFrame is the caller that ixgo gives a function which compiled code calls: the frame whose deferred functions
// run on this goroutine, or a new one.
//
//go:linkname deferringFrame github.com/goplus/ixgo.(*Interp).tryDeferFrame
func deferringFrame(i *ixgo.Interp) *ixgo.Frame
