package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

var f16 = shape{"f16", 2}

// halves16 are the loops of float16 and its conversions: those that processors with F16C can run, and nothing else
// does.
func halves16() (out []loop) {
	with16 := func(op string, n int, body func(c *context, x []VecVirtual) VecVirtual) {
		out = append(out, f16.loop(op, n, none, each(body)))
	}
	with16("abs", 1, func(c *context, x []VecVirtual) VecVirtual {
		z := YMM()
		VPANDN(x[0], c.known["sign16"], z)
		return z
	})
	with16("neg", 1, func(c *context, x []VecVirtual) VecVirtual {
		z := YMM()
		VPXOR(x[0], c.known["sign16"], z)
		return z
	})
	with16("copysign", 2, func(c *context, x []VecVirtual) VecVirtual {
		z, y := YMM(), YMM()
		VPANDN(x[0], c.known["sign16"], z)
		VPAND(x[1], c.known["sign16"], y)
		VPOR(y, z, z)
		return z
	})
	cast := func(from, to shape, lane int, fetch func(m Mem) VecVirtual, body func(c *context, x []VecVirtual) []VecVirtual, consts ...uint64) {
		op := "cast"
		if from == f32 || to == f32 { // kernels have these too
			op = "convert"
		}
		out = append(out, loop{op: op, typ: from.typ, to: to.typ, args: []int{from.size}, size: to.size, lane: lane, forms: none,
			fetch: fetch, consts: consts, body: func(c *context, x [][]VecVirtual) []VecVirtual { return body(c, x[0]) }})
	}
	fetched := func(f two, new func() VecVirtual) func(m Mem) VecVirtual {
		return func(m Mem) VecVirtual {
			r := new()
			f(m, r)
			return r
		}
	}
	rounded := func(_ *context, x []VecVirtual) (z []VecVirtual) {
		for _, v := range x {
			r := XMM()
			VCVTPS2PH(Imm(0), v, r)
			z = append(z, r)
		}
		return z
	}
	cast(f16, f32, 8, fetched(VCVTPH2PS, ymm), func(_ *context, x []VecVirtual) []VecVirtual { return x })
	cast(f16, f64, 4, fetched(VCVTPH2PS, xmm), func(_ *context, x []VecVirtual) (z []VecVirtual) {
		for _, v := range x {
			r := YMM()
			VCVTPS2PD(v, r)
			z = append(z, r)
		}
		return z
	})
	cast(f32, f16, 8, fetched(VMOVUPS, ymm), rounded)
	// Of what a float32 does not hold of a float64, its last bit says whether it is anything: so the second rounding is
	// as if it were the only one. Adding all ones to the bits that go carries into the bit above them if there is one
	// among them.
	cast(f64, f16, 4, fetched(VMOVUPD, ymm), func(c *context, x []VecVirtual) (z []VecVirtual) {
		rest := c.known[key(beyond32)]
		for j := 0; j < len(x); j += 2 {
			both := YMM()
			var part [2]VecVirtual
			for k := range part {
				low, r := YMM(), XMM()
				VPAND(rest, x[j+k], low)
				VPADDQ(rest, low, low)
				VPOR(x[j+k], low, low)
				VPANDN(low, rest, low)
				VCVTPD2PSY(low, r)
				part[k] = r
			}
			VINSERTF128(Imm(1), part[1], part[0].(interface{ AsY() Register }).AsY(), both)
			z = append(z, both)
		}
		return rounded(c, z)
	}, beyond32)
	for _, s := range []struct {
		shape
		f two
	}{{i8, VPMOVSXBD}, {u8, VPMOVZXBD}, {i16, VPMOVSXWD}, {u16, VPMOVZXWD}, {i32, fixed2(VMOVDQU)}} {
		cast(s.shape, f16, 8, fetched(s.f, ymm), func(c *context, x []VecVirtual) (z []VecVirtual) {
			for _, v := range x {
				r := YMM()
				VCVTDQ2PS(v, r)
				z = append(z, r)
			}
			return rounded(c, z)
		})
	}
	return out
}

// beyond32 are the bits of a float64's fraction that a float32 does not have.
const beyond32 = 1<<29 - 1

// fixed2 makes an instruction that takes two operands only like the others.
func fixed2(f func(x, z Op)) two { return func(ops ...Op) { f(ops[0], ops[1]) } }

// halfQuestion asks the processor whether it converts float16.
func halfQuestion() {
	TEXT("f16c", NOSPLIT, "func() bool")
	MOVL(U32(1), EAX)
	XORL(ECX, ECX)
	CPUID()
	SHRL(Imm(29), ECX)
	ANDL(Imm(1), ECX)
	Store(CL, ReturnIndex(0))
	RET()
}
