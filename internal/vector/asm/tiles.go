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
	{"tiles512F64", true, 8, []int{12, 8, 4, 3, 2, 1}},
	{"tiles512F32", true, 4, []int{12, 8, 4, 3, 2, 1}},
	{"tiles256F64", false, 8, []int{6, 4, 3, 2, 1}},
	{"tiles256F32", false, 4, []int{6, 4, 3, 2, 1}},
}

// tiles writes the inner loops of matrix products: p.K fused multiply-adds on each element of a tile that stays in
// registers. It returns the table of them, and their declarations. The offsets are those of vector.Product.
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
		fmt.Fprintf(&text, "\nvar %s = Tiles{Rows: %d, Columns: %d, size: %d, lane: %d, kernels: []kernel{\n", t.name, t.heights[0], 2*lane, t.size, lane)
		for _, rows := range t.heights {
			fmt.Fprintf(&text, "\t{%d, [3]func(*Product){", rows)
			var functions [3]string
			// one register of which some lanes count, two so, two full ones
			for form, suffix := range []string{"One", "Edge", ""} {
				name := fmt.Sprintf("%sx%d%s", strings.Replace(t.name, "tiles", "tile", 1), rows, suffix)
				t.write(name, rows, min(form+1, 2), form < 2, masks)
				fmt.Fprintf(&names, "\n//go:noescape\nfunc %s(p *Product)\n", name)
				functions[form] = name
			}
			text.WriteString(strings.Join(functions[:], ", ") + "}},\n")
		}
		wide := strings.Replace(t.name, "tiles", "row", 1)
		registers := map[bool]int{true: 8, false: 4}[t.wide]
		t.write(wide, 1, registers, false, masks)
		dot := strings.Replace(t.name, "tiles", "dot", 1)
		t.dot(dot)
		fmt.Fprintf(&names, "\n//go:noescape\nfunc %s(p *Product)\n\n//go:noescape\nfunc %s(steps int, x, y, endX, endY *%s) %[3]s\n", wide, dot, t.element())
		fmt.Fprintf(&text, "}, row: %s, rowColumns: %d}\n", wide, registers*lane)
		if t.wide {
			lines := strings.Replace(t.name, "tiles", "lines", 1)
			t.lines(lines)
			fmt.Fprintf(&names, "\n//go:noescape\nfunc %s(p *Lines)\n", lines)
		}
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

	CMPB(Mem{Base: p, Disp: 72}, Imm(0))
	JNE(LabelRef("new"))
	at := GP64()
	MOVQ(c, at)
	for i := range rows {
		line(at, sums[i*registers:(i+1)*registers], load, partLoad)
		if i < rows-1 {
			ADDQ(across, at)
		}
	}
	JMP(LabelRef("begin"))
	Label("new") // the lines are on their way while products are added
	for _, s := range sums {
		t.zero(s)
	}
	MOVQ(c, at)
	for i := range rows {
		for j := range registers {
			PREFETCHT0(Mem{Base: at, Disp: j * bytes})
		}
		if i < rows-1 {
			ADDQ(across, at)
		}
	}
	Label("begin")
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

// dot writes the sum of products of so many steps of 32 elements, and of 32 more at endX and endY unless that is nil:
// 32 chains of fused multiply-adds, of which then halves are added until one number is left.
func (t tileSet) dot(name string) {
	TEXT(name, NOSPLIT, strings.ReplaceAll("func(steps int, x, y, endX, endY *T) T", "T", t.element()))
	steps, x, y := Load(Param("steps"), GP64()), Load(Param("x"), GP64()), Load(Param("y"), GP64())
	endX, endY := Load(Param("endX"), GP64()), Load(Param("endY"), GP64())
	vectors, bytes := []VecPhysical{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15}, 32
	if t.wide {
		vectors, bytes = []VecPhysical{Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7}, 64
	}
	n := 32 * t.size / bytes
	sums, loaded := vectors[:n], vectors[n:]
	for _, s := range sums {
		t.zero(s)
	}
	add := func(x, y Register) {
		for j, s := range sums {
			m := Mem{Base: x, Disp: j * bytes}
			if r := loaded[j%len(loaded)]; t.size == 8 {
				VMOVUPD(m, r)
				VFMADD231PD(Mem{Base: y, Disp: j * bytes}, r, s)
			} else {
				VMOVUPS(m, r)
				VFMADD231PS(Mem{Base: y, Disp: j * bytes}, r, s)
			}
		}
	}
	TESTQ(steps, steps)
	JE(LabelRef("rest"))
	Label("step")
	add(x, y)
	ADDQ(U32(uint32(32*t.size)), x)
	ADDQ(U32(uint32(32*t.size)), y)
	DECQ(steps)
	JNE(LabelRef("step"))
	Label("rest")
	TESTQ(endX, endX)
	JE(LabelRef("sum"))
	add(endX, endY)
	Label("sum")
	plus := func(x, y Op) {
		if t.size == 8 {
			VADDPD(x, y, y)
		} else {
			VADDPS(x, y, y)
		}
	}
	for n > 1 {
		n /= 2
		for j := range n {
			plus(sums[n+j], sums[j])
		}
	}
	if t.wide {
		VEXTRACTF64X4(Imm(1), Z0, Y1)
		plus(Y1, Y0)
	}
	VEXTRACTF128(Imm(1), Y0, X1)
	plus(X1, X0)
	if t.size == 8 {
		VPERMILPD(Imm(1), X0, X1)
		plus(X1, X0)
	} else {
		VPERMILPS(Imm(0x4e), X0, X1)
		plus(X1, X0)
		VPERMILPS(Imm(0xb1), X0, X1)
		plus(X1, X0)
	}
	VZEROUPPER()
	Store(X0, ReturnIndex(0))
	RET()
}

