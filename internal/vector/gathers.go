package vector

import "unsafe"

//go:generate go run -C asm . -part gathers -out ../gathers_amd64.s -table ../gatherstable_amd64.go

// Gather loads elements of 4 or 8 bytes to d, from the n addresses at a, one after the other until it comes to one that
// is not a multiple of the size or not from first to last. Address x is at x+delta in this program. It returns how many
// it has loaded at least: 0 where the processor has no loop for it, n or the number of one of the eight before such an
// address, rounded down to a multiple of eight.
func Gather(size, n int, d, a unsafe.Pointer, first, last, delta uint64) (done int) {
	if n &^= 7; n == 0 {
		return 0
	}
	return gather(size, n, d, a, first, last, delta)
}

// ColumnsWide is how many columns [Columns] takes apart.
const ColumnsWide = 8

// Columns takes n rows of [ColumnsWide] elements of 4 bytes apart, a multiple of [Step], that lie one behind the other
// from p on: column k is at d and k times so many bytes. It reports whether the processor has a loop for that.
func Columns(n int, d unsafe.Pointer, apart int, p unsafe.Pointer) bool {
	return columns(n, d, apart, p)
}
