package ptx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

// maxInstructions bounds what inlining may make of a kernel.
const maxInstructions = 200_000

// inliner puts the bodies of functions in the place of their calls. Variables of the .param space that calls use become
// registers, one for each place that is read or written: x+8.
type inliner struct {
	u     *unit
	k     *function // the kernel
	out   []*inst
	stack []string
	count int
}

func (n *inliner) body(f *function, rename func(string) string, end string) {
	for _, in := range f.body {
		if len(n.out) > maxInstructions {
			failAt(in.line, in.String(), "the kernel has more than %d instructions after its calls were inlined", maxInstructions)
		}
		c := *in
		if c.label != "" {
			c.label = rename(c.label)
		}
		if c.guard != nil {
			g := *c.guard
			g.name = rename(g.name)
			c.guard = &g
		}
		c.args = slices.Clone(c.args)
		for i := range c.args {
			renameOperand(&c.args[i], rename)
		}
		switch {
		case c.label != "":
		case c.op[0] == "call":
			n.call(&c)
			continue
		case c.op[0] == "ret" && end != "":
			c.op, c.args = []string{"bra"}, []operand{{kind: 'r', name: end}}
		case c.op[0] == "ld" && c.has("param") && len(c.args) == 2 && c.args[1].kind == '[' && !n.isKernelParam(c.args[1].name):
			n.paramAccess(&c, c.args[1], true)
			continue
		case c.op[0] == "st" && c.has("param") && len(c.args) == 2 && c.args[0].kind == '[':
			n.paramAccess(&c, c.args[0], false)
			continue
		}
		n.out = append(n.out, &c)
	}
}

func renameOperand(o *operand, rename func(string) string) {
	if o.name != "" {
		o.name = rename(o.name)
	}
	if o.pair != "" {
		o.pair = rename(o.pair)
	}
	o.list = slices.Clone(o.list)
	for i := range o.list {
		renameOperand(&o.list[i], rename)
	}
}

func (n *inliner) isKernelParam(name string) bool {
	return slices.ContainsFunc(n.k.params, func(v variable) bool { return v.name == name })
}

// paramAccess makes moves of a load or store of .param space.
func (n *inliner) paramAccess(in *inst, at operand, load bool) {
	ts := in.types()
	if len(ts) != 1 {
		in.fail("the type of the access is missing")
	}
	t := ts[0]
	var regs []operand
	switch other := in.args[0]; {
	case !load && in.args[1].kind == '{':
		regs = in.args[1].list
	case !load:
		regs = []operand{in.args[1]}
	case other.kind == '{':
		regs = other.list
	default:
		regs = []operand{other}
	}
	for i, r := range regs {
		slot := fmt.Sprintf("%s+%d", at.name, int64(at.bits)+int64(i*t.Bytes()))
		if _, ok := n.k.regs[slot]; !ok {
			n.k.regs[slot] = t
		}
		mov := &inst{line: in.line, guard: in.guard, pos: in.pos, op: []string{"mov", bitsName(t)}}
		if load {
			mov.args = []operand{r, {kind: 'r', name: slot}}
		} else {
			mov.args = []operand{{kind: 'r', name: slot}, r}
		}
		n.out = append(n.out, mov)
	}
}

func bitsName(t kir.Type) string { return types[t].memory }

