package gorandom

import (
	"fmt"
	"strings"
)

// Expressions have no effects and do not panic. Those of basic types are either constants that fit their type or have
// an operand that is not constant: see varying.

// expr returns an expression of a type.
func (g *generator) expr(t *typ, depth int) string {
	if depth > 0 && g.one(4) {
		if s := g.call(t, depth); s != "" {
			return s
		}
	}
	if s := g.path(t); s != "" && !g.one(3) {
		return s
	}
	if depth > 0 && g.one(8) {
		if s := g.wrapped(t, depth); s != "" {
			return s
		}
	}
	if t.kind == paramKind {
		return g.paramExpr(t, depth)
	}
	b := t.base()
	if t.kind == namedKind && depth > 0 && g.one(5) && b.kind != interfaceKind {
		d := t.declared()
		if d.kind != interfaceKind && b.kind != basicKind {
			return g.convert(t, g.expr(d, depth-1))
		}
	}
	switch b.kind {
	case basicKind:
		return g.basicExpr(t, b, depth)
	case interfaceKind:
		return g.boxed(t, b, depth)
	case funcKind:
		return g.funcLit(t, b)
	case pointerKind:
		return g.pointer(t, b, depth)
	case chanKind:
		return fmt.Sprintf("make(%v, %d)", t, 1+g.IntN(3))
	case sliceKind:
		return g.slice(t, b, depth)
	case mapKind:
		if depth > 0 && g.one(6) {
			return "maps.Clone(" + g.expr(t, depth-1) + ")"
		}
	}
	return g.literal(t, depth)
}

func (g *generator) convert(t *typ, x string) string {
	if strings.HasPrefix(t.String(), "*") || strings.HasPrefix(t.String(), "func") || strings.HasPrefix(t.String(), "chan") {
		return "(" + t.String() + ")(" + x + ")"
	}
	return t.String() + "(" + x + ")"
}

// varying returns an expression that is not constant.
func (g *generator) varying(t *typ, depth int) string {
	if v := g.variableOf(func(v *variable) bool { return same(v.typ, t) && !v.constant }); v != nil && !g.one(4) {
		return v.name
	}
	return "id(" + g.typed(t, depth-1) + ")"
}

// typed is expr with its type.
func (g *generator) typed(t *typ, depth int) string {
	return g.convert(t, g.expr(t, depth))
}

// wrapped returns an expression in one that has its value.
func (g *generator) wrapped(t *typ, depth int) string {
	x := g.expr(t, depth-1)
	switch g.IntN(6) {
	case 0:
		return fmt.Sprintf("[]%v{%s}[0]", t, x)
	case 1:
		return fmt.Sprintf("[...]%v{%s}[0]", t, x)
	case 2:
		return fmt.Sprintf("struct{ F %v }{%s}.F", t, x)
	case 3:
		if !g.plain {
			return fmt.Sprintf("func() %v { return %s }()", t, x)
		}
	case 4:
		// what a type parameter stands for may be an interface that is nil
		if !g.plain && t.kind != paramKind && t.base().kind != interfaceKind {
			return fmt.Sprintf("any(%s).(%v)", g.convert(t, x), t)
		}
	case 5:
		if t.base().kind != interfaceKind {
			return fmt.Sprintf("*new(%s)", g.convert(t, x))
		}
	}
	return ""
}

func (g *generator) paramExpr(t *typ, depth int) string {
	if depth > 0 && isNumber(t) && g.one(2) {
		return fmt.Sprintf("(%s %s %s)", g.expr(t, depth-1), pick(g, "+", "-", "*"), g.expr(t, depth-1))
	}
	if depth > 0 && t.constraint == "cmp.Ordered" && g.one(3) {
		return fmt.Sprintf("%s(%s, %s)", pick(g, "min", "max"), g.expr(t, depth-1), g.expr(t, depth-1))
	}
	if s := g.path(t); s != "" {
		return s
	}
	return fmt.Sprintf("*new(%v)", t)
}

