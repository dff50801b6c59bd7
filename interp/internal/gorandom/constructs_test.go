package gorandom

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// constructs are what random programs shall have, each with what finds it in a node of a program.
var constructs = []struct {
	name string
	in   func(w *walk, n ast.Node) bool
}{
	{"a label", func(w *walk, n ast.Node) bool { _, ok := n.(*ast.LabeledStmt); return ok }},
	{"goto", func(w *walk, n ast.Node) bool { return isBranch(n, token.GOTO, true) }},
	{"break of a label", func(w *walk, n ast.Node) bool { return isBranch(n, token.BREAK, true) }},
	{"continue of a label", func(w *walk, n ast.Node) bool { return isBranch(n, token.CONTINUE, true) }},
	{"fallthrough", func(w *walk, n ast.Node) bool { return isBranch(n, token.FALLTHROUGH, false) }},
	{"select", func(w *walk, n ast.Node) bool { _, ok := n.(*ast.SelectStmt); return ok }},
	{"select that sends", func(w *walk, n ast.Node) bool {
		c, ok := n.(*ast.CommClause)
		if !ok {
			return false
		}
		_, ok = c.Comm.(*ast.SendStmt)
		return ok
	}},
	{"go", func(w *walk, n ast.Node) bool { _, ok := n.(*ast.GoStmt); return ok }},
	{"defer", func(w *walk, n ast.Node) bool { _, ok := n.(*ast.DeferStmt); return ok }},
	{"defer in a loop", func(w *walk, n ast.Node) bool { _, ok := n.(*ast.DeferStmt); return ok && w.inLoop() }},
	{"recover", func(w *walk, n ast.Node) bool { return w.callsBuiltin(n, "recover") }},
	{"return inside of a loop", func(w *walk, n ast.Node) bool { _, ok := n.(*ast.ReturnStmt); return ok && w.inLoop() }},
	{"method value", func(w *walk, n ast.Node) bool { return w.selects(n, types.MethodVal) && !w.isCalled(n) }},
	{"method expression", func(w *walk, n ast.Node) bool { return w.selects(n, types.MethodExpr) }},
	{"promoted method or field", func(w *walk, n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		return ok && w.info.Selections[s] != nil && len(w.info.Selections[s].Index()) > 1
	}},
	{"call of a method of an interface", func(w *walk, n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		return ok && w.info.Selections[s] != nil && types.IsInterface(w.info.Selections[s].Recv())
	}},
	{"embedded field", func(w *walk, n ast.Node) bool {
		s, ok := n.(*ast.StructType)
		return ok && len(s.Fields.List) > 0 && len(s.Fields.List[0].Names) == 0
	}},
	{"generic type", func(w *walk, n ast.Node) bool { s, ok := n.(*ast.TypeSpec); return ok && s.TypeParams != nil }},
	{"generic function with a constraint", func(w *walk, n ast.Node) bool { return w.constrained(n, false) }},
	{"constraint with methods", func(w *walk, n ast.Node) bool { return w.constrained(n, true) }},
	{"method of a type of the standard library's interfaces", func(w *walk, n ast.Node) bool {
		f, ok := n.(*ast.FuncDecl)
		return ok && f.Recv != nil && strings.Contains(" Read Write Less Format MarshalText Unwrap Error String ", " "+f.Name.Name+" ")
	}},
	{"named type of a named type", func(w *walk, n ast.Node) bool {
		s, ok := n.(*ast.TypeSpec)
		if !ok {
			return false
		}
		id, ok := s.Type.(*ast.Ident)
		if !ok {
			return false
		}
		_, ok = w.info.TypeOf(id).(*types.Named)
		return ok
	}},
	{"variable that hides another", func(w *walk, n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE {
			return false
		}
		l, ok := a.Lhs[0].(*ast.Ident)
		if !ok {
			return false
		}
		r, ok := a.Rhs[0].(*ast.Ident)
		return ok && l.Name == r.Name
	}},
	{"function literal", func(w *walk, n ast.Node) bool { _, ok := n.(*ast.FuncLit); return ok }},
	{"function literal in a loop", func(w *walk, n ast.Node) bool { _, ok := n.(*ast.FuncLit); return ok && w.inLoop() }},
	{"type switch", func(w *walk, n ast.Node) bool { _, ok := n.(*ast.TypeSwitchStmt); return ok }},
	{"conversion of a string to runes or bytes", func(w *walk, n ast.Node) bool { return w.converts(n, isText, isSliceOfBasic) }},
	{"conversion of runes or bytes to a string", func(w *walk, n ast.Node) bool { return w.converts(n, isSliceOfBasic, isText) }},
	{"map of arrays or structs", func(w *walk, n ast.Node) bool {
		m, ok := w.typeOf(n).(*types.Map)
		return ok && isCompound(m.Elem())
	}},
	{"map with compound keys", func(w *walk, n ast.Node) bool {
		m, ok := w.typeOf(n).(*types.Map)
		return ok && isCompound(m.Key())
	}},
	{"channel of arrays or structs", func(w *walk, n ast.Node) bool {
		c, ok := w.typeOf(n).(*types.Chan)
		return ok && isCompound(c.Elem())
	}},
	{"range over an int", func(w *walk, n ast.Node) bool { return w.ranges(n, isInt) }},
	{"range over a string", func(w *walk, n ast.Node) bool { return w.ranges(n, isText) }},
	{"range over an array of numbers", func(w *walk, n ast.Node) bool {
		return w.ranges(n, func(t types.Type) bool { a, ok := t.(*types.Array); return ok && isInt(a.Elem().Underlying()) })
	}},
	{"range over an array of compound values", func(w *walk, n ast.Node) bool {
		return w.ranges(n, func(t types.Type) bool { a, ok := t.(*types.Array); return ok && isCompound(a.Elem()) })
	}},
	{"range over a pointer to an array", func(w *walk, n ast.Node) bool {
		return w.ranges(n, func(t types.Type) bool { _, ok := t.(*types.Pointer); return ok })
	}},
	{"range over a slice", func(w *walk, n ast.Node) bool {
		return w.ranges(n, func(t types.Type) bool { _, ok := t.(*types.Slice); return ok })
	}},
	{"range over a map", func(w *walk, n ast.Node) bool {
		return w.ranges(n, func(t types.Type) bool { _, ok := t.(*types.Map); return ok })
	}},
	{"range over a channel", func(w *walk, n ast.Node) bool {
		return w.ranges(n, func(t types.Type) bool { _, ok := t.(*types.Chan); return ok })
	}},
	{"range over a function", func(w *walk, n ast.Node) bool { return w.ranges(n, isFunc) }},
	{"return out of a range over a function", func(w *walk, n ast.Node) bool {
		_, ok := n.(*ast.ReturnStmt)
		return ok && w.inRange(isFunc)
	}},
	{"exchange of two in a loop", func(w *walk, n ast.Node) bool { return w.exchanges(n, 2) }},
	{"exchange of three or more in a loop", func(w *walk, n ast.Node) bool { return w.exchanges(n, 3) }},
}

