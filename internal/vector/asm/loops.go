package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

type (
	two   = func(ops ...Op) // an instruction, operands in the assembler's order: the result last
	shape struct {
		typ  string
		size int
	}
)

var (
	f32, f64           = shape{"f32", 4}, shape{"f64", 8}
	i8, i16, u8, u16   = shape{"i8", 1}, shape{"i16", 2}, shape{"u8", 1}, shape{"u16", 2}
	i32, i64, u32, u64 = shape{"i32", 4}, shape{"i64", 8}, shape{"u32", 4}, shape{"u64", 8}
	boolean            = shape{"bool", 1}
)

func (s shape) loop(op string, n int, forms []int, body func(c *context, x [][]VecVirtual) []VecVirtual) loop {
	l := loop{op: op, typ: s.typ, size: s.size, lane: 32 / s.size, forms: forms, body: body}
	if s.size == 1 {
		l.lane = step
	}
	for range n {
		l.args = append(l.args, s.size)
	}
	return l
}

// fixed makes an instruction that takes three operands only like the others.
func fixed(f func(y, x, z Op)) two { return func(ops ...Op) { f(ops[0], ops[1], ops[2]) } }

func fixed4(f func(m, y, x, z Op)) two { return func(ops ...Op) { f(ops[0], ops[1], ops[2], ops[3]) } }

// preparations are the registers that an operation wants before its loop.
var preparations = map[string][]string{
	"eq": {"ones"}, "ne": {"ones"}, "lt": {"ones"}, "le": {"ones"}, "gt": {"ones"}, "ge": {"ones"},
	"neg f32": {"sign32"}, "neg f64": {"sign64"}, "abs f32": {"sign32"}, "abs f64": {"sign64"},
	"neg i8": {"zero"}, "neg i16": {"zero"}, "neg u8": {"zero"}, "neg u16": {"zero"},
	"neg i32": {"zero"}, "neg i64": {"zero"}, "neg u32": {"zero"}, "neg u64": {"zero"},
	"not i8": {"full"}, "not i16": {"full"}, "not u8": {"full"}, "not u16": {"full"},
	"not i32": {"full"}, "not i64": {"full"}, "not u32": {"full"}, "not u64": {"full"}, "not bool": {"ones"},
	"lt u8": {"sign8"}, "le u8": {"sign8"}, "gt u8": {"sign8"}, "ge u8": {"sign8"},
	"lt u16": {"sign16"}, "le u16": {"sign16"}, "gt u16": {"sign16"}, "ge u16": {"sign16"},
	"min u64": {"sign64"}, "max u64": {"sign64"}, "abs i64": {"zero"}, "shr i64": {"zero"}, "rshift i64": {"zero"},
	"isnan": {"ones"}, "isinf": {"ones"}, "isfinite": {"ones"}, "signbit": {"ones", "zero"},
	"isinf f32": {"sign32", "inf32"}, "isinf f64": {"sign64", "inf64"}, "isfinite f32": {"sign32", "inf32"}, "isfinite f64": {"sign64", "inf64"},
	"sign i8": {"ones"}, "sign u8": {"ones"},
	"sign f32": {"zero", "one32", "sign32"}, "sign f64": {"zero", "one64", "sign64"},
	"copysign f32": {"sign32"}, "copysign f64": {"sign64"},
	"sign i32": {"zero"}, "sign i64": {"zero"}, "sign u32": {"zero", "full"}, "sign u64": {"zero", "full"},
	"lt u32": {"sign32"}, "le u32": {"sign32"}, "gt u32": {"sign32"}, "ge u32": {"sign32"},
	"lt u64": {"sign64"}, "le u64": {"sign64"}, "gt u64": {"sign64"}, "ge u64": {"sign64"},
	"select":  {"zero"},
	"abs f16": {"sign16"}, "neg f16": {"sign16"}, "copysign f16": {"sign16"},
	"conj c64": {"imaginary64"}, "conj c128": {"imaginary128"},
	"abs c64": {"sign64", "one64", "inf64", "zero"}, "abs c128": {"sign64", "one64", "inf64", "zero"},
	"logical_and": {"ones", "zero"}, "logical_or": {"ones", "zero"}, "logical_xor": {"ones", "zero"}, "logical_not": {"ones", "zero"},
}

