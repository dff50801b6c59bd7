package gorandom

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// changes lists what may make a program smaller, what removes most first.
func (s *shrinker) changes(p *Program) (out [][]edit) {
	for size := len(p.Items); size > 0; size /= 2 {
		for from := len(p.Items) - size; from >= 0; from -= max(size/2, 1) {
			var list []edit
			for i := from; i < from+size; i++ {
				list = append(list, edit{i, 0, len(p.Items[i].Text), ""})
			}
			out = append(out, list)
		}
	}
	var cuts []edit
	for i, it := range p.Items {
		if it.First {
			cuts = append(cuts, edit{item: i, from: -1, to: -1})
		}
	}
	out = append(out, cuts)
	for _, e := range cuts {
		out = append(out, []edit{e})
	}
	c := s.check(p)
	if c == nil {
		return out
	}
	w := &changeWriter{p: p, c: c}
	ast.Inspect(c.file, w.visit)
	slices.SortStableFunc(w.out, func(a, b edit) int { return gain(b) - gain(a) })
	for _, e := range w.out {
		out = append(out, []edit{e})
	}
	return out
}

func gain(e edit) int { return e.to - e.from - len(e.text) }

type changeWriter struct {
	p   *Program
	c   *checked
	out []edit
}

// replace proposes a text for what stands from one position to another.
func (w *changeWriter) replace(from, to token.Pos, text string) {
	a, b := int(from)-1, int(to)-1
	for i, begin := range w.c.begin {
		if end := begin + len(w.p.Items[i].Text); begin <= a && b <= end {
			w.out = append(w.out, edit{i, a - begin, b - begin, text})
			return
		}
	}
}

func (w *changeWriter) text(n ast.Node) string { return w.c.text[n.Pos()-1 : n.End()-1] }

// windows proposes to remove runs of neighbours.
func windows[N ast.Node](w *changeWriter, list []N, commas bool) {
	for size := len(list); size > 0; size /= 2 {
		for i := len(list) - size; i >= 0; i-- {
			from, to := list[i].Pos(), list[i+size-1].End()
			switch {
			case commas && i+size < len(list):
				to = list[i+size].Pos()
			case commas && i > 0:
				from = list[i-1].End()
			}
			w.replace(from, to, "")
		}
	}
}

func (w *changeWriter) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BlockStmt:
		windows(w, n.List, false)
	case *ast.CaseClause:
		windows(w, n.Body, false)
		windows(w, n.List, true)
	case *ast.CommClause:
		windows(w, n.Body, false)
	case *ast.CompositeLit:
		windows(w, n.Elts, true)
	case *ast.CallExpr:
		windows(w, n.Args, true)
	case *ast.FieldList:
		windows(w, n.List, n.Opening.IsValid() && w.c.text[n.Opening-1] != '{')
	case *ast.GenDecl:
		windows(w, n.Specs, false)
	case *ast.ReturnStmt:
		w.replace(n.Pos(), n.End(), "return")
	}
	switch n := n.(type) {
	case *ast.BlockStmt:
		w.inPlaceOf(n, n.List)
	case *ast.IfStmt:
		w.replace(n.Pos(), n.End(), w.text(n.Body))
		if n.Else != nil {
			w.replace(n.Pos(), n.End(), w.text(n.Else))
			w.replace(n.Body.End(), n.Else.End(), "")
		}
		if n.Init != nil {
			w.replace(n.Init.Pos(), n.Cond.Pos(), "")
			w.replace(n.Pos(), n.End(), w.text(n.Init))
		}
	case *ast.ForStmt:
		w.replace(n.Pos(), n.End(), w.text(n.Body))
		if n.Init != nil {
			w.replace(n.Pos(), n.End(), "{\n"+w.text(n.Init)+"\n"+w.text(n.Body)+"\n}")
		}
	case *ast.RangeStmt:
		w.replace(n.Pos(), n.End(), w.text(n.Body))
		if n.Value != nil {
			w.replace(n.Key.End(), n.Value.End(), "")
		}
		if n.Key != nil {
			w.replace(n.Key.Pos(), n.Range, "")
		}
	case *ast.LabeledStmt:
		w.replace(n.Pos(), n.Stmt.Pos(), "")
	case *ast.CaseClause:
		w.inPlaceOf(n, nil)
	case *ast.SwitchStmt:
		w.clauses(n, n.Body)
	case *ast.TypeSwitchStmt:
		w.clauses(n, n.Body)
	case *ast.SelectStmt:
		w.clauses(n, n.Body)
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok {
			ast.Inspect(call, func(m ast.Node) bool { // a function literal: its body alone
				if f, ok := m.(*ast.FuncLit); ok {
					w.replace(n.Pos(), n.End(), w.text(f.Body))
					return false
				}
				return true
			})
		}
	case ast.Expr:
		w.smallerExpr(n)
	}
	return true
}

// inPlaceOf proposes statements in the place of the block that they stand in.
func (w *changeWriter) inPlaceOf(n ast.Node, list []ast.Stmt) {
	if len(list) > 0 {
		w.replace(n.Pos(), n.End(), w.c.text[list[0].Pos()-1:list[len(list)-1].End()-1])
	}
}

// clauses proposes the body of one clause in the place of the statement.
func (w *changeWriter) clauses(n ast.Stmt, body *ast.BlockStmt) {
	for _, c := range body.List {
		list := []ast.Stmt(nil)
		switch c := c.(type) {
		case *ast.CaseClause:
			list = c.Body
		case *ast.CommClause:
			list = c.Body
		}
		if len(list) > 0 {
			w.replace(n.Pos(), n.End(), "{\n"+w.c.text[list[0].Pos()-1:list[len(list)-1].End()-1]+"\n}")
		}
	}
}

// smallerExpr proposes parts of an expression that have its type, and values that are written shortly.
func (w *changeWriter) smallerExpr(e ast.Expr) {
	tv, ok := w.c.info.Types[e]
	if !ok || !tv.IsValue() || tv.Type == nil {
		return
	}
	if _, ok := tv.Type.(*types.Tuple); ok {
		return
	}
	ast.Inspect(e, func(n ast.Node) bool {
		x, ok := n.(ast.Expr)
		if !ok || x == e {
			return true
		}
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if t, ok := w.c.info.Types[x]; ok && t.IsValue() && (types.Identical(t.Type, tv.Type) || isUntyped(t.Type)) {
			w.replace(e.Pos(), e.End(), w.text(x))
			return !types.Identical(t.Type, tv.Type)
		}
		return true
	})
	if short := w.zero(tv.Type); short != "" && len(short) < len(w.text(e)) {
		w.replace(e.Pos(), e.End(), short)
	}
}

func isUntyped(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}

func (w *changeWriter) zero(t types.Type) string {
	name := types.TypeString(t, func(p *types.Package) string {
		if p == w.c.pkg {
			return ""
		}
		return p.Name()
	})
	if _, ok := t.(*types.TypeParam); ok {
		return ""
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		var v string
		switch {
		case u.Info()&types.IsNumeric != 0:
			v = "1"
		case u.Info()&types.IsString != 0:
			v = `""`
		case u.Info()&types.IsBoolean != 0:
			v = "true"
		}
		if d := types.Default(t); v != "" && !isUntyped(t) && d != types.Typ[types.Int] && d != types.Typ[types.String] && d != types.Typ[types.Bool] {
			v = name + "(" + v + ")"
		}
		return v
	case *types.Struct, *types.Array, *types.Slice, *types.Map:
		return "(" + strings.TrimSpace(name) + "{})"
	}
	return ""
}
