package yaegi

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// scope is a statement that break or continue may mean.
type scope struct {
	label string
	loop  bool
	over  *funcLoop // it is a range over a function: its body is a function literal
}

// funcLoop is a range over a function. What leaves its body stores a number in state and returns false.
type funcLoop struct {
	state string
	exits []func() // what to do, outside the loop, when state is 2, 3 ...; 1 is break
}

// enter begins such a statement: its label is written, and the function that it returns ends it.
func (c *fn) enter(label string, loop bool) func() {
	c.scopes = append(c.scopes, &scope{label: label, loop: loop})
	if label != "" {
		c.printf("%s:\n", loopLabel(label))
	}
	return func() { c.scopes = c.scopes[:len(c.scopes)-1] }
}

func loopLabel(label string) string { return letters(label) + mark + "loop" }

func gotoLabels(body ast.Node) map[string]bool {
	found := map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			found[b.Label.Name] = true
		}
		return true
	})
	return found
}

// inLoop returns the innermost range over a function around the statement.
func (c *fn) inLoop() *funcLoop {
	for i := len(c.scopes) - 1; i >= 0; i-- {
		if c.scopes[i].over != nil {
			return c.scopes[i].over
		}
	}
	return nil
}

func (c *fn) branch(st *ast.BranchStmt) {
	label := ""
	if st.Label != nil {
		label = st.Label.Name
	}
	switch st.Tok {
	case token.FALLTHROUGH:
		c.printf("fallthrough\n")
	case token.GOTO:
		if c.inLoop() != nil {
			c.fail(st.Pos(), "goto in a range over a function")
		}
		c.printf("goto %s\n", local(label))
	default:
		c.leave(st.Tok, label)
	}
}

// leave writes a break or continue.
func (c *fn) leave(tok token.Token, label string) {
	var inner *funcLoop // the innermost one that the statement is in the body of
	for i := len(c.scopes) - 1; i >= 0; i-- {
		s := c.scopes[i]
		if inner == nil {
			inner = s.over
		}
		if label != "" && s.label != label || label == "" && tok == token.CONTINUE && !s.loop {
			continue
		}
		switch {
		case inner == nil && label == "":
			c.printf("%s\n", tok)
		case inner == nil:
			c.printf("%s %s\n", tok, loopLabel(label))
		case s.over == inner && tok == token.CONTINUE:
			c.printf("return true\n")
		case s.over == inner:
			c.printf("%s = 1\nreturn false\n", inner.state)
		default:
			c.exit(inner, func() { c.leave(tok, label) })
		}
		return
	}
}

// exit leaves the body of over for what then writes, outside of it.
func (c *fn) exit(over *funcLoop, then func()) {
	over.exits = append(over.exits, then)
	c.printf("%s = %d\nreturn false\n", over.state, len(over.exits)+1)
}

// rangeFunc writes a range over a function as a call with the body as its argument.
func (c *fn) rangeFunc(st *ast.RangeStmt, sig *types.Signature, label string) {
	over := &funcLoop{state: c.tempName()}
	yield := c.subst(sig.Params().At(0).Type(), c.env).Underlying().(*types.Signature)
	c.printf("%s := 0\n", over.state)
	var params, before []string
	for i, e := range []ast.Expr{st.Key, st.Value} {
		if i >= yield.Params().Len() {
			break
		}
		t := yield.Params().At(i).Type()
		name := c.tempName()
		params = append(params, name+" "+c.typ(t))
		switch {
		case e == nil || isBlank(e):
		case st.Tok == token.DEFINE:
			before = append(before, fmt.Sprintf("var %s %s = %s", local(e.(*ast.Ident).Name), c.typ(t), name))
		default:
			before = append(before, fmt.Sprintf("%s = %s", c.target(e), c.convText(name, false, t, c.of(e))))
		}
	}
	f := c.tempName()
	c.printf("%s := %s\n", f, c.solid(st.X))
	c.printf("%s(func(%s) bool {\nif %s != 0 { %s() }\n", f, strings.Join(params, ", "), over.state, c.host("LateYield"))
	for _, b := range before {
		c.printf("%s\n", b)
	}
	entry := c.entry
	c.entry = false
	c.scopes = append(c.scopes, &scope{label: label, loop: true, over: over})
	c.stmts(st.Body.List)
	c.scopes = c.scopes[:len(c.scopes)-1]
	c.entry = entry
	c.printf("return true\n})\n")
	for i, then := range over.exits {
		c.printf("if %s == %d {\n", over.state, i+2)
		then()
		c.printf("}\n")
	}
	c.printf("if %s == 0 { %s = -1 }\n", over.state, over.state)
}

