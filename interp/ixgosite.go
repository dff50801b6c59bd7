package interp

import (
	"go/types"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"
)

// Two goroutines that use a map at the same time end the process, with a trace of compiled frames. So that it tells the line
// of the cell, instructions on maps run inside a function whose arguments are the line: a trace shows the arguments of
// functions, as hexadecimal numbers, and package kernel looks for this one. It costs a call, where a map instruction costs
// fifty.

// usesMap reports whether an instruction reads or writes a map.
func usesMap(instr ssa.Instruction) bool {
	switch in := instr.(type) {
	case *ssa.MapUpdate:
		return true
	case *ssa.Lookup:
		_, ok := in.X.Type().Underlying().(*types.Map)
		return ok
	case *ssa.Next:
		return !in.IsString
	}
	return builtin(instr, "delete") != nil
}

// markSite runs an instruction inside mapCrashSite.
func (e *ixgoEngine) markSite(instr ssa.Instruction, run instruction) instruction {
	pos := instr.Pos()
	if up, ok := instr.(*ssa.MapUpdate); ok && !pos.IsValid() {
		pos = up.Map.Pos()
	}
	at := e.ctx.FileSet.Position(pos)
	frames := addFrame(nil, "", at.String())
	if len(frames) == 0 {
		return run
	}
	cell, line := frames[0].Cell, frames[0].Line
	return func(fr *ixgo.Frame) { mapCrashSite(cell, line, run, fr) }
}

// mapCrashSite runs an instruction on a map. That the numbers are looked at afterwards keeps them on the stack.
//
//go:noinline
func mapCrashSite(cell, line int, run instruction, fr *ixgo.Frame) {
	run(fr)
	if cell < 0 && line < 0 {
		panic("no such line")
	}
}
