package interp

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
)

// What the engine needs of ixgo and its exported API does not offer is read here, by field name, and checkInternals
// says at the start when a version has other fields. Five things are needed.
//
// An Interp sends the panics of its goroutines to a channel that it makes only in its own way of running programs,
// which also replaces os.Args and the flags; without the channel a panic is lost and its goroutine waits for ever.
//
// Frame.CallerFrames names every frame of a stack: with the 300,000 of a runaway recursion it takes most of a second.
// The trace that a panic keeps is made in the same way; ixgotrace.go makes a short one.
//
// Some instructions are run wrongly; ixgomend.go puts others in their place, in the lists of compiled instructions.
//
// Functions with deferred calls are run by ixgodefers.go, which reads and writes what a frame has deferred and panics
// with.
//
// The type of a frame's list of deferred calls is that of go/ssa's deferStack, in loops over functions that defer.
var (
	contextPrint     = internalField[ixgo.Context]("output", reflect.TypeFor[io.Writer]())
	interpPanics     = internalField[ixgo.Interp]("cherror", reflect.TypeFor[chan ixgo.PanicError]())
	interpExited     = internalField[ixgo.Interp]("exited", reflect.TypeFor[int32]())
	interpDeferMap   = internalField[ixgo.Interp]("deferMap", reflect.TypeFor[sync.Map]())
	interpDeferCount = internalField[ixgo.Interp]("deferCount", reflect.TypeFor[int32]())
	interpTypes      = internalField[ixgo.Interp]("preloadTypes", reflect.TypeFor[map[types.Type]reflect.Type]())
	frameInterp      = internalField[ixgo.Frame]("interp", reflect.TypeFor[*ixgo.Interp]())
	frameBlock       = internalField[ixgo.Frame]("block", reflect.TypeFor[*ssa.BasicBlock]())
	framePred        = internalField[ixgo.Frame]("pred", reflect.TypeFor[int]())
	frameDeferID     = internalField[ixgo.Frame]("deferid", reflect.TypeFor[uint64]())
	frameCaller      = internalField[ixgo.Frame]("caller", reflect.TypeFor[*ixgo.Frame]())
	frameCallee      = internalField[ixgo.Frame]("callee", reflect.TypeFor[*ixgo.Frame]())
	frameNext        = internalField[ixgo.Frame]("ipc", reflect.TypeFor[int]())
	frameDefers      = internalField[ixgo.Frame]("_defer", nil)
	deferFn          = internalFieldOf(elem(frameDefers.typ), "fn", reflect.TypeFor[any]())
	deferTail        = internalFieldOf(elem(frameDefers.typ), "tail", frameDefers.typ)
	deferArgs        = internalFieldOf(elem(frameDefers.typ), "args", reflect.TypeFor[[]any]())
	deferValues      = internalFieldOf(elem(frameDefers.typ), "ssaArgs", reflect.TypeFor[[]ssa.Value]())
	framePanic       = internalField[ixgo.Frame]("_panic", nil)
	panicArg         = internalFieldOf(elem(framePanic.typ), "arg", reflect.TypeFor[any]())
	panicRecovered   = internalFieldOf(elem(framePanic.typ), "recovered", reflect.TypeFor[bool]())
	panicLink        = internalFieldOf(elem(framePanic.typ), "link", framePanic.typ)
	panicPCs         = internalFieldOf(elem(framePanic.typ), "pcs", reflect.TypeFor[[]uintptr]())
	panicStack       = internalField[ixgo.PanicError]("stack", reflect.TypeFor[[]byte]())
	frameFunc        = internalField[ixgo.Frame]("pfn", nil)
	frameStack       = internalField[ixgo.Frame]("stack", reflect.TypeFor[[]any]())
	interpFuncs      = internalField[ixgo.Interp]("funcs", nil)
	interpMsets      = internalField[ixgo.Interp]("msets", reflect.TypeFor[map[reflect.Type]map[string]*ssa.Function]())
	funcInterp       = internalFieldOf(elem(frameFunc.typ), "Interp", reflect.TypeFor[*ixgo.Interp]())
	funcIndex        = internalFieldOf(elem(frameFunc.typ), "index", reflect.TypeFor[map[ssa.Value]uint32]())
	funcCode         = internalFieldOf(elem(frameFunc.typ), "Instrs", reflect.TypeFor[[]func(*ixgo.Frame)]())
	funcInstrs       = internalFieldOf(elem(frameFunc.typ), "ssaInstrs", reflect.TypeFor[[]ssa.Instruction]())
	funcBlocks       = internalFieldOf(elem(frameFunc.typ), "Blocks", reflect.TypeFor[[]int]())
	funcStack        = internalFieldOf(elem(frameFunc.typ), "stack", reflect.TypeFor[[]any]())
	funcRecover      = internalFieldOf(elem(frameFunc.typ), "Recover", reflect.TypeFor[[]func(*ixgo.Frame)]())
	funcBase         = internalFieldOf(elem(frameFunc.typ), "base", reflect.TypeFor[int]())
	funcFn           = internalFieldOf(elem(frameFunc.typ), "Fn", reflect.TypeFor[*ssa.Function]())
)

