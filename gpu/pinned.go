package gpu

import (
	"fmt"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// HostBuffer is memory of the host for n elements of a dtype that is pinned for a device: copies from and to it are
// faster than those of other memory, and go on beside kernels. Streams take it for a slice:
//
//	h := gpu.Pinned(np.Float32, n)
//	x := h.Float32()
//	s.CopyIn(buffer, h) // x must stay as it is until the event is done
//	s.Launch(...)
type HostBuffer struct {
	dtype arrays.DType
	n     int
	bytes []byte
	from  device.Pinner // nil of memory like other
}

// Pinned returns pinned memory of the host for n elements, zeros, for streams of the device that np.Use has chosen. On
// a device that copies no faster from any memory, as the CPU, it is memory like other. It panics with *Error when n is
// negative, and with the device's error when there is none.
//
// For example:
//
//	host := gpu.Pinned(np.Float32, 1000)
//	s.CopyIn(x, host) // may run beside a kernel of another stream
func Pinned(dtype arrays.DType, n int) *HostBuffer {
	if n < 0 {
		panic(&Error{Err: fmt.Errorf("a pinned buffer of %d elements: the number must be 0 or more", n)})
	}
	h := &HostBuffer{dtype: dtype, n: n}
	p, ok := lazy.Runtime().Device().(device.Pinner)
	if !ok {
		h.bytes = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(make([]uint64, (n*dtype.Size()+7)/8)))), n*dtype.Size())
		return h
	}
	var err error
	h.from = p
	if h.bytes, err = p.HostAlloc(n * dtype.Size()); err != nil {
		panic(err)
	}
	return h
}

// Free gives the memory back: nothing may copy from it or to it any more, nor use its slices. It is not given back by
// itself, but with the device.
func (h *HostBuffer) Free() {
	used("Free", "gives it back", "", h.memory(), true)
	if h.from == nil || h.bytes == nil {
		return
	}
	if err := h.from.HostFree(h.bytes); err != nil {
		panic(&Error{Err: err})
	}
	h.bytes, h.n = nil, 0
}

// Len returns the number of elements.
func (h *HostBuffer) Len() int { return h.n }

// DType returns the dtype of the elements.
func (h *HostBuffer) DType() arrays.DType { return h.dtype }

// String says what it is: "pinned buffer of 1000 float32".
func (h *HostBuffer) String() string { return fmt.Sprintf("pinned buffer of %d %v", h.n, h.dtype) }

// elements returns the memory as a slice of elements; it panics with *Error when they are others.
func elements[T any](h *HostBuffer, d arrays.DType, method string) []T {
	if h.dtype != d {
		panic(&Error{Err: fmt.Errorf("%v has no elements of %v", h, d)})
	}
	used(method, "gives it to the program", "nothing is wrong if the elements are used behind that alone", h.memory(), true)
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(h.bytes))), h.n)
}

// Float32 returns the elements of a buffer of float32: its memory, not a copy. While a stream may copy to it, what the
// elements are is not defined, and while one may copy from it, they must stay: there is a note where that may be so. It
// panics with *Error when the dtype is another. The same holds for the four below.
func (h *HostBuffer) Float32() []float32 { return elements[float32](h, arrays.Float32, "Float32") }

// Float64 returns the elements of a buffer of float64.
func (h *HostBuffer) Float64() []float64 { return elements[float64](h, arrays.Float64, "Float64") }

// Int32 returns the elements of a buffer of int32.
func (h *HostBuffer) Int32() []int32 { return elements[int32](h, arrays.Int32, "Int32") }

// Int64 returns the elements of a buffer of int64.
func (h *HostBuffer) Int64() []int64 { return elements[int64](h, arrays.Int64, "Int64") }

// Uint8 returns the elements of a buffer of uint8.
func (h *HostBuffer) Uint8() []uint8 { return elements[uint8](h, arrays.Uint8, "Uint8") }

// fits returns the memory for copies between h and b, as many elements as h has.
func (b *Buffer) fits(h *HostBuffer) ([]byte, error) {
	switch {
	case h == nil:
		return nil, fmt.Errorf("the pinned buffer is nil; was it never assigned?")
	case h.dtype != b.dtype:
		return nil, fmt.Errorf("%v does not fit %v", h, b)
	case h.n > b.n:
		return nil, fmt.Errorf("the pinned buffer has %d elements, the buffer %d", h.n, b.n)
	}
	return h.bytes, nil
}
