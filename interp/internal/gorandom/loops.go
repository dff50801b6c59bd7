package gorandom

import (
	"fmt"
	"strings"
)

// Loops. Each says how often it runs.

// body writes the body of a loop that runs n times.
func (g *generator) body(n, depth int) {
	labels := g.labels
	g.loops++
	g.repeat(n, func() {
		g.scope(func() {
			g.statements(depth)
			if g.one(4) {
				g.w("if %s { %s }\n", g.condition(1), g.leave())
			}
			if g.one(4) {
				g.statements(depth)
			}
		})
	})
	g.loops--
	g.labels = labels
}

// earlyReturn leaves the function, from inside of loops, switches and bodies of ranges over functions.
func (g *generator) earlyReturn() {
	if !g.returns {
		g.simple()
		return
	}
	g.w("if %s { return %s }\n", g.condition(2), g.args(g.results, 1))
}

func (g *generator) leave() string {
	s := pick(g, "break", "continue")
	if len(g.labels) > 0 && g.one(2) {
		s += " " + pick(g, g.labels...)
	}
	return s
}

// exchange is a loop that carries variables in a cycle.
func (g *generator) exchange(depth int) {
	t := g.typ(2)
	if g.one(3) {
		t = g.basicType()
	}
	n := 2 + g.IntN(2)
	var names, values []string
	for range n {
		values = append(values, g.expr(t, 2))
	}
	turn := func(list []string) string { return strings.Join(append(list[1:len(list):len(list)], list[0]), ", ") }
	g.scope(func() {
		for range n {
			v := g.declare(g.name("x"), t)
			names = append(names, v.name)
		}
		all := strings.Join(names, ", ")
		times := 1 + g.IntN(5)
		i := g.name("i")
		if !g.topLevel || g.one(2) {
			g.w("{\n")
			defer g.w("}\n")
		}
		if g.one(4) && t.base().kind != interfaceKind && !g.topLevel {
			var typed []string
			for _, x := range values {
				typed = append(typed, g.convert(t, x))
			}
			g.w("for %s, %s := 0, %s; %s < %d; %s, %s = %s+1, %s {\n", i, all, strings.Join(typed, ", "), i, times, i, all, i, turn(names))
			g.body(times, depth)
			g.showBriefly(names, t)
			g.w("}\n")
			return
		}
		for k, x := range values {
			g.define(names[k], t, x)
		}
		g.w("for %s := 0; %s < %d; %s++ {\n", i, i, times, i)
		g.scope(func() {
			v := g.declare(i, intType)
			v.fixed = true
			if g.one(2) {
				g.w("%s = %s\n", all, turn(names))
				g.body(times, depth)
			} else {
				g.body(times, depth)
				g.w("%s = %s\n", all, turn(names))
			}
			if g.one(3) {
				g.showBriefly(names, t)
			}
		})
		g.w("}\n")
		g.showBriefly(names, t)
	})
}

// showBriefly prints variables, or counts them as used.
func (g *generator) showBriefly(names []string, t *typ) {
	if !g.pure && !g.plain && t.printable() {
		g.w("fmt.Println(%s)\n", strings.Join(names, ", "))
		return
	}
	for _, n := range names {
		g.w("_ = %s\n", n)
	}
}

func (g *generator) countingLoop(depth int) {
	n := 1 + g.IntN(5)
	t := basic(pick(g, "int", "int", "uint8", "int64", "uintptr", "int16"))
	i := g.name("i")
	g.scope(func() {
		v := g.declare(i, t)
		v.fixed = true
		switch g.IntN(3) {
		case 0:
			g.w("for %s := %v(%d); %s > 0; %s-- {\n", i, t, n, i, i)
		case 1:
			g.w("for %s := range %v(%d) {\n%s", i, t, n, mark(v))
		default:
			g.w("for %s := %v(0); %s < %d; %s++ {\n", i, t, i, n, i)
		}
		g.body(n, depth)
		g.w("}\n")
	})
}

