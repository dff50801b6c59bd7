package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// widened returns loops for the registers of AVX-512: the arithmetic of floats among loops where the body is
// instructions that these have, and comparisons, selections and arithmetic of integers, which have masks and names of
// their own there.
func widened(loops []loop) (out []loop) {
	for _, l := range loops {
		switch l.op {
		case "rint", "floor", "ceil", "trunc", "sign", "copysign", "fmin", "fmax":
			continue
		}
		wide := l.size // of the elements that fill registers
		_, compares := predicates[l.op]
		switch {
		case l.op == "select":
			l.body = each(wideSelect)
		case compares && l.args[0] >= 4:
			wide, l.body = l.args[0], wideCompare
		case wideIntegers[l.op][l.typ] != nil && len(l.args) == 2 && l.args[1] == l.size:
			l.body = plain(wideIntegers[l.op][l.typ])
		case l.typ[0] != 'f' || l.to != "" || l.size != l.args[0]:
			continue
		}
		l.wide, l.lane = true, 64/wide
		out = append(out, l)
	}
	return out
}

// predicates are the comparisons' numbers in the instructions for floats, and for integers.
var predicates = map[string][2]uint64{
	"eq": {0, 0}, "ne": {4, 4}, "lt": {17, 1}, "le": {18, 2}, "gt": {30, 6}, "ge": {29, 5},
}

var wideIntegers = map[string]map[string]two{
	"add": {"i32": VPADDD, "u32": VPADDD, "i64": VPADDQ, "u64": VPADDQ},
	"sub": {"i32": VPSUBD, "u32": VPSUBD, "i64": VPSUBQ, "u64": VPSUBQ},
	"mul": {"i32": VPMULLD, "u32": VPMULLD},
	"min": {"i32": VPMINSD, "u32": VPMINUD, "i64": VPMINSQ, "u64": VPMINUQ},
	"max": {"i32": VPMAXSD, "u32": VPMAXUD, "i64": VPMAXSQ, "u64": VPMAXUQ},
	"and": {"i32": VPANDD, "u32": VPANDD, "i64": VPANDQ, "u64": VPANDQ},
	"or":  {"i32": VPORD, "u32": VPORD, "i64": VPORQ, "u64": VPORQ},
	"xor": {"i32": VPXORD, "u32": VPXORD, "i64": VPXORQ, "u64": VPXORQ},
}

// wideSelect takes the second operand where the byte of the condition is not 0, else the third.
func wideSelect(c *context, x []VecVirtual) VecVirtual {
	k, z := K(), ZMM()
	VPTESTMB(x[0], x[0], k)
	if c.l.size == 4 {
		VBLENDMPS(x[1], x[2], k, z)
	} else {
		VBLENDMPD(x[1], x[2], k, z)
	}
	return z
}

// wideCompare makes bytes 0 and 1 of the masks of a round.
func wideCompare(c *context, x [][]VecVirtual) []VecVirtual {
	var masks []Register
	for j := range x[0] {
		k := K()
		p := predicates[c.l.op]
		switch c.l.typ {
		case "f32":
			VCMPPS(Imm(p[0]), x[1][j], x[0][j], k)
		case "f64":
			VCMPPD(Imm(p[0]), x[1][j], x[0][j], k)
		case "i32":
			VPCMPD(Imm(p[1]), x[1][j], x[0][j], k)
		case "u32":
			VPCMPUD(Imm(p[1]), x[1][j], x[0][j], k)
		case "i64":
			VPCMPQ(Imm(p[1]), x[1][j], x[0][j], k)
		case "u64":
			VPCMPUQ(Imm(p[1]), x[1][j], x[0][j], k)
		}
		masks = append(masks, k)
	}
	all := masks[0]
	if len(masks) == 2 { // of eight lanes each
		all = K()
		KUNPCKBW(masks[0], masks[1], all)
	}
	z := XMM()
	VMOVDQU8_Z(c.known["ones"], all, z)
	return []VecVirtual{z}
}
