package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// sums writes the sum of n float64, a multiple of 8 and at least 8, in eight running sums: package arrays defines the order.
func sums() {
	TEXT("sumF64", NOSPLIT, "func(n int, x *float64) float64")
	n := Load(Param("n"), GP64())
	x := Load(Param("x"), GP64())
	low, high := YMM(), YMM()
	VXORPD(low, low, low)
	VXORPD(high, high, high)
	Label("round")
	VADDPD(Mem{Base: x}, low, low)
	VADDPD(Mem{Base: x, Disp: 32}, high, high)
	ADDQ(Imm(64), x)
	SUBQ(Imm(8), n)
	JNE(LabelRef("round"))
	// ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
	VHADDPD(high, low, low) // s0+s1, s4+s5, s2+s3, s6+s7
	s := XMM()
	VEXTRACTF128(Imm(1), low, s)
	VADDPD(low.AsX(), s, s)
	VHADDPD(s, s, s)
	VZEROUPPER()
	Store(s, ReturnIndex(0))
	RET()
}
