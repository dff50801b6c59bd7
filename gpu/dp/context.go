package dp

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/cm"
)

// Context is which processors are selected: statements that are made through it change those alone (section 2.3 of the
// paper). All operands are read before anything is written, as every operation of lazy arrays does.
type Context struct {
	selected *np.Array // bools
	active   int
	steps    ledger
}

func (c *Context) report() *Report { return c.steps.Report }

// Where runs body with those selected for which cond is true, and then, where there is an otherwise, that with the
// others. Both run in any case, also with nobody selected: what they do on the front end happens. The context that they
// get is not of use after them.
func Where(cond any, body func(c *Context), otherwise ...func(c *Context)) *Report {
	const name = "dp.Where"
	f := flags(name, cond)
	all := &Context{selected: np.Full(true, f.Shape()...), active: f.Size(), steps: steps(name, f.Size(), 2)}
	all.Where(f, body, otherwise...)
	return all.steps.Report
}

// While runs body again and again with those selected for which cond, that is asked before each round, is true and has
// been in all rounds before, until there are none. Like all loops it can be interrupted.
func While(cond func() any, body func(c *Context)) *Report {
	const name = "dp.While"
	f := flags(name, cond())
	all := &Context{selected: np.Full(true, f.Shape()...), active: f.Size(), steps: steps(name, f.Size(), 2)}
	all.loop(f, cond, body)
	return all.steps.Report
}

// inner is the context of those of c for which f is true.
func (c *Context) inner(f *np.Array) *Context {
	if fmt.Sprint(f.Shape()) != fmt.Sprint(c.selected.Shape()) {
		check("dp.Where", fmt.Errorf("the condition has shape %v in a context of shape %v: a context is of one set of processors", f.Shape(), c.selected.Shape()))
	}
	in := c.selected.LogicalAnd(f).Copy()
	n := np.CountNonZero(in)
	np.Eval(in, n)
	c.steps.context("select", in.Size())
	return &Context{selected: in, active: n.Int(), steps: c.steps}
}

// Where is [Where] of those that are selected.
func (c *Context) Where(cond any, body func(c *Context), otherwise ...func(c *Context)) {
	f := flags("dp.Where", cond)
	yes, no := c.inner(f), c.inner(np.LogicalNot(f))
	body(yes)
	for _, o := range otherwise {
		o(no)
	}
}

// While is [While] of those that are selected.
func (c *Context) While(cond func() any, body func(c *Context)) {
	c.loop(flags("dp.While", cond()), cond, body)
}

func (c *Context) loop(f *np.Array, cond func() any, body func(c *Context)) {
	in := c.inner(f)
	for in.active > 0 {
		body(in)
		in = in.inner(flags("dp.While", cond()))
		c.steps.reduce("whether somebody is left", in.selected.Size(), 1)
	}
}

// Unconditionally runs body with all processors selected, whatever the context is.
func (c *Context) Unconditionally(body func(all *Context)) {
	n := c.selected.Size()
	c.steps.context("select all", n)
	body(&Context{selected: np.Full(true, c.selected.Shape()...), active: n, steps: c.steps})
}

// Selected returns who is selected, as bools, which are combined by And, Or and Xor as sets are.
func (c *Context) Selected() *np.Array { return c.selected.Copy() }

// Set assigns value, an array or a number, to the elements of a that are selected.
func (c *Context) Set(a *np.Array, value any) {
	const name = "dp.Context.Set"
	a = array(name, a)
	if fmt.Sprint(a.Shape()) != fmt.Sprint(c.selected.Shape()) {
		check(name, fmt.Errorf("the array has shape %v in a context of shape %v", a.Shape(), c.selected.Shape()))
	}
	c.steps.compute("assign", a.Size(), sizeBits(a.DType()), c.active)
	a.Set(np.Where(c.selected, value, a).AsType(a.DType()))
}

// Read returns element i of a, which the front end asks its processor for, whether that is selected or not.
func (c *Context) Read(a *np.Array, i ...int) any {
	const name = "dp.Context.Read"
	a = array(name, a)
	c.front(name, a, i)
	at := make([]any, len(i))
	for k := range i {
		at[k] = i[k]
	}
	return a.At(at...).Item()
}

// Write assigns value to element i of a: the front end sends it to that processor alone, whether that is selected or
// not.
func (c *Context) Write(a *np.Array, value any, i ...int) {
	const name = "dp.Context.Write"
	a = array(name, a)
	c.front(name, a, i)
	at := make([]any, len(i))
	for k := range i {
		at[k] = i[k]
	}
	a.Set(value, at...)
}

// front is a step in which the front end reads or writes one processor.
func (c *Context) front(name string, a *np.Array, i []int) {
	if len(i) != a.NDim() {
		check(name, fmt.Errorf("there are %d indices for an array of shape %v; give one for each axis", len(i), a.Shape()))
	}
	c.steps.add(cm.Front, "one processor", a.Size(), sizeBits(a.DType()), 0, 1)
}

// Count returns how many are selected.
func (c *Context) Count() int {
	c.steps.reduce("count", c.selected.Size(), pointerBits)
	return c.active
}

// Enumerate numbers those that are selected from 0; at the others it has -1.
func (c *Context) Enumerate() *np.Array {
	c.steps.scan("enumerate", c.selected.Size(), pointerBits)
	return np.Where(c.selected, Enumerate(c.selected.Reshape(-1)).Reshape(c.selected.Shape()...), null)
}

// Sum returns the sum of the elements of x that are selected: a 0-d array.
func (c *Context) Sum(x any) *np.Array {
	a := array("dp.Context.Sum", x)
	c.steps.reduce("sum", a.Size(), sizeBits(a.DType()))
	return np.Where(c.selected, a, np.Zeros().AsType(a.DType())).Sum()
}

// Send is [Send] of the values of those that are selected: into is changed.
func (c *Context) Send(values, to any, combine *Operator, into *np.Array) {
	const name = "dp.Context.Send"
	v, at, in := array(name, values).Reshape(-1), array(name, to).Reshape(-1), c.selected.Reshape(-1)
	c.steps.add(cm.Send, combine.name, max(v.Size(), into.Size()), sizeBits(v.DType()), c.active, c.active)
	into.Set(Send(Pack(v, in), Pack(at, in), combine, into))
}
