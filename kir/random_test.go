package kir

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
)

// randomKernel is a kernel and what to launch it with. Threads write only their own elements, and what others read is
// behind a barrier, so the result does not depend on any order.
type randomKernel struct {
	f           *Func
	grid, block Dim3
	params      []byte
}

const (
	inputLen = 64
	outputs  = 4 // elements that each thread writes
	inBase   = 0x10000
	outBase  = 0x7f0000001000
)

var scalarTypes = []Type{Bool, I8, I16, I32, I64, U8, U16, U32, U64, F32, F64}

type generator struct {
	r       *rand.Rand
	b       *Builder
	vals    []*Value // that are visible
	uniform bool     // all threads that live come here
	depth   int
	in      *Value
	shared  *Value
	lane    *Value // I64: the thread's number in its block
	lanes   int
}

func newRandomKernel(seed uint64) randomKernel {
	r := rand.New(rand.NewPCG(seed, 1))
	g := &generator{r: r, b: NewBuilder(fmt.Sprintf("random%d", seed)), uniform: true}
	block := []Dim3{{1, 1, 1}, {33, 1, 1}, {64, 1, 1}, {8, 4, 1}, {5, 3, 2}, {40, 1, 1}, {16, 2, 1}}[r.IntN(7)]
	grid := []Dim3{{1, 1, 1}, {3, 1, 1}, {2, 2, 1}}[r.IntN(3)]
	g.lanes = block.Count()
	b := g.b
	g.in = b.Param("in", U64)
	out := b.Param("out", U64)
	k := randomKernel{grid: grid, block: block}
	k.params = binary.LittleEndian.AppendUint64(k.params, inBase)
	k.params = binary.LittleEndian.AppendUint64(k.params, outBase)
	g.add(b.Param("n", I64), b.Param("x", F32), b.Param("flag", Bool))
	k.params = binary.LittleEndian.AppendUint64(k.params, uint64(r.IntN(80)))
	k.params = binary.LittleEndian.AppendUint32(k.params, math.Float32bits(float32(r.NormFloat64())))
	k.params = append(k.params, byte(r.IntN(2)))
	g.shared = b.SharedArray("tile", U64, g.lanes)

	wide := func(s Special) *Value { return b.Convert(I64, b.Special(s)) }
	y := b.Op(OpAdd, wide(TidY), b.Op(OpMul, wide(TidZ), wide(NTidY)))
	g.lane = b.Op(OpAdd, wide(TidX), b.Op(OpMul, y, wide(NTidX)))
	cta := b.Op(OpAdd, wide(CtaidX), b.Op(OpMul, wide(CtaidY), wide(NCtaidX)))
	gid := b.Op(OpAdd, b.Op(OpMul, cta, b.Int(I64, int64(g.lanes))), g.lane)
	g.add(g.lane, cta, gid, b.Special(TidX), b.Special(CtaidX))
	for _, t := range scalarTypes {
		g.add(g.constant(t))
	}
	g.statements(8 + r.IntN(20))
	// A bool and a small integer are stored as the widest type too, so that every write is 8 bytes wide or F32.
	for i := range outputs {
		v := g.vals[len(g.vals)-1-g.r.IntN(min(8, len(g.vals)))]
		if v.Type != F64 && v.Type != F32 {
			v = b.Convert(I64, v)
		}
		slot := b.Op(OpAdd, b.Op(OpMul, gid, b.Int(I64, outputs)), b.Int(I64, int64(i)))
		b.Store(Global, b.Index(out, slot, I64), v)
	}
	b.Return()
	f, err := b.Func()
	if err != nil {
		panic(fmt.Sprintf("seed %d: %v\n%v", seed, err, b.f))
	}
	k.f = f
	return k
}

func (g *generator) add(vs ...*Value) { g.vals = append(g.vals, vs...) }

func (g *generator) constant(t Type) *Value {
	special := []uint64{0, 1, 2, 3, 7, 31, 0x7f, 0x80, 0x8000, 0x7fffffff, 0x80000000, math.MaxUint64, 1 << 63, g.r.Uint64()}
	if t.IsFloat() {
		x := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, math.Inf(1), math.NaN(), 1e10, -1e300, g.r.NormFloat64(), 255.5}
		return g.b.Const(t, x[g.r.IntN(len(x))])
	}
	return g.b.Bits(t, special[g.r.IntN(len(special))])
}

