package ixgo

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/goplus/ixgo"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/arrayrepl/arrayrepl/interp/internal/typeinfo"
)

// Of some instructions ixgo computes the result beforehand, as their operands are known, and fails: a division by zero,
// and what package reflect does not convert. They are hidden from it, and run as they are.

// hidden are the instructions that were hidden, with their own operands.
type hidden struct {
	faults      map[*ssa.BinOp]ssa.Value
	conversions map[*ssa.ChangeType]hiddenGlobal
}

// hiddenGlobal is a package variable that ixgo does not see as one, so that it does not ask for its address beforehand.
type hiddenGlobal struct{ *ssa.Global }

// hide finds the instructions and hides them.
func hide(prog *ssa.Program) hidden {
	h := hidden{map[*ssa.BinOp]ssa.Value{}, map[*ssa.ChangeType]hiddenGlobal{}}
	for fn := range ssautil.AllFunctions(prog) {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				switch in := instr.(type) {
				case *ssa.BinOp:
					h.fault(in)
				case *ssa.ChangeType:
					h.conversion(in)
				}
			}
		}
	}
	return h
}

// fault hides an integer division of two constants whose second is zero, or a shift of a constant by a negative one,
// which appear when go/ssa has followed variables. The second is one until ixgo has compiled them.
func (h hidden) fault(in *ssa.BinOp) {
	c, ok := in.Y.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int || !typeinfo.IsInteger(c.Type()) {
		return
	}
	switch sign := constant.Sign(c.Value); {
	case (in.Op == token.QUO || in.Op == token.REM) && sign == 0, (in.Op == token.SHL || in.Op == token.SHR) && sign < 0:
		h.faults[in] = in.Y
		in.Y = ssa.NewConst(constant.MakeInt64(1), c.Type())
	}
}

// conversion hides the conversion of a zero value, which is the zero value of the other type, and that of a variable's
// address.
func (h hidden) conversion(in *ssa.ChangeType) {
	switch x := in.X.(type) {
	case *ssa.Const:
		if x.Value == nil && !types.IsInterface(in.Type()) {
			in.X = ssa.NewConst(nil, in.Type())
		}
	case *ssa.Global:
		g := hiddenGlobal{x}
		h.conversions[in] = g
		in.X = g
	}
}

// show gives the instructions their own operands again.
func (h hidden) show() {
	for in, y := range h.faults {
		in.Y = y
	}
	for in, g := range h.conversions {
		in.X = g.Global
	}
}

// mendHidden returns what is to run in the place of a hidden instruction, nil for others.
func (e *Engine) mendHidden(h hidden, i *ixgo.Interp, f compiled, instr ssa.Instruction, run instruction) instruction {
	switch in := instr.(type) {
	case *ssa.BinOp:
		switch {
		case h.faults[in] == nil:
		case in.Op == token.QUO || in.Op == token.REM:
			return divideByZero
		default:
			return shiftByNegative
		}
	case *ssa.ChangeType:
		g, ok := h.conversions[in]
		if !ok {
			break
		}
		addr, x := e.globalAddress(i, g.Global), f.register(g)
		return func(fr *ixgo.Frame) {
			registers(fr)[x] = addr
			run(fr)
		}
	}
	return nil
}

// globalAddress is the address of a package variable: the program's own, that of an earlier cell, or a compiled one.
func (e *Engine) globalAddress(i *ixgo.Interp, g *ssa.Global) any {
	if p, ok := e.loader.Installed(g.Pkg.Pkg.Path()); ok {
		if v, ok := p.Vars[g.Name()]; ok {
			return v.Interface()
		}
	}
	const key = "var·"
	members := i.MainPkg().Members
	defer delete(members, key)
	members[key] = g
	addr, ok := i.GetVarAddr(key)
	if !ok {
		panic(fmt.Sprintf("the variable %s has no address", g.Name()))
	}
	return addr
}

// divideByZero panics as Go does.
func divideByZero(*ixgo.Frame) {
	zero := 0
	_ = 1 / zero
}

// shiftByNegative panics as Go does.
func shiftByNegative(*ixgo.Frame) {
	count := -1
	_ = 1 << count
}
