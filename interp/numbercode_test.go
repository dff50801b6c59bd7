package interp

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// numberCode writes random numeric functions: nested loops, slices, arrays, structs, conversions between all types,
// shifts, divisions by what may be zero, indices that may be out of range, calls of function values. Each ends, by
// fuel.
type numberCode struct {
	*rand.Rand
	b     strings.Builder
	vars  map[string][]string // assignable variables by type
	funcs []numberFunc
	next  int
	loops int
}

type numberFunc struct {
	name   string
	params []string
	result string
}

var numberTypes = []string{"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64"}

const numberPrelude = `var fuel int
type rec struct { A int32; B float64; C uint8; D [5]int16; E uint64 }
type pair struct { X, Y float64; S []int }
func try(name string, f func() any) {
	fuel = 2000
	defer func() { if r := recover(); r != nil { fmt.Println(name, "panics:", r) } }()
	fmt.Println(name, f())
}
` + funcPrelude + compoundPrelude

// newNumberCode returns functions with calls of them: declarations, and statements that print.
func newNumberCode(seed uint64, n int) (decls, calls string) {
	c := &numberCode{Rand: rand.New(rand.NewPCG(seed, 1))}
	for range n {
		c.function()
	}
	decls = c.b.String()
	c.b.Reset()
	for _, f := range c.funcs {
		for range 3 {
			var args []string
			for _, p := range f.params {
				args = append(args, c.argument(p))
			}
			fmt.Fprintf(&c.b, "try(%q, func() any { return %s(%s) })\n", f.name, f.name, strings.Join(args, ", "))
		}
	}
	// The same statements where variables are those of the package.
	c.vars = map[string][]string{}
	for _, t := range numberTypes {
		c.declare(t, c.argument(t))
	}
	for _, t := range []string{"[]int", "[]float64", "rec", "[]rec", "[4]uint16"} {
		c.declare(t, c.argument(t))
	}
	c.compounds()
	var shown []string
	for _, t := range numberTypes {
		shown = append(shown, c.vars[t][0])
	}
	c.b.WriteString("fuel = 2000\n")
	for range 5 {
		fmt.Fprintf(&c.b, "try(\"statements\", func() any {\n")
		c.block(2)
		c.b.WriteString("return 0 })\n")
	}
	fmt.Fprintf(&c.b, "for i := 0; i < 50; i++ { fuel--\n")
	c.safe()
	fmt.Fprintf(&c.b, "}\nfmt.Println(%s)\n", strings.Join(shown, ", "))
	return decls, c.b.String()
}

// safe writes assignments that cannot panic.
func (c *numberCode) safe() {
	for range 4 {
		t := c.pick(numberTypes...)
		fmt.Fprintf(&c.b, "%s = %s + %s(%s)\n", c.one(t), c.one(t), t, c.one(c.pick(numberTypes...)))
	}
}

func (c *numberCode) pick(list ...string) string { return list[c.IntN(len(list))] }

func (c *numberCode) pickInt(list ...int) int { return list[c.IntN(len(list))] }

func (c *numberCode) fresh() string { c.next++; return fmt.Sprint("v", c.next) }

func (c *numberCode) argument(t string) string {
	switch {
	case isFuncType(t):
		return c.funcValue(t)
	case t == "rec":
		return fmt.Sprintf("rec{%s, %s, %s, [5]int16{1, -2, 3, %s}, %s}", c.literal("int32"), c.literal("float64"), c.literal("uint8"), c.literal("int16"), c.literal("uint64"))
	case strings.HasPrefix(t, "["):
		elem := t[strings.Index(t, "]")+1:]
		n := c.IntN(9)
		if isArray(t) {
			elem, n = elementType(t)
		}
		var list []string
		for range n {
			list = append(list, c.argument(elem))
		}
		return t + "{" + strings.Join(list, ", ") + "}"
	}
	if v := c.compoundLiteral(t); v != "" {
		return v
	}
	return t + "(" + c.literal(t) + ")"
}

