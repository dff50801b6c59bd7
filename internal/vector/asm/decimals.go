package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The places of vector.Decimals' fields.
const (
	decimalText = 8 * iota
	decimalInto
	decimalPowers
	decimalAt
	decimalLast
	decimalTo
	decimalCells
	decimalBegun
	decimalRow
	decimalLines
	decimalWidth
	decimalCell
	decimalLine
	decimalComma
	decimalPoints
)

// decimalPlaces is the last place of the table of powers.
const decimalPlaces = 40

// decimals writes the loop that reads lines of numbers. A cell's first 32 bytes are compared with digits and the point
// at once; two bit masks of that say where the number ends and has its point. Its digits then come from memory once
// more, so that the last one is the register's last byte, those before the point from a byte further down: neighbours
// are joined to numbers of two, four and eight digits. Nothing branches on what numbers look like but for whether they
// have more than 15 digits or an exponent.
func decimals() {
	TEXT("decimals", NOSPLIT, "func(s *byte)")
	s := Load(Param("s"), GP64())
	field := func(at int) Mem { return Mem{Base: s, Disp: at} }

	everywhere := func(b uint32) VecVirtual {
		r, v := GP32(), YMM()
		MOVL(U32(b), r)
		MOVD(r, v.AsX())
		VPBROADCASTD(v.AsX(), v)
		return v
	}
	zeros, nine, dotted := everywhere(0x30303030), everywhere(0x09090909), everywhere(0x2E2E2E2E)
	by10, by100, by10000 := everywhere(10|1<<8|10<<16|1<<24), everywhere(100|1<<16), everywhere(10000|1<<16)
	masks := GLOBL("decimalMasks", RODATA|NOPTR)
	for i := range 8 {
		DATA(8*i, U64([]uint64{0, ^uint64(0)}[i/4]))
	}
	mask, powers := GP64(), GP64()
	LEAQ(masks, mask)
	MOVQ(field(decimalPowers), powers)

	p, to := GP64(), GP64()
	MOVQ(field(decimalText), p)
	ADDQ(field(decimalAt), p)
	MOVQ(field(decimalInto), to)
	ADDQ(field(decimalTo), to)
	cells := GP64()
	MOVQ(field(decimalCells), cells)

	Label("cell")
	CMPQ(p, field(decimalLast))
	JHI(LabelRef("out"))
	first, digit, point := YMM(), YMM(), YMM()
	VMOVDQU(Mem{Base: p}, first)
	minus := GP64()
	XORL(minus.As32(), minus.As32())
	CMPB(Mem{Base: p}, Imm('-'))
	SETEQ(minus.As8())
	least := YMM()
	VPSUBB(zeros, first, digit)
	VPMINUB(nine, digit, least)
	VPCMPEQB(least, digit, digit)
	VPCMPEQB(dotted, first, point)
	others, dot, end := GP64(), GP64(), GP64()
	dots := GP64()
	VPMOVMSKB(digit, others.As32())
	VPMOVMSKB(point, dots.As32())
	ORL(minus.As32(), others.As32())
	NOTL(others.As32()) // what is neither a digit nor the sign
	BLSIL(others.As32(), dot.As32())
	ANDL(dots.As32(), dot.As32()) // the first of these, if it is a point
	ANDNL(others.As32(), dot.As32(), others.As32())
	TZCNTL(others.As32(), end.As32())

	// How many digits there are, and how many of them after the point.
	places, all, pointed, none := GP64(), GP64(), GP64(), GP64()
	TZCNTL(dot.As32(), places.As32()) // 32 where there is none
	NOTQ(places)
	ADDQ(end, places)
	XORL(none.As32(), none.As32())
	XORL(pointed.As32(), pointed.As32())
	TESTL(dot.As32(), dot.As32())
	SETNE(pointed.As8())
	CMOVQEQ(none, places)
	MOVQ(end, all)
	SUBQ(minus, all)
	SUBQ(pointed, all)
	ADDQ(p, end)
	points := GP64()
	MOVQ(field(decimalPoints), points)
	ORB(pointed.As8(), Mem{Base: points, Index: cells, Scale: 1})

	whole, fraction, keep := YMM(), YMM(), YMM()
	before := GP64()
	MOVQ(end, before)
	SUBQ(pointed, before)
	VMOVDQU(Mem{Base: before, Disp: -32}, whole)
	VMOVDQU(Mem{Base: end, Disp: -32}, fraction)
	VMOVDQU(Mem{Base: mask, Index: places, Scale: 1}, keep)
	VPBLENDVB(keep, fraction, whole, whole)
	VPSUBB(zeros, whole, whole)
	// The digits are 19 at most, or the number is left to the caller below.
	VPAND(Mem{Base: mask, Index: all, Scale: 1}, whole, whole)
	VPMADDUBSW(by10, whole, whole)
	VPMADDWD(by100, whole, whole)
	VPACKUSDW(whole, whole, whole)
	VPMADDWD(by10000, whole, whole)
	high := XMM()
	VEXTRACTI128(Imm(1), whole, high)
	digits, low, middle := GP64(), GP64(), GP64()
	VMOVQ(whole.AsX(), digits)
	VMOVQ(high, low)
	SHRQ(Imm(32), digits)
	IMUL3Q(U32(100_000_000), digits, digits)
	MOVL(low.As32(), middle.As32())
	ADDQ(middle, digits)
	IMUL3Q(U32(100_000_000), digits, digits)
	SHRQ(Imm(32), low)
	ADDQ(low, digits)

	next := GP64()
	MOVBLZX(Mem{Base: end}, next.As32())
	ORL(Imm(0x20), next.As32())
	CMPL(next.As32(), Imm('e'))
	JEQ(LabelRef("exponent"))
	Label("known")
	entry := GP64()
	MOVQ(places, entry)
	SHLQ(Imm(5), entry)
	SHLQ(Imm(63), minus)
	LEAQ(Mem{Base: all, Disp: -1}, none)
	value, divisor := XMM(), XMM()
	VXORPS(value, value, value)
	CMPQ(none, Imm(14))
	JHI(LabelRef("long"))
	ORQ(Mem{Base: powers, Index: entry, Scale: 1, Disp: 8}, minus)
	VMOVQ(minus, divisor)
	VCVTSI2SDQ(digits, value, value)
	VDIVSD(divisor, value, value)

	Label("separator")
	DECQ(cells)
	JEQ(LabelRef("line"))
	comma := GP64()
	MOVBLZX(Mem{Base: end}, comma.As32())
	CMPL(comma.As32(), field(decimalComma))
	JNE(LabelRef("odd"))
	LEAQ(Mem{Base: end, Disp: 1}, p)
	VMOVSD(value, Mem{Base: to})
	ADDQ(field(decimalCell), to)
	CMPB(Mem{Base: p}, Imm(' ')) // as in "1, 2"
	JNE(LabelRef("cell"))
	INCQ(p)
	JMP(LabelRef("cell"))

	Label("line")
	MOVBLZX(Mem{Base: end}, comma.As32())
	CMPL(comma.As32(), Imm('\n'))
	JEQ(LabelRef("ended"))
	INCQ(end)
	CMPL(comma.As32(), Imm('\r'))
	JNE(LabelRef("odd"))
	CMPB(Mem{Base: end}, Imm('\n'))
	JNE(LabelRef("odd"))
	Label("ended")
	LEAQ(Mem{Base: end, Disp: 1}, p)
	VMOVSD(value, Mem{Base: to})
	MOVQ(field(decimalRow), to)
	ADDQ(field(decimalLine), to)
	MOVQ(to, field(decimalRow))
	ADDQ(field(decimalInto), to)
	begun := GP64()
	MOVQ(p, begun)
	SUBQ(field(decimalText), begun)
	MOVQ(begun, field(decimalBegun))
	MOVQ(field(decimalWidth), cells)
	DECQ(field(decimalLines))
	JNE(LabelRef("cell"))
	JMP(LabelRef("out"))

	// The division is a product with the reciprocal, as in package arrays.
	Label("long")
	CMPQ(none, Imm(18))
	JHI(LabelRef("out"))
	TESTQ(places, places)
	JEQ(LabelRef("out"))
	up, q, scale := GP64(), GP64(), GP64()
	BSRQ(digits, up)
	JEQ(LabelRef("out")) // 0
	XORQ(Imm(63), up)
	SHLXQ(up, digits, digits)
	MOVQ(digits, RDX)
	MULXQ(Mem{Base: powers, Index: entry, Scale: 1, Disp: 16}, low, q)
	MOVQ(q, middle)
	NOTQ(middle)
	TESTQ(U32(0x1FF), middle)
	JEQ(LabelRef("out"))
	SHRQ(Imm(1), q)
	ORQ(Imm(1), q)
	SHLQ(Imm(52), up)
	ADDQ(Mem{Base: powers, Index: entry, Scale: 1, Disp: 24}, minus)
	MOVQ(minus, scale)
	SUBQ(up, scale)
	VMOVQ(scale, divisor)
	VCVTSI2SDQ(q, value, value)
	VMULSD(divisor, value, value)
	JMP(LabelRef("separator"))

	// An e, a sign or none, one or two digits; a third is odd.
	Label("exponent")
	CMPQ(all, Imm(19))
	JHI(LabelRef("out"))
	e, negative := GP64(), GP64()
	MOVQ(field(decimalPoints), points)
	ORB(Imm(1), Mem{Base: points, Index: cells, Scale: 1})
	INCQ(end)
	XORL(negative.As32(), negative.As32())
	MOVBLZX(Mem{Base: end}, e.As32())
	CMPL(e.As32(), Imm('-'))
	SETEQ(negative.As8())
	JEQ(LabelRef("signed"))
	CMPL(e.As32(), Imm('+'))
	JNE(LabelRef("unsigned"))
	Label("signed")
	INCQ(end)
	MOVBLZX(Mem{Base: end}, e.As32())
	Label("unsigned")
	SUBL(Imm('0'), e.As32())
	CMPL(e.As32(), Imm(9))
	JHI(LabelRef("out"))
	INCQ(end)
	MOVBLZX(Mem{Base: end}, next.As32())
	SUBL(Imm('0'), next.As32())
	CMPL(next.As32(), Imm(9))
	JHI(LabelRef("digit"))
	INCQ(end)
	IMUL3Q(Imm(10), e, e)
	ADDQ(next, e)
	Label("digit")
	ADDQ(e, places)
	TESTQ(negative, negative)
	JNE(LabelRef("moved"))
	SUBQ(e, places)
	SUBQ(e, places)
	Label("moved")
	CMPQ(places, Imm(decimalPlaces))
	JHI(LabelRef("out"))
	CMPQ(places, Imm(22))
	JLS(LabelRef("known"))
	MOVQ(U32(19), all) // no float64 is the power of ten: as if there were so many digits
	JMP(LabelRef("known"))

	Label("odd")
	INCQ(cells)
	Label("out")
	SUBQ(field(decimalText), p)
	MOVQ(p, field(decimalAt))
	SUBQ(field(decimalInto), to)
	MOVQ(to, field(decimalTo))
	MOVQ(cells, field(decimalCells))
	VZEROUPPER()
	RET()
}
