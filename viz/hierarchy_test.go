package viz

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

var sampleLevels = []trace.MemoryLevel{{Name: "registers", Bytes: 256 << 10, Copies: 80, Per: "SM"}, {Name: "L2 cache", Bytes: 6 << 20, Copies: 1, Cycles: 193}, {Name: "host", Copies: 1, Cycles: 15000}}

// TestHierarchy: a bar for each size and each latency that is known, as long as they are.
func TestHierarchy(t *testing.T) {
	c := Hierarchy("a machine", sampleLevels)
	require.NoError(t, c.Err)
	sizes, cycles := c.Panels[0].Series[0].Boxes, c.Panels[1].Series[0].Boxes
	require.Len(t, sizes, 2)
	require.Len(t, cycles, 2)
	assert.Equal(t, [2]float64{256 << 10, 6 << 20}, [2]float64{sizes[0].X1, sizes[1].X1})
	assert.Equal(t, [2]float64{193, 15000}, [2]float64{cycles[0].X1, cycles[1].X1})
	assert.Contains(t, c.String(), "L2 cache: 6.29 MB, 193 cycles")
	assert.Error(t, Hierarchy("none", nil).Err)
}

// TestLaunchMap: a box for each block that ran, in a line with its SM, and the lanes of a warp.
func TestLaunchMap(t *testing.T) {
	log := sampleInside()
	c := LaunchMap(log)
	require.NoError(t, c.Err)
	blocks := map[string]int{}
	for _, s := range c.Panels[0].Series {
		blocks[s.Name] += len(s.Boxes)
	}
	ran := len(log.Kernels()[0].Stats.Detail.Blocks)
	assert.Equal(t, min(ran, mapBlocks), blocks["block"])
	assert.Equal(t, 32, blocks["thread (a lane of its warp)"])
	assert.Equal(t, 8, blocks["warp"], "256 threads")
	assert.Contains(t, c.String(), "a block has 256 threads in 8 warps")
	assert.Contains(t, fmt.Sprint(c.Notes), "Places")
}
