package yaegi

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp"
)

// funcText writes the declaration of a function, or a literal when name is "".
func (c *fn) funcText(name string, ft *ast.FuncType, recv *ast.FieldList, body *ast.BlockStmt) string {
	var b strings.Builder
	outer := c.out
	c.out = &b
	defer func() { c.out = outer }()
	params := c.fields(recv)
	params = append(params, c.fields(ft.Params)...)
	res, vars := "", ""
	c.named = nil
	if ft.Results != nil {
		var parts []string
		for _, f := range ft.Results.List {
			t := c.typ(c.of(f.Type))
			for _, id := range f.Names {
				n := local(id.Name)
				if n == "_" {
					n = c.tempName()
				}
				c.named = append(c.named, n)
				parts = append(parts, t)
				vars += fmt.Sprintf("var %s %s\n", n, t) // yaegi's own named results begin with what the caller's variable has
			}
			if len(f.Names) == 0 {
				parts = append(parts, t)
			}
		}
		res = " (" + strings.Join(parts, ", ") + ")"
	}
	if body == nil {
		c.fail(ft.Pos(), "a function without a body")
	}
	gotos, carry, calls, caller, bodyName := c.gotos, c.carry, c.calls, c.caller, c.body
	begin := c.begin(body)
	c.stmts(body.List)
	text := b.String() + c.end()
	b.Reset()
	fmt.Fprintf(&b, "func %s(%s)%s {\n", name, strings.Join(params, ", "), res)
	for i, n := range *c.carry {
		c.printf("var %s %s\n", n, c.typ(c.subst(c.sig.Results().At(i).Type(), c.env)))
	}
	b.WriteString(vars + begin)
	c.gotos, c.carry, c.calls, c.caller, c.body = gotos, carry, calls, caller, bodyName
	b.WriteString(text + "}")
	if name != "" {
		b.WriteString("\n")
	}
	return b.String()
}

func (c *fn) fields(list *ast.FieldList) (out []string) {
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		var t string
		if e, ok := f.Type.(*ast.Ellipsis); ok {
			t = "..." + c.typ(c.of(e.Elt))
		} else {
			t = c.typ(c.of(f.Type))
		}
		for _, id := range f.Names {
			n := local(id.Name)
			if n == "_" {
				n = c.tempName()
			}
			out = append(out, n+" "+t)
		}
		if len(f.Names) == 0 {
			out = append(out, c.tempName()+" "+t)
		}
	}
	return out
}

func (c *fn) funcLit(e *ast.FuncLit) string {
	sub := *c
	sub.sig = c.info.TypeOf(e).Underlying().(*types.Signature)
	sub.entry, sub.scopes, sub.label = false, nil, ""
	switch {
	case sub.name == "":
		sub.name = "a function literal"
	case !strings.HasSuffix(sub.name, "function literal)") && sub.name != "a function literal":
		sub.name += " (function literal)"
	}
	return sub.funcText("", e.Type, nil, e.Body)
}

func (c *fn) printf(format string, args ...any) { fmt.Fprintf(c.out, format, args...) }

func (c *fn) stmts(list []ast.Stmt) {
	for _, st := range list {
		c.stmt(st)
	}
}

func (c *fn) block(b *ast.BlockStmt) {
	c.printf("{\n")
	c.stmts(b.List)
	c.printf("}\n")
}

var cellFile = regexp.MustCompile(`^cell (\d+)$`)

// note notes where the program is, before a statement that may panic.
func (c *fn) note(st ast.Node) {
	if !c.mayPanic(st) {
		return
	}
	pos := c.FileSet().Position(st.Pos())
	m := cellFile.FindStringSubmatch(pos.Filename)
	if m == nil {
		return
	}
	cell, _ := strconv.Atoi(m[1])
	at := c.point(interp.Frame{Cell: cell, Line: pos.Line, Func: c.name})
	if c.entry {
		c.printf("*%s = %d\n", c.topName, at)
	}
	c.printf("*%s = %d\n", c.lineName, at)
}

