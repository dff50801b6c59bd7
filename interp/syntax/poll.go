package syntax

import (
	"go/ast"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// AddPolls makes every loop and every function in node leave when the session says stop. A poll is one test of a
// variable; nothing else can end a loop in a called function, a closure or a method of an earlier cell: the engine's
// own abort flag is read by the outermost function alone. (Measured on the engine: 1.55x on an empty loop, 1.83x on
// fib.)
func AddPolls(node ast.Node) {
	var nodes []ast.Node // first collected: what is added must not be visited
	ast.Inspect(node, func(n ast.Node) bool {
		nodes = append(nodes, n)
		return true
	})
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.ForStmt:
			prependPoll(n.Body)
		case *ast.RangeStmt:
			prependPoll(n.Body)
		case *ast.FuncLit:
			keepDefers(n.Body)
			prependPoll(n.Body)
		case *ast.FuncDecl:
			keepDefers(n.Body)
			prependPoll(n.Body)
		case *ast.BlockStmt:
			pollGotos(n.List)
		case *ast.CaseClause:
			pollGotos(n.Body)
		case *ast.CommClause:
			pollGotos(n.Body)
		case *ast.LabeledStmt:
			one := []ast.Stmt{n.Stmt}
			pollGotos(one)
			n.Stmt = one[0]
		}
	}
}

func prependPoll(b *ast.BlockStmt) {
	if b != nil {
		b.List = append([]ast.Stmt{leaveIf(engine.StopName, b.Lbrace)}, b.List...)
	}
}

// pollGotos polls before each goto of a list, since a goto backwards is a loop.
func pollGotos(list []ast.Stmt) {
	for i, st := range list {
		if g, ok := st.(*ast.BranchStmt); ok && g.Tok.String() == "goto" {
			list[i] = &ast.BlockStmt{Lbrace: g.Pos(), List: []ast.Stmt{leaveIf(engine.StopName, g.Pos()), g}, Rbrace: g.End()}
		}
	}
}
