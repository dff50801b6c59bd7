package ixgo

import (
	"go/types"
	"reflect"
	"slices"
	"sync"
	"unsafe"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
	"github.com/arrayrepl/arrayrepl/interp/tier"
)

// The numeric tier runs functions and loops in the place of ixgo: the first instruction of such a function, and that of
// such a loop, are replaced by one that enters the tier, which compiles what it enters when it is entered for the first
// time.

// TierRuns implements engine.Tiered.
func (e *Engine) TierRuns() (out []engine.TierUnit) {
	if e.lastTier == nil {
		return nil
	}
	e.lastTier.mu.Lock()
	defer e.lastTier.mu.Unlock()
	return slices.Clone(e.lastTier.ran)
}

// ExplainTier implements engine.Tiered.
func (e *Engine) ExplainTier(code engine.Code, fn *types.Func) (r engine.TierReport, ok bool) {
	c, _ := code.(*cellCode)
	if c == nil || c.tier == nil {
		return r, false
	}
	for f := range c.tier.funcs {
		if f.Object() == types.Object(fn) && f.Synthetic == "" {
			return c.tier.explain(f), true
		}
	}
	return r, false
}

func (t *tierEngine) explain(f *ssa.Function) (r engine.TierReport) {
	o := tier.Why(f)
	if o.What == "" {
		o = tier.Obstacle{What: t.prog.Refusal(f), Pos: f.Pos()}
	}
	r.Obstacle, r.Pos = o.What, o.Pos
	if o.What != "" {
		for _, b := range f.Blocks {
			if isLoopHead(b) && tier.LoopQualifies(b) {
				r.Loops = append(r.Loops, tier.LoopPos(b))
			}
		}
	}
	seen := map[*ssa.Function]bool{f: true}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			callee := call.Call.StaticCallee()
			if callee == nil || callee.Blocks == nil || seen[callee] {
				continue
			}
			seen[callee] = true
			if o := tier.Why(callee); o.What != "" {
				r.Calls = append(r.Calls, engine.TierCall{Func: callee.Name(), Obstacle: o.What, Pos: o.Pos})
			}
		}
	}
	return r
}

// SetTier implements engine.Tiered.
func (e *Engine) SetTier(mode string) { e.tier = mode }

// tierEngine is an Interp as the tier sees it.
type tierEngine struct {
	i     *ixgo.Interp
	hooks *engine.Hooks
	prog  *tier.Program
	all   *Engine

	mu    sync.Mutex // guards next of all funcs, and ran
	funcs map[*ssa.Function]*tierFunc
	ran   []engine.TierUnit
}

// tierFunc is a function that ixgo has compiled.
type tierFunc struct {
	compiled
	code  []instruction // as it was before the tier came
	next  map[ssa.Instruction]int
	index map[ssa.Value]uint32
	stack []any // what a new frame has in its registers
}

// useTier lets the tier run what it can of i. The flag is that of polls.
func (e *Engine) useTier(i *ixgo.Interp, stop *bool) *tierEngine {
	if !tier.Supported || e.tier == engine.TierOff {
		e.lastTier = nil
		return nil
	}
	t := &tierEngine{i: i, hooks: &e.hooks, all: e, funcs: map[*ssa.Function]*tierFunc{}}
	t.prog = tier.NewProgram(t, stop)
	for it := functions(i).MapRange(); it.Next(); {
		p := it.Value().UnsafePointer()
		t.funcs[*unexported.At[*ssa.Function](p, funcFn)] = &tierFunc{compiled: compiled{p}}
	}
	for fn, f := range t.funcs {
		t.install(fn, f, e.tier == engine.TierForce)
	}
	e.lastTier = t
	e.tiers.add(t)
	return t
}

// install replaces the instructions with which fn and its loops begin.
func (t *tierEngine) install(fn *ssa.Function, f *tierFunc, force bool) {
	if !t.Has(fn) || fn.Synthetic == "package initializer" {
		return
	}
	code := *unexported.At[[]instruction](f.p, funcCode)
	blocks := *unexported.At[[]int](f.p, funcBlocks)
	replace := func(i int, loop bool, unit func() *tier.Unit) {
		if f.code == nil {
			f.code = append([]instruction(nil), code...)
		}
		plain := f.code[i]
		once := sync.OnceValue(func() *tier.Unit {
			u := unit()
			if u != nil {
				t.mu.Lock()
				defer t.mu.Unlock()
				t.ran = append(t.ran, engine.TierUnit{Func: engine.FuncName(fn.String()), Loop: loop})
			}
			return u
		})
		code[i] = func(fr *ixgo.Frame) {
			if u := once(); u != nil {
				u.Run(unsafe.Pointer(fr))
				return
			}
			plain(fr)
		}
	}
	loops := false
	for _, b := range fn.Blocks {
		if !isLoopHead(b) {
			continue
		}
		loops = true
		replace(blocks[b.Index], true, func() *tier.Unit { return t.prog.Loop(b) })
	}
	if force || loops || callsOthers(fn) {
		replace(0, false, func() *tier.Unit { return t.prog.Function(fn) })
	}
}

