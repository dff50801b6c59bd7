package ixgo

import (
	"reflect"
	"runtime"
	"sync"
	"unsafe"
	"weak"

	"github.com/goplus/ixgo"
	"github.com/visualfc/funcval"
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
	"github.com/arrayrepl/arrayrepl/interp/tier"
)

// A function value of ixgo is made by reflect.MakeFunc of a closure, which knows the function and what it has captured.
// Its type is not exported, so its fields are read here as ixgo's own dynamic calls read them (makeFuncVal); madeBy
// tells such closures from those that others give to MakeFunc.

// madeFunc is the closure that ixgo gives to reflect.MakeFunc.
type madeFunc struct {
	entry  uintptr
	interp *ixgo.Interp
	fn     unsafe.Pointer // as compiled.p
	typ    reflect.Type
	env    []any
}

// madeBy is the entry of all madeFuncs, 0 when this version of ixgo has others.
var madeBy uintptr

// findMadeBy learns madeBy from the entry function of a program.
func findMadeBy(i *ixgo.Interp, entry string) {
	findMadeByOnce.Do(func() {
		fn := i.MainPkg().Func(entry)
		f, ok := i.GetFunc(entry)
		compiled := functions(i).MapIndex(reflect.ValueOf(fn))
		if !ok || !funcval.IsSupport || !compiled.IsValid() {
			return
		}
		fv, n := funcval.Get(f)
		if n != 1 {
			return
		}
		if c := (*madeFunc)(unsafe.Pointer(fv)); c.interp == i && c.fn == compiled.UnsafePointer() {
			madeBy = c.entry
		}
	})
}

var findMadeByOnce sync.Once

// madeOf returns the closure of a function value, nil when it is none of ixgo's.
func madeOf(f unsafe.Pointer) *madeFunc {
	fv, n := funcval.Get(funcAt(f))
	if n != 1 || fv.Fn != madeBy {
		return nil
	}
	return (*madeFunc)(unsafe.Pointer(fv))
}

// funcAt is an any of some function type with the value f.
func funcAt(f unsafe.Pointer) (v any) {
	v = noFunc
	(*[2]unsafe.Pointer)(unsafe.Pointer(&v))[1] = f
	return v
}

var noFunc any = func() {}

// Callee implements tier.Engine.
func (t *tierEngine) Callee(f unsafe.Pointer) (key uintptr, captured []any) {
	if c := madeOf(f); c != nil {
		return uintptr(c.fn), c.env
	}
	return *(*uintptr)(f), nil
}

// Target implements tier.Engine.
func (t *tierEngine) Target(f unsafe.Pointer) (*tier.Program, *ssa.Function, any) {
	c := madeOf(f)
	if c == nil {
		return nil, nil, nil
	}
	of := t.all.tiers.of(c.interp)
	if of == nil {
		return nil, nil, c.fn
	}
	return of.prog, *unexported.At[*ssa.Function](c.fn, funcFn), c.fn
}

// Deferred implements tier.Engine.
func (t *tierEngine) Deferred(fr tier.Frame) bool {
	return *unexported.At[uint64](fr, frameDeferID) != 0
}

// Entered implements tier.Engine.
func (t *tierEngine) Entered(fr tier.Frame) { t.all.entered().push((*ixgo.Frame)(fr)) }

// Exited implements tier.Engine.
func (t *tierEngine) Exited() { t.all.entered().pop() }

// Left implements tier.Engine.
func (t *tierEngine) Left(v any, fr tier.Frame) { t.all.leftCallback(v, (*ixgo.Frame)(fr)) }

// tierTable finds the numeric tier of a program that a function value belongs to. It keeps none, and is not part of the
// engine: what a cleanup holds lives for ever when it leads to what is to be cleaned up.
type tierTable struct{ m sync.Map } // weak.Pointer[tierEngine] by the address of the ixgo.Interp

func (tt *tierTable) add(t *tierEngine) {
	key := uintptr(unsafe.Pointer(t.i))
	tt.m.Store(key, weak.Make(t))
	runtime.AddCleanup(t.i, func(key uintptr) { tt.m.Delete(key) }, key)
}

func (tt *tierTable) of(i *ixgo.Interp) *tierEngine {
	if w, ok := tt.m.Load(uintptr(unsafe.Pointer(i))); ok {
		if t := w.(weak.Pointer[tierEngine]).Value(); t != nil && t.i == i {
			return t
		}
	}
	return nil
}
