package kir

import "math"

// The matrices of OpMMA, m16n8k16 as PTX has it, in lane l = 4*g + t of a warp: of the first factor, 16 by 16, register
// r has columns 2t + 8*(r/2) and the one behind it of row g + 8*(r%2), the lower half first; of the second, 16 by 8,
// register r rows 2t + 8*r and the one behind it of column g; of sum and result, 16 by 8, value i is at row g +
// 8*(i/2), column 2t + i%2.

// MatrixLane is what a lane has of the factors.
type MatrixLane struct {
	A [4]uint32
	B [2]uint32
}

// MatrixFactors returns the row of the first factor and the column of the second whose product is added to value i of a
// lane. brain says that they are bfloat16s; else they are F16s.
func MatrixFactors(lanes *[WarpSize]MatrixLane, lane, i int, brain bool) (a, b [16]float64) {
	row, col := lane/4, lane%4*2+i%2
	for k := range 16 {
		x := lanes[row*4+k%8/2].A[i/2+2*(k/8)]
		y := lanes[col*4+k%8/2].B[k/8]
		a[k], b[k] = halfOf(x, k%2, brain), halfOf(y, k%2, brain)
	}
	return a, b
}

// halfOf returns the value of the lower or upper half of a word.
func halfOf(w uint32, upper int, brain bool) float64 {
	bits := w >> (16 * upper) & 0xffff
	if brain {
		return float64(math.Float32frombits(bits << 16))
	}
	return HalfValue(uint16(bits))
}

// The operands of an OpMMA.
const (
	mmaC     = 6 // the first of four
	mmaMask  = 10
	mmaBrain = 4 // a bit of Imm, above the number of the value
)

// MMAOf returns which value of its lane's four an OpMMA is, and whether the factors are bfloat16s.
func MMAOf(imm uint64) (i int, brain bool) { return int(imm & 3), imm&mmaBrain != 0 }

// MMA returns the four values of a*b + c for each lane: the product of two matrices of the warp, whose lanes have four
// and two registers of them, and four values of the sum.
func (b *Builder) MMA(x [4]*Value, y [2]*Value, c [4]*Value, brain bool) (out [4]*Value) {
	args := append(append(x[:], y[:]...), c[:]...)
	args = append(args, b.FullMask())
	for i := range out {
		out[i] = b.emit(OpMMA, F32, append([]*Value(nil), args...)...)
		out[i].Imm = uint64(i)
		if brain {
			out[i].Imm |= mmaBrain
		}
	}
	return out
}

// MMAShort reports whether the factors of an OpMMA are known to be zeros but for the first 8 columns and rows: it is
// m16n8k8, whose registers are the first of each half. Zeros change no sum but that of zeros, which is 0 with them.
func MMAShort(v *Value) bool {
	zero := func(n int) bool { return v.Args[n].Op == OpConst && v.Args[n].Imm == 0 }
	return zero(2) && zero(3) && zero(5)
}

// MMATogether returns how many of values, from the first on, are one product of matrices: one instruction of a machine.
func MMATogether(values []*Value) int {
	n := 0
	for _, v := range values {
		first := values[0]
		if v.Op != OpMMA || v.Imm&mmaBrain != first.Imm&mmaBrain {
			break
		}
		for i, a := range v.Args {
			if b := first.Args[i]; a != b && !(a.Op == OpConst && b.Op == OpConst && a.Imm == b.Imm) {
				return n
			}
		}
		n++
	}
	return n
}
