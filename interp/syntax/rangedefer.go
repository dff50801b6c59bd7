package syntax

import (
	"go/ast"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// keepDefers gives a function that defers only inside range loops a defer of its own. When such a loop is over a
// function, its body is a closure, and go/ssa v0.52.0 removes the running of deferred calls from a function that seems
// to have none (lift.go counts the function's own defers only).
func keepDefers(body *ast.BlockStmt) {
	if body != nil && defersInRange(body) {
		d := &ast.DeferStmt{Defer: body.Lbrace, Call: CallOf(engine.IgnoreName, body.Lbrace)}
		body.List = append([]ast.Stmt{d}, body.List...)
	}
}

// defersInRange reports whether n has a range loop with a defer statement, function literals aside.
func defersInRange(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.RangeStmt:
			ast.Inspect(n.Body, func(n ast.Node) bool {
				switch n.(type) {
				case *ast.FuncLit:
					return false
				case *ast.DeferStmt:
					found = true
				}
				return !found
			})
		}
		return !found
	})
	return found
}
