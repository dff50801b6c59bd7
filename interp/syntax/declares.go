package syntax

import (
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// DeclaredFunctions returns the names of the functions that a cell declares, methods left out, in their order. Of a
// cell that is a whole program, with a package clause, there are none: it runs its main itself.
func DeclaredFunctions(src string) (names []string) {
	pieces, bad := Split(src)
	if bad != nil {
		return nil
	}
	for _, p := range pieces {
		if p.Kind == KindPackage {
			return nil
		}
		if p.Kind != KindDecl {
			continue
		}
		file, _ := parser.ParseFile(token.NewFileSet(), "", "package p\n"+src[p.Start:p.End], parser.SkipObjectResolution)
		if file == nil {
			continue
		}
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && !engine.IsInit(fn) && fn.Name.Name != "_" {
				names = append(names, fn.Name.Name)
			}
		}
	}
	return names
}

// DeclaredAs is the name of a function, of a method as Type.Method; "" when its receiver names no type.
func DeclaredAs(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) != 1 {
		return fn.Name.Name
	}
	if base := ReceiverBase(fn.Recv.List[0].Type); base != nil {
		return base.Name + "." + fn.Name.Name
	}
	return ""
}

// ReceiverBase returns the type that a receiver names, nil when it names none.
func ReceiverBase(x ast.Expr) *ast.Ident {
	for {
		switch y := x.(type) {
		case *ast.Ident:
			return y
		case *ast.StarExpr:
			x = y.X
		case *ast.ParenExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.IndexListExpr:
			x = y.X
		default:
			return nil
		}
	}
}
