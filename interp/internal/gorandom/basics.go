package gorandom

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Expressions of basic types, and literals.

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// constant returns a constant expression of a type whose underlying type is basic, with its type.
func (g *generator) constant(t *typ) string { return g.convert(t, g.digits(t.base())) }

func (g *generator) digits(b *typ) string {
	switch {
	case isInteger(b):
		list := []string{"0", "1", "2", "3", "7", "13", "100", "127"}
		if strings.HasPrefix(b.name, "int") {
			list = append(list, "-1", "-2", "-128")
		}
		switch strings.TrimLeft(b.name, "uint") {
		case "64", "", "ptr":
			list = append(list, "1<<62 + 5", "1<<31", "1<<53 + 1")
		case "32":
			list = append(list, "1<<30 + 3", "'ü'")
		case "8":
			list = append(list, "'x'")
		}
		return pick(g, list...)
	case isFloat(b):
		return pick(g, "0", "1.5", "-2.25", "1e10", "3e-5", "-7", "255.9", "0.1", "1.0/3")
	case isComplex(b):
		return pick(g, "0", "1+2i", "-0.5i", "3", "1e3-1i")
	case isBool(b):
		return pick(g, "true", "false")
	}
	return pick(g, `"a"`, `"xyz"`, `""`, `"ü→"`, "`raw`", `"b\tc"`, `"\xffz"`, `"héllo, 世界"`)
}

func (g *generator) basicExpr(t, b *typ, depth int) string {
	if depth <= 0 {
		return g.constant(t)
	}
	e := func(t *typ) string { return g.expr(t, depth-1) }
	switch {
	case isInteger(b):
		switch g.IntN(12) {
		case 0, 1, 2:
			return fmt.Sprintf("(%s %s %s)", g.varying(t, depth), pick(g, "+", "-", "*", "&", "|", "^", "&^"), e(t))
		case 3:
			return fmt.Sprintf("(%s %s (%s | 1))", g.varying(t, depth), pick(g, "/", "%"), g.varying(t, depth))
		case 4:
			return fmt.Sprintf("(%s %s (%s %% 70))", g.varying(t, depth), pick(g, "<<", ">>"), g.varying(basic(pick(g, "uint", "uint8", "uint64", "uintptr")), depth))
		case 5:
			return g.convert(t, g.varying(basic(pick(g, integers...)), depth))
		case 6:
			return g.convert(t, "int(bound(float64("+g.varying(basic(pick(g, floats...)), depth)+")))")
		case 7:
			return fmt.Sprintf("%s(%s, %s)", pick(g, "min", "max"), g.varying(t, depth), e(t))
		case 8:
			return fmt.Sprintf("%s%s", pick(g, "-", "^", "+"), g.varying(t, depth))
		case 9:
			return g.convert(t, g.length(depth))
		case 10:
			if c := g.chain(depth); c != "" {
				return g.convert(t, c)
			}
		}
	case isFloat(b):
		switch g.IntN(6) {
		case 0, 1:
			return fmt.Sprintf("(%s %s %s)", g.varying(t, depth), pick(g, "+", "-", "*"), e(t))
		case 2:
			return fmt.Sprintf("(%s / %s)", g.varying(t, depth), g.varying(t, depth))
		case 3:
			return g.convert(t, g.varying(basic(pick(g, append(floats, integers...)...)), depth))
		case 4:
			return fmt.Sprintf("%s(%s, %s)", pick(g, "min", "max"), g.varying(t, depth), e(t))
		case 5:
			c := pick(g, "complex128", "complex64")
			return g.convert(t, pick(g, "real", "imag")+"("+g.varying(basic(c), depth)+")")
		}
	case isComplex(b):
		switch g.IntN(4) {
		case 0, 1:
			return fmt.Sprintf("(%s %s %s)", g.varying(t, depth), pick(g, "+", "-", "*"), e(t))
		case 2:
			part := basic("float64")
			if b.name == "complex64" {
				part = basic("float32")
			}
			return g.convert(t, fmt.Sprintf("complex(%s, %s)", g.varying(part, depth), g.varying(part, depth)))
		}
	case isString(b):
		return g.stringExpr(t, depth)
	case isBool(b):
		return g.convert2(t, g.condition(depth))
	}
	return g.constant(t)
}

