package yaegi

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
)

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

var packageName = lazyregexp.New(`^\w+ˑ\w*\.\w+$`)

func isPackageName(text string) bool { return packageName.MatchString(text) }

// begin prepares for a function's body, and returns the statements that it begins with. Deferred calls and recover are
// the host's: with yaegi's own, a deferred call that panics is the last one, and one that calls a function literal of
// the same function waits for ever. So the body of a function that defers becomes a literal, which the host calls.
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
