package simgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/random"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// What a launch that was recorded has in common for machines is gathered once for those that differ in policies alone:
// each has the statistics that it has of a recording of its own.
func TestGatheredOnceForAllPolicies(t *testing.T) {
	var machines []*GPU
	for _, options := range [][]Option{
		nil, {WithDivergence(TF{})}, {WithPicker(GTO{})}, {WithDivergence(DWF{}), WithLanes(Swizzle)}, {WithDivergence(NREC{})}, {WithDivergence(MIMD{})},
		{WithCTAs(VT{})}, {WithLoads(Mascar{})}, {WithBlockOrder(Shuffle(3))}, {Change(func(p *Preset) { p.WarpSize /= 2 })}, {AsWritten()},
	} {
		machines = append(machines, newBench(t, "fermivt", options...).gpu)
	}
	keys := map[string]int{}
	for _, g := range machines {
		keys[(&kernel{gpu: g}).gatheredKey()]++
	}
	// TF and NREC count what they issue of all blocks; another order, warps of 16 and no compiler gather something else
	assert.Len(t, keys, 6)

	for seed := range testsize.Seeds("simgpu.TestGatheredOnceForAllPolicies") {
		k := random.New(seed, random.All)
		record := func() *cpu.Recording {
			m := cpu.NewMemory()
			m.Map(1<<20, k.Input)
			m.Map(1<<30, k.Output())
			r, err := cpu.NewRecording(k.Func, cpu.Launch{Grid: k.Grid, Block: k.Block, Params: k.At(1<<20, 1<<30), Memory: m}, 1<<28)
			require.NoError(t, err)
			return r
		}
		all := record()
		var got, want [2]*trace.KernelStats
		for i, g := range machines {
			for j := range got { // the second has it all gathered
				var err error
				got[j], err = g.Replay(ctx, all, true)
				require.NoError(t, err, "seed %d on machine %d", seed, i)
			}
			var err error
			want[0], err = g.Replay(ctx, record(), true)
			require.NoError(t, err)
			assert.Equal(t, want[0], got[0], "seed %d on machine %d", seed, i)
			assert.Equal(t, want[0], got[1], "seed %d on machine %d, again", seed, i)
		}
	}
}
