package interp

import (
	"fmt"
	"strings"
)

// Compound values in random numeric code: arrays of arrays, structs, strings, slices and complex numbers are copied,
// ranged over by value, indexed by what varies, passed and captured. Nothing in one statement may panic beside what may
// panic.

// compoundTypes are the types of such variables: arrays, by their elements.
var compoundTypes = []string{"[2][2]int", "[3][4]uint16", "[2]rec", "[2]tag", "[3]string", "[2][]int", "[3]complex64", "[2]complex128", "[2][2]string", "[2][3]trio", "[4]uint16"}

const compoundPrelude = `type tag struct { S string; N int8 }
type trio struct { A, B, C byte }
func same[T any](x T) T { return x }
`

// elementType returns the type of an array's elements, and their number.
func elementType(t string) (elem string, n int) { return t[3:], int(t[1] - '0') }

func isArray(t string) bool { return t[0] == '[' && t[1] != ']' }

// compoundLiteral is a value of a type that literal does not have, "" for others.
func (c *numberCode) compoundLiteral(t string) string {
	switch t {
	case "string":
		return c.pick(`""`, `"a"`, `"né"`, `"xyz"`)
	case "complex64", "complex128":
		return t + c.pick("(1)", "(2i)", "(-1.5+0.5i)", "(0)", "(3-2i)")
	case "tag":
		return fmt.Sprintf("tag{%s, %s}", c.compoundLiteral("string"), c.literal("int8"))
	case "trio":
		return fmt.Sprintf("trio{%s, %s, %s}", c.literal("uint8"), c.literal("uint8"), c.literal("uint8"))
	}
	return ""
}

// compounds declares two variables of each of some types.
func (c *numberCode) compounds() {
	for range 3 {
		t := c.pick(compoundTypes...)
		for len(c.vars[t]) < 2 {
			c.declare(t, c.argument(t))
		}
	}
}

// compoundVars are two variables of one type, which may be the same.
func (c *numberCode) compoundVars() (t, v, w string) {
	var have []string
	for _, t := range compoundTypes {
		if len(c.vars[t]) > 0 {
			have = append(have, t)
		}
	}
	if len(have) == 0 {
		return "", "", ""
	}
	t = c.pick(have...)
	return t, c.one(t), c.one(t)
}

// inside is an index of an array of n elements.
func (c *numberCode) inside(n int) string {
	return fmt.Sprintf("uint(%s)%%%d", c.one(c.pick("int", "uint8", "int32", "uint64")), n)
}

// number is an int of the value v of type t.
func (c *numberCode) number(v, t string) string {
	switch t {
	case "string", "[]int":
		return "len(" + v + ")"
	case "complex64", "complex128":
		return fmt.Sprintf("int(%s(%s))", c.pick("real", "imag"), v)
	case "rec":
		return fmt.Sprintf("int(%s.A) + int(%s.D[%s])", v, v, c.inside(5))
	case "tag":
		return fmt.Sprintf("len(%s.S)*3 + int(%s.N)", v, v)
	case "trio":
		return fmt.Sprintf("int(%s.A) + 3*int(%s.B) - int(%s.C)", v, v, v)
	}
	if isArray(t) {
		elem, n := elementType(t)
		return c.number(fmt.Sprintf("%s[%s]", v, c.inside(n)), elem)
	}
	return "int(" + v + ")"
}

// count adds a number of v to a variable.
func (c *numberCode) count(v, t string) {
	fmt.Fprintf(&c.b, "%s = %s*3 + %s\n", c.one("int"), c.one("int"), c.number(v, t))
}

