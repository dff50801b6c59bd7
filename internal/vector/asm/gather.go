package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// gathers writes the loops that load elements at addresses, eight at a time, and return how many they have loaded: they
// end before eight of which one is not aligned or not within the memory. Eight that lie side by side are one load.
func gathers() string {
	out := ""
	for _, g := range []struct {
		name string
		size int
	}{{"gather32", 4}, {"gather64", 8}} {
		TEXT(g.name, NOSPLIT, "func(n int, d, a *byte, first, last, delta uint64) (done int)")
		n, d, a := Load(Param("n"), GP64()), Load(Param("d"), GP64()), Load(Param("a"), GP64())
		first, span := Load(Param("first"), GP64()), Load(Param("last"), GP64())
		delta := Load(Param("delta"), GP64())
		SUBQ(first, span)
		begin, most, odd, steps := ZMM(), ZMM(), ZMM(), ZMM()
		VPBROADCASTQ(first, begin)
		VPBROADCASTQ(span, most)
		bits := GP64()
		MOVQ(U64(g.size-1), bits)
		VPBROADCASTQ(bits, odd)
		places := GLOBL(g.name+"Places", RODATA|NOPTR)
		for i := range 8 {
			DATA(8*i, U64(i*g.size))
		}
		VMOVDQU64(places, steps)
		i, at := GP64(), GP64()
		XORQ(i, i)
		Label("round")
		addr, off, run := ZMM(), ZMM(), ZMM()
		VMOVDQU64(Mem{Base: a, Index: i, Scale: 8}, addr)
		VPSUBQ(begin, addr, off)
		outside, skew, next, all := K(), K(), K(), K()
		VPCMPUQ(Imm(6), most, off, outside)
		VPTESTMQ(odd, addr, skew)
		KORTESTB(outside, skew)
		JNE(LabelRef("end"))
		MOVQ(Mem{Base: a, Index: i, Scale: 8}, at)
		VPBROADCASTQ(at, run)
		VPADDQ(steps, run, run)
		VPCMPUQ(Imm(4), run, addr, next)
		KORTESTB(next, next)
		JNE(LabelRef("scattered"))
		to := Mem{Base: d, Index: i, Scale: uint8(g.size)}
		narrow, wide := YMM(), ZMM()
		if g.size == 4 {
			VMOVDQU(Mem{Base: at, Index: delta, Scale: 1}, narrow)
			VMOVDQU(narrow, to)
		} else {
			VMOVDQU64(Mem{Base: at, Index: delta, Scale: 1}, wide)
			VMOVDQU64(wide, to)
		}
		JMP(LabelRef("next"))
		Label("scattered")
		KXNORB(all, all, all)
		if g.size == 4 {
			VPGATHERQD(Mem{Base: delta, Index: addr, Scale: 1}, all, narrow)
			VMOVDQU(narrow, to)
		} else {
			VPGATHERQQ(Mem{Base: delta, Index: addr, Scale: 1}, all, wide)
			VMOVDQU64(wide, to)
		}
		Label("next")
		ADDQ(Imm(8), i)
		CMPQ(i, n)
		JL(LabelRef("round"))
		Label("end")
		Store(i, ReturnIndex(0))
		VZEROUPPER()
		RET()
		out += "\n//go:noescape\nfunc " + g.name + "(n int, d, a *byte, first, last, delta uint64) (done int)\n"
	}
	return out
}
