package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// eachRegister writes a loop over n keys; do has the lanes that count in K1.
func (k keySet) eachRegister(n Register, do func()) {
	Label("register")
	bits := GP64()
	MOVQ(I32(-1), bits)
	CMPQ(n, U32(uint32(k.lanes)))
	JGE(LabelRef("full"))
	BZHIQ(n, bits, bits)
	Label("full")
	k.toMask(bits, K1)
	do()
	SUBQ(U32(uint32(k.lanes)), n)
	JG(LabelRef("register"))
}

func (k keySet) broadcast(v uint64) VecVirtual {
	r, general := ZMM(), GP64()
	MOVQ(U64(v), general)
	if k.size == 8 {
		VPBROADCASTQ(general, r)
	} else {
		VPBROADCASTD(general.As32(), r)
	}
	return r
}

// keys writes what makes keys of floats and of signed ints, and the reverse. The destination may be the source.
func (k keySet) keys() {
	sign := uint64(1) << (8*k.size - 1)
	nan := map[int]uint64{8: 0x7ff8000000000001, 4: 0x7fc00000}[k.size] // Go's
	loop := func(name string, prepare func() func(v VecVirtual)) {
		TEXT(name+k.name, NOSPLIT, fmt.Sprintf("func(n int, dst, src *%s)", k.element()))
		n, dst, src := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("src"), GP64())
		do := prepare()
		k.eachRegister(n, func() {
			v := ZMM()
			k.load(K1, Mem{Base: src}, v)
			do(v)
			k.storeIn(K1, v, Mem{Base: dst})
			ADDQ(Imm(64), src)
			ADDQ(Imm(64), dst)
		})
		VZEROUPPER()
		RET()
	}
	signs := func(v, to VecVirtual) {
		if k.size == 8 {
			VPSRAQ(Imm(63), v, to)
		} else {
			VPSRAD(Imm(31), v, to)
		}
	}
	for _, name := range []string{"floatKeys", "floatKeysEqualZeros"} {
		loop(name, func() func(VecVirtual) {
			top, last, zero := k.broadcast(sign), k.broadcast(nan|sign), ZMM()
			VPXORQ(zero, zero, zero)
			return func(v VecVirtual) {
				if k.size == 8 {
					VCMPPD(Imm(3), v, v, K2)
				} else {
					VCMPPS(Imm(3), v, v, K2)
				}
				switch {
				case name == "floatKeys":
				case k.size == 8:
					VADDPD(zero, v, v)
				default:
					VADDPS(zero, v, v)
				}
				all := ZMM()
				signs(v, all)
				VPORQ(top, all, all)
				VPXORQ(all, v, v)
				if k.size == 8 {
					VMOVDQA64(last, K2, v)
				} else {
					VMOVDQA32(last, K2, v)
				}
			}
		})
	}
	loop("keyFloats", func() func(VecVirtual) {
		top := k.broadcast(sign)
		return func(v VecVirtual) {
			all := ZMM()
			signs(v, all)
			VPTERNLOGQ(Imm(0xaf), top, all, all) // ^all | top
			VPXORQ(all, v, v)
		}
	})
	loop("flipSigns", func() func(VecVirtual) {
		top := k.broadcast(sign)
		return func(v VecVirtual) { VPXORQ(top, v, v) }
	})
}

// places writes what sorts keys of 64 bits with their places, of both of which there are as many bits as one key has.
func (k keySet) places() {
	TEXT("differingBits", NOSPLIT, "func(n int, x *uint64) uint64")
	n, x := Load(Param("n"), GP64()), Load(Param("x"), GP64())
	first, differ := ZMM(), ZMM()
	VPBROADCASTQ(Mem{Base: x}, first)
	VPXORQ(differ, differ, differ)
	k.eachRegister(n, func() {
		v := ZMM()
		VMOVDQA64(first, v)
		VMOVDQU64(Mem{Base: x}, K1, v)
		VPTERNLOGQ(Imm(0xf6), first, v, differ) // differ | v ^ first
		ADDQ(Imm(64), x)
	})
	for _, d := range []int{4, 2, 1} {
		other := ZMM()
		k.exchange(d, differ, other)
		VPORQ(other, differ, differ)
	}
	bits := GP64()
	VMOVQ(differ.AsX(), bits)
	VZEROUPPER()
	Store(bits, ReturnIndex(0))
	RET()

	TEXT("packPlaces", NOSPLIT, "func(n int, dst, src *uint64, shift, low, from uint64)")
	n, dst, src := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	shift, low := Load(Param("shift"), GP64()), Load(Param("low"), GP64())
	count, lows := XMM(), ZMM()
	VMOVQ(shift, count)
	VPBROADCASTQ(low, lows)
	at, step := ZMM(), k.broadcast(uint64(k.lanes))
	VPBROADCASTQ(Load(Param("from"), GP64()), at)
	VPADDQ(k.constant([]int{0, 1, 2, 3, 4, 5, 6, 7}), at, at)
	k.eachRegister(n, func() {
		v := ZMM()
		k.load(K1, Mem{Base: src}, v)
		VPSLLQ(count, v, v)
		VPTERNLOGQ(Imm(0xdc), lows, at, v) // v &^ lows | at
		k.storeIn(K1, v, Mem{Base: dst})
		VPADDQ(step, at, at)
		ADDQ(Imm(64), src)
		ADDQ(Imm(64), dst)
	})
	VZEROUPPER()
	RET()

	TEXT("unpackPlaces", NOSPLIT, "func(n int, x *uint64, low uint64)")
	n, x = Load(Param("n"), GP64()), Load(Param("x"), GP64())
	low = Load(Param("low"), GP64())
	lows = ZMM()
	VPBROADCASTQ(low, lows)
	k.eachRegister(n, func() {
		v := ZMM()
		k.load(K1, Mem{Base: x}, v)
		VPANDQ(lows, v, v)
		k.storeIn(K1, v, Mem{Base: x})
		ADDQ(Imm(64), x)
	})
	VZEROUPPER()
	RET()

	TEXT("firstTie", NOSPLIT, "func(n int, x *uint64, low uint64) int")
	n, x = Load(Param("n"), GP64()), Load(Param("x"), GP64())
	low = Load(Param("low"), GP64())
	lows = ZMM()
	VPBROADCASTQ(low, lows)
	found := GP32()
	start, result := GP64(), GP64()
	MOVQ(x, start)
	MOVQ(I32(-1), result)
	k.eachRegister(n, func() {
		v, next := ZMM(), ZMM()
		k.load(K1, Mem{Base: x}, v)
		k.load(K1, Mem{Base: x, Disp: 8}, next)
		VPXORQ(v, next, next)
		VPCMPUQ(Imm(2), lows, next, K1, K2)
		KMOVB(K2, found)
		TESTL(found, found)
		JNE(LabelRef("found"))
		ADDQ(Imm(64), x)
	})
	JMP(LabelRef("none"))
	Label("found")
	TZCNTL(found, found)
	MOVQ(x, result)
	SUBQ(start, result)
	SHRQ(Imm(3), result)
	ADDQ(found.As64(), result)
	Label("none")
	VZEROUPPER()
	Store(result, ReturnIndex(0))
	RET()
}
