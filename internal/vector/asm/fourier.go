package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// fourier writes the passes of package fourier whose results are neighbours in memory, for AVX2 and AVX-512. Every
// product and sum is rounded as the Go code's are: sums of which one part is subtracted are fused with a product by 1.
func fourier() {
	for _, wide := range []bool{false, true} {
		fours(wide)
		firstFours(wide)
		twos(wide)
	}
}

// butterfly writes code for complex numbers, as many as a register holds.
type butterfly struct {
	wide bool
	ones VecVirtual
}

func newButterfly(wide bool) *butterfly {
	b := &butterfly{wide: wide}
	b.ones = b.register()
	bits, one := GP64(), XMM()
	MOVQ(U64(math.Float64bits(1)), bits)
	MOVQ(bits, one)
	VBROADCASTSD(one, b.ones)
	return b
}

func (b *butterfly) register() VecVirtual {
	if b.wide {
		return ZMM()
	}
	return YMM()
}

// bytes is the size of a register.
func (b *butterfly) bytes() int {
	if b.wide {
		return 64
	}
	return 32
}

func (b *butterfly) suffix() string {
	if b.wide {
		return "512"
	}
	return "2"
}

func (b *butterfly) load(m Mem) VecVirtual {
	r := b.register()
	VMOVUPD(m, r)
	return r
}

func (b *butterfly) sum(x, y VecVirtual) VecVirtual {
	r := b.register()
	VADDPD(y, x, r)
	return r
}

func (b *butterfly) difference(x, y VecVirtual) VecVirtual {
	r := b.register()
	VSUBPD(y, x, r)
	return r
}

// swapped has real and imaginary parts exchanged.
func (b *butterfly) swapped(x VecVirtual) VecVirtual {
	r := b.register()
	imm := Imm(0x5)
	if b.wide {
		imm = Imm(0x55)
	}
	VPERMILPD(imm, x, r)
	return r
}

// times multiplies by numbers of which re and im hold the parts twice.
func (b *butterfly) times(x, re, im VecVirtual) VecVirtual {
	t, u := b.register(), b.swapped(x)
	VMULPD(re, x, t)
	VMULPD(im, u, u)
	VFMADDSUB213PD(u, b.ones, t) // t*1 - u in real parts, + u in imaginary ones
	return t
}

// parts brings the parts of a twiddle, the same for all numbers of a register.
func (b *butterfly) parts(m Mem) (re, im VecVirtual) {
	re, im = b.register(), b.register()
	VBROADCASTSD(m, re)
	VBROADCASTSD(m.Offset(8), im)
	return re, im
}

// partsOfEach brings the parts of neighbouring twiddles.
func (b *butterfly) partsOfEach(m Mem) (re, im VecVirtual) {
	re, im = b.register(), b.register()
	VMOVDDUP(m, re)
	imm := Imm(0xf)
	if b.wide {
		imm = Imm(0xff)
	}
	VPERMILPD(imm, m, im)
	return re, im
}

// four is the transform of four numbers.
func (b *butterfly) four(a, second, c, d VecVirtual) (z [4]VecVirtual) {
	t0, t1, t2 := b.sum(a, c), b.difference(a, c), b.sum(second, d)
	turned := b.swapped(b.difference(second, d))
	z[0], z[2] = b.sum(t0, t2), b.difference(t0, t2)
	z[1], z[3] = b.register(), b.register()
	VMOVAPD(t1, z[1])
	VFMSUBADD213PD(turned, b.ones, z[1]) // + in real parts, - in imaginary ones
	VMOVAPD(t1, z[3])
	VFMADDSUB213PD(turned, b.ones, z[3])
	return z
}

// fours writes a pass of radix 4 over m times n numbers, n a multiple of a register's: to[n*(4p+k)+q] from
// from[n*(p+j*m)+q], and twiddles w[(k-1)*m+p]. Those of p = 0 are 1 and left out.
func fours(wide bool) {
	b := &butterfly{wide: wide}
	TEXT("fours"+b.suffix(), NOSPLIT, "func(m, n int, to, from, w *complex128)")
	b = newButterfly(wide)
	m, n := Load(Param("m"), GP64()), Load(Param("n"), GP64())
	to, from, w := Load(Param("to"), GP64()), Load(Param("from"), GP64()), Load(Param("w"), GP64())
	SHLQ(Imm(4), n) // in bytes from here on
	count := GP64()
	MOVQ(m, count)
	SHLQ(Imm(4), m) // of twiddles, from one kind to the next
	quarter := GP64()
	MOVQ(count, quarter)
	IMULQ(n, quarter)
	body := func(label string, each func(z *[4]VecVirtual)) {
		left, second, fourth := GP64(), GP64(), GP64()
		MOVQ(n, left)
		Label(label)
		LEAQ(Mem{Base: from, Index: quarter, Scale: 1}, second)
		LEAQ(Mem{Base: second, Index: quarter, Scale: 2}, fourth)
		z := b.four(b.load(Mem{Base: from}), b.load(Mem{Base: second}), b.load(Mem{Base: from, Index: quarter, Scale: 2}), b.load(Mem{Base: fourth}))
		each(&z)
		third := GP64()
		LEAQ(Mem{Base: to, Index: n, Scale: 2}, third)
		VMOVUPD(z[0], Mem{Base: to})
		VMOVUPD(z[1], Mem{Base: to, Index: n, Scale: 1})
		VMOVUPD(z[2], Mem{Base: third})
		VMOVUPD(z[3], Mem{Base: third, Index: n, Scale: 1})
		ADDQ(U32(b.bytes()), from)
		ADDQ(U32(b.bytes()), to)
		SUBQ(U32(b.bytes()), left)
		JNE(LabelRef(label))
		LEAQ(Mem{Base: n, Index: n, Scale: 2}, left) // to the next four lines
		ADDQ(left, to)
	}
	body("first", func(*[4]VecVirtual) {})
	DECQ(count)
	JEQ(LabelRef("done"))
	Label("next")
	ADDQ(Imm(16), w)
	re, im := [4]VecVirtual{}, [4]VecVirtual{}
	re[1], im[1] = b.parts(Mem{Base: w})
	re[2], im[2] = b.parts(Mem{Base: w, Index: m, Scale: 1})
	third := GP64()
	LEAQ(Mem{Base: w, Index: m, Scale: 2}, third)
	re[3], im[3] = b.parts(Mem{Base: third})
	body("round", func(z *[4]VecVirtual) {
		for k := 1; k < 4; k++ {
			z[k] = b.times(z[k], re[k], im[k])
		}
	})
	DECQ(count)
	JNE(LabelRef("next"))
	Label("done")
	VZEROUPPER()
	RET()
}

