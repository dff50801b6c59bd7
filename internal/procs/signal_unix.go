//go:build unix

package procs

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

func interrupt(pid int) { syscall.Kill(pid, syscall.SIGINT) }

// Own returns the process group of the calling process, and whether that leads it away from any terminal: all of the
// group, and of a session of processes that it leads, is then its own.
func Own() (group int, alone bool) {
	group = syscall.Getpgrp()
	return group, group == os.Getpid() && !HasTerminal()
}

// HasTerminal reports whether the calling process has a controlling terminal, which programs that ask for a password
// read from.
func HasTerminal() bool {
	tty, err := unix.Open("/dev/tty", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return !errors.Is(err, unix.ENXIO) && !errors.Is(err, unix.ENOENT)
	}
	unix.Close(tty)
	return true
}
