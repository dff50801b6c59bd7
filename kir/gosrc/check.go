package gosrc

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Check says what in a function cannot run on a GPU, as an [Errors], or nil. It looks at all that the function calls.
// given says that it is given to a launch or to np.Map; others may be helpers, with parameters and results that only
// calls within a kernel can have.
func Check(src *Source, fn *types.Func, targs []types.Type, given bool) error {
	sig := fn.Signature()
	generic := sig.TypeParams().Len() > 0 && len(targs) == 0
	switch {
	case !generic && given && joins(sig):
		return nil // the CPU calls it, as an operator of package dp; others say what they cannot take
	case !generic && given && (emits(sig) || asksPlaces(src, fn)):
		_, err := newStreaming(src, fn, targs)
		return err
	case !generic && sig.Results().Len() == 0 && (given || !forHelpers(sig)):
		_, err := Compile(src, fn, targs, Options{})
		return err
	case !generic && given && combines(sig):
		_, err := newCombiner(src, fn, targs)
		return err
	case !generic && given && streams(sig):
		_, err := newStreaming(src, fn, targs)
		return err
	case !generic && given:
		_, err := NewInline(src, fn, targs, Options{})
		return err
	}
	p, err := build(src, fn, nil, true)
	if err != nil {
		return err
	}
	return p.check()
}

// joins reports whether a function makes a string of two.
func joins(sig *types.Signature) bool {
	text := func(t *types.Tuple, n int) bool {
		for v := range t.Variables() {
			if !types.Identical(v.Type(), types.Typ[types.String]) {
				return false
			}
		}
		return t.Len() == n
	}
	return !sig.Variadic() && text(sig.Params(), 2) && text(sig.Results(), 1)
}

// forHelpers reports whether a function has a parameter that a launch cannot pass, but a call within a kernel can.
func forHelpers(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if anyType(v.Type(), func(t types.Type) bool {
			switch t := t.Underlying().(type) {
			case *types.Pointer, *types.Signature:
				return true
			case *types.Basic:
				return t.Info()&types.IsString != 0
			case *types.Array:
				return t.Len() > maxParamElements
			}
			return false
		}) {
			return true
		}
	}
	return false
}

// anyType reports whether f is true for t or a part of it; what slices point to is none.
func anyType(t types.Type, f func(types.Type) bool) bool {
	if f(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for v := range u.Fields() {
			if anyType(v.Type(), f) {
				return true
			}
		}
	case *types.Array:
		return anyType(u.Elem(), f)
	}
	return false
}

// check looks at all instructions that can be reached, and collects what is wrong with them: a person wants to see all
// of it.
func (p *program) check() error {
	seen := map[*ssa.Function]bool{}
	p.checkFunc(p.fn, seen, nil)
	return p.errors()
}

func (p *program) checkFunc(fn *ssa.Function, seen map[*ssa.Function]bool, stack []*ssa.Function) {
	if seen[fn] || fn.TypeParams().Len() > 0 && len(fn.TypeArgs()) == 0 {
		return
	}
	seen[fn] = true
	for _, b := range fn.Blocks {
		if p.skipped(b) {
			continue
		}
		for _, instr := range b.Instrs {
			if msg, hint := forbidden(instr); msg != "" {
				pos := instr.Pos()
				if !pos.IsValid() {
					pos = fn.Pos()
				}
				p.errs = append(p.errs, p.errorf(pos, hint, "kernel code cannot %s", msg))
			}
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			p.checkCall(call, seen, append(stack, fn))
		}
	}
	for _, f := range fn.AnonFuncs {
		p.checkFunc(f, seen, append(stack, fn))
	}
}

// skipped reports whether a block is what a session's test leads to: the end of the goroutine.
func (p *program) skipped(b *ssa.BasicBlock) bool {
	if len(b.Preds) != 1 || p.src.Never == nil {
		return false
	}
	from := b.Preds[0]
	test, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok || from.Succs[0] != b {
		return false
	}
	if load, ok := test.Cond.(*ssa.UnOp); ok {
		if g, ok := load.X.(*ssa.Global); ok {
			v, ok := g.Object().(*types.Var)
			return ok && p.src.Never(v)
		}
	}
	return false
}

func (p *program) checkCall(call *ssa.Call, seen map[*ssa.Function]bool, stack []*ssa.Function) {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		if msg, hint := forbiddenBuiltin(b.Name()); msg != "" {
			p.errs = append(p.errs, p.errorf(call.Pos(), hint, "kernel code cannot %s", msg))
		}
		return
	}
	if call.Call.IsInvoke() {
		p.errs = append(p.errs, p.errorf(call.Pos(), "call the method of a concrete type, or write the function with type parameters", "kernel code cannot call methods of interfaces"))
		return
	}
	fn := call.Call.StaticCallee()
	if fn == nil {
		return // perhaps known when it is inlined
	}
	name := intrinsicName(fn)
	if intrinsics[name] != nil {
		if name == "gpu.Printf" {
			if _, ok := call.Call.Args[0].(*ssa.Const); !ok {
				p.errs = append(p.errs, p.errorf(call.Pos(), formatHint, formatWanted))
			}
		}
		return
	}
	if strings.Contains(name, added) {
		return // what a session has put around an argument: what it is given to is not for kernels, and says so
	}
	if len(fn.Blocks) == 0 {
		p.errs = append(p.errs, p.errorf(call.Pos(), hintFor(name), "kernel code cannot call %s", shortName(name)))
		return
	}
	for _, f := range stack {
		if f == fn {
			p.errs = append(p.errs, p.errorf(call.Pos(), "write a loop", "kernel code cannot call %s again while it runs: recursion", fn.Name()))
			return
		}
	}
	p.checkFunc(fn, seen, stack)
}

