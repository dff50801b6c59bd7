package interp

import (
	"go/types"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// go/ssa makes a member for each name of a compiled package that a program imports. A cell names a few functions of packages that have
// hundreds, so it gets what it names, and the types with their methods, which code may come to without a name.

// namedTypes are the types that compiled packages declare.
type namedTypes map[*types.Package][]types.Object

// of returns the types that pkg declares.
func (n *namedTypes) of(pkg *types.Package) []types.Object {
	list, ok := (*n)[pkg]
	if !ok {
		for _, name := range pkg.Scope().Names() {
			if tn, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok {
				list = append(list, tn)
			}
		}
		if *n == nil {
			*n = namedTypes{}
		}
		(*n)[pkg] = list
	}
	return list
}

// programPackages is where a program of go/ssa finds its packages.
var programPackages = internalField[ssa.Program]("packages", reflect.TypeFor[map[*types.Package]*ssa.Package]())

// createCompiled adds to prog what p uses of packages that it does not bring.
func (e *ixgoEngine) createCompiled(prog *ssa.Program, p *Program) {
	used := map[*types.Package][]types.Object{}
	for _, obj := range p.Used {
		used[obj.Pkg()] = append(used[obj.Pkg()], obj)
	}
	packages := *at[map[*types.Package]*ssa.Package](unsafe.Pointer(prog), programPackages)
	create := func(pkg *types.Package, importable bool) {
		part := types.NewPackage(pkg.Path(), pkg.Name())
		for _, objs := range [][]types.Object{e.named.of(pkg), used[pkg]} {
			for _, obj := range objs {
				if f, ok := obj.(*types.Func); !ok || f.Signature().Recv() == nil {
					part.Scope().Insert(obj)
				}
			}
		}
		created := prog.CreatePackage(part, nil, nil, importable)
		created.Pkg = pkg
		delete(packages, part)
		packages[pkg] = created
	}
	for _, pkg := range p.Imports {
		create(pkg, true)
	}
	create(p.Guard, false)
}
