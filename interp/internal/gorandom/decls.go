package gorandom

import (
	"fmt"
	"slices"
	"strings"
)

// Declarations.

// typeDecl declares a type and, in the same item, methods that interfaces and package fmt ask for.
func (g *generator) typeDecl() {
	t := &typ{kind: namedKind, name: g.name(pick(g, "T", "t"))}
	switch g.IntN(8) {
	case 0:
		t.under = g.basicType()
	case 1:
		if len(g.named) > 0 {
			t.under = pick(g, g.named...)
			break
		}
		fallthrough
	case 2:
		t.under = g.suchTyp(2, func(t *typ) bool { return t.kind != interfaceKind && t.kind != pointerKind && !g.needsValue(t) })
	case 3:
		t.under = arrayOf(1+g.IntN(4), g.typ(1))
	default:
		t.under = g.structType(1)
	}
	if k := t.base().kind; k == interfaceKind || k == pointerKind || t.words() > maxWords {
		t.under = &typ{kind: structKind, fields: []field{{"A", intType, false}}}
	}
	g.item(true, func() {
		g.w("type %s %v\n\n", t.name, t.under)
		if g.one(3) {
			g.methodOf(t, &method{name: pick(g, "String", "String", "Error"), results: []*typ{stringType}, pure: true})
		}
		for _, i := range g.ifaces {
			if g.one(3) {
				for _, m := range i.base().methods {
					if slices.ContainsFunc(t.methods, func(have *method) bool { return have.name == m.name }) {
						continue
					}
					c := *m
					c.pointer = !m.pure && g.one(2)
					g.methodOf(t, &c)
				}
			}
		}
	})
	g.named = append(g.named, t)
}

// methods are those that x.name selects for an x of type t, without the name of the method that is being written: what
// is promoted now may be the method itself when it is declared.
func (g *generator) methods(t *typ) map[string]selected {
	set := t.methodSet()
	delete(set, g.method)
	return set
}

// methodOf writes a method, of a type or a generic type.
func (g *generator) methodOf(t *typ, m *method) {
	recv := t.name
	var params []*typ
	d := t.generic
	if d != nil {
		params = d.params
		var names []string
		for _, p := range params {
			names = append(names, p.name)
		}
		recv = d.name + "[" + strings.Join(names, ", ") + "]"
	}
	g.scope(func() {
		g.startFunc(params, m.pure, false)
		g.method = m.name
		rt := t
		if m.pointer {
			rt = pointerTo(t)
			recv = "*" + recv
		}
		r := g.declare(g.name("r"), rt)
		r.shared, r.fixed = true, m.pointer
		g.w("func (%s %s) %s", r.name, recv, m.name)
		g.signatureAndBody(m.params, m.results)
		m.cost = g.endFunc()
	})
	if d != nil {
		d.methods = append(d.methods, m)
	} else {
		t.methods = append(t.methods, m)
	}
}

// methodItem gives a type a method that no interface has: the type may be of an earlier cell.
func (g *generator) methodItem() {
	m := &method{name: g.name("M"), pure: g.one(2), pointer: g.one(2)}
	for range g.IntN(3) {
		m.params = append(m.params, g.typ(1))
	}
	for range g.IntN(2) + 1 {
		m.results = append(m.results, g.typ(1))
	}
	if m.pure {
		m.results, m.pointer = m.results[:1], false
	}
	t := pick(g, g.named...)
	if d := pick(g, g.generics...); g.one(3) && d.name != "pair" && d.name != "stack" {
		t = d.instance(d.params)
	}
	g.item(true, func() { g.methodOf(t, m) })
}

