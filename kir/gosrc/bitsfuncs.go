package gosrc

import "github.com/arrayrepl/arrayrepl/kir"

// bitsFuncs are the functions of package math/bits that kernels have.
func bitsFuncs() map[string]intrinsic {
	m := map[string]intrinsic{}
	for suffix, t := range map[string]kir.Type{"": kir.U64, "8": kir.U8, "16": kir.U16, "32": kir.U32, "64": kir.U64} {
		width := int64(8 * t.Bytes())
		one := func(name string, f func(l *lowerer, x *kir.Value) *kir.Value) {
			m["math/bits."+name+suffix] = scalars(func(l *lowerer, x []*kir.Value) *kir.Value { return f(l, x[0]) })
		}
		number := func(l *lowerer, x *kir.Value) *kir.Value { return l.b.Convert(kir.I64, x) }
		length := func(l *lowerer, x *kir.Value) *kir.Value {
			w := l.wide(x)
			return l.b.Op(kir.OpSub, l.b.Int(kir.I64, int64(8*w.Type.Bytes())), number(l, l.b.Op(kir.OpClz, w)))
		}
		one("OnesCount", func(l *lowerer, x *kir.Value) *kir.Value { return number(l, l.b.Op(kir.OpPopc, l.wide(x))) })
		one("Len", length)
		one("LeadingZeros", func(l *lowerer, x *kir.Value) *kir.Value {
			return l.b.Op(kir.OpSub, l.b.Int(kir.I64, width), length(l, x))
		})
		one("TrailingZeros", func(l *lowerer, x *kir.Value) *kir.Value { // the ones of ^x & (x-1)
			below := l.b.Op(kir.OpAnd, l.b.Op(kir.OpNot, x), l.b.Op(kir.OpSub, x, l.b.Int(t, 1)))
			return number(l, l.b.Op(kir.OpPopc, l.wide(below)))
		})
		one("Reverse", func(l *lowerer, x *kir.Value) *kir.Value {
			w := l.wide(x)
			r := l.b.Op(kir.OpBrev, w)
			return l.b.Convert(t, l.b.Op(kir.OpShr, r, l.b.Int(kir.U32, int64(8*w.Type.Bytes())-width)))
		})
		m["math/bits.RotateLeft"+suffix] = scalars(func(l *lowerer, x []*kir.Value) *kir.Value {
			k := l.b.Op(kir.OpAnd, l.b.Convert(kir.U32, x[1]), l.b.Int(kir.U32, width-1))
			back := l.b.Op(kir.OpSub, l.b.Int(kir.U32, width), k)
			return l.b.Op(kir.OpOr, l.b.Op(kir.OpShl, x[0], k), l.b.Op(kir.OpShr, x[0], back))
		})
		if suffix != "8" {
			one("ReverseBytes", func(l *lowerer, x *kir.Value) *kir.Value { return l.reverseBytes(x) })
		}
		if suffix != "8" && suffix != "16" {
			wideFuncs(m, suffix, t)
		}
	}
	return m
}

// wideFuncs are the functions of numbers that take two words: the carries of sums and differences, products, quotients.
func wideFuncs(m map[string]intrinsic, suffix string, t kir.Type) {
	m["math/bits.Add"+suffix] = func(l *lowerer, c *intrinsicCall) value {
		s := l.b.Op(kir.OpAdd, c.arg(0), c.arg(1))
		out := l.b.Op(kir.OpAdd, s, c.arg(2))
		carry := l.b.Op(kir.OpOr, l.b.Op(kir.OpLt, s, c.arg(0)), l.b.Op(kir.OpLt, out, s))
		return plain(out, l.b.Convert(t, carry))
	}
	m["math/bits.Sub"+suffix] = func(l *lowerer, c *intrinsicCall) value {
		d := l.b.Op(kir.OpSub, c.arg(0), c.arg(1))
		out := l.b.Op(kir.OpSub, d, c.arg(2))
		borrow := l.b.Op(kir.OpOr, l.b.Op(kir.OpLt, c.arg(0), c.arg(1)), l.b.Op(kir.OpLt, d, c.arg(2)))
		return plain(out, l.b.Convert(t, borrow))
	}
	m["math/bits.Mul"+suffix] = func(l *lowerer, c *intrinsicCall) value {
		return plain(l.b.Op(kir.OpMulHi, c.arg(0), c.arg(1)), l.b.Op(kir.OpMul, c.arg(0), c.arg(1)))
	}
	m["math/bits.Div"+suffix] = func(l *lowerer, c *intrinsicCall) value {
		hi, lo, y := c.arg(0), c.arg(1), c.arg(2)
		l.checkDivisor(y)
		if !l.unchecked {
			l.b.Check(kir.CheckPanic, l.b.Op(kir.OpLt, hi, y), nil, nil, "integer overflow: the quotient of bits.Div"+suffix+" takes more than a word")
		}
		return plain(l.divideWide(hi, lo, y))
	}
	m["math/bits.Rem"+suffix] = func(l *lowerer, c *intrinsicCall) value {
		hi, lo, y := c.arg(0), c.arg(1), c.arg(2)
		l.checkDivisor(y)
		_, rem := l.divideWide(l.b.Op(kir.OpRem, hi, y), lo, y)
		return plain(rem)
	}
}

