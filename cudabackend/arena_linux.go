//go:build !nocuda

package cudabackend

import (
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// arena is memory that the session and its worker share: segments of one file that has no name. They stay until the
// process ends, for what the session has of them may be in use after a worker is gone.
type arena struct {
	file     *os.File
	mu       sync.Mutex // of slice, beside add
	segments []segment
}

type segment struct {
	offset int64
	b      []byte
}

// newArena makes an empty one.
func newArena() (*arena, error) {
	fd, err := unix.MemfdCreate("arrayrepl-gpu", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("memfd_create", err)
	}
	return &arena{file: os.NewFile(uintptr(fd), "shared")}, nil
}

// grow adds a segment of so many bytes, zeroed, to the file.
func (a *arena) grow(bytes int) (segment, error) {
	var end int64
	if n := len(a.segments); n > 0 {
		end = a.segments[n-1].offset + int64(len(a.segments[n-1].b))
	}
	page := os.Getpagesize()
	bytes = (bytes + page - 1) / page * page
	if err := a.file.Truncate(end + int64(bytes)); err != nil {
		return segment{}, err
	}
	if err := a.add(end, bytes); err != nil {
		return segment{}, err
	}
	return a.segments[len(a.segments)-1], nil
}

// add maps a segment that is in the file already.
func (a *arena) add(offset int64, bytes int) error {
	b, err := unix.Mmap(int(a.file.Fd()), offset, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return os.NewSyscallError("mmap", err)
	}
	a.mu.Lock()
	a.segments = append(a.segments, segment{offset, b})
	a.mu.Unlock()
	return nil
}

// slice returns n bytes at an offset of the file, of one segment; nil where there are none.
func (a *arena) slice(offset int64, n int) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range a.segments {
		if i := offset - s.offset; i >= 0 && i+int64(n) <= int64(len(s.b)) {
			return s.b[i : i+int64(n) : i+int64(n)]
		}
	}
	return nil
}