func (c *numberCode) literal(t string) string {
	if strings.HasPrefix(t, "float") {
		return c.pick("0.0", "1.5", "-2.25", "1e10", "3e-5", "-7.0", "255.9", "1e20", "-1e20")
	}
	list := []string{"0", "1", "2", "3", "7", "13", "100", "127"}
	if t[0] == 'i' {
		list = append(list, "-1", "-2", "-128")
	}
	switch strings.TrimLeft(t, "uint") {
	case "64", "":
		list = append(list, "1<<62 + 5", "1<<31", "1<<53 + 1")
	case "32":
		list = append(list, "1<<30 + 3")
	}
	return c.pick(list...)
}

func (c *numberCode) declare(t, value string) string {
	v := c.fresh()
	fmt.Fprintf(&c.b, "var %s %s = %s\n_ = %s\n", v, t, value, v)
	c.vars[t] = append(c.vars[t], v)
	return v
}

func (c *numberCode) function() {
	c.vars = map[string][]string{}
	f := numberFunc{name: fmt.Sprint("f", len(c.funcs)), result: c.pick(numberTypes...)}
	var params []string
	for range 1 + c.IntN(4) {
		t := c.pick(append([]string{"[]int", "[]float64", "[]uint8", "rec", "[]rec", "[4]uint16"}, numberTypes...)...)
		if c.IntN(4) == 0 {
			t = c.pick(compoundTypes...)
		}
		if c.IntN(4) == 0 {
			t = c.pick(slices.Sorted(maps.Keys(funcTypes))...)
		}
		p := c.fresh()
		c.vars[t] = append(c.vars[t], p)
		f.params, params = append(f.params, t), append(params, p+" "+t)
	}
	fmt.Fprintf(&c.b, "func %s(%s) %s {\n", f.name, strings.Join(params, ", "), f.result)
	for _, t := range numberTypes {
		if len(c.vars[t]) == 0 || c.IntN(2) == 0 {
			c.declare(t, c.argument(t))
		}
	}
	for _, t := range []string{"[]int", "[]float64", "[4]uint16", "rec"} {
		if len(c.vars[t]) == 0 && c.IntN(2) == 0 {
			c.declare(t, c.argument(t))
		}
	}
	c.compounds()
	c.statements(3)
	fmt.Fprintf(&c.b, "return %s\n}\n", c.expr(f.result, 2))
	c.funcs = append(c.funcs, f)
}

func (c *numberCode) statements(depth int) {
	for range 1 + c.IntN(5) {
		c.statement(depth)
	}
}

// block writes statements in a scope of their own.
func (c *numberCode) block(depth int) {
	kept := map[string][]string{}
	for t, v := range c.vars {
		kept[t] = slices.Clip(v)
	}
	c.statements(depth)
	c.vars = kept
}

