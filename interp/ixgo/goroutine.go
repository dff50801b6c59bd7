package ixgo

import (
	"runtime/debug"
	"sync/atomic"
	"unsafe"

	"github.com/goplus/ixgo"

	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// goroutine executes the function of a go statement, from its first instruction to its end. ixgo looks for the lines of
// a panic that leaves it in a frame that has none: here the panic takes them along.
func (e *Engine) goroutine(t *tracer, fr *ixgo.Frame, first instruction, code []instruction, exited *int32) {
	debug.SetPanicOnFault(true) // as the cell's own goroutine has it: a mapped file may be cut
	ended := false
	defer func() {
		if ended {
			return
		}
		if v := recover(); v != nil { // a runtime.Goexit is none
			panic(t.withLines(v, fr))
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

// withLines is a panic with v that leaves fr, with the lines where it began.
func (t *tracer) withLines(v any, fr *ixgo.Frame) any {
	if _, ok := v.(ixgo.PanicError); ok { // of a panic statement
		return v
	}
	var lines []byte
	if *unexported.At[unsafe.Pointer](unsafe.Pointer(fr), framePanic) == nil { // the state of a panic has them
		for _, pc := range t.left(fr) {
			lines = append(lines, t.line(int(pc))...)
		}
	}
	p := ixgo.PanicError{Value: v}
	*unexported.At[[]byte](unsafe.Pointer(&p), panicStack) = append(lines, t.stack(fr)...)
	return p
}
