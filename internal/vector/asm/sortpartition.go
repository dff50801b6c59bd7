package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// partitionAhead is how many bytes before it reads them a partition asks for lines of memory. Without this, keys beyond
// the second cache take ten times as long on a Zen 5, where the partition with AVX2 does not wait for them.
const partitionAhead = 8192

// partition writes the loop that brings the keys up to a pivot before the others, of at least 256 bytes times 4 of
// keys, and returns their number. Room for what it writes comes first from eight registers of either end, which it
// reads and keeps. Then it reads eight registers at a time from the end that has less room: then both have room for all
// of them. What is left in the middle at last, and what was kept, goes into the room that is left.
func (k keySet) partition() {
	const each = 8 // registers of a round
	TEXT("partition"+k.name, NOSPLIT, fmt.Sprintf("func(n int, x *%[1]s, pivot %[1]s) int", k.element()))
	n, x := Load(Param("n"), GP64()), Load(Param("x"), GP64())
	pivot, p := GP64(), ZMM()
	if k.size == 8 {
		Load(Param("pivot"), pivot)
		VPBROADCASTQ(pivot, p)
	} else {
		Load(Param("pivot"), pivot.As32())
		VPBROADCASTD(pivot.As32(), p)
	}
	low, high, left, right, ones := GP64(), GP64(), GP64(), GP64(), GP64() // where to write and to read next
	var orders GPVirtual
	if k.size == 8 {
		orders = GP64()
		LEAQ(partitionOrders(), orders)
	}
	MOVQ(x, low)
	MOVQ(x, left)
	LEAQ(Mem{Base: x, Index: n, Scale: uint8(k.size)}, high)
	MOVQ(high, right)
	MOVQ(I32(-1), ones)

	registers := func(m Mem) []VecVirtual {
		v := make([]VecVirtual, each)
		for i := range v {
			v[i] = ZMM()
			m.Disp = 64 * i
			VMOVDQU64(m, v[i])
		}
		return v
	}
	first := registers(Mem{Base: left})
	ADDQ(U32(64*each), left)
	SUBQ(U32(64*each), right)
	last := registers(Mem{Base: right})

	Label("round")
	between := GP64()
	MOVQ(right, between)
	SUBQ(left, between)
	CMPQ(between, U32(64*each))
	JLT(LabelRef("rest"))
	roomLow, roomHigh, from, before, behind := GP64(), GP64(), GP64(), GP64(), GP64()
	ahead, back := GP64(), GP64()
	LEAQ(Mem{Base: right, Disp: -64 * each}, before)
	LEAQ(Mem{Base: left, Disp: 64 * each}, behind)
	LEAQ(Mem{Base: left, Disp: partitionAhead}, ahead)
	LEAQ(Mem{Base: before, Disp: -partitionAhead}, back)
	MOVQ(left, from)
	MOVQ(left, roomLow)
	SUBQ(low, roomLow)
	MOVQ(high, roomHigh)
	SUBQ(right, roomHigh)
	CMPQ(roomLow, roomHigh)
	CMOVQGT(before, from)
	CMOVQGT(before, right)
	CMOVQGT(back, ahead)
	CMOVQLE(behind, left)
	for i := range each {
		PREFETCHT0(Mem{Base: ahead, Disp: 64 * i})
	}
	v := registers(Mem{Base: from})
	for i := range v {
		k.notAbove(v[i], p, K1, nil)
		if k.size == 8 {
			k.divideByTable(v[i], K1, low, high, orders)
		} else {
			k.not(K1, K2)
			k.divide(v[i], K1, K2, low, high, ones, false)
		}
	}
	JMP(LabelRef("round"))

	Label("rest")
	rest := GP64()
	MOVQ(between, rest)
	SHRQ(Imm(map[int]uint64{8: 3, 4: 2}[k.size]), rest)
	masks := k.tailMasks(rest, 0, each)
	tail := make([]VecVirtual, each)
	for i := range tail {
		tail[i] = ZMM()
		masks(i, K3)
		k.load(K3, Mem{Base: left, Disp: 64 * i}, tail[i])
	}
	for _, kept := range [][]VecVirtual{first, last} {
		for i := range kept {
			k.notAbove(kept[i], p, K1, nil)
			k.not(K1, K2)
			k.divide(kept[i], K1, K2, low, high, ones, true)
		}
	}
	for i := range tail {
		masks(i, K3)
		k.notAbove(tail[i], p, K1, K3)
		k.above(tail[i], p, K2, K3)
		k.divide(tail[i], K1, K2, low, high, ones, true)
	}
	SUBQ(x, low)
	SHRQ(Imm(map[int]uint64{8: 3, 4: 2}[k.size]), low)
	VZEROUPPER()
	Store(low, ReturnIndex(0))
	RET()
}

// partitionOrders is a table by masks of 8 lanes: the lanes that are set and then the others, a byte each.
func partitionOrders() Mem {
	m := GLOBL("partitionOrders", RODATA|NOPTR)
	for mask := range 256 {
		at := 8 * mask
		for _, set := range []int{1, 0} {
			for lane := range 8 {
				if mask>>lane&1 == set {
					DATA(at, U8(lane))
					at++
				}
			}
		}
	}
	return m
}