func (c *numberCode) statement(depth int) {
	t := c.pick(numberTypes...)
	n := c.IntN(26)
	if depth == 0 {
		n = c.pickInt(0, 1, 2, 3, 4, 18)
	}
	switch n {
	case 0, 1:
		to := c.target(t)
		fmt.Fprintf(&c.b, "%s = %s\n", to, c.assigned(to, t))
	case 2:
		ops := []string{"+=", "-=", "*="}
		if t[0] != 'f' {
			ops = append(ops, "&=", "|=", "^=", "&^=")
		}
		to := c.target(t)
		fmt.Fprintf(&c.b, "%s %s %s\n", to, c.pick(ops...), c.assigned(to, t))
	case 3:
		fmt.Fprintf(&c.b, "%s%s\n", c.target(t), c.pick("++", "--"))
	case 4:
		if v := c.vars["[]int"]; len(v) > 0 {
			x := v[c.IntN(len(v))]
			switch c.IntN(3) {
			case 0:
				fmt.Fprintf(&c.b, "if len(%s) < 40 { %s = append(%s, %s) }\n", x, x, x, c.expr("int", 1))
			case 1:
				fmt.Fprintf(&c.b, "if len(%s) > 1 { %s = %s[1:] }\n", x, x, x)
			default:
				fmt.Fprintf(&c.b, "copy(%s, %s[len(%s)/2:])\n", x, x, x)
			}
		}
	case 5, 6:
		i := c.fresh()
		it := c.pick("int", "int", "uint8", "int64", "uint32")
		fmt.Fprintf(&c.b, "for %s := %s(0); %s < %d; %s++ { if fuel--; fuel < 0 { break }\n", i, it, i, 2+c.IntN(12), i)
		c.loops++
		fmt.Fprintf(&c.b, "%s += %s(%s)\n", c.one(t), t, i)
		c.block(depth - 1)
		c.loops--
		c.b.WriteString("}\n")
	case 7:
		for _, s := range []string{"[]int", "[]float64", "[]uint8", "[4]uint16"} {
			if v := c.vars[s]; len(v) > 0 {
				i, x := c.fresh(), c.fresh()
				fmt.Fprintf(&c.b, "for %s, %s := range %s { if fuel--; fuel < 0 { break }\n%s += %s(%s); %s += %s(%s)\n", i, x, v[0], c.one("int"), "int", i, c.one(t), t, x)
				c.loops++
				c.block(depth - 1)
				c.loops--
				c.b.WriteString("}\n")
				break
			}
		}
	case 8, 9:
		fmt.Fprintf(&c.b, "if %s {\n", c.cond(2))
		c.block(depth - 1)
		if c.IntN(2) == 0 {
			c.b.WriteString("} else {\n")
			c.block(depth - 1)
		}
		c.b.WriteString("}\n")
	case 10:
		if c.loops > 0 {
			fmt.Fprintf(&c.b, "if %s { %s }\n", c.cond(1), c.pick("break", "continue"))
		}
	case 11:
		c.declare(t, c.expr(t, 2))
	case 12:
		fmt.Fprintf(&c.b, "switch %s {\ncase %s:\n", c.one("int"), c.literal("int8"))
		c.block(depth - 1)
		c.b.WriteString("default:\n")
		c.block(depth - 1)
		c.b.WriteString("}\n")
	case 13:
		x := c.fresh()
		fmt.Fprintf(&c.b, "%s := &%s\n*%s = %s\n", x, c.one(t), x, c.expr(t, 1))
	case 14, 15:
		c.dynamicCall()
	case 16:
		c.closure(depth)
	case 17:
		if len(c.funcs) > 0 && c.loops == 0 {
			fmt.Fprintf(&c.b, "%s = %s(%s)\n", c.one(t), t, c.call())
		}
	case 24, 25:
		c.exchange(depth)
	case 18, 19, 20, 21, 22, 23:
		c.compound(depth)
	}
}

// call calls a function. It stands alone, as Go leaves open whether a call or what may panic beside it comes first.
func (c *numberCode) call() string {
	f := c.funcs[c.IntN(len(c.funcs))]
	var args []string
	for _, p := range f.params {
		if len(c.vars[p]) > 0 {
			args = append(args, c.one(p))
		} else {
			args = append(args, c.argument(p))
		}
	}
	return f.name + "(" + strings.Join(args, ", ") + ")"
}

// one is a variable of a type, which there always is.
func (c *numberCode) one(t string) string { return c.vars[t][c.IntN(len(c.vars[t]))] }

// assigned is what is assigned to a target: Go leaves open which of the two panics when both would.
func (c *numberCode) assigned(to, t string) string {
	if strings.Contains(to, "[") {
		return c.one(t)
	}
	return c.expr(t, 2)
}

// target is what a value of a type can be assigned to.
func (c *numberCode) target(t string) string {
	if c.IntN(2) == 0 {
		if e := c.element(t); e != "" {
			return e
		}
	}
	return c.one(t)
}

