package gosrc

import (
	"github.com/arrayrepl/arrayrepl/internal/tensor"
	"github.com/arrayrepl/arrayrepl/kir"
)

// smallFuncs are the conversions of formats that only gpu.MMA computes with.
func smallFuncs() map[string]intrinsic {
	m := map[string]intrinsic{}
	for name, h := range map[string]half{
		"TFloat32":   {(*lowerer).tf32, (*lowerer).ofTF32},
		"Float8E4M3": {(*lowerer).e4m3, small(tensor.FormatE4M3)},
		"Float8E5M2": {(*lowerer).e5m2, small(tensor.FormatE5M2)},
	} {
		m["gpu.To"+name] = func(l *lowerer, c *intrinsicCall) value { return plain(h.of(l, c.arg(0))) }
		m["gpu."+name+".Float32"] = func(l *lowerer, c *intrinsicCall) value { return plain(h.value(l, c.arg(0))) }
	}
	return m
}

// u32 is a constant.
func (l *lowerer) u32(x uint32) *kir.Value { return l.b.Int(kir.U32, int64(x)) }

// tf32 is tensor.TF32.
func (l *lowerer) tf32(bits *kir.Value) *kir.Value {
	return l.b.Bitcast(kir.F32, l.b.Op(kir.OpAnd, bits, l.u32(tensor.TF32Bits)))
}

// ofTF32 is tensor.TF32Of.
func (l *lowerer) ofTF32(x *kir.Value) *kir.Value {
	b := l.b
	near := b.Op(kir.OpAdd, b.Bitcast(kir.U32, x), l.u32(1<<12))
	return b.Op(kir.OpAnd, b.Op(kir.OpSelect, b.Op(kir.OpNe, x, x), l.u32(0x7fffffff), near), l.u32(tensor.TF32Bits))
}

// e4m3 is tensor.E4M3.
func (l *lowerer) e4m3(bits *kir.Value) *kir.Value {
	b, f := l.b, tensor.FormatE4M3
	word := b.Convert(kir.U32, bits)
	size := b.Op(kir.OpAnd, word, l.u32(0x7f))
	sign := b.Op(kir.OpShl, b.Op(kir.OpAnd, word, l.u32(0x80)), l.u32(24))
	normal := b.Op(kir.OpAdd, b.Op(kir.OpShl, size, l.u32(uint32(23-f.Fraction))), l.u32(uint32(127-f.Bias)<<23))
	step := b.Op(kir.OpMul, b.Convert(kir.F32, size), b.Const(kir.F32, float64(f.Step())))
	x := b.Op(kir.OpSelect, b.Op(kir.OpLt, size, l.u32(1<<f.Fraction)), b.Bitcast(kir.U32, step), normal)
	x = b.Op(kir.OpSelect, b.Op(kir.OpEq, size, l.u32(0x7f)), l.u32(0x7fc00000), x)
	return b.Bitcast(kir.F32, b.Op(kir.OpOr, x, sign))
}

// e5m2 takes the bits for the upper half of a Float16.
func (l *lowerer) e5m2(bits *kir.Value) *kir.Value {
	return l.ieee(l.b.Convert(kir.U16, l.b.Op(kir.OpShl, l.b.Convert(kir.U32, bits), l.u32(8))))
}

// small is Of of a format.
func small(f tensor.Small) func(l *lowerer, x *kir.Value) *kir.Value {
	return func(l *lowerer, x *kir.Value) *kir.Value {
		b, cut := l.b, uint32(23-f.Fraction)
		bits := b.Bitcast(kir.U32, x)
		size, sign := b.Op(kir.OpAnd, bits, l.u32(0x7fffffff)), b.Op(kir.OpShl, b.Op(kir.OpShr, bits, l.u32(31)), l.u32(7))
		odd := b.Op(kir.OpAnd, b.Op(kir.OpShr, size, l.u32(cut)), l.u32(1))
		code := b.Op(kir.OpShr, b.Op(kir.OpAdd, b.Op(kir.OpAdd, size, l.u32(1<<(cut-1)-1)), odd), l.u32(cut))
		code = b.Op(kir.OpSub, code, l.u32(uint32(127-f.Bias)<<f.Fraction))
		magic := b.Const(kir.F32, float64(f.Magic()))
		low := b.Op(kir.OpSub, b.Bitcast(kir.U32, b.Op(kir.OpAdd, b.Bitcast(kir.F32, size), magic)), b.Bitcast(kir.U32, magic))
		code = b.Op(kir.OpSelect, b.Op(kir.OpLt, size, l.u32(uint32(128-f.Bias)<<23)), low, code)
		code = b.Op(kir.OpOr, b.Op(kir.OpMin, code, l.u32(f.Greatest)), sign)
		return b.Convert(kir.U8, b.Op(kir.OpSelect, b.Op(kir.OpNe, x, x), l.u32(0x7f), code))
	}
}
