package arrays

import "unsafe"

// Small arrays are one piece of memory with their storage: smallArray, oneArray for an element, freshArray with its
// layout too.
type (
	smallArray struct {
		Array
		storage [16]uint64
	}
	oneArray struct {
		Array
		storage [2]uint64
	}
	freshArray struct {
		Array
		layout  [4]int
		storage [16]uint64
	}
)

// newSmall returns an array of n elements, which the caller sets, with the shape and strides of l, which are a fresh
// array's: layouts are never written to, so that the result can share them.
func newSmall(d DType, l Layout, n int) *Array {
	l.Offset = 0
	if d == StringDType {
		return &Array{d, l, newTextStorage(n)}
	}
	size := n * d.Size()
	if size > int(unsafe.Sizeof(smallArray{}.storage)) {
		return &Array{d, l, reserve(size)}
	}
	if size <= int(unsafe.Sizeof(oneArray{}.storage)) {
		s := new(oneArray)
		s.Array = Array{d, l, unsafe.Slice((*byte)(unsafe.Pointer(&s.storage)), size)}
		return &s.Array
	}
	s := new(smallArray)
	s.Array = Array{d, l, unsafe.Slice((*byte)(unsafe.Pointer(&s.storage)), size)}
	return &s.Array
}

// fitsFresh reports whether an array of so many bytes can be a freshArray.
func fitsFresh(size int, shape []int) bool {
	return size <= int(unsafe.Sizeof(freshArray{}.storage)) && 2*len(shape) <= len(freshArray{}.layout)
}

// newFresh returns an array of zeros, which fits a freshArray.
func newFresh(d DType, shape []int) *Array {
	s := new(freshArray)
	l := inRows(shape, s.layout[:])
	s.Array = Array{d, l, unsafe.Slice((*byte)(unsafe.Pointer(&s.storage)), l.Size()*d.Size())}
	return &s.Array
}
