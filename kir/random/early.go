package random

import (
	"math/rand/v2"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Early is a random kernel of blocks whose threads return at many places, inside of branches and loops, while those
// that go on meet at barriers and read what others, also those that have returned, wrote before. Each thread leaves a
// number.
type Early struct {
	Func    *kir.Func // parameter: the address of a U32 for each thread
	Blocks  int
	Threads int // of a block

	body []earlyStep
}

// earlyStep is a step of the kernel; which one says what is set.
type earlyStep struct {
	times, plus uint32      // x = x*times + plus
	test        *earlyTest  // for the three below
	then, other []earlyStep // a branch
	returns     bool        // return, where test holds
	rounds      []earlyStep // so often as the low two bits of x say when it begins, or, when even, trips
	even        bool        // the same way for all threads of the block: then barriers may be inside
	trips       int
	meets       bool // write x where others see it, barrier, add that of the thread so many on, barrier
	by          int
}

// earlyTest holds where (x>>shift)&7 < below, or, of an even one, where the block's number is odd.
type earlyTest struct{ shift, below uint32 }

// NewEarly returns the kernel of a seed.
func NewEarly(seed uint64) (*Early, error) {
	r := rand.New(rand.NewPCG(seed, 77))
	e := &Early{Blocks: 1 + r.IntN(3), Threads: []int{32, 64, 96, 40}[r.IntN(4)]}
	e.body = e.steps(r, 3, true, false)
	b := kir.NewBuilder("early")
	g := &earlyBuilder{Builder: b, out: b.Param("out", kir.U64), shared: b.SharedArray("s", kir.U32, e.Threads), threads: e.Threads}
	g.tid = b.Special(kir.TidX)
	g.exit = b.NewBlock("exit", kir.U32)
	x := b.Op(kir.OpAdd, b.Op(kir.OpMul, b.Convert(kir.U32, b.GlobalIDX()), b.Int(kir.U32, 0x9e3779b1)), b.Int(kir.U32, 12345))
	g.ownExits = r.IntN(2) == 0
	g.put(g.tid, x)
	x = g.add(e.body, x)
	g.leave(x)
	if !g.ownExits {
		b.SetBlock(g.exit)
		g.end(g.exit.Params[0])
	}
	var err error
	e.Func, err = b.Func()
	return e, err
}

// steps makes some steps: those that all threads of a block that are left come to when even.
func (e *Early) steps(r *rand.Rand, depth int, even, loop bool) (out []earlyStep) {
	test := func() *earlyTest { return &earlyTest{uint32(r.IntN(20)), uint32(1 + r.IntN(6))} }
	for range 1 + r.IntN(5) {
		kind := r.IntN(10)
		if depth == 0 && kind >= 5 {
			kind = 0
		}
		switch {
		case kind == 1 && even, kind == 2 && even:
			out = append(out, earlyStep{meets: true, by: 1 + r.IntN(e.Threads-1)})
		case kind == 3 || kind == 4:
			t := test()
			if loop || r.IntN(2) == 0 {
				t.below = 1
			}
			out = append(out, earlyStep{returns: true, test: t})
		case kind == 5 || kind == 6:
			out = append(out, earlyStep{test: test(), then: e.steps(r, depth-1, false, loop), other: e.steps(r, depth-1, false, loop)})
		case kind == 7:
			out = append(out, earlyStep{rounds: e.steps(r, depth-1, false, true)})
		case kind == 8 && even:
			out = append(out, earlyStep{test: &earlyTest{}, even: true, then: e.steps(r, depth-1, true, loop), other: e.steps(r, depth-1, true, loop)})
		case kind == 9 && even:
			out = append(out, earlyStep{rounds: e.steps(r, depth-1, true, true), even: true, trips: 1 + r.IntN(2)})
		default:
			out = append(out, earlyStep{times: r.Uint32() | 1, plus: r.Uint32()})
		}
	}
	return out
}

// earlyBuilder makes the kernel of the steps.
type earlyBuilder struct {
	*kir.Builder
	out, shared, tid *kir.Value
	threads          int
	exit             *kir.Block
	ownExits         bool // each return is one of its own; else all go to one place
}

func (g *earlyBuilder) put(i, x *kir.Value) {
	g.Store(kir.Shared, g.Index(g.shared, g.Convert(kir.I64, i), kir.U32), x)
}

func (g *earlyBuilder) end(x *kir.Value) {
	g.Store(kir.Global, g.Index(g.out, g.GlobalIDX(), kir.U32), x)
	g.Return()
}

func (g *earlyBuilder) leave(x *kir.Value) {
	if g.ownExits {
		g.end(x)
		return
	}
	g.Jump(g.exit, x)
}

func (g *earlyBuilder) holds(s earlyStep, x *kir.Value) *kir.Value {
	if s.even {
		return g.Op(kir.OpNe, g.Op(kir.OpAnd, g.Special(kir.CtaidX), g.Int(kir.U32, 1)), g.Int(kir.U32, 0))
	}
	low := g.Op(kir.OpAnd, g.Op(kir.OpShr, x, g.Int(kir.U32, int64(s.test.shift))), g.Int(kir.U32, 7))
	return g.Op(kir.OpLt, low, g.Int(kir.U32, int64(s.test.below)))
}

// add makes the steps from where the builder is, and returns x behind them.
func (g *earlyBuilder) add(steps []earlyStep, x *kir.Value) *kir.Value {
	for _, s := range steps {
		switch {
		case s.meets:
			g.put(g.tid, x)
			g.Barrier()
			at := g.Op(kir.OpRem, g.Op(kir.OpAdd, g.tid, g.Int(kir.U32, int64(s.by))), g.Int(kir.U32, int64(g.threads)))
			x = g.Op(kir.OpAdd, x, g.Load(kir.Shared, kir.U32, g.Index(g.shared, g.Convert(kir.I64, at), kir.U32)))
			g.Barrier()
		case s.returns:
			gone, on := g.NewBlock("gone"), g.NewBlock("on")
			g.Branch(g.holds(s, x), gone, on)
			g.SetBlock(gone)
			g.leave(x)
			g.SetBlock(on)
		case s.rounds != nil:
			trips := g.Int(kir.U32, int64(s.trips))
			if !s.even {
				trips = g.Op(kir.OpAnd, x, g.Int(kir.U32, 3))
			}
			head, body, done := g.NewBlock("head", kir.U32, kir.U32), g.NewBlock("body"), g.NewBlock("done")
			g.Jump(head, x, g.Int(kir.U32, 0))
			g.SetBlock(head)
			g.Branch(g.Op(kir.OpLt, head.Params[1], trips), body, done)
			g.SetBlock(body)
			next := g.add(s.rounds, head.Params[0])
			g.Jump(head, next, g.Op(kir.OpAdd, head.Params[1], g.Int(kir.U32, 1)))
			g.SetBlock(done)
			x = head.Params[0]
		case s.test != nil:
			then, other, join := g.NewBlock("then"), g.NewBlock("other"), g.NewBlock("join", kir.U32)
			g.Branch(g.holds(s, x), then, other)
			g.SetBlock(then)
			g.Jump(join, g.add(s.then, x))
			g.SetBlock(other)
			g.Jump(join, g.add(s.other, x))
			g.SetBlock(join)
			x = join.Params[0]
		default:
			x = g.Op(kir.OpAdd, g.Op(kir.OpMul, x, g.Int(kir.U32, int64(s.times))), g.Int(kir.U32, int64(s.plus)))
		}
	}
	return x
}

// Interpret returns what each thread leaves, and whether a barrier opens in some block that threads of it have ended
// without reaching. It knows of no warps: the threads of a block take each step that all come to one after the other.
func (e *Early) Interpret() (out []uint32, missed bool) {
	for block := range e.Blocks {
		in := earlyBlock{number: block, x: make([]uint32, e.Threads), s: make([]uint32, e.Threads), gone: make([]bool, e.Threads)}
		for t := range in.x {
			in.x[t] = uint32(block*e.Threads+t)*0x9e3779b1 + 12345
			in.s[t] = in.x[t]
		}
		in.run(e.body)
		out, missed = append(out, in.x...), missed || in.missed
	}
	return out, missed
}

type earlyBlock struct {
	number int
	x, s   []uint32 // of each thread, and what others see of it
	gone   []bool
	missed bool
}

// run takes all threads that are left through steps that they come to together.
func (in *earlyBlock) run(steps []earlyStep) {
	for _, s := range steps {
		switch {
		case s.meets:
			in.meet(s.by)
		case s.even && s.rounds != nil:
			for range s.trips {
				in.run(s.rounds)
			}
		case s.even && in.number%2 == 1:
			in.run(s.then)
		case s.even:
			in.run(s.other)
		default:
			for t := range in.x {
				if !in.gone[t] {
					in.gone[t] = !in.alone(t, []earlyStep{s})
				}
			}
		}
	}
}

// alone takes a thread through steps and reports whether it is left.
func (in *earlyBlock) alone(t int, steps []earlyStep) bool {
	x := &in.x[t]
	for _, s := range steps {
		switch {
		case s.returns:
			if s.test.of(*x) {
				return false
			}
		case s.rounds != nil:
			for range *x & 3 {
				if !in.alone(t, s.rounds) {
					return false
				}
			}
		case s.test != nil:
			way := s.other
			if s.test.of(*x) {
				way = s.then
			}
			if !in.alone(t, way) {
				return false
			}
		default:
			*x = *x*s.times + s.plus
		}
	}
	return true
}

func (t *earlyTest) of(x uint32) bool { return x>>t.shift&7 < t.below }

func (in *earlyBlock) meet(by int) {
	left := 0
	for t, gone := range in.gone {
		if !gone {
			in.s[t] = in.x[t]
			left++
		}
	}
	in.missed = in.missed || left > 0 && left < len(in.x)
	for t, gone := range in.gone {
		if !gone {
			in.x[t] += in.s[(t+by)%len(in.x)]
		}
	}
}
