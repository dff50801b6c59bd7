package ixgo

import (
	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// oneFunction: ixgo v1.1.1 makes a value of a declared function wherever one is mentioned, so that reflect and unsafe
// see another function each time. Go has one. C code that was translated to Go, as modernc.org/sqlite, takes functions
// out of interfaces as numbers and compares them. Programs of different cells still have values of their own.
type oneFunction map[*ssa.Function]any

// needsOne reports whether an instruction puts a declared function that is interpreted into an interface.
func needsOne(instr ssa.Instruction) (fn *ssa.Function, in *ssa.MakeInterface) {
	in, ok := instr.(*ssa.MakeInterface)
	if !ok {
		return nil, nil
	}
	if fn, ok = in.X.(*ssa.Function); !ok || len(fn.Blocks) == 0 {
		return nil, nil
	}
	return fn, in
}

func (one oneFunction) mend(f compiled, instr ssa.Instruction) instruction {
	fn, in := needsOne(instr)
	if fn == nil {
		return nil
	}
	if _, has := (*unexported.At[map[ssa.Value]uint32](f.p, funcIndex))[fn]; !has {
		return nil
	}
	v, ok := one[fn]
	if !ok {
		v = (*unexported.At[[]any](f.p, funcStack))[f.register(in.X)]
		one[fn] = v
	}
	result := f.register(in)
	return func(fr *ixgo.Frame) { registers(fr)[result] = v }
}