func (c *fn) mayPanic(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr, *ast.SendStmt:
			found = true
		case *ast.SelectorExpr:
			found = found || c.info.Selections[n] != nil
		case *ast.BinaryExpr:
			found = found || n.Op == token.QUO || n.Op == token.REM
		case *ast.AssignStmt:
			found = found || n.Tok == token.QUO_ASSIGN || n.Tok == token.REM_ASSIGN
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.BlockStmt, *ast.FuncLit:
			return false
		}
		return !found
	})
	return found
}

func (c *fn) stmt(st ast.Stmt) {
	label := c.label
	c.label = ""
	switch st := st.(type) {
	case *ast.EmptyStmt:
		return
	case *ast.BlockStmt:
		c.block(st)
		return
	case *ast.LabeledStmt:
		if c.gotos[st.Label.Name] || !isLoop(st.Stmt) {
			c.printf("%s:\n", local(st.Label.Name))
		}
		c.label = st.Label.Name
		c.stmt(st.Stmt)
		c.label = ""
		return
	case *ast.DeclStmt:
		c.declStmt(st.Decl.(*ast.GenDecl))
		return
	case *ast.BranchStmt:
		c.branch(st)
		return
	}
	c.note(st)
	switch st := st.(type) {
	case *ast.ExprStmt:
		c.exprStmt(st.X)
	case *ast.AssignStmt:
		c.assign(st)
	case *ast.IncDecStmt:
		c.printf("%s%s\n", c.target(st.X), st.Tok)
	case *ast.SendStmt:
		elem := c.of(st.Chan).Underlying().(*types.Chan).Elem()
		c.printf("%s <- %s\n", c.solid(st.Chan), c.conv(st.Value, elem))
	case *ast.GoStmt:
		c.goStmt(st)
	case *ast.DeferStmt:
		c.deferStmt(st)
	case *ast.ReturnStmt:
		c.returnStmt(st)
	case *ast.IfStmt:
		c.ifStmt(st)
	case *ast.ForStmt:
		c.forStmt(st, label)
	case *ast.RangeStmt:
		c.rangeStmt(st, label)
	case *ast.SwitchStmt:
		c.switchStmt(st, label)
	case *ast.TypeSwitchStmt:
		c.typeSwitch(st, label)
	case *ast.SelectStmt:
		c.selectStmt(st, label)
	default:
		c.fail(st.Pos(), "this statement (%T)", st)
	}
}

func isLoop(st ast.Stmt) bool {
	switch st.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return true
	}
	return false
}

