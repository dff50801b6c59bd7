package random

import "github.com/arrayrepl/arrayrepl/kir"

type localArray struct {
	addr *kir.Value
	elem kir.Type
	len  int
}

// index returns the address of an element of an array of n, a power of two, whose number is only known when it runs, or
// a constant one.
func (g *generator) index(base *kir.Value, t kir.Type, n int) *kir.Value {
	if g.r.IntN(2) == 0 {
		return g.b.Index(base, g.i64(int64(g.r.IntN(n))), t)
	}
	i := g.b.Op(kir.OpAnd, g.pick(kir.I64), g.i64(int64(n-1)))
	return g.b.Index(base, i, t)
}

// load reads the input, sometimes the same or neighbouring elements again.
func (g *generator) load() {
	t := g.anyType()
	i := g.b.Op(kir.OpAnd, g.pick(kir.I64), g.i64(inputLen/2-1))
	at := g.b.Index(g.in, i, t)
	if g.r.IntN(3) == 0 { // with a check that always passes, as kernels in Go have them
		n := g.i64(inputLen)
		unsigned := func(v *kir.Value) *kir.Value { return g.b.Convert(kir.U64, v) }
		g.b.Check(kir.CheckIndex, g.b.Op(kir.OpLt, unsigned(i), unsigned(n)), i, n, "")
	}
	g.add(g.b.Load(kir.Global, t, at))
	switch g.r.IntN(5) {
	case 0:
		g.add(g.b.Load(kir.Global, t, at))
	case 1:
		next := g.b.Op(kir.OpAdd, i, g.i64(int64(1+g.r.IntN(3))))
		g.add(g.b.Load(kir.Global, t, g.b.Index(g.in, next, t)))
	case 2: // at an index of 32 bits that is widened
		j := g.b.Op(kir.OpAdd, g.b.Op(kir.OpAnd, g.pick(kir.I32), g.b.Int(kir.I32, 15)), g.b.Int(kir.I32, int64(g.r.IntN(4))))
		g.add(g.b.Load(kir.Global, t, g.b.Index(g.in, g.b.Convert(kir.I64, j), t)))
	case 3:
		if g.has.Offsets {
			v := g.b.Load(kir.Global, t, at)
			v.Imm = uint64(t.Bytes() * g.r.IntN(8))
			g.add(v)
		}
	case 4:
		if n := 2 << g.r.IntN(2); g.has.Offsets && n*t.Bytes() <= 16 {
			at := g.b.Index(g.in, g.b.Op(kir.OpAnd, i, g.i64(int64(-n))), t)
			g.add(g.b.LoadVector(kir.Global, t, n, at)...)
		}
	}
}

// affineLoad reads at an address that is linear in the thread's indices, within the input for every block that there
// is.
func (g *generator) affineLoad() {
	t := g.anyType()
	tid := func(s kir.Special) *kir.Value { return g.b.Convert(kir.I64, g.b.Special(s)) }
	i := g.i64(int64(g.r.IntN(inputLen)))
	switch g.r.IntN(5) {
	case 0:
		i = g.lane
	case 1:
		i = tid(kir.TidX)
	case 2:
		i = g.b.Op(kir.OpAdd, tid(kir.TidY), i)
		i = g.b.Op(kir.OpMin, i, g.i64(inputLen-1))
	case 3:
		i = g.b.Op(kir.OpSub, g.i64(inputLen-1), tid(kir.TidX))
	}
	g.add(g.b.Load(kir.Global, t, g.b.Index(g.in, i, t)))
}

// ownElement writes to an element of the output that is the thread's own, and may read it again.
func (g *generator) ownElement() {
	at := g.b.Op(kir.OpAdd, g.own, g.b.Int(kir.U64, int64(8*g.r.IntN(4))))
	v := g.pick(g.typeOf(func(t kir.Type) bool { return !t.IsFloat() }))
	if g.r.IntN(3) > 0 {
		g.b.Store(kir.Global, at, g.b.Convert(kir.U64, v))
	}
	if g.r.IntN(3) > 0 {
		g.add(g.b.Load(kir.Global, kir.U64, at))
	}
}

