package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// casts are the conversions of package arrays, which are C's on x86: integers are cut, floats that an int32 does not
// hold become its least.
func casts() (out []loop) {
	cast := func(from, to shape, lane int, fetch func(m Mem) VecVirtual, body func(c *context, x []VecVirtual) []VecVirtual, consts ...uint64) {
		out = append(out, loop{op: "cast", typ: from.typ, to: to.typ, args: []int{from.size}, size: to.size, lane: lane, forms: none,
			fetch: fetch, consts: consts, body: func(c *context, x [][]VecVirtual) []VecVirtual { return body(c, x[0]) }})
	}
	whole := func(m Mem) VecVirtual {
		r := YMM()
		VMOVDQU(m, r)
		return r
	}
	as := func(f two, new func() VecVirtual) func(m Mem) VecVirtual {
		return func(m Mem) VecVirtual {
			r := new()
			f(m, r)
			return r
		}
	}
	keep := func(_ *context, x []VecVirtual) []VecVirtual { return x }
	to := func(f two, new func() VecVirtual) func(*context, []VecVirtual) []VecVirtual {
		return func(_ *context, x []VecVirtual) (z []VecVirtual) {
			for _, v := range x {
				r := new()
				f(v, r)
				z = append(z, r)
			}
			return z
		}
	}
	for _, s := range []struct {
		shape
		word, dword, qword two
	}{
		{i8, VPMOVSXBW, VPMOVSXBD, VPMOVSXBQ}, {u8, VPMOVZXBW, VPMOVZXBD, VPMOVZXBQ}, {i16, nil, VPMOVSXWD, VPMOVSXWQ}, {u16, nil, VPMOVZXWD, VPMOVZXWQ},
	} {
		if s.word != nil {
			cast(s.shape, i16, 16, as(s.word, ymm), keep)
			cast(s.shape, u16, 16, as(s.word, ymm), keep)
		}
		cast(s.shape, i32, 8, as(s.dword, ymm), keep)
		cast(s.shape, u32, 8, as(s.dword, ymm), keep)
		cast(s.shape, i64, 4, as(s.qword, ymm), keep)
		cast(s.shape, u64, 4, as(s.qword, ymm), keep)
		cast(s.shape, f32, 8, as(s.dword, ymm), to(VCVTDQ2PS, ymm))
		cast(s.shape, f64, 4, as(s.dword, xmm), to(VCVTDQ2PD, ymm))
	}
	for _, s := range [][2]shape{{i8, i16}, {u8, u16}} {
		for _, from := range []struct {
			shape
			lane   int
			dwords func(*context, []VecVirtual) []VecVirtual
		}{{i32, 8, keep}, {u32, 8, keep}, {i64, 4, halves}, {u64, 4, halves}, {f32, 8, to(VCVTTPS2DQ, ymm)}, {f64, 4, truncated}} {
			words := func(c *context, x []VecVirtual) []VecVirtual { return cutWords(c, from.dwords(c, x)) }
			cast(from.shape, s[0], from.lane, whole, func(c *context, x []VecVirtual) []VecVirtual { return cutBytes(c, words(c, x)) }, lowWords, lowBytes)
			cast(from.shape, s[1], from.lane, whole, words, lowWords)
		}
		for _, from := range []shape{i16, u16} {
			cast(from, s[0], 16, whole, cutBytes, lowBytes)
		}
	}
	for _, s := range []shape{i32, u32} {
		cast(i64, s, 4, whole, halves)
		cast(u64, s, 4, whole, halves)
	}
	cast(f32, i32, 8, whole, to(VCVTTPS2DQ, ymm))
	cast(f64, i32, 4, whole, truncated)
	// An integer below 2^32 in the low bits of 2^52 or, as its high half, of 2^84 is that power and itself; both are
	// taken away.
	const at52, at84 = 0x4330000000000000, 0x4530000000000000
	small := func(c *context, x VecVirtual) VecVirtual {
		z := YMM()
		VPOR(c.known[key(at52)], x, z)
		VSUBPD(c.known[key(at52)], z, z)
		return z
	}
	cast(u32, f64, 4, as(VPMOVZXDQ, ymm), func(c *context, x []VecVirtual) (z []VecVirtual) {
		for _, v := range x {
			z = append(z, small(c, v))
		}
		return z
	}, at52)
	cast(u32, f32, 4, as(VPMOVZXDQ, ymm), func(c *context, x []VecVirtual) (z []VecVirtual) {
		for _, v := range x {
			r := XMM()
			VCVTPD2PSY(small(c, v), r)
			z = append(z, r)
		}
		return z
	}, at52)
	for _, s := range []struct {
		shape
		high, both uint64 // both: 2^84 + 2^52, and 2^63 for the sign bit that is turned over
	}{{u64, at84, 0x4530000000100000}, {i64, at84 | 1<<31, 0x4530000080100000}} {
		cast(s.shape, f64, 4, whole, func(c *context, x []VecVirtual) (z []VecVirtual) {
			for _, v := range x {
				high, low := YMM(), YMM()
				VPSRLQ(Imm(32), v, high)
				VPXOR(c.known[key(s.high)], high, high)
				VPBLENDD(Imm(0xaa), c.known[key(at52)], v, low)
				VSUBPD(c.known[key(s.both)], high, high)
				VADDPD(low, high, high)
				z = append(z, high)
			}
			return z
		}, at52, s.high, s.both)
	}
	return out
}

