package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// tileSet is the tiles of one type on one kind of processor.
type tileSet struct {
	name    string // of the table
	wide    bool   // AVX-512
	size    int    // bytes of an element
	heights []int  // rows, descending: what is left of a tall tile goes in lower ones
}

var tileSets = []tileSet{
	{"tiles512F64", true, 8, []int{12, 8, 4, 2, 1}},
	{"tiles512F32", true, 4, []int{12, 8, 4, 2, 1}},
	{"tiles256F64", false, 8, []int{6, 4, 2, 1}},
	{"tiles256F32", false, 4, []int{6, 4, 2, 1}},
}

// tiles writes the inner loops of matrix products: p.K fused multiply-adds on each element of a tile that stays in registers. It
// returns the table of them, and their declarations. The offsets are those of vector.Product.
func tiles() (table, declarations string) {
	masks := GLOBL("laneMasks", RODATA|NOPTR)
	for i := range 16 {
		DATA(4*i, U32([]uint32{0xffffffff, 0}[i/8]))
	}
	var text, names strings.Builder
	for _, t := range tileSets {
		lane := 32 / t.size
		if t.wide {
			lane *= 2
		}
		fmt.Fprintf(&text, "\nvar %s = Tiles{Rows: %d, Columns: %d, lane: %d, kernels: []kernel{\n", t.name, t.heights[0], 2*lane, lane)
		for _, rows := range t.heights {
			fmt.Fprintf(&text, "\t{%d, [3]func(*Product){", rows)
			var functions [3]string
			for form, suffix := range []string{"One", "Edge", ""} { // one register of which some lanes count, two so, two full ones
				name := fmt.Sprintf("%sx%d%s", strings.Replace(t.name, "tiles", "tile", 1), rows, suffix)
				t.write(name, rows, min(form+1, 2), form < 2, masks)
				fmt.Fprintf(&names, "\n//go:noescape\nfunc %s(p *Product)\n", name)
				functions[form] = name
			}
			text.WriteString(strings.Join(functions[:], ", ") + "}},\n")
		}
		text.WriteString("}}\n")
	}
	return text.String(), names.String()
}

func (t tileSet) write(name string, rows, registers int, edge bool, masks Mem) {
	TEXT(name, NOSPLIT, "func(p *byte)")
	p := Load(Param("p"), GP64())
	field := func(i int) GPVirtual {
		r := GP64()
		MOVQ(Mem{Base: p, Disp: 8 * i}, r)
		return r
	}
	k, a, row, step, b, down, c, across := field(0), field(1), field(2), field(3), field(4), field(5), field(6), field(7)

	bytes := 32
	all := []VecPhysical{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15}
	if t.wide {
		bytes = 64
		all = []VecPhysical{Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15,
			Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31}
	}
	sums, all := all[:rows*registers], all[rows*registers:]
	right, all := all[:registers], all[registers:]
	load, store := t.plain()
	if edge {
		lanes := GP64()
		MOVQ(Mem{Base: p, Disp: 64}, lanes)
		if t.wide {
			mask := GP32()
			MOVL(I32(-1), mask)
			BZHIL(lanes.As32(), mask, mask)
			KMOVW(mask, K1)
		} else {
			from := GP64()
			LEAQ(masks, from)
			NEGQ(lanes)
			m := Mem{Base: from, Index: lanes, Scale: 4, Disp: 32}
			if t.size == 8 {
				VPMOVSXDQ(m, Y15)
			} else {
				VMOVDQU(m, Y15)
			}
			all = all[:len(all)-1]
		}
	}
	partLoad, partStore := t.masked()
	// line moves a line between memory and registers, of whose last one only some lanes may count.
	line := func(base Register, regs []VecPhysical, whole, part func(m Mem, r VecPhysical)) {
		for j, r := range regs {
			m := Mem{Base: base, Disp: j * bytes}
			if edge && j == len(regs)-1 {
				part(m, r)
			} else {
				whole(m, r)
			}
		}
	}

	at := GP64()
	MOVQ(c, at)
	for i := range rows {
		line(at, sums[i*registers:(i+1)*registers], load, partLoad)
		if i < rows-1 {
			ADDQ(across, at)
		}
	}
	left := addresses(a, row, rows)
	Label("step")
	line(b, right, load, partLoad)
	for i := range rows {
		x := all[i%len(all)]
		t.broadcast(left[i], x)
		for j := range registers {
			t.multiplyAdd(right[j], x, sums[i*registers+j])
		}
	}
	ADDQ(step, a)
	ADDQ(down, b)
	DECQ(k)
	JNE(LabelRef("step"))
	for i := range rows {
		line(c, sums[i*registers:(i+1)*registers], store, partStore)
		if i < rows-1 {
			ADDQ(across, c)
		}
	}
	VZEROUPPER()
	RET()
}

// addresses gives the places of rows elements that lie row bytes apart, beginning at a.
func addresses(a, row Register, rows int) []Mem {
	times := map[int]Register{1: row}
	multiple := func(n, base, scale int) {
		if n < rows {
			r := GP64()
			LEAQ(Mem{Base: times[base], Index: row, Scale: uint8(scale)}, r)
			times[n] = r
		}
	}
	multiple(3, 1, 2)
	multiple(5, 1, 4)
	multiple(7, 3, 4)
	multiple(9, 1, 8)
	multiple(11, 3, 8)
	out := make([]Mem, rows)
	for i := range out {
		out[i] = Mem{Base: a}
		odd, scale := i, 1
		for i > 0 && odd%2 == 0 {
			odd, scale = odd/2, 2*scale
		}
		if i > 0 {
			out[i].Index, out[i].Scale = times[odd], uint8(scale)
		}
	}
	return out
}

func (t tileSet) plain() (load, store func(m Mem, r VecPhysical)) {
	return func(m Mem, r VecPhysical) { VMOVUPD(m, r) }, func(m Mem, r VecPhysical) { VMOVUPD(r, m) }
}

// masked moves the lanes that count; others are 0 when loaded.
func (t tileSet) masked() (load, store func(m Mem, r VecPhysical)) {
	switch {
	case t.wide && t.size == 8:
		return func(m Mem, r VecPhysical) { VMOVUPD_Z(m, K1, r) }, func(m Mem, r VecPhysical) { VMOVUPD(r, K1, m) }
	case t.wide:
		return func(m Mem, r VecPhysical) { VMOVUPS_Z(m, K1, r) }, func(m Mem, r VecPhysical) { VMOVUPS(r, K1, m) }
	case t.size == 8:
		return func(m Mem, r VecPhysical) { VMASKMOVPD(m, Y15, r) }, func(m Mem, r VecPhysical) { VMASKMOVPD(r, Y15, m) }
	}
	return func(m Mem, r VecPhysical) { VMASKMOVPS(m, Y15, r) }, func(m Mem, r VecPhysical) { VMASKMOVPS(r, Y15, m) }
}

func (t tileSet) broadcast(m Mem, r VecPhysical) {
	if t.size == 8 {
		VBROADCASTSD(m, r)
	} else {
		VBROADCASTSS(m, r)
	}
}

func (t tileSet) multiplyAdd(x, y, sum VecPhysical) {
	if t.size == 8 {
		VFMADD231PD(x, y, sum)
	} else {
		VFMADD231PS(x, y, sum)
	}
}
