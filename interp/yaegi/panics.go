package yaegi

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	godebug "runtime/debug"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

//go:norace
func readInt(p *int) int { return *p }

//go:norace
func setInt(p *int, v int) { *p = v }

// point numbers a place in a cell.
func (e *Engine) point(f engine.Frame) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	n, ok := e.pointOf[f]
	if !ok {
		e.points = append(e.points, f)
		n = len(e.points)
		e.pointOf[f] = n
	}
	return n
}

// trace returns the line that was executed last and the one of the cell's own statement. yaegi knows neither, nor the
// lines between: they are noted in variables, which goroutines share.
func (e *Engine) trace() []engine.Frame {
	e.mu.RLock()
	defer e.mu.RUnlock()
	var out []engine.Frame
	for _, n := range []int{readInt(&e.line), readInt(&e.top)} {
		if n > 0 && n <= len(e.points) && (len(out) == 0 || out[0] != e.points[n-1]) {
			out = append(out, e.points[n-1])
		}
	}
	return out
}

// runtimeError is an error of the language.
type runtimeError string

func (e runtimeError) Error() string { return string(e) }

// RuntimeError implements runtime.Error.
func (runtimeError) RuntimeError() {}

const nilPointer = runtimeError("runtime error: invalid memory address or nil pointer dereference")

// reflectErrors tells what package reflect's messages are in Go, by how they begin.
var reflectErrors = []struct {
	prefix string
	is     runtimeError
}{
	{"reflect: slice index out of range", "runtime error: index out of range"},
	{"reflect: array index out of range", "runtime error: index out of range"},
	{"reflect: string index out of range", "runtime error: index out of range"},
	{"reflect.Value.Slice", "runtime error: slice bounds out of range"},
	{"reflect.MakeSlice: negative len", "runtime error: makeslice: len out of range"},
	{"reflect.MakeSlice: negative cap", "runtime error: makeslice: cap out of range"},
	{"reflect: call of nil", nilPointer},
	{"reflect.Value.Call: call of nil function", nilPointer},
	{"reflect: call of", nilPointer},
	{"reflect: indirection through nil", nilPointer},
	{"reflect: Method on nil interface value", nilPointer},
	{"reflect: function created by MakeFunc", nilPointer},
}

// mended returns the value of a panic as Go would have it.
func mended(r any) any {
	switch v := r.(type) {
	case *reflect.ValueError:
		return nilPointer
	case string:
		for _, e := range reflectErrors {
			if strings.HasPrefix(v, e.prefix) {
				return e.is
			}
		}
	case runtime.Error:
		if kind, ok := strings.CutPrefix(v.Error(), "hash of unhashable type: "); ok {
			return runtimeError("runtime error: hash of unhashable type " + kind)
		}
	case reflect.Value:
		if v.IsValid() && v.CanInterface() {
			return mended(v.Interface())
		}
	case interface{ bare() Boxed }:
		return r
	}
	return r
}

// panicValue is what the cell's panic(x) panics with: errors and Stringers are that for compiled code too.
func (e *Engine) panicValue(x any) any {
	if x == nil {
		return new(runtime.PanicNilError)
	}
	v, ok := x.(Boxed)
	if !ok {
		return x
	}
	if w, ok := wrap(reflect.TypeFor[error](), v); ok && v.has("Error") {
		return w
	}
	if w, ok := wrap(reflect.TypeFor[fmt.Stringer](), v); ok && v.has("String") {
		return w
	}
	return v
}

// goexit runs f on a goroutine of its own, and reports a panic of it.
func (e *Engine) goroutine(f func()) {
	go func() {
		godebug.SetPanicOnFault(true)
		defer func() {
			if r := recover(); r != nil {
				e.hooks.GoPanic(mended(r), e.trace())
			}
		}()
		f()
	}()
}

// as is errors.As for a target of a type that only the host can tell.
func (e *Engine) as(err error, id int, target any) bool {
	d := e.desc(id)
	for err != nil {
		if v, ok := e.test(d, bare(err)); ok {
			reflect.ValueOf(target).Elem().Set(valueFor(v, reflect.TypeOf(target).Elem()))
			return true
		}
		switch x := any(err).(type) {
		case interface{ Unwrap() error }:
			err = x.Unwrap()
		case interface{ Unwrap() []error }:
			for _, err := range x.Unwrap() {
				if e.as(err, id, target) {
					return true
				}
			}
			return false
		default:
			err = errors.Unwrap(err)
		}
	}
	return false
}

func valueFor(v any, t reflect.Type) reflect.Value {
	if v == nil {
		return reflect.Zero(t)
	}
	return reflect.ValueOf(v)
}