// pick returns a visible value of type t, new ones rather than old ones.
func (g *generator) pick(t Type) *Value {
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

func (g *generator) randomType(set typeSet) Type {
	for {
		if t := scalarTypes[g.r.IntN(len(scalarTypes))]; set.has(t) {
			return t
		}
	}
}

func (g *generator) statements(n int) {
	for range n {
		switch k := g.r.IntN(20); {
		case k < 9:
			g.operation()
		case k == 9:
			g.affineChain()
		case k == 10:
			g.affineLoad()
		case k < 12:
			i := g.b.Op(OpAnd, g.pick(I64), g.b.Int(I64, inputLen-1))
			t := g.randomType(anyScalar)
			at := g.b.Index(g.in, i, t)
			g.add(g.b.Load(Global, t, at))
			if g.r.IntN(3) == 0 { // again, which may be spared
				g.add(g.b.Load(Global, t, at))
			}
		case k < 14 && g.depth < 3:
			g.branch()
		case k < 16 && g.depth < 3:
			g.loop()
		case k < 18 && g.uniform:
			g.exchange()
		case k == 18 && g.depth < 2 && g.r.IntN(3) == 0:
			g.leave()
		default:
			g.operation()
		}
	}
}

// affineLoad reads at an address that is linear in the thread's indices, within the input for every block that there is.
func (g *generator) affineLoad() {
	t := g.randomType(anyScalar)
	tid := func(s Special) *Value { return g.b.Convert(I64, g.b.Special(s)) }
	i := g.b.Int(I64, int64(g.r.IntN(inputLen)))
	switch g.r.IntN(5) {
	case 0:
		i = g.lane
	case 1:
		i = tid(TidX)
	case 2:
		i = g.b.Op(OpAdd, tid(TidY), i)
		i = g.b.Op(OpMin, i, g.b.Int(I64, inputLen-1))
	case 3:
		i = g.b.Op(OpSub, g.b.Int(I64, inputLen-1), tid(TidX))
	}
	g.add(g.b.Load(Global, t, g.b.Index(g.in, i, t)))
}

// affineChain computes with a thread's index as the engine computes for all threads at once, until something wraps around.
func (g *generator) affineChain() {
	v := g.b.Special(TidX + Special(g.r.IntN(2)))
	for range 2 + g.r.IntN(4) {
		switch g.r.IntN(5) {
		case 0:
			v = g.b.Convert(g.randomType(integers), v)
		case 1:
			v = g.b.Op(OpShl, v, g.b.Int(U32, int64(g.r.IntN(9))))
		default:
			op := []Op{OpAdd, OpSub, OpMul}[g.r.IntN(3)]
			v = g.b.Op(op, v, g.constant(v.Type))
		}
		g.add(v)
	}
	g.add(g.b.Convert(I64, v), g.b.Op(OpLt+Op(g.r.IntN(4)), v, g.constant(v.Type)))
}

func (g *generator) operation() {
	ops := []Op{
		OpAdd, OpSub, OpMul, OpDiv, OpRem, OpMin, OpMax, OpNeg, OpAbs, OpFma, OpAnd, OpOr, OpXor, OpNot, OpShl, OpShr,
		OpEq, OpNe, OpLt, OpLe, OpGt, OpGe, OpSelect, OpConvert, OpSqrt, OpExp, OpAdd, OpMul, OpAdd, OpLt,
	}
	switch op := ops[g.r.IntN(len(ops))]; op {
	case OpShl, OpShr:
		g.add(g.b.Op(op, g.pick(g.randomType(integers)), g.pick(U32)))
	case OpSelect:
		t := g.randomType(anyScalar)
		g.add(g.b.Op(op, g.pick(Bool), g.pick(t), g.pick(t)))
	case OpConvert:
		g.add(g.b.Convert(g.randomType(anyScalar), g.pick(g.randomType(anyScalar))))
	default:
		t := g.randomType(typesOf(op))
		var args []*Value
		for range op.NArgs() {
			args = append(args, g.pick(t))
		}
		g.add(g.b.Op(op, args...))
	}
}

// scope runs body in blk, with what is visible afterwards as it was before.
func (g *generator) scope(blk *Block, body func()) {
	n := len(g.vals)
	g.depth++
	g.b.SetBlock(blk)
	body()
	g.depth--
	g.vals = g.vals[:n]
}

// uniformBool returns a condition that is the same for all threads, anyBool one that need not be.
func (g *generator) uniformBool() *Value {
	return g.b.Op(OpLt, g.b.Special(CtaidX), g.b.Int(U32, int64(g.r.IntN(3))))
}

func (g *generator) condition() (cond *Value, uniform bool) {
	switch g.r.IntN(3) {
	case 0:
		return g.uniformBool(), true
	case 1:
		return g.b.Op(OpLt, g.lane, g.b.Int(I64, int64(g.r.IntN(g.lanes+2)))), false
	}
	return g.pick(Bool), false
}

func (g *generator) branch() {
	cond, same := g.condition()
	outer := g.uniform
	g.uniform = outer && same
	var types []Type
	for range g.r.IntN(4) {
		types = append(types, g.randomType(anyScalar))
	}
	join := g.b.NewBlock("join", types...)
	side := func() {
		g.statements(1 + g.r.IntN(4))
		var args []*Value
		for _, t := range types {
			args = append(args, g.pick(t))
		}
		g.b.Jump(join, args...)
	}
	then, otherwise := g.b.NewBlock("then"), g.b.NewBlock("else")
	g.b.Branch(cond, then, otherwise)
	g.scope(then, side)
	g.scope(otherwise, side)
	g.b.SetBlock(join)
	g.add(join.Params...)
	g.uniform = outer
}

// loop runs a body up to seven times; the carried values may be swapped on the way round.
func (g *generator) loop() {
	outer := g.uniform
	trips := g.b.Int(U32, int64(g.r.IntN(5)))
	if g.r.IntN(2) == 0 {
		trips = g.b.Op(OpAnd, g.pick(U32), g.b.Int(U32, 7))
		g.uniform = false
	}
	types, start := []Type{U32}, []*Value{g.b.Int(U32, 0)}
	for range g.r.IntN(4) {
		t := types[len(types)-1] // often the same type, so that values can change places
		if t == U32 || g.r.IntN(3) == 0 {
			t = g.randomType(anyScalar)
		}
		types, start = append(types, t), append(start, g.pick(t))
	}
	head, body, exit := g.b.NewBlock("head", types...), g.b.NewBlock("body"), g.b.NewBlock("exit")
	g.b.Jump(head, start...)
	g.b.SetBlock(head)
	i := head.Params[0]
	g.add(head.Params...)
	next := func() []*Value {
		args := []*Value{g.b.Op(OpAdd, i, g.b.Int(U32, 1))}
		for _, t := range types[1:] {
			v := g.pick(t)
			if p := head.Params[1+g.r.IntN(len(types)-1)]; p.Type == t {
				v = p
			}
			args = append(args, v)
		}
		return args
	}
	if g.r.IntN(3) == 0 { // the test at the end: what the last round computed stays visible
		g.depth++
		g.statements(1 + g.r.IntN(4))
		g.depth--
		more := g.b.Op(OpLt, i, trips)
		g.b.BranchTo(more, Edge{head, next()}, Edge{To: exit})
		g.b.SetBlock(exit)
		g.uniform = outer
		return
	}
	g.statements(g.r.IntN(3)) // runs once more than the body
	more := g.b.Op(OpLt, i, trips)
	if g.r.IntN(2) == 0 {
		g.b.Branch(more, body, exit)
	} else {
		g.b.Branch(g.b.Op(OpNot, more), exit, body)
	}
	g.scope(body, func() {
		g.statements(1 + g.r.IntN(4))
		g.b.Jump(head, next()...)
	})
	g.b.SetBlock(exit)
	g.uniform = outer
}

// exchange passes a value to another thread through shared memory.
func (g *generator) exchange() {
	t := g.randomType(anyScalar)
	b := g.b
	b.Store(Shared, b.Index(g.shared, g.lane, U64), g.pick(t))
	b.Barrier()
	far := b.Op(OpRem, b.Op(OpAdd, g.lane, b.Int(I64, int64(g.r.IntN(g.lanes)))), b.Int(I64, int64(g.lanes)))
	g.add(b.Load(Shared, t, b.Index(g.shared, far, U64)))
	b.Barrier()
}

// leave lets some threads return.
func (g *generator) leave() {
	out, stay := g.b.NewBlock("out"), g.b.NewBlock("stay")
	cond, _ := g.condition()
	g.b.Branch(cond, out, stay)
	g.b.SetBlock(out)
	g.b.Return()
	g.b.SetBlock(stay)
}

func (k *randomKernel) input() []byte {
	r := rand.New(rand.NewPCG(7, 7))
	b := make([]byte, inputLen*8)
	for i := range b {
		b[i] = byte(r.Uint32())
		if r.IntN(3) == 0 {
			b[i] = 0
		}
	}
	return b
}

func (k *randomKernel) output() []byte {
	return make([]byte, k.grid.Count()*k.block.Count()*outputs*8)
}