func isLoopHead(b *ssa.BasicBlock) bool {
	for _, p := range b.Preds {
		if b.Dominates(p) {
			return true
		}
	}
	return false
}

// callsOthers reports whether fn calls functions that are, or may be, interpreted: entering the tier costs more than a
// small function.
func callsOthers(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.Call); ok {
				if f := c.Call.StaticCallee(); f != nil && f.Blocks != nil {
					return true
				}
				if _, static := c.Call.Value.(*ssa.Function); !static && !c.Call.IsInvoke() && !isBuiltin(c) {
					return true
				}
			}
		}
	}
	return false
}

func isBuiltin(c *ssa.Call) bool { _, ok := c.Call.Value.(*ssa.Builtin); return ok }

// Type implements tier.Engine.
func (t *tierEngine) Type(typ types.Type) reflect.Type {
	if rt := (*unexported.At[map[types.Type]reflect.Type](unsafe.Pointer(t.i), interpTypes))[typ]; rt != nil {
		return rt
	}
	switch u := typ.(type) {
	case *types.Basic:
		return basicRTypes[u.Kind()]
	case *types.Alias:
		return t.Type(types.Unalias(u))
	case *types.Pointer:
		if elem := t.Type(u.Elem()); elem != nil {
			return reflect.PointerTo(elem)
		}
	case *types.Slice:
		if elem := t.Type(u.Elem()); elem != nil {
			return reflect.SliceOf(elem)
		}
	case *types.Array:
		if elem := t.Type(u.Elem()); elem != nil {
			return reflect.ArrayOf(int(u.Len()), elem)
		}
	case *types.Map:
		if key, elem := t.Type(u.Key()), t.Type(u.Elem()); key != nil && elem != nil {
			return reflect.MapOf(key, elem)
		}
	case *types.Signature:
		return t.funcType(u)
	case *types.Named:
		if u.Obj().Pkg() == nil && u.Obj().Name() == "error" {
			return reflect.TypeFor[error]()
		}
	}
	return nil
}

func (t *tierEngine) funcType(sig *types.Signature) reflect.Type {
	list := func(vars *types.Tuple) (out []reflect.Type, ok bool) {
		for v := range vars.Variables() {
			rt := t.Type(v.Type())
			if rt == nil {
				return nil, false
			}
			out = append(out, rt)
		}
		return out, true
	}
	in, ok := list(sig.Params())
	out, also := list(sig.Results())
	if !ok || !also {
		return nil
	}
	return reflect.FuncOf(in, out, sig.Variadic())
}

// basicRTypes are the run-time types of Go's own.
var basicRTypes = map[types.BasicKind]reflect.Type{
	types.Bool: reflect.TypeFor[bool](), types.String: reflect.TypeFor[string](), types.UnsafePointer: reflect.TypeFor[unsafe.Pointer](),
	types.Int: reflect.TypeFor[int](), types.Int8: reflect.TypeFor[int8](), types.Int16: reflect.TypeFor[int16](),
	types.Int32: reflect.TypeFor[int32](), types.Int64: reflect.TypeFor[int64](),
	types.Uint: reflect.TypeFor[uint](), types.Uint8: reflect.TypeFor[uint8](), types.Uint16: reflect.TypeFor[uint16](),
	types.Uint32: reflect.TypeFor[uint32](), types.Uint64: reflect.TypeFor[uint64](), types.Uintptr: reflect.TypeFor[uintptr](),
	types.Float32: reflect.TypeFor[float32](), types.Float64: reflect.TypeFor[float64](),
	types.Complex64: reflect.TypeFor[complex64](), types.Complex128: reflect.TypeFor[complex128](),
	types.UntypedBool: reflect.TypeFor[bool](), types.UntypedInt: reflect.TypeFor[int](), types.UntypedRune: reflect.TypeFor[rune](),
	types.UntypedFloat: reflect.TypeFor[float64](), types.UntypedComplex: reflect.TypeFor[complex128](), types.UntypedString: reflect.TypeFor[string](),
}

// known returns what ixgo made of fn, with what is looked up in it.
func (t *tierEngine) known(fn *ssa.Function) *tierFunc {
	f := t.funcs[fn]
	t.mu.Lock()
	defer t.mu.Unlock()
	if f.next != nil {
		return f
	}
	if f.code == nil {
		f.code = *unexported.At[[]instruction](f.p, funcCode)
	}
	f.index = *unexported.At[map[ssa.Value]uint32](f.p, funcIndex)
	f.stack = *unexported.At[[]any](f.p, funcStack)
	f.next = map[ssa.Instruction]int{}
	for n, in := range *unexported.At[[]ssa.Instruction](f.p, funcInstrs) {
		f.next[in] = n + 1
	}
	return f
}

