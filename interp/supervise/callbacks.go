package supervise

import (
	"context"
	"fmt"
	"net/rpc"
	"reflect"
	"runtime"
	"sync"
	"unsafe"

	"github.com/visualfc/gid"

	"github.com/arrayrepl/arrayrepl/internal/golabel"
	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/goerror"
)

// callers are functions that cells call in the place of those that call a function of theirs on another goroutine: a
// panic there would end the process.
func (s *Supervisor) callers() map[string]any {
	return map[string]any{
		"context.AfterFunc": func(ctx context.Context, f func()) func() bool {
			return context.AfterFunc(ctx, s.guarded(f))
		},
		"runtime.SetFinalizer": s.setFinalizer,
		// What runtime.AddCleanup calls where it is interpreted.
		"runtime.addCleanup": func(p unsafe.Pointer, f func()) runtime.Cleanup {
			return runtime.AddCleanup((*byte)(p), func(f func()) { f() }, apart(s.guarded(f)))
		},
		"net/rpc.Register": func(v any) error { return registered(v, func() error { return rpc.Register(v) }) },
		"net/rpc.RegisterName": func(name string, v any) error {
			return registered(v, func() error { return rpc.RegisterName(name, v) })
		},
		"(*net/rpc.Server).Register": func(s *rpc.Server, v any) error { return registered(v, func() error { return s.Register(v) }) },
		"(*net/rpc.Server).RegisterName": func(s *rpc.Server, name string, v any) error {
			return registered(v, func() error { return s.RegisterName(name, v) })
		},
	}
}

// registered calls register when net/rpc can call the methods of v: it takes them from the type, and in those that an
// engine has made there is no code. The call would end the process.
func registered(v any, register func() error) error {
	t := reflect.TypeOf(v)
	for i := 0; t != nil && i < t.NumMethod(); i++ {
		if runtime.FuncForPC(t.Method(i).Func.Pointer()) == nil {
			return fmt.Errorf("net/rpc cannot call the methods of %v, a type of a cell", t)
		}
	}
	return register()
}

// guarded returns f with its panic taken, as a function of the cell's whatever goroutine calls it. The trace is that of
// the call that hands it over, as far as it is known.
func (s *Supervisor) guarded(f func()) func() {
	r, labels := s.mine(), golabel.Current()
	var trace []engine.Frame
	if r != nil && r.id.Load() == gid.Get() {
		trace = r.where()
	}
	return func() { s.taken(r, labels, trace, f) }
}

// taken runs f, which cell r has handed over, and takes its panic.
func (s *Supervisor) taken(r *Run, labels unsafe.Pointer, trace []engine.Frame, f func()) {
	golabel.Set(labels)
	defer func() {
		if v := recover(); v != nil {
			s.panicIn(r, v, trace)
		}
	}()
	f()
}

// apart returns a function that runs f on a goroutine of its own and waits for its end: the runtime's goroutine for
// finalizers must not end with runtime.Goexit, as polls of a halted cell do.
func apart(f func()) func() {
	return func() {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			f()
		}()
		<-ended
	}
}

// finalized are the addresses of what has a finalizer: a second one would end the process. The runtime keeps what has
// one in its place until it has run.
type finalized struct {
	mu sync.Mutex
	at map[uintptr]struct{}
}

// set notes that the variable at p has a finalizer, and panics where it has one.
func (f *finalized) set(p uintptr) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, has := f.at[p]; has {
		panic(goerror.Fatal("runtime.SetFinalizer: finalizer already set"))
	}
	if f.at == nil {
		f.at = map[uintptr]struct{}{}
	}
	f.at[p] = struct{}{}
}

func (f *finalized) forget(p uintptr) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.at, p)
}

// finalizers are those that cells of all sessions of the process have set.
var finalizers finalized

// setFinalizer is runtime.SetFinalizer, but for arguments for which that ends the process.
func (s *Supervisor) setFinalizer(obj, finalizer any) {
	t, of := reflect.TypeOf(finalizer), reflect.TypeOf(obj)
	switch {
	case of == nil || of.Kind() != reflect.Pointer:
		panic(fmt.Errorf("runtime.SetFinalizer: first argument is %v, not a pointer", of))
	case reflect.ValueOf(obj).IsNil():
		panic(fmt.Errorf("runtime.SetFinalizer: first argument is a nil pointer of type %v", of))
	case t == nil:
		runtime.SetFinalizer(obj, nil)
		finalizers.forget(reflect.ValueOf(obj).Pointer())
		return
	case t.Kind() != reflect.Func || t.NumIn() != 1 || t.IsVariadic() || !of.AssignableTo(t.In(0)):
		panic(fmt.Errorf("runtime.SetFinalizer: cannot pass %v to finalizer %v", of, t))
	}
	finalizers.set(reflect.ValueOf(obj).Pointer())
	// A program may set a million: no trace is kept of where.
	f, r, labels := reflect.ValueOf(finalizer), s.mine(), golabel.Current()
	runtime.SetFinalizer(obj, reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		finalizers.forget(in[0].Pointer())
		apart(func() { s.taken(r, labels, nil, func() { f.Call(in) }) })()
		out := make([]reflect.Value, t.NumOut())
		for i := range out {
			out[i] = reflect.Zero(t.Out(i))
		}
		return out
	}).Interface())
}
