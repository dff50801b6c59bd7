package gorandom

import (
	"fmt"
	"strings"
)

// Statements. Each writes whole lines.

func (g *generator) statement(depth int) {
	if depth <= 0 {
		g.simple()
		return
	}
	switch g.IntN(28) {
	case 0, 1, 2, 3:
		g.simple()
	case 4, 5:
		g.declaration()
	case 6:
		g.ifStatement(depth)
	case 7, 8:
		g.exchange(depth)
	case 9:
		g.countingLoop(depth)
	case 10, 11, 12, 13:
		g.rangeLoop(depth)
	case 14:
		g.switchStatement(depth)
	case 15:
		g.typeSwitch(depth)
	case 16:
		g.closures(depth)
	case 17:
		g.labelled(depth)
	case 18:
		g.block(depth)
	case 19:
		g.methodValue()
	case 20:
		g.aliases()
	case 21:
		g.deferred(depth)
	case 22:
		g.channels()
	case 23:
		g.risky(depth)
	case 24:
		g.earlyReturn()
	case 25:
		g.useIdiom()
	default:
		g.library()
	}
}

// nested writes the statements of a block.
func (g *generator) nested(depth int) { g.scope(func() { g.statements(depth) }) }

// statements writes some, with more of the same block to follow.
func (g *generator) statements(depth int) {
	for range 1 + g.IntN(2) {
		g.statement(depth - 1)
	}
}

// simple is an assignment, a print or a call.
func (g *generator) simple() {
	switch g.IntN(5) {
	case 0:
		if !g.pure && !g.plain {
			g.print()
			return
		}
	case 1:
		if g.callStatement() {
			return
		}
	}
	g.assign()
}

// print prints values.
func (g *generator) print() {
	if g.pure || g.plain {
		g.assign()
		return
	}
	var list []string
	plain := true // no error is in the values, which %#v would print with addresses
	for range 1 + g.IntN(2) {
		v := g.variableOf(func(v *variable) bool { return v.typ.printable() })
		t := g.printableType(2)
		if v != nil && !g.one(3) {
			t = v.typ
			list = append(list, v.name)
		} else {
			list = append(list, g.typed(t, 2))
		}
		plain = plain && t.prints(true, map[string]bool{})
	}
	if g.one(2) {
		verbs := strings.Repeat(pick(g, "%v", "%+v", "%#v", "%T", "%v %[1]T", "%q", "%x", "%5v|")+" ", len(list))
		if !plain {
			verbs = strings.ReplaceAll(verbs, "%#v", "%v")
		}
		if strings.Contains(verbs, "[1]") {
			verbs = "%v %[1]T"
			list = list[:1]
		}
		g.w("fmt.Printf(\"%s\\n\", %s)\n", strings.TrimSpace(verbs), strings.Join(list, ", "))
		return
	}
	g.w("fmt.Println(%s)\n", strings.Join(list, ", "))
}

// target is what can be assigned to, without a panic.
func (g *generator) target() (text string, t *typ) {
	n := 0
	for _, v := range g.visible(func(v *variable) bool { return !v.constant && !(g.pure && v.foreign) }) {
		if v.maybe && v.typ.base().kind == pointerKind {
			continue
		}
		g.paths(v.name, v.typ, 2, !g.pure, func(s string, p *typ) {
			if v.fixed && !strings.HasPrefix(s, "(*") || p.base().kind == mapKind && v.typ.base().kind != mapKind {
				return
			}
			if k := v.typ.base().kind; k == mapKind && s != v.name || strings.Count(s, "]") > 0 && throughMap(v.typ) {
				return
			}
			if n++; g.IntN(n) == 0 {
				text, t = s, p
			}
		})
	}
	return text, t
}

// throughMap says that a part of a value of the type is an element of a map.
func throughMap(t *typ) bool {
	return !t.all(false, func(b *typ) bool { return b.kind != mapKind })
}

