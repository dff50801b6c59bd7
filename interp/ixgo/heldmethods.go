package ixgo

import (
	"fmt"
	"go/types"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/goplus/ixgo"

	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// heldMethods are the methods of the types that one program declares. The runtime never forgets what it calls for a
// method of a run-time type (reflect.addReflectOff), and a method leads to its program, the variables of that and their
// values. So the runtime gets functions that know the methods by weak pointers: the methods themselves are held until
// the engine is closed, and by the program as long as something of it runs.
type heldMethods struct {
	engine *Engine
	interp *ixgo.Interp
	whole  atomic.Bool // the program is compiled: nothing is added to its types and functions any more
	mu     sync.Mutex
	all    []*heldMethod
}

type heldMethod struct {
	of   *types.Func
	call func(args []reflect.Value) []reflect.Value
}

// openMethods are the methods of all engines that are not closed, also of those that nobody refers to: a value of a
// cell's type that has outlived its session keeps its methods.
var openMethods = struct {
	sync.Mutex
	of map[*Engine][]*heldMethods
}{of: map[*Engine][]*heldMethods{}}

// heldBy is the name of the global variable of a program that holds its methods; no variable of Go has such a name.
const heldBy = "the program's methods"

// methodsOf returns where the record of types looks for the methods of the program that i runs.
func (e *Engine) methodsOf(i *ixgo.Interp) *heldMethods {
	return &heldMethods{engine: e, interp: i}
}

// hold holds m, and with it the program.
func (h *heldMethods) hold(m *heldMethod) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all = append(h.all, m); len(h.all) > 1 {
		return
	}
	(*unexported.At[map[string]any](unsafe.Pointer(h.interp), interpGlobals))[heldBy] = h
	openMethods.Lock()
	defer openMethods.Unlock()
	openMethods.of[h.engine] = append(openMethods.of[h.engine], h)
}

// letMethodsGo has nothing but what still runs hold the methods of the engine's programs.
func (e *Engine) letMethodsGo() {
	openMethods.Lock()
	defer openMethods.Unlock()
	delete(openMethods.of, e)
}

// FindMethod implements ixgo.FindMethod.
func (h *heldMethods) FindMethod(t reflect.Type, fn *types.Func) func(args []reflect.Value) []reflect.Value {
	m := &heldMethod{fn, h.interp.FindMethod(t, fn)}
	h.hold(m)
	held, name := weak.Make(m), fn.FullName()
	return func(args []reflect.Value) []reflect.Value {
		m := held.Value()
		if m == nil {
			panic(fmt.Sprintf("%s is called after its session was closed", name))
		}
		return m.call(args)
	}
}
