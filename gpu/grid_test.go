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

// Random kernels with barriers of the grid give on every device, in any order of the blocks, under the checker, and in
// gpu.Emulate what plain Go gives, step after step.
func TestGridBarriersAtRandom(t *testing.T) {
	kernel := kernelOf(t, "./internal/functions", "AcrossBlocks", functions.AcrossBlocks)
	for seed := range testsize.Seeds("gpu.TestGridBarriersAtRandom") {
		r := rand.New(rand.NewPCG(seed, 38))
		blocks, threads := 1+r.IntN(7), 16*(1+r.IntN(5))
		steps := make([]int32, 1+r.IntN(4))
		for i := range steps {
			steps[i] = int32(r.IntN(100))
		}
		x, y := make([]int32, blocks*threads), make([]int32, blocks*threads)
		for i := range x {
			x[i] = int32(r.IntN(1000))
		}
		want := slices.Clone(x)
		for _, s := range steps {
			next := make([]int32, len(want))
			for i := range want {
				next[i] = 3*want[(i+int(s))%len(want)] + s
			}
			copy(want, next)
			if s%2 == 0 {
				for i := range want {
					want[i] += next[(i+1)%len(next)]
				}
			}
		}
		emulated := slices.Clone(x)
		gpu.Emulate(kernel, blocks, threads, steps, emulated, slices.Clone(y), gpu.Cooperative())
		require.Equal(t, want, emulated, "emulated, seed %d", seed)
		for _, device := range []string{"host", "sim:v100", simgpu.Custom("v100", simgpu.Check(), simgpu.WithBlockOrder(simgpu.Shuffle(int(seed%100))))} {
			use(t, device)
			got := slices.Clone(x)
			gpu.LaunchCooperative(kernel, blocks, threads, steps, got, slices.Clone(y))
			require.Equal(t, want, got, "%s, seed %d", device, seed)
		}
		found := gpu.Check(kernel, blocks, threads, steps, slices.Clone(x), slices.Clone(y), gpu.Cooperative())
		require.Empty(t, found.List, "seed %d: %v", seed, found)
	}
}

// A grid of as many blocks as the device has room for meets; one block more is refused with the figures, as is a plain
// launch, a machine of before Pascal, and a grid of which blocks never come.
func TestGridBarriersNeedRoom(t *testing.T) {
	kernel := kernelOf(t, "./internal/functions", "AcrossBlocks", functions.AcrossBlocks)
	const threads = 1024 // two blocks fit on an SM of a V100: 2,048 threads
	launch := func(blocks int) *gpu.Report {
		x := make([]int32, blocks*threads)
		return gpu.LaunchCooperative(kernel, blocks, threads, []int32{1}, x, make([]int32, len(x)))
	}
	device := simgpu.Custom("v100", simgpu.WithSMs(3))
	use(t, device)
	assert.Equal(t, 2, launch(6).Stats().ResidentBlocks)
	message := panicsWith(t, func() { launch(7) })
	for _, word := range []string{"AcrossBlocks", "number of blocks", "it has 3 SMs; each holds 2 blocks", "limited by threads", "is 7, the limit is 6"} {
		assert.Contains(t, message, word)
	}
	message = panicsWith(t, func() { gpu.Launch(kernel, 1, 32, []int32{1}, make([]int32, 32), make([]int32, 32)) })
	for _, word := range []string{"grid.go:", "kernel AcrossBlocks calls gpu.SyncGrid", "gpu.LaunchCooperative"} {
		assert.Contains(t, message, word)
	}
	some := kernelOf(t, "./internal/functions", "SomeBlocks", functions.SomeBlocks)
	for _, device := range []string{"host", device} {
		use(t, device)
		message = panicsWith(t, func() { gpu.LaunchCooperative(some, 3, 32, make([]int32, 96), 1) })
		for _, word := range []string{"grid.go:", "kernel SomeBlocks", "1 blocks wait at the barrier of the grid", "2 that have ended"} {
			assert.Contains(t, message, word, device)
		}
		assert.NotPanics(t, func() { gpu.LaunchCooperative(some, 3, 32, make([]int32, 96), 3) })
	}
	use(t, "sim:gtx480")
	assert.Contains(t, panicsWith(t, func() { launch(2) }), "barriers of the grid need compute capability 6.0")
	assert.Contains(t, panicsWith(t, func() { gpu.Emulate(some, 3, 32, make([]int32, 96), 1, gpu.Cooperative()) }), "waits in gpu.SyncGrid for 2 blocks that have ended")
	assert.Contains(t, panicsWith(t, func() { gpu.Emulate(some, 1, 32, make([]int32, 32), 1) }), "gpu.LaunchCooperative")
}

// A barrier of the grid takes model time, more where more blocks meet.
func TestGridBarriersTakeTime(t *testing.T) {
	kernel := kernelOf(t, "./internal/functions", "AcrossBlocks", functions.AcrossBlocks)
	use(t, "sim:v100")
	cycles := func(blocks, steps int) int64 {
		x := make([]int32, blocks*64)
		return gpu.LaunchCooperative(kernel, blocks, 64, slices.Repeat([]int32{1}, steps), x, make([]int32, len(x))).Stats().Cycles
	}
	v100, err := simgpu.PresetByName("v100")
	require.NoError(t, err)
	each := (cycles(80, 21) - cycles(80, 1)) / 20 // of two barriers and two dependent accesses
	t.Logf("%d cycles a step of two barriers", each)
	assert.Greater(t, each, int64(2*3*(v100.L1Latency+v100.L2Latency)))
	assert.Greater(t, each, (cycles(2, 21)-cycles(2, 1))/20)
}
