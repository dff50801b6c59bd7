//go:build !linux

package storage

import (
	"os"
	"runtime"
)

func systemBacking(disk *os.File, o Options) (Backing, string, error) {
	return Pread{disk}, o.Backing + " is of Linux, and this is " + runtime.GOOS, nil
}
