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

// preparations are the registers that an operation wants before its loop.
var preparations = map[string][]string{
	"eq": {"ones"}, "ne": {"ones"}, "lt": {"ones"}, "le": {"ones"}, "gt": {"ones"}, "ge": {"ones"},
	"neg f32": {"sign32"}, "neg f64": {"sign64"}, "abs f32": {"sign32"}, "abs f64": {"sign64"},
	"neg i32": {"zero"}, "neg i64": {"zero"}, "neg u32": {"zero"}, "neg u64": {"zero"},
	"not i32": {"full"}, "not i64": {"full"}, "not u32": {"full"}, "not u64": {"full"}, "not bool": {"ones"},
	"lt u32": {"sign32"}, "le u32": {"sign32"}, "gt u32": {"sign32"}, "ge u32": {"sign32"},
	"lt u64": {"sign64"}, "le u64": {"sign64"}, "gt u64": {"sign64"}, "ge u64": {"sign64"},
	"select": {"zero"},
}

func prepare(key string, wide bool) VecVirtual {
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
	case "sign64":
		VPCMPEQD(r, r, r)
		VPSLLQ(Imm(63), r, r)
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
	case c.l.lane == step:
		return XMM()
	}
	return YMM()
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
		f(c.known[key], x[0], z)
		return z
	})
}

// minimum is NumPy's: the instruction gives its second operand where one is NaN or both are zeros, so both orders are tried.
// Or-ing them keeps a NaN and the sign of a zero.
func minimum(f, or two) func(*context, [][]VecVirtual) []VecVirtual {
	return each(func(c *context, x []VecVirtual) VecVirtual {
		p, q := YMM(), YMM()
		f(x[1], x[0], p)
		f(x[0], x[1], q)
		or(q, p, p)
		return p
	})
}

// maximum and-s them, for the zero without a sign, and makes NaN of what does not compare.
func maximum(f, and, or two, compare two) func(*context, [][]VecVirtual) []VecVirtual {
	return each(func(c *context, x []VecVirtual) VecVirtual {
		p, q := YMM(), YMM()
		f(x[1], x[0], p)
		f(x[0], x[1], q)
		and(q, p, p)
		compare(Imm(3), x[1], x[0], q)
		or(q, p, p)
		return p
	})
}

func fma(f two) func(*context, [][]VecVirtual) []VecVirtual {
	return each(func(c *context, x []VecVirtual) VecVirtual {
		z := c.vec()
		VMOVAPD(x[0], z)
		f(x[2], x[1], z) // z = x[1]*z + x[2]
		return z
	})
}

// compared makes bytes 0 or 1 of the masks that mask computes, after inverting them if asked.
func compared(s shape, invert bool, mask func(c *context, x []VecVirtual) VecVirtual) func(*context, [][]VecVirtual) []VecVirtual {
	return func(c *context, x [][]VecVirtual) []VecVirtual {
		m := each(mask)(c, x)
		if s.size == 8 { // even halves: dwords, in the order of the lanes
			for j := range 2 {
				p, q, r := m[2*j], m[2*j+1], YMM()
				VSHUFPS(Imm(0x88), q, p, r)
				VPERMQ(Imm(0xd8), r, r)
				m[j] = r
			}
			m = m[:2]
		}
		words, low, high := YMM(), XMM(), XMM()
		VPACKSSDW(m[1], m[0], words)
		VPERMQ(Imm(0xd8), words, words)
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

func floatCompare(predicate uint64, f two) func(*context, []VecVirtual) VecVirtual {
	return func(c *context, x []VecVirtual) VecVirtual {
		z := YMM()
		f(Imm(predicate), x[1], x[0], z)
		return z
	}
}

// intCompare applies f to the operands, in the other order if swap; unsigned ones with their top bits flipped.
func intCompare(f two, swap bool, sign string) func(*context, []VecVirtual) VecVirtual {
	return func(c *context, x []VecVirtual) VecVirtual {
		p, q := x[0], x[1]
		if swap {
			p, q = q, p
		}
		if sign != "" {
			s, fp, fq := c.known[sign], YMM(), YMM()
			VPXOR(s, p, fp)
			VPXOR(s, q, fq)
			p, q = fp, fq
		}
		z := YMM()
		f(q, p, z)
		return z
	}
}

func shift(s shape, uniform, each2 two) func(*context, [][]VecVirtual) []VecVirtual {
	return func(c *context, x [][]VecVirtual) []VecVirtual {
		f := each2
		if c.form&2 != 0 {
			f = uniform
		}
		return plain(f)(c, x)
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
		sign                                       string
	}
	for _, o := range []floatOps{
		{f32, VADDPS, VSUBPS, VMULPS, VDIVPS, VMINPS, VMAXPS, VORPS, VANDPS, VXORPS, VANDNPS, VCMPPS, VFMADD213PS, VSQRTPS, "sign32"},
		{f64, VADDPD, VSUBPD, VMULPD, VDIVPD, VMINPD, VMAXPD, VORPD, VANDPD, VXORPD, VANDNPD, VCMPPD, VFMADD213PD, VSQRTPD, "sign64"},
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
		sign                    string
	}
	for _, o := range []intOps{
		{i32, VPADDD, VPSUBD, VPMULLD, VPMINSD, VPMAXSD, VPSLLD, VPSLLVD, VPSRAD, VPSRAVD, VPCMPEQD, VPCMPGTD, ""},
		{u32, VPADDD, VPSUBD, VPMULLD, VPMINUD, VPMAXUD, VPSLLD, VPSLLVD, VPSRLD, VPSRLVD, VPCMPEQD, VPCMPGTD, "sign32"},
		{i64, VPADDQ, VPSUBQ, nil, nil, nil, VPSLLQ, VPSLLVQ, nil, nil, VPCMPEQQ, VPCMPGTQ, ""},
		{u64, VPADDQ, VPSUBQ, nil, nil, nil, VPSLLQ, VPSLLVQ, VPSRLQ, VPSRLVQ, VPCMPEQQ, VPCMPGTQ, "sign64"},
	} {
		s := o.s
		for _, p := range []struct {
			op string
			f  two
		}{{"add", o.add}, {"sub", o.sub}, {"mul", o.mul}, {"min", o.min}, {"max", o.max}, {"and", fixed(VPAND)}, {"or", fixed(VPOR)}, {"xor", fixed(VPXOR)}} {
			if p.f != nil {
				add(s.loop(p.op, 2, binary, plain(p.f)))
			}
		}
		add(s.loop("neg", 1, none, each(func(c *context, x []VecVirtual) VecVirtual {
			z := YMM()
			o.sub(x[0], c.known["zero"], z)
			return z
		})))
		add(s.loop("not", 1, none, with("full", fixed(VPXOR))))
		for _, p := range []struct {
			op   string
			u, v two
		}{{"shl", o.shl, o.shlv}, {"shr", o.shr, o.shrv}} {
			if p.u != nil {
				l := s.loop(p.op, 2, shifts, shift(s, p.u, p.v))
				l.args[1] = 4
				add(l)
			}
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
			l := s.loop(p.op, 2, binary, compared(s, p.invert, intCompare(p.f, p.swap, p.sign)))
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
	return append(out, conversions()...)
}

// widened returns the arithmetic of floats among loops for the registers of AVX-512, where the body is instructions that these have.
func widened(loops []loop) (out []loop) {
	for _, l := range loops {
		switch l.op {
		case "min", "max":
			continue
		}
		if l.typ[0] == 'f' && l.to == "" && l.size == l.args[0] {
			l.wide, l.lane = true, 2*l.lane
			out = append(out, l)
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
