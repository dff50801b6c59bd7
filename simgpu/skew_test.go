package simgpu

import (
	"math"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// skewed lets the threads of block c go round a loop as often as trips says; the loop is not unrolled.
func skewed(t testing.TB, trips func(b *kir.Builder, c *kir.Value) *kir.Value) *kir.Func {
	f := elementwise(t, "skewed", []string{"y"}, func(b *kir.Builder, p []*kir.Value, i *kir.Value) {
		n := trips(b, b.Convert(kir.I64, b.Special(kir.CtaidX)))
		head := b.NewBlock("head", kir.I64, kir.F32)
		body, after := b.NewBlock("loop"), b.NewBlock("after")
		b.Jump(head, b.Int(kir.I64, 0), b.Const(kir.F32, 1))
		b.SetBlock(head)
		k, x := head.Params[0], head.Params[1]
		b.Branch(b.Op(kir.OpLt, k, n), body, after)
		b.SetBlock(body)
		b.Jump(head, b.Op(kir.OpAdd, k, b.Int(kir.I64, 1)), b.Op(kir.OpFma, x, x, x))
		b.SetBlock(after)
		b.Store(kir.Global, b.Index(p[0], i, kir.F32), x)
	})
	f.Bounds.Compiled = true
	return f
}

// Blocks differ in their work, which the functional pass counts for all of them: the sample is weighted by it.
func TestSampleOfUnequalBlocks(t *testing.T) {
	testsize.InTurn(t, 2)
	for _, c := range []struct {
		name  string
		trips func(b *kir.Builder, c *kir.Value) *kir.Value
	}{
		{"more and more", func(b *kir.Builder, c *kir.Value) *kir.Value { return b.Op(kir.OpShr, c, b.Int(kir.U32, 5)) }},
		{"in turn", func(b *kir.Builder, c *kir.Value) *kir.Value { return b.Op(kir.OpAnd, c, b.Int(kir.I64, 31)) }},
	} {
		var st [2]*trace.KernelStats
		for i, options := range [][]Option{{Full()}, {SampleAbove(200_000)}} {
			b := newBench(t, "v100", options...)
			const n = 1600 * 128
			e := b.launch(skewed(t, c.trips), kir.D1(1600), kir.D1(128), b.alloc(4*n), n)
			checkStats(t, e)
			st[i] = e.Stats
		}
		if st[1].SampledBlocks*2 > st[1].TotalBlocks {
			t.Errorf("%s: %d of %d blocks is not a sample", c.name, st[1].SampledBlocks, st[1].TotalBlocks)
		}
		if off := float64(st[1].Cycles)/float64(st[0].Cycles) - 1; math.Abs(off) > st[1].ErrorEstimate {
			t.Errorf("%s: off by %.1f %%", c.name, 100*off)
		}
	}
}
