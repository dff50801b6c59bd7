package interp

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Function values in random numeric code: parameters of function types, which are given functions, closures of this
// cell and of an earlier one, functions of package math, and nil; and closures that read and write the variables around
// them.

type funcType struct {
	params []string
	result string
	given  []string // what there is to give
}

var funcTypes = map[string]funcType{
	"func(int) int":           {[]string{"int"}, "int", []string{"triple", "counted", "nil"}},
	"func(float64) float64":   {[]string{"float64"}, "float64", []string{"half", "scaled", "math.Sin", "math.Floor", "math.Sqrt"}},
	"func(int32, uint8) bool": {[]string{"int32", "uint8"}, "bool", []string{"above"}},
	"func(rec) (int16, uint)": {[]string{"rec"}, "", []string{"parts", "swapped"}},
}

// funcPrelude comes before the functions, and what it declares is made by another cell than the calls.
const funcPrelude = `func triple(i int) int { return 3*i + 1 }
func half(x float64) float64 { return x / 2 }
func above(a int32, b uint8) bool { if b == 7 { panic("seven") }; return a > int32(b) }
func parts(r rec) (int16, uint) { return r.D[1], uint(r.E) + uint(r.C) }
var swapped = func(r rec) (int16, uint) { r.D[0], r.D[1] = r.D[1], r.D[0]; return parts(r) }
var scale, count = 0.5, 0
var scaled = func(x float64) float64 { scale += x; return x * scale }
var counted = func(i int) int { for range uint(i) % 5 { count++ }; return count }
`

func isFuncType(t string) bool { return strings.HasPrefix(t, "func(") }

// funcValue is a value of a function type: one that is there, or a literal of parameters and constants.
func (c *numberCode) funcValue(t string) string {
	f := funcTypes[t]
	if f.result == "" || f.result == "bool" || c.IntN(2) == 0 {
		return c.pick(f.given...)
	}
	kept := c.vars
	defer func() { c.vars = kept }()
	c.vars = map[string][]string{f.result: {"a"}}
	return fmt.Sprintf("func(a %s) %s { return a * a + %s }", f.params[0], f.result, c.literal(f.result))
}

// closure declares a closure over the variables that there are, which loops and assigns to them.
func (c *numberCode) closure(depth int) {
	t := c.pick("func(int) int", "func(float64) float64")
	f := funcTypes[t]
	name, param := c.fresh(), c.fresh()
	fmt.Fprintf(&c.b, "%s := func(%s %s) %s {\n", name, param, f.params[0], f.result)
	kept, loops := maps.Clone(c.vars), c.loops
	for t, v := range c.vars {
		c.vars[t] = slices.Clip(v)
	}
	c.vars[f.params[0]], c.loops = append(c.vars[f.params[0]], param), 0
	c.statements(depth - 1)
	fmt.Fprintf(&c.b, "return %s\n}\n_ = %s\n", c.expr(f.result, 1), name)
	c.vars, c.loops = kept, loops
	c.vars[t] = append(c.vars[t], name)
}

// dynamicCall calls a function value. It stands alone, as other calls do.
func (c *numberCode) dynamicCall() {
	for _, t := range slices.Sorted(maps.Keys(funcTypes)) {
		fs := c.vars[t]
		if len(fs) == 0 || c.IntN(2) == 0 {
			continue
		}
		var args []string
		for _, p := range funcTypes[t].params {
			if len(c.vars[p]) > 0 {
				args = append(args, c.one(p))
			} else {
				args = append(args, c.argument(p))
			}
		}
		call := fmt.Sprintf("%s(%s)", c.one(t), strings.Join(args, ", "))
		switch r := funcTypes[t].result; r {
		case "bool":
			fmt.Fprintf(&c.b, "if %s { %s++ }\n", call, c.one("int"))
		case "":
			fmt.Fprintf(&c.b, "%s, %s = %s\n", c.one("int16"), c.one("uint"), call)
		default:
			to := c.pick(numberTypes...)
			fmt.Fprintf(&c.b, "%s = %s(%s)\n", c.one(to), to, call)
		}
	}
}
