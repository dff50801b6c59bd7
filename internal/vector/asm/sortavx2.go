package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// narrowKeySet is the sorting of unsigned keys of one width with AVX2, which compares signed numbers only, has no masks
// of loads and stores that cost little, and half the registers: its networks and its partition are of full registers.
type narrowKeySet struct {
	name  string // of its functions
	size  int    // bytes of a key
	lanes int    // keys of a register
}

var narrowKeySets = []narrowKeySet{{"U64", 8, 4}, {"U32", 4, 8}}

func (k narrowKeySet) element() string { return fmt.Sprintf("uint%d", 8*k.size) }

// signs is a register of which each lane has the highest bit: with it, unsigned numbers compare as signed ones.
func (k narrowKeySet) signs() VecVirtual {
	v := YMM()
	VPCMPEQD(v, v, v)
	if k.size == 8 {
		VPSLLQ(Imm(63), v, v)
	} else {
		VPSLLD(Imm(31), v, v)
	}
	return v
}

// network writes the sorting of the keys of 2, 4 or 8 registers, as that for AVX-512 does it.
func (k narrowKeySet) network(rows int) {
	TEXT(fmt.Sprintf("network%sx%dAVX2", k.name, rows), NOSPLIT, fmt.Sprintf("func(x *%s)", k.element()))
	x := Load(Param("x"), GP64())
	var sign VecVirtual
	if k.size == 8 {
		sign = k.signs()
	}
	v := make([]VecVirtual, rows)
	for row := range v {
		v[row] = YMM()
		VMOVDQU(Mem{Base: x, Disp: 32 * row}, v[row])
		if sign != nil {
			VPXOR(sign, v[row], v[row])
		}
	}
	comparator := func(i, j int) { v[i], v[j] = k.order(v[i], v[j]) }
	sortColumns(rows, comparator)
	for group := 2; group <= k.lanes; group *= 2 {
		for i := range rows / 2 {
			j := rows - 1 - i
			y := YMM()
			k.reverse(group, v[j], y)
			low, high := k.order(v[i], y)
			v[i], v[j] = YMM(), YMM()
			VPBLENDD(k.laneBit(group/2), high, low, v[i])
			VPBLENDD(k.laneBit(group/2), low, high, high)
			k.reverse(group, high, v[j])
		}
		for d := group / 4; d > 0; d /= 2 {
			for i := range v {
				y := YMM()
				k.exchange(d, v[i], y)
				low, high := k.order(v[i], y)
				v[i] = YMM()
				VPBLENDD(k.laneBit(d), high, low, v[i])
			}
		}
		mergeColumns(rows, comparator)
	}
	for i, r := range k.transposed(v) {
		if sign != nil {
			VPXOR(sign, r, r)
		}
		VMOVDQU(r, Mem{Base: x, Disp: 32 * i})
	}
	VZEROUPPER()
	RET()
}

// order returns the lesser and the greater of each lane of two registers. Keys of 64 bits have their signs turned.
func (k narrowKeySet) order(a, b VecVirtual) (low, high VecVirtual) {
	low, high = YMM(), YMM()
	if k.size == 4 {
		VPMINUD(a, b, low)
		VPMAXUD(a, b, high)
		return low, high
	}
	above := YMM()
	VPCMPGTQ(b, a, above)
	VBLENDVPD(above, b, a, low)
	VBLENDVPD(above, a, b, high)
	return low, high
}

// laneBit has the halves of lanes, of 32 bits, whose index as lanes has the bit d.
func (k narrowKeySet) laneBit(d int) Op {
	mask := uint64(0)
	for i := range 8 {
		if i*4/k.size&d != 0 {
			mask |= 1 << i
		}
	}
	return Imm(mask)
}

// exchange swaps each lane with the one whose index differs in bit d.
func (k narrowKeySet) exchange(d int, from, to VecVirtual) {
	switch d * k.size {
	case 4:
		VPSHUFD(Imm(0xb1), from, to)
	case 8:
		VPSHUFD(Imm(0x4e), from, to)
	case 16:
		VPERMQ(Imm(0x4e), from, to)
	}
}

