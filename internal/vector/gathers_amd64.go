package vector

import "unsafe"

func gather(size, n int, d, a unsafe.Pointer, first, last, delta uint64) int {
	switch {
	case hasAVX512 && size == 4:
		return gather32(n, (*byte)(d), (*byte)(a), first, last, delta)
	case hasAVX512 && size == 8:
		return gather64(n, (*byte)(d), (*byte)(a), first, last, delta)
	}
	return 0
}

func columns(n int, d unsafe.Pointer, apart int, p unsafe.Pointer) bool {
	if !hasAVX512 || n%Step != 0 || n == 0 {
		return false
	}
	columns32(n, (*byte)(d), apart, (*byte)(p))
	return true
}
