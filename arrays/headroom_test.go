package arrays

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestHeadroom: who leaves the collector as it is has a cycle for ten results of 800 KB at most; who sets GOGC or
// a limit that is near has Go's cycles alone.
func TestHeadroom(t *testing.T) {
	testsize.InTurn(t, 2)
	defer freshMost.Store(freshMost.Load())
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	cycles := func() (all, forced int) {
		freshMost.Store(headroomAfter)
		var before, after runtime.MemStats
		x := Zeros(100_000)
		runtime.ReadMemStats(&before)
		for range 400 {
			x.Add(x)
		}
		runtime.ReadMemStats(&after)
		return int(after.NumGC - before.NumGC), int(after.NumForcedGC - before.NumForcedGC)
	}
	headroom.room = nil
	freshMost.Store(math.MaxInt64)
	for range 100 {
		Zeros(100_000)
	}
	if headroom.room != nil {
		t.Error("there is a headroom that nobody has asked for")
	}
	if TuneCollector(); freshMost.Load() != headroomAfter {
		t.Error("TuneCollector does nothing")
	}
	cycles()
	if all, _ := cycles(); all > 40 || headroom.room == nil {
		t.Errorf("400 results took %d cycles", all)
	}
	debug.SetMemoryLimit(1 << 40)
	cycles()
	if all, _ := cycles(); all > 40 || headroom.room == nil {
		t.Errorf("with a limit far away, 400 results took %d cycles", all)
	}
	debug.SetMemoryLimit(collectSeldom)
	cycles()
	if _, forced := cycles(); forced != 0 || headroom.room != nil {
		t.Errorf("with a limit that is near, %d cycles were of ours", forced)
	}
	debug.SetMemoryLimit(math.MaxInt64)
	debug.SetGCPercent(1000)
	cycles()
	if _, forced := cycles(); forced != 0 || headroom.room != nil {
		t.Errorf("with GOGC set, %d cycles were of ours", forced)
	}
}
