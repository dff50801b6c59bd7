package interp

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"

	"github.com/arrayrepl/arrayrepl/interp/supervise"
	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// Cells have a t, for functions that want a *testing.T: testify's assertions, those of other modules and of the cells
// themselves. It is there where such a function is called with it, or a method of a test is, and cells have no t of
// their own. So a t that nobody has declared is an undefined name everywhere else.

const (
	testerName  = "t"
	testerPath  = supervise.TesterPath
	testerAlias = "celltest·" // cells cannot hide it
)

// testerCall is what t becomes where call takes it; want gets the import.
func (s *Session) testerCall(l *lowered, call *ast.CallExpr, want map[string]string) {
	if l.Src.Whole || !s.installed[testerPath] {
		return
	}
	free := func(x ast.Expr) bool {
		id, ok := x.(*ast.Ident)
		return ok && id.Name == testerName && id.Obj == nil && !l.Names[testerName] && s.names[testerName] == nil
	}
	put := func(x *ast.Expr) {
		at := (*x).Pos()
		*x = &ast.CallExpr{Fun: &ast.SelectorExpr{X: syntax.IdentAt(testerAlias, at), Sel: syntax.IdentAt("T", at)}, Lparen: at, Rparen: at}
		want[testerAlias] = testerPath
	}
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok && free(sel.X) && slices.Contains(testerMethods, sel.Sel.Name) {
		put(&sel.X)
	}
	for i, arg := range call.Args {
		if free(arg) && s.takesTester(l, call.Fun, i) {
			put(&call.Args[i])
		}
	}
}

// IsTester reports whether obj is the function whose call t becomes.
func IsTester(obj types.Object) bool {
	return obj.Pkg() != nil && obj.Pkg().Path() == testerPath && obj.Name() == "T"
}

// testerMethods are those of a test that cells call by themselves.
var testerMethods = []string{"Error", "Errorf", "Fail", "FailNow", "Failed", "Fatal", "Fatalf", "Helper", "Log", "Logf", "Name"}

// takesTester reports whether the function f has a test as parameter i.
func (s *Session) takesTester(l *lowered, f ast.Expr, i int) bool {
	var obj types.Object
	switch f := f.(type) {
	case *ast.SelectorExpr:
		pkg, ok := f.X.(*ast.Ident)
		if !ok || pkg.Obj != nil || l.Names[pkg.Name] || s.names[pkg.Name] != nil {
			return false
		}
		if p, err := s.importPackage(s.pathOf(l, pkg.Name)); err == nil {
			obj = p.Scope().Lookup(f.Sel.Name)
		}
	case *ast.Ident:
		if f.Obj != nil {
			decl, ok := f.Obj.Decl.(*ast.FuncDecl)
			return ok && declaredTester(decl, i)
		}
		for _, d := range l.File.Decls {
			if decl, ok := d.(*ast.FuncDecl); ok && decl.Recv == nil && decl.Name.Name == f.Name {
				return declaredTester(decl, i)
			}
		}
		obj = s.names[f.Name]
	}
	if obj == nil {
		return false
	}
	sig, ok := obj.Type().Underlying().(*types.Signature)
	return ok && i < sig.Params().Len() && isTester(sig.Params().At(i).Type())
}

// pathOf is the import path of the package that a cell calls name, "" of none.
func (s *Session) pathOf(l *lowered, name string) string {
	for _, imp := range l.File.Imports {
		if s.importName(imp) == name {
			path, err := strconv.Unquote(imp.Path.Value)
			if err == nil {
				return path
			}
		}
	}
	if p := s.imports[name]; p != "" {
		return p
	}
	return s.auto[name]
}

// isTester reports whether t is an interface that tests have, by their way to fail.
func isTester(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for m := range i.Methods() {
		switch m.Name() {
		case "Errorf", "Fatalf", "Fail", "FailNow":
			return true
		}
	}
	return false
}

// declaredTester is isTester for a function of the cell, whose types are not known yet.
func declaredTester(f *ast.FuncDecl, i int) bool {
	for _, field := range f.Type.Params.List {
		if i -= max(len(field.Names), 1); i < 0 {
			name := field.Type
			if sel, ok := name.(*ast.SelectorExpr); ok {
				name = sel.Sel
			}
			id, ok := name.(*ast.Ident)
			return ok && (id.Name == "TestingT" || id.Name == "TestingTB")
		}
	}
	return false
}
