//go:build !amd64

package vector

import "unsafe"

func gather(size, n int, d, a unsafe.Pointer, first, last, delta uint64) int { return 0 }