func prepare(key string, wide bool) VecVirtual {
	if wide && key == "ones" { // bytes 1
		r := XMM()
		VPCMPEQD(r, r, r)
		VPABSB(r, r)
		return r
	}
	if wide {
		r := ZMM()
		VPTERNLOGD(Imm(0xff), r, r, r)
		if key == "sign32" {
			VPSLLD(Imm(31), r, r)
		} else {
			VPSLLQ(Imm(63), r, r)
		}
		return r
	}
	r := YMM()
	switch key {
	case "zero":
		VPXOR(r, r, r)
	case "full":
		VPCMPEQD(r, r, r)
	case "sign32":
		VPCMPEQD(r, r, r)
		VPSLLD(Imm(31), r, r)
	case "sign64", "imaginary64": // of a complex64 the imaginary part's
		VPCMPEQD(r, r, r)
		VPSLLQ(Imm(63), r, r)
	case "imaginary128":
		VPCMPEQD(r, r, r)
		VPSLLQ(Imm(63), r, r)
		VPSLLDQ(Imm(8), r, r)
	case "sign8":
		VPCMPEQB(r, r, r)
		VPABSB(r, r)
		VPSLLW(Imm(7), r, r)
	case "sign16":
		VPCMPEQW(r, r, r)
		VPSLLW(Imm(15), r, r)
	case "one32":
		VPCMPEQD(r, r, r)
		VPSRLD(Imm(25), r, r)
		VPSLLD(Imm(23), r, r)
	case "one64":
		VPCMPEQD(r, r, r)
		VPSRLQ(Imm(54), r, r)
		VPSLLQ(Imm(52), r, r)
	case "inf32":
		VPCMPEQD(r, r, r)
		VPSLLD(Imm(24), r, r)
		VPSRLD(Imm(1), r, r)
	case "inf64":
		VPCMPEQD(r, r, r)
		VPSLLQ(Imm(53), r, r)
		VPSRLQ(Imm(1), r, r)
	case "ones": // bytes 1
		x := XMM()
		VPCMPEQD(x, x, x)
		VPABSB(x, x)
		return x
	}
	return r
}

// each applies do to the registers of a round.
func each(do func(c *context, x []VecVirtual) VecVirtual) func(*context, [][]VecVirtual) []VecVirtual {
	return func(c *context, x [][]VecVirtual) (z []VecVirtual) {
		for j := range x[0] {
			var args []VecVirtual
			for k := range x {
				args = append(args, x[k][j])
			}
			z = append(z, do(c, args))
		}
		return z
	}
}

func (c *context) vec() VecVirtual {
	switch {
	case c.l.wide:
		return ZMM()
	case c.l.bytes():
		return XMM()
	}
	return YMM()
}

// constant is a prepared register in the width of the loop's.
func (c *context) constant(key string) VecVirtual {
	r := c.known[key]
	if y, is := r.(interface{ AsX() Register }); is && c.l.bytes() && key != "ones" {
		return y.AsX().(VecVirtual)
	}
	return r
}

// plain is an operation that is one instruction.
func plain(f two) func(*context, [][]VecVirtual) []VecVirtual {
	return each(func(c *context, x []VecVirtual) VecVirtual {
		z := c.vec()
		f(x[1], x[0], z)
		return z
	})
}

// with is an operation on the operand and a register that is prepared.
func with(key string, f two) func(*context, [][]VecVirtual) []VecVirtual {
	return each(func(c *context, x []VecVirtual) VecVirtual {
		z := c.vec()
		f(c.constant(key), x[0], z)
		return z
	})
}

