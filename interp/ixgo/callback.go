package ixgo

import (
	"errors"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/goplus/ixgo"
	"github.com/visualfc/gid"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// A function of a cell that compiled code calls (the comparison of a sort, a String method) has a frame that knows no
// caller. When it panics, the frames that the engine finds from the cell's own statements end at the call of the
// compiled function. So a function that is entered from compiled code keeps, when a panic leaves it, where it was.

// callbackPanic is a panic that has left a function which compiled code had called.
type callbackPanic struct {
	value any
	trace []engine.Frame // of the function, innermost first
	call  callPlace      // of the compiled code
	outer []engine.Frame // of that call
}

// callPlace is an instruction of a live frame.
type callPlace struct {
	fr   *ixgo.Frame
	next int
}

// calling is the instruction that the cell's own statements have come to.
func (c *cellCode) calling() (at callPlace) {
	if root := c.root.Load(); root != nil {
		at.fr = innermost(root)
		at.next = nextOf(at.fr)
	}
	return at
}

func nextOf(fr *ixgo.Frame) int { return *unexported.At[int](unsafe.Pointer(fr), frameNext) }

// watchCallbacks lets the functions of i keep where they are when a panic leaves them for compiled code. They also keep
// t, so that a later program that is given one of them finds it.
func (e *Engine) watchCallbacks(i *ixgo.Interp, t *tierEngine) {
	exited := unexported.At[int32](unsafe.Pointer(i), interpExited)
	trace := newTracer(i, e.ctx.FileSet)
	for it := functions(i).MapRange(); it.Next(); {
		code := *unexported.At[[]func(*ixgo.Frame)](it.Value().UnsafePointer(), funcCode)
		if len(code) == 0 {
			continue
		}
		first := code[0]
		callback := func(fr *ixgo.Frame) { // apart, so that a call between functions of cells loads little
			e.callback(fr, first, code, exited)
			runtime.KeepAlive(t)
		}
		code[0] = func(fr *ixgo.Frame) {
			caller := *unexported.At[unsafe.Pointer](unsafe.Pointer(fr), frameCaller)
			if caller == nil || *unexported.At[unsafe.Pointer](caller, frameFunc) != nil {
				if caller != nil && *unexported.At[unsafe.Pointer](caller, frameCaller) == nil {
					e.goroutine(trace, fr, first, code, exited)
					return
				}
				first(fr)
				return
			}
			callback(fr)
		}
	}
}

// callback executes a function that compiled code has called, from its first instruction to its end.
func (e *Engine) callback(fr *ixgo.Frame, first instruction, code []func(*ixgo.Frame), exited *int32) {
	if entered := e.entered(); entered != nil {
		entered.push(fr)
		defer entered.pop()
	} else if !e.parallel.Load() {
		e.parallel.Store(true)
	}
	before := debug.SetPanicOnFault(true) // the goroutine may be the compiled code's
	ended := false
	defer func() {
		debug.SetPanicOnFault(before)
		if ended {
			return
		}
		if v := recover(); v != nil { // a runtime.Goexit is none
			e.leftCallback(v, fr)
			if !panicIsTaken() {
				value, trace := UnwrapPanic(v)
				if len(trace) == 0 {
					trace = framesOf(innermost(fr), e.ctx.FileSet)
				}
				e.hooks.GoPanic(value, trace)
				runtime.Goexit()
			}
			panic(v)
		}
	}()
	next := unexported.At[int](unsafe.Pointer(fr), frameNext)
	for first(fr); *next != -1 && atomic.LoadInt32(exited) == 0; {
		run := code[*next]
		*next++
		run(fr)
	}
	ended = true
}

// takers begin the names of functions that recover whatever their callees panic with, or that lead to one that does.
var takers = []string{
	"github.com/goplus/ixgo.", "github.com/arrayrepl/arrayrepl/",
	"net/http.(*conn).serve", "net/http.(*http2serverConn).", "fmt.(*pp).handleMethods", "text/template.safeCall", "log/slog.(*handleState).appendValue",
}

// guards begin the names of functions of package supervise that fail a test of a cell when it panics.
var guards = []string{
	"github.com/arrayrepl/arrayrepl/interp/supervise.(*Supervisor).testCalls.", "github.com/arrayrepl/arrayrepl/interp/supervise.(*Supervisor).GuardTest.",
	"github.com/arrayrepl/arrayrepl/interp/supervise.(*Supervisor).GuardBenchmark.",
}

// engineFrames begin the names of functions that lie between a cell's function and the compiled code that calls it.
var engineFrames = []string{"github.com/goplus/ixgo.", "github.com/goplus/reflectx", "github.com/arrayrepl/arrayrepl/interp.", "github.com/arrayrepl/arrayrepl/interp/supervise.", "github.com/arrayrepl/arrayrepl/interp/ixgo.", "github.com/arrayrepl/arrayrepl/interp/tier.", "reflect.", "runtime."}

// panicIsTaken reports whether somebody takes a panic that leaves a callback, whose deferred function calls it. It is
// false on a goroutine of compiled code alone, which no taker has started: of testing.Benchmark, say, or the copying of
// os/exec into an io.Writer. The process would end.
func panicIsTaken() bool {
	const callback = "github.com/arrayrepl/arrayrepl/interp/ixgo.(*Engine).callback"
	pcs := make([]uintptr, 1000)
	n := runtime.Callers(1, pcs)
	if n == len(pcs) {
		return true // so deep is only what cells' code has begun
	}
	begins := func(name string, with []string) bool {
		return slices.ContainsFunc(with, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
	}
	// callbacks on the stack, and those that the panic leaves: it leaves the outermost when it leaves all
	entered, left := 0, 0
	compiled, taken := false, false
	for frames, more := runtime.CallersFrames(pcs[:n]), true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch name := f.Function; {
		case name == callback:
			entered++
			compiled, taken = false, false
		case strings.HasPrefix(name, callback+".func"):
			left++
		case begins(name, guards):
			compiled, taken = true, true
		case compiled || !begins(name, engineFrames):
			compiled = true
			taken = taken || begins(name, takers)
		}
	}
	return left < entered || !compiled || taken
}

// leftCallback notes that a panic with v leaves fr, whose function compiled code has called.
func (e *Engine) leftCallback(v any, fr *ixgo.Frame) {
	if c, ok := e.running.Load(gid.Get()); ok {
		c.(*cellCode).keepCallback(v, fr)
		return
	}
	value, trace := UnwrapPanic(v)
	if len(trace) == 0 {
		trace = framesOf(innermost(fr), e.ctx.FileSet)
	}
	e.stray.Store(&strayPanic{value, trace})
}

// strayPanic is a panic that has left a function which compiled code called on a goroutine of its own, as a simulated
// GPU calls a policy.
type strayPanic struct {
	value any
	trace []engine.Frame
}

// withStray completes the trace of a panic with v, an error of compiled code that tells of a stray panic.
func (c *cellCode) withStray(v any, trace []engine.Frame) []engine.Frame {
	s := c.e.stray.Load()
	if s == nil || same(s.value, v) || !same(s.value, began(v)) {
		return trace
	}
	c.e.stray.CompareAndSwap(s, nil)
	both := append(slices.Clip(s.trace), trace...)
	return both[:min(len(both), engine.MaxTrace)]
}

// keepCallback keeps where fr was when p left it. A function that was called by a callback's compiled code comes before
// it.
func (c *cellCode) keepCallback(p any, fr *ixgo.Frame) {
	if fr == c.root.Load() {
		return // the cell's statements are not a callback
	}
	k := &callbackPanic{call: c.calling(), outer: c.where(1)}
	if k.value, k.trace = UnwrapPanic(p); len(k.trace) == 0 { // the code's own panic knows its frames
		k.trace = framesOf(innermost(fr), c.interp.MainPkg().Prog.Fset)
	}
	if inner := c.left; inner != nil && same(inner.value, k.value) && inner.call == k.call {
		k.trace = append(slices.Clip(inner.trace), framesOf(innermost(fr), c.interp.MainPkg().Prog.Fset)...)
	}
	c.left = k
}

// withCallback completes the trace of a panic with v that has left a callback.
func (c *cellCode) withCallback(v any, trace []engine.Frame) []engine.Frame {
	k := c.left
	if k == nil || !same(k.value, began(v)) || k.call != c.calling() {
		return trace
	}
	both := append(slices.Clip(k.trace), k.outer...)
	return both[:min(len(both), engine.MaxTrace)]
}

// began is what the panic of a cell's function was, where v is an error of compiled code that has taken it and tells of
// it.
func began(v any) any {
	var of interface {
		error
		Panicked() any
	}
	for err, ok := v.(error); ok && errors.As(err, &of); err, ok = v.(error) {
		v, _ = UnwrapPanic(of.Panicked())
	}
	return v
}

// same reports whether two panics have one value.
func same(a, b any) bool {
	return reflect.TypeOf(a) == reflect.TypeOf(b) && a != nil && reflect.TypeOf(a).Comparable() && a == b
}