// forbidden says what an instruction does that kernels cannot, with what to do instead; "" when it may be compiled.
func forbidden(instr ssa.Instruction) (msg, hint string) {
	switch in := instr.(type) {
	case *ssa.Field:
		if _, ok := isGather(in.X.Type()); ok {
			return gatherField(in, in.X)
		}
	case *ssa.FieldAddr:
		if _, ok := isGather(in.X.Type().Underlying().(*types.Pointer).Elem()); ok {
			return gatherField(in, in.X)
		}
	case *ssa.MakeMap, *ssa.MapUpdate:
		return "use maps", "use slices or arrays; gpu.AtomicAdd counts"
	case *ssa.Lookup:
		if isString(in.X.Type()) {
			return "use strings", "pass a []byte"
		}
		return "use maps", "use slices or arrays; gpu.AtomicAdd counts"
	case *ssa.MakeChan, *ssa.Send, *ssa.Select:
		return "use channels", "threads of a block share memory: gpu.Shared and gpu.Sync"
	case *ssa.Go:
		return "start goroutines", "the launch has as many threads as you give it"
	case *ssa.Defer:
		return "defer calls", "call the function where it shall run"
	case *ssa.MakeSlice:
		return "make slices", "use an array, gpu.Shared, or a slice that is a parameter"
	case *ssa.TypeAssert:
		return "use interfaces", "use concrete types, or type parameters"
	case *ssa.ChangeInterface, *ssa.MultiConvert:
		return "use interfaces", "use concrete types, or type parameters"
	case *ssa.SliceToArrayPointer:
		return "convert slices to arrays", "copy the elements"
	case *ssa.Range, *ssa.Next:
		return "range over maps and strings", "range over a slice, an array or a number"
	case *ssa.MakeInterface:
		if !forPanicOrPrint(in) {
			return "use interfaces", "use concrete types, or type parameters"
		}
	case *ssa.BinOp:
		switch {
		case isString(in.X.Type()):
			return "use strings", "pass a []byte"
		case types.IsInterface(in.X.Type()):
			return "use interfaces", "use concrete types, or type parameters"
		}
	case *ssa.Index:
		if isString(in.X.Type()) {
			return "use strings", "pass a []byte"
		}
	case *ssa.Convert:
		if isString(in.Type()) || isString(in.X.Type()) {
			return "use strings", "pass a []byte"
		}
	case *ssa.UnOp:
		if _, ok := in.X.Type().Underlying().(*types.Chan); ok {
			return "use channels", "threads of a block share memory: gpu.Shared and gpu.Sync"
		}
	case *ssa.Alloc:
		t := in.Type().Underlying().(*types.Pointer).Elem()
		if _, ok := t.Underlying().(*types.Map); ok {
			return "use maps", "use slices or arrays; gpu.AtomicAdd counts"
		}
	}
	return "", ""
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// forPanicOrPrint reports whether an interface is only what a panic or a call takes: the callee is looked at by itself.
func forPanicOrPrint(in *ssa.MakeInterface) bool {
	for _, use := range *in.Referrers() {
		switch use := use.(type) {
		case *ssa.Panic, *ssa.DebugRef, *ssa.Call:
		case *ssa.Store:
			addr, ok := use.Addr.(*ssa.IndexAddr)
			if !ok {
				return false
			}
			if a, ok := addr.X.(*ssa.Alloc); !ok || a.Comment != "varargs" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// forbiddenBuiltin is forbidden for Go's own functions.
func forbiddenBuiltin(name string) (msg, hint string) {
	switch name {
	case "append":
		return "append", "a kernel cannot make memory: write to elements of a slice that the launch gives it; gpu.AtomicAdd on a counter gives each thread a place of its own"
	case "print", "println":
		return "call " + name, "gpu.Printf prints from a kernel"
	case "delete":
		return "use maps", "use slices or arrays; gpu.AtomicAdd counts"
	case "close":
		return "use channels", "threads of a block share memory: gpu.Shared and gpu.Sync"
	case "recover":
		return "recover", "a panic ends the launch, and the cell says where"
	case "len", "cap", "min", "max", "real", "imag", "complex", "copy", "clear", "ssa:wrapnilchk":
		return "", ""
	}
	return fmt.Sprintf("call %s", name), ""
}
