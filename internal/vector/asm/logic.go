package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// logic are the loops of logical operations, which take what is not zero for true. Signs do not count: those of
// unsigned integers serve all.
func logic() (out []loop) {
	for _, s := range []struct {
		shape
		zero func(c *context, x VecVirtual) VecVirtual // full where x is zero
	}{
		{u8, zeroInts(VPCMPEQB)}, {u16, zeroInts(VPCMPEQW)}, {u32, zeroInts(VPCMPEQD)}, {u64, zeroInts(VPCMPEQQ)},
		{f32, zeroFloats(VCMPPS)}, {f64, zeroFloats(VCMPPD)}, {f16, zeroHalves},
	} {
		add := func(op string, n int, invert bool, f func(x, y, z Op)) {
			l := s.loop(op, n, none, compared(s.shape, invert, func(c *context, x []VecVirtual) VecVirtual {
				z := s.zero(c, x[0])
				if n == 2 {
					f(s.zero(c, x[1]), z, z)
				}
				return z
			}))
			l.size = 1
			out = append(out, l)
		}
		add("logical_and", 2, true, func(x, y, z Op) { VPOR(x, y, z) })
		add("logical_or", 2, true, func(x, y, z Op) { VPAND(x, y, z) })
		add("logical_xor", 2, false, func(x, y, z Op) { VPXOR(x, y, z) })
		add("logical_not", 1, false, nil)
	}
	return out
}

func zeroInts(eq two) func(c *context, x VecVirtual) VecVirtual {
	return func(c *context, x VecVirtual) VecVirtual {
		z := c.vec()
		eq(c.constant("zero"), x, z)
		return z
	}
}

func zeroFloats(cmp two) func(c *context, x VecVirtual) VecVirtual {
	return func(c *context, x VecVirtual) VecVirtual {
		z := YMM()
		cmp(Imm(0), c.known["zero"], x, z)
		return z
	}
}

// zeroHalves lets the sign go.
func zeroHalves(c *context, x VecVirtual) VecVirtual {
	z := YMM()
	VPADDW(x, x, z)
	VPCMPEQW(c.known["zero"], z, z)
	return z
}
