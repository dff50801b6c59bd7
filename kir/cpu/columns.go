package cpu

import (
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Columns returns the function of v, a number computed from its operands alone, for n sets of operands side by side: d
// takes the results, and a, b and c have the operands, arrays of n elements each in the width of its type. d overlaps
// no operand. It is nil for other operations.
func Columns(v *kir.Value) func(n int, d, a, b, c unsafe.Pointer) { return vectorOf(v) }