func (g *generator) assign() {
	to, t := g.target()
	if to == "" {
		g.declaration()
		return
	}
	b := t.base()
	switch {
	case isNumber(b) && g.one(3) && b.kind == basicKind:
		g.w("%s %s %s\n", to, pick(g, "+=", "-=", "*="), g.expr(t, 1))
	case isInteger(b) && g.one(3):
		g.w("%s%s\n", to, pick(g, "++", "--"))
	case isString(b) && g.one(2):
		g.w("%s = clip(%s + %s)\n", to, to, g.expr(t, 1))
	case b.kind == sliceKind && g.one(2) && !g.pure:
		g.w("if len(%s) < 6 { %s = append(%s, %s) }\n", to, to, to, g.expr(b.elem, 1))
	case b.kind == sliceKind && g.one(2) && !g.pure:
		g.w("if n := len(%s); n > 0 { %s[%d%%n] = %s }\n", to, to, g.IntN(4), g.noPanic(b.elem))
	case b.kind == mapKind && g.one(2) && !g.pure && len(g.distinct(b.key, 1)) > 0:
		k := g.expr(b.key, 1)
		g.w("if %s != nil { %s[%s] = %s }\n", to, to, k, g.expr(b.elem, 1))
	default:
		g.w("%s = %s\n", to, g.expr(t, 2))
	}
}

func (g *generator) noPanic(t *typ) string { return g.expr(t, 1) }

// callStatement calls a function or a method that may have effects, or a function value.
func (g *generator) callStatement() bool {
	if g.pure {
		return false
	}
	if v := g.variableOf(func(v *variable) bool { return v.typ.base().kind == funcKind && !v.maybe }); v != nil && g.one(2) && g.affords(10) {
		f := v.typ.base()
		g.takeResults(fmt.Sprintf("%s(%s)", v.name, g.args(f.params, 1)), f.results)
		return true
	}
	if v := g.variableOf(func(v *variable) bool {
		if v.fixed || v.constant || v.maybe || v.typ.kind != namedKind {
			return false
		}
		for _, m := range g.methods(v.typ) {
			if !m.pure {
				return true
			}
		}
		return false
	}); v != nil && g.one(2) {
		set := g.methods(v.typ)
		m := set[pick(g, sortedNames(set)...)]
		if g.affords(m.cost) && v.typ.base().kind != interfaceKind {
			g.takeResults(fmt.Sprintf("%s.%s(%s)", v.name, m.name, g.args(m.params, 1)), m.results)
			return true
		}
	}
	if len(g.funcs) == 0 {
		return false
	}
	f := pick(g, g.funcs...)
	if !g.affords(f.cost) {
		return false
	}
	if len(f.tparams) > 0 {
		old := g.plain
		g.plain = false
		args := g.typeArgs(f.tparams, 1)
		name := fmt.Sprintf("%s[%s]", f.name, spell(args))
		g.takeResults(name+"("+g.typedArgs(substAll(f.params, f.tparams, args))+")", substAll(f.results, f.tparams, args))
		g.plain = old
		return true
	}
	g.takeResults(f.name+"("+g.args(f.params, 1)+")", f.results)
	return true
}

func (g *generator) typedArgs(params []*typ) string {
	var list []string
	for _, p := range params {
		list = append(list, g.typed(p, 1))
	}
	return strings.Join(list, ", ")
}

// takeResults writes a call as a statement that declares variables for what it returns, or assigns them.
func (g *generator) takeResults(call string, results []*typ) {
	if len(results) == 0 {
		g.w("%s\n", call)
		return
	}
	var vars []*variable
	var names []string
	for _, r := range results {
		v := g.declare(g.name("v"), r)
		v.shared, v.maybe = true, g.needsValue(r)
		vars, names = append(vars, v), append(names, v.name)
	}
	g.w("%s := %s\n%s", strings.Join(names, ", "), call, mark(vars...))
}

// define writes the declaration of a variable. At top level it is a statement: declarations stand elsewhere in the
// program.
func (g *generator) define(name string, t *typ, value string) {
	if g.topLevel || g.one(3) {
		g.w("%s := %s\n", name, g.convert(t, value))
		return
	}
	g.w("var %s %v = %s\n", name, t, value)
}