// Has implements tier.Engine: ixgo knows some functions by name alone.
func (t *tierEngine) Has(fn *ssa.Function) bool {
	f := t.funcs[fn]
	return f != nil && len(fn.Blocks) > 0 && len(*unexported.At[[]int](f.p, funcBlocks)) == len(fn.Blocks)
}

// Register implements tier.Engine.
func (t *tierEngine) Register(fn *ssa.Function, v ssa.Value) (int, bool) {
	r, ok := t.known(fn).index[v]
	return int(r & 0xffffff), ok
}

// Constant implements tier.Engine.
func (t *tierEngine) Constant(fn *ssa.Function, reg int) any { return t.known(fn).stack[reg] }

// Instruction implements tier.Engine.
func (t *tierEngine) Instruction(fn *ssa.Function, in ssa.Instruction) (func(tier.Frame), int) {
	f := t.known(fn)
	next := f.next[in]
	if next == 0 {
		return nil, 0
	}
	run := f.code[next-1]
	return func(fr tier.Frame) { run((*ixgo.Frame)(fr)) }, next
}

// Registers implements tier.Engine.
func (t *tierEngine) Registers(fr tier.Frame) []any { return *unexported.At[[]any](fr, frameStack) }

// Pred implements tier.Engine.
func (t *tierEngine) Pred(fr tier.Frame) int { return *unexported.At[int](fr, framePred) }

// NewFrame implements tier.Engine.
func (t *tierEngine) NewFrame(fn *ssa.Function, caller tier.Frame) tier.Frame {
	f := t.known(fn)
	fr := unsafe.Pointer(new(ixgo.Frame))
	*unexported.At[*ixgo.Interp](fr, frameInterp) = t.i
	*unexported.At[unsafe.Pointer](fr, frameFunc) = f.p
	if caller == nil {
		caller = unsafe.Pointer(new(ixgo.Frame))
	}
	*unexported.At[*ixgo.Frame](fr, frameCaller) = (*ixgo.Frame)(caller)
	*unexported.At[*ssa.BasicBlock](fr, frameBlock) = fn.Blocks[0]
	*unexported.At[[]any](fr, frameStack) = append([]any(nil), f.stack...)
	*unexported.At[uint64](fr, frameDeferID) = *unexported.At[uint64](caller, frameDeferID)
	*unexported.At[*ixgo.Frame](caller, frameCallee) = (*ixgo.Frame)(fr)
	return fr
}

// SetNext implements tier.Engine.
func (t *tierEngine) SetNext(fr tier.Frame, next int) { *unexported.At[int](fr, frameNext) = next }

// SetPred implements tier.Engine.
func (t *tierEngine) SetPred(fr tier.Frame, b *ssa.BasicBlock) {
	*unexported.At[int](fr, framePred) = b.Index
}

// Jump implements tier.Engine.
func (t *tierEngine) Jump(fr tier.Frame, to *ssa.BasicBlock) {
	f := *unexported.At[unsafe.Pointer](fr, frameFunc)
	*unexported.At[*ssa.BasicBlock](fr, frameBlock) = to
	*unexported.At[int](fr, frameNext) = (*unexported.At[[]int](f, funcBlocks))[to.Index]
}

// Return implements tier.Engine.
func (t *tierEngine) Return(fr tier.Frame) {
	*unexported.At[int](fr, frameNext) = -1
	unlink(fr)
}

// Resume implements tier.Engine.
func (t *tierEngine) Resume(fr tier.Frame) {
	code := *unexported.At[[]instruction](*unexported.At[unsafe.Pointer](fr, frameFunc), funcCode)
	for next := unexported.At[int](fr, frameNext); *next != -1; {
		run := code[*next]
		*next++
		run((*ixgo.Frame)(fr))
	}
}

// Unlink implements tier.Engine.
func (t *tierEngine) Unlink(fr tier.Frame) { *unexported.At[*ixgo.Frame](fr, frameCallee) = nil }

// Allow implements tier.Engine.
func (t *tierEngine) Allow(what func() string, n, size int64) { t.hooks.Allow(what, n, size) }

// Overflow implements tier.Engine.
func (t *tierEngine) Overflow(bytes int64, fr tier.Frame) {
	fset := t.i.MainPkg().Prog.Fset
	t.hooks.Overflow(bytes, func() []engine.Frame { return framesOf((*ixgo.Frame)(fr), fset) })
}