// compared makes bytes 0 or 1 of the masks that mask computes, after inverting them if asked.
func compared(s shape, invert bool, mask func(c *context, x []VecVirtual) VecVirtual) func(*context, [][]VecVirtual) []VecVirtual {
	return func(c *context, x [][]VecVirtual) []VecVirtual {
		m := each(mask)(c, x)
		low := XMM()
		if s.size == 1 {
			if invert {
				VPANDN(c.known["ones"], m[0], low)
			} else {
				VPAND(c.known["ones"], m[0], low)
			}
			return []VecVirtual{low}
		}
		if s.size == 8 { // even halves: dwords, in the order of the lanes
			for j := range 2 {
				p, q, r := m[2*j], m[2*j+1], YMM()
				VSHUFPS(Imm(0x88), q, p, r)
				VPERMQ(Imm(0xd8), r, r)
				m[j] = r
			}
			m = m[:2]
		}
		words, high := m[0], XMM()
		if s.size > 2 {
			words = YMM()
			VPACKSSDW(m[1], m[0], words)
			VPERMQ(Imm(0xd8), words, words)
		}
		VEXTRACTI128(Imm(1), words, high)
		VEXTRACTI128(Imm(0), words, low)
		VPACKSSWB(high, low, low)
		if invert {
			VPANDN(c.known["ones"], low, low)
		} else {
			VPAND(c.known["ones"], low, low)
		}
		return []VecVirtual{low}
	}
}

