package interp

import (
	"reflect"
	"sync"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"
)

// mendLocker lets calls of a sync.Locker's methods, deferred ones too, be those that cells make of the mutex in it.
func (e *ixgoEngine) mendLocker(f compiled, instr ssa.Instruction, run instruction) instruction {
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
	switch instr.(type) {
	case *ssa.Call:
		return func(fr *ixgo.Frame) {
			if do := e.lockerCall(registers(fr)[recv], name); do != nil {
				do()
			} else {
				run(fr)
			}
		}
	case *ssa.Defer:
		return func(fr *ixgo.Frame) {
			r := registers(fr)
			do := e.lockerCall(r[recv], name)
			if do == nil {
				run(fr)
				return
			}
			before := r[recv]
			defer func() { r[recv] = before }()
			r[recv] = &deferredLocker{do}
			run(fr)
		}
	}
	return nil
}

// deferredLocker stands for the mutex of a deferred call.
type deferredLocker struct{ do func() }

func (d *deferredLocker) Lock()    { d.do() }
func (d *deferredLocker) Unlock()  { d.do() }
func (d *deferredLocker) RLock()   { d.do() }
func (d *deferredLocker) RUnlock() { d.do() }

// readLocker is the type of what (*sync.RWMutex).RLocker returns, a pointer to the same memory.
var readLocker = reflect.TypeOf(new(sync.RWMutex).RLocker())

// lockerCall returns the call of a method of a mutex, nil for other values.
func (e *ixgoEngine) lockerCall(v any, name string) func() {
	switch m := v.(type) {
	case *sync.Mutex:
		if do, ok := e.hooks.Externals["(*sync.Mutex)."+name].(func(*sync.Mutex)); ok {
			return func() { do(m) }
		}
		return nil
	case *sync.RWMutex:
		return e.rwCall(m, name)
	}
	if v != nil && reflect.TypeOf(v) == readLocker {
		return e.rwCall((*sync.RWMutex)(reflect.ValueOf(v).UnsafePointer()), "R"+name)
	}
	return nil
}

func (e *ixgoEngine) rwCall(m *sync.RWMutex, name string) func() {
	if do, ok := e.hooks.Externals["(*sync.RWMutex)."+name].(func(*sync.RWMutex)); ok {
		return func() { do(m) }
	}
	return nil
}
