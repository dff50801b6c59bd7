package ixgo

import (
	"go/types"
	"reflect"
	"strings"
	"unsafe"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/internal/goerror"
	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// ixgo panics with errors of its own types, whose texts are nearly Go's. It asks before, so Go's own errors take their
// place where they begin: a cell that recovers one sees what compiled code sees, and so does compiled code that calls a
// cell's function.

// goPanics puts Go's error in the place of ixgo's.
func goPanics(info *ixgo.PanicInfo) {
	switch e := info.Error.(type) {
	case ixgo.PlainError:
		info.Error = goerror.Plain(string(e))
	case ixgo.RuntimeError:
		info.Error = goError(strings.TrimPrefix(string(e), "runtime error: "), info.Frame)
	}
}

// goError is Go's error of a text at the instruction that fr executes.
func goError(text string, fr *ixgo.Frame) error {
	if text == strings.TrimPrefix(goerror.Nil.Error(), "runtime error: ") {
		return goerror.Nil
	}
	if text == "makechan: size out of range" {
		return goerror.Plain(text)
	}
	if array, slice, ok := goerror.ReadConvert(text); ok {
		return goerror.OutOfRange(goerror.Convert, int64(array), true, slice)
	}
	if !strings.Contains(text, "out of range [") {
		return goerror.Text(text)
	}
	f := compiled{*unexported.At[unsafe.Pointer](unsafe.Pointer(fr), frameFunc)}
	instrs, next := *unexported.At[[]ssa.Instruction](f.p, funcInstrs), nextOf(fr)
	if next < 1 || next > len(instrs) {
		return goerror.Text(text)
	}
	r := registers(fr)
	index := func(x, i ssa.Value) error {
		return goerror.IndexOutOfRange(instrs[next-1], integer(r[f.register(i)]), elements(r[f.register(x)]).Len())
	}
	var err error
	switch in := instrs[next-1].(type) {
	case *ssa.IndexAddr:
		err = index(in.X, in.Index)
	case *ssa.Index:
		err = index(in.X, in.Index)
	case *ssa.Slice:
		err = f.sliceError(in, r)
	}
	if err == nil {
		return goerror.Text(text)
	}
	return err
}

// elements is an array, a slice or a string in a register, or the array behind a pointer.
func elements(v any) reflect.Value {
	rv := reflect.ValueOf(v)
	if rv.Kind() == reflect.Pointer {
		rv = rv.Elem()
	}
	return rv
}

// sliceError is the error of a slice expression with these registers, nil when its bounds are right.
func (f compiled) sliceError(in *ssa.Slice, r []any) error {
	x := elements(r[f.register(in.X)])
	n := x.Len()
	capacity := n
	if x.Kind() != reflect.String {
		capacity = x.Cap()
	}
	bound := func(v ssa.Value, otherwise int) int64 {
		if v == nil {
			return int64(otherwise)
		}
		return integer(r[f.register(v)])
	}
	return goerror.Slice(in, bound(in.Low, 0), bound(in.High, n), bound(in.Max, capacity), n, capacity)
}

// mendSlice: of arrays, ixgo takes a slice expression for a make where the array is a variable of the function, panics
// with a string where the lower bound is too large, and with another where the array is nil.
func mendSlice(f compiled, instr ssa.Instruction, run instruction) instruction {
	in, ok := instr.(*ssa.Slice)
	if !ok {
		return nil
	}
	if _, ok := in.X.Type().Underlying().(*types.Pointer); !ok {
		return nil
	}
	if _, ok := in.X.(*ssa.Alloc); ok && in.Low == nil && in.High == nil && in.Max == nil {
		return nil
	}
	array := f.register(in.X)
	return func(fr *ixgo.Frame) {
		r := registers(fr)
		if pointerOf(&r[array]) == nil {
			panic(goerror.Nil)
		}
		if err := f.sliceError(in, r); err != nil {
			panic(err)
		}
		run(fr)
	}
}

// mendMakeSlice: ixgo panics with a string where the length is larger than the capacity.
func mendMakeSlice(f compiled, instr ssa.Instruction, run instruction) instruction {
	in, ok := instr.(*ssa.MakeSlice)
	if !ok || in.Len == in.Cap {
		return nil
	}
	length, capacity := f.register(in.Len), f.register(in.Cap)
	return func(fr *ixgo.Frame) {
		r := registers(fr)
		if n, most := integer(r[length]), integer(r[capacity]); n >= 0 && most >= 0 && n > most {
			panic(goerror.Text("makeslice: cap out of range"))
		}
		run(fr)
	}
}

// mendStringIndex: ixgo takes a large index without a sign for a negative one.
func mendStringIndex(f compiled, instr ssa.Instruction, run instruction) instruction {
	in, ok := instr.(*ssa.Lookup)
	if !ok || !goerror.UnsignedIndex(in) {
		return nil
	}
	if _, isMap := in.X.Type().Underlying().(*types.Map); isMap {
		return nil
	}
	text, index := f.register(in.X), f.register(in.Index)
	return func(fr *ixgo.Frame) {
		r := registers(fr)
		if i := integer(r[index]); i < 0 {
			panic(goerror.IndexOutOfRange(in, i, int(length(&r[text]))))
		}
		run(fr)
	}
}

// mendNilCall: ixgo panics with a string where a deferred function is nil, when it calls it, and with that of package
// reflect in a new goroutine. Go ends the process at the go statement.
func mendNilCall(f compiled, instr ssa.Instruction, run instruction) instruction {
	in, ok := instr.(ssa.CallInstruction)
	if !ok || in.Common().IsInvoke() || in.Common().StaticCallee() != nil {
		return nil
	}
	if _, ok := in.Common().Value.(*ssa.Builtin); ok {
		return nil
	}
	fn := f.register(in.Common().Value)
	switch instr.(type) {
	case *ssa.Call:
		return nil
	case *ssa.Go:
		return func(fr *ixgo.Frame) {
			if pointerOf(&registers(fr)[fn]) == nil {
				panic(goerror.Fatal("go of nil func value"))
			}
			run(fr)
		}
	}
	return func(fr *ixgo.Frame) {
		r := registers(fr)
		if none := r[fn]; pointerOf(&r[fn]) == nil {
			defer func() { r[fn] = none }()
			r[fn] = reflect.MakeFunc(reflect.TypeOf(none), func([]reflect.Value) []reflect.Value { panic(goerror.Nil) }).Interface()
		}
		run(fr)
	}
}
