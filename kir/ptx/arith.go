package ptx

import (
	"github.com/arrayrepl/arrayrepl/kir"
)

// handlers lower instructions by the first word of their names.
var handlers map[string]func(l *lowerer, in *inst)

func init() {
	handlers = map[string]func(l *lowerer, in *inst){
		"add": arithmetic(kir.OpAdd, 2), "sub": arithmetic(kir.OpSub, 2), "mul": multiply, "mul24": multiply24, "mad": multiplyAdd, "mad24": multiply24,
		"fma": multiplyAdd, "div": divide, "rem": arithmetic(kir.OpRem, 2), "min": extremum(kir.OpMin), "max": extremum(kir.OpMax),
		"neg": arithmetic(kir.OpNeg, 1), "abs": absolute, "sad": sad,
		"and": logic(kir.OpAnd), "or": logic(kir.OpOr), "xor": logic(kir.OpXor), "not": logic(kir.OpNot), "cnot": cnot,
		"shl": shift(kir.OpShl), "shr": shift(kir.OpShr), "popc": count(kir.OpPopc), "clz": count(kir.OpClz), "brev": logic(kir.OpBrev),
		"bfe": bfe, "bfi": bfi, "bfind": bfind, "prmt": prmt, "lop3": lop3, "shf": funnel, "fns": unsupported,
		"sqrt": root, "rsqrt": reciprocalRoot, "rcp": reciprocal, "ex2": approximate(kir.OpApproxExp2), "lg2": approximate(kir.OpApproxLog2),
		"sin": approximate(kir.OpApproxSin), "cos": approximate(kir.OpApproxCos), "tanh": approximate(kir.OpTanh), "copysign": copysign, "testp": testp,
		"setp": compare, "set": compareToNumber, "selp": choose, "slct": chooseBySign,
		"mov": move, "cvt": convert, "cvta": addressOf, "isspacep": isSpace,
		"ld": loads, "ldu": loads, "st": stores, "atom": atomic, "red": atomic, "prefetch": nothing, "prefetchu": nothing, "nanosleep": rests, "discard": nothing,
		"bar": barrier, "barrier": barrier, "membar": fence, "fence": fence,
		"shfl": shuffle, "vote": vote, "match": match1, "redux": redux, "mma": mma, "cp": copyAsync, "activemask": activeMask,
		"mapa": mapa, "trap": trap, "brkpt": nothing, "pmevent": nothing, "arrayrepl_check": check, "arrayrepl_grid_sync": func(l *lowerer, in *inst) { l.b.GridBarrier() },
		"arrayrepl": elementaryCall, "arrayrepl_printf": printed, "vprintf": vprintfCall,
	}
}

func nothing(l *lowerer, in *inst) {}

func unsupported(l *lowerer, in *inst) { in.fail("this form is not supported") }

// instruction lowers the first of code and returns how many it took.
func (l *lowerer) instruction(code []*inst) int {
	in := code[0]
	h := handlers[in.op[0]]
	if h == nil {
		in.fail("this instruction is not known")
	}
	defer func() { // kir's builder panics on operands of types that do not go together
		if e := recover(); e != nil {
			if _, ok := e.(*Error); !ok {
				in.fail("its operands or types do not go together (%v)", e)
			}
			panic(e)
		}
	}()
	if len(code) > 1 && l.narrow(in, code[1]) {
		return 2
	}
	h(l, in)
	return 1
}

// arity checks the number of operands.
func (in *inst) arity(n int) {
	if len(in.args) != n {
		in.fail("it takes %d operands, not %d", n, len(in.args))
	}
}

// typ returns the only type of the instruction.
func (in *inst) typ() kir.Type {
	ts := in.types()
	if len(ts) != 1 {
		in.fail("one type is expected in its name")
	}
	return ts[0]
}

