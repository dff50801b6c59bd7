package ixgo

import (
	"go/types"
	"reflect"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/mapguard"
)

// While more than one goroutine executes code of cells, instructions on maps stand in the table of mapguard.go. What
// compiled code does with a map does not: when that and a goroutine of a cell, or two of compiled code, use a map at
// the same time, the process ends, with a trace of compiled frames. So that it tells the line of the cell, instructions
// on maps run inside a function whose arguments are the line: a trace shows the arguments of functions, as hexadecimal
// numbers, and package kernel looks for this one. It costs a call, where a map instruction costs fifty.

// usesMap returns the map that an instruction uses, nil for others.
func usesMap(instr ssa.Instruction) (m ssa.Value, use mapguard.Access) {
	switch in := instr.(type) {
	case *ssa.MapUpdate:
		return in.Map, mapguard.Written
	case *ssa.Lookup:
		m, use = in.X, mapguard.Read
	case *ssa.Next:
		if of, ok := in.Iter.(*ssa.Range); ok {
			m, use = of.X, mapguard.Iterated
		}
	case *ssa.Call:
		if _, ok := isMapBuiltin(in.Call.Value); ok {
			m, use = in.Call.Args[0], mapguard.Written
		}
	}
	if m != nil && isMap(m) {
		return m, use
	}
	return nil, 0
}

func isMap(v ssa.Value) bool {
	_, ok := v.Type().Underlying().(*types.Map)
	return ok
}

// mendMapUse guards an instruction on a map.
func (e *Engine) mendMapUse(f compiled, instr ssa.Instruction, run instruction) instruction {
	m, use := usesMap(instr)
	if m == nil || !f.holds(m) {
		return nil
	}
	run = e.markSite(instr, run)
	reg := f.register(m)
	return func(fr *ixgo.Frame) {
		if e.parallel.Load() {
			if p := pointerOf(&registers(fr)[reg]); p != nil {
				defer mapguard.Use(p, use).Leave(use)
			}
		}
		run(fr)
	}
}

// Parallel reports whether more than one goroutine may execute code of cells.
func (e *Engine) Parallel() bool { return e.parallel.Load() }

// mapBuiltin is a call of delete or clear that is deferred, or runs on a goroutine of its own.
func (e *Engine) mapBuiltin(name string, args []any) {
	v := reflect.ValueOf(args[0])
	if v.Kind() == reflect.Map && !v.IsNil() && e.parallel.Load() {
		defer mapguard.Use(v.UnsafePointer(), mapguard.Written).Leave(mapguard.Written)
	}
	if name == "clear" {
		v.Clear()
		return
	}
	v.SetMapIndex(valueOf(args[1], v.Type().Key()), reflect.Value{})
}

// isMapBuiltin reports whether mapBuiltin makes the calls of a function.
func isMapBuiltin(fn any) (name string, ok bool) {
	b, ok := fn.(*ssa.Builtin)
	if !ok || b.Name() != "delete" && b.Name() != "clear" {
		return "", false
	}
	return b.Name(), true
}

// mendGoBuiltin returns a go statement with delete or clear, nil for others.
func (e *Engine) mendGoBuiltin(f compiled, in *ssa.Go) instruction {
	name, ok := isMapBuiltin(in.Call.Value)
	if !ok {
		return nil
	}
	regs := make([]int, len(in.Call.Args))
	for i, a := range in.Call.Args {
		regs[i] = f.register(a)
	}
	return func(fr *ixgo.Frame) {
		args := make([]any, len(regs))
		for i, r := range regs {
			args[i] = registers(fr)[r]
		}
		trace := framesOf(fr, e.ctx.FileSet)
		go func() {
			defer func() {
				if v := recover(); v != nil {
					e.hooks.GoPanic(v, trace)
				}
			}()
			e.mapBuiltin(name, args)
		}()
	}
}

// markSite runs an instruction inside mapCrashSite.
func (e *Engine) markSite(instr ssa.Instruction, run instruction) instruction {
	pos := instr.Pos()
	if up, ok := instr.(*ssa.MapUpdate); ok && !pos.IsValid() {
		pos = up.Map.Pos()
	}
	at := e.ctx.FileSet.Position(pos)
	frames := engine.AddFrame(nil, "", at.String())
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