// field is the place of a field in a struct; typ is nil when there is none of that name and type.
type field struct {
	name   string
	offset uintptr
	typ    reflect.Type
}

func internalField[T any](name string, want reflect.Type) *field {
	return internalFieldOf(reflect.TypeFor[T](), name, want)
}

func internalFieldOf(t reflect.Type, name string, want reflect.Type) *field {
	if t == nil || t.Kind() != reflect.Struct {
		return &field{name: name}
	}
	f, ok := t.FieldByName(name)
	if !ok || want != nil && f.Type != want {
		return &field{name: name}
	}
	return &field{name, f.Offset, f.Type}
}

func elem(t reflect.Type) reflect.Type {
	if t == nil || t.Kind() != reflect.Pointer {
		return nil
	}
	return t.Elem()
}

func checkInternals() error {
	for _, f := range []*field{programPackages, interpContext, interpExit, interpLives, interpMainID, interpMain, interpMethods, interfacesByText, interpGlobals, interpInits, contextNested, contextLoads, recordCache, recordMethods, interpRecord, recordTypes, interpTypes, frameInterp, frameBlock, framePred, frameDeferID, funcBlocks, funcStack, contextPrint, interpPanics, interpExited, frameCaller, frameCallee, frameNext, frameDefers, deferFn, deferTail, deferArgs, deferValues, framePanic, panicArg, panicRecovered, panicLink, panicPCs, panicStack, interpDeferMap, interpDeferCount, funcRecover, frameFunc, frameStack, interpFuncs, interpMsets, funcInterp, funcIndex, funcInstrIndex, funcMain, functionSyntax, packageObjects, funcCode, funcInstrs, funcBase, funcFn} {
		if f.typ == nil {
			return fmt.Errorf("this version of ixgo has no field %s of the expected type; v1.1.1 has", f.name)
		}
	}
	return nil
}

func at[T any](p unsafe.Pointer, f *field) *T { return (*T)(unsafe.Add(p, f.offset)) }

// printTo makes print and println write to w.
func printTo(ctx *ixgo.Context, w io.Writer) { *at[io.Writer](unsafe.Pointer(ctx), contextPrint) = w }

// catchGoroutines makes f take the panics of the goroutines that i starts. Who waits for them ends with i.
func catchGoroutines(i *ixgo.Interp, f func(v any, trace []Frame)) {
	ch := make(chan ixgo.PanicError)
	*at[chan ixgo.PanicError](unsafe.Pointer(i), interpPanics) = ch
	runtime.AddCleanup(i, func(ch chan ixgo.PanicError) { close(ch) }, ch)
	go func() {
		for p := range ch {
			f(unwrapPanic(p))
		}
	}()
}

// framesOf returns the innermost frames of cells, at most maxTrace, from a live frame outwards.
//
//go:norace
func framesOf(fr *ixgo.Frame, fset *token.FileSet) []Frame { return framesKept(fr, fset, nil) }

// framesKept is framesOf that keeps what it finds, if known is not nil, and finds it there.
//
//go:norace
func framesKept(fr *ixgo.Frame, fset *token.FileSet, known *sync.Map) []Frame {
	var out []Frame
	for n := 0; fr != nil && n < 4*maxTrace && len(out) < maxTrace; n++ {
		p := unsafe.Pointer(fr)
		fn := *at[unsafe.Pointer](p, frameFunc)
		next := *at[int](p, frameNext)
		if fn == nil {
			break
		}
		if instrs := *at[[]ssa.Instruction](fn, funcInstrs); next > 0 && next <= len(instrs) {
			instr := instrs[next-1]
			var is any
			if known != nil {
				is, _ = known.Load(instr)
			}
			line, ok := is.([]Frame)
			if !ok {
				pos := fset.Position(instr.Pos())
				line = addFrame(nil, (*at[*ssa.Function](fn, funcFn)).String(), fmt.Sprintf("%s:%d", pos.Filename, pos.Line))
				if known != nil {
					known.Store(instr, line)
				}
			}
			out = append(out, line...)
		}
		fr = *at[*ixgo.Frame](p, frameCaller)
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
		callee := *at[*ixgo.Frame](p, frameCallee)
		if callee == nil {
			break
		}
		c := unsafe.Pointer(callee)
		if *at[*ixgo.Frame](c, frameCaller) != fr || *at[int](c, frameNext) <= 0 {
			break
		}
		fr = callee
	}
	return fr
}

// maxStackWalk bounds how deep innermost looks.
const maxStackWalk = 10_000
