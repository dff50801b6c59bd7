package main

import (
	"math"

	"github.com/arrayrepl/arrayrepl/kir"
)

// operate adds the operations that v is, and returns their result; nil where v is not a number.
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

// extreme is NumPy's minimum or maximum: the instruction gives its second operand where one is NaN or both are zeros,
// so both orders are tried, and joined in a way that keeps a NaN or the right sign of a zero.
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

// fma takes signs into the instruction, which has forms for them: imm has bit 0 for a product's sign and bit 1 for the
// sum's.
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
		// exact on its way; what saturates is computed for other elements and not chosen
		return l.add("cvtf64i64", to, 0, x)
	}
	refuse("there is no conversion of %v to %v", from, to)
	return nil
}

// intToFloat converts int64 by parts: the upper 48 bits as multiples of 2^16 above 3*2^67, the lower ones above 2^52.
// The sum rounds once.
func (l *line) intToFloat(x *value) *value {
	c := func(f float64) *value { return l.constant(kir.F64, math.Float64bits(f)) }
	up := l.add("and", kir.F64, 0, l.add("sar32", kir.F64, 16, x), l.constant(kir.U64, 0xffffffff00000000))
	up = l.add("addi", kir.F64, 0, up, c(3*0x1p67))
	low := l.add("and", kir.F64, 0, x, l.constant(kir.U64, 1<<48-1))
	low = l.add("or", kir.F64, 0, low, c(0x1p52))
	return l.add("addf", kir.F64, 0, l.add("subf", kir.F64, 0, up, c(3*0x1p67+0x1p52)), low)
}
