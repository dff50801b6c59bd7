package interp

import (
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// DeclaredFunctions returns the names of the functions that a cell declares, methods left out, in their order. Of a
// cell that is a whole program, with a package clause, there are none: it runs its main itself.
func DeclaredFunctions(src string) (names []string) {
	pieces, bad := split(src)
	if bad != nil {
		return nil
	}
	for _, p := range pieces {
		if p.kind == kindPackage {
			return nil
		}
		if p.kind != kindDecl {
			continue
		}
		file, _ := parser.ParseFile(token.NewFileSet(), "", "package p\n"+src[p.start:p.end], parser.SkipObjectResolution)
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
