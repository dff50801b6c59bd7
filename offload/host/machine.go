package host

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"
)

// assumedMemory is what a machine is taken to have whose system does not tell.
const assumedMemory = 4 << 30

// Limit returns how many bytes arrays may take: 80 % of the memory that the process may use.
func Limit() int64 { return limit() }

var limit = sync.OnceValue(func() int64 { return physicalMemory() / 5 * 4 })

// physicalMemory returns the bytes of memory that the process may use: the machine's, or less where a Linux control group
// (a container) sets a limit.
func physicalMemory() int64 {
	n := systemMemory()
	if n <= 0 {
		n = assumedMemory
	}
	for _, path := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if limit, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64); err == nil && limit > 0 {
			n = min(n, limit)
		}
	}
	return n
}

// Free returns how many bytes of memory the process could take now without others having to give up theirs; where the system
// does not tell, all that the process may use.
func Free() int64 {
	n := physicalMemory()
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return n
	}
	for line := range bytes.Lines(text) {
		if rest, ok := bytes.CutPrefix(line, []byte("MemAvailable:")); ok {
			kb, err := strconv.ParseInt(string(bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(rest), []byte("kB")))), 10, 64)
			if err == nil && kb > 0 {
				n = min(n, kb<<10)
			}
		}
	}
	return n
}

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