// narrow lowers an operation on 8-bit values whose 16-bit result the next instruction cuts.
func (l *lowerer) narrow(in, cut *inst) bool {
	if cut.guard != nil || in.guard != nil || len(cut.op) != 3 || cut.op[0] != "cvt" || len(cut.args) != 2 || len(in.args) < 2 ||
		cut.args[1].String() != in.args[0].String() || in.args[0].kind != 'r' || l.mentions[in.args[0].name] != 2 {
		return false
	}
	t, ok := map[string]kir.Type{"s16.s8": kir.I8, "u16.u8": kir.U8}[cut.op[1]+"."+cut.op[2]]
	if !ok {
		return false
	}
	var op kir.Op
	for o, form := range forms {
		if wraps[o] && form.integer != "" && fill(form.integer, t) == in.name() {
			op = o
		}
	}
	if in.name() == "div."+types[t].instr {
		op = kir.OpDiv
	}
	if op == kir.OpInvalid || len(in.args) != op.NArgs()+1 {
		return false
	}
	var args []*kir.Value
	for i, o := range in.args[1:] {
		want := t
		if op == kir.OpShl && i == 1 {
			want = kir.U32
		}
		r := ref{t: kir.I64}
		if o.kind == 'r' && l.isRegister(o) {
			r = l.refOf(o)
		} else if o.kind != 'i' {
			return false
		}
		if r.v != nil && r.t != want {
			return false
		}
		if o.kind == 'i' && want == t && !fits(ref{bits: o.bits}, t) {
			return false
		}
	}
	for i, o := range in.args[1:] {
		want := t
		if op == kir.OpShl && i == 1 {
			want = kir.U32
		}
		args = append(args, l.value(o, want))
	}
	l.set(cut.args[0], l.b.Op(op, args...))
	return true
}

// common returns the type in which an operation of type t on the operands is done, when signs do not matter to it: the
// one of what registers hold, where they agree in it. With small, 8-bit values in 16-bit registers keep their type too.
func (l *lowerer) common(t kir.Type, small bool, args ...operand) kir.Type {
	found := kir.Void
	for _, o := range args {
		r := l.refOf(o)
		switch {
		case o.kind != 'r':
		case found == kir.Void:
			found = r.t
		case found != r.t:
			return t
		}
	}
	if found.IsInteger() && t.IsInteger() && (found.Bytes() == t.Bytes() || small && t.Bytes() == 2 && found.Bytes() == 1) {
		for _, o := range args {
			if r := l.refOf(o); found.Bytes() == 1 && r.v == nil && r.t != found && !fits(r, found) {
				return t
			}
		}
		return found
	}
	return t
}

// fits reports whether a constant is a value of t.
func fits(r ref, t kir.Type) bool {
	x := int64(r.bits)
	if t == kir.I8 {
		return x >= -128 && x < 128
	}
	return x >= 0 && x < 256
}

func (l *lowerer) binary(in *inst, op kir.Op, t kir.Type, d, x, y operand) {
	if t.Bytes() == 2 {
		if c := l.common(t, true, x, y); c.IsSigned() == t.IsSigned() {
			t = c
		}
	}
	l.set(d, l.b.Op(op, l.value(x, t), l.value(y, t)))
}

// arithmetic lowers an operation with n operands of one type.
func arithmetic(op kir.Op, n int) func(l *lowerer, in *inst) {
	return func(l *lowerer, in *inst) {
		in.arity(n + 1)
		t := in.typ()
		if t == kir.F16 || t == kir.Bool {
			unsupported(l, in)
		}
		if in.has("cc") || in.op[0] == "addc" {
			in.fail("arithmetic with carry is not supported")
		}
		l.exactOnly(in)
		if t.IsInteger() {
			if in.has("sat") {
				l.saturating(in, op, t)
				return
			}
			if op != kir.OpRem && op != kir.OpAbs {
				t = l.common(t, false, in.args[1:]...)
			} else if c := l.common(t, true, in.args[1:]...); c.IsSigned() == t.IsSigned() {
				t = c
			}
		}
		if op == kir.OpAdd && t == kir.F32 && in.has("ftz") {
			// -0 changes nothing else: what Print writes for kir.OpFlush
			if y := l.value(in.args[2], t); y.Op == kir.OpConst && uint32(y.Imm) == 1<<31 {
				l.result(in, l.value(in.args[1], t))
				return
			}
		}
		var args []*kir.Value
		for _, o := range in.args[1:] {
			args = append(args, l.float(in, o, t))
		}
		l.result(in, l.b.Op(op, args...))
	}
}

