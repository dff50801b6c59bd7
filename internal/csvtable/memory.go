package csvtable

import (
	"unsafe"
)

// sliceOf sees bytes, aligned for it, as values of a type.
func sliceOf[T any](b []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}

// floatsOf sees values as the bits of floats that they are.
func floatsOf(values []int64) []float64 {
	return unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(values))), len(values))
}

func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
