package kir

import "math"

// Cast returns x as type t by the one rule for casts of arrays and of kernels in Go, which is C's on x86, hence NumPy's
// there and Go's on amd64. It is Convert but for floats that become integers: one that an I64 or I32 cannot hold, and
// NaN, becomes the smallest of them, narrower integers are the low bits of an I32, and a U32 those of an I64; a U64 is
// an I64 of what is left above 2^63 where that is reached.
func (b *Builder) Cast(t Type, x *Value) *Value {
	if !x.Type.IsFloat() || !t.IsInteger() {
		return b.Convert(t, x)
	}
	if x.Type == F16 {
		x = b.Convert(F32, x)
	}
	// What is cut to the smallest itself may go either way.
	within := func(t Type, limit float64, smallest int64) *Value {
		return b.Op(OpSelect, b.Op(OpLt, b.Op(OpAbs, x), b.Const(x.Type, limit)), b.Convert(t, x), b.Int(t, smallest))
	}
	switch t {
	case I64:
		return within(t, 0x1p63, math.MinInt64)
	case I32:
		return within(t, 0x1p31, math.MinInt32)
	case U32:
		return b.Convert(t, b.Cast(I64, x))
	case U64:
		half := b.Const(x.Type, 0x1p63)
		above := b.Op(OpXor, b.Convert(t, b.Cast(I64, b.Op(OpSub, x, half))), b.Int(t, math.MinInt64))
		return b.Op(OpSelect, b.Op(OpGe, x, half), above, b.Convert(t, b.Cast(I64, x)))
	}
	return b.Convert(t, b.Cast(I32, x))
}
