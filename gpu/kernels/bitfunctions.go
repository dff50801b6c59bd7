package kernels

import (
	"math/bits"

	"github.com/arrayrepl/arrayrepl/gpu"
)

// BitCounts has all functions of package math/bits of one number, each a row of out.
func BitCounts(x []uint64, out []uint64) {
	if i := gpu.GlobalID(); i < len(x) {
		bitCounts(x[i], out[i:], len(x))
	}
}

// WordArithmetic has those of several numbers.
func WordArithmetic(hi, lo, y []uint64, out []uint64) {
	if i := gpu.GlobalID(); i < len(y) {
		wordArithmetic(hi[i], lo[i], y[i], out[i:], len(y))
	}
}

const bitCountRows, wordRows = 32, 28

func bitCounts(x uint64, out []uint64, n int) {
	k := int(int8(x))
	for row, v := range [bitCountRows]uint64{
		uint64(bits.LeadingZeros(uint(x))), uint64(bits.LeadingZeros8(uint8(x))), uint64(bits.LeadingZeros16(uint16(x))), uint64(bits.LeadingZeros32(uint32(x))), uint64(bits.LeadingZeros64(x)),
		uint64(bits.TrailingZeros(uint(x))), uint64(bits.TrailingZeros8(uint8(x))), uint64(bits.TrailingZeros16(uint16(x))), uint64(bits.TrailingZeros32(uint32(x))), uint64(bits.TrailingZeros64(x)),
		uint64(bits.OnesCount(uint(x))), uint64(bits.OnesCount8(uint8(x))), uint64(bits.OnesCount16(uint16(x))), uint64(bits.OnesCount32(uint32(x))), uint64(bits.OnesCount64(x)),
		uint64(bits.Len(uint(x))), uint64(bits.Len8(uint8(x))), uint64(bits.Len16(uint16(x))), uint64(bits.Len32(uint32(x))), uint64(bits.Len64(x)),
		uint64(bits.Reverse(uint(x))), uint64(bits.Reverse8(uint8(x))), uint64(bits.Reverse16(uint16(x))), uint64(bits.Reverse32(uint32(x))), bits.Reverse64(x),
		uint64(bits.ReverseBytes(uint(x))), uint64(bits.ReverseBytes16(uint16(x))), uint64(bits.ReverseBytes32(uint32(x))), bits.ReverseBytes64(x),
		uint64(bits.RotateLeft8(uint8(x>>8), k)) | uint64(bits.RotateLeft16(uint16(x>>8), k))<<8, uint64(bits.RotateLeft32(uint32(x>>8), k)), bits.RotateLeft64(x, k) ^ uint64(bits.RotateLeft(uint(x>>1), k)),
	} {
		out[row*n] = v
	}
}

func wordArithmetic(hi, lo, y uint64, out []uint64, n int) {
	c := hi & 1
	s, sc := bits.Add(uint(hi), uint(lo), uint(c))
	s32, sc32 := bits.Add32(uint32(hi), uint32(lo), uint32(c))
	s64, sc64 := bits.Add64(hi, lo, c)
	d, db := bits.Sub(uint(hi), uint(lo), uint(c))
	d32, db32 := bits.Sub32(uint32(hi), uint32(lo), uint32(c))
	d64, db64 := bits.Sub64(hi, lo, c)
	ph, pl := bits.Mul(uint(hi), uint(lo))
	ph32, pl32 := bits.Mul32(uint32(hi), uint32(lo))
	ph64, pl64 := bits.Mul64(hi, lo)
	y = max(y, 1)
	y32 := max(uint32(y), 1)
	q, r := bits.Div(uint(hi%y), uint(lo), uint(y))
	q32, r32 := bits.Div32(uint32(hi)%y32, uint32(lo), y32)
	q64, r64 := bits.Div64(hi%y, lo, y)
	for row, v := range [wordRows]uint64{
		uint64(s), uint64(sc), uint64(s32), uint64(sc32), s64, sc64, uint64(d), uint64(db), uint64(d32), uint64(db32), d64, db64,
		uint64(ph), uint64(pl), uint64(ph32), uint64(pl32), ph64, pl64,
		uint64(q), uint64(r), uint64(q32), uint64(r32), q64, r64,
		uint64(bits.Rem(uint(hi), uint(lo), uint(y))), uint64(bits.Rem32(uint32(hi), uint32(lo), y32)), bits.Rem64(hi, lo, y), bits.UintSize,
	} {
		out[row*n] = v
	}
}
