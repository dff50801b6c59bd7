package host

import (
	"bytes"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/budget"
)

// Limit returns how many bytes arrays may take: 80 % of the memory that the process may use.
func Limit() int64 { return limit() }

var limit = sync.OnceValue(func() int64 { return budget.Physical() / 5 * 4 })

// processorName returns the processor's name where Linux tells it, else the architecture.
func processorName() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range bytes.Lines(text) {
		if key, value, ok := bytes.Cut(line, []byte(":")); ok && string(bytes.TrimSpace(key)) == "model name" {
			return string(bytes.TrimSpace(value))
		}
	}
	return runtime.GOARCH + " CPU"
}

// copyBandwidth measures bytes per second of the better of three copies that no cache holds.
func copyBandwidth() float64 {
	const n = 16 << 20
	src, dst := make([]byte, n), make([]byte, n)
	copy(dst, src) // touches the pages
	best := time.Duration(1 << 62)
	for range 3 {
		start := time.Now()
		copy(dst, src)
		best = min(best, time.Since(start))
	}
	if best > 100*time.Microsecond {
		return n / best.Seconds()
	}
	// No core copies so fast: the clock stands still for longer than a copy takes, as that of Windows may.
	start, copies := time.Now(), 0
	for time.Since(start) < 100*time.Millisecond {
		copy(dst, src)
		copies++
	}
	return float64(copies) * n / time.Since(start).Seconds()
}
