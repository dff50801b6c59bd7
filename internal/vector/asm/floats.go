package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// minimum is NumPy's: the instruction gives its second operand where one is NaN or both are zeros, so both orders are
// tried. Or-ing them keeps a NaN and the sign of a zero.
func minimum(f, or two) func(*context, [][]VecVirtual) []VecVirtual {
	return each(func(c *context, x []VecVirtual) VecVirtual {
		p, q := c.vec(), c.vec()
		f(x[1], x[0], p)
		f(x[0], x[1], q)
		or(q, p, p)
		return p
	})
}

// maximum and-s them, for the zero without a sign, and makes NaN of what does not compare.
func maximum(f, and, or two, compare two) func(*context, [][]VecVirtual) []VecVirtual {
	return each(func(c *context, x []VecVirtual) VecVirtual {
		p, q := c.vec(), c.vec()
		f(x[1], x[0], p)
		f(x[0], x[1], q)
		and(q, p, p)
		if c.l.wide {
			k := K()
			compare(Imm(3), x[1], x[0], k)
			if c.l.size == 4 {
				VPTERNLOGD(Imm(0xff), p, p, k, p)
			} else {
				VPTERNLOGQ(Imm(0xff), p, p, k, p)
			}
			return p
		}
		compare(Imm(3), x[1], x[0], q)
		or(q, p, p)
		return p
	})
}

func fma(f two) func(*context, [][]VecVirtual) []VecVirtual {
	return each(func(c *context, x []VecVirtual) VecVirtual {
		z := c.vec()
		VMOVAPD(x[0], z)
		f(x[2], x[1], z) // z = x[1]*z + x[2]
		return z
	})
}

// questions are what is asked of floats.
func questions(s shape, cmp, andn two) []loop {
	bits := s.typ[1:]
	magnitude := func(predicate uint64) func(c *context, x []VecVirtual) VecVirtual {
		return func(c *context, x []VecVirtual) VecVirtual {
			z := YMM()
			andn(x[0], c.known["sign"+bits], z)
			cmp(Imm(predicate), c.known["inf"+bits], z, z)
			return z
		}
	}
	return []loop{
		s.loop("isnan", 1, none, compared(s, false, func(c *context, x []VecVirtual) VecVirtual {
			z := YMM()
			cmp(Imm(3), x[0], x[0], z)
			return z
		})),
		s.loop("isinf", 1, none, compared(s, false, magnitude(0))),
		s.loop("isfinite", 1, none, compared(s, false, magnitude(17))),
		s.loop("signbit", 1, none, compared(s, false, func(c *context, x []VecVirtual) VecVirtual {
			z := YMM()
			if s.size == 4 {
				VPSRAD(Imm(31), x[0], z)
			} else {
				VPCMPGTQ(x[0], c.known["zero"], z)
			}
			return z
		})),
	}
}

func floatCompare(predicate uint64, f two) func(*context, []VecVirtual) VecVirtual {
	return func(c *context, x []VecVirtual) VecVirtual {
		z := YMM()
		f(Imm(predicate), x[1], x[0], z)
		return z
	}
}

// floatSign is 1, 0 or -1, and a NaN as it is.
func floatSign(cmp, and, or, blend two, one, sign string) func(*context, [][]VecVirtual) []VecVirtual {
	return each(func(c *context, x []VecVirtual) VecVirtual {
		z, m := YMM(), YMM()
		and(c.known[sign], x[0], m)
		or(c.known[one], m, m)
		cmp(Imm(4), c.known["zero"], x[0], z) // not zero, or NaN
		and(m, z, z)
		cmp(Imm(3), x[0], x[0], m)
		blend(m, x[0], z, z)
		return z
	})
}

// numberOf is the first operand where it compares as asked or the second is NaN, else the second.
func numberOf(predicate uint64, cmp, or, blend two) func(*context, [][]VecVirtual) []VecVirtual {
	return each(func(c *context, x []VecVirtual) VecVirtual {
		z, m := YMM(), YMM()
		cmp(Imm(predicate), x[1], x[0], z)
		cmp(Imm(3), x[1], x[1], m)
		or(m, z, z)
		blend(z, x[0], x[1], z)
		return z
	})
}
