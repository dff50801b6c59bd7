package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// columns writes the loop that takes rows of eight elements of 4 bytes apart, 16 rows at a time: each register holds
// two rows, and three rounds of permutations bring together what two, four and eight of them have of a column.
func columns() string {
	const rows, wide = 16, 8
	tables := GLOBL("columnPlaces", RODATA|NOPTR)
	at := 0
	table := func(place func(lane int) int) Mem {
		m := tables
		m.Disp = at
		for lane := range 16 {
			DATA(at, U32(place(lane)))
			at += 4
		}
		return m
	}
	// four lanes a column: from a row of the first register, its second row, and those of the other
	fours := func(first int) Mem {
		return table(func(l int) int { return first + l/4 + 8*(l%2) + 16*(l%4/2) })
	}
	eights := func(first int) Mem { // eight lanes a column, of which each register has four
		return table(func(l int) int { return 4*(first+l/8) + l%4 + 16*(l%8/4) })
	}
	places := []Mem{fours(0), fours(4), eights(0), eights(2)}
	TEXT("columns32", NOSPLIT, "func(n int, d *byte, apart int, p *byte)")
	n, d, apart, p := Load(Param("n"), GP64()), Load(Param("d"), GP64()), Load(Param("apart"), GP64()), Load(Param("p"), GP64())
	var by []VecVirtual
	for _, m := range places {
		r := ZMM()
		VMOVDQU32(m, r)
		by = append(by, r)
	}
	merge := func(places, x, y VecVirtual) VecVirtual {
		z := ZMM()
		VMOVDQA32(places, z)
		VPERMI2PS(y, x, z)
		return z
	}
	Label("round")
	var twos [4][2]VecVirtual // of two registers: columns 0 to 3, 4 to 7
	for i := range twos {
		x, y := ZMM(), ZMM()
		VMOVUPS(Mem{Base: p, Disp: 128 * i}, x)
		VMOVUPS(Mem{Base: p, Disp: 128*i + 64}, y)
		twos[i] = [2]VecVirtual{merge(by[0], x, y), merge(by[1], x, y)}
	}
	to := GP64()
	MOVQ(d, to)
	for half := range 2 {
		for pair := range 2 { // of columns
			x, y := merge(by[2+pair], twos[0][half], twos[1][half]), merge(by[2+pair], twos[2][half], twos[3][half])
			for _, imm := range []uint64{0x44, 0xee} { // the lower halves, and the upper ones
				z := ZMM()
				VSHUFF64X2(Imm(imm), y, x, z)
				VMOVUPS(z, Mem{Base: to})
				ADDQ(apart, to)
			}
		}
	}
	ADDQ(U32(4*rows*wide), p)
	ADDQ(Imm(4*rows), d)
	SUBQ(Imm(rows), n)
	JG(LabelRef("round"))
	VZEROUPPER()
	RET()
	return "\n//go:noescape\nfunc columns32(n int, d *byte, apart int, p *byte)\n"
}
