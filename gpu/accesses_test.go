package gpu_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// TestAccesses: what a kernel reads and writes, against what its text says; arguments stay as they are, arrays count as
// slices do, and a run that fails gives what came before.
func TestAccesses(t *testing.T) {
	testsize.InTurn(t, 1)
	use(t, "host")
	saxpy, err := kernels.Source("Saxpy")
	require.NoError(t, err)
	y := make([]float32, 6)
	for _, x := range []any{make([]float32, 6), lazy.Zeros(6).AsType(lazy.Float32)} {
		a := gpu.Accesses(saxpy, 2, 4, 2, x, y)
		assert.Equal(t, []trace.Accessed{{Name: "x", Len: 6}, {Name: "y", Len: 6}}, a.Arrays)
		reads, writes := map[[3]int32]int{}, map[[3]int32]int{}
		for _, x := range a.List {
			thread := x.Block*4 + x.Thread
			if x.Reads {
				reads[[3]int32{thread, x.Array, x.Index}]++
			}
			if x.Writes {
				writes[[3]int32{thread, x.Array, x.Index}]++
			}
		}
		wantReads, wantWrites := map[[3]int32]int{}, map[[3]int32]int{}
		for i := range int32(6) {
			wantReads[[3]int32{i, 0, i}], wantReads[[3]int32{i, 1, i}], wantWrites[[3]int32{i, 1, i}] = 1, 1, 1
		}
		assert.Equal(t, wantReads, reads)
		assert.Equal(t, wantWrites, writes)
		w, ok := a.Writer(1, 5)
		assert.True(t, ok)
		block, thread := a.Place(w)
		assert.Equal(t, [2][3]int{{1, 0, 0}, {1, 0, 0}}, [2][3]int{block, thread})
	}
	a := gpu.Accesses(saxpy, 6, 1, 2, make([]float32, 3), y)
	assert.Contains(t, a.Failed, "index 3 is out of range")
	assert.Len(t, a.List, 3*3, "of the three blocks before")
	assert.Panics(t, func() { gpu.Accesses(saxpy, 2, 4) })
}
