package random

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Features are what a kernel may have beyond arithmetic, loads, stores, control flow and barriers.
type Features struct {
	Offsets bool // constant offsets and vectors in loads and stores
	Local   bool // local arrays
	Atomics bool // whose order does not matter: of integers, their results unused
	Warp    bool // shuffles and votes where all threads are
	Reduce  bool // barriers that count

	// quotients with their remainders, multiples; not in All, so that its kernels stay those of their seeds
	Indices bool
}

// All has every feature but Indices.
var All = Features{Offsets: true, Local: true, Atomics: true, Warp: true, Reduce: true}

// generator builds a kernel statement by statement. Which threads come to a place decides what may stand there:
// barriers where all do.
type generator struct {
	r       *rand.Rand
	b       *kir.Builder
	has     Features
	vals    []*kir.Value // that are visible
	uniform bool         // all threads that live come here
	depth   int
	loops   []loopTargets
	in      *kir.Value
	own     *kir.Value // address of the thread's elements of the output
	cells   *kir.Value // address of the cells of the atomics
	shared  *kir.Value
	arrays  []localArray
	lane    *kir.Value // I64: the thread's number in its block
	lanes   int
}

var (
	integers = []uint64{0, 1, 2, 3, 5, 7, 10, 31, 0x7f, 0x80, 0xff, 0x8000, 0x7fffffff, 0x80000000, math.MaxUint32, math.MaxInt64, math.MaxUint64, 1 << 63, 1<<64 - 7}
	floats   = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 2, 8, math.Inf(1), math.Inf(-1), math.NaN(), 1e10, -1e300, 255.5, 1e-40, 5e-324, 3.4e38, 9.3e18, -2147483648.5}
)

var scalarTypes = []kir.Type{kir.Bool, kir.I8, kir.I16, kir.I32, kir.I64, kir.U8, kir.U16, kir.U32, kir.U64, kir.F32, kir.F64}

func (g *generator) types() []kir.Type { return scalarTypes }

func (g *generator) add(vs ...*kir.Value) { g.vals = append(g.vals, vs...) }

func (g *generator) i64(x int64) *kir.Value { return g.b.Int(kir.I64, x) }

func (g *generator) constant(t kir.Type) *kir.Value {
	if t.IsFloat() {
		if g.r.IntN(3) == 0 {
			return g.b.Const(t, g.r.NormFloat64())
		}
		return g.b.Const(t, floats[g.r.IntN(len(floats))])
	}
	if g.r.IntN(8) == 0 {
		return g.b.Bits(t, g.r.Uint64())
	}
	return g.b.Bits(t, integers[g.r.IntN(len(integers))])
}

// pick returns a visible value of type t, new ones rather than old ones.
func (g *generator) pick(t kir.Type) *kir.Value {
	for range 20 {
		v := g.vals[len(g.vals)-1-int(float64(len(g.vals))*math.Pow(g.r.Float64(), 2))]
		if v.Type == t {
			return v
		}
	}
	if g.r.IntN(2) == 0 {
		return g.constant(t)
	}
	return g.b.Convert(t, g.vals[g.r.IntN(len(g.vals))])
}

func (g *generator) typeOf(is func(kir.Type) bool) kir.Type {
	for {
		if t := scalarTypes[g.r.IntN(len(scalarTypes))]; is(t) {
			return t
		}
	}
}

func (g *generator) anyType() kir.Type { return scalarTypes[g.r.IntN(len(scalarTypes))] }

// statements emits n of them, less where the block has ended.
func (g *generator) statements(n int) {
	kinds := 26
	if g.has.Indices {
		kinds = 32
	}
	for range n {
		switch k := g.r.IntN(kinds); {
		case k < 9:
			g.operation()
		case k == 9:
			g.affineChain()
		case k == 10:
			g.affineLoad()
		case k < 13:
			g.load()
		case k < 15 && g.depth < 3:
			g.branch()
		case k < 17 && g.depth < 3:
			g.loop()
		case k < 19 && g.uniform:
			g.exchange()
		case k == 19 && g.depth < 2 && g.r.IntN(3) == 0:
			g.leave()
		case k == 20 && g.has.Local:
			g.useLocal()
		case k == 21 && g.has.Atomics:
			g.atomic()
		case k == 22 && g.has.Warp && g.uniform:
			g.warp()
		case k == 23:
			g.ownElement()
		case k >= 29:
			g.division()
		case k >= 26:
			g.multiples()
		case k == 24 && len(g.loops) > 0 && g.r.IntN(2) == 0:
			g.escape()
		default:
			g.operation()
		}
	}
}

// operations by what operands they take; some stand twice to come more often.
var (
	numberOps      = []kir.Op{kir.OpAdd, kir.OpSub, kir.OpMul, kir.OpDiv, kir.OpMin, kir.OpMax, kir.OpNeg, kir.OpAbs, kir.OpAdd, kir.OpMul, kir.OpAdd}
	integerOps     = []kir.Op{kir.OpRem, kir.OpAnd, kir.OpOr, kir.OpXor, kir.OpNot, kir.OpDiv, kir.OpRem}
	wordOps        = []kir.Op{kir.OpMulHi, kir.OpPopc, kir.OpClz, kir.OpBrev}
	floatOps       = []kir.Op{kir.OpFma, kir.OpSqrt, kir.OpFloor, kir.OpCeil, kir.OpTrunc, kir.OpRint, kir.OpExp, kir.OpSin, kir.OpAtan2}
	approximateOps = []kir.Op{kir.OpApproxRcp, kir.OpApproxRsqrt, kir.OpApproxSqrt, kir.OpApproxExp2, kir.OpApproxLog2, kir.OpApproxSin, kir.OpApproxCos}
	boolOps        = []kir.Op{kir.OpAnd, kir.OpOr, kir.OpXor, kir.OpNot, kir.OpEq, kir.OpNe}
	compareOps     = []kir.Op{kir.OpEq, kir.OpNe, kir.OpLt, kir.OpLe, kir.OpGt, kir.OpGe}
	isWord         = func(t kir.Type) bool { return t.IsInteger() && t.Bytes() >= 4 }
	isNumber       = func(t kir.Type) bool { return t != kir.Bool }
	wordOrFloat    = func(t kir.Type) bool { return t != kir.Bool && t.Bytes() >= 4 }
)

