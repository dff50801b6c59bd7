package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// smallInts are loops of integers of 8 and 16 bits. Shifts are those of 32 bits, cut: counts may be anything, for one
// that is negative is as large as any.
func smallInts() (out []loop) {
	for _, s := range []struct {
		shape
		fetch, right two
	}{{i8, VPMOVSXBD, VPSRAVD}, {u8, VPMOVZXBD, VPSRLVD}, {i16, VPMOVSXWD, VPSRAVD}, {u16, VPMOVZXWD, VPSRLVD}} {
		for _, p := range []struct {
			op string
			f  two
		}{{"lshift", VPSLLVD}, {"rshift", s.right}} {
			l := s.loop(p.op, 2, none, func(c *context, x [][]VecVirtual) []VecVirtual {
				z := cutWords(c, each(func(_ *context, x []VecVirtual) VecVirtual {
					z := YMM()
					p.f(x[1], x[0], z)
					return z
				})(c, x))
				if s.size == 1 {
					return cutBytes(c, z)
				}
				return z
			})
			l.lane, l.consts = 8, []uint64{lowWords, lowBytes}
			l.fetch = func(m Mem) VecVirtual {
				r := YMM()
				s.fetch(m, r)
				return r
			}
			out = append(out, l)
		}
	}
	absolute := func(s shape, f two) {
		out = append(out, s.loop("abs", 1, none, each(func(c *context, x []VecVirtual) VecVirtual {
			z := c.vec()
			f(x[0], z)
			return z
		})))
	}
	absolute(i8, VPABSB)
	absolute(i16, VPABSW)
	for _, s := range []struct {
		shape
		f func(one, x, z VecVirtual)
	}{
		{i16, func(one, x, z VecVirtual) { VPSIGNW(x, one, z) }},
		{u16, func(one, x, z VecVirtual) { VPMINUW(one, x, z) }},
	} {
		const ones16 = 0x0001000100010001
		l := s.loop("sign", 1, none, each(func(c *context, x []VecVirtual) VecVirtual {
			z := YMM()
			s.f(c.known[key(ones16)], x[0], z)
			return z
		}))
		l.consts = []uint64{ones16}
		out = append(out, l)
	}
	return out
}
