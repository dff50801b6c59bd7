package brook

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

// splits reports whether kernels run as passes.
func (s *Settings) splits() bool { return s.most > 0 || s.limits != Limits{} }

// vectors are the types of which a value is one register of the machines of the paper.
var vectors = map[reflect.Type]bool{reflect.TypeFor[F2](): true, reflect.TypeFor[F3](): true, reflect.TypeFor[F4](): true}

// members numbers the members of a type, one for each of its numbers: those of a vector are one.
func members(t reflect.Type) (out []int) {
	n := 0
	var walk func(t reflect.Type)
	walk = func(t reflect.Type) {
		switch {
		case vectors[t]:
			for range t.NumField() {
				out = append(out, n)
			}
			n++
		case t.Kind() == reflect.Struct:
			for i := range t.NumField() {
				walk(t.Field(i).Type)
			}
		case t.Kind() == reflect.Array:
			for range t.Len() {
				walk(t.Elem())
			}
		default:
			out = append(out, n)
			n++
		}
	}
	walk(t)
	return out
}

// PassCount is what a pass of a kernel has for each element, in the instructions of a machine whose registers are
// vectors, as those of the paper: a load is a member of an element, and a method of a vector is one instruction.
type PassCount struct {
	Outputs    []string
	Loads      int
	Arithmetic int
	Shared     int // of both, what passes before it have done as well
}

// Counted are the passes of a kernel.
type Counted struct {
	Kernel string
	Passes []PassCount
}

// Loads are those of all passes.
func (c *Counted) Loads() (n int) {
	for _, p := range c.Passes {
		n += p.Loads
	}
	return n
}

// Arithmetic is that of all passes.
func (c *Counted) Arithmetic() (n int) {
	for _, p := range c.Passes {
		n += p.Arithmetic
	}
	return n
}

// String has a line for each pass.
func (c *Counted) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %d loads and %d instructions for an element\n", c.Kernel, count(len(c.Passes), "pass"), c.Loads(), c.Arithmetic())
	for i, p := range c.Passes {
		fmt.Fprintf(&b, "  pass %d: %s; %d loads, %d instructions\n", i+1, strings.Join(p.Outputs, ", "), p.Loads, p.Arithmetic)
	}
	return b.String()
}

// Counts says what the passes of a kernel are that a call with these arguments would run, and what each loads and
// computes for an element, as the function is written: before a compiler merges what is the same. It runs nothing.
func Counts(f any, args ...any) *Counted { return (*Settings)(nil).Counts(f, args...) }

// Counts is the function [Counts] with the settings.
func (s *Settings) Counts(f any, args ...any) *Counted {
	c := newCall("brook.Counts", s, f, args)
	out := &Counted{Kernel: c.s.Name}
	var before []int // outputs of the passes
	done := 0        // what one pass with those would do
	for _, g := range c.groups() {
		p := c.count(g)
		before = append(before, g...)
		all := c.count(before)
		p.Shared = done + p.Loads + p.Arithmetic - all.Loads - all.Arithmetic
		done = all.Loads + all.Arithmetic
		out.Passes = append(out.Passes, p)
	}
	return out
}

// outputs are the columns of each output, and its name.
func (c *call) outputs() (columns [][]int, names []string) {
	n := 0
	for i, r := range c.results {
		last := -1
		for k, m := range members(r.of) {
			if m != last {
				name := partName(c.s.Results[i].Name, r.names[k])
				if dot := strings.LastIndex(name, "."); dot >= 0 && len(r.names) > k+1 && members(r.of)[k+1] == m { // a vector
					name = name[:dot]
				}
				if name == "" {
					name = "the result"
				}
				columns, names = append(columns, nil), append(names, name)
				last = m
			}
			columns[len(columns)-1] = append(columns[len(columns)-1], n)
			n++
		}
	}
	return columns, names
}

// groups are the outputs that each pass stores.
func (c *call) groups() [][]int {
	columns, _ := c.outputs()
	n := len(columns)
	most := c.settings.most
	if most == 0 {
		most = n
	}
	if !c.settings.splits() {
		return inOrder(n, n)
	}
	cost := func(g []int) int {
		p := c.count(g)
		return p.Loads + p.Arithmetic
	}
	fits := func(g []int) bool {
		if l := c.settings.limits; l != (Limits{}) {
			p := c.count(g)
			return (l.Inputs == 0 || p.Loads <= l.Inputs) && (l.Instructions == 0 || p.Loads+p.Arithmetic <= l.Instructions)
		}
		return true
	}
	for k := range n {
		if !fits([]int{k}) {
			p := c.count([]int{k})
			c.fail("output %s alone loads %d inputs and has %d instructions; the limits are %+v: give larger ones, or split the function", p.Outputs[0], p.Loads, p.Loads+p.Arithmetic, c.settings.limits)
		}
	}
	if !c.settings.search {
		return within(n, most, fits)
	}
	// Greedy: of all pairs of groups those become one that save most by it.
	groups := inOrder(n, 1)
	for {
		best, at, with := 0, -1, -1
		for i := range groups {
			for j := i + 1; j < len(groups); j++ {
				both := append(append([]int{}, groups[i]...), groups[j]...)
				if len(both) > most || !fits(both) {
					continue
				}
				if saved := cost(groups[i]) + cost(groups[j]) - cost(both); at < 0 || saved > best {
					best, at, with = saved, i, j
				}
			}
		}
		if at < 0 {
			return groups
		}
		groups[at] = append(groups[at], groups[with]...)
		groups = append(groups[:with], groups[with+1:]...)
	}
}

