package budget

import (
	"bytes"
	"os"
	"strconv"
	"sync"
)

// assumed is what a machine is taken to have whose system does not tell.
const assumed = 4 << 30

// Physical returns the bytes of memory that the process may use: the machine's, or less where a Linux control group
// (a container) sets a limit.
func Physical() int64 {
	n := systemMemory()
	if n <= 0 {
		n = assumed
	}
	for _, path := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if limit, ok := number(path); ok && limit > 0 {
			n = min(n, limit)
		}
	}
	return n
}

var physical = sync.OnceValue(Physical)

// Free returns how many bytes of memory the process could take now without others having to give up theirs; where the
// system does not tell, all that the process may use.
func Free() int64 {
	n := min(Physical(), addresses())
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

// number reads a file that holds one.
func number(path string) (int64, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	first, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte(" "))
	n, err := strconv.ParseInt(string(first), 10, 64)
	return n, err == nil
}