// path is a variable or a part of one, "" when there is none of the type.
func (g *generator) path(t *typ) string {
	var found string
	n, depth := 0, 2
	if g.needsValue(t) {
		depth = 0 // parts may be nil
	}
	for _, v := range g.visible(func(v *variable) bool { return !v.maybe || depth > 0 && !g.needsValue(v.typ) }) {
		g.paths(v.name, v.typ, depth, !v.constant, func(text string, p *typ) {
			if same(p, t) {
				if n++; g.IntN(n) == 0 {
					found = text
				}
			}
		})
	}
	return found
}

// paths visits x and its parts, those that can be read without a panic.
func (g *generator) paths(x string, t *typ, depth int, top bool, visit func(string, *typ)) {
	visit(x, t)
	if depth == 0 {
		return
	}
	switch b := t.base(); b.kind {
	case structKind:
		for _, f := range b.fields {
			g.paths(x+"."+fieldName(f), f.typ, depth-1, false, visit)
		}
	case arrayKind:
		g.paths(fmt.Sprintf("%s[%s]", x, g.index(b.n)), b.elem, depth-1, false, visit)
	case pointerKind:
		if top && depth == 2 {
			g.paths("(*"+x+")", b.elem, depth-1, false, visit)
		}
	case mapKind:
		if k := b.key.base(); k.kind == basicKind {
			g.paths(fmt.Sprintf("%s[%s]", x, g.constant(b.key)), b.elem, depth-1, false, visit)
		}
	}
}

func fieldName(f field) string {
	if i := strings.IndexByte(f.name, '['); i >= 0 {
		return f.name[:i]
	}
	return f.name
}

// index is an index of an array of length n.
func (g *generator) index(n int) string {
	if v := g.variableOf(func(v *variable) bool { return same(v.typ, intType) && !v.constant }); v != nil && g.one(3) {
		return fmt.Sprintf("uint(%s)%%%d", v.name, n)
	}
	return fmt.Sprint(g.IntN(n))
}

// call is a call without effects that gives a t, or "".
func (g *generator) call(t *typ, depth int) string {
	for _, i := range g.Perm(len(g.funcs)) {
		f := g.funcs[i]
		if !f.pure || len(f.results) != 1 || g.one(3) || len(f.tparams) > 0 && g.plain {
			continue
		}
		if len(f.tparams) == 0 && same(f.results[0], t) && g.affords(f.cost) {
			return f.name + "(" + g.args(f.params, depth-1) + ")"
		}
		if len(f.tparams) > 0 && f.results[0].kind == paramKind && g.satisfies(t, f.results[0].constraint) && g.affords(f.cost) {
			args := g.typeArgs(f.tparams, 1)
			for k, p := range f.tparams {
				if p.name == f.results[0].name {
					args[k] = t
				}
			}
			return fmt.Sprintf("%s[%s](%s)", f.name, spell(args), g.args(substAll(f.params, f.tparams, args), depth-1))
		}
	}
	for _, v := range g.visible(func(v *variable) bool { return v.typ.kind == namedKind && !v.constant }) {
		for _, name := range sortedNames(g.methods(v.typ)) {
			m := g.methods(v.typ)[name]
			if m.pure && len(m.results) == 1 && same(m.results[0], t) && g.one(2) && g.affords(m.cost) {
				return v.name + "." + name + "(" + g.args(m.params, depth-1) + ")"
			}
		}
	}
	return ""
}

func (g *generator) args(params []*typ, depth int) string {
	var list []string
	for _, p := range params {
		list = append(list, g.expr(p, depth))
	}
	return strings.Join(list, ", ")
}

// boxed is a value of an interface type.
func (g *generator) boxed(t, b *typ, depth int) string {
	if t.name == "error" {
		if depth > 0 && g.one(3) {
			return fmt.Sprintf("fmt.Errorf(\"%s: %%w\", %s)", pick(g, "a", "b"), g.boxed(t, b, 0))
		}
		return pick(g, `errors.New("e")`, "io.EOF", `fmt.Errorf("f %d", 1)`)
	}
	if len(b.methods) == 0 {
		x := g.suchTyp(min(depth, 1), func(x *typ) bool { return x.printable() && x.base().kind != interfaceKind })
		if depth <= 0 || g.one(2) {
			x = g.basicType()
		}
		return t.String() + "(" + g.typed(x, depth-1) + ")"
	}
	for _, i := range g.Perm(len(g.named)) {
		x := g.named[i]
		if depth < -2 {
			break
		}
		if x.base().kind == interfaceKind {
			continue
		}
		if x.implements(b, false) && x.printable() {
			return t.String() + "(" + g.typed(x, depth-1) + ")"
		}
	}
	if t.name == "fmt.Stringer" {
		return pick(g, "fmt.Stringer(time.Duration(1500))", "fmt.Stringer(time.Month(3))")
	}
	return t.String() + "(nil)"
}

