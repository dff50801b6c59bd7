package gorandom

import (
	"strings"
)

// Statements about functions: closures, method values, deferred calls, panics; and about slices and channels.

// closures makes functions that capture a loop's variables and call them afterwards.
func (g *generator) closures(depth int) {
	if g.plain || g.pure {
		g.assign()
		return
	}
	t := g.printableType(1)
	f, i, v := g.name("c"), g.name("i"), g.name("v")
	n := 1 + g.IntN(3)
	x := g.typed(t, 2)
	g.w("{\nvar %s []func() %v\n", f, t)
	g.scope(func() {
		kept := g.declare(v, t)
		if g.one(2) {
			g.w("%s := %s\n", v, x)
		}
		loop := g.declare(i, intType)
		loop.fixed = true
		if g.one(2) {
			g.w("for %s := 0; %s < %d; %s++ {\n", i, i, n, i)
		} else {
			g.w("for %s := range %d {\n", i, n)
		}
		if !strings.Contains(g.b.String(), v+" := ") {
			g.w("%s := %s\n", v, x)
		}
		g.w("%s = append(%s, func() %v {\n", f, f, t)
		g.repeat(n, func() {
			g.inside(func() {
				g.loops = 0
				g.nested(min(depth, 2))
			})
			g.w("_ = %s\nreturn %s\n})\n", i, kept.name)
			g.loops++
			g.nested(1)
			g.loops--
		})
		g.w("}\n")
	})
	g.w("for _, f := range %s { fmt.Println(f()) }\n}\n", f)
}

// labelled writes nested loops that are left by labels, or a loop made of goto.
func (g *generator) labelled(depth int) {
	l := g.name("L")
	if g.one(3) {
		n := g.name("n")
		if g.topLevel {
			g.w("func() {\n")
			defer g.w("}()\n")
		} else {
			g.w("{\n")
			defer g.w("}\n")
		}
		times := 1 + g.IntN(4)
		g.scope(func() {
			g.w("%s := 0\n%s:\n", n, l)
			v := g.declare(n, intType)
			v.fixed = true
			write := func() { g.repeat(times, func() { g.w("{\n"); g.nested(depth); g.w("}\n") }) }
			if g.topLevel {
				g.topLevel = false
				g.inside(write)
				g.topLevel = true
			} else {
				write()
			}
			g.w("if %s++; %s < %d { goto %s }\n", n, n, times, l)
		})
		return
	}
	i := g.name("i")
	n := 1 + g.IntN(3)
	g.w("%s:\n", l)
	g.scope(func() {
		v := g.declare(i, intType)
		v.fixed = true
		g.w("for %s := range %d {\n%s", i, n, mark(v))
		labels := g.labels
		g.labels = append(labels[:len(labels):len(labels)], l)
		g.loops++
		g.repeat(n, func() {
			if g.one(3) {
				g.w("switch {\ncase %s:\n%s\ndefault:\n", g.condition(1), pick(g, "break "+l, "continue "+l))
				g.nested(depth)
				g.w("}\n")
			}
			g.statement(depth - 1)
			g.rangeLoop(depth - 1)
			g.w("if %s { %s %s }\n", g.condition(1), pick(g, "break", "continue"), l)
		})
		g.loops--
		g.labels = labels
		g.w("}\n")
	})
}

// methodValue calls methods through values and expressions.
func (g *generator) methodValue() {
	v := g.variableOf(func(v *variable) bool {
		return v.typ.kind == namedKind && !v.constant && !v.fixed && v.typ.base().kind != interfaceKind && len(g.methods(v.typ)) > 0
	})
	if v == nil || g.pure || g.plain {
		g.simple()
		return
	}
	set := g.methods(v.typ)
	m := set[pick(g, sortedNames(set)...)]
	if !g.affords(m.cost + 1) {
		g.simple()
		return
	}
	f := g.name("m")
	x, args := v.name, g.typedArgs(m.params)
	switch g.IntN(4) {
	case 0:
		g.w("%s := %s.%s\n", f, x, m.name)
	case 1:
		if g.one(2) || m.pointer {
			g.w("%s := (*%v).%s\n", f, v.typ, m.name)
			x = "&" + x
		} else {
			g.w("%s := %v.%s\n", f, v.typ, m.name)
		}
		args = strings.TrimSuffix(x+", "+args, ", ")
	case 2:
		if to, t := g.target(); to != "" && t.kind == basicKind {
			g.w("%s := %s.%s\n%s = %s\n", f, x, m.name, to, g.expr(t, 1))
			break
		}
		fallthrough
	default:
		g.w("var %s interface { %s(%s)%s } = &%s\n", f, m.name, spell(m.params), resultText(m.results), x)
		g.takeResults(f+"."+m.name+"("+args+")", m.results)
		return
	}
	g.takeResults(f+"("+args+")", m.results)
}

// aliases writes to an array that several slices see.
func (g *generator) aliases() {
	t := g.printableType(1)
	if g.pure {
		g.assign()
		return
	}
	a, b := g.name("a"), g.name("b")
	e := func() string { return g.expr(t, 1) }
	g.w("{\n%s := append(make([]%v, 0, 5), %s, %s, %s)\n", a, t, e(), e(), e())
	g.w("%s := %s\n", b, pick(g, a+"[:2]", a+"[1:]", a+"[1:2:2]", a, "append("+a+"[:1], "+a+"[2:]...)"))
	if g.one(4) {
		g.w("%s := (*[2]%v)(%s)\n%s[1] = %s\n", a+"p", t, a, a+"p", e())
	}
	if g.one(4) {
		g.w("%s := [2]%v(%s)\n%s[0] = %s\n_ = %s\n", a+"c", t, a, a+"c", e(), a+"c")
	}
	for range 1 + g.IntN(3) {
		switch g.IntN(4) {
		case 0:
			g.w("%s = append(%s, %s)\n", b, b, e())
		case 1:
			g.w("copy(%s[1:], %s)\n", a, b)
		case 2:
			g.w("%s[0] = %s\n", b, e())
		case 3:
			g.w("clear(%s[1:])\n", a)
		}
	}
	if !g.plain {
		g.w("fmt.Println(%s, %s, len(%s), cap(%s))\n", a, b, a, b)
	} else {
		g.w("_ = %s\n", b)
	}
	g.w("}\n")
}

