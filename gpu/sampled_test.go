package gpu_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/internal/lifted"
	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// TestSkewedRows: of a sparse matrix of which one row is long, a thread for each row takes many times as long as a warp
// for each row: one thread goes along the long row. Of even short rows the warp wastes its lanes, and the thread wins.
// The full model and samples say the same (Bell and Garland, Implementing sparse matrix-vector multiplication on
// throughput-oriented processors, SC 2009, section 5.2, compare the two kernels so).
func TestSkewedRows(t *testing.T) {
	testsize.InTurn(t, 2)
	scalar, err := kernels.Source("CSRMul")
	require.NoError(t, err)
	vector := liftedKernel(t, "Rows", lifted.Rows)
	const rows = 1 << 13
	for _, skewed := range []bool{true, false} {
		ptr := make([]int32, rows+1)
		for i := range rows {
			ptr[i+1] = ptr[i] + 4
			if skewed && i == 1000 {
				ptr[i+1] = ptr[i] + 20000
			}
		}
		n := int(ptr[rows])
		col, val, x := make([]int32, n), make([]float32, n), make([]float32, rows)
		for k := range n {
			col[k], val[k] = int32(k*7%rows), 1
		}
		for i := range x {
			x[i] = 1
		}
		for _, machine := range []string{simgpu.Custom("v100", simgpu.Full()), simgpu.Custom("v100", simgpu.SampleAbove(4000))} {
			use(t, machine)
			y, z := lazy.Zeros(rows).AsType(lazy.Float32), lazy.Zeros(rows).AsType(lazy.Float32)
			a := gpu.Launch(scalar, gpu.Blocks(rows, 128), 128, ptr, col, val, x, y)
			b := gpu.Launch(vector, gpu.Blocks(32*rows, 128), 128, ptr, col, val, x, z)
			require.Equal(t, y.String(), z.String())
			if skewed {
				assert.Greater(t, a.Time(), 5*b.Time(), machine)
			} else {
				assert.Less(t, a.Time(), b.Time(), machine)
			}
		}
	}
}

// TestMandelbrotCounts: what a sample says of instructions, sectors, flops and lanes is what the full model says,
// exactly, whatever the picture's size; a small picture is timed whole. Each of the 512² counts is stored once: 32768
// sectors of 8.
func TestMandelbrotCounts(t *testing.T) {
	k, err := kernels.Source("Mandelbrot")
	require.NoError(t, err)
	run := func(machine string, n int) *trace.KernelStats {
		use(t, machine)
		out := lazy.Zeros(n * n).AsType(lazy.Int32)
		return gpu.Launch(k, gpu.Grid(n/16, n/16), gpu.Block(16, 16), out, n, n, 50).Stats()
	}
	small := run("sim:v100", 128)
	assert.Equal(t, small.TotalBlocks, small.SampledBlocks)
	assert.Equal(t, int64(128*128/8), small.Sectors)
	full, sampled := run(simgpu.Custom("v100", simgpu.Full()), 512), run(simgpu.Custom("v100", simgpu.SampleAbove(60_000)), 512)
	assert.Less(t, sampled.SampledBlocks, sampled.TotalBlocks)
	assert.Equal(t, int64(512*512/8), full.Sectors)
	for _, of := range []func(s *trace.KernelStats) any{
		func(s *trace.KernelStats) any { return s.Sectors }, func(s *trace.KernelStats) any { return s.WarpInstructions },
		func(s *trace.KernelStats) any { return s.ThreadInstructions }, func(s *trace.KernelStats) any { return s.Transactions },
		func(s *trace.KernelStats) any { return s.Flops64 }, func(s *trace.KernelStats) any { return s.Issued },
	} {
		assert.Equal(t, of(full), of(sampled))
	}
	assert.InEpsilon(t, float64(full.Cycles), float64(sampled.Cycles), sampled.ErrorEstimate)
}
