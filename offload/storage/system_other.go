//go:build !linux

package storage

import (
	"os"
	"runtime"
)

func systemBacking(disk *os.File, o Options) (Backing, string, error) {
	return Pread{disk}, o.Backing + " is of Linux, and this is " + runtime.GOOS, nil
}

// Direct is a backing of Linux, whose place [Pread] takes here.
type Direct struct{ Pread }

// Uring is a backing of Linux, whose place [Pread] takes here.
type Uring struct{ Pread }
