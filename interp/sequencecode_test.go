package interp

import (
	"fmt"
	"slices"
	"strings"
)

// statement returns a statement that ends with a new line. What it declares is in a block of its own.
func (q *sequence) statement(depth int, locals []variable) string {
	e := func(typ string) string { return q.expr(typ, depth-1, locals) }
	if depth <= 0 {
		return "fmt.Println(" + e(q.valueType()) + ")\n"
	}
	inner := func(more ...variable) string {
		return q.statement(depth-1, append(slices.Clone(locals), more...))
	}
	l, m := q.fresh(), q.fresh()
	switch q.IntN(23) {
	case 0, 1, 2, 3:
		if v, ok := q.assignable(locals); ok {
			switch v.typ {
			case "int", "int8":
				return v.id + q.pick(" = ", " += ", " -= ", " ^= ") + e(v.typ) + "\n"
			case "string":
				return fmt.Sprintf("if len(%s) < 60 { %s += %s }\n", v.id, v.id, e("string"))
			}
			return v.id + " = " + e(v.typ) + "\n"
		}
	case 4:
		return "if " + e("bool") + " {\n" + inner() + "} else {\n" + inner() + "}\n"
	case 5:
		return fmt.Sprintf("for %s := range %d {\n_ = %s\n%s}\n", l, 1+q.IntN(3), l, inner(variable{l, "int"}))
	case 6:
		return fmt.Sprintf("for _, %s := range %s {\n_ = %s\n%sif %s { break }\n}\n", l, e("[]int"), l, inner(variable{l, "int"}), e("bool"))
	case 7:
		return fmt.Sprintf("{ %s := %s\nfor _, %s := range slices.Sorted(maps.Keys(%s)) {\nfmt.Println(%s, %s[%s])\n%s} }\n",
			l, e("map[string]int"), m, l, m, l, m, inner(variable{m, "string"}))
	case 8:
		return fmt.Sprintf("switch %s := %s; {\ncase %s > 3:\n%sfallthrough\ncase %s == 0:\n%sdefault:\n%s}\n",
			l, e("int"), l, inner(variable{l, "int"}), l, inner(), inner())
	case 9:
		return fmt.Sprintf("switch %s := %s.(type) {\ncase int:\nfmt.Println(\"int\", %s+1)\ncase string, bool:\nfmt.Println(\"other\", %s)\ncase fmt.Stringer:\nfmt.Println(%s.String())\ncase nil:\ndefault:\n_ = %s\n%s}\n",
			l, e("any"), l, l, l, l, inner())
	case 10:
		return fmt.Sprintf("try(func() { %s := %s; fmt.Println(%s[%s]) })\n", l, e("[]int"), l, e("int"))
	case 11:
		return fmt.Sprintf("try(func() { defer func() { fmt.Println(\"deferred\", %s) }()\nfmt.Println(%s / num(%s %% 2)) })\n", e("int"), e("int"), e("int"))
	case 12:
		return fmt.Sprintf("{ %s := make(chan int)\ngo func() { defer close(%s); for i := range %d { %s <- i * i } }()\nfor %s := range %s {\nfmt.Print(%s, \" \")\n}\nfmt.Println() }\n", l, l, 1+q.IntN(4), l, m, l, m)
	case 13:
		return fmt.Sprintf("{ var %s []func() int\nfor i := range 3 { %s = append(%s, func() int { i += %s; return i }) }\nfor _, %s := range %s { fmt.Print(%s(), %s(), \" \") }\nfmt.Println() }\n",
			l, l, l, e("int"), m, l, m, m)
	case 14:
		return fmt.Sprintf("{ %s := (&Stack[%s]{}).Push(%s)\n%s.Push(%s)\nfor %s, x := range %s.All() {\nfmt.Println(%s, x)\nif %s { continue }\n%s} }\n",
			l, "string", e("string"), l, e("string"), m, l, m, e("bool"), inner(variable{m, "int"}))
	case 15:
		return fmt.Sprintf("outer%s:\nfor %s := range 3 {\nfor %s := range 3 {\nif %s > %s { continue outer%s }\nif %s { break outer%s }\nfmt.Print(%s, %s, \" \")\n}\n}\n", l, l, m, m, l, l, e("bool"), l, l, m)
	case 16:
		return fmt.Sprintf("{ %s := []Sizer{%s}\nfor _, %s := range %s { fmt.Println(%s.Size(%s)) } }\n", l, q.sizers(depth, locals), m, l, m, e("int"))
	case 17:
		return fmt.Sprintf("{ %s := %s\n%s := &%s\n*%s += 1\nfmt.Println(%s) }\n", l, e("int"), m, l, m, l)
	case 18:
		return fmt.Sprintf("{ %s := [3]int{%s, %s}\n%s := %s\n%s[1]++\nfmt.Println(%s == %s, %s, %s) }\n", l, e("int"), e("int"), m, l, m, l, m, l, m)
	case 19:
		return fmt.Sprintf("{ %s := %s\n%s := func() (out int, err error) { defer func() { if out > 0 { err = errors.New(\"positive\") }; out *= 2 }(); return %s, nil }\n_ = %s\nfmt.Println(%s()) }\n", l, e("int"), m, l, l, m)
	case 21:
		if v, ok := q.assignable(nil); ok {
			return fmt.Sprintf("func() { %s = %s }()\n", v.id, e(v.typ))
		}
	case 20:
		if p, t := q.pointer(locals); p != "" && !q.pure {
			f := t.fields[q.IntN(len(t.fields))]
			return p + "." + f.id + " = " + e(f.typ) + "\n"
		}
	}
	return "fmt.Println(" + e(q.valueType()) + ", " + e(q.valueType()) + ")\n"
}

