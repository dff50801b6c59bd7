//go:build unix

package kernel

import (
	"os"

	"golang.org/x/sys/unix"
)

// ownFile returns f by another descriptor, which commands that cells start do not get.
func ownFile(f *os.File) (*os.File, error) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}
