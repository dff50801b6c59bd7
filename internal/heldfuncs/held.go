// Package heldfuncs finds the function literals that variables hold for good.
package heldfuncs

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Find returns the variables that are declared with a function literal under root and that nothing under root gives
// another value, and those that something there may give one: assignments, loops over them, and addresses that are
// taken. Its cost grows with the size of root.
//
//	k := func(x []float32) { … } // k holds the literal, if nothing assigns to it
func Find(info *types.Info, root ast.Node) (held map[*types.Var]*ast.FuncLit, changed map[*types.Var]bool) {
	held, changed = map[*types.Var]*ast.FuncLit{}, map[*types.Var]bool{}
	declare := func(id *ast.Ident, value ast.Expr) {
		v, ok := info.Defs[id].(*types.Var)
		lit, literal := ast.Unparen(value).(*ast.FuncLit)
		if ok && literal {
			held[v] = lit
		}
	}
	change := func(x ast.Expr) {
		if id, ok := ast.Unparen(x).(*ast.Ident); ok {
			if v, ok := info.Uses[id].(*types.Var); ok {
				changed[v] = true
			}
		}
	}
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if len(n.Values) == len(n.Names) {
					declare(id, n.Values[i])
				}
			}
		case *ast.AssignStmt:
			for i, x := range n.Lhs {
				if id, ok := x.(*ast.Ident); ok && n.Tok == token.DEFINE && len(n.Lhs) == len(n.Rhs) {
					declare(id, n.Rhs[i])
				}
				change(x) // of :=, those that were declared before
			}
		case *ast.RangeStmt:
			change(n.Key)
			change(n.Value)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				change(n.X)
			}
		}
		return true
	})
	for v := range changed {
		delete(held, v)
	}
	return held, changed
}