// inOrder are groups of at most so many of n, in order.
func inOrder(n, most int) [][]int { return within(n, most, func([]int) bool { return true }) }

// within are groups in order, each as large as fits.
func within(n, most int, fits func(g []int) bool) (out [][]int) {
	for k := range n {
		if last := len(out) - 1; last >= 0 && len(out[last]) < most {
			if g := append(append([]int{}, out[last]...), k); fits(g) {
				out[last] = g
				continue
			}
		}
		out = append(out, []int{k})
	}
	return out
}

// columnsOf are the columns of a group of outputs.
func (c *call) columnsOf(group []int) (out []int) {
	columns, _ := c.outputs()
	for _, o := range group {
		out = append(out, columns[o]...)
	}
	return out
}

// count is what a pass with those outputs needs of the function.
func (c *call) count(group []int) PassCount {
	type countKey struct{ pass passKey }
	return c.s.Keep(countKey{c.passKey(group)}, func() any { return c.counted(group) }).(PassCount)
}

func (c *call) counted(group []int) PassCount {
	_, names := c.outputs()
	p := PassCount{}
	for _, o := range group {
		p.Outputs = append(p.Outputs, names[o])
	}
	one := map[*kir.Value]int{} // the instruction of a vector machine that a value is part of
	n := 0
	f := c.newPass(c.columnsOf(group), func(made []*kir.Value) {
		n++
		for _, v := range made {
			one[v] = n
		}
	})
	live := needed(f)
	loads, vectors := map[string]bool{}, map[int]bool{}
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			switch {
			case !live[v]:
			case v.Op == kir.OpLoad:
				loads[c.memberOf(v)] = true
			case one[v] > 0:
				vectors[one[v]] = true
			case c.arithmetic(v):
				p.Arithmetic++
			}
		}
	}
	p.Loads, p.Arithmetic = len(loads), p.Arithmetic+len(vectors)
	return p
}

// memberOf names what a load loads: the member of an input; of a gather the place in the function, too.
func (c *call) memberOf(v *kir.Value) string {
	base := v.Args[0]
	for base.Op != kir.OpParam && len(base.Args) > 0 {
		base = base.Args[0]
	}
	param := int(base.Imm)
	at := 1
	for _, a := range c.args {
		m := members(a.form.of)
		if k := param - at; k >= 0 && k < len(m) {
			place := ""
			if a.value.Gather {
				place = fmt.Sprint(v.Pos)
			}
			return fmt.Sprint(a.value.Name, " ", m[k], " ", place)
		}
		at += a.value.Width()
	}
	return v.Note
}

// arithmetic reports whether a value is an instruction of the function itself, and computes numbers of its elements.
func (c *call) arithmetic(v *kir.Value) bool {
	switch v.Op {
	case kir.OpParam, kir.OpConst, kir.OpLoad, kir.OpStore, kir.OpSpecial, kir.OpCheck, kir.OpConvert:
		return false
	}
	return v.Pos.Line > 0
}

// needed are the values that stores and the way of the program need.
func needed(f *kir.Func) map[*kir.Value]bool {
	live := map[*kir.Value]bool{}
	passed := map[*kir.Value][]*kir.Value{} // what a block's parameter may be
	var todo []*kir.Value
	mark := func(vs ...*kir.Value) {
		for _, v := range vs {
			if v != nil && !live[v] {
				live[v] = true
				todo = append(todo, v)
			}
		}
	}
	for _, blk := range f.Blocks {
		for _, e := range blk.Term.To {
			if e.To == nil {
				continue
			}
			for k, v := range e.Args {
				passed[e.To.Params[k]] = append(passed[e.To.Params[k]], v)
			}
		}
		mark(blk.Term.Cond)
		for _, v := range blk.Values {
			if v.Op == kir.OpStore || v.Op == kir.OpCheck {
				mark(v)
			}
		}
	}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		mark(v.Args...)
		mark(passed[v]...)
	}
	return live
}