func (c *fn) exprStmt(x ast.Expr) {
	switch y := ast.Unparen(x).(type) {
	case *ast.CallExpr:
		text, _ := c.raw(y)
		c.printf("%s\n", text)
	case *ast.UnaryExpr:
		c.printf("%s\n", strings.TrimSuffix(strings.TrimPrefix(c.expr(y), "("), ")"))
	default:
		c.printf("_ = %s\n", c.expr(x))
	}
}

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
		if c.convText("x", false, from[i], want[i]) != "x" {
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
	case token.ASSIGN:
		if len(st.Lhs) == 1 {
			c.assignOne(st.Lhs[0], st.Rhs[0])
			return
		}
		if len(st.Rhs) == 1 {
			var lhs []string
			var want []types.Type
			for _, x := range st.Lhs {
				lhs = append(lhs, c.target(x))
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

// assignParallel writes a, b = x, y: first the values, and what the left sides are made of, then the assignments.
func (c *fn) assignParallel(st *ast.AssignStmt) {
	var lhs, values []string
	for _, x := range st.Lhs {
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

func (c *fn) ifStmt(st *ast.IfStmt) {
	if st.Init != nil {
		c.printf("{\n")
		c.stmt(st.Init)
		defer c.printf("}\n")
	}
	c.printf("if %s {\n", c.condition(st.Cond))
	c.stmts(st.Body.List)
	if st.Else == nil {
		c.printf("}\n")
		return
	}
	c.printf("} else {\n")
	if b, ok := st.Else.(*ast.BlockStmt); ok {
		c.stmts(b.List)
	} else {
		c.stmt(st.Else)
	}
	c.printf("}\n")
}

// condition writes the condition of an if or for statement.
func (c *fn) condition(e ast.Expr) string {
	text := c.expr(e)
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && strings.HasPrefix(text, "(") && c.info.Types[b].Value == nil {
		text = text[1 : len(text)-1]
	}
	return text
}

// simple writes a statement of a loop's header, or returns false when it needs several.
func (c *fn) simple(st ast.Stmt) (string, bool) {
	if st == nil {
		return "", true
	}
	var b strings.Builder
	outer := c.out
	c.out = &b
	switch st := st.(type) {
	case *ast.IncDecStmt:
		c.printf("%s%s\n", c.target(st.X), st.Tok)
	case *ast.AssignStmt:
		if st.Tok == token.DEFINE {
			var lhs, rhs []string
			if len(st.Lhs) != len(st.Rhs) {
				c.out = outer
				return "", false
			}
			for i, x := range st.Lhs {
				id := x.(*ast.Ident)
				v := c.info.Defs[id]
				if v == nil || id.Name == "_" {
					c.out = outer
					return "", false
				}
				t := c.subst(v.Type(), c.env)
				lhs = append(lhs, local(id.Name))
				text := c.conv(st.Rhs[i], t)
				if c.typ(t) == "interface{}" {
					text = c.host("Any") + "(" + text + ")"
				}
				rhs = append(rhs, text)
			}
			c.printf("%s := %s", strings.Join(lhs, ", "), strings.Join(rhs, ", "))
		} else {
			c.assign(st)
		}
	default:
		c.stmt(st)
	}
	c.out = outer
	text := strings.TrimSpace(b.String())
	return text, !strings.Contains(text, "\n")
}

// captured returns the variables of a for statement that its function literals mention, or whose address it takes: each
// turn must have its own.
func (c *fn) captured(st *ast.ForStmt) bool {
	init, ok := st.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE {
		return false
	}
	own := map[types.Object]bool{}
	for _, x := range init.Lhs {
		if v := c.info.Defs[x.(*ast.Ident)]; v != nil {
			own[v] = true
		}
	}
	found := false
	mentions := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && own[c.info.Uses[id]] {
				found = true
			}
			return !found
		})
	}
	ast.Inspect(st, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			mentions(n)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				mentions(n)
			}
		case *ast.RangeStmt:
			if _, isFunc := c.of(n.X).Underlying().(*types.Signature); isFunc {
				mentions(n.Body)
			}
		}
		return !found
	})
	return found
}

// forCaptured writes a for statement whose every turn has its own variables, made from those of the turn before.
func (c *fn) forCaptured(st *ast.ForStmt, label string) {
	init := st.Init.(*ast.AssignStmt)
	var names, last []string
	for _, x := range init.Lhs {
		v := c.info.Defs[x.(*ast.Ident)]
		if v == nil || v.Name() == "_" {
			c.fail(st.Pos(), "a for statement that begins like this")
		}
		name, p := local(v.Name()), c.tempName()
		names, last = append(names, name), append(last, p)
		c.printf("var %s *%s\n", p, c.typ(c.subst(v.Type(), c.env)))
	}
	c.printf("{\n")
	c.define(init)
	for i := range names {
		c.printf("%s = &%s\n", last[i], names[i])
	}
	c.printf("}\n")
	first := c.tempName()
	c.printf("%s := true\n", first)
	defer c.enter(label, true)()
	c.printf("for {\n")
	for i, x := range init.Lhs {
		t := c.typ(c.subst(c.info.Defs[x.(*ast.Ident)].Type(), c.env))
		c.printf("var %s %s = *%s\n%s = &%s\n", names[i], t, last[i], last[i], names[i])
	}
	c.printf("if %s { %s = false } else {\n", first, first)
	if st.Post != nil {
		c.stmt(st.Post)
	}
	c.printf("}\n")
	if st.Cond != nil {
		c.printf("if %s {} else { break }\n", c.condition(st.Cond))
	}
	c.stmts(st.Body.List)
	c.printf("}\n")
}

