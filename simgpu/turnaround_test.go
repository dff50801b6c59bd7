package simgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
)

// TestBlocksThatTakeAPlaceBeginLater: each block but the first of its place begins BlockLatency cycles after the one
// before has ended. Where blocks are alone on an SM, that adds up exactly.
func TestBlocksThatTakeAPlaceBeginLater(t *testing.T) {
	cycles := func(blocks, latency int) int64 {
		p, err := PresetByName("v100")
		require.NoError(t, err)
		p.SMs, p.MaxBlocksPerSM, p.BlockLatency = 2, 1, latency
		m := newBenchOf(t, p)
		return m.launch(rounds(t, 10, 10, 0), kir.D1(blocks), kir.D1(64), m.alloc(4*64*blocks)).Stats.Cycles
	}
	for _, places := range []int{1, 2, 5} { // blocks that follow each other on an SM
		assert.EqualValues(t, 1000*(places-1), cycles(2*places, 1300)-cycles(2*places, 300), "%d blocks on an SM", places)
	}
}

// TestLoadsOfL1ByStride: on an A100 a load of 32 floats, so many apart, takes L1 as many cycles as gpu-benches measured
// (gpu-strides), within an eighth, on average over the eight places of its kernel, 4 floats from each other: the turns
// at banks, or a quarter of a cycle for each line and a half.
func TestLoadsOfL1ByStride(t *testing.T) {
	p, err := PresetByName("a100")
	require.NoError(t, err)
	for stride, want := range map[int]float64{1: 1.02, 2: 2.00, 3: 1.63, 4: 4.00, 5: 2.20, 7: 2.67, 8: 8.0, 9: 3.03, 16: 16, 32: 32, 33: 8.8} {
		s := &sm{m: &machine{grid: &grid{observer: observer{accesses: accesses{preset: &p}}}}}
		total := int64(0)
		for i := range 400 {
			addrs := lanesAt(32, func(lane int) uint64 { return uint64(1<<20 + 4*(stride*lane+i%8*4)) })
			passes, _ := addrs.bankPasses(lanes(0, 32), 4, p.SharedBanks)
			lines := len(p.Coalescing.transactions(addrs, lanes(0, 32), 4, true, nil))
			total += s.turns(int64(passes), int64(lines))
		}
		assert.InEpsilon(t, want, float64(total)/400, 0.125, "stride %d", stride)
	}
}
