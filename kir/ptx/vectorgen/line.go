package main

import (
	"fmt"
	"math"

	"github.com/arrayrepl/arrayrepl/kir"
)

// value is a vector with an element for each argument that a round takes: a number or, of type Bool, whether something
// is so. In a line with lanes of 64 bits ints of 32 bits have them too, extended by their sign or by zeros.
type value struct {
	typ   kir.Type
	known bool // a constant
	bits  uint64
}

// operation is a step of the line. What the operations do is in emit.go.
type operation struct {
	name   string
	args   []*value
	result *value
	imm    uint64 // count of a shift, predicate of a comparison
	round  int    // of those that go side by side
}

// line is a function as a straight line of operations: where the function branches, both ways are gone and results
// chosen, but for ways that usual arguments do not take. Where one does, bail is true and the round is left to the
// caller.
type line struct {
	*machine
	lanes    int      // arguments of a round
	rounds   int      // that go side by side
	narrow   bool     // lanes have 32 bits
	typ      kir.Type // of arguments and results
	args     []*value
	ops      []*operation
	outs     []*value // by round
	bail     *value   // nil if there is none
	consts   map[value]*value
	same     map[string]*value // results by operation and operands
	names    map[*value]int
	negative map[*value]*value // the operand of what is its negative
	// what an int of 32 bits in a wider lane was before its sign or zeros were put in front of it
	wrapped map[*value]*value
}

// way is how execution comes to a block: for which elements, nil for all, and with which values.
type way struct {
	when *value
	args []*value
}

func straighten(k *kir.Func, p *program, m *machine) (l *line, err error) {
	defer func() {
		if r := recover(); r != nil {
			why, ok := r.(refusal)
			if !ok {
				panic(r)
			}
			l, err = nil, why
		}
	}()
	l = &line{machine: m, typ: k.Params[0].Type, consts: map[value]*value{}, same: map[string]*value{}, names: map[*value]int{}, negative: map[*value]*value{}, wrapped: map[*value]*value{}}
	l.narrow = l.typ == kir.F32 && !hasWide(p)
	l.lanes = m.bytes / 8
	if l.narrow {
		l.lanes = m.bytes / 4
	}
	values := map[*kir.Value]*value{}
	ways := map[*kir.Block][]way{p.f.Blocks[0]: {{}}}
	var results []way
	for _, blk := range p.f.Blocks {
		if !p.hot[blk.ID] {
			continue
		}
		in := l.join(ways[blk])
		for i, prm := range blk.Params {
			values[prm] = in.args[i]
		}
		for _, v := range blk.Values {
			if v.Op == kir.OpStore {
				results = append(results, way{in.when, []*value{values[v.Args[1]]}})
				continue
			}
			args := make([]*value, len(v.Args))
			for i, a := range v.Args {
				args[i] = values[a]
			}
			if r := l.operate(v, args); r != nil {
				values[v] = r
			}
		}
		follow := func(e kir.Edge, when *value) {
			w := way{when: when}
			for _, a := range e.Args {
				w.args = append(w.args, values[a])
			}
			ways[e.To] = append(ways[e.To], w)
		}
		switch t := blk.Term; t.Kind {
		case kir.TermJump:
			follow(t.To[0], in.when)
		case kir.TermBranch:
			c := values[t.Cond]
			yes, no := p.hot[t.To[0].To.ID], p.hot[t.To[1].To.ID]
			switch {
			case yes && no && t.To[0].To == t.To[1].To:
				w := way{when: in.when}
				for i, a := range t.To[0].Args {
					w.args = append(w.args, l.choose(c, values[a], values[t.To[1].Args[i]]))
				}
				ways[t.To[0].To] = append(ways[t.To[0].To], w)
			case yes && no:
				follow(t.To[0], l.and(in.when, c))
				follow(t.To[1], l.except(in.when, c))
			case yes:
				l.leave(l.except(in.when, c))
				follow(t.To[0], in.when)
			case no:
				l.leave(l.and(in.when, c))
				follow(t.To[1], in.when)
			default:
				l.leave(in.when)
			}
		}
	}
	l.outs, l.rounds = []*value{l.join(results).args[0]}, 1
	l.dropUnused()
	return l, nil
}

// refusal is why a function has no loop.
type refusal string

func (r refusal) Error() string { return string(r) }

func refuse(format string, args ...any) { panic(refusal(fmt.Sprintf(format, args...))) }

// hasWide reports whether the function computes with 64 bits on its usual ways.
func hasWide(p *program) bool {
	for _, blk := range p.f.Blocks {
		if !p.hot[blk.ID] {
			continue
		}
		for _, v := range blk.Values {
			if v.Op != kir.OpParam && v.Type.Bytes() == 8 {
				return true
			}
		}
	}
	return false
}

// join makes one way of those that lead to a block.
func (l *line) join(ways []way) way {
	w := ways[len(ways)-1]
	for i := len(ways) - 2; i >= 0; i-- {
		args := make([]*value, len(w.args))
		for j := range args {
			args[j] = l.choose(ways[i].when, ways[i].args[j], w.args[j])
		}
		w = way{l.or(ways[i].when, w.when), args}
	}
	return w
}

