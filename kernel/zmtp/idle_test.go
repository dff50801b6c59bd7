package zmtp

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestIdleConnectionsCostLittle: a connection that has introduced itself and says no more, as anybody may make a
// thousand for a socket, costs a buffer to read into and two goroutines, and none to write from.
func TestIdleConnectionsCostLittle(t *testing.T) {
	const n = 200
	r := router(t, Options{})
	connect(t, r.Addr(), "DEALER", "first", 1)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range n {
		c := connect(t, r.Addr(), "DEALER", "", 0)
		defer runtime.KeepAlive(c)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	require.Less(t, int(after.HeapAlloc-before.HeapAlloc)/n, 48<<10, "bytes for both ends: the reader here has 16 kB, the test's own less")
}