// walk is where a walk over a program is.
type walk struct {
	info *types.Info
	path []ast.Node // what n is in
}

func isBranch(n ast.Node, tok token.Token, label bool) bool {
	b, ok := n.(*ast.BranchStmt)
	return ok && b.Tok == tok && (b.Label != nil) == label
}

func isText(t types.Type) bool { b, ok := t.(*types.Basic); return ok && b.Info()&types.IsString != 0 }
func isInt(t types.Type) bool  { b, ok := t.(*types.Basic); return ok && b.Info()&types.IsInteger != 0 }
func isFunc(t types.Type) bool { _, ok := t.(*types.Signature); return ok }

func isSliceOfBasic(t types.Type) bool {
	s, ok := t.(*types.Slice)
	return ok && isInt(s.Elem().Underlying())
}

func isCompound(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Array, *types.Struct:
		return true
	}
	return false
}

// typeOf is the underlying type of an expression, nil for other nodes.
func (w *walk) typeOf(n ast.Node) types.Type {
	e, ok := n.(ast.Expr)
	if !ok || w.info.TypeOf(e) == nil {
		return nil
	}
	return w.info.TypeOf(e).Underlying()
}

// inLoop reports whether a loop of the same function is around the node.
func (w *walk) inLoop() bool {
	return w.inRange(nil)
}

// inRange is inLoop, for a loop over something, whose body is a part of the function too.
func (w *walk) inRange(over func(types.Type) bool) bool {
	for i := len(w.path) - 1; i >= 0; i-- {
		switch p := w.path[i].(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return false
		case *ast.ForStmt:
			if over == nil {
				return true
			}
		case *ast.RangeStmt:
			if over == nil || over(w.info.TypeOf(p.X).Underlying()) {
				return true
			}
		}
	}
	return false
}

func (w *walk) ranges(n ast.Node, over func(types.Type) bool) bool {
	r, ok := n.(*ast.RangeStmt)
	return ok && over(w.info.TypeOf(r.X).Underlying())
}

func (w *walk) callsBuiltin(n ast.Node, name string) bool {
	c, ok := n.(*ast.CallExpr)
	if !ok {
		return false
	}
	id, ok := c.Fun.(*ast.Ident)
	return ok && id.Name == name
}

func (w *walk) selects(n ast.Node, kind types.SelectionKind) bool {
	s, ok := n.(*ast.SelectorExpr)
	return ok && w.info.Selections[s] != nil && w.info.Selections[s].Kind() == kind
}

func (w *walk) isCalled(n ast.Node) bool {
	c, ok := w.path[len(w.path)-1].(*ast.CallExpr)
	return ok && c.Fun == n
}

func (w *walk) converts(n ast.Node, from, to func(types.Type) bool) bool {
	c, ok := n.(*ast.CallExpr)
	return ok && len(c.Args) == 1 && w.info.Types[c.Fun].IsType() && to(w.typeOf(c.Fun)) && from(w.typeOf(c.Args[0]))
}

// constrained reports whether a function has a type parameter whose constraint is not any.
func (w *walk) constrained(n ast.Node, methods bool) bool {
	f, ok := n.(*ast.FuncDecl)
	if !ok || f.Type.TypeParams == nil {
		return false
	}
	for _, p := range f.Type.TypeParams.List {
		i, ok := w.typeOf(p.Type).(*types.Interface)
		if ok && (methods && i.NumMethods() > 0 || !methods && i.NumEmbeddeds() > 0) {
			return true
		}
	}
	return false
}

// exchanges reports whether n assigns to n variables or more, in a loop, values that read each other.
func (w *walk) exchanges(n ast.Node, count int) bool {
	a, ok := n.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) < count || len(a.Rhs) != len(a.Lhs) || !w.inLoop() {
		return false
	}
	names, read := map[string]bool{}, 0
	for _, l := range a.Lhs {
		if id, ok := l.(*ast.Ident); ok && id.Name != "_" {
			names[id.Name] = true
		}
	}
	for i, r := range a.Rhs {
		id, ok := r.(*ast.Ident)
		l, _ := a.Lhs[i].(*ast.Ident)
		if ok && l != nil && names[id.Name] && id.Name != l.Name {
			read++
		}
	}
	return read >= count
}