func (c *fn) forStmt(st *ast.ForStmt, label string) {
	if c.captured(st) {
		c.forCaptured(st, label)
		return
	}
	if st.Init != nil {
		if _, ok := c.simple(st.Init); !ok {
			c.fail(st.Pos(), "a for statement that begins like this")
		}
	}
	init, _ := c.simple(st.Init)
	post, ok := c.simple(st.Post)
	cond := ""
	if st.Cond != nil {
		cond = c.condition(st.Cond)
	}
	first := ""
	if !ok { // the post statement is several: a flag tells the first turn
		first, post = c.tempName(), ""
		c.printf("%s := true\n", first)
	}
	defer c.enter(label, true)()
	switch {
	case init == "" && post == "" && (cond == "" || first != ""):
		c.printf("for {\n")
	case init == "" && post == "":
		c.printf("for %s {\n", cond)
	case first != "":
		c.printf("for %s; ; {\n", init)
	default:
		c.printf("for %s; %s; %s {\n", init, cond, post)
	}
	if first != "" {
		c.printf("if %s { %s = false } else {\n", first, first)
		c.stmt(st.Post)
		c.printf("}\n")
		if cond != "" {
			c.printf("if %s {} else { break }\n", cond)
		}
	}
	c.stmts(st.Body.List)
	c.printf("}\n")
}

