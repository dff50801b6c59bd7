package kernel

import "golang.org/x/sys/unix"

// crashRoom is how much a captured pipe should hold: the trace of a crash. While the Go runtime writes it nobody reads, and
// a full pipe would hang the process instead of ending it. 1 MB is what Linux lets every user ask for.
const crashRoom = 1 << 20

// widen makes room in the pipe fd; where the system refuses, the pipe stays as it is.
func widen(fd int) { unix.FcntlInt(uintptr(fd), unix.F_SETPIPE_SZ, crashRoom) }
