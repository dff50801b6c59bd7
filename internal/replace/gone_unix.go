//go:build unix

package replace

import (
	"errors"
	"os"
	"syscall"
)

// gone reports whether there is no process of that number.
func gone(pid int) bool {
	if pid == os.Getpid() {
		return false
	}
	p, err := os.FindProcess(pid)
	return err != nil || errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone) || errors.Is(p.Signal(syscall.Signal(0)), syscall.ESRCH)
}
