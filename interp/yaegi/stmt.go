package yaegi

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/interp/engine"
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
				// yaegi's own named results begin with what the caller's variable has
				vars += fmt.Sprintf("var %s %s\n", n, t)
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

var cellFile = lazyregexp.New(`^cell (\d+)$`)

// note notes where the program is, before a statement that may panic.
func (c *fn) note(st ast.Node) {
	if !c.mayPanic(st) {
		return
	}
	pos := c.FileSet().Position(st.Pos())
	at := engine.Frame{Line: pos.Line, Func: c.name}
	if m := cellFile.FindStringSubmatch(pos.Filename); m != nil {
		at.Cell, _ = strconv.Atoi(m[1])
	} else if at.File = pos.Filename; !filepath.IsAbs(at.File) {
		return
	}
	point := c.point(at)
	if c.entry {
		c.printf("*%s = %d\n", c.topName, point)
	}
	c.printf("*%s = %d\n", c.lineName, point)
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
		c.incDec(st)
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
