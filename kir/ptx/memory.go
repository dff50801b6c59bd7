package ptx

import (
	"math/bits"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

var spaceNames = map[string]kir.Space{"global": kir.Global, "shared": kir.Shared, "local": kir.Local, "const": kir.Const}

// spaceOf returns the space that an instruction names.
func spaceOf(in *inst) string {
	for _, m := range in.op[1:] {
		m, _, _ := strings.Cut(m, "::")
		if _, ok := spaceNames[m]; ok || m == "param" {
			return m
		}
	}
	return ""
}

// address returns the value and the offset of an address operand.
func (l *lowerer) address(in *inst, at operand) (*kir.Value, uint64) {
	if at.kind != '[' {
		in.fail("an address in brackets is expected, not %v", at)
	}
	if at.name == "" {
		return l.b.Bits(kir.U64, at.bits), 0
	}
	return l.pointer(l.refOf(operand{kind: 'r', name: at.name})), at.bits
}

// pointer widens addresses of 32 bits, which shared memory may have.
func (l *lowerer) pointer(r ref) *kir.Value {
	if r.v != nil && r.t == kir.I32 {
		r.v = l.b.Convert(kir.U32, r.v)
		r.t = kir.U32
	}
	if r.v != nil && r.t == kir.U32 {
		return l.b.Convert(kir.U64, r.v)
	}
	return l.coerce(r, kir.U64)
}

// access finds out which elements an instruction with the vector modifier v2 or v4 has.
func elementsOf(in *inst, o operand) []operand {
	n := 1
	for _, m := range in.op[1:] {
		switch m {
		case "v2":
			n = 2
		case "v4":
			n = 4
		case "v8":
			unsupported(nil, in)
		}
	}
	if n == 1 {
		return []operand{o}
	}
	if o.kind != '{' || len(o.list) != n {
		in.fail("%d registers in braces are expected, not %v", n, o)
	}
	return o.list
}

func loads(l *lowerer, in *inst) {
	in.arity(2)
	l.load(in, in.typ(), spaceOf(in), elementsOf(in, in.args[0]), in.args[1])
}

func (l *lowerer) load(in *inst, t kir.Type, space string, to []operand, at operand) {
	if t == kir.U16 && in.op[len(in.op)-1] == "b16" && len(to) == 1 && l.isHalf(to[0]) {
		t = kir.F16
	}
	if space == "param" {
		l.loadParam(in, t, to, at)
		return
	}
	addr, off := l.address(in, at)
	for i, o := range to {
		v := l.b.Load(spaceNames[space], t, addr)
		v.Imm, v.Access = off+uint64(i*t.Bytes()), accessOf(in)
		if v.Access == kir.Volatile && l.rested == in.line-1 {
			v.Access = kir.Polled
		}
		if i == 0 && len(to) > 1 {
			v.Vec = uint8(len(to))
		}
		if space == "" {
			l.generic = append(l.generic, v)
		}
		l.set(o, v)
	}
}

// rests notes where a thread rests: a volatile load on the next line is polled.
func rests(l *lowerer, in *inst) { l.rested = in.line }

// accessOf returns what an instruction says of other accesses.
func accessOf(in *inst) kir.Access {
	switch {
	case in.has("volatile"):
		return kir.Volatile
	case in.has("nc"):
		return kir.Steady
	case in.has("cg") && in.op[0] == "ld":
		return kir.Bypass
	}
	return kir.Ordinary
}

// isHalf reports whether a register is used as f16: by instructions that name it so.
func (l *lowerer) isHalf(o operand) bool {
	for _, b := range l.blocks {
		for _, in := range b.code {
			for i, a := range in.args {
				if a.name != o.name || a.kind != 'r' {
					continue
				}
				if in.op[0] == "cvt" && i == 1 && in.op[len(in.op)-1] == "f16" {
					return true
				}
			}
		}
	}
	return false
}

func (l *lowerer) loadParam(in *inst, t kir.Type, to []operand, at operand) {
	n, ok := l.params[at.name]
	if !ok {
		in.fail("%s is not a parameter of the kernel", at.name)
	}
	prm := l.k.params[n]
	if t == kir.Bool && !prm.array {
		if p := l.b.ParamType(n); p == kir.Bool {
			l.set(to[0], l.b.ParamField(n, 0, kir.Bool))
			return
		}
	}
	for i, o := range to {
		off := int64(at.bits) + int64(i*t.Bytes())
		if !prm.array {
			if off != 0 || t.Bytes() > prm.elem.Bytes() && t != kir.Bool {
				in.fail("%s is a parameter of %d bytes", at.name, prm.elem.Bytes())
			}
			v := l.b.ParamField(n, 0, prm.elem)
			if t == kir.Bool {
				l.set(o, l.b.Convert(kir.Bool, v))
				continue
			}
			if v.Type.Bytes() > t.Bytes() {
				l.set(o, l.coerce(ref{v: v, t: v.Type}, t))
			} else {
				l.set(o, v)
			}
			continue
		}
		if off < 0 || off+int64(t.Bytes()) > int64(prm.len*prm.elem.Bytes()) || off%int64(t.Bytes()) != 0 {
			in.fail("%s has %d bytes; the access is beyond them or not aligned", at.name, prm.len*prm.elem.Bytes())
		}
		l.set(o, l.b.ParamField(n, int(off), t))
	}
}

func stores(l *lowerer, in *inst) {
	in.arity(2)
	l.store(in, in.typ(), spaceOf(in), in.args[0], elementsOf(in, in.args[1]))
}

func (l *lowerer) store(in *inst, t kir.Type, space string, at operand, from []operand) {
	if space == "const" || space == "param" {
		in.fail("%s memory cannot be written", space)
	}
	addr, off := l.address(in, at)
	u := t
	for i, o := range from {
		t := u
		if r := l.refOf(o); r.v != nil && r.t.Bytes() == t.Bytes() && (r.t == kir.F16 || in.op[len(in.op)-1][0] == 'b') {
			t = r.t
		}
		x := l.value(o, t)
		l.b.Store(spaceNames[space], addr, x)
		vs := l.cur.kb.Values
		v := vs[len(vs)-1]
		v.Imm, v.Access = off+uint64(i*t.Bytes()), accessOf(in)
		if space == "" {
			l.generic = append(l.generic, v)
		}
	}
	if len(from) > 1 {
		l.joinStores(len(from))
	}
}

// joinStores puts the last n stores side by side, behind what was made for their operands, as one vector access.
func (l *lowerer) joinStores(n int) {
	vs := l.cur.kb.Values
	var stores, others []*kir.Value
	i := len(vs)
	for len(stores) < n {
		i--
		if vs[i].Op == kir.OpStore {
			stores = append([]*kir.Value{vs[i]}, stores...)
		} else {
			others = append([]*kir.Value{vs[i]}, others...)
		}
	}
	copy(vs[i:], append(others, stores...))
	stores[0].Vec = uint8(n)
}

// atomic lowers atom and red. Scopes and orders of memory (.relaxed, .acquire and their like) are those of kir: an
// order that is stronger gets fences.
func atomic(l *lowerer, in *inst) {
	d, rest := operand{kind: '_'}, in.args
	if in.op[0] == "atom" {
		if len(rest) == 0 {
			in.arity(3)
		}
		d, rest = rest[0], rest[1:]
	}
	if len(rest) < 2 {
		in.fail("operands are missing")
	}
	var op kir.Op
	for o, name := range atomics {
		if in.has(name) {
			op = o
		}
	}
	if op == kir.OpInvalid || in.has("noftz") && in.typ() == kir.F16 {
		unsupported(l, in)
	}
	if len(rest) != op.NArgs() {
		in.fail("it takes %d operands", op.NArgs()+len(in.args)-len(rest))
	}
	t := in.typ()
	switch op {
	case kir.OpAtomicAdd, kir.OpAtomicAnd, kir.OpAtomicOr, kir.OpAtomicXor, kir.OpAtomicExch, kir.OpAtomicCAS:
		if t.IsInteger() {
			t = l.common(t, false, rest[1:]...)
		}
		if r := l.refOf(rest[1]); op == kir.OpAtomicExch && l.isRegister(rest[1]) && r.t.Bytes() == t.Bytes() {
			t = r.t
		}
	}
	if t.Bytes() < 4 || in.has("v2") || in.has("v4") {
		unsupported(l, in)
	}
	if in.has("release") || in.has("acq_rel") {
		l.b.Fence(scopeOf(in))
	}
	space := spaceOf(in)
	addr, off := l.address(in, rest[0])
	var args []*kir.Value
	for _, o := range rest[1:] {
		args = append(args, l.value(o, t))
	}
	v := l.b.Atomic(op, spaceNames[space], addr, args...)
	v.Imm = off
	if space == "" {
		l.generic = append(l.generic, v)
	}
	if in.has("acquire") || in.has("acq_rel") {
		l.b.Fence(scopeOf(in))
	}
	l.set(d, v)
}

func scopeOf(in *inst) kir.Scope {
	switch {
	case in.has("cta") || in.has("cluster"):
		return kir.BlockScope
	case in.has("sys"):
		return kir.SystemScope
	}
	return kir.DeviceScope
}

func fence(l *lowerer, in *inst) {
	if in.has("proxy") || in.has("mbarrier_init") {
		unsupported(l, in)
	}
	l.b.Fence(scopeOf(in))
}

// barrier lowers bar and barrier. Only the barrier of all threads is known: number 0, or any number without a count.
func barrier(l *lowerer, in *inst) {
	args := in.args
	b := l.b
	switch {
	case in.has("warp"):
		in.arity(1)
		b.WarpBarrier(l.value(args[0], kir.U32))
	case in.has("cluster"):
		if in.has("relaxed") {
			unsupported(l, in)
		}
		if in.has("wait") { // what is between the two is as if it came before
			b.ClusterBarrier()
		}
	case in.has("arrive"):
		unsupported(l, in)
	case in.has("sync"):
		if len(args) > 1 {
			in.fail("barriers of a part of the block's threads are not supported")
		}
		b.Barrier()
	case in.has("red"):
		if len(args) != 3 {
			in.fail("barriers of a part of the block's threads are not supported")
		}
		op := map[bool]kir.Op{true: kir.OpBarrierAnd, false: kir.OpBarrierOr}[in.has("and")]
		if in.has("popc") {
			op = kir.OpBarrierCount
		}
		l.set(args[0], b.BarrierReduce(op, l.bool(args[2])))
	default:
		unsupported(l, in)
	}
}

// shuffle lowers shfl.sync. The predicate says whether the lane that it reads is in range, which the thread knows
// alone.
func shuffle(l *lowerer, in *inst) {
	in.arity(5)
	if !in.has("sync") {
		in.fail("shuffles without .sync are not supported")
	}
	b := l.b
	c := l.refOf(in.args[3])
	if c.v != nil {
		in.fail("the segment of a shuffle (its fourth operand) must be a constant")
	}
	s := kir.Shuffle{Clamp: uint8(c.bits & 31), Segment: uint8(c.bits >> 8 & 31)}
	for mode, name := range shuffleModes {
		if in.has(name) {
			s.Mode = mode
		}
	}
	lane, mask := l.value(in.args[2], kir.U32), l.value(in.args[4], kir.U32)
	r := l.refOf(in.args[1])
	t := r.t
	if t.Bytes() != 4 || !l.isRegister(in.args[1]) {
		t = kir.U32
	}
	v := b.Shuffle(s, l.coerce(r, t), lane, mask)
	d := in.args[0]
	if d.pair != "" {
		l.set(operand{kind: 'r', name: d.pair}, l.inRange(s, lane))
		d.pair = ""
	}
	l.set(d, v)
}

// inRange computes what kir.Shuffle.Source says of a lane, in the thread's own.
func (l *lowerer) inRange(s kir.Shuffle, n *kir.Value) *kir.Value {
	b := l.b
	u := func(x int) *kir.Value { return b.Int(kir.U32, int64(x)) }
	lane := b.Special(kir.LaneID)
	low := b.Op(kir.OpAnd, lane, u(int(s.Segment)))
	high := b.Op(kir.OpOr, low, u(int(s.Clamp)&^int(s.Segment)))
	n = b.Op(kir.OpAnd, n, u(kir.WarpSize-1))
	signed := func(v *kir.Value) *kir.Value { return b.Convert(kir.I32, v) }
	switch s.Mode {
	case kir.ShuffleUp:
		return b.Op(kir.OpGe, signed(b.Op(kir.OpSub, lane, n)), signed(high))
	case kir.ShuffleDown:
		return b.Op(kir.OpLe, b.Op(kir.OpAdd, lane, n), high)
	case kir.ShuffleXor:
		return b.Op(kir.OpLe, b.Op(kir.OpXor, lane, n), high)
	}
	return b.Op(kir.OpLe, b.Op(kir.OpOr, low, b.Op(kir.OpAnd, n, u(^int(s.Segment)&31))), high)
}

func vote(l *lowerer, in *inst) {
	in.arity(3)
	if !in.has("sync") {
		in.fail("votes without .sync are not supported")
	}
	b := l.b
	p, mask := l.bool(in.args[1]), l.value(in.args[2], kir.U32)
	var v *kir.Value
	switch {
	case in.has("ballot"):
		v = b.Vote(kir.OpBallot, p, mask)
	case in.has("all"):
		v = b.Vote(kir.OpVoteAll, p, mask)
	case in.has("any"):
		v = b.Vote(kir.OpVoteAny, p, mask)
	case in.has("uni"):
		v = b.Op(kir.OpOr, b.Vote(kir.OpVoteAll, p, mask), b.Op(kir.OpNot, b.Vote(kir.OpVoteAny, p, mask)))
	default:
		unsupported(l, in)
	}
	l.set(in.args[0], v)
}

func match1(l *lowerer, in *inst) {
	in.arity(3)
	if !in.has("any") || !in.has("sync") {
		unsupported(l, in)
	}
	t := in.typ()
	if r := l.refOf(in.args[1]); l.isRegister(in.args[1]) && r.t.Bytes() == t.Bytes() {
		t = r.t
	}
	l.set(in.args[0], l.b.MatchAny(l.value(in.args[1], t), l.value(in.args[2], kir.U32)))
}

// reductions are the operations of redux.sync, by their names.
var reductions = map[string]kir.Reduction{
	"add": kir.ReduceAdd, "min": kir.ReduceMin, "max": kir.ReduceMax, "and": kir.ReduceAnd, "or": kir.ReduceOr, "xor": kir.ReduceXor,
}

func redux(l *lowerer, in *inst) {
	in.arity(3)
	for name, r := range reductions {
		if t := in.typ(); in.has(name) && in.has("sync") && t.IsInteger() && t.Bytes() == 4 {
			if ref := l.refOf(in.args[1]); r >= kir.ReduceAnd && l.isRegister(in.args[1]) && ref.t.IsInteger() && ref.t.Bytes() == 4 {
				t = ref.t // .b32 says no sign
			}
			l.set(in.args[0], l.b.WarpReduce(r, l.value(in.args[1], t), l.value(in.args[2], kir.U32)))
			return
		}
	}
	unsupported(l, in)
}

func activeMask(l *lowerer, in *inst) {
	in.arity(1)
	l.set(in.args[0], l.b.ActiveMask())
}

func trap(l *lowerer, in *inst) {
	l.b.Check(kir.CheckPanic, l.b.Int(kir.Bool, 0), nil, nil, "trap")
}

// check lowers a call of the function that Print writes for kir's checks, which has a guard.
func check(l *lowerer, in *inst) {
	in.arity(5)
	text := ""
	if a := in.args[4]; a.kind == 'r' {
		text = l.refOf(a).text
	}
	kind := kir.CheckKind(in.args[0].bits)
	if in.args[0].kind != 'i' || bits.Len64(in.args[0].bits) > 8 || kind > kir.CheckPanic {
		in.fail("the kind of a check must be a constant")
	}
	ok := l.b.Int(kir.Bool, 0)
	if g := in.guard; g != nil {
		ok = l.bool(operand{kind: 'r', name: g.name, not: !g.not})
	}
	l.b.Check(kind, ok, l.value(in.args[2], kir.I64), l.value(in.args[3], kir.I64), text)
}
