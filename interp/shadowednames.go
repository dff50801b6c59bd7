package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/arrayrepl/arrayrepl/interp/modules"
)

// hiddenBy explains an error at pos that may come from a name which an earlier cell gave to something of its own: the
// name of a package that needs no import, or one of Go's. It returns "" or a line to add to the message.
func (s *Session) hiddenBy(l *lowered, pos token.Pos) string {
	note := ""
	ast.Inspect(l.File, func(n ast.Node) bool {
		if n == nil || note != "" {
			return false
		}
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && (n.Pos() == pos || n.Sel.Pos() == pos) {
				note = s.hides(l, id.Name)
			}
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && (n.Pos() == pos || n.Lparen == pos) {
				note = s.hides(l, id.Name)
			}
		case *ast.Ident:
			if n.Pos() == pos {
				note = s.hides(l, n.Name)
			}
		}
		return true
	})
	return note
}

// hides says what the session's own name keeps cells from, and how to get it back.
func (s *Session) hides(l *lowered, name string) string {
	obj := s.names[name]
	if obj == nil || l.Names[name] {
		return ""
	}
	what := fmt.Sprintf("\n\t%s is a %s of yours%s and hides ", name, kindOfObject(obj), s.cellOf(obj))
	if path := s.auto[name]; path != "" {
		if modules.BaseName(path) == name {
			return what + fmt.Sprintf("the package; import %q brings it back", path)
		}
		return what + fmt.Sprintf("the package; import %s %q brings it back", name, path)
	}
	if types.Universe.Lookup(name) != nil {
		return what + fmt.Sprintf("Go's; %%del %s brings it back", name)
	}
	return ""
}

func kindOfObject(obj types.Object) string {
	switch obj.(type) {
	case *types.Var:
		return "variable"
	case *types.Func:
		return "function"
	case *types.TypeName:
		return "type"
	}
	return "constant"
}
