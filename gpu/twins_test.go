package gpu_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/cudabackend/nvrtc"
	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/internal/twins"
	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestGoTakesAsManyInstructionsAsC: the warp instructions of kernels in Go, whose int has 64 bits, beside the same in
// CUDA C with its int of 32, compiled by NVRTC. Without tests of indices, which C has not, they are at most 1.1 times
// as many, and what the kernels write is the same.
func TestGoTakesAsManyInstructionsAsC(t *testing.T) {
	testsize.InTurn(t, 0)
	if _, _, err := nvrtc.Version(); err != nil {
		judges.Missing(t, "%v", err)
	}
	use(t, "sim:v100")
	c := gpu.CUDA(twins.CUDA)
	for _, k := range twins.All {
		g := kernelOf(t, "./internal/twins", k.Name, k.Go)
		inC, inGo, checked := k.Args(), k.Args(), k.Args()
		want := gpu.Launch(c.Kernel(k.Name), k.Grid, k.Block, k.CArgs(inC)...).Stats()
		got := gpu.Launch(g, k.Grid, k.Block, append(inGo, gpu.Unchecked())...).Stats()
		whole := gpu.Launch(g, k.Grid, k.Block, checked...).Stats()
		assert.Equal(t, inC[0], inGo[0], k.Name)
		assert.Equal(t, inC[0], checked[0], k.Name)
		ratio := float64(got.WarpInstructions) / float64(want.WarpInstructions)
		t.Logf("%-10s %7d in C, Go %.2f, with tests of indices %.2f; registers %d, %d, %d", k.Name, want.WarpInstructions, ratio,
			float64(whole.WarpInstructions)/float64(want.WarpInstructions), want.Registers, got.Registers, whole.Registers)
		assert.LessOrEqual(t, ratio, 1.1, k.Name)
	}
}
