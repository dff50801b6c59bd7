package interp

import (
	"go/types"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// argument adds what a type argument needs: generic code may call the methods of compiled types that no cell names, so
// the packages of the methods are imported.
func (l *linker) argument(t types.Type) {
	if t == nil || l.args[t] {
		return
	}
	l.args[t] = true
	l.typ(t)
	switch t := t.(type) {
	case *types.Alias:
		l.argument(types.Unalias(t))
	case *types.Named:
		l.importMethods(t)
	case *types.Map:
		l.argument(t.Key())
		l.argument(t.Elem())
	case interface{ Elem() types.Type }:
		l.argument(t.Elem())
	case *types.Signature:
		l.argument(t.Params())
		l.argument(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			l.argument(v.Type())
		}
	}
}

// importMethods imports the packages of the methods of a compiled type.
func (l *linker) importMethods(t *types.Named) {
	pkg := t.Obj().Pkg()
	if pkg == nil || types.IsInterface(t) || pkg.Path() == engine.CellPath || l.s.unit(pkg) != nil {
		return
	}
	set := types.NewMethodSet(types.NewPointer(t))
	for i := range set.Len() {
		if pkg := set.At(i).Obj().Pkg(); pkg != nil && !l.imports[pkg] && l.s.unit(pkg) == nil {
			l.imports[pkg] = true
			l.prog.Imports = append(l.prog.Imports, pkg)
		}
	}
}