// assignable is a variable to assign to.
func (q *sequence) assignable(locals []variable) (variable, bool) {
	if q.pure && len(locals) == 0 {
		return variable{}, false
	}
	if q.pure {
		return locals[q.IntN(len(locals))], true
	}
	return q.target(locals)
}

// target is any variable.
func (q *sequence) target(locals []variable) (variable, bool) {
	all := append(slices.Clone(locals), q.vars...)
	if len(all) == 0 {
		return variable{}, false
	}
	return all[q.IntN(len(all))], true
}

// pointer is a variable that points to a struct, or is one.
func (q *sequence) pointer(locals []variable) (string, *structType) {
	for _, i := range q.Perm(len(q.vars)) {
		for _, t := range q.types {
			if v := q.vars[i]; v.typ == t.id || v.typ == "*"+t.id {
				return v.id, t
			}
		}
	}
	return "", nil
}

// sizers is a list of values that are Sizers.
func (q *sequence) sizers(depth int, locals []variable) string {
	var list []string
	for _, t := range q.types {
		for _, m := range t.methods {
			if m.id == "Size" {
				list = append(list, q.expr(t.id, depth-1, locals), "&"+q.literal(t, depth-1, locals))
			}
		}
	}
	return strings.Join(list, ", ")
}

func (q *sequence) literal(t *structType, depth int, locals []variable) string {
	var list []string
	for _, f := range t.fields {
		if q.IntN(4) > 0 {
			list = append(list, f.id+": "+q.expr(f.typ, depth-1, locals))
		}
	}
	return t.id + "{" + strings.Join(list, ", ") + "}"
}

