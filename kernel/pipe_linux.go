package kernel

import (
	"os"

	"golang.org/x/sys/unix"
)

// pipeRoom is how much a pipe should hold: the trace of a crash where a process captures its own output (while the Go
// runtime writes it nobody reads, and a full pipe would hang the process instead of ending it), and a large output,
// which then takes fewer turns. 1 MB is what Linux lets every user ask for.
const pipeRoom = 1 << 20

// widen makes room in a pipe; where the system refuses, the pipe stays as it is.
func widen(f *os.File) {
	if raw, err := f.SyscallConn(); err == nil {
		raw.Control(func(fd uintptr) { unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeRoom) })
	}
}