// lines writes the sums of dot of four lines at once, which wait for each other's additions less. The offsets are those
// of vector.Lines.
func (t tileSet) lines(name string) {
	const count = 4
	TEXT(name, NOSPLIT, "func(p *byte)")
	p := Load(Param("p"), GP64())
	field := func(i int) GPVirtual {
		r := GP64()
		MOVQ(Mem{Base: p, Disp: 8 * i}, r)
		return r
	}
	steps, x, y, across, rest, out := field(0), field(1), field(2), field(3), field(4), field(5)
	all := []VecPhysical{Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15, Z16, Z17, Z18, Z19}
	n := 32 * t.size / 64
	sums, loaded := all[:count*n], all[count*n:count*n+n]
	for _, s := range sums {
		VPXORQ(s, s, s)
	}
	add := func(x Register, lines []Mem) {
		for j, r := range loaded {
			VMOVUPD(Mem{Base: x, Disp: 64 * j}, r)
		}
		for i, m := range lines {
			for j, r := range loaded {
				m.Disp += 64 * j
				if t.size == 8 {
					VFMADD231PD(m, r, sums[i*n+j])
				} else {
					VFMADD231PS(m, r, sums[i*n+j])
				}
				m.Disp -= 64 * j
			}
		}
	}
	lines := addresses(y, across, count)
	TESTQ(steps, steps)
	JE(LabelRef("rest"))
	Label("step")
	add(x, lines)
	ADDQ(U32(uint32(32*t.size)), x)
	ADDQ(U32(uint32(32*t.size)), y)
	DECQ(steps)
	JNE(LabelRef("step"))
	Label("rest")
	TESTQ(rest, rest)
	JE(LabelRef("sum"))
	t.rest(rest, x, lines, sums, loaded)
	Label("sum")
	plus := func(x, y Op) {
		if t.size == 8 {
			VADDPD(x, y, y)
		} else {
			VADDPS(x, y, y)
		}
	}
	for i := range count {
		own := sums[i*n : (i+1)*n]
		for left := n; left > 1; {
			left /= 2
			for j := range left {
				plus(own[left+j], own[j])
			}
		}
		free := own[1] // one of the first sixteen
		VEXTRACTF64X4(Imm(1), own[0], free.AsY())
		plus(own[0].AsY(), free.AsY())
		VEXTRACTF128(Imm(1), free.AsY(), own[0].AsX())
		plus(own[0].AsX(), free.AsX())
		if t.size == 8 {
			VPERMILPD(Imm(1), free.AsX(), own[0].AsX())
			plus(own[0].AsX(), free.AsX())
			VMOVSD(free.AsX(), Mem{Base: out, Disp: 8 * i})
		} else {
			VPERMILPS(Imm(0x4e), free.AsX(), own[0].AsX())
			plus(own[0].AsX(), free.AsX())
			VPERMILPS(Imm(0xb1), free.AsX(), own[0].AsX())
			plus(own[0].AsX(), free.AsX())
			VMOVSS(free.AsX(), Mem{Base: out, Disp: 4 * i})
		}
	}
	VZEROUPPER()
	RET()
}

// rest adds the products of so many elements at x, fewer than 32, with as many of each line to its sums. Chains without
// one stay as they are, where a product of zeros would make 0 of -0.
func (t tileSet) rest(elements, x Register, lines []Mem, sums, loaded []VecPhysical) {
	masks, lanes := []Register{K1, K2, K3, K4}[:len(loaded)], 64/t.size
	mask := GP32()
	MOVL(I32(-1), mask)
	BZHIL(elements.(GPVirtual).As32(), mask, mask)
	for j, k := range masks {
		if j > 0 {
			SHRL(Imm(uint64(lanes)), mask)
		}
		KMOVW(mask, k) // of eight lanes the upper bits do not count
	}
	for j, r := range loaded {
		m := Mem{Base: x, Disp: 64 * j}
		if t.size == 8 {
			VMOVUPD_Z(m, masks[j], r)
		} else {
			VMOVUPS_Z(m, masks[j], r)
		}
	}
	for i, m := range lines {
		for j, r := range loaded {
			m.Disp = 64 * j
			if t.size == 8 {
				VFMADD231PD(m, r, masks[j], sums[i*len(loaded)+j])
			} else {
				VFMADD231PS(m, r, masks[j], sums[i*len(loaded)+j])
			}
		}
	}
}

func (t tileSet) zero(r VecPhysical) {
	if t.wide {
		VPXORQ(r, r, r)
	} else {
		VXORPD(r, r, r)
	}
}

func (t tileSet) element() string { return fmt.Sprintf("float%d", 8*t.size) }

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
