package yaegi

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// target writes the left side of an assignment.
func (c *fn) target(e ast.Expr) string {
	text := c.expr(e)
	if _, ok := ast.Unparen(e).(*ast.StarExpr); ok {
		text = strings.TrimSuffix(strings.TrimPrefix(text, "("), ")")
	}
	if strings.HasPrefix(text, "(*") && strings.HasSuffix(text, ")") && !strings.Contains(text, ".") {
		text = text[1 : len(text)-1]
	}
	return text
}

func (c *fn) declStmt(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return // constants are folded, types are written where they are used
	}
	for _, spec := range d.Specs {
		spec := spec.(*ast.ValueSpec)
		if len(spec.Values) > 0 {
			c.note(spec)
		}
		var want []types.Type
		var names []string
		for _, id := range spec.Names {
			names = append(names, local(id.Name))
			t := types.Type(nil)
			if v := c.info.Defs[id]; v != nil {
				t = c.subst(v.Type(), c.env)
			} else if spec.Type != nil {
				t = c.of(spec.Type)
			}
			want = append(want, t)
		}
		switch {
		case len(spec.Values) == 0:
			for i, n := range names {
				if n != "_" {
					c.printf("var %s %s\n", n, c.typ(want[i]))
				}
			}
		case len(spec.Values) == len(names):
			c.parallel(names, want, spec.Values, true)
		default:
			c.assignTuple(names, want, spec.Values[0], ":=")
		}
	}
}

// parallel writes names = values, each of its type; with define the names are new.
func (c *fn) parallel(names []string, want []types.Type, values []ast.Expr, define bool) {
	var texts []string
	for i, x := range values {
		t := want[i]
		if t == nil {
			t = types.Default(c.of(x))
		}
		texts = append(texts, c.conv(x, t))
		want[i] = t
	}
	if len(names) > 1 {
		for i := range texts { // all values first
			n := c.tempName()
			c.printf("var %s %s = %s\n", n, c.typ(want[i]), texts[i])
			texts[i] = n
		}
	}
	for i, n := range names {
		if n == "_" {
			c.printf("_ = %s\n", texts[i])
		} else {
			c.printf("var %s %s = %s\n", n, c.typ(want[i]), texts[i])
		}
	}
}

// assignTuple writes an assignment of several values of one expression.
func (c *fn) assignTuple(lhs []string, want []types.Type, x ast.Expr, tok string) {
	text, from := c.tuple(x)
	same := true
	for i := range lhs {
		if lhs[i] == "_" {
			continue
		}
		if want[i] == nil {
			want[i] = from[i]
		}
		// yaegi does not assign the zero value of a key that is not there to an interface
		if c.convText("x", false, from[i], want[i]) != "x" || types.IsInterface(want[i]) && !types.IsInterface(from[i]) {
			same = false
		}
		if tok == "=" && !isName(lhs[i]) {
			same = false
		}
	}
	if same {
		any := false
		for _, n := range lhs {
			any = any || n != "_"
		}
		if !any {
			tok = "="
		}
		c.printf("%s %s %s\n", strings.Join(lhs, ", "), tok, text)
		return
	}
	var temps []string
	for range from {
		temps = append(temps, c.tempName())
	}
	c.printf("%s := %s\n", strings.Join(temps, ", "), text)
	for i, n := range lhs {
		if n == "_" {
			c.printf("_ = %s\n", temps[i])
			continue
		}
		value := c.convText(temps[i], false, from[i], want[i])
		if tok == ":=" {
			c.printf("var %s %s = %s\n", n, c.typ(want[i]), value)
		} else {
			c.printf("%s = %s\n", n, value)
		}
	}
}

func isName(s string) bool { return !strings.ContainsAny(s, ".[(*") }

// tuple writes an expression with several values, and returns their types.
func (c *fn) tuple(x ast.Expr) (string, []types.Type) {
	x = ast.Unparen(x)
	boolean := types.Typ[types.Bool]
	switch y := x.(type) {
	case *ast.TypeAssertExpr:
		return c.assertion(y, true), []types.Type{c.of(y.Type), boolean}
	case *ast.IndexExpr:
		m := c.of(y.X).Underlying().(*types.Map)
		return c.index(y), []types.Type{m.Elem(), boolean}
	case *ast.UnaryExpr:
		ch := c.of(y.X).Underlying().(*types.Chan)
		return "<-" + c.solid(y.X), []types.Type{ch.Elem(), boolean}
	}
	var from []types.Type
	t, ok := c.of(x).(*types.Tuple)
	if !ok {
		c.fail(x.Pos(), "an assignment of this")
	}
	for v := range t.Variables() {
		from = append(from, v.Type())
	}
	text, _ := c.raw(x)
	return text, from
}

