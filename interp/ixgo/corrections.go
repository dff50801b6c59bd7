package ixgo

import (
	"go/token"
	"go/types"
	"io"
	"os"
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/internal/goerror"
	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// instruction is a compiled instruction of ixgo.
type instruction = func(*ixgo.Frame)

// mends puts right what ixgo v1.1.1 does not do as Go does. Each looks at an instruction and returns another in its
// place, or nil where ixgo is right. It must cost nothing where the types say that the fault cannot occur.
var mends = []func(f compiled, instr ssa.Instruction, run instruction) instruction{
	mendMapUpdate, mendLookup, mendDelete, mendStore, mendInvoke, mendConvert, mendChangeType, mendMinMax,
	mendSlice, mendMakeSlice, mendStringIndex, mendNilCall, mendTypeAssert,
}

// compiled is a function that ixgo has compiled.
type compiled struct{ p unsafe.Pointer }

// register returns where v is in the frames of the function.
func (f compiled) register(v ssa.Value) int {
	return int((*unexported.At[map[ssa.Value]uint32](f.p, funcIndex))[v] & 0xffffff)
}

func registers(fr *ixgo.Frame) []any { return *unexported.At[[]any](unsafe.Pointer(fr), frameStack) }

// mend goes through all instructions of i, of which some were hidden.
func (e *Engine) mend(i *ixgo.Interp, h hidden) {
	trace := newTracer(i, e.ctx.FileSet)
	defers := &deferrer{i, trace, e}
	one := oneFunction{}
	for it := functions(i).MapRange(); it.Next(); {
		f := compiled{it.Value().UnsafePointer()}
		code, instrs := *unexported.At[[]func(*ixgo.Frame)](f.p, funcCode), *unexported.At[[]ssa.Instruction](f.p, funcInstrs)
		mendPhis(f, instrs, code)
		for n, instr := range instrs {
			if isRight(instr) {
				continue
			}
			if _, ok := instr.(*ssa.Return); ok {
				code[n] = mendReturn(code[n])
				continue
			}
			if _, ok := instr.(*ssa.DebugRef); ok { // see looks: no others are there
				code[n] = func(*ixgo.Frame) {}
				continue
			}
			if other := e.mendHidden(h, i, f, instr, code[n]); other != nil {
				code[n] = other
				continue
			}
			for _, m := range mends {
				if other := m(f, instr, code[n]); other != nil {
					code[n] = other
				}
			}
			if other := one.mend(f, instr); other != nil {
				code[n] = other
			}
			if other := trace.mendPanic(f, instr); other != nil {
				code[n] = other
			}
			if other := defers.mendRunDefers(instr); other != nil {
				code[n] = other
			}
			if other := e.mendWrite(f, instr, code[n]); other != nil {
				code[n] = other
			}
			if other := e.mendLocker(f, instr, code[n]); other != nil {
				code[n] = other
			}
			if other := e.mendTestLog(f, instr, code[n]); other != nil {
				code[n] = other
			}
			if other := e.mendMemory(f, instr, code[n]); other != nil {
				code[n] = other
			}
			if other := e.mendWait(f, instr, code[n]); other != nil {
				code[n] = other
			}
			if other := e.mendMapUse(f, instr, code[n]); other != nil {
				code[n] = other
			}
		}
		defers.takeOver(f)
	}
}

// isRight reports whether an instruction is of a kind that no mend is for. They are most of a program.
func isRight(instr ssa.Instruction) bool {
	switch instr.(type) {
	case *ssa.Jump, *ssa.If, *ssa.Phi, *ssa.Extract, *ssa.Field, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.MakeClosure:
		return true
	case *ssa.MakeInterface:
		fn, _ := needsOne(instr)
		return fn == nil
	}
	return false
}

// startsGoroutines reports whether a function that i has compiled has a go statement.
func startsGoroutines(i *ixgo.Interp) bool {
	for it := functions(i).MapRange(); it.Next(); {
		for _, instr := range *unexported.At[[]ssa.Instruction](it.Value().UnsafePointer(), funcInstrs) {
			if _, ok := instr.(*ssa.Go); ok {
				return true
			}
		}
	}
	return false
}

// functions returns the map of the functions that i has compiled.
func functions(i *ixgo.Interp) reflect.Value {
	return reflect.NewAt(interpFuncs.Type, unsafe.Pointer(unexported.At[byte](unsafe.Pointer(i), interpFuncs))).Elem()
}

// watchEntry lets a program say where it is: the first instruction of fn stores its frame.
func watchEntry(i *ixgo.Interp, fn *ssa.Function, root *atomic.Pointer[ixgo.Frame]) {
	p := functions(i).MapIndex(reflect.ValueOf(fn))
	if !p.IsValid() {
		return
	}
	code := *unexported.At[[]func(*ixgo.Frame)](p.UnsafePointer(), funcCode)
	first := code[0]
	code[0] = func(fr *ixgo.Frame) {
		root.Store(fr)
		first(fr)
	}
}

// valueOf is reflect.ValueOf, but for nil in an interface, which is the zero value of t.
func valueOf(v any, t reflect.Type) reflect.Value {
	if v == nil {
		return reflect.Zero(t)
	}
	return reflect.ValueOf(v)
}

// mendMapUpdate: ixgo takes an entry that is a nil interface for the order to delete it, and fails on such a key.
func mendMapUpdate(f compiled, instr ssa.Instruction, run instruction) instruction {
	in, ok := instr.(*ssa.MapUpdate)
	if !ok {
		return nil
	}
	t := in.Map.Type().Underlying().(*types.Map)
	if !types.IsInterface(t.Key()) && !types.IsInterface(t.Elem()) {
		return nil
	}
	m, key, val := f.register(in.Map), f.register(in.Key), f.register(in.Value)
	return func(fr *ixgo.Frame) {
		r := registers(fr)
		if r[key] != nil && r[val] != nil {
			run(fr)
			return
		}
		rm := reflect.ValueOf(r[m])
		rm.SetMapIndex(valueOf(r[key], rm.Type().Key()), valueOf(r[val], rm.Type().Elem()))
	}
}

// mendLookup: ixgo fails on a key that is a nil interface.
func mendLookup(f compiled, instr ssa.Instruction, run instruction) instruction {
	in, ok := instr.(*ssa.Lookup)
	if !ok {
		return nil
	}
	t, ok := in.X.Type().Underlying().(*types.Map)
	if !ok || !types.IsInterface(t.Key()) {
		return nil
	}
	m, key, result := f.register(in.X), f.register(in.Index), f.register(in)
	return func(fr *ixgo.Frame) {
		r := registers(fr)
		if r[key] != nil {
			run(fr)
			return
		}
		rm := reflect.ValueOf(r[m])
		v := rm.MapIndex(reflect.Zero(rm.Type().Key()))
		found := v.IsValid()
		if !found {
			v = reflect.Zero(rm.Type().Elem())
		}
		if in.CommaOk {
			r[result] = ixgo.Tuple{v.Interface(), found}
			return
		}
		r[result] = v.Interface()
	}
}

// builtin returns the call that instr is, when it calls the built-in function of that name.
func builtin(instr ssa.Instruction, name string) *ssa.Call {
	if in, ok := instr.(*ssa.Call); ok {
		if b, ok := in.Call.Value.(*ssa.Builtin); ok && b.Name() == name {
			return in
		}
	}
	return nil
}

// mendDelete: ixgo fails on a key that is a nil interface.
func mendDelete(f compiled, instr ssa.Instruction, run instruction) instruction {
	in := builtin(instr, "delete")
	if in == nil || !types.IsInterface(in.Call.Args[0].Type().Underlying().(*types.Map).Key()) {
		return nil
	}
	m, key := f.register(in.Call.Args[0]), f.register(in.Call.Args[1])
	return func(fr *ixgo.Frame) {
		r := registers(fr)
		if r[key] != nil {
			run(fr)
			return
		}
		rm := reflect.ValueOf(r[m])
		rm.SetMapIndex(reflect.Zero(rm.Type().Key()), reflect.Value{})
	}
}

// mendStore: where the address is nil, ixgo panics with an error of reflect. A blank field, which literals alone store
// to, stays zero.
func mendStore(f compiled, instr ssa.Instruction, run instruction) instruction {
	in, ok := instr.(*ssa.Store)
	if !ok {
		return nil
	}
	if addr, ok := in.Addr.(*ssa.FieldAddr); ok && isBlank(addr) {
		return func(*ixgo.Frame) {}
	}
	switch in.Addr.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar, *ssa.FieldAddr, *ssa.IndexAddr:
		return nil // never nil
	}
	addr := f.register(in.Addr)
	return func(fr *ixgo.Frame) {
		if pointerOf(&registers(fr)[addr]) == nil {
			panic(goerror.Nil)
		}
		run(fr)
	}
}

