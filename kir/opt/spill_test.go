package opt_test

import (
	"context"
	"errors"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/random"
)

// TestSpillKeepsResults: random kernels with few registers give what the reference interpreter gives with as many as it
// takes.
func TestSpillKeepsResults(t *testing.T) {
	seeds, spilled, reached := testsize.Of("kir/opt.TestSpillKeepsResults"), 0, 0
	for seed := range testsize.Seeds("kir/opt.TestSpillKeepsResults") {
		k := random.New(7000+seed, random.All)
		f := opt.Optimize(k.Func)
		n := opt.Registers(f)
		limit := max(12, n*2/3)
		change := func(*kir.Func) *kir.Func {
			g := opt.Spill(f, limit)
			if opt.Registers(g) <= limit {
				reached++
			}
			if g != f {
				spilled++
			}
			return g
		}
		err := k.Check(random.After("spilled", change, random.Engine(1)))
		if d := (*random.Difference)(nil); errors.As(err, &d) {
			t.Fatalf("%v\n%v", err, opt.Spill(f, limit))
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if t.Logf("%d of %d kernels spill, %d fit in the end", spilled, seeds, reached); spilled < seeds/2 || reached < seeds*9/10 {
		t.Errorf("%d of %d kernels spill, %d fit in the end", spilled, seeds, reached)
	}
}

// TestSpillTakesWhatIsUsedLeast: of ten sums that live across a loop, those used in the loop stay.
func TestSpillTakesWhatIsUsedLeast(t *testing.T) {
	b := kir.NewBuilder("k")
	p := b.Param("p", kir.U64)
	var idle []*kir.Value
	for i := range 10 {
		idle = append(idle, b.Load(kir.Global, kir.F32, b.Op(kir.OpAdd, p, b.Int(kir.U64, int64(4*i)))))
	}
	step := b.Load(kir.Global, kir.F32, p)
	head, body, exit := b.NewBlock("head", kir.U32, kir.F32), b.NewBlock("body"), b.NewBlock("exit")
	b.Jump(head, b.Int(kir.U32, 0), b.Const(kir.F32, 0))
	b.SetBlock(head)
	b.Branch(b.Op(kir.OpLt, head.Params[0], b.Special(kir.NTidX)), body, exit)
	b.SetBlock(body)
	b.Jump(head, b.Op(kir.OpAdd, head.Params[0], b.Int(kir.U32, 1)), b.Op(kir.OpAdd, head.Params[1], step))
	b.SetBlock(exit)
	sum := head.Params[1]
	for _, v := range idle {
		sum = b.Op(kir.OpMul, sum, v)
	}
	b.Store(kir.Global, p, sum)
	b.Return()
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	g := opt.Spill(f, opt.Registers(f)-4)
	if len(g.Local) != 4 {
		t.Errorf("%d values are spilled, not the four that four registers take\n%v", len(g.Local), g)
	}
	for _, blk := range g.Blocks {
		for _, v := range blk.Values {
			if v.Op.IsMemory() && v.Space == kir.Local && (blk.Name == "head" || blk.Name == "body") {
				t.Errorf("the loop has %q", v.Text())
			}
		}
	}
}

// TestBoundsAreTextAndLimit: bounds print and parse, tell kernels apart, and a launch with more threads fails.
func TestBoundsAreTextAndLimit(t *testing.T) {
	f, err := kir.Parse("kernel k() maxthreads 64 minblocks 2 maxregisters 32 unscheduled\nb0:\n\treturn\n")
	if err != nil {
		t.Fatal(err)
	}
	if want := (kir.Bounds{MaxThreads: 64, MinBlocks: 2, MaxRegisters: 32, Unscheduled: true}); f.Bounds != want {
		t.Errorf("%+v", f.Bounds)
	}
	g, err := kir.Parse(f.String())
	if err != nil || !kir.Equal(f, g) {
		t.Errorf("%v\n%v", err, g)
	}
	if g.Bounds.MaxThreads = 65; kir.Equal(f, g) || opt.Optimize(g).Bounds != g.Bounds {
		t.Error("bounds are lost")
	}
	p, err := cpu.Compile(f)
	if err != nil {
		t.Fatal(err)
	}
	for threads, ok := range map[int]bool{64: true, 65: false} {
		if _, err := p.Run(context.Background(), cpu.Launch{Grid: kir.D1(1), Block: kir.D1(threads)}); (err == nil) != ok {
			t.Errorf("%d threads: %v", threads, err)
		}
	}
}