func (c *fn) rangeStmt(st *ast.RangeStmt, label string) {
	t := c.of(st.X)
	u := t.Underlying()
	if p, ok := u.(*types.Pointer); ok {
		u = p.Elem().Underlying()
	}
	switch u := u.(type) {
	case *types.Basic:
		if u.Info()&types.IsInteger != 0 {
			c.rangeInt(st, t, label)
			return
		}
		c.rangeString(st, label)
	case *types.Slice:
		c.rangeOver(st, label, c.solid(st.X), types.Typ[types.Int], u.Elem())
	case *types.Array:
		x := c.solid(st.X)
		if _, isPtr := t.Underlying().(*types.Pointer); isPtr {
			if st.Value == nil || isBlank(st.Value) {
				x = "(*new(" + c.typ(u) + "))"
			} else {
				x = "(*" + x + ")[:]"
			}
		}
		c.rangeOver(st, label, x, types.Typ[types.Int], u.Elem())
	case *types.Map:
		c.rangeOver(st, label, c.solid(st.X), u.Key(), u.Elem())
	case *types.Chan:
		c.rangeOver(st, label, c.solid(st.X), u.Elem(), nil)
	case *types.Signature:
		c.rangeFunc(st, u, label)
	default:
		c.fail(st.Pos(), "a range over %s", t)
	}
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// rangeOver writes a range over what yaegi ranges over itself.
func (c *fn) rangeOver(st *ast.RangeStmt, label, x string, kt, vt types.Type) {
	key, value := "", ""
	var before []string
	one := func(e ast.Expr, t types.Type) string {
		if e == nil || isBlank(e) {
			return "_"
		}
		name := c.tempName()
		if st.Tok == token.DEFINE {
			before = append(before, fmt.Sprintf("var %s %s = %s", local(e.(*ast.Ident).Name), c.typ(t), name))
		} else {
			before = append(before, fmt.Sprintf("%s = %s", c.target(e), c.convText(name, false, t, c.of(e))))
		}
		return name
	}
	if vt != nil && st.Value != nil && !isBlank(st.Value) {
		if _, isChan := vt.Underlying().(*types.Chan); isChan { // yaegi would receive from the channel
			whole, k := c.tempName(), c.tempName()
			c.printf("%s := %s\n", whole, x)
			x = whole
			value = one(st.Value, vt)
			before = append([]string{fmt.Sprintf("%s := %s[%s]", value, whole, k)}, before...)
			if st.Key != nil && !isBlank(st.Key) {
				n := one(st.Key, kt)
				before = append([]string{fmt.Sprintf("%s := %s", n, k)}, before...)
			}
			key, value = k, "_"
		}
	}
	if key == "" {
		key, value = one(st.Key, kt), one(st.Value, vt)
	}
	defer c.enter(label, true)()
	switch {
	case key == "_" && value == "_":
		c.printf("for range %s {\n", x)
	case value == "_":
		c.printf("for %s := range %s {\n", key, x)
	default:
		c.printf("for %s, %s := range %s {\n", key, value, x)
	}
	for _, b := range before {
		c.printf("%s\n", b)
	}
	c.stmts(st.Body.List)
	c.printf("}\n")
}

// rangeString writes a range over a string: yaegi counts characters where Go counts bytes.
func (c *fn) rangeString(st *ast.RangeStmt, label string) {
	s, at, r, size := c.tempName(), c.tempName(), c.tempName(), c.tempName()
	c.printf("%s, %s, %s := string(%s), 0, 0\n", s, at, size, c.expr(st.X))
	defer c.enter(label, true)()
	c.printf("for ; %s < len(%s); %s += %s {\nvar %s rune\n%s, %s = %s(%s, %s)\n", at, s, at, size, r, r, size, c.host("Rune"), s, at)
	for i, e := range []ast.Expr{st.Key, st.Value} {
		if e == nil || isBlank(e) {
			continue
		}
		from, text := types.Type(types.Typ[types.Int]), at
		if i == 1 {
			from, text = types.Typ[types.Rune], r
		}
		if st.Tok == token.DEFINE {
			c.printf("var %s %s = %s\n", local(e.(*ast.Ident).Name), c.typ(from), text)
		} else {
			c.printf("%s = %s\n", c.target(e), c.convText(text, false, from, c.of(e)))
		}
	}
	c.stmts(st.Body.List)
	c.printf("}\n")
}

// rangeInt writes for i := range n.
func (c *fn) rangeInt(st *ast.RangeStmt, t types.Type, label string) {
	if b, ok := t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		t = types.Typ[types.Int]
		if st.Key != nil && !isBlank(st.Key) {
			t = c.of(st.Key)
		}
	}
	n, i := c.tempName(), c.tempName()
	name := c.typ(t)
	limit := c.expr(st.X)
	defer c.enter(label, true)()
	c.printf("for %s, %s := %s(0), %s(%s); %s < %s; %s++ {\n", i, n, name, name, limit, i, n, i)
	if st.Key != nil && !isBlank(st.Key) {
		if st.Tok == token.DEFINE {
			c.printf("var %s %s = %s\n", local(st.Key.(*ast.Ident).Name), name, i)
		} else {
			c.printf("%s = %s\n", c.target(st.Key), c.convText(i, false, t, c.of(st.Key)))
		}
	}
	c.stmts(st.Body.List)
	c.printf("}\n")
}

func (c *fn) returnStmt(st *ast.ReturnStmt) {
	results := c.sig.Results()
	if c.inLoop() != nil || c.calls != "" {
		c.returnFromInside(st)
		return
	}
	if len(st.Results) == 0 {
		if len(c.named) > 0 {
			c.printf("return %s\n", strings.Join(c.named, ", "))
		} else {
			c.printf("return\n")
		}
		return
	}
	if len(st.Results) == 1 && results.Len() > 1 {
		var want []types.Type
		var temps []string
		for v := range results.Variables() {
			want = append(want, c.subst(v.Type(), c.env))
			temps = append(temps, c.tempName())
		}
		c.assignTuple(temps, want, st.Results[0], ":=")
		c.printf("return %s\n", strings.Join(temps, ", "))
		return
	}
	var out []string
	for i, x := range st.Results {
		text := c.conv(x, results.At(i).Type())
		if len(c.named) > 0 && len(st.Results) > 1 {
			n := c.tempName()
			c.printf("var %s %s = %s\n", n, c.typ(c.subst(results.At(i).Type(), c.env)), text)
			text = n
		}
		out = append(out, text)
	}
	c.printf("return %s\n", strings.Join(out, ", "))
}

