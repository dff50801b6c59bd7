package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// sweeps writes the loops that rotate the rows of a matrix of float64, two after the other: the row that the next
// rotation takes too stays in registers. It returns their declarations. The offsets are those of vector.Sweep.
func sweeps() string {
	var names strings.Builder
	for _, s := range []struct {
		name      string
		wide      bool
		registers int
	}{{"sweep512x64", true, 8}, {"sweep512x16", true, 2}, {"sweep256x16", false, 4}} {
		writeSweep(s.name, s.wide, s.registers)
		fmt.Fprintf(&names, "\n//go:noescape\nfunc %s(p *Sweep)\n", s.name)
	}
	return names.String()
}

func writeSweep(name string, wide bool, registers int) {
	TEXT(name, NOSPLIT, "func(p *byte)")
	p := Load(Param("p"), GP64())
	field := func(i int) GPVirtual {
		r := GP64()
		MOVQ(Mem{Base: p, Disp: 8 * i}, r)
		return r
	}
	k, row, across, turns := field(0), field(1), field(2), field(3)
	bytes := 32
	all := []VecPhysical{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15}
	if wide {
		bytes = 64
		all = []VecPhysical{Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15, Z16, Z17, Z18, Z19, Z20, Z21}
	}
	carried, next, all := all[:registers], all[registers:2*registers], all[2*registers:]
	cos, sin, free := all[0], all[1], all[2:]
	for j, r := range carried {
		VMOVUPD(Mem{Base: row, Disp: j * bytes}, r)
	}
	Label("step")
	VBROADCASTSD(Mem{Base: turns}, cos)
	VBROADCASTSD(Mem{Base: turns, Disp: 8}, sin)
	at := GP64()
	LEAQ(Mem{Base: row, Index: across, Scale: 1}, at)
	for j, x := range carried {
		y, sum := next[j], free[j%len(free)]
		VMOVUPD(Mem{Base: at, Disp: j * bytes}, y)
		VMULPD(sin, y, sum)
		VFMADD231PD(cos, x, sum)
		VMOVUPD(sum, Mem{Base: row, Disp: j * bytes})
		VMULPD(cos, y, y)
		VFNMADD231PD(sin, x, y)
		VMOVAPD(y, x)
	}
	MOVQ(at, row)
	ADDQ(U8(16), turns)
	DECQ(k)
	JNE(LabelRef("step"))
	for j, r := range carried {
		VMOVUPD(r, Mem{Base: row, Disp: j * bytes})
	}
	VZEROUPPER()
	RET()
}