// exactOnly refuses roundings that kir does not have.
func (l *lowerer) exactOnly(in *inst) {
	for _, mod := range []string{"rz", "rm", "rp"} {
		if in.has(mod) {
			in.fail("rounding .%s is not supported, .rn is", mod)
		}
	}
}

// float returns an operand; of an instruction with .ftz, what is subnormal becomes zero.
func (l *lowerer) float(in *inst, o operand, t kir.Type) *kir.Value {
	v := l.value(o, t)
	if t == kir.F32 && in.has("ftz") {
		return l.flush(v)
	}
	return v
}

func (l *lowerer) flush(v *kir.Value) *kir.Value { return l.b.Op(kir.OpFlush, v) }

// result sets the first operand of in to v, flushed with .ftz and clamped to [0, 1] with .sat.
func (l *lowerer) result(in *inst, v *kir.Value) {
	if v.Type == kir.F32 && in.has("ftz") {
		v = l.flush(v)
	}
	if v.Type.IsFloat() && in.has("sat") {
		v = l.clamp01(v)
	}
	l.set(in.args[0], v)
}

// clamp01 makes 0 of NaN.
func (l *lowerer) clamp01(v *kir.Value) *kir.Value {
	b, t := l.b, v.Type
	positive := b.Op(kir.OpGt, v, b.Const(t, 0))
	v = b.Op(kir.OpSelect, positive, v, b.Const(t, 0))
	return b.Op(kir.OpMin, v, b.Const(t, 1))
}

// saturating lowers add.sat.s32 and sub.sat.s32.
func (l *lowerer) saturating(in *inst, op kir.Op, t kir.Type) {
	if t != kir.I32 || op != kir.OpAdd && op != kir.OpSub {
		unsupported(l, in)
	}
	b := l.b
	wide := b.Op(op, b.Convert(kir.I64, l.value(in.args[1], t)), b.Convert(kir.I64, l.value(in.args[2], t)))
	l.set(in.args[0], b.Convert(t, l.clamp(wide, t)))
}

// clamp brings an integer into the range of t.
func (l *lowerer) clamp(v *kir.Value, t kir.Type) *kir.Value {
	b, from := l.b, v.Type
	width := uint(8 * t.Bytes())
	lo, hi := int64(0), int64(1)<<width-1
	if t.IsSigned() {
		lo, hi = -1<<(width-1), 1<<(width-1)-1
	}
	if width == 64 {
		hi = 1<<63 - 1
		if from.IsUnsigned() && t.IsUnsigned() {
			return v
		}
		if from.IsSigned() && t.IsUnsigned() {
			return b.Op(kir.OpMax, v, b.Int(from, 0))
		}
	}
	fromWidth := uint(8 * from.Bytes())
	if from.IsSigned() && (t.IsUnsigned() || fromWidth > width) {
		v = b.Op(kir.OpMax, v, b.Int(from, lo))
	}
	if fromWidth > width || from.IsUnsigned() && t.IsSigned() && fromWidth == width {
		v = b.Op(kir.OpMin, v, b.Int(from, hi))
	}
	return v
}

// multiply lowers mul.lo, mul.hi, mul.wide and products of floats.
func multiply(l *lowerer, in *inst) {
	in.arity(3)
	t := in.typ()
	switch {
	case t.IsFloat():
		arithmetic(kir.OpMul, 2)(l, in)
	case in.has("wide"):
		l.set(in.args[0], l.wideProduct(in, t))
	case in.has("hi") && t.Bytes() >= 4:
		l.set(in.args[0], l.b.Op(kir.OpMulHi, l.value(in.args[1], t), l.value(in.args[2], t)))
	case in.has("hi"):
		p := l.wideProduct(in, t)
		l.set(in.args[0], l.b.Convert(t, l.b.Op(kir.OpShr, p, l.b.Int(kir.U32, 16))))
	default:
		arithmetic(kir.OpMul, 2)(l, in)
	}
}

