package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// intCompare applies f to the operands, in the other order if swap; unsigned ones with their top bits flipped.
func intCompare(f two, swap bool, sign string) func(*context, []VecVirtual) VecVirtual {
	return func(c *context, x []VecVirtual) VecVirtual {
		p, q := x[0], x[1]
		if swap {
			p, q = q, p
		}
		if sign != "" {
			s, fp, fq := c.constant(sign), c.vec(), c.vec()
			VPXOR(s, p, fp)
			VPXOR(s, q, fq)
			p, q = fp, fq
		}
		z := c.vec()
		f(q, p, z)
		return z
	}
}

// chosen is the first operand where it compares with the second as gt says, else the second; swap is the other way
// round. Unsigned ones are compared with their top bits flipped.
func chosen(gt two, swap bool, sign string) func(*context, [][]VecVirtual) []VecVirtual {
	return each(func(c *context, x []VecVirtual) VecVirtual {
		m := intCompare(gt, swap, sign)(c, x)
		VBLENDVPD(m, x[0], x[1], m)
		return m
	})
}

// product64 is the lower half of the product of 64-bit integers, from those of their halves.
func product64(c *context, x []VecVirtual) VecVirtual {
	z, p, q := YMM(), YMM(), YMM()
	VPSRLQ(Imm(32), x[0], p)
	VPMULUDQ(x[1], p, p)
	VPSRLQ(Imm(32), x[1], q)
	VPMULUDQ(x[0], q, q)
	VPADDQ(q, p, p)
	VPSLLQ(Imm(32), p, p)
	VPMULUDQ(x[1], x[0], z)
	VPADDQ(p, z, z)
	return z
}

// productBytes is the lower half of the product of bytes.
func productBytes(c *context, x []VecVirtual) VecVirtual {
	p, q := YMM(), YMM()
	VPMOVZXBW(x[0], p)
	VPMOVZXBW(x[1], q)
	VPMULLW(q, p, p)
	return cutBytes(c, []VecVirtual{p})[0]
}

func shift(uniform, each2 two) func(*context, [][]VecVirtual) []VecVirtual {
	return func(c *context, x [][]VecVirtual) []VecVirtual {
		f := each2
		if c.form&2 != 0 {
			f = uniform
		}
		return plain(f)(c, x)
	}
}

// arithmeticShift shifts 64-bit integers with a sign to the right: of a negative number the ones' complement, which has
// no sign.
func arithmeticShift(shift two) func(*context, []VecVirtual) VecVirtual {
	return func(c *context, x []VecVirtual) VecVirtual {
		sign, z := YMM(), YMM()
		VPCMPGTQ(x[0], c.known["zero"], sign)
		VPXOR(x[0], sign, z)
		shift(x[1], z, z)
		VPXOR(sign, z, z)
		return z
	}
}

// wideInts are the loops that integers of 32 and 64 bits have alone: shl and shr take counts of 32 bits, lshift and
// rshift such of the operand's type, of which a negative one is as large as any.
func wideInts(s shape, signed bool, sub, shl, shlv, shr, shrv, eq, gt two) (out []loop) {
	var right func(c *context, x [][]VecVirtual) []VecVirtual
	left := shift(shl, shlv)
	if right = shift(shr, shrv); signed && s.size == 8 {
		right = func(c *context, x [][]VecVirtual) []VecVirtual {
			f := shrv
			if c.form&2 != 0 {
				f = shr
			}
			return each(arithmeticShift(f))(c, x)
		}
	}
	narrow := func(op string, body func(c *context, x [][]VecVirtual) []VecVirtual) {
		l := s.loop(op, 2, shifts, body)
		l.args[1] = 4
		out = append(out, l)
	}
	narrow("shl", left)
	narrow("shr", right)
	out = append(out, s.loop("lshift", 2, none, left), s.loop("rshift", 2, none, right))
	out = append(out, s.loop("sign", 1, none, each(func(c *context, x []VecVirtual) VecVirtual {
		z, m := YMM(), YMM()
		if !signed { // one more than -1 where it is zero
			eq(c.known["zero"], x[0], z)
			sub(c.known["full"], z, z)
			return z
		}
		gt(c.known["zero"], x[0], z)
		gt(x[0], c.known["zero"], m)
		sub(z, m, z)
		return z
	})))
	if signed {
		out = append(out, s.loop("abs", 1, none, each(func(c *context, x []VecVirtual) VecVirtual {
			z := YMM()
			if s.size == 4 {
				VPABSD(x[0], z)
				return z
			}
			m := YMM()
			gt(x[0], c.known["zero"], m)
			VPXOR(m, x[0], z)
			sub(m, z, z)
			return z
		})))
	}
	return out
}