// exchange passes a value to another thread through shared memory.
func (g *generator) exchange() {
	t := g.anyType()
	b := g.b
	b.Store(kir.Shared, b.Index(g.shared, g.lane, kir.U64), g.pick(t))
	g.barrier()
	far := b.Op(kir.OpRem, b.Op(kir.OpAdd, g.lane, g.i64(int64(g.r.IntN(g.lanes)))), g.i64(int64(g.lanes)))
	g.add(b.Load(kir.Shared, t, b.Index(g.shared, far, kir.U64)))
	g.barrier()
}

func (g *generator) barrier() {
	if g.has.Reduce && g.r.IntN(4) == 0 {
		op := []kir.Op{kir.OpBarrierCount, kir.OpBarrierAnd, kir.OpBarrierOr}[g.r.IntN(3)]
		g.add(g.b.BarrierReduce(op, g.pick(kir.Bool)))
		return
	}
	g.b.Barrier()
}

// local makes local arrays, with values in them.
func (g *generator) local() {
	if !g.has.Local {
		return
	}
	for range g.r.IntN(3) {
		a := localArray{elem: g.anyType(), len: 1 << g.r.IntN(4)}
		a.addr = g.b.LocalArray("local", a.elem, a.len)
		for i := range a.len {
			g.b.Store(kir.Local, g.b.Index(a.addr, g.i64(int64(i)), a.elem), g.pick(a.elem))
		}
		g.arrays = append(g.arrays, a)
	}
}

func (g *generator) useLocal() {
	if len(g.arrays) == 0 {
		return
	}
	a := g.arrays[g.r.IntN(len(g.arrays))]
	for range 1 + g.r.IntN(3) {
		at := g.index(a.addr, a.elem, a.len)
		if g.r.IntN(2) == 0 {
			g.b.Store(kir.Local, at, g.pick(a.elem))
		} else {
			g.add(g.b.Load(kir.Local, a.elem, at))
		}
	}
}

// cellOps gives each cell of the atomics its operation: several on one cell would not commute.
var cellOps = []kir.Op{kir.OpAtomicAdd, kir.OpAtomicMin, kir.OpAtomicMax, kir.OpAtomicAnd, kir.OpAtomicOr, kir.OpAtomicXor}

// atomic changes a cell that all threads share; nobody looks at what stood there.
func (g *generator) atomic() {
	n := g.r.IntN(cells)
	t := []kir.Type{kir.U32, kir.I32, kir.U64, kir.I64}[n/len(cellOps)%4]
	at := g.b.Op(kir.OpAdd, g.cells, g.b.Int(kir.U64, int64(8*n)))
	g.b.Atomic(cellOps[n%len(cellOps)], kir.Global, at, g.pick(t))
}

// warp lets the threads of a warp exchange values, all of them that live.
func (g *generator) warp() {
	mask := g.b.FullMask()
	switch g.r.IntN(4) {
	case 0:
		op := []kir.Op{kir.OpVoteAll, kir.OpVoteAny, kir.OpBallot}[g.r.IntN(3)]
		g.add(g.b.Vote(op, g.pick(kir.Bool), mask))
	case 1:
		g.add(g.b.MatchAny(g.pick(g.typeOf(isWord)), mask))
	case 2:
		g.add(g.b.WarpReduce(kir.Reduction(g.r.IntN(6)), g.pick([]kir.Type{kir.I32, kir.U32}[g.r.IntN(2)]), mask))
	default:
		s := kir.NewShuffle(kir.ShuffleMode(g.r.IntN(4)), 1<<g.r.IntN(6))
		t := g.typeOf(wordOrFloat)
		v := g.pick(t)
		if t == kir.F64 { // moves as bits
			v = g.b.Op(kir.OpSelect, g.b.Op(kir.OpEq, v, v), v, g.b.Const(t, 1.5))
		}
		g.add(g.b.Shuffle(s, v, g.amount(), mask))
	}
}
