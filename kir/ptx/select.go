package ptx

import (
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

// comparison compares two operands as setp does. Unsigned forms are lo, ls, hi, hs; forms that end in u are true for
// NaN.
func (l *lowerer) comparison(in *inst, how string, t kir.Type, x, y operand) *kir.Value {
	b := l.b
	ops := map[string]kir.Op{
		"eq": kir.OpEq, "ne": kir.OpNe, "lt": kir.OpLt, "le": kir.OpLe, "gt": kir.OpGt, "ge": kir.OpGe,
		"lo": kir.OpLt, "ls": kir.OpLe, "hi": kir.OpGt, "hs": kir.OpGe,
	}
	if !t.IsFloat() {
		op, ok := ops[how]
		if !ok || t == kir.Bool {
			unsupported(l, in)
		}
		if len(how) == 2 && strings.ContainsAny(how, "osih") && how[0] != 'n' { // lo, ls, hi, hs
			t = unsigned(t.Bytes())
		}
		if op == kir.OpEq || op == kir.OpNe {
			t = l.common(t, true, x, y)
		} else if c := l.common(t, true, x, y); c.IsSigned() == t.IsSigned() {
			t = c
		}
		if op == kir.OpNe && x.kind == 'r' && y.kind == 'i' && y.bits == 0 {
			return b.Convert(kir.Bool, l.value(x, t))
		}
		return b.Op(op, l.value(x, t), l.value(y, t))
	}
	if t == kir.F16 {
		unsupported(l, in)
	}
	v, w := l.float(in, x, t), l.float(in, y, t)
	switch how {
	case "ne": // false for NaN
		return b.Op(kir.OpOr, b.Op(kir.OpLt, v, w), b.Op(kir.OpGt, v, w))
	case "neu":
		if (y.kind == 'f' || y.kind == 'd') && y.bits == 0 && x.kind == 'r' && !in.has("ftz") {
			return b.Convert(kir.Bool, v)
		}
		return b.Op(kir.OpNe, v, w)
	case "equ":
		return b.Op(kir.OpNot, b.Op(kir.OpOr, b.Op(kir.OpLt, v, w), b.Op(kir.OpGt, v, w)))
	case "ltu":
		return b.Op(kir.OpNot, b.Op(kir.OpGe, v, w))
	case "leu":
		return b.Op(kir.OpNot, b.Op(kir.OpGt, v, w))
	case "gtu":
		return b.Op(kir.OpNot, b.Op(kir.OpLe, v, w))
	case "geu":
		return b.Op(kir.OpNot, b.Op(kir.OpLt, v, w))
	case "num":
		return b.Op(kir.OpAnd, b.Op(kir.OpEq, v, v), b.Op(kir.OpEq, w, w))
	case "nan":
		return b.Op(kir.OpOr, b.Op(kir.OpNe, v, v), b.Op(kir.OpNe, w, w))
	}
	op, ok := ops[how]
	if !ok || len(how) == 2 && strings.Contains("lo ls hi hs", how) {
		unsupported(l, in)
	}
	return b.Op(op, v, w)
}

// compared lowers the comparison of setp and set: with a boolean combination in its name, a predicate is the last
// operand.
func (l *lowerer) compared(in *inst) (yes *kir.Value, combine func(v *kir.Value) *kir.Value) {
	ts := in.types()
	if len(in.op) < 3 || len(ts) == 0 || len(in.args) < 3 {
		unsupported(l, in)
	}
	combine = func(v *kir.Value) *kir.Value { return v }
	for name, op := range map[string]kir.Op{"and": kir.OpAnd, "or": kir.OpOr, "xor": kir.OpXor} {
		if in.has(name) {
			in.arity(4)
			c := l.bool(in.args[3])
			combine = func(v *kir.Value) *kir.Value { return l.b.Op(op, v, c) }
		}
	}
	t := ts[len(ts)-1]
	return l.comparison(in, in.op[1], t, in.args[1], in.args[2]), combine
}

func compare(l *lowerer, in *inst) {
	v, combine := l.compared(in)
	d := in.args[0]
	if d.pair != "" {
		l.set(operand{kind: 'r', name: d.pair}, combine(l.b.Op(kir.OpNot, v)))
		d.pair = ""
	}
	l.set(d, combine(v))
}

func compareToNumber(l *lowerer, in *inst) {
	v, combine := l.compared(in)
	t := in.types()[0]
	if t.IsFloat() {
		l.set(in.args[0], l.b.Convert(t, combine(v)))
		return
	}
	l.set(in.args[0], l.b.Op(kir.OpSelect, combine(v), l.b.Int(t, -1), l.b.Int(t, 0)))
}

func choose(l *lowerer, in *inst) {
	in.arity(4)
	t := in.typ()
	x, y := in.args[1], in.args[2]
	if isOne(t, x) && (y.kind == 'i' || y.kind == 'f' || y.kind == 'd') && y.bits == 0 {
		if in.op[1] == "b16" && x.bits == 0x3c00 {
			t = kir.F16
		}
		l.set(in.args[0], l.b.Convert(t, l.bool(in.args[3])))
		return
	}
	if t.IsInteger() {
		t = l.common(t, true, x, y)
	}
	if r := l.refOf(x); in.op[1][0] == 'b' && r.v != nil && r.t.Bytes() == t.Bytes() {
		t = r.t
	} else if r := l.refOf(y); in.op[1][0] == 'b' && r.v != nil && r.t.Bytes() == t.Bytes() {
		t = r.t
	}
	l.set(in.args[0], l.b.Op(kir.OpSelect, l.bool(in.args[3]), l.value(x, t), l.value(y, t)))
}

// isOne reports whether an immediate operand is 1 of type t, as in a conversion from a predicate.
func isOne(t kir.Type, o operand) bool {
	switch o.kind {
	case 'i':
		return o.bits == 1 || t == kir.U16 && o.bits == 0x3c00
	case 'f', 'd':
		return o.bits == one[t] && t.IsFloat()
	}
	return false
}

func chooseBySign(l *lowerer, in *inst) {
	in.arity(4)
	ts := in.types()
	if len(ts) != 2 {
		unsupported(l, in)
	}
	cond := l.b.Op(kir.OpGe, l.value(in.args[3], ts[1]), l.b.Const(ts[1], 0))
	l.set(in.args[0], l.b.Op(kir.OpSelect, cond, l.value(in.args[1], ts[0]), l.value(in.args[2], ts[0])))
}

// move copies what a register holds, whatever its type; a constant takes the type of the instruction. With braces it
// takes apart or puts together.
func move(l *lowerer, in *inst) {
	in.arity(2)
	t := in.typ()
	d, x := in.args[0], in.args[1]
	switch {
	case d.kind == '{':
		l.unpack(in, t, d.list, x)
	case x.kind == '{':
		l.pack(in, t, d, x.list)
	case x.kind == 'i' || x.kind == 'f' || x.kind == 'd':
		v := l.value(x, t)
		l.setRef(d, ref{t: t, bits: v.Imm})
	default:
		r := l.refOf(x)
		want := max(t.Bytes(), 1)
		if r.v != nil && l.isRegister(x) && r.t.Bytes() <= want || r.v == nil {
			if x.not {
				l.set(d, l.bool(x))
				return
			}
			// Between registers of floats and of integers, the bits take the register's type.
			if to := l.k.regs[d.name]; r.v != nil && to != kir.Bool && to.Bytes() == r.t.Bytes() && to.IsFloat() != r.t.IsFloat() && r.t != kir.F16 {
				l.set(d, l.coerce(r, to))
				return
			}
			l.setRef(d, r)
			return
		}
		if r.t.Bytes() > want || r.t.Bytes() < want {
			l.set(d, l.coerce(r, unsigned(want)))
			return
		}
		l.setRef(d, r)
	}
}

func (l *lowerer) unpack(in *inst, t kir.Type, parts []operand, x operand) {
	if len(parts) == 0 || t.Bytes()%len(parts) != 0 {
		unsupported(l, in)
	}
	size := t.Bytes() / len(parts)
	u := unsigned(t.Bytes())
	if unsigned(size) == kir.Void {
		unsupported(l, in)
	}
	v := l.value(x, u)
	for i, p := range parts {
		w := v
		if i > 0 {
			w = l.b.Op(kir.OpShr, v, l.b.Int(kir.U32, int64(8*size*i)))
		}
		l.set(p, l.b.Convert(unsigned(size), w))
	}
}

func (l *lowerer) pack(in *inst, t kir.Type, d operand, parts []operand) {
	if len(parts) == 0 || t.Bytes()%len(parts) != 0 {
		unsupported(l, in)
	}
	size := t.Bytes() / len(parts)
	u := unsigned(t.Bytes())
	if unsigned(size) == kir.Void {
		unsupported(l, in)
	}
	var out *kir.Value
	for i, p := range parts {
		v := l.b.Convert(u, l.value(p, unsigned(size)))
		if i > 0 {
			v = l.b.Op(kir.OpOr, out, l.b.Op(kir.OpShl, v, l.b.Int(kir.U32, int64(8*size*i))))
		}
		out = v
	}
	l.set(d, out)
}

// convert lowers cvt.
func convert(l *lowerer, in *inst) {
	in.arity(2)
	ts := in.types()
	if len(ts) != 2 || ts[0] == kir.Bool || ts[1] == kir.Bool {
		unsupported(l, in)
	}
	to, from := ts[0], ts[1]
	d, x := in.args[0], in.args[1]
	b := l.b
	whole := kir.OpInvalid // the rounding to a whole number
	for mod, op := range map[string]kir.Op{"rni": kir.OpRint, "rzi": kir.OpTrunc, "rmi": kir.OpFloor, "rpi": kir.OpCeil} {
		if in.has(mod) {
			whole = op
		}
	}
	if !from.IsFloat() && !to.IsFloat() {
		l.convertInteger(in, to, from)
		return
	}
	v := l.value(x, from)
	if from == kir.F32 && in.has("ftz") {
		v = l.flush(v)
	}
	switch {
	case from.IsFloat() && to.IsInteger():
		if from == kir.F16 && whole != kir.OpTrunc {
			v = b.Convert(kir.F32, v)
		}
		if whole == kir.OpInvalid {
			in.fail("a conversion to an integer needs a rounding: .rzi, .rni, .rmi or .rpi")
		}
		if whole != kir.OpTrunc {
			v = b.Op(whole, v)
		}
		out := b.Convert(to, v)
		if from == kir.F64 || to.Bytes() == 8 { // NaN is not 0 there
			out = b.Op(kir.OpSelect, b.Op(kir.OpNe, v, v), b.Bits(to, 1<<(8*to.Bytes()-1)), out)
		}
		l.set(d, out)
		return
	case from.IsFloat() && whole != kir.OpInvalid:
		if from == kir.F16 {
			unsupported(l, in)
		}
		v = b.Op(whole, v)
	}
	v = l.rounded(in, v, to)
	if in.has("sat") && to != kir.F16 {
		v = l.clamp01(v)
	}
	if to == kir.F32 && in.has("ftz") {
		v = l.flush(v)
	}
	l.set(d, v)
}

// rounded converts v to a float type with the rounding that in names. What was rounded to the nearest goes one number
// back where that is the wrong side.
func (l *lowerer) rounded(in *inst, v *kir.Value, to kir.Type) *kir.Value {
	b, from := l.b, v.Type
	y := b.Convert(to, v)
	if !in.has("rz") && !in.has("rm") && !in.has("rp") || from.IsFloat() && from.Bytes() <= to.Bytes() {
		return y
	}
	if from.IsInteger() {
		return l.roundedInteger(in, v, to)
	}
	back := b.Convert(from, y)
	u := unsigned(to.Bytes())
	bits, one := b.Bitcast(u, y), b.Int(u, 1)
	nearer, farther := b.Op(kir.OpSub, bits, one), b.Op(kir.OpAdd, bits, one) // to zero, and from it
	negative := b.Op(kir.OpNe, b.Op(kir.OpShr, bits, b.Int(kir.U32, int64(8*to.Bytes()-1))), b.Int(u, 0))
	var wrong, other *kir.Value
	switch {
	case in.has("rz"):
		wrong, other = b.Op(kir.OpGt, b.Op(kir.OpAbs, back), b.Op(kir.OpAbs, v)), nearer
	case in.has("rm"):
		wrong, other = b.Op(kir.OpGt, back, v), b.Op(kir.OpSelect, negative, farther, nearer)
	default:
		wrong, other = b.Op(kir.OpLt, back, v), b.Op(kir.OpSelect, negative, nearer, farther)
	}
	return b.Bitcast(to, b.Op(kir.OpSelect, wrong, other, bits))
}

// roundedInteger converts an integer towards zero: of its magnitude, only as many bits count as the float has.
func (l *lowerer) roundedInteger(in *inst, v *kir.Value, to kir.Type) *kir.Value {
	digits := map[kir.Type]int64{kir.F32: 24, kir.F64: 53}[to]
	if digits == 0 || !in.has("rz") {
		in.fail("of the roundings of integers, .rn and .rz are supported")
	}
	b := l.b
	wide := b.Convert(map[bool]kir.Type{true: kir.I64, false: kir.U64}[v.Type.IsSigned()], v)
	size := b.Convert(kir.U64, wide)
	negative := b.Int(kir.Bool, 0)
	if v.Type.IsSigned() {
		negative = b.Op(kir.OpLt, wide, b.Int(kir.I64, 0))
		size = b.Op(kir.OpSelect, negative, b.Op(kir.OpNeg, size), size)
	}
	length := b.Op(kir.OpSub, b.Int(kir.U32, 64), b.Op(kir.OpClz, size))
	drop := b.Op(kir.OpSub, b.Op(kir.OpMax, length, b.Int(kir.U32, digits)), b.Int(kir.U32, digits))
	x := b.Convert(to, b.Op(kir.OpShl, b.Op(kir.OpShr, size, drop), drop))
	return b.Op(kir.OpSelect, negative, b.Op(kir.OpNeg, x), x)
}

// convertInteger lowers conversions between integers. From 16 to 8 bits and back, with both types in the name, is how a
// register of 16 bits is cut to a value of 8.
func (l *lowerer) convertInteger(in *inst, to, from kir.Type) {
	d, x := in.args[0], in.args[1]
	r := l.refOf(x)
	if in.has("sat") {
		l.set(d, l.b.Convert(to, l.clamp(l.value(x, from), to)))
		return
	}
	if from.Bytes() == 1 && to.Bytes() == 2 && r.v == nil {
		l.setRef(d, ref{t: from, bits: l.value(x, from).Imm})
		return
	}
	if from.Bytes() == 1 && to.Bytes() == 2 && r.t.Bytes() >= 2 {
		l.set(d, l.value(x, from)) // cut, and extended again as an 8-bit value is
		return
	}
	l.set(d, l.b.Convert(to, l.value(x, from)))
}

// addressOf lowers cvta: an address is the same number in its space and among all addresses; where it leads to is found
// by what it comes from.
func addressOf(l *lowerer, in *inst) {
	in.arity(2)
	l.setRef(in.args[0], l.refOf(in.args[1]))
}

func isSpace(l *lowerer, in *inst) {
	in.fail("asking for the memory space of an address is not supported")
}