func (g *generator) interfaceDecl() {
	t := &typ{kind: interfaceKind, name: g.name("I")}
	text := ""
	if len(g.ifaces) > 0 && g.one(2) {
		e := pick(g, g.ifaces...)
		t.methods = append(t.methods, e.methods...)
		text += e.name + "; "
	} else if g.one(4) {
		t.methods = append(t.methods, stringer.methods...)
		text += "fmt.Stringer; "
	}
	for range 1 + g.IntN(2) {
		m := &method{name: g.name("M"), pure: true, cost: 50}
		for range g.IntN(2) {
			m.params = append(m.params, g.printableType(0))
		}
		m.results = []*typ{g.printableType(g.IntN(2))}
		t.methods = append(t.methods, m)
		text += fmt.Sprintf("%s(%s)%s; ", m.name, spell(m.params), resultText(m.results))
	}
	g.item(true, func() { g.w("type %s interface { %s }", t.name, text) })
	g.ifaces = append(g.ifaces, t)
}

var constraints = []string{"any", "comparable", "integer", "number", "cmp.Ordered", "fmt.Stringer", "any"}

func (g *generator) typeParams() (list []*typ, text string) {
	var parts []string
	for i := range 1 + g.IntN(2) {
		p := &typ{kind: paramKind, name: fmt.Sprintf("P%d", i+1), constraint: pick(g, constraints...)}
		if p.constraint == "fmt.Stringer" {
			p.methods = stringer.methods
		}
		list = append(list, p)
		parts = append(parts, p.name+" "+p.constraint)
	}
	return list, "[" + strings.Join(parts, ", ") + "]"
}

func (g *generator) genericType() {
	d := &generic{name: g.name("G"), made: map[string]*typ{}}
	var text string
	d.params, text = g.typeParams()
	d.under = &typ{kind: structKind}
	g.tparams = d.params
	for i := range 1 + g.IntN(3) {
		t := g.suchTyp(2, (*typ).printable)
		d.under.fields = append(d.under.fields, field{string(rune('A' + i)), t, false})
	}
	g.tparams = nil
	g.item(true, func() {
		g.w("type %s%s %v\n\n", d.name, text, d.under)
		for range g.IntN(3) {
			g.tparams = d.params
			m := &method{name: g.name("M"), pure: g.one(2), results: []*typ{g.typ(1)}}
			m.pointer = !m.pure
			if g.one(2) {
				m.params = []*typ{g.typ(1)}
			}
			g.methodOf(d.instance(d.params), m)
		}
		if g.one(4) {
			g.methodOf(d.instance(d.params), &method{name: "String", results: []*typ{stringType}, pure: true})
		}
	})
	g.generics = append(g.generics, d)
}

func (g *generator) startFunc(tparams []*typ, pure, plain bool) {
	g.outside = g.vars
	g.vars = nil
	for _, v := range g.outside {
		if v.global {
			v.foreign = true
			g.vars = append(g.vars, v)
		}
	}
	g.tparams, g.pure, g.plain, g.inFunc, g.times, g.cost, g.topLevel = tparams, pure, plain, true, 1, 0, false
	g.labels, g.loops = nil, 0
}

func (g *generator) endFunc() (cost int) {
	cost = g.cost + 1
	g.vars = g.outside
	for _, v := range g.vars {
		v.foreign = false
	}
	g.tparams, g.results, g.method, g.pure, g.plain, g.inFunc, g.returns, g.cost = nil, nil, "", false, false, false, false, 0
	return cost
}

// signatureAndBody writes the rest of a function, from its parameters on.
func (g *generator) signatureAndBody(params, results []*typ) {
	var list []string
	for _, p := range params {
		v := g.declare(g.name("p"), p)
		v.shared = true
		v.foreign = false
		list = append(list, v.name+" "+p.String())
	}
	g.w("(%s)", strings.Join(list, ", "))
	named := len(results) > 0 && g.one(3) && !slices.ContainsFunc(results, g.needsValue)
	if named {
		list = nil
		for _, r := range results {
			v := g.declare(g.name("r"), r)
			list = append(list, v.name+" "+r.String())
		}
		g.w(" (%s)", strings.Join(list, ", "))
	} else {
		g.w("%s", resultText(results))
	}
	g.results, g.returns = results, true
	g.w(" {\n")
	if named && !g.pure && g.one(3) {
		g.w("defer func() {\n")
		if g.one(2) {
			g.w("if r := recover(); r != nil { fmt.Println(\"recovered\", r) }\n")
		}
		g.scope(func() { g.inside(func() { g.statement(1) }) })
		g.w("}()\n")
	}
	g.scope(func() {
		for range 1 + g.IntN(4) {
			g.statement(pick(g, 1, 2, 2, 3))
		}
		if named && g.one(2) {
			g.w("return\n")
		} else if len(results) > 0 {
			g.w("return %s\n", g.args(results, 2))
		}
	})
	g.w("}\n")
}

