package interp

import (
	"go/ast"
	"go/types"
	"strings"
)

// wantedNames completes the checker's message about the number of a call's arguments: it lists the types that the
// function wants, and a person needs the names of its parameters.
func (s *Session) wantedNames(c *checked, e types.Error, msg string) string {
	if !strings.HasPrefix(msg, "not enough arguments in call to ") && !strings.HasPrefix(msg, "too many arguments in call to ") {
		return msg
	}
	before, _, found := strings.Cut(msg, "\n\twant (")
	if !found {
		return msg
	}
	var call *ast.CallExpr
	ast.Inspect(c.File, func(n ast.Node) bool {
		if n, ok := n.(*ast.CallExpr); ok && n.Lparen < e.Pos && e.Pos < n.End() {
			call = n // inner ones come after those around them
		}
		return true
	})
	if call == nil {
		return msg
	}
	var name *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		name = f
	case *ast.SelectorExpr:
		name = f.Sel
	default:
		return msg
	}
	fn, ok := c.info.Uses[name].(*types.Func)
	if !ok || fn.Signature().TypeParams().Len() > 0 {
		return msg
	}
	return before + "\n\twant " + s.assistant.Parameters(fn)
}
