package gokernels

import (
	"fmt"
	"slices"
	"strings"
)

func (w *writer) statement(depth int) {
	simple := []func(){w.assign, w.assign, w.operate, w.swap, w.swap, w.tuple, w.whole, w.call, w.point, w.parts, w.complex}
	if w.global {
		simple = append(simple, w.add)
	}
	nested := []func(int){w.count, w.count, w.rangeOver, w.rangeOver, w.choice, w.choice, w.cases, w.closure, w.repeat, w.shadow}
	if w.loops > 0 && !w.inFunc && w.IntN(12) == 0 {
		w.leave()
		return
	}
	if depth > 0 && w.IntN(5) < 2 {
		nested[w.IntN(len(nested))](depth - 1)
		return
	}
	simple[w.IntN(len(simple))]()
}

// add changes a variable that all threads share, so that their order does not matter.
func (w *writer) add() {
	if w.IntN(2) == 0 {
		w.line("gpu.AtomicAdd(&hits, %s)", w.expr("int", 1))
		return
	}
	w.line("gpu.AtomicAdd(&sums[%s], %s)", w.index("4"), w.expr("uint32", 1))
}

func (w *writer) assign() {
	t := w.number()
	if w.IntN(6) == 0 {
		w.declare(t, w.expr(t, 2))
		return
	}
	w.line("%s = %s", w.target(t), w.expr(t, 2))
}

func (w *writer) operate() {
	t := w.number()
	ops := []string{"+=", "-=", "*="}
	if t[0] != 'f' {
		ops = append(ops, "&=", "|=", "^=", "&^=")
	}
	if w.IntN(4) == 0 {
		w.line("%s%s", w.target(t), w.pick("++", "--"))
		return
	}
	w.line("%s %s %s", w.target(t), w.pick(ops...), w.expr(t, 1))
}

// swap exchanges values of one type: two or three of them, whole arrays and structs among them.
func (w *writer) swap() {
	t := w.number()
	if w.IntN(3) == 0 {
		t = w.pick("vec", "[3]int32", "[5]int16", "[4]int32", "mat", "rec")
	}
	a, b, c := w.target(t), w.target(t), w.target(t)
	if w.IntN(3) == 0 {
		w.line("%s, %s, %s = %s, %s, %s", a, b, c, b, c, a)
		return
	}
	w.line("%s, %s = %s, %s", a, b, b, a)
}

// tuple assigns an index and the element at it in one statement: the old index counts.
func (w *writer) tuple() {
	i := w.one("int")
	t := w.pick("[4]int32", "[5]int16", "[3]uint8")
	a, n := w.one(t), t[1:2]
	w.line("%s, %s[uint(%s)%%%s] = %s, %s", i, a, i, n, w.expr("int", 1), w.simple(arrays[t]))
}

// whole copies arrays and structs, changes one side, and compares.
func (w *writer) whole() {
	t := w.pick("[4]int32", "mat", "rec", "vec", "[2]vec", "[5]int16", "two[int, uint8]")
	if w.IntN(2) == 0 {
		w.line("%s = %s", w.target(t), w.literal(t))
		return
	}
	v := w.declare(t, w.one(t))
	switch t {
	case "[4]int32", "[5]int16":
		w.line("%s[%d]++", v, w.IntN(4))
	case "mat":
		w.line("%s[1][%d]--", v, w.IntN(3))
	case "rec":
		w.line("%s.D[%d], %s.V.X = %s, 3", v, w.IntN(5), v, w.simple("int16"))
	case "vec":
		w.line("%s.scale(2)", v)
	case "[2]vec":
		w.line("%s[0].scale(%s)", v, w.one("float64"))
	case "two[int, uint8]":
		w.line("%s = %s.flip().flip()", v, v)
	}
	w.line("%s = %s == %s", w.one("bool"), v, w.one(t))
}

func (w *writer) call() {
	t := w.number()
	switch w.IntN(10) {
	case 0:
		a, b := w.two("int")
		w.line("%s, %s = divmod(%s, %s)", a, b, w.one("int"), w.one("int"))
	case 1:
		t = w.pick(t, "vec", "[4]int32", "rec")
		a, b := w.two(t)
		w.line("%s, %s = choose(%s, %s, %s)", a, b, w.cond(0), w.one(t), w.one(t))
	case 2:
		t = w.pick(t, "vec", "[3]int32", "rec")
		w.line("exchange(&%s, &%s)", w.target(t), w.target(t))
	case 3:
		w.line("%s(%s[%d:])", w.pick("rotate", "reverse"), w.one(w.pick("[4]int32", "[5]int16", "[3]uint8")), w.IntN(3))
	case 4:
		w.line("%s = total(%s, %s, %s)", w.one(t), w.one(t), w.one(t), w.constant(t))
	case 5:
		a := w.pick("[4]int32", "[5]int16", "[3]uint8")
		w.line("%s = total(%s[:%d]...)", w.one(arrays[a]), w.one(a), 1+w.IntN(3))
	case 6:
		w.line("*%s.at(%s) = %s", w.pick(w.one("rec"), w.one("*rec")), w.one("int"), w.one("int16"))
	case 7:
		w.line("%s = %s.put(%s)", w.one("[5]int16"), w.pick(w.one("rec"), w.one("*rec")), w.one("[5]int16"))
	case 8:
		w.line("%s.turn()", w.one("mat"))
	default:
		w.line("%s = %s.sum()", w.one("int"), w.pick(w.one("rec"), w.one("*rec")))
	}
}

