package gpu_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/internal/functions"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// Random kernels of clusters give on every device, in any order of the blocks, under the checker, and in gpu.Emulate
// what plain Go gives, step after step.
func TestClustersAtRandom(t *testing.T) {
	kernel := kernelOf(t, "./internal/functions", "InClusters", functions.InClusters)
	for seed := range testsize.Seeds("gpu.TestClustersAtRandom") {
		r := rand.New(rand.NewPCG(seed, 339))
		size := 1 << r.IntN(4)
		blocks := size * (1 + r.IntN(3))
		steps := make([]int32, 1+r.IntN(4))
		for i := range steps {
			steps[i] = int32(r.IntN(100))
		}
		x := make([]int32, 32*blocks)
		for i := range x {
			x[i] = int32(r.IntN(1000))
		}
		want := slices.Clone(x)
		for _, step := range steps {
			old := slices.Clone(want)
			for b := range blocks {
				rank := b % size
				other := (b - rank + (rank+int(step))%size) * 32
				for i := range 32 {
					if step%2 == 1 {
						want[32*b+i] = 3*old[other+(i+int(step))%32] + step
					} else {
						want[other+(i*7+int(step))%32] += int32(rank+1) * step
					}
				}
			}
		}
		emulated := slices.Clone(x)
		gpu.Emulate(kernel, blocks, 32, steps, emulated, gpu.Clusters(size))
		require.Equal(t, want, emulated, "emulated, seed %d", seed)
		for _, device := range []string{"host", "sim:h200", simgpu.Custom("h200", simgpu.Check(), simgpu.WithBlockOrder(simgpu.Shuffle(int(seed%100))))} {
			use(t, device)
			got := slices.Clone(x)
			gpu.Launch(kernel, blocks, 32, steps, got, gpu.Clusters(size))
			require.Equal(t, want, got, "%s, seed %d", device, seed)
		}
		found := gpu.Check(kernel, blocks, 32, steps, slices.Clone(x), gpu.Clusters(size))
		require.Empty(t, found.List, "seed %d: %v", seed, found)
	}
}

// What is wrong with the use of another block's memory is found, and what cannot be launched is refused with its
// figures.
func TestClustersThatAreWrong(t *testing.T) {
	use(t, "sim:h200")
	x := make([]int32, 64)
	for _, c := range []struct {
		name string
		fn   func(x []int32)
		kind string
	}{{"TooEarly", functions.TooEarly, "absent block"}, {"TooLate", functions.TooLate, "absent block"}, {"InOneBlock", functions.InOneBlock, "race"}} {
		found := gpu.Check(kernelOf(t, "./internal/functions", c.name, c.fn), 2, 32, x, gpu.Clusters(2))
		if assert.NotEmpty(t, found.List, c.name) {
			assert.Equal(t, c.kind, found.List[0].Kind, c.name)
			assert.Contains(t, found.List[0].Accesses[0], "cluster.go:", c.name)
		}
	}
	outside := kernelOf(t, "./internal/functions", "OutsideOfClusters", functions.OutsideOfClusters)
	some := kernelOf(t, "./internal/functions", "SomeOfClusters", functions.SomeOfClusters)
	for _, c := range []struct {
		launch func()
		words  []string
	}{
		{func() { gpu.Launch(outside, 4, 32, x, 2, gpu.Clusters(2)) }, []string{"cluster.go:", "OutsideOfClusters", "index 2 is out of range", "2"}},
		{func() { gpu.Launch(outside, 1, 32, x, -1) }, []string{"index -1 is out of range"}},
		{func() { gpu.Emulate(outside, 4, 32, x, 2, gpu.Clusters(2)) }, []string{"block 2 of a cluster of 2"}},
		{func() { gpu.Launch(outside, 5, 32, x, 0, gpu.Clusters(2)) }, []string{"clusters of 2 blocks along x in a grid of 5"}},
		{func() { gpu.Launch(outside, 6, 32, x, 0, gpu.Clusters(3)) }, []string{"clusters of 3 blocks", "1, 2, 4 and 8"}},
		{func() { gpu.Launch(outside, 32, 32, x, 0, gpu.Clusters(16)) }, []string{"clusters of 16 blocks"}},
		{func() { gpu.Launch(some, 2, 32, x, gpu.Clusters(2)) }, []string{"cluster.go:", "1 blocks wait at the barrier of the cluster", "1 that have ended"}},
		{func() { gpu.Emulate(some, 2, 32, x, gpu.Clusters(2)) }, []string{"waits in gpu.SyncCluster for 1 blocks that have ended"}},
		{func() { gpu.Launch(outside, 2, 32, x, 0, gpu.Clusters(2), gpu.On("sim:a100")) }, []string{"clusters of blocks need compute capability 9.0", "sim:a100"}},
		{func() { gpu.Launch(some, 2, 32, x, gpu.Clusters(2), gpu.On("sim:v100")) }, []string{"need compute capability 9.0, sim:v100#0 has 7.0"}},
	} {
		message := panicsWith(t, c.launch)
		for _, word := range c.words {
			assert.Contains(t, message, word)
		}
	}
}

// Reading another SM's shared memory takes longer than the own, and less than a way to L2 and back.
func TestDistantSharedMemoryTakesTime(t *testing.T) {
	kernel := kernelOf(t, "./internal/functions", "InClusters", functions.InClusters)
	use(t, "sim:h200")
	cycles := func(step int32, n int) int64 {
		return gpu.Launch(kernel, 2, 32, slices.Repeat([]int32{step}, n), make([]int32, 64), gpu.Clusters(2)).Stats().Cycles
	}
	perStep := func(step int32) int64 { return (cycles(step, 21) - cycles(step, 1)) / 20 }
	own, distant := perStep(4), perStep(2*4+2) // even: an addition there; both cross no block where blocks is 2
	assert.Equal(t, own, distant)
	near, far := perStep(32*2+1), perStep(1)
	t.Logf("a step of an addition to the own block %d cycles, a read of the other's %d and %d", own, near, far)
	h200, err := simgpu.PresetByName("h200")
	require.NoError(t, err)
	assert.Greater(t, far, int64(2*150)) // two barriers
	assert.Less(t, far, int64(3*h200.L2Latency)+1000)
}
