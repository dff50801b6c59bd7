//go:build unix

package storage

import (
	"os"

	"golang.org/x/sys/unix"
)

// lockFile lets this program alone write to f through this package, until f is closed.
func lockFile(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }
