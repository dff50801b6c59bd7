package main

import (
	"fmt"
	"math"

	"github.com/arrayrepl/arrayrepl/kir"
)

// value is a vector with an element for each argument that a round takes: a number or, of type Bool, whether something is so.
// In a line with lanes of 64 bits ints of 32 bits have them too, extended by their sign or by zeros.
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

// line is a function as a straight line of operations: where the function branches, both ways are gone and results chosen, but for
// ways that usual arguments do not take. Where one does, bail is true and the round is left to the caller.
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
	wrapped  map[*value]*value // what an int of 32 bits in a wider lane was before its sign or zeros were put in front of it
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

// extremeOf names the instruction that gives a where c is b > a or b < a, else b: of a NaN and of two zeros it gives its second operand.
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

// operate adds the operations that v is, and returns their result; nil where v is no number.
func (l *line) operate(v *kir.Value, x []*value) *value {
	t := v.Type
	var from kir.Type
	if len(x) > 0 && x[0] != nil {
		from = v.Args[0].Type
	}
	switch v.Op {
	case kir.OpConst:
		return l.constant(t, l.extended(t, v.Imm))
	case kir.OpParam:
		n, _ := v.ParamRef()
		if n == len(l.args) && t == l.typ {
			a := l.add("load", t, uint64(n))
			l.args = append(l.args, a)
			return a
		}
		return nil // where the result goes
	case kir.OpAdd, kir.OpSub, kir.OpMul, kir.OpDiv:
		return l.arithmetic(v.Op, t, x)
	case kir.OpSqrt, kir.OpFloor, kir.OpTrunc, kir.OpCeil, kir.OpRint:
		return l.add(v.Op.String(), t, 0, x...)
	case kir.OpFma:
		return l.fma(t, x)
	case kir.OpNeg:
		return l.negate(t, x[0])
	case kir.OpAbs:
		if !t.IsFloat() {
			refuse("abs of %v", t)
		}
		return l.add("and", t, 0, x[0], l.constant(l.intOf(t), l.sign(t)-1))
	case kir.OpOr:
		if from, to, mask := l.merged(x); mask != nil {
			return l.add("merge", t, 0, from, to, mask)
		}
		return l.add("or", t, 0, x...)
	case kir.OpAnd, kir.OpXor:
		return l.add(v.Op.String(), t, 0, x...)
	case kir.OpNot:
		if t == kir.Bool {
			return l.not(x[0])
		}
		return l.add("xor", t, 0, x[0], l.constant(t, l.extended(t, math.MaxUint64)))
	case kir.OpShl, kir.OpShr:
		return l.shift(v.Op, t, x)
	case kir.OpMin, kir.OpMax:
		if t.IsFloat() {
			return l.extreme(v.Op, t, x[0], x[1])
		}
		c := l.compare(kir.OpLt, t, x[0], x[1])
		if v.Op == kir.OpMin {
			return l.choose(c, x[0], x[1])
		}
		return l.choose(c, x[1], x[0])
	case kir.OpEq, kir.OpNe, kir.OpLt, kir.OpLe, kir.OpGt, kir.OpGe:
		return l.compare(v.Op, from, x[0], x[1])
	case kir.OpSelect:
		return l.choose(x[0], x[1], x[2])
	case kir.OpBitcast:
		return x[0]
	case kir.OpConvert:
		return l.convert(from, t, x[0])
	}
	refuse("there is no vector operation for %v of %v", v.Op, from)
	return nil
}

// extended is a constant of type t as the line's lanes have it.
func (l *line) extended(t kir.Type, bits uint64) uint64 {
	switch {
	case t == kir.I32 && !l.narrow:
		return uint64(int64(int32(uint32(bits))))
	case t.Bytes() == 4:
		return uint64(uint32(bits))
	}
	return bits
}

func (l *line) intOf(t kir.Type) kir.Type {
	if t.Bytes() == 4 {
		return kir.U32
	}
	return kir.U64
}

// sign is the sign bit of a float type.
func (l *line) sign(t kir.Type) uint64 { return 1 << (8*t.Bytes() - 1) }

func (l *line) arithmetic(op kir.Op, t kir.Type, x []*value) *value {
	name := op.String()
	if op == kir.OpMul && t.IsFloat() {
		if y, k := l.scaled(t, x); y != nil {
			return l.add("scalef", t, 0, y, k)
		}
	}
	if t.IsFloat() {
		return l.add(name+"f", t, 0, x...)
	}
	if op == kir.OpMul || op == kir.OpDiv {
		refuse("%v of %v", op, t)
	}
	return l.wrap(t, l.add(name+"i", t, 0, x...))
}

// wrap brings the result of an operation on ints of 32 bits in wider lanes back to 32 bits.
func (l *line) wrap(t kir.Type, v *value) *value {
	if l.narrow || t.Bytes() == 8 {
		return v
	}
	var w *value
	if t == kir.U32 {
		w = l.add("and", t, 0, v, l.constant(kir.U64, math.MaxUint32))
	} else {
		w = l.arithmeticShift(t, l.add("shl", t, 32, v), 32)
	}
	l.wrapped[w] = v
	return w
}

// low has the lower 32 bits of v. What is above them does not matter, so that nothing need have put it there.
func (l *line) low(v *value) *value {
	if w := l.wrapped[v]; w != nil {
		return l.low(w)
	}
	if op := l.definition(v); op != nil && (op.name == "addi" || op.name == "subi") {
		return l.add(op.name, op.result.typ, 0, l.low(op.args[0]), l.low(op.args[1]))
	}
	return v
}

// arithmeticShift shifts to the right by a constant, keeping the sign.
func (l *line) arithmeticShift(t kir.Type, v *value, count uint64) *value {
	if l.machine.masks || l.narrow {
		return l.add("sar", t, count, v)
	}
	sign := l.constant(kir.U64, 1<<(63-count))
	return l.add("subi", t, 0, l.add("xor", t, 0, l.add("shr", t, count, v), sign), sign)
}

func (l *line) shift(op kir.Op, t kir.Type, x []*value) *value {
	if !x[1].known {
		if l.narrow || t.Bytes() == 4 || t.IsSigned() && op == kir.OpShr {
			refuse("%v of %v by counts that differ", op, t)
		}
		return l.add(op.String()+"v", t, 0, x...)
	}
	count, width := x[1].bits, uint64(8*t.Bytes())
	switch {
	case op == kir.OpShr && t.IsSigned():
		return l.arithmeticShift(t, x[0], min(count, width-1))
	case count >= width:
		return l.constant(t, 0)
	case op == kir.OpShr:
		return l.add("shr", t, count, x[0])
	}
	if !l.narrow && count >= 32 {
		return l.wrap(t, l.add("shl", t, count, l.low(x[0])))
	}
	return l.wrap(t, l.add("shl", t, count, x[0]))
}

// compare is a comparison; AVX2 has equality and greater for ints with a sign alone.
func (l *line) compare(op kir.Op, t kir.Type, a, b *value) *value {
	switch {
	case t == kir.Bool:
		if op == kir.OpNe {
			return l.add("xor", kir.Bool, 0, a, b)
		}
		return l.not(l.add("xor", kir.Bool, 0, a, b))
	case t.IsFloat():
		predicate := map[kir.Op]uint64{kir.OpEq: 0, kir.OpNe: 4, kir.OpLt: 17, kir.OpLe: 18, kir.OpGt: 30, kir.OpGe: 29}[op]
		if a.known && !b.known { // the constant can stay in memory as the second
			swapped := map[uint64]uint64{0: 0, 4: 4, 17: 30, 18: 29, 30: 17, 29: 18}
			return l.add("cmpf", kir.Bool, swapped[predicate], b, a)
		}
		return l.add("cmpf", kir.Bool, predicate, a, b)
	}
	unsigned := t == kir.U64 || l.narrow && t == kir.U32
	if l.machine.masks {
		predicate := map[kir.Op]uint64{kir.OpEq: 0, kir.OpNe: 4, kir.OpLt: 1, kir.OpLe: 2, kir.OpGt: 6, kir.OpGe: 5}[op]
		if unsigned {
			return l.add("cmpu", kir.Bool, predicate, a, b)
		}
		return l.add("cmpi", kir.Bool, predicate, a, b)
	}
	if unsigned && op != kir.OpEq && op != kir.OpNe {
		top := l.constant(l.intOf(t), l.sign(t))
		a, b = l.add("xor", t, 0, a, top), l.add("xor", t, 0, b, top)
	}
	switch op {
	case kir.OpEq:
		return l.add("eqi", kir.Bool, 0, a, b)
	case kir.OpNe:
		return l.not(l.add("eqi", kir.Bool, 0, a, b))
	case kir.OpGt:
		return l.add("gti", kir.Bool, 0, a, b)
	case kir.OpLt:
		return l.add("gti", kir.Bool, 0, b, a)
	case kir.OpLe:
		return l.not(l.add("gti", kir.Bool, 0, a, b))
	}
	return l.not(l.add("gti", kir.Bool, 0, b, a))
}

