package interp

import (
	"go/token"
	"go/types"
	"reflect"
	"unsafe"
)

// scopeParent is what go/types does not let change from outside.
var scopeParent = internalField[types.Scope]("parent", reflect.TypeFor[*types.Scope]())

// enclose puts a scope between a cell's package and Go's own names while the cell is checked, and returns it: for names that
// the cell may use and does not declare. The package's own scope is not for them, as go/types looks there for what the
// package's files declare: it would follow type B = A to a declaration of A that no file has. Where this version of go/types
// is another than those known, it is the package's own.
func enclose(pkg *types.Package) *types.Scope {
	if scopeParent.typ == nil {
		return pkg.Scope()
	}
	around := types.NewScope(types.Universe, token.NoPos, token.NoPos, "earlier cells")
	setParent(pkg.Scope(), around)
	return around
}

// merge ends the check: the names of around are in the package's scope, which is again one as all others.
func merge(pkg *types.Package, around *types.Scope) {
	if around == pkg.Scope() {
		return
	}
	for _, name := range around.Names() {
		pkg.Scope().Insert(around.Lookup(name))
	}
	setParent(pkg.Scope(), types.Universe)
}

func setParent(scope, parent *types.Scope) {
	*at[*types.Scope](unsafe.Pointer(scope), scopeParent) = parent
}
