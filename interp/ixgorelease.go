package interp

import (
	"errors"
	"go/types"
	"reflect"
	"sync"
	"unsafe"

	"github.com/goplus/ixgo"
	"github.com/goplus/reflectx"
	"golang.org/x/tools/go/ssa"
)

// The methods of a run-time type are never freed: the Go runtime keeps what their entries point to (reflect.addReflectOff),
// and that is a closure of ixgo's which knows the method, and by it the program, its variables and their values. When a
// session is reset or closed, the methods are emptied: what is left of a program is some hundred bytes a method.

// heldMethods are the methods of a program that has made run-time types.
type heldMethods struct {
	slots *reflectx.Context
	funcs []unsafe.Pointer // as compiled.p
}

// heldBy collects the methods that i has compiled.
func heldBy(i *ixgo.Interp) heldMethods {
	h := heldMethods{slots: *at[*reflectx.Context](unsafe.Pointer(i), interpSlots)}
	for it := functions(i).MapRange(); it.Next(); {
		if p := it.Value().UnsafePointer(); (*at[*ssa.Function](p, funcFn)).Signature.Recv() != nil {
			h.funcs = append(h.funcs, p)
		}
	}
	return h
}

var errEmptied = errors.New("a method of a type that has been forgotten, by %reset or by the end of its session, was called")

// nothing is what emptied functions belong to: a program, and a function without a name.
var nothing = sync.OnceValues(func() (*ixgo.Interp, *ssa.Function) {
	i := new(ixgo.Interp)
	*at[*ixgo.Context](unsafe.Pointer(i), interpContext) = ixgo.NewContext(0)
	return i, &ssa.Function{Signature: types.NewSignatureType(nil, nil, nil, nil, nil, false)}
})

// empty makes the methods panic and know nothing. No goroutine of the session may be left.
func (h heldMethods) empty() {
	prog, fn := nothing()
	for _, p := range h.funcs {
		*at[*ixgo.Interp](p, funcInterp) = prog
		*at[*ssa.Function](p, funcFn) = fn
		*at[map[ssa.Value]uint32](p, funcIndex) = nil
		*at[map[ssa.Instruction][]uint32](p, funcMakes) = nil
		*at[[]func(*ixgo.Frame)](p, funcCode) = []func(*ixgo.Frame){func(*ixgo.Frame) { panic(errEmptied) }}
		*at[[]func(*ixgo.Frame)](p, funcRecover) = nil
		*at[[]int](p, funcBlocks) = nil
		*at[[]ssa.Instruction](p, funcInstrs) = nil
		*at[*ssa.BasicBlock](p, funcMain) = nil
		*at[*sync.Pool](p, funcPool) = nil
		*at[int32](p, funcCached) = 0
		*at[int32](p, funcUsed) = -1 << 31 // never cached again
		*at[[]any](p, funcStack) = make([]any, len(*at[[]any](p, funcStack)))
	}
}

var (
	interpSlots   = internalField[ixgo.Interp]("rctx", reflect.TypeFor[*reflectx.Context]())
	interpContext = internalField[ixgo.Interp]("ctx", reflect.TypeFor[*ixgo.Context]())
	funcMakes     = internalFieldOf(elem(frameFunc.typ), "instrIndex", reflect.TypeFor[map[ssa.Instruction][]uint32]())
	funcRecover   = internalFieldOf(elem(frameFunc.typ), "Recover", reflect.TypeFor[[]func(*ixgo.Frame)]())
	funcMain      = internalFieldOf(elem(frameFunc.typ), "Main", reflect.TypeFor[*ssa.BasicBlock]())
	funcPool      = internalFieldOf(elem(frameFunc.typ), "pool", reflect.TypeFor[*sync.Pool]())
	funcCached    = internalFieldOf(elem(frameFunc.typ), "cached", reflect.TypeFor[int32]())
	funcUsed      = internalFieldOf(elem(frameFunc.typ), "used", reflect.TypeFor[int32]())
)