// later evaluates the function and the arguments of a go or defer statement now, and returns the call of them.
func (c *fn) later(e *ast.CallExpr) string {
	keep := func(text string, t types.Type) string {
		n := c.tempName()
		c.printf("var %s %s = %s\n", n, c.typ(t), text)
		return n
	}
	if c.info.Types[e.Fun].IsBuiltin() {
		name := builtinName(e.Fun)
		switch name {
		case "recover":
			return "" // a deferred recover is not called by a deferred function
		case "panic":
			return c.host("Panic") + "(" + keep(c.conv(e.Args[0], anyType), anyType) + ")"
		case "print", "println":
			var out []string
			for _, x := range e.Args {
				out = append(out, keep(c.conv(x, anyType), anyType))
			}
			return c.host(strings.ToUpper(name[:1])+name[1:]) + "(" + strings.Join(out, ", ") + ")"
		case "close":
			return "close(" + c.solidText(keep(c.expr(e.Args[0]), c.of(e.Args[0])), c.of(e.Args[0]), false) + ")"
		case "delete":
			mt := c.of(e.Args[0])
			key := mt.Underlying().(*types.Map).Key()
			m := keep(c.expr(e.Args[0]), mt)
			return "delete(" + c.solidText(m, mt, false) + ", " + keep(c.conv(e.Args[1], key), key) + ")"
		}
		text, _ := c.raw(e)
		return text
	}
	if c.info.Types[e.Fun].IsType() {
		return "_ = " + c.expr(e)
	}
	sig := c.signatureOf(e.Fun)
	if pre, list, post, ok := c.spread(e, sig); ok {
		return pre + c.callee(e.Fun, sig, list) + post
	}
	f := ast.Unparen(e.Fun)
	args := c.args(e, sig)
	for i, a := range args {
		want := sig.Params().At(min(i, sig.Params().Len()-1)).Type()
		dots := ""
		if sig.Variadic() && i >= sig.Params().Len()-1 {
			if strings.HasSuffix(a, "...") {
				a, dots = strings.TrimSuffix(a, "..."), "..."
			} else {
				want = want.Underlying().(*types.Slice).Elem()
			}
		}
		want = c.subst(want, c.env)
		if a == "nil" {
			continue
		}
		args[i] = keep(a, want) + dots
	}
	if sel, ok := f.(*ast.SelectorExpr); ok {
		if s := c.info.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
			x, solid := c.raw(sel.X)
			m, recv, recvType, own := c.method(x, solid, c.of(sel.X), c.wanted(sel), c.addressable(sel.X))
			n := c.tempName()
			c.printf("%s := %s\n", n, recv)
			switch {
			case own:
				return m + "(" + strings.Join(append([]string{n}, args...), ", ") + ")"
			case c.dynamic(recvType):
				return c.invoker(recvType, sel.Sel.Name) + "(" + strings.Join(append([]string{n}, args...), ", ") + ")"
			}
			if c.addressable(sel.X) {
				if _, isPtr := recvType.Underlying().(*types.Pointer); !isPtr && !types.IsInterface(recvType) {
					n = recv // the method may want the variable itself
				}
			}
			return n + "." + sel.Sel.Name + "(" + strings.Join(args, ", ") + ")"
		}
	}
	text, _ := c.raw(f)
	if strings.HasPrefix(text, "\x01") || isPackageName(text) {
		return text + "(" + strings.Join(args, ", ") + ")"
	}
	n := c.tempName()
	c.printf("%s := %s\n", n, c.solidText(text, c.of(f), c.isSolid(f)))
	return n + "(" + strings.Join(args, ", ") + ")"
}

func (c *fn) isSolid(f ast.Expr) bool {
	switch f.(type) {
	case *ast.FuncLit:
		return true
	}
	return false
}

var packageName = regexp.MustCompile(`^\w+ˑ\w*\.\w+$`)

func isPackageName(text string) bool { return packageName.MatchString(text) }

