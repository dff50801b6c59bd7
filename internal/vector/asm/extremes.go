package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// extremes writes the largest and smallest of n floats, a multiple of 16 and at least 16, and whether any is NaN: then,
// and of zeros of both signs, the result is any of them.
func extremes() {
	type ops struct {
		name      string
		pick, or  two
		unordered func(Op, Op, Op, Op)
		size      int
	}
	for _, o := range []ops{
		{"largestF64", VMAXPD, VORPD, func(i, a, b, d Op) { VCMPPD(i, a, b, d) }, 8},
		{"smallestF64", VMINPD, VORPD, func(i, a, b, d Op) { VCMPPD(i, a, b, d) }, 8},
		{"largestF32", VMAXPS, VORPS, func(i, a, b, d Op) { VCMPPS(i, a, b, d) }, 4},
		{"smallestF32", VMINPS, VORPS, func(i, a, b, d Op) { VCMPPS(i, a, b, d) }, 4},
	} {
		typ := map[int]string{8: "float64", 4: "float32"}[o.size]
		TEXT(o.name, NOSPLIT, "func(n int, x *"+typ+") (extreme "+typ+", nan bool)")
		n := Load(Param("n"), GP64())
		x := Load(Param("x"), GP64())
		registers := 16 * o.size / 32 // of a round
		var best, nans []VecVirtual
		for i := range registers {
			best, nans = append(best, YMM()), append(nans, YMM())
			VMOVUPD(Mem{Base: x, Disp: 32 * i}, best[i])
			VXORPD(nans[i], nans[i], nans[i])
		}
		Label("round")
		for i := range registers {
			v, u := YMM(), YMM()
			VMOVUPD(Mem{Base: x, Disp: 32 * i}, v)
			o.pick(best[i], v, best[i])
			o.unordered(Imm(3), v, v, u)
			o.or(u, nans[i], nans[i])
		}
		ADDQ(Imm(uint64(16*o.size)), x)
		SUBQ(Imm(16), n)
		JNE(LabelRef("round"))
		for ; registers > 1; registers /= 2 {
			for i := range registers / 2 {
				o.pick(best[i+registers/2], best[i], best[i])
				o.or(nans[i+registers/2], nans[i], nans[i])
			}
		}
		mask := GP32()
		VMOVMSKPS(nans[0], mask)
		CMPL(mask, Imm(0))
		any := GP8()
		SETNE(any)
		Store(any, ReturnIndex(1))
		low, high := best[0].AsX(), XMM()
		VEXTRACTF128(Imm(1), best[0], high)
		o.pick(high, low, low)
		VPSHUFD(Imm(0b01001110), low, high) // the other half
		o.pick(high, low, low)
		if o.size == 4 {
			VPSHUFD(Imm(0b10110001), low, high)
			o.pick(high, low, low)
		}
		VZEROUPPER()
		Store(low, ReturnIndex(0))
		RET()
	}
}
