package gosrc

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// parse makes a Source of the text of a package that imports nothing.
func parse(t testing.TB, text string) (*Source, *types.Package) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "k.go", "package k\n"+text, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	conf := types.Config{Importer: importer.Default()}
	pkg, err := conf.Check("k", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	decls := map[*types.Func]*ast.FuncDecl{}
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok {
			decls[info.Defs[fd.Name].(*types.Func)] = fd
		}
	}
	return &Source{Fset: fset, Body: func(fn *types.Func) (*ast.FuncDecl, *types.Info) { return decls[fn], info }}, pkg
}

// A generic function is a kernel for the type arguments that it is given.
func TestGeneric(t *testing.T) {
	src, pkg := parse(t, `
func double[T float32 | float64](x []T) { x[0] = twice(x[0]) }
func twice[T float32 | float64](x T) T { return 2 * x }
`)
	fn := pkg.Scope().Lookup("double").(*types.Func)
	for _, basic := range []types.BasicKind{types.Float32, types.Float64} {
		k, err := Compile(src, fn, []types.Type{types.Typ[basic]}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := k.Params[0].Leaves[0].ElemBytes; got != map[types.BasicKind]int{types.Float32: 4, types.Float64: 8}[basic] {
			t.Errorf("elements of %d bytes for %v", got, types.Typ[basic])
		}
	}
}