// firstFours writes the pass of radix 4 that is the first, of m fours, a multiple of a register's numbers: to[4p+k]
// from from[p+j*m].
func firstFours(wide bool) {
	b := &butterfly{wide: wide}
	TEXT("firstFours"+b.suffix(), NOSPLIT, "func(m int, to, from, w *complex128)")
	b = newButterfly(wide)
	m := Load(Param("m"), GP64())
	to, from, w := Load(Param("to"), GP64()), Load(Param("from"), GP64()), Load(Param("w"), GP64())
	SHLQ(Imm(4), m)
	left, second, fourth, third := GP64(), GP64(), GP64(), GP64()
	MOVQ(m, left)
	Label("round")
	LEAQ(Mem{Base: from, Index: m, Scale: 1}, second)
	LEAQ(Mem{Base: second, Index: m, Scale: 2}, fourth)
	z := b.four(b.load(Mem{Base: from}), b.load(Mem{Base: second}), b.load(Mem{Base: from, Index: m, Scale: 2}), b.load(Mem{Base: fourth}))
	for k, at := range []Mem{{Base: w}, {Base: w, Index: m, Scale: 1}, {}} {
		if k == 2 {
			LEAQ(Mem{Base: w, Index: m, Scale: 2}, third)
			at = Mem{Base: third}
		}
		re, im := b.partsOfEach(at)
		z[k+1] = b.times(z[k+1], re, im)
	}
	for k, r := range b.transposed(z) {
		VMOVUPD(r, Mem{Base: to, Disp: k * b.bytes()})
	}
	ADDQ(U32(b.bytes()), from)
	ADDQ(U32(b.bytes()), w)
	ADDQ(U32(4*b.bytes()), to)
	SUBQ(U32(b.bytes()), left)
	JNE(LabelRef("round"))
	VZEROUPPER()
	RET()
}

// transposed returns the first numbers of each register one after the other, then the second ones, and so on.
func (b *butterfly) transposed(z [4]VecVirtual) (out []VecVirtual) {
	pick := func(x, y VecVirtual, which uint64) VecVirtual {
		r := b.register()
		if b.wide {
			VSHUFF64X2(Imm(which), y, x, r)
		} else {
			VPERM2F128(Imm(which), y, x, r)
		}
		return r
	}
	if !b.wide {
		for _, half := range []uint64{0x20, 0x31} {
			out = append(out, pick(z[0], z[1], half), pick(z[2], z[3], half))
		}
		return out
	}
	for _, half := range []uint64{0x44, 0xee} { // two numbers of each
		x, y := pick(z[0], z[1], half), pick(z[2], z[3], half)
		out = append(out, pick(x, y, 0x88), pick(x, y, 0xdd))
	}
	return out
}

// twos writes a pass of radix 2, as fours.
func twos(wide bool) {
	b := &butterfly{wide: wide}
	TEXT("twos"+b.suffix(), NOSPLIT, "func(m, n int, to, from, w *complex128)")
	b = newButterfly(wide)
	m, n := Load(Param("m"), GP64()), Load(Param("n"), GP64())
	to, from, w := Load(Param("to"), GP64()), Load(Param("from"), GP64()), Load(Param("w"), GP64())
	SHLQ(Imm(4), n)
	half, left := GP64(), GP64()
	MOVQ(m, half)
	IMULQ(n, half)
	Label("next")
	re, im := b.parts(Mem{Base: w})
	MOVQ(n, left)
	Label("round")
	x, y := b.load(Mem{Base: from}), b.load(Mem{Base: from, Index: half, Scale: 1})
	VMOVUPD(b.sum(x, y), Mem{Base: to})
	VMOVUPD(b.times(b.difference(x, y), re, im), Mem{Base: to, Index: n, Scale: 1})
	ADDQ(U32(b.bytes()), from)
	ADDQ(U32(b.bytes()), to)
	SUBQ(U32(b.bytes()), left)
	JNE(LabelRef("round"))
	ADDQ(n, to)
	ADDQ(Imm(16), w)
	DECQ(m)
	JNE(LabelRef("next"))
	VZEROUPPER()
	RET()
}
