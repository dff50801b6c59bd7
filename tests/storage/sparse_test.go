//go:build unix

package storage

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSparseFile: a file of 10 TB that is nearly all hole opens in less than 64 MB, with its header read alone.
// Elements at its ends are read, by slices, by Take and by lines, and written, in as little.
func TestSparseFile(t *testing.T) {
	const size = 10 << 40 / 8 // elements
	path := filepath.Join(t.TempDir(), "huge.npy")
	head := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }", size)
	require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, "\x93NUMPY\x01\x00\x76\x00%-117s\n", head), 0o600))
	if err := os.Truncate(path, 128+8*size); err != nil {
		t.Skip("this file system has no files of 10 TB: ", err)
	}
	onEach(t, small, func(t *testing.T, _ *offload.Runtime) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		began := time.Now()
		x, err := lazy.Open(path, lazy.Writable(), lazy.Access("lines"), lazy.CacheBytes(1<<20))
		require.NoError(t, err)
		took := time.Since(began)
		opened, err := x.Storage()
		require.NoError(t, err)
		assert.LessOrEqual(t, opened.BytesRead, int64(4096))
		assert.Equal(t, size, x.Size())
		x.Set(7, -1)
		assert.Equal(t, []float64{0, 7}, x.At(lazy.S(size-2, size)).Array().Float64s())
		assert.Equal(t, []float64{7, 0, 0}, lazy.Take(x, []int{size - 1, 5, size / 2}).Array().Float64s())
		places, out := lazy.FromSlice([]int64{size - 1, 1, size / 3}, 3), lazy.Zeros(3)
		launch(pick(t, 3), 3, []*lazy.Array{x, places, out}, 2)
		assert.Equal(t, []float64{7, 0, 0}, out.Array().Float64s())
		require.NoError(t, x.Close())
		runtime.ReadMemStats(&after)
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20), "bytes allocated")
		t.Logf("opened in %v; %d kB allocated until it was closed", took, (after.TotalAlloc-before.TotalAlloc)>>10)
	})
}
