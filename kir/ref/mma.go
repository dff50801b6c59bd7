package ref

import (
	"math"
	"math/big"

	"github.com/arrayrepl/arrayrepl/kir"
)

// place is where an element of a factor is: lane, register of the factor, bits from the lowest on.
type place struct{ lane, reg, from, bits int }

// figure says where the elements of a shape are, as the figures of the PTX manual do: a is of a row and column of the
// first factor, b of the second.
type figure struct {
	depth int
	a, b  func(row, col int) place
}

var figures = map[kir.MMAShape]figure{
	kir.MMAF16:  sixteen,
	kir.MMABF16: sixteen,
	kir.MMATF32: {8, // a0: (group, thread), a1: (group + 8, thread), a2: (group, thread + 4), a3: (group + 8, thread + 4)
		func(row, col int) place { return place{row&7<<2 | col&3, row>>3&1 | col>>2<<1, 0, 32} },
		func(row, col int) place { return place{col<<2 | row&3, row >> 2, 0, 32} }},
	kir.MMAE4M3: thirtytwo,
	kir.MMAE5M2: thirtytwo,
	kir.MMAQuarters: {4, // of the first quarter; the lanes of the others stand 4 higher
		func(row, col int) place { return place{row&3 | row>>2<<4, col >> 1, col & 1 * 16, 16} },
		func(row, col int) place { return place{col&3 | col>>2<<4, row >> 1, row & 1 * 16, 16} }},
}

// a0 and a1 are of rows 0 to 7, a2 and a3 of rows 8 to 15, the next four of columns 8 to 15.
var sixteen = figure{16,
	func(row, col int) place { return place{row&7<<2 | col&7>>1, row>>3 | col>>3<<1, col & 1 * 16, 16} },
	func(row, col int) place { return place{col<<2 | row&7>>1, row >> 3, row & 1 * 16, 16} }}

// a0 to a3 are of rows 0 to 7, a4 to a7 of rows 8 to 15, the next eight of columns 16 to 31.
var thirtytwo = figure{32,
	func(row, col int) place { return place{row&7<<2 | col&15>>2, row>>3 | col>>4<<1, col & 3 * 8, 8} },
	func(row, col int) place { return place{col<<2 | row&15>>2, row >> 4, row & 3 * 8, 8} }}

// element returns the value of the bits of a factor's element.
func element(s kir.MMAShape, bits uint32) float64 {
	switch s {
	case kir.MMABF16:
		return float64(math.Float32frombits(bits << 16))
	case kir.MMATF32:
		return float64(math.Float32frombits(bits >> 13 << 13))
	case kir.MMAE4M3:
		size, sign := int(bits&127), 1-2*float64(bits>>7)
		switch e := size / 8; {
		case size == 127:
			return math.NaN()
		case e == 0:
			return sign * math.Ldexp(float64(size), -9)
		default:
			return sign * math.Ldexp(float64(8+size%8), e-10)
		}
	case kir.MMAE5M2:
		return half(uint16(bits << 8))
	}
	return half(uint16(bits))
}

// matrixElement is what an OpMMA gives a lane, computed with all digits.
func matrixElement(v *kir.Value, threads map[int]*thread, lane int) uint32 {
	i, s := kir.MMAOf(v.Imm)
	f, fig, base := s.Form(), figures[s], 0
	row, col := lane>>2+i&2<<2, lane&3*2+i&1
	if s == kir.MMAQuarters {
		base = lane & 12
		row, col = lane&1|i&2|lane>>4<<2, i&4|lane&2|i&1
	}
	read := func(p place, first int) float64 {
		return element(s, uint32(threads[base+p.lane].val[v.Args[first+p.reg]]>>p.from)&uint32(1<<p.bits-1))
	}
	exact := new(big.Float).SetPrec(4000)
	plain, allZero := float64(math.Float32frombits(uint32(threads[lane].val[v.Args[f.A+f.B+i]]))), true
	c := plain
	for k := range fig.depth {
		p := read(fig.a(row, k), 0) * read(fig.b(k, col), f.A)
		plain += p
		allZero = allZero && p == 0
		if !math.IsNaN(p) && !math.IsInf(p, 0) {
			exact.Add(exact, new(big.Float).SetPrec(4000).SetFloat64(p))
		}
	}
	if math.IsNaN(plain) {
		return math.Float32bits(float32(math.NaN()))
	}
	if math.IsInf(plain, 0) || allZero && c == 0 {
		return math.Float32bits(float32(plain))
	}
	f32, _ := exact.Add(exact, new(big.Float).SetFloat64(c)).Float32()
	return math.Float32bits(f32)
}
