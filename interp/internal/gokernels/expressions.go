package gokernels

import "fmt"

// constant is a constant of a number's type.
func (w *writer) constant(t string) string {
	if t[0] == 'f' {
		return t + "(" + w.pick("0", "1.5", "-2.25", "1e6", "3e-5", "-7", "255.5", "0.1") + ")"
	}
	list := []string{"0", "1", "2", "3", "7", "13", "100", "127"}
	if t[0] == 'i' {
		list = append(list, "-1", "-2", "-128")
	}
	switch t {
	case "int", "int64", "uint", "uint64":
		list = append(list, "1<<62 + 5", "1<<31", "1<<53 + 1")
	case "int32", "uint32":
		list = append(list, "1<<30 + 3")
	}
	return t + "(" + w.pick(list...) + ")"
}

// literal is a value of a type, of simple parts.
func (w *writer) literal(t string) string {
	switch t {
	case "vec":
		return fmt.Sprintf("vec{%s, %s}", w.simple("float64"), w.simple("float64"))
	case "rec":
		if w.IntN(3) == 0 {
			return "c"
		}
		return fmt.Sprintf("rec{A: %s, C: %s, D: [5]int16{1, 3: %s}, V: %s}", w.simple("int32"), w.simple("uint8"), w.simple("int16"), w.literal("vec"))
	case "mat":
		return fmt.Sprintf("mat{{%s, 2, 3}, {4, %s, 6}}", w.simple("int32"), w.simple("int32"))
	case "two[int, uint8]":
		return fmt.Sprintf("two[int, uint8]{%s, %s}", w.simple("int"), w.simple("uint8"))
	case "two[uint8, int]":
		return fmt.Sprintf("two[uint8, int]{Second: %s}", w.simple("int"))
	case "bool":
		return w.cond(1)
	case "[2]vec":
		return fmt.Sprintf("[2]vec{1: {%s, 2}}", w.simple("float64"))
	}
	if e, ok := arrays[t]; ok {
		return fmt.Sprintf("%s{%s, %s, %s}", t, w.simple(e), w.simple(e), w.simple(e))
	}
	return w.expr(t, 1)
}

// simple is a variable or a constant of a number's type.
func (w *writer) simple(t string) string {
	if w.IntN(4) == 0 || len(w.vars[t])+len(w.fixed[t]) == 0 {
		return w.constant(t)
	}
	return w.read(t)
}

// read is something of a type that is there: a variable, an element or a field.
func (w *writer) read(t string) string {
	if w.ready && w.IntN(3) == 0 {
		if e := w.element(t); e != "" {
			return e
		}
	}
	if w.IntN(4) == 0 && len(w.fixed[t]) > 0 {
		return w.pick(w.fixed[t]...)
	}
	return w.one(t)
}

// index is an index into something of n elements, now and then one that may be too large.
func (w *writer) index(n string) string {
	e := w.one(w.pick("int", "uint8", "int16", "uint32"))
	if w.IntN(60) == 0 {
		return e
	}
	return fmt.Sprintf("uint(%s)%%%s", e, n)
}

// element is an element or a field of a type that may be assigned, "" where there is none.
func (w *writer) element(t string) string {
	at := func(a, n string) string { return a + "[" + w.index(n) + "]" }
	record := func() string { return w.pick(w.one("rec"), w.one("*rec")) }
	switch t {
	case "int32":
		return w.pick(at(w.one("[4]int32"), "4"), at(w.one("[3]int32"), "3"), record()+".A", at(at(w.one("mat"), "2"), "3"))
	case "int16":
		return w.pick(at(w.one("[5]int16"), "5"), at(record()+".D", "5"))
	case "float32":
		return at(w.one("[3]float32"), "3")
	case "float64":
		return w.pick(record()+".B", record()+".V.Y", w.one("vec")+".X", at(w.one("[2]vec"), "2")+".Y", at(w.one("[]float64"), "4"))
	case "uint8":
		return w.pick(at(w.one("[3]uint8"), "3"), record()+".C", w.one("two[int, uint8]")+".Second")
	case "uint64":
		return record() + ".E"
	case "int":
		s := w.one("[]int")
		return w.pick(at(s, "uint(len("+s+"))"), w.one("two[int, uint8]")+".First", w.one("two[uint8, int]")+".Second")
	case "vec":
		return w.pick(record()+".V", at(w.one("[2]vec"), "2"))
	case "[5]int16":
		return record() + ".D"
	case "[3]int32":
		return at(w.one("mat"), "2")
	}
	return ""
}

