package ixgo

import (
	"cmp"
	"fmt"
	"go/token"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// A panic of a cell keeps the lines where it began. ixgo walks the whole stack for them, and looks each frame up among
// all functions: a panic in a deep recursion takes long, and panics that are nested to a great depth take for ever.
// Here only the innermost frames are looked at.

// maxPanicFrames is how many frames are looked at, those of compiled packages among them.
const maxPanicFrames = 64

// tracer finds the lines of the instructions of a program.
type tracer struct {
	fset   *token.FileSet
	of     reflect.Value // the map of the functions
	sorted sync.Once
	all    []compiled // the functions, by their first program counter, when they are sorted
	lines  sync.Map   // text of a line by program counter
}

func newTracer(i *ixgo.Interp, fset *token.FileSet) *tracer {
	return &tracer{fset: fset, of: functions(i)}
}

// sort returns the functions, by their first program counter.
func (t *tracer) sort() []compiled {
	t.sorted.Do(func() {
		for it := t.of.MapRange(); it.Next(); {
			t.all = append(t.all, compiled{it.Value().UnsafePointer()})
		}
		slices.SortFunc(t.all, func(a, b compiled) int { return cmp.Compare(a.base(), b.base()) })
	})
	return t.all
}

// base is the program counter of the function's first instruction.
func (f compiled) base() int { return *unexported.At[int](f.p, funcBase) }

// line is the text of an instruction's place as runtime.Stack prints it, "" where it is not a cell's.
func (t *tracer) line(pc int) string {
	if s, ok := t.lines.Load(pc); ok {
		return s.(string)
	}
	text := ""
	all := t.sort()
	n, found := slices.BinarySearchFunc(all, pc, func(f compiled, pc int) int { return cmp.Compare(f.base(), pc) })
	if !found {
		n--
	}
	if n >= 0 {
		f := all[n]
		if instrs, next := *unexported.At[[]ssa.Instruction](f.p, funcInstrs), pc-f.base(); next > 0 && next <= len(instrs) {
			pos := t.fset.Position(instrs[next-1].Pos())
			text = fmt.Sprintf("%s()\n\t%s:%d\n", *unexported.At[*ssa.Function](f.p, funcFn), pos.Filename, pos.Line)
			if len(engine.AddFrame(nil, "", fmt.Sprintf("%s:%d", pos.Filename, pos.Line))) == 0 {
				text = ""
			}
		}
	}
	t.lines.Store(pc, text)
	return text
}

// stack is the innermost lines of fr and its callers, and of the panics because of which these run their deferred
// functions.
func (t *tracer) stack(fr *ixgo.Frame) []byte {
	var out []byte
	for n, cells := 0, 0; fr != nil && n < maxPanicFrames && cells < engine.MaxTrace; {
		p := unsafe.Pointer(fr)
		fn := *unexported.At[unsafe.Pointer](p, frameFunc)
		if fn == nil {
			break
		}
		add := func(pc int) {
			line := t.line(pc)
			n++
			if line != "" {
				cells++
				out = append(out, line...)
			}
		}
		for link := *unexported.At[unsafe.Pointer](p, framePanic); link != nil; link = *unexported.At[unsafe.Pointer](link, panicLink) {
			for _, pc := range *unexported.At[[]uintptr](link, panicPCs) {
				if n >= maxPanicFrames || cells >= engine.MaxTrace {
					break
				}
				add(int(pc))
			}
		}
		add(compiled{fn}.base() + nextOf(fr))
		fr = *unexported.At[*ixgo.Frame](p, frameCaller)
	}
	return out
}

// panicWith panics with a value of a cell at fr.
func (t *tracer) panicWith(fr *ixgo.Frame, v any) {
	if v == nil {
		v = new(runtime.PanicNilError)
	}
	p := ixgo.PanicError{Value: v}
	*unexported.At[[]byte](unsafe.Pointer(&p), panicStack) = t.stack(fr)
	panic(p)
}

// mendPanic panics with a short trace, and takes nil as Go does.
func (t *tracer) mendPanic(f compiled, instr ssa.Instruction) instruction {
	in, ok := instr.(*ssa.Panic)
	if !ok {
		return nil
	}
	value := f.register(in.X)
	return func(fr *ixgo.Frame) { t.panicWith(fr, registers(fr)[value]) }
}

// left returns the program counters of the frames below fr that a panic has left, innermost first.
func (t *tracer) left(fr *ixgo.Frame) []uintptr {
	var frames []unsafe.Pointer
	for p := unsafe.Pointer(fr); ; {
		callee := *unexported.At[unsafe.Pointer](p, frameCallee)
		if callee == nil || *unexported.At[unsafe.Pointer](callee, frameCaller) != p || *unexported.At[int](callee, frameNext) == -1 {
			break
		}
		if p = callee; len(frames) == 2*maxPanicFrames {
			frames = slices.Delete(frames, 0, maxPanicFrames)
		}
		frames = append(frames, p)
	}
	var out []uintptr
	for _, p := range slices.Backward(frames) {
		for link := *unexported.At[unsafe.Pointer](p, framePanic); link != nil; link = *unexported.At[unsafe.Pointer](link, panicLink) {
			if !*unexported.At[bool](link, panicRecovered) {
				out = append(out, *unexported.At[[]uintptr](link, panicPCs)...)
			}
		}
		out = append(out, uintptr(compiled{*unexported.At[unsafe.Pointer](p, frameFunc)}.base()+nextOf((*ixgo.Frame)(p))))
		if len(out) >= maxPanicFrames {
			return out[:maxPanicFrames]
		}
	}
	return out
}

// mendReturn unlinks a frame that returns.
func mendReturn(run instruction) instruction {
	return func(fr *ixgo.Frame) {
		run(fr)
		unlink(unsafe.Pointer(fr))
	}
}

// unlink takes fr from its caller, and from it what panics have left below. ixgo gives the frame to the next call of
// the function, of any goroutine, and lets the caller point to it: left would read what that call writes.
func unlink(fr unsafe.Pointer) {
	if caller := *unexported.At[unsafe.Pointer](fr, frameCaller); caller != nil {
		*unexported.At[unsafe.Pointer](caller, frameCallee) = nil
	}
	if callee := unexported.At[unsafe.Pointer](fr, frameCallee); *callee != nil {
		*callee = nil
	}
}