// returnFromInside writes a return statement in the body of a range over a function, or of a function that defers: the
// values travel in variables of the function.
func (c *fn) returnFromInside(st *ast.ReturnStmt) {
	results := c.sig.Results()
	if results.Len() == 0 || len(st.Results) == 0 {
		c.leaveFunction()
		return
	}
	var want []types.Type
	for v := range results.Variables() {
		want = append(want, c.subst(v.Type(), c.env))
	}
	var temps []string
	if len(st.Results) == 1 && len(want) > 1 {
		for range want {
			temps = append(temps, c.tempName())
		}
		c.assignTuple(temps, want, st.Results[0], ":=")
	} else {
		for i, x := range st.Results {
			n := c.tempName()
			c.printf("var %s %s = %s\n", n, c.typ(want[i]), c.conv(x, want[i]))
			temps = append(temps, n)
		}
	}
	for i, n := range c.resultsOf() {
		c.printf("%s = %s\n", n, temps[i])
	}
	c.leaveFunction()
}

// leaveFunction writes the return of what resultsOf holds.
func (c *fn) leaveFunction() {
	switch over := c.inLoop(); {
	case over != nil:
		c.exit(over, c.leaveFunction)
	case c.calls != "" || c.sig.Results().Len() == 0:
		c.printf("return\n")
	default:
		c.printf("return %s\n", strings.Join(c.resultsOf(), ", "))
	}
}

// resultsOf returns variables of the function for its results: its named ones, or some that funcText declares.
func (c *fn) resultsOf() []string {
	if len(c.named) > 0 {
		return c.named
	}
	if *c.carry == nil {
		for range c.sig.Results().Len() {
			*c.carry = append(*c.carry, c.tempName())
		}
	}
	return *c.carry
}

func (c *fn) switchStmt(st *ast.SwitchStmt, label string) {
	if st.Init != nil {
		c.printf("{\n")
		c.stmt(st.Init)
		defer c.printf("}\n")
	}
	clauses := st.Body.List
	constant := st.Tag != nil && !types.IsInterface(c.of(st.Tag))
	for _, s := range clauses {
		for _, x := range s.(*ast.CaseClause).List {
			constant = constant && c.info.Types[x].Value != nil
		}
	}
	if constant && c.info.Types[st.Tag].Value == nil {
		tag := c.expr(st.Tag)
		defer c.enter(label, false)()
		c.printf("switch %s {\n", tag)
		for _, s := range clauses {
			cl := s.(*ast.CaseClause)
			var list []string
			for _, x := range cl.List {
				list = append(list, c.conv(x, c.of(st.Tag)))
			}
			c.clause(strings.Join(list, ", "), cl.List == nil)
			c.stmts(cl.Body)
		}
		c.printf("}\n")
		return
	}
	// The number of the clause is found first: yaegi's own comparisons are not Go's.
	n := c.tempName()
	test := func(x ast.Expr) string { return c.expr(x) }
	if st.Tag != nil {
		t := types.Default(c.of(st.Tag))
		tag := c.tempName()
		c.printf("var %s %s = %s\n", tag, c.typ(t), c.conv(st.Tag, t))
		test = func(x ast.Expr) string {
			if c.info.Types[x].IsNil() {
				return tag + " == nil"
			}
			xt := c.of(x)
			switch t.Underlying().(type) {
			case *types.Interface, *types.Struct, *types.Array:
				a := tag
				if types.IsInterface(t) {
					a = c.convText(tag, false, t, anyType)
				} else if types.IsInterface(xt) {
					a = c.convText(tag, false, t, anyType)
				}
				b := c.expr(x)
				if types.IsInterface(t) || types.IsInterface(xt) {
					b = c.conv(x, anyType)
				}
				return c.host("Equal") + "(" + a + ", " + b + ")"
			}
			if types.IsInterface(xt) {
				return c.host("Equal") + "(" + c.convText(tag, false, t, anyType) + ", " + c.conv(x, anyType) + ")"
			}
			return tag + " == " + c.conv(x, t)
		}
	}
	c.printf("%s := -1\n", n)
	open := 0
	for i, s := range clauses {
		for _, x := range s.(*ast.CaseClause).List {
			c.printf("if %s { %s = %d } else {\n", test(x), n, i)
			open++
		}
	}
	c.printf("%s\n", strings.Repeat("}", open))
	defer c.enter(label, false)()
	c.printf("switch %s {\n", n)
	for i, s := range clauses {
		cl := s.(*ast.CaseClause)
		c.clause(fmt.Sprint(i), cl.List == nil)
		c.stmts(cl.Body)
	}
	c.printf("}\n")
}

func (c *fn) clause(list string, isDefault bool) {
	if isDefault {
		c.printf("default:\n")
	} else {
		c.printf("case %s:\n", list)
	}
}