// target is what a value of a type can be assigned to.
func (w *writer) target(t string) string {
	if w.IntN(2) == 0 {
		if e := w.element(t); e != "" {
			return e
		}
	}
	return w.one(t)
}

func (w *writer) cond(depth int) string {
	if depth > 0 && w.IntN(3) == 0 {
		return fmt.Sprintf("(%s %s %s)", w.cond(depth-1), w.pick("&&", "||"), w.cond(depth-1))
	}
	switch w.IntN(8) {
	case 0:
		if len(w.vars["bool"]) > 0 {
			return w.pick("!", "") + w.one("bool")
		}
	case 1:
		if t := w.pick("[4]int32", "vec", "mat", "rec", "[3]uint8", "two[int, uint8]"); len(w.vars[t]) > 0 {
			a, b := w.two(t)
			return fmt.Sprintf("%s %s %s", a, w.pick("==", "!="), b)
		}
	}
	t := w.number()
	return fmt.Sprintf("%s %s %s", w.expr(t, depth), w.pick("<", "<=", ">", ">=", "==", "!="), w.simple(t))
}

// convert converts an expression to t. A kernel makes 0 of what is too large for 64 bits without a sign, and compiled
// Go does not (decision 0134), so such a float is 7.
func (w *writer) convert(t string, depth int) string {
	from := w.number()
	x := w.expr(from, depth)
	if from[0] == 'f' && (t == "uint" || t == "uint64") {
		x = "within(" + x + ")"
	}
	return t + "(" + x + ")"
}

// expr is an expression of a number's type. It has no effects.
func (w *writer) expr(t string, depth int) string {
	if depth == 0 {
		return w.read(t)
	}
	a := func() string { return w.expr(t, depth-1) }
	switch n := w.IntN(11); {
	case n < 2:
		return w.read(t)
	case n == 2:
		return w.convert(t, depth-1)
	case n == 3 && t == "float64":
		return fmt.Sprintf("math.%s(%s)", w.pick("Abs", "Floor", "Sqrt", "Trunc", "Ceil"), a())
	case n == 3 && t == "float32" && w.IntN(3) == 0: // where they are exact, package math is the judge
		return w.pick(fmt.Sprintf("gpu.Approx.Exp2(float32(int8(%s)))", w.expr("int16", depth-1)),
			fmt.Sprintf("gpu.Approx.%s(float32(uint32(1)<<(%s%%32)))", w.pick("Log2", "Rcp"), w.expr("uint32", depth-1)),
			fmt.Sprintf("gpu.Approx.%s(float32(uint32(1)<<(%s%%16*2)))", w.pick("Sqrt", "Rsqrt"), w.expr("uint32", depth-1)))
	case n == 3 && t == "float32":
		return fmt.Sprintf("float32(math.%s(float64(%s)))", w.pick("Abs", "Floor", "Sqrt", "Trunc", "Ceil"), a())
	case n == 3:
		return fmt.Sprintf("(%s %s %s)", a(), w.pick("<<", ">>"), w.pick(fmt.Sprint(w.IntN(70)), w.one(w.pick("uint8", "uint", "uint32"))))
	case n == 4 && t[0] != 'f':
		switch w.IntN(20) {
		case 0:
			return fmt.Sprintf("(%s %s %s)", a(), w.pick("/", "%"), w.one(t))
		case 1, 2, 3, 4, 5, 6, 7, 8:
			return fmt.Sprintf("(%s %s %s(%d))", a(), w.pick("/", "%"), t, 1+w.IntN(100))
		}
		return fmt.Sprintf("(%s %s (%s|1))", a(), w.pick("/", "%"), w.read(t))
	case n == 4:
		return fmt.Sprintf("(%s / %s)", a(), a())
	case n == 5 && t[0] != 'f':
		return fmt.Sprintf("(%s %s %s)", a(), w.pick("&", "|", "^", "&^"), w.simple(t))
	case n == 6:
		return fmt.Sprintf("%s(%s, %s)", w.pick("min", "max"), a(), w.simple(t))
	case n == 7:
		return w.pick("-", "+") + "(" + a() + ")"
	case n == 8 && t == "int":
		return w.pick("len(in)", "len("+w.one("[]int")+")", "len("+w.one("mat")+")", "cap("+w.one("[]float64")+")")
	}
	return fmt.Sprintf("(%s %s %s)", a(), w.pick("+", "-", "*"), w.simple(t))
}
