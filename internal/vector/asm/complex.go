package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// complexes are the loops of complex numbers, whose elements are counted as the floats that they are pairs of. They
// compute in float64, as package arrays does.
func complexes() (out []loop) {
	for _, s := range []shape{{"c64", 4}, {"c128", 8}} {
		conj := s.loop("conj", 1, none, with(map[int]string{4: "imaginary64", 8: "imaginary128"}[s.size], VXORPD))
		out = append(out, conj)
		wide := func(op string, n int, body func(c *context, x [][]VecVirtual) []VecVirtual) loop {
			l := s.loop(op, n, none, body)
			if s.size == 4 {
				l.lane = 4
				l.fetch = func(m Mem) VecVirtual {
					r := YMM()
					VCVTPS2PD(m, r)
					return r
				}
				l.body = func(c *context, x [][]VecVirtual) (z []VecVirtual) {
					for _, v := range body(c, x) {
						r := XMM()
						VCVTPD2PSY(v, r)
						z = append(z, r)
					}
					return z
				}
			}
			return l
		}
		out = append(out, wide("mul", 2, each(complexProduct)))
		abs := wide("abs", 1, complexAbs)
		abs.size /= 2 // for each float
		out = append(out, abs)
	}
	return out
}

// complexProduct of a+bi and c+di is ac-bd and ad+bc.
func complexProduct(_ *context, x []VecVirtual) VecVirtual {
	z, b, turned := YMM(), YMM(), YMM()
	VMOVDDUP(x[0], z)
	VMULPD(x[1], z, z)
	VPERMILPD(Imm(0xf), x[0], b)
	VPERMILPD(Imm(0x5), x[1], turned)
	VMULPD(turned, b, b)
	VADDSUBPD(b, z, z)
	return z
}

// complexAbs is p*sqrt(1 + (q/p)^2) with p for the larger and q for the smaller of a number's parts: 0 where both are,
// infinite where one is, else NaN where one is.
func complexAbs(c *context, x [][]VecVirtual) (z []VecVirtual) {
	for j := 0; j < len(x[0]); j += 2 {
		re, im, p, q, m := YMM(), YMM(), YMM(), YMM(), YMM()
		VUNPCKLPD(x[0][j+1], x[0][j], re)
		VUNPCKHPD(x[0][j+1], x[0][j], im)
		VANDNPD(re, c.known["sign64"], re)
		VANDNPD(im, c.known["sign64"], im)
		VMAXPD(im, re, p)
		VMINPD(im, re, q)
		VDIVPD(p, q, q)
		VMULPD(q, q, q)
		VADDPD(c.known["one64"], q, q)
		VSQRTPD(q, q)
		VMULPD(p, q, q)
		VCMPPD(Imm(0), c.known["zero"], p, m)
		VANDNPD(q, m, q)
		VCMPPD(Imm(3), im, re, m)
		VORPD(m, q, q)
		VCMPPD(Imm(0), c.known["inf64"], re, re)
		VCMPPD(Imm(0), c.known["inf64"], im, im)
		VORPD(im, re, re)
		VBLENDVPD(re, c.known["inf64"], q, q)
		VPERMPD(Imm(0xd8), q, q)
		z = append(z, q)
	}
	return z
}
