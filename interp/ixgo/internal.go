package ixgo

import (
	"fmt"
	"go/token"
	"go/types"
	"io"
	"reflect"
	"runtime"
	"sync"
	"unsafe"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// What the engine needs of ixgo and its exported API does not offer is read here, by field name, and checkInternals
// says at the start when a version has other fields. Five things are needed.
//
// An Interp sends the panics of its goroutines to a channel that it makes only in its own way of running programs,
// which also replaces os.Args and the flags; without the channel a panic is lost and its goroutine waits for ever.
//
// Frame.CallerFrames names every frame of a stack: with the 300,000 of a runaway recursion it takes most of a second.
// The trace that a panic keeps is made in the same way; trace.go makes a short one.
//
// Some instructions are run wrongly; corrections.go puts others in their place, in the lists of compiled instructions.
//
// Functions with deferred calls are run by defers.go, which reads and writes what a frame has deferred and panics
// with.
//
// The type of a frame's list of deferred calls is that of go/ssa's deferStack, in loops over functions that defer.
var (
	contextPrint     = unexported.Of[ixgo.Context]("output", reflect.TypeFor[io.Writer]())
	interpPanics     = unexported.Of[ixgo.Interp]("cherror", reflect.TypeFor[chan ixgo.PanicError]())
	interpExited     = unexported.Of[ixgo.Interp]("exited", reflect.TypeFor[int32]())
	interpDeferMap   = unexported.Of[ixgo.Interp]("deferMap", reflect.TypeFor[sync.Map]())
	interpDeferCount = unexported.Of[ixgo.Interp]("deferCount", reflect.TypeFor[int32]())
	interpTypes      = unexported.Of[ixgo.Interp]("preloadTypes", reflect.TypeFor[map[types.Type]reflect.Type]())
	frameInterp      = unexported.Of[ixgo.Frame]("interp", reflect.TypeFor[*ixgo.Interp]())
	frameBlock       = unexported.Of[ixgo.Frame]("block", reflect.TypeFor[*ssa.BasicBlock]())
	framePred        = unexported.Of[ixgo.Frame]("pred", reflect.TypeFor[int]())
	frameDeferID     = unexported.Of[ixgo.Frame]("deferid", reflect.TypeFor[uint64]())
	frameCaller      = unexported.Of[ixgo.Frame]("caller", reflect.TypeFor[*ixgo.Frame]())
	frameCallee      = unexported.Of[ixgo.Frame]("callee", reflect.TypeFor[*ixgo.Frame]())
	frameNext        = unexported.Of[ixgo.Frame]("ipc", reflect.TypeFor[int]())
	frameDefers      = unexported.Of[ixgo.Frame]("_defer", nil)
	deferFn          = unexported.In(unexported.Elem(frameDefers.Type), "fn", reflect.TypeFor[any]())
	deferTail        = unexported.In(unexported.Elem(frameDefers.Type), "tail", frameDefers.Type)
	deferArgs        = unexported.In(unexported.Elem(frameDefers.Type), "args", reflect.TypeFor[[]any]())
	deferValues      = unexported.In(unexported.Elem(frameDefers.Type), "ssaArgs", reflect.TypeFor[[]ssa.Value]())
	framePanic       = unexported.Of[ixgo.Frame]("_panic", nil)
	panicArg         = unexported.In(unexported.Elem(framePanic.Type), "arg", reflect.TypeFor[any]())
	panicRecovered   = unexported.In(unexported.Elem(framePanic.Type), "recovered", reflect.TypeFor[bool]())
	panicLink        = unexported.In(unexported.Elem(framePanic.Type), "link", framePanic.Type)
	panicPCs         = unexported.In(unexported.Elem(framePanic.Type), "pcs", reflect.TypeFor[[]uintptr]())
	panicStack       = unexported.Of[ixgo.PanicError]("stack", reflect.TypeFor[[]byte]())
	frameFunc        = unexported.Of[ixgo.Frame]("pfn", nil)
	frameStack       = unexported.Of[ixgo.Frame]("stack", reflect.TypeFor[[]any]())
	interpFuncs      = unexported.Of[ixgo.Interp]("funcs", nil)
	interpMsets      = unexported.Of[ixgo.Interp]("msets", reflect.TypeFor[map[reflect.Type]map[string]*ssa.Function]())
	funcInterp       = unexported.In(unexported.Elem(frameFunc.Type), "Interp", reflect.TypeFor[*ixgo.Interp]())
	funcIndex        = unexported.In(unexported.Elem(frameFunc.Type), "index", reflect.TypeFor[map[ssa.Value]uint32]())
	funcCode         = unexported.In(unexported.Elem(frameFunc.Type), "Instrs", reflect.TypeFor[[]func(*ixgo.Frame)]())
	funcInstrs       = unexported.In(unexported.Elem(frameFunc.Type), "ssaInstrs", reflect.TypeFor[[]ssa.Instruction]())
	funcBlocks       = unexported.In(unexported.Elem(frameFunc.Type), "Blocks", reflect.TypeFor[[]int]())
	funcStack        = unexported.In(unexported.Elem(frameFunc.Type), "stack", reflect.TypeFor[[]any]())
	funcRecover      = unexported.In(unexported.Elem(frameFunc.Type), "Recover", reflect.TypeFor[[]func(*ixgo.Frame)]())
	funcBase         = unexported.In(unexported.Elem(frameFunc.Type), "base", reflect.TypeFor[int]())
	funcFn           = unexported.In(unexported.Elem(frameFunc.Type), "Fn", reflect.TypeFor[*ssa.Function]())
)

func checkInternals() error {
	for _, f := range []*unexported.Field{programPackages, interpContext, interpExit, interpLives, interpMainID, interpMain, interpMethods, interfacesByText, interpGlobals, interpInits, contextNested, contextLoads, recordCache, recordMethods, interpRecord, recordTypes, interpTypes, frameInterp, frameBlock, framePred, frameDeferID, funcBlocks, funcStack, contextPrint, interpPanics, interpExited, frameCaller, frameCallee, frameNext, frameDefers, deferFn, deferTail, deferArgs, deferValues, framePanic, panicArg, panicRecovered, panicLink, panicPCs, panicStack, interpDeferMap, interpDeferCount, funcRecover, frameFunc, frameStack, interpFuncs, interpMsets, funcInterp, funcIndex, funcInstrIndex, funcMain, functionSyntax, packageObjects, funcCode, funcInstrs, funcBase, funcFn} {
		if f.Type == nil {
			return fmt.Errorf("this version of ixgo has no field %s of the expected type; v1.1.1 has", f.Name)
		}
	}
	return nil
}

// printTo makes print and println write to w.
func printTo(ctx *ixgo.Context, w io.Writer) {
	*unexported.At[io.Writer](unsafe.Pointer(ctx), contextPrint) = w
}

// catchGoroutines makes f take the panics of the goroutines that i starts. Who waits for them ends with i.
func catchGoroutines(i *ixgo.Interp, f func(v any, trace []engine.Frame)) {
	ch := make(chan ixgo.PanicError)
	*unexported.At[chan ixgo.PanicError](unsafe.Pointer(i), interpPanics) = ch
	runtime.AddCleanup(i, func(ch chan ixgo.PanicError) { close(ch) }, ch)
	go func() {
		for p := range ch {
			f(UnwrapPanic(p))
		}
	}()
}

// framesOf returns the innermost frames of cells, at most maxTrace, from a live frame outwards.
//
//go:norace
func framesOf(fr *ixgo.Frame, fset *token.FileSet) []engine.Frame { return framesKept(fr, fset, nil) }

// framesKept is framesOf that keeps what it finds, if known is not nil, and finds it there.
//
//go:norace
func framesKept(fr *ixgo.Frame, fset *token.FileSet, known *sync.Map) []engine.Frame {
	var out []engine.Frame
	for n := 0; fr != nil && n < 4*engine.MaxTrace && len(out) < engine.MaxTrace; n++ {
		p := unsafe.Pointer(fr)
		fn := *unexported.At[unsafe.Pointer](p, frameFunc)
		next := *unexported.At[int](p, frameNext)
		if fn == nil {
			break
		}
		if instrs := *unexported.At[[]ssa.Instruction](fn, funcInstrs); next > 0 && next <= len(instrs) {
			instr := instrs[next-1]
			var is any
			if known != nil {
				is, _ = known.Load(instr)
			}
			line, ok := is.([]engine.Frame)
			if !ok {
				pos := fset.Position(instr.Pos())
				line = engine.AddFrame(nil, (*unexported.At[*ssa.Function](fn, funcFn)).String(), fmt.Sprintf("%s:%d", pos.Filename, pos.Line))
				if known != nil {
					known.Store(instr, line)
				}
			}
			out = append(out, line...)
		}
		fr = *unexported.At[*ixgo.Frame](p, frameCaller)
	}
	return out
}

// innermost follows calls from fr to the frame that is being executed, while its goroutine may be running: what it
// finds is then a guess, and never harms. A frame that has returned has the next instruction -1.
//
//go:norace
func innermost(fr *ixgo.Frame) *ixgo.Frame {
	for range maxStackWalk {
		p := unsafe.Pointer(fr)
		callee := *unexported.At[*ixgo.Frame](p, frameCallee)
		if callee == nil {
			break
		}
		c := unsafe.Pointer(callee)
		if *unexported.At[*ixgo.Frame](c, frameCaller) != fr || *unexported.At[int](c, frameNext) <= 0 {
			break
		}
		fr = callee
	}
	return fr
}

// maxStackWalk bounds how deep innermost looks.
const maxStackWalk = 10_000
