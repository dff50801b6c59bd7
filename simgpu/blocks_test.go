package simgpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
)

// TestBlocksBeginOneByOne: where a machine begins one block in so many cycles, a launch of small blocks takes as long
// as its blocks take to begin, also when a sample is timed; larger blocks take no longer than without that.
func TestBlocksBeginOneByOne(t *testing.T) {
	f := scaleKernel(t)
	cycles := func(interval, block int, options ...Option) float64 {
		const n = 1 << 18
		m := newBench(t, "h200", append(options, Change(func(p *Preset) { p.BlockInterval = interval }))...)
		return float64(m.launch(f, kir.D1(n/block), kir.D1(block), m.alloc(4*n), m.alloc(4*n)).Stats.Cycles)
	}
	const blocks = 1 << 13
	for _, interval := range []int{2, 5} {
		least := float64(blocks * interval)
		for _, options := range [][]Option{{Full()}, {SampleAbove(20_000)}} {
			got := cycles(interval, 32, options...)
			require.Greater(t, got, 0.95*least, "%d", interval)
			require.Less(t, got, 1.25*least+4000, "%d", interval)
		}
	}
	require.InEpsilon(t, cycles(0, 512, Full()), cycles(1, 512, Full()), 0.1)
	require.Less(t, cycles(0, 32, Full()), 0.8*cycles(2, 32, Full()))
}

// scaleKernel is y[i] = x[i]*3 of float32.
func scaleKernel(t *testing.T) *kir.Func {
	b := kir.NewBuilder("scale")
	x, y := b.Param("x", kir.U64), b.Param("y", kir.U64)
	i := b.GlobalIDX()
	v := b.Load(kir.Global, kir.F32, b.Index(x, i, kir.F32))
	b.Store(kir.Global, b.Index(y, i, kir.F32), b.Op(kir.OpMul, v, b.Const(kir.F32, 3)))
	b.Return()
	return build(t, b)
}