// convert2 converts where a type is a named one.
func (g *generator) convert2(t *typ, x string) string {
	if t.kind == namedKind {
		return g.convert(t, x)
	}
	return x
}

// stringExpr is a text without names of types: those of compiled programs begin with the name of another package, which
// is only put right in what they print.
func (g *generator) stringExpr(t *typ, depth int) string {
	switch g.IntN(12) {
	case 0, 1, 2:
		return fmt.Sprintf("clip(%s + %s)", g.varying(t, depth), g.expr(t, depth-1))
	case 3:
		v := g.varying(t, depth)
		return fmt.Sprintf("%s[len(%s)/2:]", v, v)
	case 4:
		v := g.varying(t, depth)
		return fmt.Sprintf("%s[:min(len(%s), %d)]", v, v, g.IntN(4))
	case 5:
		return g.convert(t, "rune("+g.varying(basic(pick(g, "int32", "uint8")), depth)+")")
	case 6:
		return g.convert(t, g.convert(sliceOf(basic(pick(g, "rune", "byte"))), g.varying(t, depth)))
	case 7:
		return g.convert(t, g.varying(sliceOf(basic(pick(g, "int32", "uint8"))), depth))
	}
	if g.plain {
		return g.constant(t)
	}
	switch g.IntN(6) {
	case 0, 1:
		x := g.printableType(1)
		return g.convert(t, fmt.Sprintf("clip(fmt.Sprintf(%q, %s))", pick(g, "%v", "%+v", "%6v|"), g.typed(x, depth-1)))
	case 2:
		return g.convert(t, pick(g, "strings.ToUpper", "strings.TrimSpace", "strconv.Quote")+"(string("+g.varying(t, depth)+"))")
	case 3:
		return g.convert(t, "clip(strings.Join("+g.expr(sliceOf(stringType), depth-1)+", \"+\"))")
	case 4:
		return g.convert(t, "strconv.Itoa("+g.expr(intType, depth-1)+")")
	}
	return g.convert(t, "clip(fmt.Sprint("+g.typed(g.printableType(1), depth-1)+", "+g.expr(g.basicType(), depth-1)+"))")
}

func (g *generator) condition(depth int) string {
	switch g.IntN(8) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", g.condition1(depth-1), pick(g, "&&", "||"), g.condition1(depth-1))
	case 1:
		return "!" + g.condition1(depth-1)
	case 2, 3:
		t := g.suchTyp(1, func(t *typ) bool {
			return t.comparable() && t.kind != paramKind && t.base().kind != pointerKind && t.base().kind != chanKind
		})
		return fmt.Sprintf("(%s %s %s)", g.varying(t, depth), pick(g, "==", "!="), g.varying(t, depth))
	case 4:
		if !g.plain {
			return fmt.Sprintf("(%s %s any(%s))", g.expr(anyType, depth-1), pick(g, "==", "!="), g.constant(g.basicType()))
		}
	case 5:
		if len(g.tparams) > 0 {
			if t := pick(g, g.tparams...); isOrdered(t) {
				return fmt.Sprintf("(%s %s %s)", g.expr(t, depth-1), pick(g, "<", ">="), g.expr(t, depth-1))
			} else if t.comparable() {
				return fmt.Sprintf("(%s %s %s)", g.expr(t, depth-1), pick(g, "==", "!="), g.expr(t, depth-1))
			}
		}
	}
	t := g.suchTyp(0, func(t *typ) bool { b := t.base(); return isOrdered(b) })
	return fmt.Sprintf("(%s %s %s)", g.varying(t, depth), pick(g, "<", "<=", ">", ">=", "==", "!="), g.expr(t, depth-1))
}

func (g *generator) condition1(depth int) string {
	if depth <= 0 {
		if s := g.path(boolType); s != "" {
			return s
		}
		return "id(" + pick(g, "true", "false") + ")"
	}
	return g.condition(depth)
}

// length is an int that says how long something is.
func (g *generator) length(depth int) string {
	v := g.variableOf(func(v *variable) bool {
		switch b := v.typ.base(); b.kind {
		case arrayKind, sliceKind, mapKind:
			return true
		case basicKind:
			return isString(b) && !v.constant
		}
		return false
	})
	if v == nil {
		return "id(len(" + g.typed(stringType, depth-1) + "))"
	}
	return "id(len(" + v.name + "))"
}