func all() (out []loop) {
	add := func(l loop) { out = append(out, l) }
	type floatOps struct {
		s                                          shape
		add, sub, mul, div, min, max, or, and, xor two
		andn                                       two
		cmp                                        two
		fma                                        two
		sqrt                                       two
		round, blend                               two
		sign                                       string
	}
	for _, o := range []floatOps{
		{f32, VADDPS, VSUBPS, VMULPS, VDIVPS, VMINPS, VMAXPS, VORPS, VANDPS, VXORPS, VANDNPS, VCMPPS, VFMADD213PS, VSQRTPS, fixed(VROUNDPS), fixed4(VBLENDVPS), "sign32"},
		{f64, VADDPD, VSUBPD, VMULPD, VDIVPD, VMINPD, VMAXPD, VORPD, VANDPD, VXORPD, VANDNPD, VCMPPD, VFMADD213PD, VSQRTPD, fixed(VROUNDPD), fixed4(VBLENDVPD), "sign64"},
	} {
		s := o.s
		add(s.loop("add", 2, binary, plain(o.add)))
		add(s.loop("sub", 2, binary, plain(o.sub)))
		add(s.loop("mul", 2, binary, plain(o.mul)))
		add(s.loop("div", 2, binary, plain(o.div)))
		add(s.loop("min", 2, binary, minimum(o.min, o.or)))
		add(s.loop("max", 2, binary, maximum(o.max, o.and, o.or, o.cmp)))
		add(s.loop("fma", 3, ternary, fma(o.fma)))
		// Two operations at once, each with its own rounding: arrays go through the cache once in the place of twice.
		type pair struct {
			name   string
			first  two
			second two
			swap   bool // the third operand stands first
		}
		for _, p := range []pair{
			{"mul+add", o.mul, o.add, false}, {"mul+sub", o.mul, o.sub, false}, {"mul-sub", o.mul, o.sub, true},
			{"add+mul", o.add, o.mul, false}, {"sub+mul", o.sub, o.mul, false}, {"add+add", o.add, o.add, false},
			{"mul+mul", o.mul, o.mul, false},
		} {
			add(s.loop(p.name, 3, ternary, each(func(c *context, x []VecVirtual) VecVirtual {
				z := c.vec()
				p.first(x[1], x[0], z)
				if p.swap {
					p.second(z, x[2], z)
				} else {
					p.second(x[2], z, z)
				}
				return z
			})))
		}
		add(s.loop("neg", 1, none, with(o.sign, o.xor)))
		add(s.loop("abs", 1, none, each(func(c *context, x []VecVirtual) VecVirtual {
			z := c.vec()
			o.andn(x[0], c.known[o.sign], z)
			return z
		})))
		add(s.loop("sqrt", 1, none, each(func(c *context, x []VecVirtual) VecVirtual {
			z := c.vec()
			o.sqrt(x[0], z)
			return z
		})))
		for _, p := range []struct {
			op   string
			mode uint64
		}{{"rint", 8}, {"floor", 9}, {"ceil", 10}, {"trunc", 11}} {
			add(s.loop(p.op, 1, none, each(func(c *context, x []VecVirtual) VecVirtual {
				z := YMM()
				o.round(Imm(p.mode), x[0], z)
				return z
			})))
		}
		for _, p := range questions(s, o.cmp, o.andn) {
			p.size = 1
			add(p)
		}
		add(s.loop("sign", 1, none, floatSign(o.cmp, o.and, o.or, o.blend, "one"+s.typ[1:], o.sign)))
		add(s.loop("copysign", 2, none, each(func(c *context, x []VecVirtual) VecVirtual {
			z, y := YMM(), YMM()
			o.andn(x[0], c.known[o.sign], z)
			o.and(x[1], c.known[o.sign], y)
			o.or(y, z, z)
			return z
		})))
		add(s.loop("fmin", 2, none, numberOf(18, o.cmp, o.or, o.blend)))
		add(s.loop("fmax", 2, none, numberOf(29, o.cmp, o.or, o.blend)))
		for _, p := range []struct {
			op        string
			predicate uint64
		}{{"eq", 0}, {"ne", 4}, {"lt", 17}, {"le", 18}, {"gt", 30}, {"ge", 29}} {
			l := s.loop(p.op, 2, binary, compared(s, false, floatCompare(p.predicate, o.cmp)))
			l.size = 1
			add(l)
		}
	}
	type intOps struct {
		s                       shape
		add, sub, mul, min, max two
		shl, shlv, shr, shrv    two
		eq, gt                  two
		sign                    string // of those without a sign
	}
	for _, o := range []intOps{
		{i8, VPADDB, VPSUBB, nil, VPMINSB, VPMAXSB, nil, nil, nil, nil, VPCMPEQB, VPCMPGTB, ""},
		{u8, VPADDB, VPSUBB, nil, VPMINUB, VPMAXUB, nil, nil, nil, nil, VPCMPEQB, VPCMPGTB, "sign8"},
		{i16, VPADDW, VPSUBW, VPMULLW, VPMINSW, VPMAXSW, nil, nil, nil, nil, VPCMPEQW, VPCMPGTW, ""},
		{u16, VPADDW, VPSUBW, VPMULLW, VPMINUW, VPMAXUW, nil, nil, nil, nil, VPCMPEQW, VPCMPGTW, "sign16"},
		{i32, VPADDD, VPSUBD, VPMULLD, VPMINSD, VPMAXSD, VPSLLD, VPSLLVD, VPSRAD, VPSRAVD, VPCMPEQD, VPCMPGTD, ""},
		{u32, VPADDD, VPSUBD, VPMULLD, VPMINUD, VPMAXUD, VPSLLD, VPSLLVD, VPSRLD, VPSRLVD, VPCMPEQD, VPCMPGTD, "sign32"},
		{i64, VPADDQ, VPSUBQ, nil, nil, nil, VPSLLQ, VPSLLVQ, VPSRLQ, VPSRLVQ, VPCMPEQQ, VPCMPGTQ, ""},
		{u64, VPADDQ, VPSUBQ, nil, nil, nil, VPSLLQ, VPSLLVQ, VPSRLQ, VPSRLVQ, VPCMPEQQ, VPCMPGTQ, "sign64"},
	} {
		s := o.s
		forms := binary
		if s.size < 4 { // kernels, which have numbers among their operands, rarely compute with these
			forms = none
		}
		for _, p := range []struct {
			op string
			f  two
		}{{"add", o.add}, {"sub", o.sub}, {"mul", o.mul}, {"min", o.min}, {"max", o.max}, {"and", fixed(VPAND)}, {"or", fixed(VPOR)}, {"xor", fixed(VPXOR)}} {
			if p.f != nil {
				add(s.loop(p.op, 2, forms, plain(p.f)))
			}
		}
		if s.size == 8 {
			add(s.loop("mul", 2, binary, each(product64)))
			add(s.loop("min", 2, binary, chosen(o.gt, true, o.sign)))
			add(s.loop("max", 2, binary, chosen(o.gt, false, o.sign)))
		}
		add(s.loop("neg", 1, none, each(func(c *context, x []VecVirtual) VecVirtual {
			z := c.vec()
			o.sub(x[0], c.constant("zero"), z)
			return z
		})))
		add(s.loop("not", 1, none, with("full", fixed(VPXOR))))
		switch s.size {
		case 1:
			product := s.loop("mul", 2, forms, each(productBytes))
			product.consts = []uint64{lowBytes}
			add(product)
			add(s.loop("sign", 1, none, each(func(c *context, x []VecVirtual) VecVirtual {
				z := XMM()
				if o.sign == "" {
					VPSIGNB(x[0], c.known["ones"], z)
				} else {
					VPMINUB(x[0], c.known["ones"], z)
				}
				return z
			})))
		case 4, 8:
			out = append(out, wideInts(s, o.sign == "", o.sub, o.shl, o.shlv, o.shr, o.shrv, o.eq, o.gt)...)
		}
		for _, p := range []struct {
			op           string
			f            two
			swap, invert bool
			sign         string
		}{
			{"eq", o.eq, false, false, ""}, {"ne", o.eq, false, true, ""},
			{"lt", o.gt, true, false, o.sign}, {"le", o.gt, false, true, o.sign},
			{"gt", o.gt, false, false, o.sign}, {"ge", o.gt, true, true, o.sign},
		} {
			l := s.loop(p.op, 2, forms, compared(s, p.invert, intCompare(p.f, p.swap, p.sign)))
			if s.size < 4 && (p.op == "ne" || p.op == "lt") { // with a zero: whether numbers are any, or negative
				l.forms = []int{0, 2}
			}
			l.size = 1
			add(l)
		}
	}
	for _, s := range []shape{f32, f64, i32, u32, i64, u64} {
		l := s.loop("select", 3, []int{0, 2, 4, 6}, each(func(c *context, x []VecVirtual) VecVirtual {
			m, z := YMM(), YMM()
			if s.size == 4 {
				VPCMPEQD(c.known["zero"], x[0], m)
				VBLENDVPS(m, x[2], x[1], z)
			} else {
				VPCMPEQQ(c.known["zero"], x[0], m)
				VBLENDVPD(m, x[2], x[1], z)
			}
			return z
		}))
		l.args[0] = 1
		add(l)
	}
	add(boolean.loop("and", 2, binary, plain(fixed(VPAND))))
	add(boolean.loop("or", 2, binary, plain(fixed(VPOR))))
	add(boolean.loop("xor", 2, binary, plain(fixed(VPXOR))))
	add(boolean.loop("not", 1, none, with("ones", fixed(VPXOR))))
	return append(append(out, conversions()...), casts()...)
}

