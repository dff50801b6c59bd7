package budget

import (
	"strings"
	"unsafe"
)

// Unset returns n bytes that begin on a multiple of 8, for who writes every one before anybody reads: they may hold
// anything. The room of a strings.Builder is the one memory that Go hands out without zeroing it, which takes longer
// than a sum of two arrays.
func Unset(n int) []byte {
	if n == 0 {
		return []byte{}
	}
	var b strings.Builder
	b.Grow((n + 7) &^ 7) // in multiples of 8 bytes, memory is aligned to as many
	b.WriteByte(0)       // the address of an empty string is not specified
	return unsafe.Slice(unsafe.StringData(b.String()), n)
}
