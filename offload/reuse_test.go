package offload

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
)

// TestDroppedResultsTakeBoundedMemory: a loop whose results nobody keeps needs as much memory after many rounds as
// after a few, whether they are read or not: what is read is no longer the pool's, and goes with the garbage.
func TestDroppedResultsTakeBoundedMemory(t *testing.T) {
	few, rate := worthCollecting, newMemory
	t.Cleanup(func() { worthCollecting, newMemory = few, rate })
	worthCollecting, newMemory = 4<<20, 1
	const size, rounds, most = 256 << 10, 200, 10 << 20
	for name, read := range map[string]bool{"dropped": false, "read": true} {
		t.Run(name, func(t *testing.T) {
			var r device.Registry
			r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
			rt, err := New(&r, "host")
			require.NoError(t, err)
			x := rt.HostValue(make([]byte, size))
			peak := int64(0)
			for range rounds {
				task := double(t, rt, x)
				program := Program{Tasks: []*Task{task}}
				if read {
					program.Want = task.Out
				}
				_, err := rt.Run(program)
				require.NoError(t, err)
				if read {
					require.NotNil(t, task.Out[0].Host())
				}
				_, reserved := rt.memory.pool(rt.current).Levels()
				peak = max(peak, reserved)
			}
			require.Less(t, peak, int64(most), "%d results of %d bytes", rounds, size)
		})
	}
}

// TestWaitForTheNextLook: it is longer where looking finds little, but what is dropped until then is no more than what
// is in use; and where looking takes longer than new memory would.
func TestWaitForTheNextLook(t *testing.T) {
	const mb, instant = 1 << 20, time.Microsecond
	for name, c := range map[string]struct {
		patience, given, back, used int64
		took                        time.Duration
		then                        int64
	}{
		"all came back":            {128 * mb, 128 * mb, 128 * mb, 10 * mb, instant, 64 * mb},
		"all is in use":            {64 * mb, 64 * mb, 0, 1000 * mb, instant, 128 * mb},
		"little is in use":         {64 * mb, 64 * mb, 8 * mb, 10 * mb, instant, 64 * mb},
		"no more than is in use":   {512 * mb, 512 * mb, 0, 700 * mb, instant, 700 * mb},
		"half came back":           {256 * mb, 256 * mb, 128 * mb, 700 * mb, instant, 64 * mb},
		"it takes longer than new": {64 * mb, 64 * mb, 64 * mb, 10 * mb, time.Second, 128 * mb},
	} {
		r := reuse{patience: c.patience}
		r.give(int(c.given))
		require.True(t, r.due(), name)
		r.looked(c.back, c.used, c.took)
		require.Equal(t, c.then, r.patience, name)
		require.False(t, r.due(), name)
	}
}