func isBlank(addr *ssa.FieldAddr) bool {
	t := addr.X.Type().Underlying().(*types.Pointer).Elem()
	return t.Underlying().(*types.Struct).Field(addr.Field).Name() == "_"
}

// pointerOf returns the pointer in an interface that holds one: reflect.Value.UnsafePointer in one load.
func pointerOf(v *any) unsafe.Pointer { return (*[2]unsafe.Pointer)(unsafe.Pointer(v))[1] }

// mendWrite lets what is written through an io.Writer go where the session wants it: to the cell that writes.
func (e *Engine) mendWrite(f compiled, instr ssa.Instruction, run instruction) instruction {
	in, ok := instr.(*ssa.Call)
	if !ok || !in.Call.IsInvoke() || in.Call.Method.Name() != "Write" || !types.Identical(in.Call.Signature(), writeSignature) {
		return nil
	}
	w, text := f.register(in.Call.Value), f.register(in.Call.Args[0])
	result, wanted := (*unexported.At[map[ssa.Value]uint32](f.p, funcIndex))[in]
	return func(fr *ixgo.Frame) {
		r := registers(fr)
		file, ok := r[w].(*os.File)
		if !ok || file == nil {
			run(fr)
			return
		}
		to := e.hooks.Writer(file)
		if to == io.Writer(file) {
			run(fr)
			return
		}
		n, err := to.Write(r[text].([]byte))
		if wanted {
			r[result&0xffffff] = ixgo.Tuple{n, err}
		}
	}
}

