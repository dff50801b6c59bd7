//go:build unix

package procs

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

func interrupt(pid int) { syscall.Kill(pid, syscall.SIGINT) }

// Own returns the process group of the calling process, and whether that leads a session of processes: all of that
// session are then its own.
func Own() (group int, leads bool) {
	session, err := unix.Getsid(0)
	return syscall.Getpgrp(), err == nil && session == os.Getpid()
}
