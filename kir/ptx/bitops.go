package ptx

import "github.com/arrayrepl/arrayrepl/kir"

// logic lowers operations on bits and predicates.
func logic(op kir.Op) func(l *lowerer, in *inst) {
	return func(l *lowerer, in *inst) {
		in.arity(op.NArgs() + 1)
		t := in.typ()
		if t.IsInteger() {
			t = l.common(t, op != kir.OpNot && op != kir.OpBrev, in.args[1:]...)
		}
		var args []*kir.Value
		for _, o := range in.args[1:] {
			args = append(args, l.value(o, t))
		}
		l.set(in.args[0], l.b.Op(op, args...))
	}
}

func cnot(l *lowerer, in *inst) {
	in.arity(2)
	t := in.typ()
	l.set(in.args[0], l.b.Convert(t, l.b.Op(kir.OpEq, l.value(in.args[1], t), l.b.Int(t, 0))))
}

// shift lowers shl and shr. Counts beyond the width shift everything out, as in kir.
func shift(op kir.Op) func(l *lowerer, in *inst) {
	return func(l *lowerer, in *inst) {
		in.arity(3)
		t := in.typ()
		c := l.common(t, op == kir.OpShr, in.args[1])
		if op == kir.OpShl || c.IsSigned() == t.IsSigned() && in.op[1][0] != 'b' || in.op[1][0] == 'b' && c.IsUnsigned() {
			t = c
		}
		l.set(in.args[0], l.b.Op(op, l.value(in.args[1], t), l.value(in.args[2], kir.U32)))
	}
}

func count(op kir.Op) func(l *lowerer, in *inst) {
	return func(l *lowerer, in *inst) {
		in.arity(2)
		t := l.common(in.typ(), false, in.args[1])
		l.set(in.args[0], l.b.Op(op, l.value(in.args[1], t)))
	}
}

// low returns the low 8 bits of an operand, as bfe and bfi take positions and lengths.
func (l *lowerer) low(o operand) *kir.Value {
	return l.b.Op(kir.OpAnd, l.value(o, kir.U32), l.b.Int(kir.U32, 0xff))
}

// ones returns the t whose n lowest bits are set; all for n beyond the width.
func (l *lowerer) ones(t kir.Type, n *kir.Value) *kir.Value {
	return l.b.Op(kir.OpSub, l.b.Op(kir.OpShl, l.b.Int(t, 1), n), l.b.Int(t, 1))
}

// bfe extracts a field; a signed one is extended by its highest bit, or by the operand's where the field reaches beyond
// it.
func bfe(l *lowerer, in *inst) {
	in.arity(4)
	t, b := in.typ(), l.b
	x, pos, n := l.value(in.args[1], t), l.low(in.args[2]), l.low(in.args[3])
	mask := l.ones(t, n)
	field := b.Op(kir.OpAnd, b.Op(kir.OpShr, x, pos), mask)
	if t.IsSigned() {
		u := unsigned(t.Bytes())
		plain := b.Op(kir.OpAnd, b.Op(kir.OpShr, b.Convert(u, x), pos), b.Convert(u, mask))
		top := b.Op(kir.OpMin, b.Op(kir.OpSub, b.Op(kir.OpAdd, pos, n), b.Int(kir.U32, 1)), b.Int(kir.U32, int64(8*t.Bytes()-1)))
		sign := b.Op(kir.OpAnd, b.Op(kir.OpShr, b.Convert(u, x), top), b.Int(u, 1))
		sign = b.Op(kir.OpSelect, b.Op(kir.OpEq, n, b.Int(kir.U32, 0)), b.Int(u, 0), sign)
		above := b.Op(kir.OpNot, b.Convert(u, mask))
		plain = b.Op(kir.OpSelect, b.Op(kir.OpNe, sign, b.Int(u, 0)), b.Op(kir.OpOr, plain, above), plain)
		// Bits of the field beyond the operand's are its sign.
		reach := b.Op(kir.OpSub, b.Int(kir.U32, int64(8*t.Bytes())), b.Op(kir.OpMin, pos, b.Int(kir.U32, int64(8*t.Bytes()))))
		fill := b.Op(kir.OpSelect, b.Op(kir.OpNe, sign, b.Int(u, 0)), b.Op(kir.OpNot, l.ones(u, reach)), b.Int(u, 0))
		field = b.Convert(t, b.Op(kir.OpOr, plain, fill))
	}
	l.set(in.args[0], field)
}

// bfi inserts the low bits of the first operand into the second.
func bfi(l *lowerer, in *inst) {
	in.arity(5)
	t, b := in.typ(), l.b
	pos := l.low(in.args[3])
	mask := b.Op(kir.OpShl, l.ones(t, l.low(in.args[4])), pos)
	x := b.Op(kir.OpAnd, b.Op(kir.OpShl, l.value(in.args[1], t), pos), mask)
	l.set(in.args[0], b.Op(kir.OpOr, x, b.Op(kir.OpAnd, l.value(in.args[2], t), b.Op(kir.OpNot, mask))))
}