// point takes the address of a place and changes what is there.
func (w *writer) point() {
	t, p := w.number(), w.fresh()
	w.line("%s := &%s", p, w.target(t))
	w.line("*%s %s= %s", p, w.pick("+", "-", "*", ""), w.read(t))
	w.line("%s = *%s", w.one(t), p)
}

// parts works on parts of arrays and of the thread's own elements.
func (w *writer) parts() {
	s := w.fresh()
	switch w.IntN(4) {
	case 0:
		w.line("%s := %s[%d:]", s, w.one("[]int"), w.IntN(2))
		w.line("%s[len(%s)-1] += %s", s, s, w.one("int"))
		if w.IntN(2) == 0 {
			w.vars["[]int"] = append(w.vars["[]int"], s)
		}
	case 1:
		a := w.one("[4]int32")
		w.line("%s := %s[%d:%d]", s, a, w.IntN(2), 2+w.IntN(3))
		w.line("%s[0], %s[len(%s)-1] = %s, %s[0]", s, s, s, w.one("int32"), s)
	case 2:
		a := w.one("[5]int16")
		w.line("copy(%s[%d:], %s[%d:])", a, w.IntN(4), w.pick(a, w.one("[5]int16")), w.IntN(4))
		w.line("%s += %s(len(%s))", w.one("int"), "int", a)
	default:
		t := w.pick("[4]int32", "[3]uint8", "[3]float32")
		w.line("clear(%s[%d:])", w.one(t), 1+w.IntN(2))
	}
}

func (w *writer) complex() {
	z := w.fresh()
	w.line("%s := complex(%s, %s)", z, w.one("float64"), w.simple("float64"))
	w.line("%s = %s*%s - complex(1, 0.5)", z, z, z)
	w.line("%s, %s = real(%s), imag(%s)", w.target("float64"), w.one("float64"), z, z)
}

func (w *writer) leave() {
	what := w.pick("break", "continue")
	if len(w.labels) > 0 && w.IntN(2) == 0 {
		what += " " + w.pick(w.labels...)
	}
	w.line("if %s { %s }", w.cond(1), what)
}

// loop writes a loop, whose label is used.
func (w *writer) loop(head string, depth int, first func()) {
	label := ""
	if w.IntN(3) == 0 {
		w.next++
		label = fmt.Sprint("L", w.next)
		w.line("%s:", label)
	}
	w.line("%s {", head)
	labels, in := w.labels, w.inFunc
	if in {
		w.labels = nil
	}
	if label != "" {
		w.labels = append(slices.Clip(w.labels), label)
	}
	w.loops, w.inFunc = w.loops+1, false
	w.scoped(func() {
		first()
		w.block(depth, 4)
		if label != "" {
			w.line("if %s { %s %s }", w.cond(0), w.pick("break", "continue"), label)
		}
	})
	w.loops, w.inFunc, w.labels = w.loops-1, in, labels
	w.line("}")
}

func (w *writer) count(depth int) {
	i, t := w.fresh(), w.pick("int", "int", "uint8", "int64", "uint32")
	head := fmt.Sprintf("for %s := %s(0); %s < %d; %s++", i, t, i, 1+w.IntN(5), i)
	switch w.IntN(5) {
	case 0:
		head = fmt.Sprintf("for %s := range %s(%d)", i, t, 1+w.IntN(5))
	case 1: // as many rounds as the thread says
		head, t = fmt.Sprintf("for %s := 0; %s < tid&%d; %s++", i, i, w.pick3(1, 3, 7), i), "int"
	case 2: // up to what the loop may change
		n := w.pick("int", "int32", "uint8", "int16")
		head, t = fmt.Sprintf("for %s := 0; %s < int(%s)&7; %s++", i, i, w.target(n), i), "int"
	}
	w.loop(head, depth, func() {
		w.fixed[t] = append(w.fixed[t], i)
		w.line("%s += %s(%s)", w.one("int"), "int", i)
	})
}

func (w *writer) pick3(list ...int) int { return list[w.IntN(len(list))] }