// divideByTable is divide of all lanes where there is room for a register at either end: one that begins with the lows
// and ends with the highs goes to both.
func (k keySet) divideByTable(v VecVirtual, lows Register, low, high, orders GPVirtual) {
	n, order, both := GP64(), ZMM(), ZMM()
	KMOVB(lows, n.As32())
	VPMOVZXBQ(Mem{Base: orders, Index: n, Scale: 8}, order)
	VPERMQ(v, order, both)
	POPCNTL(n.As32(), n.As32())
	VMOVDQU64(both, Mem{Base: low})
	VMOVDQU64(both, Mem{Base: high, Disp: -64})
	LEAQ(Mem{Base: low, Index: n, Scale: 8}, low)
	LEAQ(Mem{Base: high, Index: n, Scale: 8, Disp: -64}, high)
}

// divide writes the lanes in lows at low and those in highs before high, and moves both. tight says that there may be
// no more room than for these.
func (k keySet) divide(v VecVirtual, lows, highs Register, low, high, ones GPVirtual, tight bool) {
	a, b, nLow, nHigh, bits := ZMM(), ZMM(), GP64(), GP64(), GP64()
	k.compress(v, lows, a)
	k.compress(v, highs, b)
	k.count(lows, nLow)
	k.count(highs, nHigh)
	if tight {
		BZHIQ(nLow, ones, bits)
		k.toMask(bits, K4)
		k.storeIn(K4, a, Mem{Base: low})
	} else {
		VMOVDQU64(a, Mem{Base: low})
	}
	LEAQ(Mem{Base: low, Index: nLow, Scale: uint8(k.size)}, low)
	BZHIQ(nHigh, ones, bits)
	k.toMask(bits, K4)
	NEGQ(nHigh)
	LEAQ(Mem{Base: high, Index: nHigh, Scale: uint8(k.size)}, high)
	k.storeIn(K4, b, Mem{Base: high})
}

// tailMasks returns what sets a mask to the lanes that count of one of so many registers, from the first-th key on,
// where n keys count.
func (k keySet) tailMasks(n Register, first, registers int) func(register int, to Register) {
	var words []GPVirtual // 64 lanes each
	for lane := first; lane < first+registers*k.lanes; lane += 64 {
		left, bound, bits := GP64(), GP64(), GP64()
		XORQ(bound, bound)
		MOVQ(n, left)
		SUBQ(U32(uint32(lane)), left)
		CMOVQLT(bound, left)
		MOVQ(U32(64), bound)
		CMPQ(left, bound)
		CMOVQGT(bound, left)
		MOVQ(I32(-1), bits)
		BZHIQ(left, bits, bits)
		words = append(words, bits)
	}
	return func(register int, to Register) {
		lane := register * k.lanes
		bits := GP64()
		MOVQ(words[lane/64], bits)
		if lane%64 > 0 {
			SHRQ(Imm(uint64(lane%64)), bits)
		}
		k.toMask(bits, to)
	}
}

func (k keySet) compress(from VecVirtual, mask Register, to VecVirtual) {
	if k.size == 8 {
		VPCOMPRESSQ_Z(from, mask, to)
	} else {
		VPCOMPRESSD_Z(from, mask, to)
	}
}

// notAbove sets the lanes of a mask in which v is at most p, of those in within, or of all.
func (k keySet) notAbove(v, p VecVirtual, mask, within Register) { k.compare(2, v, p, mask, within) }

func (k keySet) above(v, p VecVirtual, mask, within Register) { k.compare(6, v, p, mask, within) }

func (k keySet) compare(how uint64, v, p VecVirtual, mask, within Register) {
	operands := []Op{Imm(how), p, v}
	if within != nil {
		operands = append(operands, within)
	}
	operands = append(operands, mask)
	if k.size == 8 {
		VPCMPUQ(operands...)
	} else {
		VPCMPUD(operands...)
	}
}

func (k keySet) not(from, to Register) {
	if k.lanes == 8 {
		KNOTB(from, to)
	} else {
		KNOTW(from, to)
	}
}

// count counts the lanes of a mask.
func (k keySet) count(mask Register, to GPVirtual) {
	if k.lanes == 8 {
		KMOVB(mask, to.As32())
	} else {
		KMOVW(mask, to.As32())
	}
	POPCNTL(to.As32(), to.As32())
}

// load loads the lanes of a mask; others are 0.
func (k keySet) load(mask Register, m Mem, v VecVirtual) {
	if k.size == 8 {
		VMOVDQU64_Z(m, mask, v)
	} else {
		VMOVDQU32_Z(m, mask, v)
	}
}

// loadIn loads the lanes of a mask; others stay as they are.
func (k keySet) loadIn(mask Register, m Mem, v VecVirtual) {
	if k.size == 8 {
		VMOVDQU64(m, mask, v)
	} else {
		VMOVDQU32(m, mask, v)
	}
}

// storeIn stores the lanes of a mask.
func (k keySet) storeIn(mask Register, v VecVirtual, m Mem) {
	if k.size == 8 {
		VMOVDQU64(v, mask, m)
	} else {
		VMOVDQU32(v, mask, m)
	}
}