// leave gives up the round where when holds for an element.
func (l *line) leave(when *value) {
	if when == nil {
		refuse("usual arguments end nowhere")
	}
	if l.bail == nil {
		l.bail = when
		return
	}
	l.bail = l.or(l.bail, when)
}

func (l *line) constant(t kir.Type, bits uint64) *value {
	if v := l.consts[value{t, true, bits}]; v != nil {
		return v
	}
	v := &value{t, true, bits}
	l.consts[*v] = v
	return v
}

// add appends an operation, or finds its result if it is there.
func (l *line) add(name string, t kir.Type, imm uint64, args ...*value) *value {
	key := fmt.Sprint(name, t, imm)
	for _, a := range args {
		if a == nil {
			refuse("%s has an operand of another way", name)
		}
		if l.names[a] == 0 {
			l.names[a] = len(l.names) + 1
		}
		key += fmt.Sprint(" ", l.names[a])
	}
	if v := l.same[key]; v != nil {
		return v
	}
	v := &value{typ: t}
	l.ops = append(l.ops, &operation{name: name, args: args, result: v, imm: imm})
	l.same[key] = v
	return v
}

func (l *line) and(a, b *value) *value {
	if a == nil {
		return b
	}
	return l.add("and", kir.Bool, 0, a, b)
}

// except is a without b.
func (l *line) except(a, b *value) *value {
	if a == nil {
		return l.not(b)
	}
	return l.add("andnot", kir.Bool, 0, b, a)
}

// not is a comparison the other way where a is one, which holds of NaN if a does not.
func (l *line) not(a *value) *value {
	if op := l.definition(a); op != nil && op.name == "cmpf" {
		if other, ok := map[uint64]uint64{0: 4, 4: 0, 17: 21, 18: 22, 29: 25, 30: 26}[op.imm]; ok {
			return l.add("cmpf", kir.Bool, other, op.args...)
		}
	}
	return l.add("not", kir.Bool, 0, a)
}

// or joins what two ways are taken for. A condition and the rest are all.
func (l *line) or(a, b *value) *value {
	if a == nil || b == nil {
		return nil
	}
	whole := func(a, b *value) (*value, bool) {
		x, y := l.definition(a), l.definition(b)
		switch {
		case l.not(a) == b:
			return nil, true
		case x != nil && y != nil && x.name == "and" && y.name == "andnot" && x.args[0] == y.args[1] && x.args[1] == y.args[0]:
			return x.args[0], true
		}
		return nil, false
	}
	if w, ok := whole(a, b); ok {
		return w
	}
	if w, ok := whole(b, a); ok {
		return w
	}
	return l.add("or", kir.Bool, 0, a, b)
}

func (l *line) definition(v *value) *operation {
	for _, op := range l.ops {
		if op.result == v {
			return op
		}
	}
	return nil
}

// choose is a where c holds, else b.
func (l *line) choose(c, a, b *value) *value {
	switch {
	case a == b || c == nil:
		return a
	case a == nil || b == nil: // of a way that is not followed
		refuse("a value of another way")
	case c.known:
		if c.bits != 0 {
			return a
		}
		return b
	case a.typ == kir.Bool:
		return l.add("or", kir.Bool, 0, l.and(c, a), l.except(b, c))
	case a.typ == kir.F32 && !l.narrow:
		return l.add("cvtf32", kir.F32, 0, l.choose(c, l.widened(a), l.widened(b)))
	}
	if name := l.extremeOf(c, a, b); name != "" {
		return l.add(name, a.typ, 0, a, b)
	}
	return l.add("blend", a.typ, 0, c, a, b)
}

// extremeOf names the instruction that gives a where c is b > a or b < a, else b: of a NaN and of two zeros it gives
// its second operand.
func (l *line) extremeOf(c, a, b *value) string {
	op := l.definition(c)
	if op == nil || op.name != "cmpf" || op.args[0] != b || op.args[1] != a {
		return ""
	}
	return map[uint64]string{30: "minf", 17: "maxf"}[op.imm]
}

// widened is a float32 as a float64, beside which masks and registers have one width.
func (l *line) widened(v *value) *value {
	if v.known {
		return l.constant(kir.F64, math.Float64bits(float64(math.Float32frombits(uint32(v.bits)))))
	}
	if op := l.definition(v); op.name == "cvtf32" {
		return op.args[0]
	}
	return l.add("cvtf64", kir.F64, 0, v)
}

// dropUnused keeps what the result and bail are made of.
func (l *line) dropUnused() {
	needed := map[*value]bool{l.outs[0]: true, l.bail: true}
	var kept []*operation
	for i := len(l.ops) - 1; i >= 0; i-- {
		if op := l.ops[i]; needed[op.result] {
			kept = append(kept, op)
			for _, a := range op.args {
				needed[a] = true
			}
		}
	}
	l.ops = l.ops[:0]
	for i := len(kept) - 1; i >= 0; i-- {
		l.ops = append(l.ops, kept[i])
	}
}
