package opt

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/internal/flow"
)

// fact is a comparison whose outcome a branch has decided.
type fact struct {
	cond *kir.Value
	bit  uint64
}

// implied replaces conditions that have been decided before: in what only the true side of a branch on c leads to, c is
// true, and behind a check of c, and what follows from it. So a bounds check after the kernel's own, and a second one,
// goes.
func implied(f *kir.Func) bool {
	k := knowledge{f: f, children: flow.Children(dominators(f)), into: incoming(f)}
	k.walk(0)
	return k.changed
}

type knowledge struct {
	f        *kir.Func
	children [][]int
	into     [][]inEdge
	facts    []fact
	changed  bool
}

func (k *knowledge) walk(b int) {
	blk := k.f.Blocks[b]
	before := len(k.facts)
	if in := k.into[b]; len(in) == 1 && in[0].from.Term.Kind == kir.TermBranch {
		k.facts = learn(k.facts, in[0].from.Term.Cond, uint64(1-in[0].i))
	}
	if len(k.facts) > 0 || slices.ContainsFunc(blk.Values, func(v *kir.Value) bool { return v.Op == kir.OpCheck }) {
		k.block(blk)
	}
	for _, c := range k.children[b] {
		k.walk(c)
	}
	k.facts = k.facts[:before]
}

func (k *knowledge) block(blk *kir.Block) {
	r := rewriter{f: k.f, blk: blk, out: make([]*kir.Value, 0, len(blk.Values)+2)}
	use := func(u **kir.Value) {
		if c := *u; c.Type == kir.Bool && c.Op != kir.OpConst {
			for _, known := range k.facts {
				if known.cond == c {
					r.at = &kir.Value{}
					*u, k.changed = r.constant(kir.Bool, known.bit), true
					return
				}
			}
		}
	}
	for _, v := range blk.Values {
		for i := range v.Args {
			use(&v.Args[i])
		}
		if v.Op.IsCompare() {
			if bit, known := decide(k.facts, v); known {
				v.Op, v.Imm, v.Args, k.changed = kir.OpConst, bit, nil, true
			}
		}
		r.out = append(r.out, v)
		if v.Op == kir.OpCheck {
			k.facts = learn(k.facts, v.Args[0], 1)
		}
	}
	if blk.Term.Kind == kir.TermBranch {
		use(&blk.Term.Cond)
	}
	for _, e := range blk.Term.Edges() {
		for i := range e.Args {
			use(&e.Args[i])
		}
	}
	blk.Values = r.out
}

// learn adds what follows from cond being bit.
func learn(facts []fact, cond *kir.Value, bit uint64) []fact {
	if cond.Op == kir.OpConst {
		return facts
	}
	facts = append(facts, fact{cond, bit})
	switch {
	case cond.Op == kir.OpNot:
		facts = learn(facts, cond.Args[0], 1-bit)
	case cond.Op == kir.OpAnd && bit == 1, cond.Op == kir.OpOr && bit == 0:
		facts = learn(learn(facts, cond.Args[0], bit), cond.Args[1], bit)
	}
	return facts
}

// decide returns the outcome of v where the facts tell it.
func decide(facts []fact, v *kir.Value) (uint64, bool) {
	const most = 32 // facts looked at: code that is written out branch after branch would take quadratic time
	for i := len(facts) - 1; i >= max(0, len(facts)-most); i-- {
		k := facts[i]
		if k.cond == v {
			return k.bit, true
		}
		if v.Op.IsCompare() && k.cond.Op.IsCompare() && v.Args[0].Type.IsInteger() {
			if bit, known := follows(k, v); known {
				return bit, true
			}
		}
	}
	return 0, false
}

// outcomes are what comparing two integers can come to.
const (
	less = 1 << iota
	equal
	greater
)

var trueFor = map[kir.Op]uint8{kir.OpEq: equal, kir.OpNe: less | greater, kir.OpLt: less, kir.OpLe: less | equal, kir.OpGt: greater, kir.OpGe: greater | equal}

// follows returns the outcome of the integer comparison v where k tells it: the two compare the same operands, or one
// operand with different constants.
func follows(k fact, v *kir.Value) (uint64, bool) {
	c := k.cond
	op := v.Op
	if c.Args[0].Type != v.Args[0].Type {
		return followsUnsigned(k, v)
	}
	switch {
	case c.Args[0] == v.Args[0] && c.Args[1] == v.Args[1]:
	case c.Args[0] == v.Args[1] && c.Args[1] == v.Args[0]:
		op = swapped[op]
	case c.Args[0] == v.Args[0] && c.Args[1].Op == kir.OpConst && v.Args[1].Op == kir.OpConst:
		n := rangeWhere(c, k.bit)
		return kir.CompareRanges(op, n, rangeOf(v.Args[1]))
	default:
		return 0, false
	}
	can := trueFor[c.Op]
	if k.bit == 0 {
		can ^= less | equal | greater
	}
	switch yes := trueFor[op]; {
	case can&^yes == 0:
		return 1, true
	case can&yes == 0:
		return 0, true
	}
	return 0, false
}

// followsUnsigned is follows for a comparison as unsigned numbers, which is how a bounds check has it, after one of the
// same signed numbers: 0 <= x < y tells that x is less than y without their signs too.
func followsUnsigned(k fact, v *kir.Value) (uint64, bool) {
	c := k.cond
	x, y := v.Args[0], v.Args[1]
	if v.Op != kir.OpLt || !x.Type.IsUnsigned() || x.Op != kir.OpConvert || y.Op != kir.OpConvert {
		return 0, false
	}
	x, y = x.Args[0], y.Args[0]
	if x.Type != c.Args[0].Type || y.Type != x.Type || !x.Type.IsSigned() || x.Type.Bytes() != v.Args[0].Type.Bytes() {
		return 0, false
	}
	less := &kir.Value{Op: kir.OpLt, Type: kir.Bool, Args: []*kir.Value{x, y}}
	if n := rangeOf(x); !n.Known || n.Lo < 0 {
		return 0, false
	}
	bit, known := follows(k, less)
	return bit, known && bit == 1
}

// rangeWhere returns the range of the first operand of c, a comparison with a constant, where c comes out as bit.
func rangeWhere(c *kir.Value, bit uint64) kir.Range {
	all, ok := typeRange(c.Args[0].Type)
	k := rangeOf(c.Args[1])
	if !ok || !k.Known {
		return kir.Range{}
	}
	op := c.Op
	if bit == 0 {
		op = inverse[op]
	}
	switch op {
	case kir.OpEq:
		return k
	case kir.OpLt:
		all.Hi = max(all.Lo, k.Lo-1)
	case kir.OpLe:
		all.Hi = k.Lo
	case kir.OpGt:
		all.Lo = min(all.Hi, k.Lo+1)
	case kir.OpGe:
		all.Lo = k.Lo
	}
	return all
}
