package simgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// A launch that one GPU of a machine has timed is not timed anew on another that has loaded the same kernel, and what
// it leaves in L2 there is found as if it had run there first. A kernel of another place of a program is not the same.
func TestGPUsOfAMachineShareTimes(t *testing.T) {
	const n = 1 << 14
	launches := func(g *GPU, f *kir.Func) []*trace.KernelStats {
		s, err := g.NewStream(0)
		require.NoError(t, err)
		k, err := g.Load(f)
		require.NoError(t, err)
		var buffers []any
		for range 2 {
			b, err := g.Alloc(4 * n)
			require.NoError(t, err)
			buffers = append(buffers, b)
		}
		var all []*trace.KernelStats
		for range 3 {
			e := s.Launch(k, kir.D1(n/256), kir.D1(256), 0, pack(t, append(buffers, n)...))
			require.NoError(t, e.Wait(ctx))
			all = append(all, e.Trace().Stats)
		}
		return all
	}
	p, err := PresetByName("v100x8")
	require.NoError(t, err)
	p.GPUs = 3
	p.Links = nil
	machine, other := NewMachine(p), NewMachine(p)
	for _, g := range append(machine, other...) {
		defer g.Close()
	}
	first, second := launches(machine[0], doubled(t)), launches(machine[1], doubled(t))
	for i := range first {
		assert.True(t, first[i] == second[i], "launch %d is timed once", i)
	}
	assert.Less(t, second[1].DRAMBytes, second[0].DRAMBytes, "L2 has what the first launch left")
	alone := launches(other[1], doubled(t)) // of a machine whose other GPUs have run nothing
	for i := range alone {
		assert.False(t, alone[i] == second[i])
		assert.Equal(t, alone[i], second[i], "launch %d as on a machine of its own", i)
	}
	moved := doubled(t)
	for _, b := range moved.Blocks {
		for _, v := range b.Values {
			v.Pos.Line++
		}
	}
	assert.False(t, launches(machine[2], moved)[0] == first[0], "its lines are others")
	branch := doubled(t)
	branch.Blocks[0].Term.Pos.Line++
	assert.False(t, launches(machine[2], branch)[0] == first[0], "the line of its branch is another")
}
