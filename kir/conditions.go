package kir

// fact is a comparison whose outcome a branch has decided.
type fact struct {
	cond *Value
	bit  uint64
}

// implied replaces conditions that a branch before has decided: in what only the true side of a branch on c leads to, c is
// true, and what follows from it. So a bounds check after the kernel's own goes.
func implied(f *Func) bool {
	dom, into := f.dominance(), f.incoming()
	changed := false
	var facts []fact
	var walk func(b int)
	walk = func(b int) {
		blk := f.Blocks[b]
		before := len(facts)
		if in := into[b]; len(in) == 1 && in[0].from.Term.Kind == TermBranch {
			facts = learn(facts, in[0].from.Term.Cond, uint64(1-in[0].i))
		}
		if len(facts) > 0 {
			r := rewriter{f: f, blk: blk}
			for _, v := range blk.Values {
				// A condition that is decided becomes the constant itself. One from before is replaced where it is used.
				if v.Type == Bool && v.pure() && v.Op != OpConst {
					if bit, known := decide(facts, v); known {
						v.Op, v.Imm, v.Args, changed = OpConst, bit, nil, true
					}
				}
			}
			known := func(c *Value) *Value {
				if c.Type != Bool || c.Op == OpConst {
					return nil
				}
				for _, k := range facts {
					if k.cond == c {
						r.at = c
						r.out = r.out[:0]
						w := r.constant(Bool, k.bit)
						w.Pos = Pos{}
						blk.Values = append([]*Value{w}, blk.Values...)
						return w
					}
				}
				return nil
			}
			blk.eachUse(func(u **Value) {
				if w := known(*u); w != nil {
					*u, changed = w, true
				}
			})
		}
		for _, c := range dom.children[b] {
			walk(c)
		}
		facts = facts[:before]
	}
	walk(0)
	return changed
}

// learn adds what follows from cond being bit.
func learn(facts []fact, cond *Value, bit uint64) []fact {
	if cond.Op == OpConst {
		return facts
	}
	facts = append(facts, fact{cond, bit})
	switch {
	case cond.Op == OpNot:
		facts = learn(facts, cond.Args[0], 1-bit)
	case cond.Op == OpAnd && bit == 1, cond.Op == OpOr && bit == 0:
		facts = learn(learn(facts, cond.Args[0], bit), cond.Args[1], bit)
	}
	return facts
}

// decide returns the outcome of v where the facts tell it.
func decide(facts []fact, v *Value) (uint64, bool) {
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

var trueFor = map[Op]uint8{OpEq: equal, OpNe: less | greater, OpLt: less, OpLe: less | equal, OpGt: greater, OpGe: greater | equal}

// follows returns the outcome of the integer comparison v where k tells it: the two compare the same operands, or one
// operand with different constants.
func follows(k fact, v *Value) (uint64, bool) {
	c := k.cond
	op := v.Op
	if c.Args[0].Type != v.Args[0].Type {
		return 0, false
	}
	switch {
	case c.Args[0] == v.Args[0] && c.Args[1] == v.Args[1]:
	case c.Args[0] == v.Args[1] && c.Args[1] == v.Args[0]:
		op = swapped[op]
	case c.Args[0] == v.Args[0] && c.Args[1].Op == OpConst && v.Args[1].Op == OpConst:
		n := rangeWhere(c, k.bit)
		return compareRanges(op, n, rangeOf(v.Args[1]))
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

// rangeWhere returns the range of the first operand of c, a comparison with a constant, where c comes out as bit.
func rangeWhere(c *Value, bit uint64) interval {
	all, ok := typeRange(c.Args[0].Type)
	k := rangeOf(c.Args[1])
	if !ok || !k.known {
		return interval{}
	}
	op := c.Op
	if bit == 0 {
		op = inverse[op]
	}
	switch op {
	case OpEq:
		return k
	case OpLt:
		all.hi = max(all.lo, k.lo-1)
	case OpLe:
		all.hi = k.lo
	case OpGt:
		all.lo = min(all.hi, k.lo+1)
	case OpGe:
		all.lo = k.lo
	}
	return all
}