// declaration declares variables.
func (g *generator) declaration() {
	t := g.typ(2)
	switch g.IntN(6) {
	case 0:
		if !g.topLevel && t.all(false, func(b *typ) bool { return !g.needsValue(b) }) {
			v := g.fresh(t)
			g.w("var %s %v\n%s", v.name, t, mark(v))
			return
		}
	case 1:
		u := g.typ(1)
		x, y := g.expr(t, 2), g.expr(u, 2)
		v, w := g.declare(g.name("v"), t), g.declare(g.name("v"), u)
		g.w("%s, %s := %s, %s\n%s", v.name, w.name, g.convert(t, x), g.convert(u, y), mark(v, w))
		return
	}
	x := g.expr(t, 3)
	v := g.fresh(t)
	g.define(v.name, t, x)
	g.w("%s", mark(v))
}

func (g *generator) ifStatement(depth int) {
	if g.one(3) {
		t := g.typ(1)
		x := g.typed(t, 1)
		g.scope(func() {
			v := g.declare(g.name("v"), t)
			g.w("if %s := %s; %s {\n%s", v.name, x, g.condition(1), mark(v))
			g.nested(depth)
			g.w("} else {\n")
			g.nested(depth)
			g.w("}\n")
		})
		return
	}
	g.w("if %s {\n", g.condition(2))
	g.nested(depth)
	if g.one(2) {
		g.w("} else if %s {\n", g.condition(1))
		g.nested(depth)
	}
	if g.one(2) {
		g.w("} else {\n")
		g.nested(depth)
	}
	g.w("}\n")
}

func (g *generator) block(depth int) {
	if g.topLevel {
		g.w("{\n")
		g.nested(depth)
		g.w("}\n")
		return
	}
	// A block that shadows a variable.
	v := g.variableOf(func(v *variable) bool { return !v.constant })
	if v == nil {
		g.simple()
		return
	}
	x := v.name
	g.scope(func() {
		n := g.declare(x, v.typ)
		n.maybe, n.shared = v.maybe, true
		g.w("{\n%s := %s\n%s", x, x, mark(n))
		g.statements(depth)
		g.statements(depth)
		g.w("}\n")
	})
}

// switchStatement is a switch over a value, with fallthrough, or over conditions.
func (g *generator) switchStatement(depth int) {
	t := g.suchTyp(0, func(t *typ) bool { return t.base().kind == basicKind && t.comparable() && !isBool(t.base()) })
	if g.one(3) {
		g.w("switch {\ncase %s:\n", g.condition(2))
		g.nested(depth)
		g.w("case %s:\n", g.condition(1))
		g.nested(depth)
	} else {
		g.w("switch %s {\n", g.varying(t, 2))
		seen := map[string]bool{}
		for range 1 + g.IntN(3) {
			c := g.constant(t)
			if strings.Contains(c, "'") || seen[c] {
				continue
			}
			seen[c] = true
			g.w("case %s:\n", c)
			g.nested(depth)
			if g.one(3) {
				g.w("fallthrough\n")
			}
		}
	}
	g.w("default:\n")
	g.nested(depth)
	g.w("}\n")
}

func (g *generator) typeSwitch(depth int) {
	if g.plain {
		g.simple()
		return
	}
	x := g.expr(pick(g, anyType, anyType, errorType, stringer), 2)
	if v := g.variableOf(func(v *variable) bool { return v.typ.base().kind == interfaceKind && v.typ.name != "" }); v != nil && g.one(2) {
		x = v.name
	}
	n := g.name("v")
	g.w("switch %s := any(%s).(type) {\n", n, x)
	seen := map[string]bool{}
	for range 1 + g.IntN(4) {
		t := g.typ(2)
		if g.one(3) && len(g.named) > 0 {
			t = pick(g, g.named...)
		}
		if seen[t.String()] || len(g.tparams) > 0 || t.name == "any" || t.name == "byte" {
			continue
		}
		seen[t.String()] = true
		g.w("case %v:\n", t)
		g.scope(func() {
			v := g.declare(n, t)
			v.maybe, v.shared = true, true
			g.w("%s", mark(v))
			if t.printable() && !g.pure {
				g.w("fmt.Printf(\"%%T %%v\\n\", %s, %s)\n", v.name, n)
			}
			g.nested(depth)
		})
	}
	if g.one(2) {
		g.w("case nil:\n")
		g.nested(depth)
	}
	g.w("default:\n_ = %s\n", n)
	g.nested(depth)
	g.w("}\n")
}
