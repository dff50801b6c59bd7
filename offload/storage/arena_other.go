//go:build !unix

package storage

import "unsafe"

// arena is memory that begins on a multiple of 4096.
type arena struct{ bytes []byte }

func newArena(n int) (*arena, error) {
	const page = 4096
	b := make([]byte, n+page)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) % page)
	return &arena{b[skip : skip+n : skip+n]}, nil
}

// at returns where byte off is.
func (a *arena) at(off int64) unsafe.Pointer { return unsafe.Pointer(&a.bytes[off]) }
