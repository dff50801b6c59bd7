package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// sums writes the sums of n numbers, a multiple of 8 and at least 8, in eight running sums of float64: package arrays
// defines the order.
func sums() {
	sum("sumF64", "func(n int, x *float64) float64", 32, func(from Mem, sums VecVirtual) { VADDPD(from, sums, sums) })
	sum("sumF32", "func(n int, x *float32) float64", 16, func(from Mem, sums VecVirtual) {
		wide := YMM()
		VCVTPS2PD(from, wide)
		VADDPD(wide, sums, sums)
	})
}

// sum writes one of them: add adds four numbers, of so many bytes together.
func sum(name, signature string, bytes int, add func(from Mem, sums VecVirtual)) {
	TEXT(name, NOSPLIT, signature)
	n := Load(Param("n"), GP64())
	x := Load(Param("x"), GP64())
	low, high := YMM(), YMM()
	VXORPD(low, low, low)
	VXORPD(high, high, high)
	Label("round")
	add(Mem{Base: x}, low)
	add(Mem{Base: x, Disp: bytes}, high)
	ADDQ(Imm(uint64(2*bytes)), x)
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
