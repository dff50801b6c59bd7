//go:build unix

package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWhatIsLeftByKind(t *testing.T) {
	goroutines := "goroutine profile: total 4\n3 @ 0x1 0x2\n#\t0x1\tsync.runtime_SemacquireMutex+0x1\t/go/sema.go:9\n#\t0x2\tx/y/supervise.lock[...]+0x9\t/y/locks.go:1\n\n1 @ 0x3\n#\t0x3\tmain.main+0x1\t/m.go:1\n\n"
	assert.Equal(t, map[string]float64{"x/y/supervise.lock[...]": 3, "main.main": 1}, goroutinesByKind(goroutines))

	heap := "heap profile: 3: 9 [9: 9] @ heap/1048576\n2: 67108864 [2: 67108864] @ 0x1\n#\t0x1\tx/y/arrays.New+0x1\t/a.go:1\n\n0: 0 [1: 64] @ 0x2\n#\t0x2\tx/z.F+0x1\t/z.go:1\n\n1: 67108864 [1: 67108864] @ 0x3\n#\t0x3\tx/y/arrays.collect+0x1\t/h.go:1\n\n"
	got := heapByPackage(heap)
	assert.InDelta(t, 67.1, got["x/y/arrays"], 0.1)
	assert.InDelta(t, 67.1, got["the headroom of arrays.TuneCollector, addresses that are never touched"], 0.1)
	assert.Len(t, got, 2)
}