// writeSignature is that of io.Writer's method.
var writeSignature = func() *types.Signature {
	param := func(t types.Type) *types.Var { return types.NewParam(token.NoPos, nil, "", t) }
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(param(types.NewSlice(types.Typ[types.Byte]))),
		types.NewTuple(param(types.Typ[types.Int]), param(types.Universe.Lookup("error").Type())), false)
}()

// mendInvoke calls the methods of values whose types the program has not compiled. ixgo keeps the method that it has
// found where all goroutines find it, and for a run-time type that another program made calls what reflect.Type.Method
// returns, which is not a function for such types: the process dies. Their methods can be called through their slots
// alone.
func mendInvoke(f compiled, instr ssa.Instruction, run instruction) instruction {
	in, ok := instr.(*ssa.Call)
	if !ok || !in.Call.IsInvoke() {
		return nil
	}
	own := *unexported.At[map[reflect.Type]map[string]*ssa.Function](unsafe.Pointer(*unexported.At[*ixgo.Interp](f.p, funcInterp)), interpMsets)
	name, recv, result := in.Call.Method.Name(), f.register(in.Call.Value), f.register(in)
	args := make([]int, len(in.Call.Args))
	for i, a := range in.Call.Args {
		args[i] = f.register(a)
	}
	variadic := in.Call.Signature().Variadic()
	var last atomic.Pointer[found]
	return func(fr *ixgo.Frame) {
		r := registers(fr)
		v := r[recv]
		if v == nil {
			run(fr) // panics
			return
		}
		m := last.Load()
		if t := reflect.TypeOf(v); m == nil || m.typ != t {
			m = &found{typ: t}
			if _, m.own = own[t]; !m.own && t != typeOfTypes {
				method, ok := t.MethodByName(name)
				m.index, m.own = method.Index, !ok
			} else {
				m.own = true
			}
			last.Store(m)
		}
		if m.own {
			run(fr)
			return
		}
		call := reflect.ValueOf(v).Method(m.index)
		values := make([]reflect.Value, len(args))
		for i, reg := range args {
			values[i] = valueOf(r[reg], call.Type().In(i))
		}
		var out []reflect.Value
		if variadic {
			out = call.CallSlice(values)
		} else {
			out = call.Call(values)
		}
		switch len(out) {
		case 0:
		case 1:
			r[result] = out[0].Interface()
		default:
			t := make(ixgo.Tuple, len(out))
			for i, v := range out {
				t[i] = v.Interface()
			}
			r[result] = t
		}
	}
}

// found is a method that mendInvoke has found.
type found struct {
	typ   reflect.Type
	index int
	own   bool // ixgo calls it
}

// typeOfTypes is the type of reflect.Type values, whose methods ixgo replaces.
var typeOfTypes = reflect.TypeOf(reflect.TypeFor[int]())
