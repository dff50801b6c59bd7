package arrays

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestManyColumns: a column of a file with very many costs little beside its cell: an array of 88 bytes (its header),
// its element, its name and a place in two slices are kept, and reading takes a few times as much. It took 540 bytes,
// of which 342 were kept, as workers remembered what they had read last.
func TestManyColumns(t *testing.T) {
	const n = 300_000
	path := filepath.Join(t.TempDir(), "x.csv")
	require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("1,", n-1)+"1\n"), 0o600))
	var before, read, kept runtime.MemStats
	runtime.GC()
	runtime.GC() // what lies in pools goes with the second
	runtime.ReadMemStats(&before)
	names, columns, err := LoadTable(path)
	runtime.ReadMemStats(&read)
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&kept)
	require.NoError(t, err)
	require.Len(t, columns, n)
	require.Equal(t, int64(1), columns[n-1].At(0).Item())
	t.Log("bytes of a column, while it is read and kept:", int(read.TotalAlloc-before.TotalAlloc)/n, int(kept.HeapAlloc-before.HeapAlloc)/n)
	require.Less(t, int(read.TotalAlloc-before.TotalAlloc)/n, 480) // 430; pools forget some under the race detector
	require.Less(t, int(kept.HeapAlloc-before.HeapAlloc)/n, 160)
	runtime.KeepAlive(names)
}
