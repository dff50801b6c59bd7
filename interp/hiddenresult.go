package interp

import (
	"go/ast"
	"go/types"
	"strings"
)

// quiet reports whether the last expression is a call whose results say no more than whether it went well: a single
// error, or the n and err of something that prints or writes. They are shown only when the error is not nil.
func (c *checked) quiet() bool {
	if c.last == nil {
		return false
	}
	call, ok := ast.Unparen(c.value).(*ast.CallExpr)
	if !ok {
		return false
	}
	isError := func(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }
	results, ok := c.info.TypeOf(call).(*types.Tuple)
	if !ok {
		return isError(c.info.TypeOf(call))
	}
	return results.Len() == 2 && isInteger(results.At(0).Type()) && isError(results.At(1).Type()) && writes(call.Fun)
}

// writes reports whether a function is named as those that print or write are.
func writes(fn ast.Expr) bool {
	name := ""
	switch fn := ast.Unparen(fn).(type) {
	case *ast.Ident:
		name = fn.Name
	case *ast.SelectorExpr:
		name = fn.Sel.Name
	}
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "print") || strings.HasPrefix(name, "fprint") || strings.HasPrefix(name, "write")
}
