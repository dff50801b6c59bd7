//go:build !amd64

package vector

import "unsafe"

func gather(size, n int, d, a unsafe.Pointer, first, last, delta uint64) int { return 0 }

func columns(n int, d unsafe.Pointer, apart int, p unsafe.Pointer) bool { return false }
