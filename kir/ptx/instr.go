package ptx

import (
	"fmt"
	"math"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

// forms are the operations that are one instruction of PTX on registers of their type: %T stands for the type with its
// sign, %B for its bits. Narrow results are cut to 8 bits where wraps says so.
var forms = map[kir.Op]struct{ integer, float string }{
	kir.OpAdd: {"add.%T", "add.rn.%T"}, kir.OpSub: {"sub.%T", "sub.rn.%T"}, kir.OpMul: {"mul.lo.%T", "mul.rn.%T"},
	kir.OpMulHi: {"mul.hi.%T", ""}, kir.OpDiv: {"", "div.rn.%T"}, kir.OpFma: {"", "fma.rn.%T"},
	kir.OpMin: {"min.%T", ""}, kir.OpMax: {"max.%T", ""}, kir.OpNeg: {"neg.%S", "neg.%T"}, kir.OpAbs: {"abs.%T", "abs.%T"},
	kir.OpAnd: {"and.%B", ""}, kir.OpOr: {"or.%B", ""}, kir.OpXor: {"xor.%B", ""}, kir.OpNot: {"not.%B", ""},
	kir.OpShl: {"shl.%B", ""}, kir.OpShr: {"shr.%T", ""},
	kir.OpPopc: {"popc.%B", ""}, kir.OpClz: {"clz.%B", ""}, kir.OpBrev: {"brev.%B", ""},
	kir.OpSqrt:  {"", "sqrt.rn.%T"},
	kir.OpFloor: {"", "cvt.rmi.%T.%T"}, kir.OpCeil: {"", "cvt.rpi.%T.%T"}, kir.OpTrunc: {"", "cvt.rzi.%T.%T"}, kir.OpRint: {"", "cvt.rni.%T.%T"},
}

// wraps are the operations whose result may need more than the 8 bits of its operands.
var wraps = map[kir.Op]bool{
	kir.OpAdd: true, kir.OpSub: true, kir.OpMul: true, kir.OpDiv: true, kir.OpNeg: true, kir.OpAbs: true, kir.OpNot: true, kir.OpShl: true,
}

// comparisons by operation: of integers, and of floats, where != is true for NaN.
var comparisons = map[kir.Op][2]string{
	kir.OpEq: {"eq", "eq"}, kir.OpNe: {"ne", "neu"}, kir.OpLt: {"lt", "lt"}, kir.OpLe: {"le", "le"}, kir.OpGt: {"gt", "gt"}, kir.OpGe: {"ge", "ge"},
}

var atomics = map[kir.Op]string{
	kir.OpAtomicAdd: "add", kir.OpAtomicMin: "min", kir.OpAtomicMax: "max", kir.OpAtomicAnd: "and", kir.OpAtomicOr: "or", kir.OpAtomicXor: "xor",
	kir.OpAtomicExch: "exch", kir.OpAtomicCAS: "cas", kir.OpAtomicInc: "inc", kir.OpAtomicDec: "dec",
}

var fences = map[kir.Scope]string{kir.BlockScope: "membar.cta", kir.DeviceScope: "membar.gl", kir.SystemScope: "membar.sys"}

var shuffleModes = map[kir.ShuffleMode]string{kir.ShuffleIdx: "idx", kir.ShuffleUp: "up", kir.ShuffleDown: "down", kir.ShuffleXor: "bfly"}

// fill puts a type into a form.
func fill(form string, t kir.Type) string {
	info := types[t]
	signed := "s" + strings.TrimLeft(info.instr, "su")
	return strings.NewReplacer("%T", info.instr, "%B", info.bits, "%S", signed).Replace(form)
}

// value writes v, the first of rest.
func (p *printer) value(v *kir.Value, rest []*kir.Value) {
	d := p.regs[v]
	switch {
	case v.Op == kir.OpConst: // stands in its uses
	case v.Op == kir.OpParam:
		n, off := v.ParamRef()
		at := p.params[n]
		if p.function && n == len(p.params)-1 { // where the result goes
			return
		}
		if off != 0 {
			at += fmt.Sprintf("+%d", off)
		}
		p.load(v, "param", at)
	case v.Op == kir.OpSpecial:
		s := kir.Special(v.Imm)
		p.emit("mov.%s %s, %%%v", types[v.Type].instr, d, s)
	case v.Op == kir.OpLoad && p.copiesAsync() && kir.CopiesAsync(rest) && !p.isDistant(rest[1]):
		p.skip[rest[1]] = true
		p.emit("cp.async.ca.shared.global [%s], [%s], %d", p.address(rest[1]), p.address(v), v.Type.Bytes())
	case v.Op == kir.OpLoad:
		if v.Access == kir.Polled {
			p.emit("nanosleep.u32 %d", restNanoseconds)
		}
		if !p.vector(v, rest) {
			p.load(v, v.Space.String(), p.address(v))
		}
	case v.Op == kir.OpStore && p.function && v.Space == kir.Global:
		p.emit("st.param.%s [result], %s", types[v.Args[1].Type].memory, p.register(v.Args[1]))
	case v.Op == kir.OpStore:
		if !p.vector(v, rest) {
			p.store(v)
		}
	case v.Op.IsAtomic():
		p.atomic(v)
	case v.Op == kir.OpCopyCommit:
		if p.copiesAsync() {
			p.emit("cp.async.commit_group")
		}
	case v.Op == kir.OpCopyWait:
		if p.copiesAsync() {
			p.emit("cp.async.wait_group %d", v.Imm)
		}
	case v.Op == kir.OpFence:
		p.emit("%s", fences[kir.Scope(v.Imm)])
	case v.Op == kir.OpBarrier:
		p.emit("bar.sync 0")
	case v.Op == kir.OpGridBarrier:
		p.gridBarrier()
	case v.Op == kir.OpClusterBarrier:
		p.emit("barrier.cluster.arrive.aligned")
		p.emit("barrier.cluster.wait.aligned")
	case v.Op == kir.OpSharedOf:
		p.emit("mapa.shared::cluster.u64 %s, %s, %s", d, p.register(v.Args[0]), p.register(v.Args[1]))
	case v.Op == kir.OpBarrierCount:
		p.emit("bar.red.popc.u32 %s, 0, %s", d, p.register(v.Args[0]))
	case v.Op == kir.OpBarrierAnd:
		p.emit("bar.red.and.pred %s, 0, %s", d, p.register(v.Args[0]))
	case v.Op == kir.OpBarrierOr:
		p.emit("bar.red.or.pred %s, 0, %s", d, p.register(v.Args[0]))
	case v.Op == kir.OpMMA:
		p.mma(v, rest)
	case v.Op.IsWarp():
		p.warp(v)
	case v.Op == kir.OpCheck:
		p.check(v)
	case v.Op == kir.OpPrintf:
		p.printf(v)
	case v.Op.IsCompare():
		p.compare(v)
	case v.Op == kir.OpSelect:
		p.choose(v)
	case v.Op == kir.OpConvert && p.rounded.Of[v].Name != "":
		r := p.rounded.Of[v]
		p.callElementary(v, r.Name+"_"+roundedForm, r.Args...)
	case v.Op == kir.OpConvert:
		p.convert(v)
	case v.Op == kir.OpBitcast:
		p.emit("mov.%s %s, %s", types[v.Type].bits, d, p.register(v.Args[0]))
	default:
		p.compute(v)
	}
}

func (p *printer) operands(vs []*kir.Value) string { return strings.Join(p.operandList(vs), ", ") }

func (p *printer) operandList(vs []*kir.Value) (out []string) {
	for _, v := range vs {
		out = append(out, p.operand(v))
	}
	return out
}

// compute writes an operation on values of one type.
func (p *printer) compute(v *kir.Value) {
	t := v.Args[0].Type
	d := p.regs[v]
	switch {
	case v.Op.IsElementary():
		p.elementary(v)
		return
	case v.Op.IsApproximate():
		p.emit("%s.approx.f32 %s, %s", strings.TrimPrefix(v.Op.String(), "approx_"), d, p.register(v.Args[0]))
		return
	case t == kir.Bool:
		p.emit("%v.pred %s, %s", v.Op, d, p.operands(v.Args))
		return
	case t.IsFloat() && (v.Op == kir.OpMin || v.Op == kir.OpMax): // PTX prefers the number to NaN
		x, y, least, unordered := p.operand(v.Args[0]), p.operand(v.Args[1]), p.newReg(t), p.newReg(kir.Bool)
		p.emit("%v.%s %s, %s, %s", v.Op, types[t].instr, least, x, y)
		p.emit("setp.nan.%s %s, %s, %s", types[t].instr, unordered, x, y)
		p.emit("selp.%s %s, %s, %s, %s", types[t].instr, d, nan[t], least, unordered)
		return
	case v.Op == kir.OpAbs && t.IsUnsigned():
		p.emit("mov.%s %s, %s", types[t].instr, d, p.operand(v.Args[0]))
		return
	case v.Op == kir.OpFlush: // to add -0 changes nothing else
		p.emit("add.ftz.f32 %s, %s, 0f80000000", d, p.register(v.Args[0]))
		return
	case t.IsInteger() && (v.Op == kir.OpDiv || v.Op == kir.OpRem):
		p.divide(v)
		return
	}
	form := forms[v.Op].integer
	if t.IsFloat() {
		form = forms[v.Op].float
	}
	if form == "" {
		p.fail(v, "no PTX is known for it")
		return
	}
	form = fill(form, t)
	args := p.operands(v.Args)
	// a register says the sign where the form does not
	if x := v.Args[0]; len(v.Args) == 1 || x.Op == kir.OpConst && t.IsInteger() {
		args = strings.Join(append([]string{p.register(x)}, p.operandList(v.Args[1:])...), ", ")
	}
	if t.Bytes() == 1 && wraps[v.Op] {
		wide := p.newReg(t)
		p.emit("%s %s, %s", form, wide, args)
		p.wrap(v, wide)
		return
	}
	p.emit("%s %s, %s", form, d, args)
}

// wrap cuts a 16-bit register to v's 8 bits.
func (p *printer) wrap(v *kir.Value, wide string) {
	info := types[v.Type]
	p.emit("cvt.%s.%s %s, %s", info.instr, info.memory, p.regs[v], wide)
}

// divide writes an integer division or remainder, which PTX leaves open for a divisor of 0.
func (p *printer) divide(v *kir.Value) {
	t := v.Type
	info := types[t]
	x, y := p.operand(v.Args[0]), p.operand(v.Args[1])
	d := p.regs[v]
	narrow := t.Bytes() == 1 && wraps[v.Op]
	if narrow {
		d = p.newReg(t)
	}
	if c := v.Args[1]; c.Op == kir.OpConst && c.Imm != 0 {
		p.emit("%v.%s %s, %s, %s", v.Op, info.instr, d, x, y)
	} else {
		defined, quotient := p.newReg(kir.Bool), p.newReg(t)
		p.emit("setp.ne.%s %s, %s, 0", info.instr, defined, y)
		p.emit("%v.%s %s, %s, %s", v.Op, info.instr, quotient, x, y)
		p.emit("selp.%s %s, %s, 0, %s", selectType(t), d, quotient, defined)
	}
	if narrow {
		p.wrap(v, d)
	}
}

func selectType(t kir.Type) string {
	if t == kir.F16 {
		return "b16"
	}
	return types[t].instr
}

func (p *printer) compare(v *kir.Value) {
	t := v.Args[0].Type
	d := p.regs[v]
	if t == kir.Bool { // there is no setp of predicates
		c, e := p.register(v.Args[0]), p.register(v.Args[1])
		x, y := p.number01(c), p.number01(e)
		p.emit("setp.%v.u32 %s, %s, %s", v.Op, d, x, y)
		return
	}
	which := 0
	if t.IsFloat() {
		which = 1
	}
	y := p.operand(v.Args[1])
	if c := v.Args[1]; v.Op == kir.OpNe && c.Op == kir.OpConst && c.Imm == 0 {
		y = p.register(c) // an immediate 0 is a conversion to bool
	}
	p.emit("setp.%s.%s %s, %s, %s", comparisons[v.Op][which], types[t].instr, d, p.register(v.Args[0]), y)
}

// number01 returns a u32 register that is 1 where a predicate is true.
func (p *printer) number01(pred string) string {
	r := p.newReg(kir.U32)
	p.emit("selp.u32 %s, 1, 0, %s", r, pred)
	return r
}

func (p *printer) choose(v *kir.Value) {
	cond, x, y := v.Args[0], v.Args[1], v.Args[2]
	if v.Type == kir.Bool {
		c, yes, no := p.register(cond), p.register(x), p.register(y)
		a, b, r := p.number01(yes), p.number01(no), p.newReg(kir.U32)
		p.emit("selp.u32 %s, %s, %s, %s", r, a, b, c)
		p.emit("setp.ne.u32 %s, %s, 0", p.regs[v], r)
		return
	}
	a := p.operand(x)
	if x.Op == kir.OpConst {
		a = p.register(x) // two immediates are a conversion from bool
	}
	p.emit("selp.%s %s, %s, %s, %s", selectType(v.Type), p.regs[v], a, p.operand(y), p.register(cond))
}

func (p *printer) convert(v *kir.Value) {
	x := v.Args[0]
	from, to := x.Type, v.Type
	d, a := p.regs[v], p.register(x)
	src, dst := types[from].instr, types[to].instr
	if from.Bytes() == 1 {
		src = types[from].memory
	}
	switch {
	case from == kir.F16 && to == kir.Bool:
		f := p.newReg(kir.F32)
		p.emit("cvt.f32.f16 %s, %s", f, a)
		p.emit("setp.neu.f32 %s, %s, 0f00000000", d, f)
	case to == kir.Bool && from.IsFloat():
		p.emit("setp.neu.%s %s, %s, %s", src, d, a, immediate(from, 0))
	case to == kir.Bool:
		p.emit("setp.ne.%s %s, %s, 0", types[from].instr, d, a)
	case from == kir.Bool && to == kir.F16:
		p.emit("selp.b16 %s, 0x3C00, 0x0000, %s", d, a)
	case from == kir.Bool && to.Bytes() == 1:
		r := p.newReg(to)
		p.emit("selp.%s %s, 1, 0, %s", dst, r, a)
		p.wrap(v, r)
	case from == kir.Bool:
		p.emit("selp.%s %s, %s, %s, %s", dst, d, immediate(to, one[to]), immediate(to, 0), a)
	case from.IsFloat() && to.IsFloat():
		if from.Bytes() > to.Bytes() {
			dst = "rn." + dst
		}
		p.emit("cvt.%s.%s %s, %s", dst, src, d, a)
	case to.IsFloat():
		p.emit("cvt.rn.%s.%s %s, %s", dst, src, d, a)
	case from.IsFloat():
		if to.Bytes() == 1 {
			dst = types[to].memory
		}
		if from != kir.F64 && to.Bytes() < 8 {
			p.emit("cvt.rzi.%s.%s %s, %s", dst, src, d, a)
			return
		}
		// PTX makes something else than 0 of NaN.
		r, unordered := p.newReg(to), p.newReg(kir.Bool)
		p.emit("cvt.rzi.%s.%s %s, %s", dst, src, r, a)
		p.emit("setp.nan.%s %s, %s, %s", src, unordered, a, a)
		p.emit("selp.%s %s, 0, %s, %s", types[to].instr, d, r, unordered)
	default:
		if to.Bytes() == 1 {
			dst = types[to].memory
		}
		p.emit("cvt.%s.%s %s, %s", dst, src, d, a)
	}
}

// one is the number 1 of each type.
var one = map[kir.Type]uint64{
	kir.I8: 1, kir.I16: 1, kir.I32: 1, kir.I64: 1, kir.U8: 1, kir.U16: 1, kir.U32: 1, kir.U64: 1,
	kir.F32: 0x3f800000, kir.F64: 0x3ff0000000000000,
}

// address returns the address operand of a memory operation, without brackets.
func (p *printer) address(v *kir.Value) string {
	a := p.register(v.Args[0])
	switch off := int64(v.Imm); {
	case off == 0:
		return a
	case off >= math.MinInt32 && off <= math.MaxInt32:
		return fmt.Sprintf("%s+%d", a, off)
	default:
		r := p.newReg(kir.U64)
		p.emit("add.s64 %s, %s, %d", r, a, off)
		return r
	}
}

// restNanoseconds is about how long a thread rests before a load that is polled: several such loads of a warp then take
// less of the memory's time than a line takes to come.
const restNanoseconds = 100

// spaceText returns the space of a load or store with what it says of others: ".global.nc".
func (p *printer) spaceText(v *kir.Value, space string) string {
	if p.isDistant(v) {
		space = "shared::cluster"
	}
	switch {
	case v.Access.IsVolatile() && v.Space != kir.Const:
		return ".volatile." + space
	case v.Access == kir.Steady && v.Space == kir.Global:
		return "." + space + ".nc"
	case v.Access == kir.Bypass && v.Space == kir.Global:
		return "." + space + ".cg"
	}
	return "." + space
}

func (p *printer) load(v *kir.Value, space, at string) {
	if v.Type == kir.Bool {
		r := p.newReg(kir.U8)
		p.emit("ld%s.u8 %s, [%s]", p.spaceText(v, space), r, at)
		p.emit("setp.ne.u16 %s, %s, 0", p.regs[v], r)
		return
	}
	p.emit("ld%s.%s %s, [%s]", p.spaceText(v, space), types[v.Type].memory, p.regs[v], at)
}

func (p *printer) store(v *kir.Value) {
	x := v.Args[1]
	r := p.register(x)
	if x.Type == kir.Bool {
		b := p.newReg(kir.U8)
		p.emit("selp.u16 %s, 1, 0, %s", b, r)
		r = b
	}
	p.emit("st%s.%s [%s], %s", p.spaceText(v, v.Space.String()), types[x.Type].memory, p.address(v), r)
}

// vector writes the vector access that v begins, if it begins one that PTX has.
func (p *printer) vector(v *kir.Value, rest []*kir.Value) bool {
	n := int(v.Vec)
	if n == 0 {
		return false
	}
	var regs []string
	t := v.Type
	for _, w := range rest[:n] {
		r := p.regs[w]
		if v.Op == kir.OpStore {
			t = w.Args[1].Type
			r = p.register(w.Args[1])
		}
		if t == kir.Bool {
			return false
		}
		regs = append(regs, r)
	}
	t = v.Type
	if v.Op == kir.OpStore {
		t = v.Args[1].Type
	}
	for _, w := range rest[1:n] {
		if v.Op == kir.OpStore && w.Args[1].Type != t || v.Op == kir.OpLoad && w.Type != t {
			return false
		}
	}
	for _, w := range rest[1:n] {
		p.skip[w] = true
	}
	list := "{" + strings.Join(regs, ", ") + "}"
	if v.Op == kir.OpLoad {
		p.emit("ld%s.v%d.%s %s, [%s]", p.spaceText(v, v.Space.String()), n, types[t].memory, list, p.address(v))
	} else {
		p.emit("st%s.v%d.%s [%s], %s", p.spaceText(v, v.Space.String()), n, types[t].memory, p.address(v), list)
	}
	return true
}

func (p *printer) atomic(v *kir.Value) {
	t := types[v.Type].bits
	switch v.Op {
	case kir.OpAtomicAdd:
		if t = types[v.Type].instr; v.Type == kir.I64 {
			t = "u64" // signs do not matter, and there is no other
		}
	case kir.OpAtomicMin, kir.OpAtomicMax, kir.OpAtomicInc, kir.OpAtomicDec:
		t = types[v.Type].instr
	}
	at := p.address(v)
	var args []string
	for _, a := range v.Args[1:] {
		args = append(args, p.register(a))
	}
	space := v.Space.String()
	if p.isDistant(v) {
		space = "shared::cluster"
	}
	p.emit("atom.%s.%s.%s %s, [%s], %s", space, atomics[v.Op], t, p.regs[v], at, strings.Join(args, ", "))
}

func (p *printer) warp(v *kir.Value) {
	d := p.regs[v]
	arg := func(i int) string { return p.operand(v.Args[i]) }
	switch v.Op {
	case kir.OpWarpBarrier:
		p.emit("bar.warp.sync %s", arg(0))
	case kir.OpShuffle:
		s := kir.ShuffleOf(v.Imm)
		p.emit("shfl.sync.%s.b32 %s, %s, %s, %d, %s", shuffleModes[s.Mode], d, p.register(v.Args[0]), arg(1), int(s.Segment)<<8|int(s.Clamp), arg(2))
	case kir.OpVoteAll:
		p.emit("vote.sync.all.pred %s, %s, %s", d, arg(0), arg(1))
	case kir.OpVoteAny:
		p.emit("vote.sync.any.pred %s, %s, %s", d, arg(0), arg(1))
	case kir.OpBallot:
		p.emit("vote.sync.ballot.b32 %s, %s, %s", d, arg(0), arg(1))
	case kir.OpMatchAny:
		p.emit("match.any.sync.%s %s, %s, %s", types[v.Args[0].Type].bits, d, p.register(v.Args[0]), arg(1))
	case kir.OpWarpReduce:
		t := types[v.Type].instr // u32 or s32; logic is of bits
		if r := kir.Reduction(v.Imm); r >= kir.ReduceAnd {
			t = "b32"
		}
		p.emit("redux.sync.%v.%s %s, %s, %s", kir.Reduction(v.Imm), t, d, p.register(v.Args[0]), arg(1))
	case kir.OpActiveMask:
		p.emit("activemask.b32 %s", d)
	}
}