// rangeLoop ranges over anything that can be ranged over.
func (g *generator) rangeLoop(depth int) {
	kinds := []string{"array", "array", "array", "pointer", "slice", "slice", "string", "int"}
	if !g.plain {
		kinds = append(kinds, "map", "seq", "seq2", "chan", "map")
	}
	e := g.typ(2)
	if e.words() > 8 {
		e = g.typ(1)
	}
	key := intType
	n := 4
	var over string
	switch pick(g, kinds...) {
	case "array":
		t := arrayOf(1+g.IntN(4), e)
		n = t.n
		if over = g.expr(t, 2); g.one(3) {
			over = g.literal(t, 2)
		}
		if v := g.variableOf(func(v *variable) bool { return v.typ.base().kind == arrayKind }); v != nil && g.one(2) {
			over, e = v.name, v.typ.base().elem
		}
	case "pointer":
		t := arrayOf(1+g.IntN(4), e)
		over = "&" + g.literal(t, 2)
		if v := g.variableOf(func(v *variable) bool { return v.typ.base().kind == arrayKind && !v.constant }); v != nil && g.one(2) && !g.pure {
			over, e = "&"+v.name, v.typ.base().elem
		}
	case "slice":
		over = g.expr(sliceOf(e), 2)
		if v := g.variableOf(func(v *variable) bool { return v.typ.base().kind == sliceKind }); v != nil && g.one(2) {
			over, e = v.name, v.typ.base().elem
		}
		n = 6
	case "string":
		over, e = g.varying(stringType, 2), basic("int32")
		n = 24
	case "int":
		g.countingLoop(depth)
		return
	case "map":
		g.mapLoop(depth)
		return
	case "seq":
		over = fmt.Sprintf("each[%v](%s)", e, g.args([]*typ{e, e, e}[:g.IntN(4)], 1))
		key = nil
	case "seq2":
		if e.kind == paramKind || !e.printable() {
			e = intType
		}
		over = pick(g,
			fmt.Sprintf("(&stack[%v]{}).Push(%s).Push(%s).All()", e, g.expr(e, 1), g.expr(e, 1)),
			fmt.Sprintf("slices.Backward([]%v{%s})", e, g.args([]*typ{e, e}, 1)),
			fmt.Sprintf("slices.All([]%v{%s})", e, g.args([]*typ{e, e}, 1)))
	case "chan":
		c := g.name("c")
		g.w("%s := make(chan %v, 3)\n", c, e)
		for range g.IntN(4) {
			g.w("%s <- %s\n", c, g.expr(e, 1))
		}
		g.w("close(%s)\n", c)
		over, key = c, nil
	}
	g.scope(func() {
		var vars []*variable
		var names []string
		if key != nil {
			v := g.declare(g.name("i"), key)
			vars = append(vars, v)
			if g.one(4) {
				v.name = "_"
				vars = nil
				g.vars = g.vars[:len(g.vars)-1]
				names = []string{"_"}
			} else {
				names = []string{v.name}
			}
		}
		if len(names) == 0 || names[0] == "_" || !g.one(6) {
			v := g.declare(g.name("v"), e)
			v.shared, v.maybe = true, true
			vars, names = append(vars, v), append(names, v.name)
		}
		g.w("for %s := range %s {\n%s", strings.Join(names, ", "), over, mark(vars...))
		if last := vars[len(vars)-1]; !g.pure && !g.plain && last.typ.printable() && g.one(2) {
			g.w("fmt.Println(%s)\n", last.name)
		}
		g.body(n, depth)
		g.w("}\n")
	})
}

// mapLoop visits a map in an order of its own, or where the order does not matter.
func (g *generator) mapLoop(depth int) {
	t := mapOf(g.keyType(1), g.typ(1))
	m := g.expr(t, 2)
	if v := g.variableOf(func(v *variable) bool { return v.typ.base().kind == mapKind && v.typ.base().key.isKey() }); v != nil && g.one(2) {
		t, m = v.typ.base(), v.name
	}
	if g.one(2) && t.elem.printable() {
		n, k, v := g.declare(g.name("n"), intType), g.name("k"), g.name("v")
		g.w("%s := 0\nfor %s, %s := range %s { %s += len(fmt.Sprint(%s, %s)) }\n%s", n.name, k, v, m, n.name, k, v, mark(n))
		return
	}
	x := g.name("m")
	g.w("{\n%s := %s\n", x, m)
	g.scope(func() {
		mv := g.declare(x, t)
		mv.shared = true
		k := g.declare(g.name("k"), t.key)
		g.w("for _, %s := range keys(%s) {\n%s", k.name, mv.name, mark(k))
		if !g.pure && t.elem.printable() {
			g.w("fmt.Println(%s, %s[%s])\n", k.name, x, k.name)
		}
		g.body(4, depth)
		g.w("}\n")
	})
	g.w("}\n")
}
