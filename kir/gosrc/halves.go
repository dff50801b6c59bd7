package gosrc

import "github.com/arrayrepl/arrayrepl/kir"

// halfFuncs are the methods of the formats of gpu.MMA, whose values are their bits.
func halfFuncs() map[string]intrinsic {
	m := smallFuncs()
	for name, h := range map[string]half{"Float16": {(*lowerer).ieee, (*lowerer).ofIEEE}, "BFloat16": {(*lowerer).brain, (*lowerer).ofBrain}} {
		m["gpu.To"+name] = func(l *lowerer, c *intrinsicCall) value { return plain(h.of(l, c.arg(0))) }
		m["gpu."+name+".Float32"] = func(l *lowerer, c *intrinsicCall) value { return plain(h.value(l, c.arg(0))) }
		for method, op := range map[string]kir.Op{"Add": kir.OpAdd, "Sub": kir.OpSub, "Mul": kir.OpMul, "Div": kir.OpDiv} {
			m["gpu."+name+"."+method] = func(l *lowerer, c *intrinsicCall) value {
				return plain(h.of(l, l.b.Op(op, h.value(l, c.arg(0)), h.value(l, c.arg(1)))))
			}
		}
		m["gpu."+name+".Less"] = func(l *lowerer, c *intrinsicCall) value {
			return plain(l.b.Op(kir.OpLt, h.value(l, c.arg(0)), h.value(l, c.arg(1))))
		}
	}
	return m
}

// half is a format of 16 bits. What float32 has rounded is rounded again: float32 has more than twice the digits, so
// that the result is that of one rounding (Figueroa, When is double rounding innocuous?, 1995) but for products that
// are subnormal as bfloat16s.
type half struct {
	value func(l *lowerer, bits *kir.Value) *kir.Value
	of    func(l *lowerer, x *kir.Value) *kir.Value
}

func (l *lowerer) ieee(bits *kir.Value) *kir.Value {
	return l.b.Convert(kir.F32, l.b.Bitcast(kir.F16, bits))
}

func (l *lowerer) ofIEEE(x *kir.Value) *kir.Value {
	return l.b.Bitcast(kir.U16, l.b.Convert(kir.F16, x))
}

func (l *lowerer) brain(bits *kir.Value) *kir.Value {
	return l.b.Bitcast(kir.F32, l.b.Op(kir.OpShl, l.b.Convert(kir.U32, bits), l.b.Int(kir.U32, 16)))
}

// ofBrain is tensor.BrainOf.
func (l *lowerer) ofBrain(x *kir.Value) *kir.Value {
	b := l.b
	bits, sixteen := b.Bitcast(kir.U32, x), b.Int(kir.U32, 16)
	odd := b.Op(kir.OpAnd, b.Op(kir.OpShr, bits, sixteen), b.Int(kir.U32, 1))
	up := b.Op(kir.OpAdd, b.Op(kir.OpAdd, bits, b.Int(kir.U32, 0x7fff)), odd)
	near := b.Op(kir.OpShr, up, sixteen)
	return b.Convert(kir.U16, b.Op(kir.OpSelect, b.Op(kir.OpNe, x, x), b.Int(kir.U32, 0x7fff), near))
}
