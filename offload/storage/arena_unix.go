//go:build unix

package storage

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// arena is memory outside of Go's heap that begins on a page, for as long as somebody has the arena. What was never
// touched takes no memory.
type arena struct{ bytes []byte }

func newArena(n int) (*arena, error) {
	b, err := unix.Mmap(-1, 0, max(n, 1), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, err
	}
	a := &arena{b[:n]}
	runtime.AddCleanup(a, func(b []byte) { _ = unix.Munmap(b) }, b)
	return a, nil
}

// at returns where byte off is.
func (a *arena) at(off int64) unsafe.Pointer { return unsafe.Pointer(&a.bytes[off]) }
