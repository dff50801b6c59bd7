package yaegi

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// conv writes e as a value of type want, to which Go would convert it implicitly.
func (c *fn) conv(e ast.Expr, want types.Type) string {
	want = c.subst(want, c.env)
	if c.info.Types[e].IsNil() {
		return "nil"
	}
	from := c.of(e)
	if b, ok := from.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 && types.IsInterface(want) {
		from = types.Default(from)
	}
	text, solid := c.raw(e)
	if types.IsInterface(want) {
		text = c.closed(e, text)
	}
	return c.convText(text, solid, from, want)
}

// convText is conv for text of type from.
func (c *fn) convText(text string, solid bool, from, want types.Type) string {
	if types.IsInterface(want) {
		return c.toInterface(text, solid, from, want)
	}
	if solid && c.erased(from) {
		text = c.up(text, from)
	}
	if a, b := c.typ(from), c.typ(want); a != b && !c.erased(want) {
		return c.converted(text, a, b)
	}
	return text
}

// converted writes the conversion of a value of type from to the type to, both as yaegi reads them. A type in
// parentheses is beyond it in conditions, so that such conversions are functions.
func (c *fn) converted(text, from, to string) string {
	if !strings.HasPrefix(to, "*") && !strings.HasPrefix(to, "<-") && !strings.HasPrefix(to, "func") && !strings.HasPrefix(to, "chan") {
		return to + "(" + text + ")"
	}
	key := "convert " + from + " " + to
	name, ok := c.helpers[key]
	if !ok {
		name = fmt.Sprint("convert", mark, c.number())
		c.helpers[key] = name
		c.undo(func() { delete(c.helpers, key) })
		fmt.Fprintf(&c.decls, "func %s(x %s) %s { return (%s)(x) }\n", name, from, to, to)
	}
	return name + "(" + text + ")"
}

// toInterface writes a value of type from as one of the interface type want.
func (c *fn) toInterface(text string, solid bool, from, want types.Type) string {
	dynamic := c.dynamic(want)
	if types.IsInterface(from) {
		switch was := c.dynamic(from); {
		case was && dynamic:
			return text
		case was:
			return c.wrapped(text, want)
		case dynamic:
			return c.host("Bare") + "(" + text + ")"
		}
		return text
	}
	if c.boxed(from) {
		d := c.describe(from)
		c.methodsOf(d)
		if solid && c.erased(from) {
			if _, isPtr := from.Underlying().(*types.Pointer); !isPtr {
				text = c.up(text, from)
			}
		}
		text = fmt.Sprintf("%s(%d, %s)", c.host("Box"), d.id, text)
		if dynamic {
			return text
		}
		return c.wrapped(text, want)
	}
	if !dynamic {
		return text
	}
	switch from.Underlying().(type) {
	case *types.Basic:
		return text
	}
	return c.host("Any") + "(" + text + ")"
}

// wrapped writes an interface{} as a value of an interface type of compiled code.
func (c *fn) wrapped(text string, want types.Type) string {
	return c.helper("wrap", want, func(name string) string {
		d, st := c.describeForTest(want), c.typ(want)
		return fmt.Sprintf("func %s(x interface{}) (r %s) { var v interface{} = %s(%d, x); if v != nil { r = v.(%s) }; return r }\n", name, st, c.host("Wrap"), d.id, st)
	}) + "(" + text + ")"
}
