package interp

import (
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// scopeParent and scopeElems are what go/types does not let change from outside.
var (
	scopeParent = unexported.Of[types.Scope]("parent", reflect.TypeFor[*types.Scope]())
	scopeElems  = unexported.Of[types.Scope]("elems", reflect.TypeFor[map[string]types.Object]())
)

// enclose puts a scope between a cell's package and Go's own names while the cell is checked, and returns it: for names
// that the cell may use and does not declare. The package's own scope is not for them, as go/types looks there for what
// the package's files declare: it would follow type B = A to a declaration of A that no file has. Where this version of
// go/types is another than those known, it is the package's own.
func enclose(pkg *types.Package) *types.Scope {
	if scopeParent.Type == nil || scopeElems.Type == nil {
		return pkg.Scope()
	}
	around := types.NewScope(types.Universe, token.NoPos, token.NoPos, "earlier cells")
	setParent(pkg.Scope(), around)
	return around
}

// merge ends the check: the names of around are in the package's scope, which is again one as all others. It takes over
// the table of around, as a cell declares a few names and may use many.
func merge(pkg *types.Package, around *types.Scope) {
	scope := pkg.Scope()
	if around == scope {
		return
	}
	own, all := unexported.At[map[string]types.Object](unsafe.Pointer(scope), scopeElems), unexported.At[map[string]types.Object](unsafe.Pointer(around), scopeElems)
	if *all != nil {
		maps.Copy(*all, *own)
		*own, *all = *all, nil
	}
	setParent(scope, types.Universe)
}

// insertAll inserts the objects of another scope.
func insertAll(scope, from *types.Scope) {
	for _, name := range from.Names() {
		scope.Insert(from.Lookup(name))
	}
}

func setParent(scope, parent *types.Scope) {
	*unexported.At[*types.Scope](unsafe.Pointer(scope), scopeParent) = parent
}