// checkDivisor ends the run where y is 0, as a division of integers does.
func (l *lowerer) checkDivisor(y *kir.Value) {
	if !l.unchecked && (y.Op != kir.OpConst || y.Imm == 0) {
		l.b.Check(kir.CheckDivide, l.b.Op(kir.OpNe, y, l.b.Int(y.Type, 0)), nil, nil, "")
	}
}

// reverseBytes changes the places of halves, of their halves, and so on down to bytes.
func (l *lowerer) reverseBytes(x *kir.Value) *kir.Value {
	t := x.Type
	for step, mask := int64(8), uint64(0x00ff00ff00ff00ff); step < int64(8*t.Bytes()); step *= 2 {
		k, m := l.b.Int(kir.U32, step), l.b.Bits(t, mask&(1<<(8*t.Bytes())-1))
		down := l.b.Op(kir.OpAnd, l.b.Op(kir.OpShr, x, k), m)
		x = l.b.Op(kir.OpOr, l.b.Op(kir.OpShl, l.b.Op(kir.OpAnd, x, m), k), down)
		mask = map[int64]uint64{8: 0x0000ffff0000ffff, 16: 0x00000000ffffffff}[step]
	}
	return x
}

// divideWide divides hi and lo, two words of a number with hi < y, by y: where 64 bits hold both, at once; else by two
// digits of 32 bits, each estimated from the highest digit of the divisor and at most two too large (Knuth, The Art of
// Computer Programming, volume 2, section 4.3.1, algorithm D).
func (l *lowerer) divideWide(hi, lo, y *kir.Value) (quo, rem *kir.Value) {
	op, b := l.b.Op, l.b
	if t := y.Type; t.Bytes() == 4 {
		x := op(kir.OpOr, op(kir.OpShl, b.Convert(kir.U64, hi), b.Int(kir.U32, 32)), b.Convert(kir.U64, lo))
		wide := b.Convert(kir.U64, y)
		return b.Convert(t, op(kir.OpDiv, x, wide)), b.Convert(t, op(kir.OpRem, x, wide))
	}
	half, low := b.Int(kir.U32, 32), b.Bits(kir.U64, 1<<32-1)
	one, limit := b.Int(kir.U64, 1), b.Bits(kir.U64, 1<<32)
	upper := func(x *kir.Value) *kir.Value { return op(kir.OpShr, x, half) }
	join := func(x, digit *kir.Value) *kir.Value { return op(kir.OpAdd, op(kir.OpShl, x, half), digit) }
	times := func(x, y *kir.Value) *kir.Value { return op(kir.OpMul, x, y) }
	s := op(kir.OpClz, y) // so that the highest bit of the divisor is set
	y = op(kir.OpShl, y, s)
	y1, y0 := upper(y), op(kir.OpAnd, y, low)
	hi = op(kir.OpOr, op(kir.OpShl, hi, s), op(kir.OpShr, lo, op(kir.OpSub, b.Int(kir.U32, 64), s)))
	lo = op(kir.OpShl, lo, s)
	digit := func(x, next *kir.Value) *kir.Value {
		q := op(kir.OpDiv, x, y1)
		r := op(kir.OpSub, x, times(q, y1))
		var again *kir.Value
		for range 2 {
			tooLarge := op(kir.OpOr, op(kir.OpGe, q, limit), op(kir.OpGt, times(q, y0), join(r, next)))
			if again != nil {
				tooLarge = op(kir.OpAnd, tooLarge, again)
			}
			q = op(kir.OpSelect, tooLarge, op(kir.OpSub, q, one), q)
			r = op(kir.OpSelect, tooLarge, op(kir.OpAdd, r, y1), r)
			again = op(kir.OpAnd, tooLarge, op(kir.OpLt, r, limit))
		}
		return q
	}
	q1 := digit(hi, upper(lo))
	rest := op(kir.OpSub, join(hi, upper(lo)), times(q1, y))
	q0 := digit(rest, op(kir.OpAnd, lo, low))
	rest = op(kir.OpSub, join(rest, op(kir.OpAnd, lo, low)), times(q0, y))
	return join(q1, q0), op(kir.OpShr, rest, s)
}
