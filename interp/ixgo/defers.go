package ixgo

import (
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/goplus/ixgo"
	"github.com/visualfc/gid"
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// Functions with deferred calls run here, and not as ixgo v1.1.1 runs them. There
//
//   - a panic of a function that calls itself, or that one of its closures calls, does not run its deferred calls: calls are
//     compiled before it is known that the function has any;
//   - each frame that a panic leaves copies the program counters of all frames below, which is quadratic;
//   - runtime.Goexit counts as a panic with nil.
//
// What ixgo keeps in its frames is kept the same, as its recover and its traces read it.

// deferrer runs the functions of a program that defer calls.
type deferrer struct {
	i     *ixgo.Interp
	trace *tracer
	e     *Engine
}

// takeOver makes d run f, when that has deferred calls.
func (d *deferrer) takeOver(f compiled) {
	fn := *unexported.At[*ssa.Function](f.p, funcFn)
	code := *unexported.At[[]instruction](f.p, funcCode)
	if fn.Recover == nil || len(code) == 0 {
		return
	}
	*unexported.At[[]instruction](f.p, funcRecover) = nil // ixgo takes it for a function without
	first, recovered := code[0], (*unexported.At[[]int](f.p, funcBlocks))[fn.Recover.Index]
	code[0] = func(fr *ixgo.Frame) { d.run(fr, first, code, recovered) }
}

// run executes a function from its first instruction to its end. The instructions from recovered on return its results
// after a panic that it has recovered.
func (d *deferrer) run(fr *ixgo.Frame, first instruction, code []instruction, recovered int) {
	ended := false
	defer func() {
		if ended || *unexported.At[unsafe.Pointer](unsafe.Pointer(fr), frameDefers) == nil {
			return
		}
		v := recover()
		if v != nil {
			d.begin(fr, v)
		}
		d.rest(fr, v == nil && d.e.hooks.Leaving())
		d.goOn(fr)
		*unexported.At[int](unsafe.Pointer(fr), frameNext) = recovered
		d.execute(fr, code)
	}()
	first(fr)
	d.execute(fr, code)
	ended = true
}

// execute executes the instructions of a frame from the next one to its end.
func (d *deferrer) execute(fr *ixgo.Frame, code []instruction) {
	next, exited := unexported.At[int](unsafe.Pointer(fr), frameNext), unexported.At[int32](unsafe.Pointer(d.i), interpExited)
	for *next != -1 && atomic.LoadInt32(exited) == 0 {
		run := code[*next]
		*next++
		run(fr)
	}
}

// mendRunDefers runs the deferred calls at the end of a function.
func (d *deferrer) mendRunDefers(instr ssa.Instruction) instruction {
	if _, ok := instr.(*ssa.RunDefers); !ok {
		return nil
	}
	return func(fr *ixgo.Frame) {
		d.rest(fr, false)
		d.goOn(fr)
	}
}

// goOn panics when fr does.
func (d *deferrer) goOn(fr *ixgo.Frame) {
	if p := *unexported.At[unsafe.Pointer](unsafe.Pointer(fr), framePanic); p != nil && !*unexported.At[bool](p, panicRecovered) {
		panic(*unexported.At[any](p, panicArg))
	}
}

// begin puts fr into the state of a panic with v, in the place of an earlier one.
func (d *deferrer) begin(fr *ixgo.Frame, v any) {
	at := unexported.At[unsafe.Pointer](unsafe.Pointer(fr), framePanic)
	*at = newPanic(v, d.trace.left(fr), *at)
}

// newPanic makes ixgo's state of a panic.
func newPanic(v any, left []uintptr, before unsafe.Pointer) unsafe.Pointer {
	p := reflect.New(framePanic.Type.Elem()).UnsafePointer()
	*unexported.At[any](p, panicArg) = v
	*unexported.At[[]uintptr](p, panicPCs) = left
	*unexported.At[unsafe.Pointer](p, panicLink) = before
	return p
}

// rest runs the deferred calls of fr that have not run. Functions that ixgo enters from compiled code meanwhile find in
// deferMap who has called that. On a goroutine that leaves, functions of cells are not called: each would leave anew,
// on top of a stack that may be deep, and the runtime would look for the next deferred call through all of it each
// time.
func (d *deferrer) rest(fr *ixgo.Frame, leaving bool) {
	p := unsafe.Pointer(fr)
	defers := unexported.At[unsafe.Pointer](p, frameDefers)
	if *defers == nil {
		return
	}
	id, frames, count := unexported.At[uint64](p, frameDeferID), unexported.At[sync.Map](unsafe.Pointer(d.i), interpDeferMap), unexported.At[int32](unsafe.Pointer(d.i), interpDeferCount)
	atomic.AddInt32(count, 1)
	*id = gid.Get()
	frames.Store(*id, fr)
	for *defers != nil {
		one := *defers
		*defers = *unexported.At[unsafe.Pointer](one, deferTail)
		if !leaving || !interpretedCall(*unexported.At[any](one, deferFn)) {
			d.call(fr, one)
		}
	}
	if leaving { // what was interrupted may not hold what it would give back
		*unexported.At[unsafe.Pointer](p, framePanic) = nil
	}
	frames.Delete(*id)
	*id = 0
	atomic.AddInt32(count, -1)
}

// call makes one deferred call. When it panics, fr does.
func (d *deferrer) call(fr *ixgo.Frame, one unsafe.Pointer) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if v := recover(); v != nil {
			d.begin(fr, v)
		} else { // runtime.Goexit ends a panic, and runs the other deferred calls
			*unexported.At[unsafe.Pointer](unsafe.Pointer(fr), framePanic) = nil
			d.rest(fr, d.e.hooks.Leaving())
			d.goOn(fr)
		}
	}()
	fn, args := *unexported.At[any](one, deferFn), *unexported.At[[]any](one, deferArgs)
	if log, ok := fn.(*deferredLog); ok {
		log.call(fr)
		returned = true
		return
	}
	if b, ok := fn.(*ssa.Builtin); ok && b.Name() == "panic" {
		d.trace.panicWith(fr, args[0])
	}
	if name, ok := isMapBuiltin(fn); ok {
		d.e.mapBuiltin(name, args)
		returned = true
		return
	}
	callDiscardsResult(d.i, fr, fn, args, *unexported.At[[]ssa.Value](one, deferValues))
	returned = true
}

// interpretedCall reports whether what was deferred is a function of a cell or a module, or panics.
func interpretedCall(fn any) bool {
	switch fn := fn.(type) {
	case *ssa.Function:
		return true
	case *ssa.Builtin:
		return fn.Name() == "panic"
	case reflect.Value:
		return false
	}
	if reflect.TypeOf(fn).Kind() == reflect.Func {
		return madeOf(pointerOf(&fn)) != nil
	}
	return true // ixgo's closure
}

// callDiscardsResult is how ixgo makes a deferred call.
//
//go:linkname callDiscardsResult github.com/goplus/ixgo.(*Interp).callDiscardsResult
func callDiscardsResult(i *ixgo.Interp, caller *ixgo.Frame, fn any, args []any, ssaArgs []ssa.Value)
