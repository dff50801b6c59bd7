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
