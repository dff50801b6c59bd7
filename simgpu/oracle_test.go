package simgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/random"
)

// simt-microarchitecture.md 2.9 [G]: the oracle's slots of K7, whose sides alternate, are 2526, where PDOM needs 4801
// (+92 % in the paper); of K6, with a condition cut short, as many as under thread frontiers.
func TestOracle(t *testing.T) {
	for _, c := range goldens() {
		f := wayCosts{join: c.f.join, taken: c.f.taken}
		for _, n := range c.f.instrs {
			f.cost = append(f.cost, int64(n))
		}
		var paths [][]int32
		for _, path := range c.f.paths {
			var p []int32
			for _, b := range path {
				p = append(p, int32(b))
			}
			paths = append(paths, p)
		}
		o, err := f.study(paths, 4)
		require.NoError(t, err)
		assert.LessOrEqual(t, o.Slots, o.PDOM, c.name)
		if c.f.warp == 4 {
			assert.EqualValues(t, c.pdom, o.PDOM, c.name)
		}
		switch c.name {
		case "K7, alternation":
			assert.EqualValues(t, 2526, o.Slots)
			assert.InDelta(t, 1.90, o.Speed(), 0.01)
		case "K6, short circuit":
			assert.EqualValues(t, 11, o.Slots)
		}
		_, err = f.study(paths, 3)
		assert.ErrorContains(t, err, "warps of 3 threads")
	}
}

func TestOracleRefuses(t *testing.T) {
	assert.ErrorContains(t, catch(func() { Oracle(7, 4) }), "it takes what gpu.Record returns")
}

type recordedHere struct{ *cpu.Recording }

func (r recordedHere) Recorded() *cpu.Recording { return r.Recording }

// Of random kernels the oracle never needs more than PDOM, nor fewer than the longest thread of each warp and a warp's
// part of all instructions.
func TestOracleOfRandomKernels(t *testing.T) {
	for seed := range testsize.Seeds("simgpu.TestCheckOfRandomKernels") {
		k := random.New(seed, random.All)
		m := cpu.NewMemory()
		m.Map(1<<20, k.Input)
		m.Map(1<<30, k.Output())
		r, err := cpu.NewRecording(k.Func, cpu.Launch{Grid: k.Grid, Block: k.Block, Params: k.At(1<<20, 1<<30), Memory: m}, 1<<28)
		require.NoError(t, err)
		o := Oracle(recordedHere{r}, 2)
		assert.LessOrEqual(t, o.Slots, o.PDOM, "seed %d", seed)
		assert.GreaterOrEqual(t, 2*o.Slots, o.Instructions, "seed %d", seed)
	}
}