// deferred writes a function literal with deferred calls, which change its result or recover a panic.
func (g *generator) deferred(depth int) {
	if g.pure || g.plain {
		g.assign()
		return
	}
	t := g.printableType(1)
	r, n := g.name("r"), 1+g.IntN(3)
	g.scope(func() {
		old := g.topLevel
		g.topLevel = false
		g.w("fmt.Println(func() (%s %v) {\n", r, t)
		g.inside(func() {
			g.declare(r, t)
			g.w("defer func() { ")
			recovers := g.one(2)
			if recovers {
				g.w("if x := recover(); x != nil { fmt.Println(\"recovered\", x) }\n")
			}
			g.nested(1)
			g.w("}()\n")
			if g.one(3) {
				g.w("for i := range %d { defer fmt.Println(\"deferred\", i, %s) }\n", n, r)
			}
			g.statements(depth)
			if recovers && g.one(2) {
				g.w("if %s { panic(%s) }\n", g.condition(1), g.panicValue())
			}
			g.w("return %s\n", g.expr(t, 1))
		})
		g.w("}())\n")
		g.topLevel = old
	})
}

func (g *generator) panicValue() string {
	return pick(g, `"p"`, `errors.New("pe")`, `fmt.Sprint("x", 1)`, "any(7)", `fmt.Errorf("w: %w", io.EOF)`)
}

// risky writes what may panic, where it is recovered.
func (g *generator) risky(depth int) {
	if g.pure || g.plain {
		g.assign()
		return
	}
	old := g.topLevel
	g.topLevel = false
	g.w("try(func() {\n")
	g.scope(func() {
		g.inside(func() {
			g.statement(depth - 1)
			x := g.name("x")
			switch g.IntN(10) {
			case 0:
				g.w("%s := %s\nfmt.Println(%s[%s])\n", x, g.typed(sliceOf(g.printableType(1)), 2), x, g.varying(intType, 1))
			case 1:
				g.w("%s := %s\nfmt.Println(%s / (%s %% 2))\n", x, g.varying(intType, 1), x, g.varying(intType, 1))
			case 2:
				g.w("%s := %s\nfmt.Println(%s.(%v))\n", x, g.expr(anyType, 2), x, g.printableType(1))
			case 3:
				g.w("var %s map[string]int\n%s[\"a\"] = %s\n", x, x, g.expr(intType, 1))
			case 4:
				g.w("var %s *struct { A, B int }\nfmt.Println(%s.B)\n", x, x)
			case 5:
				g.w("%s := %s\nfmt.Println(%s[%s:])\n", x, g.varying(stringType, 1), x, g.varying(intType, 1))
			case 6:
				g.w("%s := %s\nfmt.Println([2]int(%s))\n", x, g.typed(sliceOf(intType), 1), x)
			case 7:
				g.w("defer func() { x := recover(); fmt.Println(\"first\", x); panic(fmt.Sprint(\"again \", x)) }()\npanic(%s)\n", g.panicValue())
			case 8:
				g.w("%s, %s := any(%s), any(%s)\nfmt.Println(%s == %s)\n", x, x+"y", g.typed(g.printableType(1), 1), g.typed(g.printableType(1), 1), x, x+"y")
			default:
				g.w("panic(%s)\n", g.panicValue())
			}
		})
	})
	g.w("})\n")
	g.topLevel = old
}

// channels writes goroutines that one waits for, and selects of which one case is ready.
func (g *generator) channels() {
	if g.plain || g.pure {
		g.assign()
		return
	}
	t := g.printableType(1)
	c, d := g.name("c"), g.name("d")
	switch g.IntN(4) {
	case 0:
		g.w("{\n%s := make(chan %v)\ngo func() {\ndefer close(%s)\nfor range %d { %s <- %s }\n}()\nfor x := range %s { fmt.Println(x) }\n}\n", c, t, c, 1+g.IntN(3), c, g.expr(t, 1), c)
	case 1:
		g.w("{\n%s, %s := make(chan %v, 2), make(chan int, 1)\n", c, d, t)
		g.w("%s\n", pick(g, c+" <- "+g.expr(t, 1), d+" <- 4", "close("+c+")", "close("+d+")"))
		if g.one(3) {
			g.w("for range 2 {\n")
		} else {
			g.w("{\n")
		}
		g.w("select {\ncase x, ok := <-%s:\nfmt.Println(x, ok)\n", c)
		g.w("case x := <-%s:\nfmt.Println(\"int\", x)\n", d)
		g.w("default:\nfmt.Println(\"none\")\n}\n}\n}\n")
	case 2:
		g.w("{\nvar wg sync.WaitGroup\n%s := make([]%v, 3)\nfor i := range %s { wg.Go(func() { %s[i] = %s }) }\nwg.Wait()\nfmt.Println(%s)\n}\n", c, t, c, c, g.literal(t, 1), c)
	case 3:
		g.w("{\nvar mu sync.Mutex\nvar wg sync.WaitGroup\n%s := 0\nfor i := range 4 { wg.Go(func() { mu.Lock(); defer mu.Unlock(); %s += i }) }\nwg.Wait()\nfmt.Println(%s)\n}\n", c, c, c)
	}
}
