package gpu_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/internal/lifted"
	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// TestReportLaunch: a report's first line has what the way from the host takes beside the kernel's time, by machine:
// 5000 cycles of a V100 are 3.3 µs (GPGPU-Sim's tested configuration), an 8800's driver took about 10.
func TestReportLaunch(t *testing.T) {
	halves := liftedKernel(t, "Halves", lifted.Halves)
	for device, want := range map[string]string{"sim:v100": " modelled + about 3.3 µs to launch", "sim:g80": " modelled + about 10 µs to launch", "host": " measured"} {
		use(t, device)
		x := lazy.Full(3.0, 64)
		rep := gpu.Launch(halves, 2, 32, x, gpu.Anyway())
		assert.Contains(t, strings.Join(strings.Fields(rep.String()), " "), want)
		assert.Equal(t, device == "host", !strings.Contains(rep.String(), "to launch"))
	}
}

// TestReportSaysWhatAPolicyDidNot: a report says why blocks are not swapped, and in how few blocks it was looked for
// lanes that rely on lockstep.
func TestReportSaysWhatAPolicyDidNot(t *testing.T) {
	halves := liftedKernel(t, "Halves", lifted.Halves)
	for device, want := range map[string]string{
		simgpu.Custom("fermivt", simgpu.WithCTAs(simgpu.VT{StackDepth: 1 << 16})): "vt, stacks of 65536 is off: the context of a block takes ",
		simgpu.Custom("tesla2009", simgpu.WithDivergence(simgpu.DWF{})):           "lanes that rely on going together were looked for in 32 of 100 blocks: gpu.Check looks at all",
	} {
		use(t, device)
		rep := gpu.Launch(halves, 100, 32, lazy.Full(3.0, 3200), gpu.Anyway())
		assert.Contains(t, strings.Join(strings.Fields(rep.String()), " "), want)
	}
}

// TestAdviceOfAnAddition: where all threads add to one element nothing can stand between the read and the write, so the
// first advice is an atomic, not a barrier; between two statements it is the barrier.
func TestAdviceOfAnAddition(t *testing.T) {
	use(t, "sim:tiny")
	found := gpu.Check(liftedKernel(t, "Adds", lifted.Adds), 1, 64, make([]int32, 4))
	require.NotEmpty(t, found.List)
	for _, f := range found.List {
		assert.Contains(t, f.Remedy, "gpu.AtomicAdd")
		assert.NotContains(t, f.Remedy, "gpu.Sync()")
	}
	found = gpu.Check(liftedKernel(t, "Neighbours", lifted.Neighbours), 1, 64, make([]int32, 64))
	require.NotEmpty(t, found.List)
	assert.Contains(t, found.List[0].Remedy, "gpu.Sync()")
}

// TestOptimizedIR: a kernel's text after optimisation has the loop of eight rounds written out, before it has the loop.
func TestOptimizedIR(t *testing.T) {
	use(t, "sim:tiny")
	k := gpu.Kernel(liftedKernel(t, "Looped", lifted.Looped))
	assert.Less(t, strings.Count(k.IR(), "load"), 8)
	assert.GreaterOrEqual(t, strings.Count(k.Optimized(), "load"), 8)
	assert.Contains(t, k.Rewrites(), "\nunroll\n", "why there are so many")
}

// TestAdviceOfLines: rep.Lines() names the line that costs most: stores down columns, a tile without padding, and,
// where accesses are as they should be, what warps wait for. A line's share of the waiting is there too, all together
// 100 %.
func TestAdviceOfLines(t *testing.T) {
	use(t, "sim:v100")
	const n = 256
	for name, want := range map[string][2]string{
		"Transpose":       {"neighbouring", "out["},
		"TransposeTiled":  {"different banks", "out["},
		"TransposePadded": {"Warps wait most at ", "in["},
	} {
		k, err := kernels.Source(name)
		require.NoError(t, err)
		in, out := lazy.Zeros(n*n).AsType(lazy.Float32), lazy.Zeros(n*n).AsType(lazy.Float32)
		lines := gpu.Launch(k, gpu.Grid(n/32, n/32), gpu.Block(32, 32), in, out, n, n).Lines()
		assert.Contains(t, lines.Advice(), want[0], name)
		assert.Contains(t, lines.Advice(), want[1], name)
		assert.Contains(t, lines.String(), lines.Advice())
		waits := 0.0
		for _, l := range lines.List {
			waits += l.Waits
		}
		assert.InDelta(t, 1, waits, 1e-9)
	}
	assert.Empty(t, (*gpu.Lines)(nil).Advice())
}