// reverse reverses the lanes of each group of 2, 4 or 8.
func (k narrowKeySet) reverse(group int, from, to VecVirtual) {
	switch {
	case group == 2:
		k.exchange(1, from, to)
	case k.size == 8:
		VPERMQ(Imm(0x1b), from, to)
	default:
		VPSHUFD(Imm(0x1b), from, to)
		if group == 8 {
			VPERMQ(Imm(0x4e), to, to)
		}
	}
}

// transposed brings keys that lie column after column into the order of rows.
func (k narrowKeySet) transposed(v []VecVirtual) []VecVirtual {
	pair := func(f func(...Op), a, b VecVirtual) VecVirtual {
		r := YMM()
		f(b, a, r)
		return r
	}
	lowQ, highQ := func(o ...Op) { VPUNPCKLQDQ(o[0], o[1], o[2]) }, func(o ...Op) { VPUNPCKHQDQ(o[0], o[1], o[2]) }
	lowD, highD := func(o ...Op) { VPUNPCKLDQ(o[0], o[1], o[2]) }, func(o ...Op) { VPUNPCKHDQ(o[0], o[1], o[2]) }
	lowHalf := func(o ...Op) { VPERM2I128(Imm(0x20), o[0], o[1], o[2]) }
	highHalf := func(o ...Op) { VPERM2I128(Imm(0x31), o[0], o[1], o[2]) }
	// square brings columns of four rows together: of keys of 32 bits, columns 0 and 4, 1 and 5, 2 and 6, 3 and 7
	square := func(s []VecVirtual) [4]VecVirtual {
		if k.size == 8 {
			a, b, c, d := pair(lowQ, s[0], s[1]), pair(highQ, s[0], s[1]), pair(lowQ, s[2], s[3]), pair(highQ, s[2], s[3])
			return [4]VecVirtual{pair(lowHalf, a, c), pair(lowHalf, b, d), pair(highHalf, a, c), pair(highHalf, b, d)}
		}
		a, b, c, d := pair(lowD, s[0], s[1]), pair(highD, s[0], s[1]), pair(lowD, s[2], s[3]), pair(highD, s[2], s[3])
		return [4]VecVirtual{pair(lowQ, a, c), pair(highQ, a, c), pair(lowQ, b, d), pair(highQ, b, d)}
	}
	out := make([]VecVirtual, len(v))
	switch {
	case len(v) == 2:
		low, high := lowQ, highQ
		if k.size == 4 {
			low, high = lowD, highD
		}
		a, b := pair(low, v[0], v[1]), pair(high, v[0], v[1])
		out[0], out[1] = pair(lowHalf, a, b), pair(highHalf, a, b)
	case k.size == 8:
		parts := len(v) / 4
		for part := range parts {
			for column, r := range square(v[4*part : 4*part+4]) {
				out[column*parts+part] = r
			}
		}
	case len(v) == 4:
		q := square(v)
		for i := range 2 {
			out[i], out[2+i] = pair(lowHalf, q[2*i], q[2*i+1]), pair(highHalf, q[2*i], q[2*i+1])
		}
	default:
		upper, lower := square(v[:4]), square(v[4:])
		for i := range 4 {
			out[i], out[4+i] = pair(lowHalf, upper[i], lower[i]), pair(highHalf, upper[i], lower[i])
		}
	}
	return out
}