// lowWords and lowBytes are the lower halves of lanes of 32 and of 16 bits.
const lowWords, lowBytes = 0x0000ffff0000ffff, 0x00ff00ff00ff00ff

func xmm() VecVirtual { return XMM() }
func ymm() VecVirtual { return YMM() }

// key is the name of a constant of 64 bits among the registers that are set before the loop.
func key(bits uint64) string { return fmt.Sprintf("%#x", bits) }

// everywhere is a register full of a constant.
func everywhere(bits uint64) VecVirtual {
	g, x, r := GP64(), XMM(), YMM()
	MOVQ(U64(bits), g)
	MOVQ(g, x)
	VPBROADCASTQ(x, r)
	return r
}

// halves are the lower halves of lanes of 64 bits.
func halves(_ *context, x []VecVirtual) (z []VecVirtual) {
	for j := 0; j < len(x); j += 2 {
		r := YMM()
		VSHUFPS(Imm(0x88), x[j+1], x[j], r)
		VPERMQ(Imm(0xd8), r, r)
		z = append(z, r)
	}
	return z
}

// truncated makes int32s of float64s.
func truncated(_ *context, x []VecVirtual) (z []VecVirtual) {
	for j := 0; j < len(x); j += 2 {
		low, high, r := XMM(), XMM(), YMM()
		VCVTTPD2DQY(x[j], low)
		VCVTTPD2DQY(x[j+1], high)
		VINSERTI128(Imm(1), high, low.AsY(), r)
		z = append(z, r)
	}
	return z
}

// cutWords are the lower halves of lanes of 32 bits, of two registers.
func cutWords(c *context, x []VecVirtual) []VecVirtual {
	p, q := YMM(), YMM()
	VPAND(c.known[key(lowWords)], x[0], p)
	VPAND(c.known[key(lowWords)], x[1], q)
	VPACKUSDW(q, p, p)
	VPERMQ(Imm(0xd8), p, p)
	return []VecVirtual{p}
}

// cutBytes are the lower halves of lanes of 16 bits, of one register.
func cutBytes(c *context, x []VecVirtual) []VecVirtual {
	p, low, high := YMM(), XMM(), XMM()
	VPAND(c.known[key(lowBytes)], x[0], p)
	VEXTRACTI128(Imm(1), p, high)
	VEXTRACTI128(Imm(0), p, low)
	VPACKUSWB(high, low, low)
	return []VecVirtual{low}
}
