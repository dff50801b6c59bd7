package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// tiles writes the inner loops of matrix products: k steps on 4 rows of two registers each. Products and sums round for themselves,
// in the order of the steps, as the plain loop of package arrays does.
func tiles() {
	for _, t := range []struct {
		name          string
		size          int
		broadcast     func(ops ...Op)
		multiply, sum func(ops ...Op)
		pointer       string
	}{
		{"tileF64", 8, VBROADCASTSD, VMULPD, VADDPD, "*float64"},
		{"tileF32", 4, VBROADCASTSS, VMULPS, VADDPS, "*float32"},
	} {
		TEXT(t.name, NOSPLIT, "func(k int, a, b, c "+t.pointer+", stride int)")
		k := Load(Param("k"), GP64())
		a := Load(Param("a"), GP64())
		b := Load(Param("b"), GP64())
		c := Load(Param("c"), GP64())
		stride := Load(Param("stride"), GP64()) // bytes from a row of c to the next
		sums := make([]VecVirtual, 8)
		row := GP64()
		MOVQ(c, row)
		for i := range 4 {
			sums[2*i], sums[2*i+1] = YMM(), YMM()
			VMOVUPD(Mem{Base: row}, sums[2*i])
			VMOVUPD(Mem{Base: row, Disp: 32}, sums[2*i+1])
			if i < 3 {
				ADDQ(stride, row)
			}
		}
		Label("step")
		b0, b1 := YMM(), YMM()
		VMOVUPD(Mem{Base: b}, b0)
		VMOVUPD(Mem{Base: b, Disp: 32}, b1)
		for i := range 4 {
			x, p, q := YMM(), YMM(), YMM()
			t.broadcast(Mem{Base: a, Disp: i * t.size}, x)
			t.multiply(b0, x, p)
			t.multiply(b1, x, q)
			t.sum(p, sums[2*i], sums[2*i])
			t.sum(q, sums[2*i+1], sums[2*i+1])
		}
		ADDQ(Imm(uint64(4*t.size)), a)
		ADDQ(Imm(64), b)
		DECQ(k)
		JNE(LabelRef("step"))
		for i := range 4 {
			VMOVUPD(sums[2*i], Mem{Base: c})
			VMOVUPD(sums[2*i+1], Mem{Base: c, Disp: 32})
			if i < 3 {
				ADDQ(stride, c)
			}
		}
		VZEROUPPER()
		RET()
	}
}