// bfind finds the highest bit that is set, or not the sign.
func bfind(l *lowerer, in *inst) {
	in.arity(2)
	t, b := in.typ(), l.b
	x := l.value(in.args[1], t)
	if t.IsSigned() {
		x = b.Op(kir.OpXor, x, b.Op(kir.OpShr, x, b.Int(kir.U32, int64(8*t.Bytes()-1))))
	}
	zeros := b.Op(kir.OpClz, x)
	v := zeros
	if !in.has("shiftamt") {
		v = b.Op(kir.OpSub, b.Int(kir.U32, int64(8*t.Bytes()-1)), zeros)
	}
	none := b.Op(kir.OpEq, x, b.Int(t, 0))
	l.set(in.args[0], b.Op(kir.OpSelect, none, b.Int(kir.U32, -1), v))
}

// selectors are those that prmt's modes take for the numbers 0 to 3.
var selectors = map[string][4]int64{
	"f4e": {0x3210, 0x4321, 0x5432, 0x6543}, "b4e": {0x5670, 0x6701, 0x7012, 0x0123}, "rc8": {0x0000, 0x1111, 0x2222, 0x3333},
	"ecl": {0x3210, 0x3211, 0x3222, 0x3333}, "ecr": {0x0000, 0x1110, 0x2210, 0x3210}, "rc16": {0x1010, 0x3232, 0x1010, 0x3232},
}

// prmt picks four of the eight bytes of two operands; bit 3 of a selector means the byte's sign.
func prmt(l *lowerer, in *inst) {
	in.arity(4)
	b := l.b
	lo, hi := b.Convert(kir.U64, l.value(in.args[1], kir.U32)), b.Convert(kir.U64, l.value(in.args[2], kir.U32))
	both := b.Op(kir.OpOr, lo, b.Op(kir.OpShl, hi, b.Int(kir.U32, 32)))
	sel := l.value(in.args[3], kir.U32)
	if len(in.op) > 2 {
		chosen, ok := selectors[in.op[2]]
		if !ok {
			unsupported(l, in)
		}
		n := b.Op(kir.OpAnd, sel, b.Int(kir.U32, 3))
		sel = b.Int(kir.U32, chosen[3])
		for i, s := range chosen[:3] {
			sel = b.Op(kir.OpSelect, b.Op(kir.OpEq, n, b.Int(kir.U32, int64(i))), b.Int(kir.U32, s), sel)
		}
	}
	var out *kir.Value
	for i := range 4 {
		s := b.Op(kir.OpShr, sel, b.Int(kir.U32, int64(4*i)))
		at := b.Op(kir.OpShl, b.Op(kir.OpAnd, s, b.Int(kir.U32, 7)), b.Int(kir.U32, 3))
		byt := b.Convert(kir.I8, b.Op(kir.OpShr, both, at))
		sign := b.Op(kir.OpShr, byt, b.Int(kir.U32, 7))
		isSign := b.Op(kir.OpNe, b.Op(kir.OpAnd, s, b.Int(kir.U32, 8)), b.Int(kir.U32, 0))
		v := b.Convert(kir.U32, b.Convert(kir.U8, b.Op(kir.OpSelect, isSign, sign, byt)))
		v = b.Op(kir.OpShl, v, b.Int(kir.U32, int64(8*i)))
		if out != nil {
			v = b.Op(kir.OpOr, out, v)
		}
		out = v
	}
	l.set(in.args[0], out)
}

// lop3 is any function of three bits, by its table.
func lop3(l *lowerer, in *inst) {
	in.arity(5)
	table := in.args[4]
	if table.kind != 'i' || len(in.op) != 2 {
		unsupported(l, in)
	}
	b, t := l.b, kir.U32
	x := [3]*kir.Value{l.value(in.args[1], t), l.value(in.args[2], t), l.value(in.args[3], t)}
	not := [3]*kir.Value{}
	var out *kir.Value
	for row := range 8 {
		if table.bits>>row&1 == 0 {
			continue
		}
		var term *kir.Value
		for k := range 3 {
			v := x[k]
			if row>>(2-k)&1 == 0 {
				if not[k] == nil {
					not[k] = b.Op(kir.OpNot, x[k])
				}
				v = not[k]
			}
			if term != nil {
				v = b.Op(kir.OpAnd, term, v)
			}
			term = v
		}
		if out != nil {
			term = b.Op(kir.OpOr, out, term)
		}
		out = term
	}
	if out == nil {
		out = b.Int(t, 0)
	}
	l.set(in.args[0], out)
}

// funnel lowers shf: a shift of two words as one.
func funnel(l *lowerer, in *inst) {
	in.arity(4)
	if in.typ() != kir.U32 {
		unsupported(l, in)
	}
	b := l.b
	lo, hi := b.Convert(kir.U64, l.value(in.args[1], kir.U32)), b.Convert(kir.U64, l.value(in.args[2], kir.U32))
	both := b.Op(kir.OpOr, lo, b.Op(kir.OpShl, hi, b.Int(kir.U32, 32)))
	n := l.value(in.args[3], kir.U32)
	if in.has("wrap") {
		n = b.Op(kir.OpAnd, n, b.Int(kir.U32, 31))
	} else {
		n = b.Op(kir.OpMin, n, b.Int(kir.U32, 32))
	}
	if in.has("l") {
		l.set(in.args[0], l.high(b.Op(kir.OpShl, both, n)))
	} else {
		l.set(in.args[0], b.Convert(kir.U32, b.Op(kir.OpShr, both, n)))
	}
}