func (c *fn) assign(st *ast.AssignStmt) {
	switch st.Tok {
	case token.DEFINE:
		c.define(st)
	case token.SHL_ASSIGN, token.SHR_ASSIGN:
		c.printf("%s %s %s\n", c.target(st.Lhs[0]), st.Tok, c.shiftCount(st.Rhs[0]))
	case token.ASSIGN:
		if len(st.Lhs) == 1 {
			c.assignOne(st.Lhs[0], st.Rhs[0])
			return
		}
		if len(st.Rhs) == 1 {
			lhs := c.targets(st.Lhs)
			var want []types.Type
			for _, x := range st.Lhs {
				want = append(want, c.targetType(x))
			}
			c.assignTuple(lhs, want, st.Rhs[0], "=")
			return
		}
		c.assignParallel(st)
	default: // x op= y
		op := strings.TrimSuffix(st.Tok.String(), "=")
		_, isMap := c.mapElement(st.Lhs[0])
		if isMap {
			t := c.target(st.Lhs[0])
			c.printf("%s = %s %s %s\n", t, t, op, c.expr(st.Rhs[0]))
			return
		}
		c.printf("%s %s %s\n", c.target(st.Lhs[0]), st.Tok, c.expr(st.Rhs[0]))
	}
}

// incDec writes x++ or x--. yaegi sets a uintptr to zero there, but not where it adds.
func (c *fn) incDec(st *ast.IncDecStmt) {
	text := st.Tok.String()
	if b, ok := c.of(st.X).Underlying().(*types.Basic); ok && b.Kind() == types.Uintptr {
		text = " " + text[:1] + "= 1"
	}
	c.printf("%s%s\n", c.target(st.X), text)
}

func (c *fn) mapElement(e ast.Expr) (*ast.IndexExpr, bool) {
	ix, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return nil, false
	}
	_, ok = c.of(ix.X).Underlying().(*types.Map)
	return ix, ok
}

func (c *fn) targetType(e ast.Expr) types.Type {
	if id, ok := e.(*ast.Ident); ok && id.Name == "_" {
		return nil
	}
	return c.of(e)
}

func (c *fn) assignOne(lhs, rhs ast.Expr) {
	want := c.targetType(lhs)
	if want == nil {
		if c.info.Types[rhs].IsNil() {
			return
		}
		switch ast.Unparen(rhs).(type) {
		case *ast.StarExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.SelectorExpr: // yaegi would leave it out
			text := c.expr(rhs)
			if _, isStar := ast.Unparen(rhs).(*ast.StarExpr); isStar {
				c.printf("{ p := %s; if p == nil { %s(nil) } }\n", c.expr(ast.Unparen(rhs).(*ast.StarExpr).X), c.host("NotNil"))
				return
			}
			c.printf("{ x := %s; _ = x }\n", text)
		default:
			c.printf("_ = %s\n", c.expr(rhs))
		}
		return
	}
	c.printf("%s = %s\n", c.target(lhs), c.conv(rhs, want))
}

