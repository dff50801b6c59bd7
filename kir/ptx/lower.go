package ptx

import (
	"cmp"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

// lowerer makes a kernel of kir from the instructions of one of PTX.
type lowerer struct {
	u        *unit
	k        *function
	b        *kir.Builder
	blocks   []*block
	cur      *block
	mentions map[string]int // of each register, in all instructions
	params   map[string]int // number of the parameter in the Func, by name
	arrays   map[string]place
	generic  []*kir.Value // memory operations whose space is not written
	asm      *inst        // that is lowered now
	rested   int          // the line of the last nanosleep
}

// place is where an array is: its space, and the array's number there.
type place struct {
	op  kir.Op
	num int
}

// block is a basic block on the way.
type block struct {
	code  []*inst
	label string
	succ  []int // taken edge first
	preds []int
	cond  *operand // of a branch
	line  int

	uses, defs, in map[string]bool // registers
	phis           []string        // registers with a parameter in kb
	kb             *kir.Block
	env            map[string]ref // registers at the end, less those of the immediate dominator that stayed
	idom           int
	order          int
	done           bool
	end            ref // the condition
	first          int // values in kb after its beginning
}

// ref is what a register holds: a value of kir, or a constant. A register that is wider than the value holds it
// extended by the value's sign.
type ref struct {
	v    *kir.Value
	t    kir.Type
	bits uint64
	text string // the address of this text of a check
}

func lowerKernel(u *unit, f *function) (*kir.Func, error) {
	n := &inliner{u: u, k: f, stack: []string{f.name}}
	n.body(f, func(s string) string { return s }, "")
	l := &lowerer{u: u, k: f, b: kir.NewBuilder(f.name), mentions: map[string]int{}, params: map[string]int{}, arrays: map[string]place{}}
	l.cut(n.out)
	l.parameters(n.out)
	l.variables(n.out)
	l.flow()
	l.place()
	l.lower()
	l.finish()
	l.spaces()
	out, err := l.b.Func()
	if out != nil {
		out.Bounds = f.bounds
		out.Bounds.Compiled = true
	}
	return out, err
}

// isRegister reports whether an operand names a register.
func (l *lowerer) isRegister(o operand) bool {
	_, ok := l.k.regs[o.name]
	return ok && o.kind == 'r'
}

// eachRegister calls do for the registers that in reads and those that it writes.
func (l *lowerer) eachRegister(in *inst, do func(name string, write bool)) {
	if in.guard != nil {
		do(in.guard.name, false)
	}
	var walk func(o operand, write bool)
	walk = func(o operand, write bool) {
		for _, p := range o.list {
			walk(p, write)
		}
		base, _, _ := strings.Cut(o.name, ".") // %r1.x does not exist; %v.x would be a vector register
		if _, ok := l.k.regs[o.name]; ok {
			do(o.name, write && o.kind != '[')
		} else if _, ok := l.k.regs[base]; ok {
			in.fail("registers of vector type are not supported")
		}
		if o.pair != "" {
			do(o.pair, write)
		}
	}
	first := 0
	if writesFirst(in) && len(in.args) > 0 {
		first = 1
	}
	for _, a := range in.args[first:] {
		walk(a, false)
	}
	if first == 1 {
		if in.guard != nil { // the old value stays where the guard is false
			for _, name := range names(in.args[0]) {
				do(name, false)
			}
		}
		walk(in.args[0], true)
	}
}

func names(o operand) (out []string) {
	for _, p := range o.list {
		out = append(out, names(p)...)
	}
	if o.name != "" && o.kind == 'r' {
		out = append(out, o.name)
	}
	if o.pair != "" {
		out = append(out, o.pair)
	}
	return out
}

// noResult are the instructions whose first operand is read.
var noResult = map[string]bool{
	"st": true, "red": true, "bra": true, "bar": true, "barrier": true, "membar": true, "fence": true, "ret": true, "exit": true, "trap": true,
	"cp": true, "arrayrepl_check": true, "arrayrepl_grid_sync": true, "arrayrepl_printf": true, "prefetch": true, "prefetchu": true, "nanosleep": true, "discard": true, "brkpt": true, "pmevent": true,
}

func writesFirst(in *inst) bool {
	if in.op[0] == "bar" || in.op[0] == "barrier" {
		return in.has("red")
	}
	return !noResult[in.op[0]]
}

// acts are the instructions that must not execute where their guard is false; others are computed and not used there.
func acts(in *inst) bool {
	switch in.op[0] {
	case "arrayrepl_check": // has its guard for a condition
		return false
	case "vprintf", "ld", "ldu", "atom", "shfl", "vote", "match", "redux", "mma", "activemask":
		return in.op[0] != "ld" || !in.has("param")
	}
	return !writesFirst(in) || in.op[0] == "bar" || in.op[0] == "barrier"
}

// cut makes basic blocks. A guarded instruction that acts gets a block of its own, and one that leads around it.
func (l *lowerer) cut(code []*inst) {
	labels := map[string]int{}
	open := func(line int) *block {
		b := &block{line: line}
		l.blocks = append(l.blocks, b)
		return b
	}
	cur := open(l.k.line)
	ended := false
	type jump struct {
		b     *block
		slot  int
		label string
		in    *inst
	}
	var jumps []jump
	fall := func(b *block) { // to the block that is opened next
		b.succ = append(b.succ, len(l.blocks))
	}
	for _, in := range code {
		if in.label != "" {
			if !ended {
				fall(cur)
			}
			if _, ok := labels[in.label]; ok {
				failAt(in.line, in.String(), "the label stands twice")
			}
			labels[in.label] = len(l.blocks)
			cur, ended = open(in.line), false
			cur.label = in.label
			continue
		}
		if ended { // no way leads here
			cur, ended = open(in.line), false
		}
		l.eachRegister(in, func(name string, _ bool) { l.mentions[name]++ })
		switch in.op[0] {
		case "bra":
			if len(in.args) != 1 || in.args[0].kind != 'r' {
				in.fail("a branch needs a label")
			}
			cur.succ = append(cur.succ, -1)
			jumps = append(jumps, jump{cur, len(cur.succ) - 1, in.args[0].name, in})
			if in.guard != nil {
				cur.cond = in.guard
				fall(cur)
				cur, ended = open(in.line), false
			} else {
				ended = true
			}
			continue
		case "ret", "exit":
			if in.guard != nil {
				cur.cond = in.guard
				cur.succ = []int{len(l.blocks), len(l.blocks) + 1}
				open(in.line)
				cur, ended = open(in.line), false
			} else {
				ended = true
			}
			continue
		case "brx", "call":
			in.fail("this form is not supported")
		}
		if in.guard != nil && acts(in) {
			plain := *in
			plain.guard = nil
			cur.cond = in.guard
			cur.succ = []int{len(l.blocks), len(l.blocks) + 1}
			then := open(in.line)
			then.code = []*inst{&plain}
			then.succ = []int{len(l.blocks)}
			cur = open(in.line)
			continue
		}
		cur.code = append(cur.code, in)
	}
	for _, j := range jumps {
		to, ok := labels[j.label]
		if !ok {
			j.in.fail("there is no label %s", j.label)
		}
		j.b.succ[j.slot] = to
	}
}

// flow drops blocks that no way leads to, puts the others in reverse post-order and finds what is live.
func (l *lowerer) flow() {
	// The entry must have no way back to it.
	for _, b := range l.blocks {
		if slices.Contains(b.succ, 0) {
			for _, c := range l.blocks {
				for i := range c.succ {
					c.succ[i]++
				}
			}
			l.blocks = slices.Insert(l.blocks, 0, &block{line: l.k.line, succ: []int{1}})
			break
		}
	}
	seen := make([]bool, len(l.blocks))
	var post []int
	type frame struct{ b, i int }
	stack := []frame{{0, 0}}
	seen[0] = true
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if succ := l.blocks[f.b].succ; f.i < len(succ) {
			s := succ[len(succ)-1-f.i]
			f.i++
			if !seen[s] {
				seen[s] = true
				stack = append(stack, frame{s, 0})
			}
			continue
		}
		post = append(post, f.b)
		stack = stack[:len(stack)-1]
	}
	slices.Reverse(post)
	number := make([]int, len(l.blocks))
	var out []*block
	for i, old := range post {
		number[old] = i
		out = append(out, l.blocks[old])
	}
	for i, b := range out {
		for j := range b.succ {
			b.succ[j] = number[b.succ[j]]
			out[b.succ[j]].preds = append(out[b.succ[j]].preds, i)
		}
	}
	l.blocks = out
	for _, b := range out {
		b.uses, b.defs, b.in = map[string]bool{}, map[string]bool{}, map[string]bool{}
		for _, in := range b.code {
			l.eachRegister(in, func(name string, write bool) {
				if !write && !b.defs[name] {
					b.uses[name] = true
				}
			})
			l.eachRegister(in, func(name string, write bool) {
				if write {
					b.defs[name] = true
				}
			})
		}
		if b.cond != nil && !b.defs[b.cond.name] {
			b.uses[b.cond.name] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(out) - 1; i >= 0; i-- {
			b := out[i]
			add := func(name string) {
				if !b.in[name] {
					b.in[name] = true
					changed = true
				}
			}
			for name := range b.uses {
				add(name)
			}
			for _, s := range b.succ {
				for name := range out[s].in {
					if !b.defs[name] {
						add(name)
					}
				}
			}
		}
	}
}

// place finds dominators, and the blocks where different values of a register come together and are used: those get a
// parameter (Cytron and others, "Efficiently computing static single assignment form", 1991).
func (l *lowerer) place() {
	idom := make([]int, len(l.blocks))
	for i := range idom {
		idom[i] = -1
	}
	idom[0] = 0
	for changed := true; changed; {
		changed = false
		for i := 1; i < len(l.blocks); i++ {
			d := -1
			for _, p := range l.blocks[i].preds {
				switch {
				case idom[p] < 0:
				case d < 0:
					d = p
				default:
					for a := p; a != d; {
						if a > d {
							a = idom[a]
						} else {
							d = idom[d]
						}
					}
				}
			}
			if d != idom[i] {
				idom[i], changed = d, true
			}
		}
	}
	frontier := make([][]int, len(l.blocks))
	for i, b := range l.blocks {
		b.idom = idom[i]
		if len(b.preds) < 2 {
			continue
		}
		for _, p := range b.preds {
			for ; p != idom[i]; p = idom[p] {
				if !slices.Contains(frontier[p], i) {
					frontier[p] = append(frontier[p], i)
				}
			}
		}
	}
	defs := map[string][]int{}
	for i, b := range l.blocks {
		for name := range b.defs {
			defs[name] = append(defs[name], i)
		}
	}
	for name, work := range defs {
		has := map[int]bool{}
		for len(work) > 0 {
			d := work[len(work)-1]
			work = work[:len(work)-1]
			for _, i := range frontier[d] {
				if b := l.blocks[i]; !has[i] && b.in[name] {
					has[i] = true
					b.phis = append(b.phis, name)
					work = append(work, i)
				}
			}
		}
	}
	for _, b := range l.blocks {
		slices.SortFunc(b.phis, func(a, b string) int {
			if c := cmp.Compare(registerNumber(a), registerNumber(b)); c != 0 {
				return c
			}
			return cmp.Compare(a, b)
		})
	}
}

// registerNumber returns the number in %r12.
func registerNumber(name string) int {
	n := 0
	for _, c := range name {
		if c >= '0' && c <= '9' && n < 1<<28 {
			n = n*10 + int(c-'0')
		} else if n > 0 {
			break
		}
	}
	return n
}

// lookup returns what a register holds at the end of block i, so far.
func (l *lowerer) lookup(i int, name string) ref {
	for {
		b := l.blocks[i]
		if r, ok := b.env[name]; ok {
			return r
		}
		if b.idom == i || i == 0 {
			return ref{t: l.k.regs[name]} // never written on this way: any value will do
		}
		i = b.idom
	}
}

func (l *lowerer) lower() {
	for i, b := range l.blocks {
		b.order = i
		if i == 0 {
			b.kb = l.b.Block()
		} else {
			b.kb = l.b.NewBlock(blockName(b.label))
		}
		l.b.SetBlock(b.kb)
		l.cur = b
		b.env = map[string]ref{}
		for _, name := range b.phis {
			t := l.k.regs[name]
			for _, p := range b.preds {
				if l.blocks[p].done {
					if r := l.lookup(p, name); r.t != kir.Void {
						t = r.t
						break
					}
				}
			}
			b.env[name] = ref{v: l.b.BlockParam(b.kb, t), t: t}
		}
		b.first = len(b.kb.Values)
		for j := 0; j < len(b.code); {
			in := b.code[j]
			l.asm = in
			l.b.Pos = in.pos
			if n := l.idiom(b.code, j); n > 0 {
				j += n
				continue
			}
			j += l.instruction(b.code[j:])
		}
		if b.cond != nil {
			l.asm = &inst{line: b.line, op: []string{"bra"}, args: []operand{*b.cond}}
			b.end = l.refOf(*b.cond)
			if b.end.t != kir.Bool {
				failAt(b.line, "@"+b.cond.String(), "a guard must be a predicate")
			}
		}
		b.done = true
	}
}

// blockName leaves out the labels that Print makes.
func blockName(label string) string {
	if strings.HasPrefix(label, "$B") || strings.HasPrefix(label, "$E") {
		return ""
	}
	return strings.TrimLeft(label, "$")
}

// empty reports whether b does nothing but lead on, and is not a block of the text: those have labels, but for the ones
// in which Print moves the values of an edge.
func (l *lowerer) empty(b *block) bool {
	return (b.label == "" || strings.HasPrefix(b.label, "$E")) && b.order > 0 && len(b.phis) == 0 && len(b.succ) == 1 && b.cond == nil && !slices.ContainsFunc(b.kb.Values, func(v *kir.Value) bool { return v.Op != kir.OpConst })
}

// finish ends the blocks. Ways through empty blocks, where Print moves the values of an edge, lead to where those lead.
func (l *lowerer) finish() {
	for _, b := range l.blocks {
		l.b.SetBlock(b.kb)
		edge := func(i int) kir.Edge {
			last := b
			for n := 0; l.empty(l.blocks[i]) && n < len(l.blocks); n++ {
				last = l.blocks[i]
				i = last.succ[0]
			}
			to := l.blocks[i]
			e := kir.Edge{To: to.kb}
			for j, name := range to.phis {
				e.Args = append(e.Args, l.coerce(l.lookup(last.order, name), to.kb.Params[j].Type))
			}
			return e
		}
		switch {
		case b.cond != nil && b.end.v == nil:
			to := 0
			if (b.end.bits != 0) == b.cond.not {
				to = 1
			}
			e := edge(b.succ[to])
			l.b.Jump(e.To, e.Args...)
		case b.cond != nil:
			yes, no := edge(b.succ[0]), edge(b.succ[1])
			if b.cond.not {
				yes, no = no, yes
			}
			l.b.BranchTo(b.end.v, yes, no)
		case len(b.succ) == 1:
			e := edge(b.succ[0])
			l.b.Jump(e.To, e.Args...)
		default:
			l.b.Return()
		}
	}
}