// partition writes the loop that brings the keys up to a pivot before the others, of four registers times 2, 3 or more
// of keys, and returns their number. Room for what it writes comes first from four registers of either end, which it
// reads and keeps. Then it reads four at a time from the end that has less room: then both have room for all of them.
// What was kept goes into the room that is left at last, which stays a multiple of a register.
func (k narrowKeySet) partition() {
	const each = 4 // registers of a round
	TEXT("partition"+k.name+"AVX2", NOSPLIT, fmt.Sprintf("func(n int, x *%[1]s, pivot %[1]s) int", k.element()))
	n, x := Load(Param("n"), GP64()), Load(Param("x"), GP64())
	sign, p := k.signs(), YMM()
	pivot := GP64()
	if k.size == 8 {
		Load(Param("pivot"), pivot)
		VMOVQ(pivot, p.AsX())
		VPBROADCASTQ(p.AsX(), p)
	} else {
		Load(Param("pivot"), pivot.As32())
		VMOVD(pivot.As32(), p.AsX())
		VPBROADCASTD(p.AsX(), p)
	}
	VPXOR(sign, p, p)
	low, high, left, right, orders := GP64(), GP64(), GP64(), GP64(), GP64() // where to write and to read next
	LEAQ(k.partitionOrders(), orders)
	MOVQ(x, low)
	MOVQ(x, left)
	LEAQ(Mem{Base: x, Index: n, Scale: uint8(k.size)}, high)
	MOVQ(high, right)

	registers := func(at GPVirtual) []VecVirtual {
		v := make([]VecVirtual, each)
		for i := range v {
			v[i] = YMM()
			VMOVDQU(Mem{Base: at, Disp: 32 * i}, v[i])
		}
		return v
	}
	divide := func(v VecVirtual) {
		above, order, bits := YMM(), YMM(), GP64()
		VPXOR(sign, v, above)
		if k.size == 8 {
			VPCMPGTQ(p, above, above)
			VMOVMSKPD(above, bits.As32())
		} else {
			VPCMPGTD(p, above, above)
			VMOVMSKPS(above, bits.As32())
		}
		VPMOVZXBD(Mem{Base: orders, Index: bits, Scale: 8}, order)
		VPERMD(v, order, order) // the lows and then the highs
		POPCNTL(bits.As32(), bits.As32())
		VMOVDQU(order, Mem{Base: low})
		VMOVDQU(order, Mem{Base: high, Disp: -32})
		SHLQ(Imm(map[int]uint64{8: 3, 4: 2}[k.size]), bits)
		SUBQ(bits, high)
		SUBQ(bits, low)
		ADDQ(Imm(32), low)
	}
	first := registers(left)
	ADDQ(Imm(32*each), left)
	ADDQ(I32(-32*each), right)
	last := registers(right)

	Label("round")
	CMPQ(left, right)
	JGE(LabelRef("kept"))
	roomLow, roomHigh, from, before, behind := GP64(), GP64(), GP64(), GP64(), GP64()
	LEAQ(Mem{Base: right, Disp: -32 * each}, before)
	LEAQ(Mem{Base: left, Disp: 32 * each}, behind)
	MOVQ(left, from)
	MOVQ(left, roomLow)
	SUBQ(low, roomLow)
	MOVQ(high, roomHigh)
	SUBQ(right, roomHigh)
	CMPQ(roomLow, roomHigh)
	CMOVQGT(before, from)
	CMOVQGT(before, right)
	CMOVQLE(behind, left)
	for _, v := range registers(from) {
		divide(v)
	}
	JMP(LabelRef("round"))

	Label("kept")
	for _, v := range append(first, last...) {
		divide(v)
	}
	SUBQ(x, low)
	SHRQ(Imm(map[int]uint64{8: 3, 4: 2}[k.size]), low)
	VZEROUPPER()
	Store(low, ReturnIndex(0))
	RET()
}

// partitionOrders is a table by masks of lanes: the lanes, as halves of 32 bits, that are not set and then the others,
// a byte each.
func (k narrowKeySet) partitionOrders() Mem {
	m := GLOBL("partitionOrders"+k.name+"AVX2", RODATA|NOPTR)
	for mask := range 1 << k.lanes {
		at := 8 * mask
		for _, set := range []int{0, 1} {
			for half := range 8 {
				if mask>>(half*4/k.size)&1 == set {
					DATA(at, U8(half))
					at++
				}
			}
		}
	}
	return m
}
