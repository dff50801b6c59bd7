package simgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
)

// A block of as many threads as a kernel says fits, with as many registers as that leaves: one more would not do.
func TestRegistersForABlock(t *testing.T) {
	for _, name := range Names() {
		p, err := PresetByName(name)
		require.NoError(t, err)
		for threads := 32; threads <= p.MaxThreadsPerBlock; threads += 32 {
			most := p.registersFor(threads)
			_, err := Occupancy(p, most, threads, 0)
			assert.NoError(t, err, "%s: %d threads with %d registers", name, threads, most)
			_, err = Occupancy(p, most+1, threads, 0)
			assert.Error(t, err, "%s: %d threads with %d registers", name, threads, most+1)
		}
		assert.Equal(t, p.registersFor(p.MaxThreadsPerBlock), p.registersFor(2*p.MaxThreadsPerBlock), "%s: more than a block has", name)
	}
}

// TestLaunchBounds: where a kernel says how large its blocks are, its compiler keeps registers so few that one fits,
// as nvcc does for __launch_bounds__. Where it does not say, the launch fails.
func TestLaunchBounds(t *testing.T) {
	const n, values = 512, 80 // values that all live at a time: 20,480 registers, of 16,384
	f := elementwise(t, "many", []string{"x", "y"}, func(b *kir.Builder, p []*kir.Value, i *kir.Value) {
		var all []*kir.Value
		for j := range values {
			all = append(all, b.Load(kir.Global, kir.F32, b.Index(p[0], b.Op(kir.OpAdd, i, b.Int(kir.I64, int64(j))), kir.F32)))
		}
		b.Fence(kir.BlockScope)
		sum := b.Const(kir.F32, 0)
		for j, v := range all {
			sum = b.Op(kir.OpFma, v, b.Const(kir.F32, float64(j)), sum)
		}
		b.Store(kir.Global, b.Index(p[1], i, kir.F32), sum)
	})
	b := newBench(t, "gtx280")
	x, y := b.alloc(4*(n+values)), b.alloc(4*n)
	unbound, err := b.gpu.Load(f)
	require.NoError(t, err)
	_, _, err = unbound.(*kernel).fits(kir.D1(n/256), kir.D1(256), 0, make([]byte, 24))
	assert.ErrorContains(t, err, "registers of an SM")
	f.Bounds.MaxThreads = 256
	st := b.launch(f, kir.D1(n/256), kir.D1(256), x, y, n).Stats
	assert.LessOrEqual(t, st.Registers, 16384/256)
	assert.Positive(t, st.SpillLoads)
}
