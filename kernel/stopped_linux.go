package kernel

import (
	"bytes"
	"fmt"
	"os"
)

// isStopped reports whether a process is stopped, or held by a debugger.
func isStopped(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, ok := bytes.Cut(stat[max(0, bytes.LastIndexByte(stat, ')')):], []byte(" "))
	return ok && len(rest) > 0 && (rest[0] == 'T' || rest[0] == 't')
}