// chain is an int made of calls of generic functions, "" where there may be none.
func (g *generator) chain(depth int) string {
	if g.plain || !g.affords(8) {
		return ""
	}
	s := sliceOf(intType)
	x, y := g.name("p"), g.name("p")
	switch g.IntN(4) {
	case 0:
		return fmt.Sprintf("fold(%s, %s, func(%s, %s int) int { return %s*3 + %s })", g.expr(s, depth-1), g.expr(intType, depth-1), x, y, x, y)
	case 1:
		p := g.generics[0].instance([]*typ{g.keyType(0), intType})
		return fmt.Sprintf("%s.With(%s).Val", g.literal(p, depth-1), g.expr(intType, depth-1))
	case 2:
		e := g.printableType(1)
		return fmt.Sprintf("len(collect((&stack[%v]{}).Push(%s).All(), func(%s int, %s %v) string { return fmt.Sprint(%s, %s) })[0])", e, g.expr(e, depth-1), x, y, e, x, y)
	}
	return fmt.Sprintf("len(slices.Collect(each(%s)))", g.args([]*typ{intType, intType}, depth-1))
}

// literal is a literal of a type.
func (g *generator) literal(t *typ, depth int) string {
	b := t.base()
	switch b.kind {
	case basicKind:
		return g.constant(t)
	case arrayKind:
		n := b.n
		if g.one(3) {
			n = g.IntN(b.n + 1)
		}
		var list []string
		for i := range n {
			if s := g.elided(b.elem, depth-1); g.one(6) && i < n-1 {
				list = append(list, fmt.Sprintf("%d: %s", i, s))
			} else {
				list = append(list, s)
			}
		}
		return "(" + t.String() + "{" + strings.Join(list, ", ") + "})"
	case sliceKind:
		var list []string
		for range g.IntN(4) {
			if depth < -1 {
				break
			}
			list = append(list, g.elided(b.elem, depth-1))
		}
		return "(" + t.String() + "{" + strings.Join(list, ", ") + "})"
	case mapKind:
		var list []string
		n := g.IntN(4)
		if depth < -1 {
			n = 0
		}
		for _, k := range g.distinct(b.key, n) {
			list = append(list, k+": "+g.expr(b.elem, depth-1))
		}
		return "(" + t.String() + "{" + strings.Join(list, ", ") + "})"
	case structKind:
		var list []string
		keyed := g.one(2)
		for _, f := range b.fields {
			if !keyed {
				list = append(list, g.expr(f.typ, depth-1))
			} else if !g.one(4) || g.needsValue(f.typ) {
				list = append(list, fieldName(f)+": "+g.expr(f.typ, depth-1))
			}
		}
		return "(" + t.String() + "{" + strings.Join(list, ", ") + "})"
	}
	return g.expr(t, depth)
}

// needsValue says that the zero value would be nil where others are used without a test.
func (g *generator) needsValue(t *typ) bool {
	k := t.base().kind
	return k == pointerKind || k == funcKind || k == chanKind
}

// elided is an element of a literal, whose type need not be said again.
func (g *generator) elided(t *typ, depth int) string {
	s := g.expr(t, depth)
	if rest, ok := strings.CutPrefix(s, "("+t.String()+"{"); ok && g.one(2) && strings.HasSuffix(rest, "})") && balanced(rest[:len(rest)-2]) {
		switch t.kind {
		case namedKind, arrayKind, sliceKind, mapKind, structKind:
			return "{" + rest[:len(rest)-1]
		}
	}
	return s
}

// balanced says that no bracket in s closes what was opened before it.
func balanced(s string) bool {
	depth := 0
	for _, r := range s {
		switch r {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			if depth--; depth < 0 {
				return false
			}
		case '"', '`', '\'':
			return false // too clever by half to look into
		}
	}
	return depth == 0
}

// distinct returns up to n expressions with different values of a key type.
func (g *generator) distinct(t *typ, n int) (out []string) {
	if t.kind == paramKind {
		if s := g.path(t); s != "" && n > 0 {
			return []string{s}
		}
		return nil
	}
	if t.base().kind == basicKind {
		for range n {
			if k := g.constant(t); !slices.Contains(out, k) && !slices.Contains(out, strings.Replace(k, "'x'", "120", 1)) {
				out = append(out, k)
			}
		}
		return out
	}
	if n > 0 {
		out = append(out, g.literal(t, 0))
	}
	return out
}