func (g *generator) operation() {
	some := func(ops []kir.Op) kir.Op { return ops[g.r.IntN(len(ops))] }
	op, t := kir.OpInvalid, kir.Void
	switch g.r.IntN(16) {
	case 0, 1, 2, 3, 4:
		op, t = some(numberOps), g.typeOf(isNumber)
	case 5, 6:
		op, t = some(integerOps), g.typeOf(kir.Type.IsInteger)
	case 7:
		op, t = some(wordOps), g.typeOf(isWord)
	case 8:
		op, t = some(floatOps), g.typeOf(kir.Type.IsFloat)
	case 9:
		op, t = some(boolOps), kir.Bool
	case 10, 11:
		op, t = some(compareOps), g.typeOf(isNumber)
	case 12:
		t := g.anyType()
		g.add(g.b.Op(kir.OpSelect, g.pick(kir.Bool), g.pick(t), g.pick(t)))
		return
	case 13:
		to := g.anyType()
		if g.r.IntN(6) == 0 { // by way of the type that only converts
			g.add(g.b.Convert(to, g.b.Convert(kir.F16, g.pick(g.anyType()))))
			return
		}
		g.add(g.b.Convert(to, g.pick(g.anyType())))
		return
	case 14:
		if g.r.IntN(4) == 0 {
			x := g.pick(kir.F32)
			op := kir.OpFlush
			if n := x.ID % (2 * len(approximateOps)); n < len(approximateOps) {
				op = approximateOps[n]
			}
			g.add(g.b.Op(op, x))
			return
		}
		g.bitcast()
		return
	default:
		ops := []kir.Op{kir.OpShl, kir.OpShr}
		g.add(g.b.Op(some(ops), g.pick(g.typeOf(kir.Type.IsInteger)), g.amount()))
		return
	}
	var args []*kir.Value
	for range op.NArgs() {
		args = append(args, g.pick(t))
	}
	if n := len(args); n > 1 && g.r.IntN(3) == 0 { // passes know most about constants
		args[n-1] = g.constant(t)
	}
	g.add(g.b.Op(op, args...))
}

// amount returns by how much to shift.
func (g *generator) amount() *kir.Value {
	if g.r.IntN(3) == 0 {
		return g.pick(kir.U32)
	}
	return g.b.Int(kir.U32, int64(g.r.IntN(67)))
}

// bitcast reads a number's bits as another type. Those of a NaN are open, so it is replaced before.
func (g *generator) bitcast() {
	t := g.typeOf(isNumber)
	v := g.pick(t)
	if t.IsFloat() {
		v = g.b.Op(kir.OpSelect, g.b.Op(kir.OpEq, v, v), v, g.b.Const(t, 1.5))
	}
	g.add(g.b.Bitcast(g.typeOf(func(to kir.Type) bool { return to != kir.Bool && to.Bytes() == t.Bytes() }), v))
}

// affineChain computes with a thread's index as the engine computes for all threads at once, until something wraps
// around.
func (g *generator) affineChain() {
	v := g.b.Special(kir.TidX + kir.Special(g.r.IntN(2)))
	for range 2 + g.r.IntN(4) {
		switch g.r.IntN(5) {
		case 0:
			v = g.b.Convert(g.typeOf(kir.Type.IsInteger), v)
		case 1:
			v = g.b.Op(kir.OpShl, v, g.b.Int(kir.U32, int64(g.r.IntN(9))))
		default:
			op := []kir.Op{kir.OpAdd, kir.OpSub, kir.OpMul, kir.OpDiv, kir.OpRem}[g.r.IntN(5)]
			v = g.b.Op(op, v, g.constant(v.Type))
		}
		g.add(v)
	}
	g.add(g.b.Convert(kir.I64, v), g.b.Op(kir.OpLt+kir.Op(g.r.IntN(4)), v, g.constant(v.Type)))
}

// division computes with a quotient and the remainder that goes with it, in either order.
func (g *generator) division() {
	x, n := g.pick(kir.U32), g.b.Special(kir.NTidX+kir.Special(g.r.IntN(3)))
	first := kir.OpDiv + kir.Op(g.r.IntN(2))
	g.add(g.b.Op(kir.OpXor, g.b.Op(first, x, n), g.b.Op(kir.OpDiv+kir.OpRem-first, x, n)))
}

// multiples computes with a number and small multiples of another added to it, as indices of rows do.
func (g *generator) multiples() {
	t := g.typeOf(kir.Type.IsInteger)
	x, k := g.b.Convert(t, g.b.Special(kir.TidX)), g.pick(t)
	if k.Op == kir.OpConst {
		k = g.b.Convert(t, g.b.Special(kir.NTidX))
	}
	all := g.b.Op(kir.OpAdd, x, k)
	for c := range 2 + g.r.IntN(2) {
		all = g.b.Op(kir.OpXor, all, g.b.Op(kir.OpAdd, x, g.b.Op(kir.OpMul, k, g.b.Int(t, int64(c+2)))))
	}
	g.add(all)
}

// visible runs body and then takes what it defined out of sight.
func (g *generator) visible(body func()) {
	before := slices.Clone(g.vals)
	g.depth++
	body()
	g.depth--
	g.vals = before
}