// change writes an assignment to a part of the variable v.
func (c *numberCode) change(v, t string) {
	elem, n := elementType(t)
	at := fmt.Sprintf("%s[%s]", v, c.inside(n))
	switch elem {
	case "string":
		fmt.Fprintf(&c.b, "if len(%s[0]) < 20 { %s = %s[0] + %s }\n", v, at, v, c.compoundLiteral("string"))
	case "[]int":
		fmt.Fprintf(&c.b, "if len(%s[0]) < 20 { %s = append(%s[0], %s) }\n", v, at, v, c.one("int"))
	case "complex64", "complex128":
		fmt.Fprintf(&c.b, "%s = %s*%s + %s\n", at, at, c.compoundLiteral(elem), c.compoundLiteral(elem))
	case "rec":
		fmt.Fprintf(&c.b, "%s.D[%s] = %s\n", at, c.inside(5), c.one("int16"))
	case "tag":
		fmt.Fprintf(&c.b, "%s.N += %s\n", at, c.one("int8"))
	case "trio":
		fmt.Fprintf(&c.b, "%s.B -= %s\n", at, c.one("uint8"))
	case "int", "uint16":
		fmt.Fprintf(&c.b, "%s ^= %s\n", at, c.one(elem))
	default:
		inner, m := elementType(elem)
		fmt.Fprintf(&c.b, "%s[%s] = %s\n", at, c.inside(m), c.argument(inner))
	}
}

// source is something to range over or to index: a variable, what a call returns, or a literal.
func (c *numberCode) source(t, v string) string {
	return c.pick(v, v, "same("+v+")", "same("+c.argument(t)+")")
}

// compound writes a statement with compound values.
func (c *numberCode) compound(depth int) {
	t, v, w := c.compoundVars()
	if t == "" {
		return
	}
	elem, n := elementType(t)
	e, i := c.fresh(), c.fresh()
	switch c.IntN(12) {
	case 0, 1, 2:
		fmt.Fprintf(&c.b, "for %s, %s := range %s { if fuel--; fuel < 0 { break }\n", i, e, c.pick(c.source(t, v), "&"+v))
		c.loops++
		fmt.Fprintf(&c.b, "%s += %s\n", c.one("int"), i)
		c.count(e, elem)
		if isArray(elem) && c.IntN(2) == 0 {
			c.change(e, elem)
			c.count(e, elem)
		}
		if c.IntN(2) == 0 {
			c.change(v, t)
		}
		if depth > 0 {
			c.block(depth - 1)
		}
		c.loops--
		c.b.WriteString("}\n")
	case 3:
		index := c.inside(n)
		if c.IntN(6) == 0 {
			index = c.one(c.pick("int", "uint8", "int16"))
		}
		fmt.Fprintf(&c.b, "%s := same(%s)[%s]\n", e, v, index)
		c.count(e, elem)
	case 4:
		fmt.Fprintf(&c.b, "%s[%s] = %s[%s]\n", v, c.inside(n), w, c.inside(n))
	case 5:
		fmt.Fprintf(&c.b, "%s = %s\n", v, c.source(t, w))
	case 6:
		if !strings.Contains(t, "[]") {
			fmt.Fprintf(&c.b, "if %s == %s { %s++ }\n", v, c.source(t, w), c.one("int"))
		}
	case 7:
		c.change(v, t)
	case 8:
		fmt.Fprintf(&c.b, "%s := func(%s uint8) %s { return %s[%s%%%d] }\n", e, i, elem, v, i, n)
		c.change(v, t)
		fmt.Fprintf(&c.b, "%s[0] = %s(%s)\n", v, e, c.one("uint8"))
	case 9:
		fmt.Fprintf(&c.b, "%s := struct { k int8; v %s }{1, %s}\n%s := %s\n%s.v = %s\n", e, t, v, i, e, e, w)
		c.count("same("+i+").v", t)
		c.count(e+".v", t)
	case 10:
		fmt.Fprintf(&c.b, "for _, %s := range [...]%s{%s, %s, %s} {\n", e, t, v, c.argument(t), w)
		c.count(e, t)
		fmt.Fprintf(&c.b, "%s = %s\n}\n", w, e)
	case 11: // a loop whose poll stands in one block with what comes before
		fmt.Fprintf(&c.b, "%s := 0\nagain%s:\n%s++\n%s := same(%s)[%s]\n", i, i, i, e, v, c.inside(n))
		c.count(e, elem)
		c.change(v, t)
		fmt.Fprintf(&c.b, "if %s < 3 { goto again%s }\n", i, i)
	}
}