// inside writes the body of a function literal: no return stands in it, and no loop around it can be left.
func (g *generator) inside(write func()) {
	labels, loops, inFunc, returns := g.labels, g.loops, g.inFunc, g.returns
	g.labels, g.loops, g.inFunc, g.returns = nil, 0, true, false
	write()
	g.labels, g.loops, g.inFunc, g.returns = labels, loops, inFunc, returns
}

func (g *generator) funcDecl(pure bool) {
	f := &function{name: g.name("f"), pure: pure}
	plain := g.one(2)
	g.item(true, func() {
		g.scope(func() {
			g.startFunc(nil, pure, plain)
			for range g.IntN(4) {
				f.params = append(f.params, g.typ(2))
			}
			for range g.IntN(3) {
				f.results = append(f.results, g.typ(2))
			}
			if pure {
				f.results = []*typ{g.typ(pick(g, 0, 1, 2))}
			}
			g.w("func %s", f.name)
			g.signatureAndBody(f.params, f.results)
			f.cost = g.endFunc()
		})
	})
	g.funcs = append(g.funcs, f)
}

func (g *generator) genericFunc() {
	f := &function{name: g.name("g"), pure: g.one(2)}
	var text string
	f.tparams, text = g.typeParams()
	g.item(true, func() {
		g.scope(func() {
			g.startFunc(f.tparams, f.pure, false)
			for range 1 + g.IntN(3) {
				f.params = append(f.params, g.printableType(2))
			}
			f.params = append(f.params, f.tparams...)
			for range 1 + g.IntN(2) {
				f.results = append(f.results, g.printableType(1))
			}
			if f.pure {
				f.results = []*typ{pick(g, f.tparams...)}
			} else if g.one(3) {
				f.results = append(f.results, errorType)
			}
			g.w("func %s%s", f.name, text)
			g.signatureAndBody(f.params, f.results)
			f.cost = g.endFunc()
		})
	})
	g.funcs = append(g.funcs, f)
}

// constDecl declares constants, counted by iota or not.
func (g *generator) constDecl() {
	t := g.suchTyp(0, func(t *typ) bool { return t.base().kind == basicKind && isInteger(t.base()) })
	var add []*variable
	g.item(true, func() {
		g.w("const (\n")
		for i := range 2 + g.IntN(3) {
			n := g.name("C")
			switch {
			case i == 0:
				g.w("%s %v = %s\n", n, t, pick(g, "iota", "iota*3 + 1", "1 << iota", "(iota + 1) * (iota + 2)", "7 - iota", "2 + iota"))
			case g.one(4):
				g.w("_\n")
				fallthrough
			default:
				g.w("%s\n", n)
			}
			v := &variable{name: n, typ: t, constant: true, fixed: true, global: true}
			add = append(add, v)
		}
		g.w(")")
	})
	g.vars = append(g.vars, add...)
}

// globalVar declares a variable whose first value does not depend on what ran before.
func (g *generator) globalVar() {
	vars := g.vars
	g.vars = nil
	funcs := g.funcs
	g.funcs = nil
	t := g.typ(2)
	g.times, g.cost = 1, 0
	value := g.expr(t, 2)
	g.vars, g.funcs = vars, funcs
	v := g.declare(g.name("V"), t)
	v.global = true
	g.item(true, func() { g.w("var %s %v = %s", v.name, t, value) })
}
