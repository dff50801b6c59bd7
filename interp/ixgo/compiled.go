package ixgo

import (
	"go/types"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// go/ssa makes a member for each name of a compiled package that a program imports. A cell names a few functions of
// packages that have hundreds, so it gets what it names, and the types with their methods, which code may come to
// without a name.

// partsUsed are the parts of compiled packages that programs have used: the types, and what a program has named so far.
// A program gets what earlier ones have named, too, as to make the part anew takes longer.
type partsUsed map[*types.Package]*types.Package

// of returns the part of pkg.
func (p *partsUsed) of(pkg *types.Package) *types.Package {
	part := (*p)[pkg]
	if part == nil {
		part = types.NewPackage(pkg.Path(), pkg.Name())
		for _, name := range pkg.Scope().Names() {
			if tn, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok {
				part.Scope().Insert(tn)
			}
		}
		if *p == nil {
			*p = partsUsed{}
		}
		(*p)[pkg] = part
	}
	return part
}

// programPackages is where a program of go/ssa finds its packages.
var programPackages = unexported.Of[ssa.Program]("packages", reflect.TypeFor[map[*types.Package]*ssa.Package]())

// createCompiled adds to prog what p uses of packages that it does not bring.
func (e *Engine) createCompiled(prog *ssa.Program, p *engine.Program) {
	for _, obj := range p.Used {
		if f, ok := obj.(*types.Func); !ok || f.Signature().Recv() == nil {
			e.parts.of(obj.Pkg()).Scope().Insert(obj)
		}
	}
	packages := *unexported.At[map[*types.Package]*ssa.Package](unsafe.Pointer(prog), programPackages)
	create := func(pkg *types.Package, importable bool) {
		part := e.parts.of(pkg)
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