func (l *lowerer) wideProduct(in *inst, t kir.Type) *kir.Value {
	wide := twice(t)
	if wide == kir.Void {
		unsupported(l, in)
	}
	x := l.b.Convert(wide, l.value(in.args[1], t))
	return l.b.Op(kir.OpMul, x, l.b.Convert(wide, l.value(in.args[2], t)))
}

func twice(t kir.Type) kir.Type {
	return map[kir.Type]kir.Type{kir.I16: kir.I32, kir.U16: kir.U32, kir.I32: kir.I64, kir.U32: kir.U64}[t]
}

// multiplyAdd lowers mad and fma.
func multiplyAdd(l *lowerer, in *inst) {
	in.arity(4)
	t := in.typ()
	switch {
	case t == kir.F16 || in.has("cc"):
		unsupported(l, in)
	case t.IsFloat():
		l.exactOnly(in)
		x, y, z := l.float(in, in.args[1], t), l.float(in, in.args[2], t), l.float(in, in.args[3], t)
		l.result(in, l.b.Op(kir.OpFma, x, y, z))
	case in.has("wide"):
		p := l.wideProduct(in, t)
		l.set(in.args[0], l.b.Op(kir.OpAdd, p, l.value(in.args[3], p.Type)))
	case in.has("hi"):
		if t.Bytes() < 4 {
			unsupported(l, in)
		}
		l.set(in.args[0], l.b.Op(kir.OpAdd, l.b.Op(kir.OpMulHi, l.value(in.args[1], t), l.value(in.args[2], t)), l.value(in.args[3], t)))
	default:
		t = l.common(t, false, in.args[1:]...)
		p := l.b.Op(kir.OpMul, l.value(in.args[1], t), l.value(in.args[2], t))
		l.set(in.args[0], l.b.Op(kir.OpAdd, p, l.value(in.args[3], t)))
	}
}

// multiply24 lowers mul24 and mad24: products of the low 24 bits.
func multiply24(l *lowerer, in *inst) {
	t := in.typ()
	b := l.b
	if t.Bytes() != 4 || len(in.args) < 3 {
		unsupported(l, in)
	}
	low := func(o operand) *kir.Value {
		eight := b.Int(kir.U32, 8)
		return b.Convert(twice(t), b.Op(kir.OpShr, b.Op(kir.OpShl, l.value(o, t), eight), eight))
	}
	p := b.Op(kir.OpMul, low(in.args[1]), low(in.args[2]))
	if in.has("hi") {
		p = b.Op(kir.OpShr, p, b.Int(kir.U32, 16))
	}
	v := b.Convert(t, p)
	if in.op[0] == "mad24" {
		in.arity(4)
		v = b.Op(kir.OpAdd, v, l.value(in.args[3], t))
	}
	l.set(in.args[0], v)
}

// divide lowers div; .approx is a product with a reciprocal, .full is computed exactly.
func divide(l *lowerer, in *inst) {
	in.arity(3)
	t := in.typ()
	if t.IsInteger() {
		l.binary(in, kir.OpDiv, t, in.args[0], in.args[1], in.args[2])
		return
	}
	if t == kir.F32 && in.has("approx") {
		inverse := l.b.Op(kir.OpApproxRcp, l.float(in, in.args[2], t))
		l.result(in, l.b.Op(kir.OpMul, l.float(in, in.args[1], t), inverse))
		return
	}
	arithmetic(kir.OpDiv, 2)(l, in)
}

// extremum lowers min and max. Of floats, the number wins over NaN, but with .NaN.
func extremum(op kir.Op) func(l *lowerer, in *inst) {
	return func(l *lowerer, in *inst) {
		in.arity(3)
		t := in.typ()
		if !t.IsFloat() {
			l.binary(in, op, t, in.args[0], in.args[1], in.args[2])
			return
		}
		if t == kir.F16 || in.has("xorsign") {
			unsupported(l, in)
		}
		b := l.b
		x, y := l.float(in, in.args[1], t), l.float(in, in.args[2], t)
		v := b.Op(op, x, y)
		if !in.has("NaN") {
			v = b.Op(kir.OpSelect, b.Op(kir.OpEq, x, x), b.Op(kir.OpSelect, b.Op(kir.OpEq, y, y), v, x), y)
		}
		l.result(in, v)
	}
}

