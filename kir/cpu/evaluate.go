package cpu

import (
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Evaluate returns the bits of v, a number computed from its operands alone, for operands with the bits args: by the
// engine's own function, so that whoever runs kernels in another order gets the same bits. It panics for other
// operations.
func Evaluate(v *kir.Value, args [3]uint64) uint64 { return evaluateBy(vectorOf(v), args) }

// EvaluateAtomic returns what the atomic operation v leaves in memory where old stood; y is the second operand of a
// compare-and-swap. Bits above the type's width mean nothing.
func EvaluateAtomic(v *kir.Value, old, x, y uint64) uint64 {
	return atomicFuncs[v.Op][v.Type](old, x, y)
}

func evaluateBy(f vecFunc, args [3]uint64) uint64 {
	var x [4]uint64
	copy(x[1:], args[:])
	p := func(i int) unsafe.Pointer { return unsafe.Pointer(&x[i]) }
	f(1, p(0), p(1), p(2), p(3))
	return x[0]
}

// CanEvaluate reports whether v is a number computed from its operands alone, which Evaluate gives.
func CanEvaluate(v *kir.Value) bool { return vectorOf(v) != nil }