// element is an element or a field of type t, "" when none is at hand.
func (c *numberCode) element(t string) string {
	index := func(v string) string {
		e := c.expr(c.pick("int", "uint8", "int16", "uint32"), 1)
		if c.IntN(8) != 0 {
			return fmt.Sprintf("%s[uint(%s)%%uint(len(%s))]", v, e, v)
		}
		return fmt.Sprintf("%s[%s]", v, e)
	}
	get := func(s string) string {
		if v := c.vars[s]; len(v) > 0 {
			return v[c.IntN(len(v))]
		}
		return ""
	}
	fields := map[string]string{"int32": ".A", "float64": ".B", "uint8": ".C", "uint64": ".E"}
	switch t {
	case "int", "float64", "uint8":
		if v := get("[]" + t); v != "" && (c.IntN(2) == 0 || t == "int") {
			return index(v)
		}
	case "uint16":
		if v := get("[4]uint16"); v != "" {
			return index(v)
		}
	case "int16":
		if v := get("rec"); v != "" {
			return index(v + ".D")
		}
	}
	if f := fields[t]; f != "" {
		if v := get("[]rec"); v != "" && c.IntN(2) == 0 {
			return index(v) + f
		}
		if v := get("rec"); v != "" {
			return v + f
		}
	}
	return ""
}

func (c *numberCode) cond(depth int) string {
	if depth > 0 && c.IntN(4) == 0 {
		return fmt.Sprintf("(%s %s %s)", c.cond(depth-1), c.pick("&&", "||"), c.cond(depth-1))
	}
	t := c.pick(numberTypes...)
	return fmt.Sprintf("%s %s %s", c.expr(t, depth), c.pick("<", "<=", ">", ">=", "==", "!="), c.right(t, depth))
}

// right is an operand that may be a constant.
func (c *numberCode) right(t string, depth int) string {
	if c.IntN(3) == 0 {
		return t + "(" + c.literal(t) + ")"
	}
	return c.expr(t, depth)
}

func (c *numberCode) expr(t string, depth int) string {
	if depth == 0 {
		if c.IntN(4) == 0 {
			if e := c.element(t); e != "" && !strings.Contains(e, "v") {
				return e
			}
		}
		return c.one(t)
	}
	switch c.IntN(8) {
	case 0, 1:
		return c.one(t)
	case 2:
		if e := c.element(t); e != "" {
			return e
		}
		return c.one(t)
	case 3:
		return fmt.Sprintf("%s(%s)", t, c.expr(c.pick(numberTypes...), depth-1))
	case 4:
		if t[0] == 'f' {
			break
		}
		if c.IntN(2) == 0 {
			return fmt.Sprintf("(%s %s %d)", c.expr(t, depth-1), c.pick("<<", ">>"), c.IntN(70))
		}
		return fmt.Sprintf("(%s %s %s)", c.expr(t, depth-1), c.pick("<<", ">>"), c.expr(c.pick("uint8", "int8", "uint", "int", "uint32"), 0))
	case 5:
		if t[0] == 'f' {
			if t == "float64" {
				return fmt.Sprintf("math.%s(%s)", c.pick("Sqrt", "Abs", "Floor", "Sin", "Exp", "Trunc", "Log1p"), c.expr(t, depth-1))
			}
			return fmt.Sprintf("(%s / %s)", c.expr(t, depth-1), c.expr(t, depth-1))
		}
		if c.IntN(3) == 0 {
			return fmt.Sprintf("(%s %s %s(%d))", c.expr(t, depth-1), c.pick("/", "%"), t, 1+c.IntN(100))
		}
		return fmt.Sprintf("(%s %s %s)", c.expr(t, depth-1), c.pick("/", "%"), c.expr(t, depth-1))
	case 7:
		if t[0] != 'f' {
			return fmt.Sprintf("%s%s", c.pick("-", "^"), c.one(t))
		}
		// Nothing in it panics: Go leaves open whether this or what may panic beside min comes first, and the compiler
		// takes min.
		return fmt.Sprintf("min(%s(%s), max(%s, %s))", t, c.one(c.pick(numberTypes...)), c.one(t), c.one(t))
	}
	ops := []string{"+", "-", "*"}
	if t[0] != 'f' {
		ops = append(ops, "&", "|", "^", "&^")
	}
	return fmt.Sprintf("(%s %s %s)", c.expr(t, depth-1), c.pick(ops...), c.right(t, depth-1))
}
