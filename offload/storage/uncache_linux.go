package storage

import (
	"os"

	"golang.org/x/sys/unix"
)

// uncache has the system forget what it knows of a file, so that reads go to the disk.
func uncache(f *os.File) { _ = unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED) }
