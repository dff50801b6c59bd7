package ixgo

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// ixgo compiles a function in one step, which takes seconds where a cell has a million numbers. While it does, it asks
// for the type of each operand of each instruction. So among the instructions of large programs stand some that do
// nothing, whose operand looks whether the program is still wanted when its type is asked for.

// pollEvery is how many instructions lie between two looks.
const pollEvery = 1000

// lookout is the operand.
type lookout struct {
	ssa.Value
	stop func() bool
}

// Type implements ssa.Value. It panics with engine.ErrStopped when nobody wants the program.
func (l lookout) Type() types.Type {
	if l.stop() {
		panic(engine.ErrStopped)
	}
	return types.Typ[types.Int]
}

// looks are those of one program.
type looks struct {
	stop   func() bool
	n      int // instructions since the last look
	before map[*ssa.BasicBlock][]ssa.Instruction
}

// add puts looks among the instructions of the functions that decls declare and that pkg has, until remove takes them
// out.
func (l *looks) add(pkg *ssa.Package, decls []ast.Decl, info *types.Info) {
	for _, m := range pkg.Members {
		if fn, ok := m.(*ssa.Function); ok {
			l.function(fn)
		}
	}
	for _, d := range decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
			if obj, ok := info.Defs[fn.Name].(*types.Func); ok {
				l.function(pkg.Prog.FuncValue(obj))
			}
		}
	}
}

func (l *looks) function(fn *ssa.Function) {
	if fn == nil {
		return
	}
	for _, b := range fn.Blocks {
		if l.n += len(b.Instrs); l.n < pollEvery {
			continue
		}
		if l.before == nil {
			l.before = map[*ssa.BasicBlock][]ssa.Instruction{}
		}
		l.before[b] = b.Instrs
		b.Instrs = withLooks(b.Instrs, &ssa.DebugRef{Expr: ast.NewIdent("_"), X: lookout{stop: l.stop}})
		l.n = 0
	}
	for _, in := range fn.AnonFuncs {
		l.function(in)
	}
}

func (l *looks) remove() {
	for b, instrs := range l.before {
		b.Instrs = instrs
	}
}

// withLooks returns the instructions of a block with looks among them, and one before the last.
func withLooks(instrs []ssa.Instruction, at *ssa.DebugRef) []ssa.Instruction {
	out := make([]ssa.Instruction, 0, len(instrs)+len(instrs)/pollEvery+1)
	for n, in := range instrs {
		if _, phi := in.(*ssa.Phi); n == len(instrs)-1 || n > 0 && n%pollEvery == 0 && !phi {
			out = append(out, at)
		}
		out = append(out, in)
	}
	return out
}