// begin prepares for a function's body, and returns the statements that it begins with. Deferred calls and recover are the
// host's: with yaegi's own, a deferred call that panics is the last one, and one that calls a function literal of the same
// function waits for ever. So the body of a function that defers becomes a literal, which the host calls.
func (c *fn) begin(body *ast.BlockStmt) string {
	c.gotos, c.carry, c.calls, c.caller = gotoLabels(body), new([]string), "", ""
	text := ""
	if c.recovers(body) {
		c.caller = c.tempName()
		text += fmt.Sprintf("%s := %s()\n", c.caller, c.host("Caller"))
	}
	if has[*ast.DeferStmt](body) {
		c.calls, c.body = c.tempName(), c.tempName()
		text += fmt.Sprintf("%s := %s()\n%s := func() {\n", c.calls, c.host("Calls"), c.body)
	}
	return text
}

// end returns the statements that a function ends with, which begin prepared.
func (c *fn) end() string {
	if c.calls == "" {
		return ""
	}
	text := fmt.Sprintf("}\n%s(%s, %s)\n", c.host("RunCalls"), c.calls, c.body)
	if c.sig.Results().Len() > 0 {
		text += "return " + strings.Join(c.resultsOf(), ", ") + "\n"
	}
	return text
}

// has reports whether body has such a statement, function literals aside.
func has[S ast.Node](body ast.Node) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(S); ok {
			found = true
		}
		_, isLit := n.(*ast.FuncLit)
		return !isLit && !found
	})
	return found
}

// recovers reports whether a function's own statements call recover.
func (c *fn) recovers(body ast.Node) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && c.info.Types[call.Fun].IsBuiltin() && builtinName(call.Fun) == "recover" {
			found = true
		}
		_, isLit := n.(*ast.FuncLit)
		return !isLit && !found
	})
	return found
}

// mayRecover reports whether a function that is deferred may call recover itself.
func (c *fn) mayRecover(f ast.Expr) bool {
	switch f := ast.Unparen(f).(type) {
	case *ast.FuncLit:
		return c.recovers(f.Body)
	case *ast.Ident:
		return c.mayRecoverFunc(c.info.Uses[f])
	case *ast.SelectorExpr:
		return c.mayRecoverFunc(c.info.Uses[f.Sel])
	}
	return true
}

func (c *fn) mayRecoverFunc(obj types.Object) bool {
	f, ok := obj.(*types.Func)
	if !ok {
		return true // a variable
	}
	src, ok := c.sources[f.Origin()]
	if !ok {
		return types.IsInterface(receiverOf(f))
	}
	sub := &fn{info: src.unit.Info}
	return src.decl.Body != nil && sub.recovers(src.decl.Body)
}

func (c *fn) goStmt(st *ast.GoStmt) {
	c.printf("{\n")
	call := c.later(st.Call)
	f := c.tempName()
	c.printf("%s := func() { %s }\n%s(%s)\n}\n", f, call, c.host("Go"), f)
}

func (c *fn) deferStmt(st *ast.DeferStmt) {
	if id, ok := st.Call.Fun.(*ast.Ident); ok {
		if f, ok := c.info.Uses[id].(*types.Func); ok && f.Pkg() == c.prog.Guard {
			return // the front end's, for another engine
		}
	}
	armed := c.mayRecover(st.Call.Fun)
	f := c.tempName()
	if lit, ok := ast.Unparen(st.Call.Fun).(*ast.FuncLit); ok && len(st.Call.Args) == 0 && c.sigOf(lit).Results().Len() == 0 {
		c.printf("%s := %s\n", f, c.funcLit(lit))
	} else {
		c.printf("%s := func() { %s }\n", f, c.later(st.Call))
	}
	c.printf("%s(%s, %t, %s)\n", c.host("Defer"), c.calls, armed, f)
}

func (c *fn) sigOf(lit *ast.FuncLit) *types.Signature {
	return c.info.TypeOf(lit).Underlying().(*types.Signature)
}

// receiverOf is the type of a method's receiver, or that of the function.
func receiverOf(f *types.Func) types.Type {
	if r := f.Signature().Recv(); r != nil {
		return r.Type()
	}
	return f.Type()
}
