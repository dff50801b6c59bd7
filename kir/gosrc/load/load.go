// Package load reads Go packages with their syntax, for package gosrc to compile their functions: in tests, and in the
// step of go generate that makes kernels of a program known.
//
// Start with [Load].
package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/arrayrepl/arrayrepl/kir/gosrc"
)

// Package is a package with its syntax.
type Package struct {
	*packages.Package
	Source *gosrc.Source
}

// Load reads the package that pattern names, as the go command would in dir.
func Load(dir, pattern string) (*Package, error) {
	mode := packages.NeedName | packages.NeedFiles | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedImports
	pkgs, err := packages.Load(&packages.Config{Mode: mode, Dir: dir}, pattern)
	if err != nil {
		return nil, err
	}
	if len(pkgs) != 1 {
		return nil, fmt.Errorf("%s names %d packages, not one", pattern, len(pkgs))
	}
	p := pkgs[0]
	var errs []error
	for _, e := range p.Errors {
		errs = append(errs, e)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	decls := map[*types.Func]*ast.FuncDecl{}
	for _, f := range p.Syntax {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok {
				if fn, ok := p.TypesInfo.Defs[fd.Name].(*types.Func); ok {
					decls[fn] = fd
				}
			}
		}
	}
	return &Package{p, &gosrc.Source{
		Fset: p.Fset,
		Body: func(fn *types.Func) (*ast.FuncDecl, *types.Info) { return decls[fn], p.TypesInfo },
	}}, nil
}

// Func returns the package's function of the given name.
func (p *Package) Func(name string) (*types.Func, error) {
	fn, ok := p.Types.Scope().Lookup(name).(*types.Func)
	if !ok {
		return nil, fmt.Errorf("package %s has no function %s", p.PkgPath, name)
	}
	return fn, nil
}