// past returns those of loops that take less time than their results take to memory, without uniform operands, for
// results that go there past the caches.
func past(loops []loop) (out []loop) {
	for _, l := range loops {
		switch l.op {
		case "add", "sub", "mul", "div", "min", "max", "neg", "abs", "sqrt", "floor", "ceil", "trunc", "rint", "copysign":
			if l.size == l.args[0] && l.size >= 4 && l.typ[0] != 'u' {
				l.past, l.forms = true, none
				out = append(out, l)
			}
		}
	}
	return out
}

func conversions() (out []loop) {
	for _, c := range []struct {
		from, to shape
		lane     int
		f        two
		narrow   bool // the result is half a register
	}{
		{i32, f32, 8, VCVTDQ2PS, false},
		{i32, f64, 4, VCVTDQ2PD, false},
		{f32, f64, 4, VCVTPS2PD, false},
		{f64, f32, 4, VCVTPD2PSY, true},
		{i32, i64, 4, VPMOVSXDQ, false},
		{i32, u64, 4, VPMOVSXDQ, false},
		{u32, i64, 4, VPMOVZXDQ, false},
		{u32, u64, 4, VPMOVZXDQ, false},
	} {
		out = append(out, loop{op: "convert", typ: c.from.typ, to: c.to.typ, args: []int{c.from.size}, size: c.to.size, lane: c.lane,
			forms: none, body: each(func(_ *context, x []VecVirtual) VecVirtual {
				if c.narrow {
					z := XMM()
					c.f(x[0], z)
					return z
				}
				z := YMM()
				c.f(x[0], z)
				return z
			})})
	}
	return out
}