func (n *inliner) call(in *inst) {
	var results, args []operand
	var name string
	rest := in.args
	if len(rest) > 0 && rest[0].kind == '(' {
		results, rest = rest[0].list, rest[1:]
	}
	if len(rest) > 0 && rest[0].kind == 'r' {
		name, rest = rest[0].name, rest[1:]
	}
	if len(rest) > 0 && rest[0].kind == '(' {
		args = rest[0].list
	}
	if name == "arrayrepl_check" {
		n.out = append(n.out, &inst{line: in.line, pos: in.pos, guard: in.guard, op: []string{"arrayrepl_check"}, args: args})
		return
	}
	if name == "arrayrepl_grid_sync" {
		n.out = append(n.out, &inst{line: in.line, pos: in.pos, guard: in.guard, op: []string{name}})
		return
	}
	if op, t, ok := elementaryName(name); ok && len(results) == 1 {
		n.out = append(n.out, &inst{line: in.line, pos: in.pos, guard: in.guard, op: []string{"arrayrepl", op, t}, args: append(slices.Clone(results), args...)})
		return
	}
	if strings.HasPrefix(name, printfPrefix) {
		args = append([]operand{{kind: 'r', name: name}}, args...)
		n.out = append(n.out, &inst{line: in.line, pos: in.pos, guard: in.guard, op: []string{"arrayrepl_printf"}, args: args})
		return
	}
	if name == "vprintf" && len(results) == 1 && len(args) == 2 {
		in := &inst{line: in.line, pos: in.pos, guard: in.guard, op: []string{"vprintf"}}
		for i, a := range append(results, args...) {
			if _, ok := n.k.regs[a.name]; !ok { // a variable for parameters
				a.name += "+0"
				n.k.regs[a.name] = []kir.Type{kir.U32, kir.U64, kir.U64}[i]
			}
			in.args = append(in.args, a)
		}
		n.out = append(n.out, in)
		return
	}
	f := n.u.funcs[name]
	switch {
	case f == nil:
		in.fail("there is no function %s; calls through registers are not supported", name)
	case name == "__assertfail":
		n.out = append(n.out, &inst{line: in.line, pos: in.pos, guard: in.guard, op: []string{"trap"}})
		return
	case !f.defined:
		in.fail("%s is declared, but its body is not here", name)
	case slices.Contains(n.stack, name):
		in.fail("%s calls itself; recursion is not supported", name)
	case len(args) != len(f.params) || len(results) != len(f.results):
		in.fail("%s has %d parameters and %d results", name, len(f.params), len(f.results))
	}
	n.count++
	suffix := fmt.Sprintf("@%d", n.count)
	end := "end" + suffix
	skip := ""
	if in.guard != nil { // around the body
		g := *in.guard
		g.not = !g.not
		skip = "skip" + suffix
		n.out = append(n.out, &inst{line: in.line, pos: in.pos, guard: &g, op: []string{"bra"}, args: []operand{{kind: 'r', name: skip}}})
	}
	alias := map[string]string{}
	move := func(t kir.Type, to, from operand) {
		n.out = append(n.out, &inst{line: in.line, pos: in.pos, op: []string{"mov", bitsName(t)}, args: []operand{to, from}})
	}
	reg := func(name string, t kir.Type) operand {
		n.k.regs[name] = t
		return operand{kind: 'r', name: name}
	}
	for i, p := range f.params {
		a := args[i]
		_, isReg := n.k.regs[a.name]
		switch {
		case p.space == "reg":
			move(p.elem, reg(p.name+suffix, p.elem), a)
		case a.kind == 'r' && !isReg:
			alias[p.name] = a.name // a .param variable
		default:
			move(p.elem, reg(p.name+suffix+"+0", p.elem), a)
		}
	}
	for i, p := range f.results {
		if _, isReg := n.k.regs[results[i].name]; p.space != "reg" && !isReg {
			alias[p.name] = results[i].name
		}
	}
	own := func(name string) string {
		base := name
		if to, ok := alias[base]; ok {
			return to
		}
		if t, ok := f.regs[base]; ok {
			n.k.regs[base+suffix] = t
			return base + suffix
		}
		if strings.HasPrefix(name, "%") || n.u.globals[name] != nil || n.u.funcs[name] != nil {
			return name
		}
		return name + suffix
	}
	for _, v := range f.vars {
		w := *v
		w.name = own(v.name)
		n.k.vars = append(n.k.vars, &w)
	}
	n.stack = append(n.stack, name)
	n.body(f, own, end)
	n.stack = n.stack[:len(n.stack)-1]
	n.out = append(n.out, &inst{line: in.line, label: end})
	for i, p := range f.results {
		if _, isReg := n.k.regs[results[i].name]; isReg {
			from := p.name + suffix
			if p.space != "reg" {
				from += "+0"
			}
			move(p.elem, results[i], operand{kind: 'r', name: from})
		}
	}
	if skip != "" {
		n.out = append(n.out, &inst{line: in.line, label: skip})
	}
}
