package interp

import (
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/typeinfo"
	"github.com/arrayrepl/arrayrepl/interp/internal/unexported"
)

// What go/types does not let change from outside.
var (
	varObject = unexported.Of[types.Var]("object", nil)
	objectPkg = unexported.In(varObject.Type, "pkg", reflect.TypeFor[*types.Package]())
)

// ownFields finds the unexported fields of earlier cells' structs of whose literals without keys errs complain. The
// next check takes them for fields of the cell's package: for the user all cells are one. It reports whether it has
// found new ones.
func (l *lowered) ownFields(errs []types.Error, info *types.Info) bool {
	before := len(l.fields)
	own := func(f *types.Var) {
		if f.Pkg() != nil && f.Pkg().Path() == engine.CellPath && !f.Exported() && objectPkg.Type != nil && !slices.Contains(l.fields, f) {
			l.fields = append(l.fields, f)
		}
	}
	for _, e := range errs {
		if !strings.HasPrefix(e.Msg, "implicit assignment to unexported field") {
			continue
		}
		ast.Inspect(l.File, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || !slices.ContainsFunc(lit.Elts, func(x ast.Expr) bool { return x.Pos() == e.Pos }) {
				return true
			}
			t := info.TypeOf(lit)
			if t == nil {
				return true
			}
			if st, ok := typeinfo.Pointed(t).(*types.Struct); ok { // of *T where &T is elided in a literal of pointers
				for f := range st.Fields() {
					own(f)
					own(f.Origin()) // instances of a generic type may be made anew, of its own fields
				}
			}
			return true
		})
	}
	return len(l.fields) > before
}

// giveFields makes fields of earlier cells' structs the package's. Two packages of one path are the same for all other
// rules of go/types, so that nothing else depends on it.
func giveFields(fields []*types.Var, pkg *types.Package) {
	for _, f := range fields {
		object := unsafe.Add(unsafe.Pointer(f), varObject.Offset)
		*unexported.At[*types.Package](object, objectPkg) = pkg
	}
}
