package yaegi

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// builtin writes a call of one of Go's own functions.
func (c *fn) builtin(e *ast.CallExpr) (string, bool) {
	name := builtinName(e.Fun)
	arg := func(i int) string { return c.solid(e.Args[i]) }
	list := func() string {
		var out []string
		for i := range e.Args {
			out = append(out, arg(i))
		}
		return strings.Join(out, ", ")
	}
	switch name {
	case "append":
		st := c.of(e)
		s := st.Underlying().(*types.Slice)
		out := []string{c.solidNil(e.Args[0], st)}
		for i, x := range e.Args[1:] {
			if e.Ellipsis.IsValid() {
				text := arg(i + 1)
				if b, ok := c.of(x).Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
					text = "[]" + c.typ(s.Elem()) + "(" + text + ")"
				}
				if c.info.Types[x].IsNil() {
					text = "[]" + c.typ(s.Elem()) + "{}"
				}
				out = append(out, text+"...")
				continue
			}
			out = append(out, c.conv(x, s.Elem()))
		}
		return "append(" + strings.Join(out, ", ") + ")", true
	case "len", "cap":
		return name + "(" + list() + ")", false
	case "copy":
		src := arg(1)
		if b, ok := c.of(e.Args[1]).Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			src = "[]byte(" + src + ")"
		}
		return "copy(" + arg(0) + ", " + src + ")", false
	case "close", "real", "imag", "complex":
		return name + "(" + list() + ")", false
	case "delete":
		m := c.of(e.Args[0]).Underlying().(*types.Map)
		return "delete(" + arg(0) + ", " + c.conv(e.Args[1], m.Key()) + ")", false
	case "make":
		out := []string{c.solidType(c.of(e))}
		for i := range e.Args[1:] {
			out = append(out, c.host("Size")+"("+c.expr(e.Args[i+1])+")")
		}
		return "make(" + strings.Join(out, ", ") + ")", true
	case "new":
		if c.info.Types[e.Args[0]].IsType() {
			return "new(" + c.typ(c.of(e.Args[0])) + ")", true
		}
		t := c.of(e).Underlying().(*types.Pointer).Elem()
		return c.helper("new", t, func(name string) string {
			return fmt.Sprintf("func %s(x %s) *%s { y := x; return &y }\n", name, c.typ(t), c.typ(t))
		}) + "(" + c.conv(e.Args[0], t) + ")", true
	case "panic":
		return c.host("Panic") + "(" + c.conv(e.Args[0], anyType) + ")", false
	case "recover":
		return c.host("Recover") + "(" + c.caller + ")", false
	case "print", "println":
		var out []string
		for _, x := range e.Args {
			out = append(out, c.conv(x, anyType))
		}
		return c.host(strings.ToUpper(name[:1])+name[1:]) + "(" + strings.Join(out, ", ") + ")", false
	case "min", "max":
		t := c.of(e)
		text := c.conv(e.Args[0], t)
		f := c.helper(name, t, func(fname string) string {
			st, op := c.typ(t), "<"
			if name == "max" {
				op = ">"
			}
			nan := ""
			if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsFloat != 0 {
				nan = fmt.Sprintf("if x != x || y != y { return x + y }; if x == 0 && y == 0 { return %s(%s(float64(x), float64(y))) }; ", st, c.host(strings.ToUpper(name[:1])+name[1:]))
			}
			return fmt.Sprintf("func %s(x, y %s) %s { %sif y %s x { return y }; return x }\n", fname, st, st, nan, op)
		})
		for _, x := range e.Args[1:] {
			text = f + "(" + text + ", " + c.conv(x, t) + ")"
		}
		return text, false
	case "clear":
		t := c.of(e.Args[0])
		return c.helper("clear", t, func(fname string) string {
			st := c.solidType(t)
			if _, ok := t.Underlying().(*types.Map); ok {
				return fmt.Sprintf("func %s(x %s) { %s(x) }\n", fname, st, c.host("ClearMap"))
			}
			return fmt.Sprintf("func %s(x %s) { var zero %s; for i := range x { x[i] = zero } }\n", fname, st, c.typ(t.Underlying().(*types.Slice).Elem()))
		}) + "(" + list() + ")", false
	case "Sizeof", "Alignof":
		return c.host(name) + "(new(" + c.typ(c.of(e.Args[0])) + "))", false
	case "Add", "String":
		return c.host("Unsafe"+name) + "(" + list() + ")", false
	case "Slice":
		return c.host("UnsafeSlice") + "(" + list() + ").(" + c.solidType(c.of(e)) + ")", true
	case "StringData":
		return c.host(name) + "(" + list() + ")", false
	case "SliceData":
		return c.host(name) + "(" + list() + ").(" + c.solidType(c.of(e)) + ")", true
	}
	c.fail(e.Pos(), "the function %s", name)
	return "", false
}

func builtinName(f ast.Expr) string {
	switch f := ast.Unparen(f).(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// solidNil writes e, of type t when it is nil.
func (c *fn) solidNil(e ast.Expr, t types.Type) string {
	if c.info.Types[e].IsNil() {
		return c.null(t)
	}
	return c.solid(e)
}
