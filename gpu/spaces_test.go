package gpu_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/internal/functions"
	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// What a launch uses of each memory, by the kernel's source: shared arrays a block, slices and managed memory once.
func TestSpacesOfALaunch(t *testing.T) {
	use(t, "sim:v100")
	by := func(s *trace.Spaces) map[string]trace.Space {
		out := map[string]trace.Space{}
		for _, x := range s.List {
			out[x.Memory+" "+x.Name] = x
		}
		return out
	}
	mariani := kernelOf(t, "./internal/functions", "Mariani", functions.Mariani)
	got := by(gpu.Spaces(mariani, gpu.Grid(2, 2), 32, lazy.New(arrays.Int32, 64*64), 64, 0, 0, 32, int32(60)))
	assert.Equal(t, trace.Space{Memory: "shared", Name: "same", Bytes: 8, Copies: 4, Per: "block", Life: trace.BlockLife, Note: "on the SM; all threads of the block"}, got["shared same"])
	assert.Equal(t, int64(64*64*4), got["global out"].Bytes)
	assert.Equal(t, trace.ProgramLife, got["global out"].Life)
	registers := 0
	for _, x := range got {
		if x.Memory == "registers" {
			registers++
			assert.Equal(t, int64(4*32), x.Copies)
			assert.Greater(t, x.Bytes, int64(4*8))
		}
	}
	assert.Equal(t, 1, registers)

	saxpy, err := kernels.Source("Saxpy")
	require.NoError(t, err)
	m := gpu.Managed(arrays.Float32, 1000)
	got = by(gpu.Spaces(saxpy, 4, 256, 2, m, gpu.NewBuffer(arrays.Float32, 1000)))
	assert.Equal(t, int64(4000), got["managed x"].Bytes)
	assert.Equal(t, int64(4000), got["global y"].Bytes)
	got = by(gpu.Spaces(saxpy, 4, 256, 2, make([]float32, 10), make([]float32, 10)))
	assert.Equal(t, trace.LaunchLife, got["global y"].Life)
	assert.Equal(t, int64(1), got["constant parameters"].Copies)
}
