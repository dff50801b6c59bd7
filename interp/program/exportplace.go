package program

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// place decides which variables stay in the function of their cell: those that no other cell and no declared function
// mentions, and that Go would not call unused. All others are the package's.
func (e *exporter) place() {
	home := map[types.Object]*unit{}
	used := map[types.Object]bool{}
	for _, u := range e.units {
		for _, us := range u.uses {
			v, ok := us.obj.(*types.Var)
			if !ok || !topLevel(v) || v.IsField() {
				continue
			}
			if h, ok := home[v]; !ok {
				home[v] = u
			} else if h != u {
				home[v] = nil
			}
			if us.inFunc {
				home[v] = nil
			}
			if !us.write {
				used[v] = true
			}
		}
	}
	for v, u := range home {
		e.local[v] = u != nil && used[v] && !u.jumps()
	}
	for _, u := range e.units {
		if u.Analysis != nil {
			for e.together(u) {
			}
		}
	}
}

// jumps reports whether the unit has a goto, which must not jump over declarations.
func (u *unit) jumps() bool {
	found := false
	for _, st := range u.Stmts {
		ast.Inspect(st, func(n ast.Node) bool {
			if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
				found = true
			}
			return true
		})
	}
	return found
}

// together makes variables of one declaration the package's when one of them is. It reports whether something changed.
func (e *exporter) together(u *unit) (changed bool) {
	same := func(names []*ast.Ident, force bool) {
		keep := !force
		for _, id := range names {
			if v := u.variable(id); v != nil && !e.local[v] {
				keep = false
			}
		}
		for _, id := range names {
			if v := u.variable(id); v != nil && !keep && e.local[v] {
				e.local[v], changed = false, true
			}
		}
	}
	for _, st := range u.Stmts {
		switch st := st.(type) {
		case *ast.AssignStmt:
			if st.Tok == token.DEFINE {
				same(identsOf(st.Lhs), false)
			}
		case *ast.DeclStmt:
			g := st.Decl.(*ast.GenDecl)
			var all []*ast.Ident
			for _, spec := range g.Specs {
				all = append(all, spec.(*ast.ValueSpec).Names...)
			}
			same(all, len(g.Specs) > 1) // their order may have to change
		}
	}
	return changed
}

func identsOf(list []ast.Expr) (ids []*ast.Ident) {
	for _, x := range list {
		if id, ok := x.(*ast.Ident); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// variable is what a name at the top of a unit declares or means, nil for the blank name.
func (u *unit) variable(id *ast.Ident) *types.Var {
	v, _ := u.Objects[u.Offset(id.Pos())].(*types.Var)
	if id.Name == "_" || v == nil || !topLevel(v) {
		return nil
	}
	return v
}

// declareVars writes the variables of the package.
func (e *exporter) declareVars(b *strings.Builder) {
	seen := map[types.Object]bool{}
	var lines []string
	add := func(name string, obj types.Object) {
		text, ok := e.typeText(obj.Type())
		if !ok {
			e.note(0, "the type of %s has no name outside its package: the program does not compile", name)
		}
		lines = append(lines, name+" "+text)
	}
	for _, u := range e.units {
		for _, us := range u.uses {
			if seen[us.obj] {
				continue
			}
			seen[us.obj] = true
			if c := e.chain[us.obj]; c != nil {
				if line := c.variable + " "; !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, line) }) {
					add(c.variable, us.obj)
				}
			} else if v, ok := us.obj.(*types.Var); ok && !v.IsField() && e.names[v] != "" && !e.local[v] {
				add(e.names[v], v)
			}
		}
	}
	if len(lines) > 0 {
		b.WriteString("var (\n" + strings.Join(lines, "\n") + "\n)\n\n")
	}
}