// expr returns an expression of a type.
func (q *sequence) expr(typ string, depth int, locals []variable) string {
	if q.IntN(3) > 0 || depth > 0 {
		for range 3 {
			if v, ok := q.target(locals); ok && v.typ == typ {
				return v.id
			}
		}
	}
	e := func(typ string) string { return q.expr(typ, depth-1, locals) }
	if depth > 0 && q.IntN(3) == 0 && !q.plain {
		if s := q.access(typ, depth, locals); s != "" {
			return s
		}
	}
	x := q.fresh()
	switch typ {
	case "int":
		if depth > 0 {
			switch q.IntN(14) {
			case 0, 1, 2:
				return "(" + e("int") + q.pick(" + ", " - ", " * ", " & ", " | ", " ^ ", " &^ ") + e("int") + ")"
			case 3:
				return "len(" + e(q.pick("[]int", "string", "map[string]int", "[]string")) + ")"
			case 4:
				return "Fold(" + e("[]int") + ", " + e("int") + ", func(acc, " + x + " int) int { return acc*2 + " + q.expr("int", depth-1, append(slices.Clone(locals), variable{x, "int"})) + " })"
			case 5:
				return e("map[string]int") + "[" + e("string") + "]"
			case 6:
				return q.pick("min(", "max(") + e("int") + ", " + e("int") + ")"
			case 7:
				return "int(" + e("int8") + ")"
			case 8:
				return "(num(" + e("int") + ")" + q.pick(" << ", " >> ") + fmt.Sprint(q.IntN(70)) + ")"
			case 9:
				return e("func(int) int") + "(" + e("int") + ")"
			case 10:
				return "(Pair[int, int]{" + e("int") + ", 1}).With(" + e("int") + ").Val"
			case 11:
				return "func() (" + x + " int) { defer func() { " + x + " += 3 }(); return " + e("int") + " }()"
			case 12:
				return "*new(" + e("int") + ")"
			}
		}
		return fmt.Sprintf("num(%d)", q.IntN(20)-5)
	case "int8":
		if depth > 0 {
			return "(int8(" + e("int") + ")" + q.pick(" + ", " - ", " * ") + e("int8") + ")"
		}
		return fmt.Sprintf("int8(num(%d))", q.IntN(255)-127)
	case "string":
		if depth > 0 {
			switch q.IntN(7) {
			case 0, 1:
				return "(" + e("string") + " + " + e("string") + ")"
			case 2:
				return "fmt.Sprint(" + e(q.valueType()) + ")"
			case 3:
				return "strings.ToUpper(" + e("string") + ")"
			case 4:
				return fmt.Sprintf("func() string { %s := %s; return %s[len(%s)/2:] }()", x, e("string"), x, x)
			case 5:
				return "string([]rune(" + e("string") + "))"
			}
		}
		return q.pick(`"a"`, `"xyz"`, `""`, `"ü→"`, "`raw`", `"b\tc"`)
	case "float64":
		if depth > 0 {
			return "(" + q.pick(e("float64"), "float64("+e("int")+")") + q.pick(" + ", " - ", " * ", " / ") + e("float64") + ")"
		}
		return "flt(" + q.pick("1.5", "0.25", "-3.0", "1e10", "0.1") + ")"
	case "bool":
		if depth > 0 {
			switch q.IntN(6) {
			case 0:
				return "(" + e("bool") + q.pick(" && ", " || ") + e("bool") + ")"
			case 1:
				return "!" + e("bool")
			case 2:
				return "(" + e("string") + q.pick(" == ", " < ", " != ") + e("string") + ")"
			case 3:
				return "(" + e("any") + " == any(" + e(q.pick("int", "string")) + "))"
			}
			return "(" + e("int") + q.pick(" == ", " < ", " != ", " >= ") + e("int") + ")"
		}
		return q.pick("true", "false")
	case "[]int":
		if depth > 0 {
			switch q.IntN(5) {
			case 0:
				return "append(slices.Clone(" + e("[]int") + "), " + e("int") + ")"
			case 1:
				return "Map(" + e("[]int") + ", " + e("func(int) int") + ")"
			case 2:
				return "slices.Sorted(maps.Values(" + e("map[string]int") + "))"
			case 3:
				return fmt.Sprintf("func() []int { %s := %s; return %s[len(%s)/2:] }()", x, e("[]int"), x, x)
			}
		}
		return "[]int{" + strings.Join([]string{e1(q, depth, locals), e1(q, depth, locals)}[:q.IntN(3)], ", ") + "}"
	case "[]string":
		if depth > 0 {
			return "Map(" + e("[]int") + ", func(" + x + " int) string { return fmt.Sprint(" + x + ", " + e("string") + ") })"
		}
		return q.pick("[]string{}", `[]string{"p", "q"}`)
	case "map[string]int":
		if depth > 0 && q.IntN(2) == 0 {
			return "maps.Clone(" + e("map[string]int") + ")"
		}
		return q.pick(`map[string]int{"a": 1}`, `map[string]int{"xyz": 3, "": 4}`, "map[string]int{"+`"k": `+fmt.Sprint(q.IntN(9))+"}")
	case "func(int) int": // a function literal keeps to the definitions of its time: it calls nothing that may be replaced
		plain := q.plain
		q.plain = true
		defer func() { q.plain = plain }()
		return "func(" + x + " int) int { if !ok() { return 0 }; return " + q.expr("int", depth-1, append(slices.Clone(locals), variable{x, "int"})) + " }"
	case "any":
		return "any(" + e(q.pick("int", "string", "bool", "float64", "[]int")) + ")"
	}
	for _, t := range q.types {
		switch typ {
		case t.id:
			return "(" + q.literal(t, depth, locals) + ")"
		case "*" + t.id:
			return "(&" + q.literal(t, depth, locals) + ")"
		case "[]" + t.id:
			return "[]" + t.id + "{" + q.literal(t, depth-1, locals) + "}"
		}
	}
	panic("no expression of type " + q.spell(typ, false))
}

func e1(q *sequence, depth int, locals []variable) string { return q.expr("int", depth-1, locals) }

// access returns an expression of a type that uses what was declared: a call, a field, a method; or "".
func (q *sequence) access(typ string, depth int, locals []variable) string {
	for _, i := range q.Perm(len(q.funcs)) {
		if f := q.funcs[i]; f.result == typ {
			var args []string
			for _, p := range f.params {
				args = append(args, q.expr(p, depth-1, locals))
			}
			return f.id + "(" + strings.Join(args, ", ") + ")"
		}
	}
	for _, i := range q.Perm(len(q.types)) {
		t := q.types[i]
		for _, m := range t.methods {
			if m.result == typ && q.IntN(2) == 0 {
				recv := q.expr(q.pick("", "*")+t.id, depth-1, locals)
				return recv + "." + m.id + "(" + q.expr(m.params[0], depth-1, locals) + ")"
			}
		}
		for _, f := range t.fields {
			if f.typ == typ && q.IntN(2) == 0 {
				return q.expr(t.id, depth-1, locals) + "." + f.id
			}
		}
	}
	return ""
}
