package gosrc

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

// streamFuncs are IndexOf and the methods of [Brook]'s vectors and gathers.
func streamFuncs() map[string]intrinsic {
	m := map[string]intrinsic{}
	for _, n := range []int{2, 3, 4} {
		name := fmt.Sprintf("%s.F%d.", Brook, n)
		for method, op := range map[string]kir.Op{"Add": kir.OpAdd, "Sub": kir.OpSub, "Mul": kir.OpMul, "Min": kir.OpMin, "Max": kir.OpMax} {
			m[name+method] = func(l *lowerer, c *intrinsicCall) value {
				return each(n, func(i int) *kir.Value { return l.b.Op(op, c.args[0][i].v, c.args[1][i].v) })
			}
		}
		m[name+"Scale"] = func(l *lowerer, c *intrinsicCall) value {
			return each(n, func(i int) *kir.Value { return l.b.Op(kir.OpMul, c.args[0][i].v, c.arg(1)) })
		}
		m[name+"MAdd"] = func(l *lowerer, c *intrinsicCall) value {
			return each(n, func(i int) *kir.Value {
				return l.b.Op(kir.OpAdd, l.b.Op(kir.OpMul, c.args[0][i].v, c.arg(1)), c.args[2][i].v)
			})
		}
		m[name+"Dot"] = func(l *lowerer, c *intrinsicCall) value { return plain(l.dot(c.args[0], c.args[1])) }
		m[name+"Length"] = func(l *lowerer, c *intrinsicCall) value {
			return plain(l.b.Op(kir.OpSqrt, l.dot(c.args[0], c.args[0])))
		}
	}
	m[Brook+".F3.Cross"] = func(l *lowerer, c *intrinsicCall) value {
		x, y := c.args[0], c.args[1]
		return each(3, func(i int) *kir.Value {
			j, k := (i+1)%3, (i+2)%3
			return l.b.Op(kir.OpSub, l.b.Op(kir.OpMul, x[j].v, y[k].v), l.b.Op(kir.OpMul, x[k].v, y[j].v))
		})
	}
	for name, do := range m {
		m[name] = func(l *lowerer, c *intrinsicCall) value {
			from := len(l.b.Block().Values)
			v := do(l, c)
			if l.vectors != nil {
				l.vectors(l.b.Block().Values[from:])
			}
			return v
		}
	}
	m[Brook+".IndexOf"] = func(l *lowerer, c *intrinsicCall) value { return l.indexOf(c) }
	m[Brook+".Gather.Len"] = func(l *lowerer, c *intrinsicCall) value { return plain(c.args[0][1].v) }
	for axes, name := range map[int]string{1: "At", 2: "At2", 3: "At3", 4: "At4"} {
		m[Brook+".Gather."+name] = func(l *lowerer, c *intrinsicCall) value { return l.gather(c, axes) }
	}
	return m
}

// each makes a value of n numbers.
func each(n int, f func(i int) *kir.Value) value {
	out := make(value, n)
	for i := range out {
		out[i].v = f(i)
	}
	return out
}

// dot adds products from the left, as the method does in Go.
func (l *lowerer) dot(x, y value) *kir.Value {
	sum := l.b.Op(kir.OpMul, x[0].v, y[0].v)
	for i := 1; i < len(x); i++ {
		sum = l.b.Op(kir.OpAdd, sum, l.b.Op(kir.OpMul, x[i].v, y[i].v))
	}
	return sum
}

// gather reads an element by the indices of that many axes, the last ones; the first of them counts those before it,
// too.
func (l *lowerer) gather(c *intrinsicCall, axes int) value {
	g, pos := c.args[0], c.instr.Pos()
	if g[0].columns == nil {
		l.fail(pos, "call its methods by the parameter's name", "kernel code cannot keep a gather in a variable")
	}
	n := g[1].v // elements that the axes from here on are among
	var at *kir.Value
	sizes := g[3:]
	what := "gather"
	if columns := g[0].columns; len(columns) > 0 { // they are called by its name and a member's
		what += " " + columns[0].Note[:strings.IndexAny(columns[0].Note+".", ".[")]
	}
	for i := range axes {
		ix := l.b.Convert(kir.I64, c.arg(i+1))
		size := n
		if i > 0 {
			size = sizes[4-axes+i].v
		} else {
			for k := 1; k < axes; k++ { // no size of a stream that has elements is 0, and of others nothing is read
				size = l.b.Op(kir.OpDiv, size, l.b.Op(kir.OpMax, sizes[4-axes+k].v, l.b.Int(kir.I64, 1)))
			}
		}
		l.boundsOf(ix, size, pos, what)
		if at == nil {
			at = ix
			continue
		}
		at = l.b.Op(kir.OpAdd, l.b.Op(kir.OpMul, at, size), ix)
	}
	ls, err := leaves(c.fn.Signature.Results().At(0).Type())
	if err != nil || len(ls) != len(g[0].columns) {
		l.fail(pos, "", "this gather cannot be read")
	}
	l.at(pos)
	return each(len(ls), func(i int) *kir.Value {
		v := l.b.Load(kir.Global, ls[i].kind, l.b.Index(g[0].columns[i], at, ls[i].kind))
		v.Note = l.p.text[pos]
		return v
	})
}
