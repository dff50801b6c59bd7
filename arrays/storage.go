package arrays

import (
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/budget"
)

// OnAllocate makes f be asked before the storage of an array of 1 MB or more is made, and before what a file of data
// says it holds; what makes the array panics with an error that wraps its error, what reads a file returns one. A
// program that runs code of others can limit them so. Nil takes f back.
func (Wiring) OnAllocate(f func(bytes int) error) {
	if f == nil {
		budget.Ask(nil)
		return
	}
	budget.Ask(func(_ string, bytes int64) error { return f(int(bytes)) })
}

// mayAllocate panics when the program allows no more n bytes.
func mayAllocate(n int) {
	if n >= budget.Small {
		if err := budget.Limited("an array", int64(n)); err != nil {
			panic(budget.Refused{Err: err})
		}
	}
}

// muchRoom is how many bytes take so long to get, while garbage is collected, that whoever waits is asked.
const muchRoom = 4 << 20

// allocate returns n zeroed bytes that are aligned for every dtype.
func allocate(n int) []byte {
	if n == 0 {
		return []byte{}
	}
	mayAllocate(n)
	made(n)
	if n >= muchRoom {
		poll()
		defer poll()
	}
	words := make([]uint64, (n+7)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), n)
}

// reserve is allocate for who writes every byte before anybody reads: they may hold anything.
func reserve(n int) []byte {
	if n < 256 {
		return allocate(n)
	}
	mayAllocate(n)
	made(n)
	return budget.Unset(roomySize((n + 7) &^ 7))[:n:n]
}

// roomySize is n, or somewhat more where Go's allocator gets one or two pieces of n bytes from a span, which it sets up
// anew for them, and several of the next size: 5 for 2 up to 4 kB, 6 for 1 up to 8 kB, 4 for 1 up to 16 kB, 3 for 1 up
// to 24 kB.
func roomySize(n int) int {
	switch {
	case n > 3456 && n <= 4096:
		return 4864
	case n > 6912 && n <= 8192:
		return 9472
	case n > 14336 && n <= 16384:
		return 18432
	case n > 21760 && n <= 24576:
		return 27264
	}
	return n
}

// newUnset is New for who writes every element.
func newUnset(dtype DType, shape []int) *Array {
	check("shape", checkShape(shape))
	if dtype == StringDType {
		return newTexts(shape)
	}
	if size := sizeOf(shape) * dtype.Size(); !fitsFresh(size, shape) {
		return &Array{dtype, Contiguous(shape...), reserve(size)}
	}
	return newFresh(dtype, shape)
}