func absolute(l *lowerer, in *inst) { arithmetic(kir.OpAbs, 1)(l, in) }

func sad(l *lowerer, in *inst) {
	in.arity(4)
	t, b := in.typ(), l.b
	x, y := l.value(in.args[1], t), l.value(in.args[2], t)
	diff := b.Op(kir.OpSub, b.Op(kir.OpMax, x, y), b.Op(kir.OpMin, x, y))
	l.set(in.args[0], b.Op(kir.OpAdd, diff, l.value(in.args[3], t)))
}

func root(l *lowerer, in *inst) {
	in.arity(2)
	if in.has("approx") {
		approximate(kir.OpApproxSqrt)(l, in)
		return
	}
	arithmetic(kir.OpSqrt, 1)(l, in)
}

func reciprocal(l *lowerer, in *inst) {
	in.arity(2)
	l.exactOnly(in)
	t := in.typ()
	if t == kir.F32 && in.has("approx") {
		approximate(kir.OpApproxRcp)(l, in)
		return
	}
	l.result(in, l.b.Op(kir.OpDiv, l.b.Const(t, 1), l.float(in, in.args[1], t)))
}

func reciprocalRoot(l *lowerer, in *inst) {
	in.arity(2)
	t := in.typ()
	if t == kir.F32 {
		approximate(kir.OpApproxRsqrt)(l, in)
		return
	}
	l.result(in, l.b.Op(kir.OpDiv, l.b.Const(t, 1), l.b.Op(kir.OpSqrt, l.float(in, in.args[1], t))))
}

func approximate(op kir.Op) func(l *lowerer, in *inst) {
	return func(l *lowerer, in *inst) {
		in.arity(2)
		t := in.typ()
		if t != kir.F32 {
			unsupported(l, in)
		}
		l.result(in, l.b.Op(op, l.float(in, in.args[1], t)))
	}
}

// copysign gives its second operand the sign of the first.
func copysign(l *lowerer, in *inst) {
	in.arity(3)
	t, b := in.typ(), l.b
	u := unsigned(t.Bytes())
	sign := b.Bits(u, 1<<(8*t.Bytes()-1))
	rest := b.Bits(u, 1<<(8*t.Bytes()-1)-1)
	v := b.Op(kir.OpOr, b.Op(kir.OpAnd, b.Bitcast(u, l.value(in.args[1], t)), sign), b.Op(kir.OpAnd, b.Bitcast(u, l.value(in.args[2], t)), rest))
	l.set(in.args[0], b.Bitcast(t, v))
}

// testp tests what kind of number a float is.
func testp(l *lowerer, in *inst) {
	in.arity(2)
	t, b := in.typ(), l.b
	x := l.value(in.args[1], t)
	a := b.Op(kir.OpAbs, x)
	inf := b.Op(kir.OpDiv, b.Const(t, 1), b.Const(t, 0))
	least := b.Const(t, map[kir.Type]float64{kir.F32: 0x1p-126, kir.F64: 0x1p-1022}[t])
	var v *kir.Value
	switch {
	case in.has("finite"):
		v = b.Op(kir.OpLt, a, inf)
	case in.has("infinite"):
		v = b.Op(kir.OpEq, a, inf)
	case in.has("number"):
		v = b.Op(kir.OpEq, x, x)
	case in.has("notanumber"):
		v = b.Op(kir.OpNe, x, x)
	case in.has("normal"):
		v = b.Op(kir.OpAnd, b.Op(kir.OpGe, a, least), b.Op(kir.OpLt, a, inf))
	case in.has("subnormal"):
		v = b.Op(kir.OpAnd, b.Op(kir.OpLt, a, least), b.Op(kir.OpGt, a, b.Const(t, 0)))
	default:
		unsupported(l, in)
	}
	l.set(in.args[0], v)
}