// rangeOver visits an array, a copy of which it is that is visited, a pointer to one, or a slice.
func (w *writer) rangeOver(depth int) {
	i, x := w.fresh(), w.fresh()
	t := w.pick("[4]int32", "[5]int16", "[2]vec", "mat", "[3]uint8", "[]int")
	over := w.one(t)
	e := arrays[t]
	if t == "[]int" {
		e = "int"
	}
	if n := w.IntN(3); t != "[]int" && n < 2 {
		over = []string{"&" + over, over + "[:]"}[n]
		if t == "mat" && n == 0 && w.IntN(2) == 0 {
			over = "&m"
		}
	}
	w.loop(fmt.Sprintf("for %s, %s := range %s", i, x, over), depth, func() {
		w.vars[e] = append(w.vars[e], x)
		w.fixed["int"] = append(w.fixed["int"], i)
		if array := strings.Trim(over, "&[:]"); t != "[]int" && array != "m" { // what comes is changed before it comes
			w.line("%s[%s] = %s", array, fmt.Sprintf("(%s+1)%%len(%s)", i, array), w.value(e))
		}
		w.line("_, _ = %s, %s", i, x)
	})
}

// value is a value of any type of elements.
func (w *writer) value(t string) string {
	switch t {
	case "vec", "[3]int32":
		return w.one(t)
	}
	return w.simple(t)
}

func (w *writer) choice(depth int) {
	w.line("if %s {", w.cond(2))
	w.block(depth, 4)
	if w.IntN(2) == 0 {
		w.line("} else {")
		w.block(depth, 4)
	}
	w.line("}")
}

func (w *writer) cases(depth int) {
	inLoop := w.loops
	if w.IntN(2) == 0 {
		w.line("switch {")
		for range 1 + w.IntN(3) {
			w.line("case %s:", w.cond(1))
			w.block(depth, 3)
			if w.IntN(3) == 0 {
				w.line("fallthrough")
				w.line("case %s:", w.cond(0))
			}
		}
	} else {
		t := w.integer()
		w.line("switch x := %s; x & 3 {", w.expr(t, 1))
		w.line("case 0, 2:")
		w.block(depth, 3)
		w.line("case 1:")
		w.line("%s += x", w.one(t))
		if w.IntN(2) == 0 {
			w.line("fallthrough")
		}
	}
	w.line("default:")
	w.block(depth, 3)
	if w.IntN(3) == 0 {
		w.line("if %s { break }", w.cond(0))
		w.line("%s++", w.one(w.integer()))
	}
	w.line("}")
	w.loops = inLoop
}

// closure declares a function that changes what is around it, and calls it more than once.
func (w *writer) closure(depth int) {
	f, t, p := w.fresh(), w.number(), w.fresh()
	w.line("%s := func(%s %s) %s {", f, p, t, t)
	in, loops := w.inFunc, w.loops
	w.inFunc, w.loops = true, 0
	w.scoped(func() {
		w.vars[t] = append(w.vars[t], p)
		w.block(min(depth, 1), 3)
		w.line("%s += %s", w.one(t), p)
		w.line("return %s", w.expr(t, 1))
	})
	w.inFunc, w.loops = in, loops
	w.line("}")
	a, b := w.two(t)
	w.line("%s = %s(%s)", a, f, w.simple(t))
	switch w.IntN(3) {
	case 0:
		w.line("%s = apply(%s, %d, %s)", b, a, w.IntN(4), f)
	case 1:
		w.line("for range 2 { %s = %s(%s) }", b, f, a)
	default:
		w.line("%s = %s(%s)", b, f, b)
	}
}

// repeat goes back by goto.
func (w *writer) repeat(depth int) {
	w.next++
	label, i := fmt.Sprint("G", w.next), fmt.Sprint("g", w.next)
	w.line("{")
	w.line("%s := 0", i)
	w.line("%s:", label)
	in, loops := w.inFunc, w.loops
	w.inFunc, w.loops = true, 0
	w.line("{")
	w.block(min(depth, 1), 3)
	w.line("}")
	w.inFunc, w.loops = in, loops
	n := fmt.Sprint(2 + w.IntN(3))
	switch w.IntN(4) {
	case 0:
		n = fmt.Sprintf("tid&%d", w.pick3(3, 7, 15))
	case 1:
		n = fmt.Sprintf("int(%s)&7", w.target(w.pick("int", "int32", "uint8")))
	}
	if w.IntN(2) == 0 {
		w.line("if %s++; %s < %s { goto %s }", i, i, n, label)
	} else { // the way out is where the test holds
		w.line("if %s++; %s >= %s { goto End%s }", i, i, n, label)
		w.line("goto %s", label)
		w.line("End%s:", label)
	}
	w.line("}")
}

// shadow hides variables behind others of the same name.
func (w *writer) shadow(depth int) {
	t := w.pick("int", "float64", "[4]int32", "vec", "uint16")
	v := w.one(t)
	w.line("{")
	w.line("%s := %s", v, v)
	w.line("_ = %s", v)
	w.line("%s = %s", v, w.one(t))
	w.block(depth, 4)
	w.line("}")
}