// targets writes the left sides of an assignment of several values; what they are made of is evaluated before it.
func (c *fn) targets(list []ast.Expr) (lhs []string) {
	for _, x := range list {
		switch y := ast.Unparen(x).(type) {
		case *ast.IndexExpr:
			t := c.of(y.X)
			if _, isArray := t.Underlying().(*types.Array); isArray {
				i := c.tempName()
				c.printf("%s := %s\n", i, c.expr(y.Index))
				lhs = append(lhs, c.solid(y.X)+"["+i+"]")
				continue
			}
			a, i := c.tempName(), c.tempName()
			c.printf("%s := %s\n", a, c.solid(y.X))
			index := c.expr(y.Index)
			if m, isMap := t.Underlying().(*types.Map); isMap {
				index = c.conv(y.Index, m.Key())
				c.printf("var %s %s = %s\n", i, c.typ(m.Key()), index)
			} else {
				c.printf("%s := %s\n", i, index)
			}
			lhs = append(lhs, a+"["+i+"]")
		case *ast.StarExpr:
			a := c.tempName()
			c.printf("%s := %s\n", a, c.solid(y.X))
			lhs = append(lhs, "*"+a)
		case *ast.SelectorExpr:
			if _, isPtr := c.of(y.X).Underlying().(*types.Pointer); isPtr {
				a := c.tempName()
				c.printf("%s := %s\n", a, c.solid(y.X))
				obj, index, _ := types.LookupFieldOrMethod(c.of(y.X), true, c.unit.Pkg, y.Sel.Name)
				if obj != nil && c.reachable(c.of(y.X), index) {
					text, _ := c.fieldPath(a, true, c.of(y.X), index)
					lhs = append(lhs, text)
					continue
				}
			}
			lhs = append(lhs, c.target(x))
		default:
			lhs = append(lhs, c.target(x))
		}
	}
	return lhs
}

// assignParallel writes a, b = x, y: first what the left sides are made of and the values, then the assignments.
func (c *fn) assignParallel(st *ast.AssignStmt) {
	lhs := c.targets(st.Lhs)
	var values []string
	for i, x := range st.Rhs {
		want := c.targetType(st.Lhs[i])
		if want == nil {
			want = types.Default(c.of(x))
		}
		v := c.tempName()
		c.printf("var %s %s = %s\n", v, c.typ(want), c.conv(x, want))
		values = append(values, v)
	}
	for i := range lhs {
		c.printf("%s = %s\n", lhs[i], values[i])
	}
}

func (c *fn) define(st *ast.AssignStmt) {
	fresh := func(x ast.Expr) types.Type {
		if v := c.info.Defs[x.(*ast.Ident)]; v != nil {
			return c.subst(v.Type(), c.env)
		}
		return nil
	}
	if len(st.Rhs) == 1 && len(st.Lhs) > 1 {
		text, from := c.tuple(st.Rhs[0])
		var temps []string
		plain := true
		for i, x := range st.Lhs {
			id := x.(*ast.Ident)
			if id.Name != "_" && fresh(x) == nil || id.Name != "_" && c.typ(fresh(x)) != c.typ(from[i]) {
				plain = false
			}
			temps = append(temps, local(id.Name))
		}
		if plain {
			c.printf("%s := %s\n", strings.Join(temps, ", "), text)
			return
		}
		temps = nil
		for range st.Lhs {
			temps = append(temps, c.tempName())
		}
		c.printf("%s := %s\n", strings.Join(temps, ", "), text)
		for i, x := range st.Lhs {
			if id := x.(*ast.Ident); id.Name == "_" {
				c.printf("_ = %s\n", temps[i])
			} else if t := fresh(x); t != nil {
				c.printf("var %s %s = %s\n", local(id.Name), c.typ(t), c.convText(temps[i], false, from[i], t))
			} else {
				c.printf("%s = %s\n", c.ident(id), c.convText(temps[i], false, from[i], c.of(x)))
			}
		}
		return
	}
	if len(st.Lhs) == 1 {
		id := st.Lhs[0].(*ast.Ident)
		t := fresh(id)
		if id.Name == "_" || t == nil {
			c.assignOne(id, st.Rhs[0])
			return
		}
		c.printf("var %s %s = %s\n", local(id.Name), c.typ(t), c.conv(st.Rhs[0], t))
		return
	}
	var temps []string
	var want []types.Type
	for i, x := range st.Lhs {
		t := fresh(x)
		if t == nil {
			t = c.targetType(x)
		}
		if t == nil {
			t = types.Default(c.of(st.Rhs[i]))
		}
		n := c.tempName()
		c.printf("var %s %s = %s\n", n, c.typ(t), c.conv(st.Rhs[i], t))
		temps, want = append(temps, n), append(want, t)
	}
	for i, x := range st.Lhs {
		id := x.(*ast.Ident)
		switch {
		case id.Name == "_":
			c.printf("_ = %s\n", temps[i])
		case fresh(x) != nil:
			c.printf("var %s %s = %s\n", local(id.Name), c.typ(want[i]), temps[i])
		default:
			c.printf("%s = %s\n", c.ident(id), temps[i])
		}
	}
}