// extreme is NumPy's minimum or maximum: the instruction gives its second operand where one is NaN or both are zeros, so both orders
// are tried, and joined in a way that keeps a NaN or the right sign of a zero.
func (l *line) extreme(op kir.Op, t kir.Type, a, b *value) *value {
	p, q := l.add(op.String()+"f", t, 0, a, b), l.add(op.String()+"f", t, 0, b, a)
	if op == kir.OpMin {
		return l.add("or", t, 0, p, q)
	}
	return l.choose(l.add("cmpf", kir.Bool, 3, a, b), l.constant(t, l.nan(t)), l.add("and", t, 0, p, q))
}

// merged recognizes from&mask | to&^mask, as a copied sign is, for which AVX-512 has an instruction.
func (l *line) merged(x []*value) (from, to, mask *value) {
	a, b := l.definition(x[0]), l.definition(x[1])
	if !l.machine.masks || a == nil || b == nil || a.name != "and" || b.name != "and" || !a.args[1].known || !b.args[1].known {
		return nil, nil, nil
	}
	if a.result.typ != kir.U64 || a.args[1].bits != ^b.args[1].bits {
		return nil, nil, nil
	}
	return a.args[0], b.args[0], a.args[1]
}

func (l *line) nan(t kir.Type) uint64 {
	if t == kir.F32 {
		return uint64(math.Float32bits(float32(math.NaN())))
	}
	return math.Float64bits(math.NaN())
}

func (l *line) negate(t kir.Type, x *value) *value {
	if !t.IsFloat() {
		return l.wrap(t, l.add("subi", t, 0, l.constant(t, 0), x))
	}
	if x.known {
		return l.constant(x.typ, x.bits^l.sign(t))
	}
	v := l.add("xor", t, 0, x, l.constant(l.intOf(t), l.sign(t)))
	l.negative[v] = x
	return v
}

// fma takes signs into the instruction, which has forms for them: imm has bit 0 for a product's sign and bit 1 for the sum's.
func (l *line) fma(t kir.Type, x []*value) *value {
	var signs uint64
	a, b, c := x[0], x[1], x[2]
	if p := l.negative[a]; p != nil {
		a, signs = p, signs^1
	}
	if p := l.negative[b]; p != nil {
		b, signs = p, signs^1
	}
	if p := l.negative[c]; p != nil {
		c, signs = p, signs^2
	}
	return l.add("fma", t, signs, a, b, c)
}

func (l *line) convert(from, to kir.Type, x *value) *value {
	switch {
	case from == kir.Bool && to.IsInteger():
		return l.choose(x, l.constant(to, 1), l.constant(to, 0))
	case from.IsInteger() && to.IsInteger():
		switch {
		case x.known:
			return l.constant(to, l.extended(to, x.bits))
		case l.narrow, to.Bytes() == 8, from == to: // extended already
			return x
		}
		return l.wrap(to, x)
	case from == kir.F32 && to == kir.F64, from == kir.F64 && to == kir.F32:
		return l.add("cvt"+to.String(), to, 0, x)
	case l.narrow && from == kir.I32 && to == kir.F32:
		return l.add("cvti32", to, 0, x)
	case !l.narrow && to == kir.F64 && (from == kir.I64 || from == kir.I32 || from == kir.U32):
		if l.machine.masks {
			return l.add("cvti64", to, 0, x)
		}
		return l.intToFloat(x)
	case l.machine.masks && from == kir.F64 && to == kir.I64:
		return l.add("cvtf64i64", to, 0, x) // exact on its way; what saturates is computed for other elements and not chosen
	}
	refuse("there is no conversion of %v to %v", from, to)
	return nil
}

// intToFloat converts int64 by parts: the upper 48 bits as multiples of 2^16 above 3*2^67, the lower ones above 2^52. The sum
// rounds once.
func (l *line) intToFloat(x *value) *value {
	c := func(f float64) *value { return l.constant(kir.F64, math.Float64bits(f)) }
	up := l.add("and", kir.F64, 0, l.add("sar32", kir.F64, 16, x), l.constant(kir.U64, 0xffffffff00000000))
	up = l.add("addi", kir.F64, 0, up, c(3*0x1p67))
	low := l.add("and", kir.F64, 0, x, l.constant(kir.U64, 1<<48-1))
	low = l.add("or", kir.F64, 0, low, c(0x1p52))
	return l.add("addf", kir.F64, 0, l.add("subf", kir.F64, 0, up, c(3*0x1p67+0x1p52)), low)
}
