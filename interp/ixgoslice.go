package interp

import (
	"go/types"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"
)

// mendSlice: of a nil pointer to an array, ixgo panics with a text of its own.
func mendSlice(f compiled, instr ssa.Instruction, run instruction) instruction {
	in, ok := instr.(*ssa.Slice)
	if !ok {
		return nil
	}
	if _, ok := in.X.Type().Underlying().(*types.Pointer); !ok {
		return nil
	}
	switch in.X.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar, *ssa.FieldAddr, *ssa.IndexAddr:
		return nil // never nil
	}
	addr := f.register(in.X)
	return func(fr *ixgo.Frame) {
		if pointerOf(&registers(fr)[addr]) == nil {
			var none *int
			*none = 0
		}
		run(fr)
	}
}