func (c *fn) typeSwitch(st *ast.TypeSwitchStmt, label string) {
	if st.Init != nil {
		c.printf("{\n")
		c.stmt(st.Init)
		defer c.printf("}\n")
	}
	var x ast.Expr
	named := false
	switch a := st.Assign.(type) {
	case *ast.ExprStmt:
		x = a.X.(*ast.TypeAssertExpr).X
	case *ast.AssignStmt:
		x = a.Rhs[0].(*ast.TypeAssertExpr).X
		named = a.Lhs[0].(*ast.Ident).Name != "_"
	}
	whole, v, n := c.tempName(), c.tempName(), c.tempName()
	xt := c.of(x)
	c.printf("var %s %s = %s\n", whole, c.typ(xt), c.expr(x))
	c.printf("var %s interface{} = %s\n", v, c.convText(whole, false, xt, anyType))
	var table [][]*desc
	for _, s := range st.Body.List {
		var row []*desc
		for _, e := range s.(*ast.CaseClause).List {
			if c.info.Types[e].IsNil() {
				row = append(row, nil)
			} else {
				row = append(row, c.describeForTest(c.of(e)))
			}
		}
		table = append(table, row)
	}
	c.printf("%s := %s(%d, %s)\n", n, c.host("Case"), c.addCases(table), v)
	defer c.enter(label, false)()
	c.printf("switch %s {\n", n)
	for i, s := range st.Body.List {
		cl := s.(*ast.CaseClause)
		c.clause(fmt.Sprint(i), cl.List == nil)
		if obj, ok := c.info.Implicits[cl].(*types.Var); ok && named {
			t := c.subst(obj.Type(), c.env)
			value := whole
			if len(cl.List) == 1 && !c.info.Types[cl.List[0]].IsNil() {
				value = c.unboxed(v, t)
			}
			c.printf("var %s %s = %s\n", local(obj.Name()), c.typ(t), value)
		}
		c.stmts(cl.Body)
	}
	c.printf("}\n")
}

// unboxed writes an interface{} that is known to hold a t.
func (c *fn) unboxed(text string, t types.Type) string {
	return c.helper("open", t, func(name string) string {
		d, st := c.describeForTest(t), c.typ(t)
		value := "v"
		if st != "interface{}" {
			value = "v.(" + st + ")"
		}
		return fmt.Sprintf("func %s(x interface{}) (r %s) { var v interface{}; v, _ = %s(%d, x); if v != nil { r = %s }; return r }\n", name, st, c.host("Test"), d.id, value)
	}) + "(" + text + ")"
}

// selectStmt has the host choose: what yaegi keeps of a select statement is shared by all goroutines that run it.
func (c *fn) selectStmt(st *ast.SelectStmt, label string) {
	var args []string
	hasDefault := "false"
	for _, s := range st.Body.List {
		cl := s.(*ast.CommClause)
		switch comm := cl.Comm.(type) {
		case nil:
			hasDefault = "true"
			args = append(args, "nil", "nil", "nil")
		case *ast.SendStmt:
			ct := c.of(comm.Chan)
			ch, v := c.tempName(), c.tempName()
			elem := ct.Underlying().(*types.Chan).Elem()
			c.printf("%s := %s\n", ch, c.solid(comm.Chan))
			c.printf("var %s %s = %s\n", v, c.typ(elem), c.conv(comm.Value, elem))
			args = append(args, "true", ch, "&"+v)
		default:
			ch := c.tempName()
			c.printf("%s := %s\n", ch, c.solid(recvOf(comm).X))
			args = append(args, "false", ch, "nil")
		}
	}
	n, v, ok := c.tempName(), c.tempName(), c.tempName()
	if len(args) > 0 {
		hasDefault += ", "
	}
	c.printf("%s, %s, %s := %s(%s%s)\n", n, v, ok, c.host("Select"), hasDefault, strings.Join(args, ", "))
	defer c.enter(label, false)()
	c.printf("switch %s {\n", n)
	for i, s := range st.Body.List {
		cl := s.(*ast.CommClause)
		c.printf("case %d:\n", i)
		if asg, isAssign := cl.Comm.(*ast.AssignStmt); isAssign {
			c.received(asg, v, ok)
		}
		c.stmts(cl.Body)
	}
	c.printf("}\n_, _ = %s, %s\n", v, ok)
}

func recvOf(comm ast.Stmt) *ast.UnaryExpr {
	switch comm := comm.(type) {
	case *ast.ExprStmt:
		return ast.Unparen(comm.X).(*ast.UnaryExpr)
	case *ast.AssignStmt:
		return ast.Unparen(comm.Rhs[0]).(*ast.UnaryExpr)
	}
	return nil
}

// received writes the assignment of what a select statement received.
func (c *fn) received(asg *ast.AssignStmt, v, ok string) {
	elem := c.of(recvOf(asg).X).Underlying().(*types.Chan).Elem()
	value := c.helper("received", elem, func(name string) string {
		st := c.typ(elem)
		body := "r = v.(" + st + ")"
		if st == "interface{}" {
			body = "r = v"
		}
		return fmt.Sprintf("func %s(x interface{}) (r %s) { var v interface{} = x; if v != nil { %s }; return r }\n", name, st, body)
	}) + "(" + v + ")"
	for i, x := range asg.Lhs {
		from, text := elem, value
		if i == 1 {
			from, text = types.Typ[types.Bool], ok
		}
		id, isIdent := x.(*ast.Ident)
		if isIdent && id.Name == "_" {
			continue
		}
		if asg.Tok == token.DEFINE {
			c.printf("var %s %s = %s\n", local(id.Name), c.typ(from), text)
		} else {
			c.printf("%s = %s\n", c.target(x), c.convText(text, false, from, c.of(x)))
		}
	}
}
