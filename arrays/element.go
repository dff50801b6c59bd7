package arrays

import "unsafe"

// element is the Go type of an element in storage; a bool is a byte, 0 or 1, and dates and spans are int64. Strings
// have none.
type element interface {
	plainInt | float | half | complexNumber
}

type (
	signedInt   interface{ int8 | int16 | int32 | int64 }
	unsignedInt interface {
		uint8 | uint16 | uint32 | uint64
	}
	plainInt      interface{ signedInt | unsignedInt }
	float         interface{ float32 | float64 }
	realNumber    interface{ plainInt | float }
	complexNumber interface{ complex64 | complex128 }
	number        interface{ realNumber | complexNumber } // what has arithmetic
)

// elements sees storage as a slice of its elements' Go type.
func elements[T element](b []byte) []T { return sliceOf[T](b) }

// sliceOf is elements for types that stand for elements of their size.
func sliceOf[T any](b []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}

// bytesOf sees elements as storage.
func bytesOf[T element](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*sizeOfElement[T]())
}

// sizeOfElement is the number of bytes of a T.
func sizeOfElement[T element]() int {
	var zero T
	return int(unsafe.Sizeof(zero))
}
