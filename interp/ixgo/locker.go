package ixgo

import (
	"go/types"
	"reflect"
	"sync"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/internal/syncstate"
)

// mendLocker lets calls of a sync.Locker's methods, in go and defer statements too, be those that cells make of the
// mutex in it.
func (e *Engine) mendLocker(f compiled, instr ssa.Instruction, run instruction) instruction {
	in, ok := instr.(ssa.CallInstruction)
	if !ok {
		return nil
	}
	call := in.Common()
	if !call.IsInvoke() || call.Signature().Params().Len()+call.Signature().Results().Len() > 0 {
		return nil
	}
	name := call.Method.Name()
	switch name {
	case "Lock", "Unlock", "RLock", "RUnlock":
	default:
		return nil
	}
	recv := f.register(call.Value)
	if _, now := instr.(*ssa.Call); now {
		return func(fr *ixgo.Frame) {
			if do := e.lockerCall(registers(fr)[recv], name); do != nil {
				do()
			} else {
				run(fr)
			}
		}
	}
	return func(fr *ixgo.Frame) {
		r := registers(fr)
		do := e.lockerCall(r[recv], name)
		if do == nil {
			run(fr)
			return
		}
		before := r[recv]
		defer func() { r[recv] = before }()
		r[recv] = &laterLocker{do}
		run(fr)
	}
}

// laterLocker stands for the mutex of a call in a go or defer statement.
type laterLocker struct{ do func() }

func (d *laterLocker) Lock()    { d.do() }
func (d *laterLocker) Unlock()  { d.do() }
func (d *laterLocker) RLock()   { d.do() }
func (d *laterLocker) RUnlock() { d.do() }

// lockerCall returns the call of a method of a mutex, nil for other values.
func (e *Engine) lockerCall(v any, name string) func() {
	switch m, name := e.MutexOf(v, name); m := m.(type) {
	case *sync.Mutex:
		if do, ok := e.hooks.Externals["(*sync.Mutex)."+name].(func(*sync.Mutex)); ok {
			return func() { do(m) }
		}
	case *sync.RWMutex:
		if do, ok := e.hooks.Externals["(*sync.RWMutex)."+name].(func(*sync.RWMutex)); ok {
			return func() { do(m) }
		}
	}
	return nil
}

// MutexOf is for the session. The mutex is v itself, or what a struct embeds, where no method of a cell comes
// first.
func (e *Engine) MutexOf(v any, name string) (m any, method string) {
	for v != nil {
		if m, method = syncstate.MutexItself(v, name); m != nil {
			return m, method
		}
		v = follow(reflect.ValueOf(v), e.wayToMutex(reflect.TypeOf(v), name))
	}
	return nil, ""
}

// promoted is a method of a type that may come from what its values embed.
type promoted struct {
	of   reflect.Type
	name string
}

// wayToMutex returns the indices of the fields through which values of a type get a mutex's method, or that of an
// interface; none for other methods.
func (e *Engine) wayToMutex(t reflect.Type, name string) []int {
	if way, ok := e.mutexes.Load(promoted{t, name}); ok {
		return way.([]int)
	}
	way := e.findMutex(t, name)
	e.mutexes.Store(promoted{t, name}, way)
	return way
}

func (e *Engine) findMutex(t reflect.Type, name string) []int {
	of := t
	if t.Kind() == reflect.Pointer {
		of = t.Elem()
	}
	if of.Kind() != reflect.Struct {
		return nil
	}
	typ := e.loader.typeOf(of)
	if typ == nil {
		return nil
	}
	if of != t {
		typ = types.NewPointer(typ)
	}
	sel := types.NewMethodSet(typ).Lookup(nil, name)
	if sel == nil || len(sel.Index()) < 2 {
		return nil
	}
	recv := sel.Obj().(*types.Func).Signature().Recv().Type()
	if p, ok := recv.(*types.Pointer); ok {
		recv = p.Elem()
	}
	if n, ok := recv.(*types.Named); types.IsInterface(recv) || ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync" {
		return sel.Index()[:len(sel.Index())-1]
	}
	return nil
}

// follow returns the embedded field at the end of a way, its address where it is a struct; nil where a pointer on the
// way is nil, or there is no way.
func follow(v reflect.Value, way []int) any {
	if len(way) == 0 {
		return nil
	}
	if v.Kind() == reflect.Struct { // in an interface, where fields have no addresses
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		v = p
	}
	for _, i := range way {
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if !v.IsValid() {
			return nil
		}
		f := v.Field(i)
		v = reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem() // a field that is not exported too
	}
	if v.Kind() == reflect.Struct {
		v = v.Addr()
	}
	return v.Interface()
}
