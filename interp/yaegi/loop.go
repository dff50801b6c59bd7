package yaegi

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

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
		c.incDec(st)
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
	if init != "" && post == "" && (cond == "" || first != "") { // each turn of yaegi's for init; ; {} begins with init
		c.printf("{\n%s\n", init)
		defer c.printf("}\n")
		init = ""
	}
	defer c.enter(label, true)()
	switch {
	case init == "" && post == "" && (cond == "" || first != ""):
		c.printf("for {\n")
	case init == "" && post == "":
		c.printf("for %s {\n", cond)
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
	c.printf("for %s, %s := %s(0), %s(%s); %s < %s; %s += 1 {\n", i, n, name, name, limit, i, n, i)
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
