package operators

import (
	"go/ast"
	"go/parser"
)

// isTypeList reports whether the parts of an index could all be types for Go's parser, as those in F[[2]int, chan<- T]:
// whether they are, or values of an index such as x[i, j], only the checker knows.
func isTypeList(text string, parts []part) bool {
	for _, p := range parts {
		x, err := parser.ParseExpr(text[p.bounds[0][0]:p.bounds[0][1]])
		if err != nil || !isType(x) {
			return false
		}
	}
	return true
}

// isType reports whether Go's parser takes x for a type.
func isType(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return isType(x.X)
	case *ast.StarExpr:
		return isType(x.X)
	case *ast.IndexExpr:
		return isTypeName(x.X) && isType(x.Index)
	case *ast.IndexListExpr:
		for _, arg := range x.Indices {
			if !isType(arg) {
				return false
			}
		}
		return isTypeName(x.X)
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType:
		return true
	}
	return isTypeName(x)
}

// isTypeName reports whether x is a name or one of a package.
func isTypeName(x ast.Expr) bool {
	if sel, ok := x.(*ast.SelectorExpr); ok {
		x = sel.X
	}
	_, ok := x.(*ast.Ident)
	return ok
}
