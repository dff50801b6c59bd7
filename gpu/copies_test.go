package gpu_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/internal/functions"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// Copies that threads do not wait for hide latency where the machine has them, from compute capability 8.0 on, and are
// loads and stores before. Results are the same.
func TestAsynchronousCopies(t *testing.T) {
	ahead := kernelOf(t, "./internal/functions", "Ahead", functions.Ahead)
	behind := kernelOf(t, "./internal/functions", "Behind", functions.Behind)
	const pieces, blocks = 16, 2
	x := make([]float32, blocks*pieces*128)
	for i := range x {
		x[i] = float32(i%251) / 251
	}
	want := make([]float32, blocks*128)
	gpu.Emulate(behind, blocks, 128, x, want, pieces)
	emulated := make([]float32, len(want))
	gpu.Emulate(ahead, blocks, 128, x, emulated, pieces)
	require.Equal(t, want, emulated)
	for device, hides := range map[string]bool{"sim:a100": true, "sim:h200": true, "sim:v100": false} {
		use(t, device)
		got, plain := make([]float32, len(want)), make([]float32, len(want))
		fast := gpu.Launch(ahead, blocks, 128, x, got, pieces, gpu.Unchecked()).Stats().Cycles
		slow := gpu.Launch(behind, blocks, 128, x, plain, pieces, gpu.Unchecked()).Stats().Cycles
		require.Equal(t, want, got, device)
		require.Equal(t, want, plain, device)
		t.Logf("%s: %d cycles ahead, %d behind", device, fast, slow)
		assert.Equal(t, hides, float64(fast) < 0.85*float64(slow), device)
	}
	use(t, simgpu.Custom("a100", simgpu.Check(), simgpu.WithDivergence(simgpu.NREC{})))
	got := make([]float32, len(want))
	gpu.Launch(ahead, blocks, 128, x, got, pieces)
	require.Equal(t, want, got)
}

// Who does not wait is told by gpu.Check, and sees in gpu.Emulate what was there before; who copies elsewhere than to
// shared memory is refused.
func TestCopiesThatNobodyWaitsFor(t *testing.T) {
	use(t, "sim:a100")
	forgets := kernelOf(t, "./internal/functions", "Forgets", functions.Forgets)
	x, out := slices.Repeat([]float32{5}, 64), make([]float32, 64)
	found := gpu.Check(forgets, 1, 64, x, out)
	require.Len(t, found.List, 1)
	assert.Equal(t, "unfinished copy", found.List[0].Kind)
	assert.Contains(t, found.List[0].Accesses[0], "copies.go:")
	assert.Contains(t, found.List[0].Remedy, "gpu.WaitCopies(0)")
	gpu.Emulate(forgets, 1, 64, x, out)
	assert.Equal(t, slices.Repeat([]float32{-1}, 64), out)
	ahead := kernelOf(t, "./internal/functions", "Ahead", functions.Ahead)
	assert.Empty(t, gpu.Check(ahead, 1, 128, make([]float32, 512), make([]float32, 128), 4).List)
	message := panicsWith(t, func() {
		gpu.Launch(kernelOf(t, "./internal/functions", "CopiesOut", functions.CopiesOut), 1, 32, x, out)
	})
	for _, word := range []string{"copies.go:", "kernel CopiesOut", "its first argument is elsewhere"} {
		assert.Contains(t, message, word)
	}
}