func (g *generator) pointer(t, b *typ, depth int) string {
	switch e := b.elem.base(); e.kind {
	case structKind, arrayKind, sliceKind, mapKind:
		if g.one(2) && t.kind == pointerKind && b.elem.kind != paramKind {
			return "&" + g.literal(b.elem, depth)
		}
	}
	if b.elem.base().kind == interfaceKind {
		return fmt.Sprintf("func() %v { p := new(%v); *p = %s; return p }()", t, b.elem, g.expr(b.elem, depth-1))
	}
	if t.kind == namedKind {
		return g.convert(t, "new("+g.typed(b.elem, depth-1)+")")
	}
	return "new(" + g.typed(b.elem, depth-1) + ")"
}

// slice is a slice whose array is seen elsewhere only where code may have effects.
func (g *generator) slice(t, b *typ, depth int) string {
	if depth > 0 {
		switch g.IntN(7) {
		case 0:
			return fmt.Sprintf("append(%s, %s)", g.clipped(t, depth), g.args([]*typ{b.elem, b.elem}[:1+g.IntN(2)], depth-1))
		case 1:
			return fmt.Sprintf("append(%s, %s...)", g.clipped(t, depth), g.literal(t, depth-1))
		case 2:
			if e := b.elem.base(); e.kind == basicKind && isOrdered(e) && !g.plain && !isFloat(e) {
				return "slices.Sorted(slices.Values(" + g.expr(t, depth-1) + "))"
			}
		case 3:
			return fmt.Sprintf("make(%v, %d, %d)", t, g.IntN(3), 3+g.IntN(2))
		case 4:
			if v := g.variableOf(func(v *variable) bool { return same(v.typ, t) }); v != nil {
				x := v.name
				return pick(g, x+"[len("+x+")/2:]", x+"[:len("+x+")/2]", x+"[:min(len("+x+"), 2):len("+x+")]", x+"[min(len("+x+"), 1):]")
			}
		case 5:
			if b.elem.name == "uint8" || b.elem.name == "int32" {
				return g.convert(t, g.varying(stringType, depth-1))
			}
		}
	}
	return g.literal(t, depth)
}

func (g *generator) clipped(t *typ, depth int) string {
	if v := g.variableOf(func(v *variable) bool { return same(v.typ, t) }); v != nil && g.one(2) {
		x := v.name
		n := pick(g, "3", "2", "1")
		if g.plain {
			return fmt.Sprintf("append(%v(nil), %s[:min(len(%s), %s)]...)", g.castable(t), x, x, n)
		}
		return fmt.Sprintf("slices.Clip(%s[:min(len(%s), %s)])", x, x, n)
	}
	return g.literal(t, depth-1)
}

func (g *generator) castable(t *typ) string { return t.String() }

// funcLit is a function value. Its body has no effects but where it is called as a statement.
func (g *generator) funcLit(t, b *typ) string {
	var params []string
	out := &strings.Builder{}
	g.scope(func() {
		for _, p := range b.params {
			v := g.declare(g.name("p"), p)
			params = append(params, v.name+" "+p.String())
		}
		var results []string
		for _, r := range b.results {
			results = append(results, g.expr(r, 1))
		}
		fmt.Fprintf(out, "func(%s)%s { ", strings.Join(params, ", "), resultText(b.results))
		if len(results) > 0 {
			fmt.Fprintf(out, "return %s ", strings.Join(results, ", "))
		}
		out.WriteString("}")
	})
	return "(" + out.String() + ")"
}
