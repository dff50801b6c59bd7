package kir

import "github.com/arrayrepl/arrayrepl/internal/tensor"

// MMAShape is a form of OpMMA: what its factors are of, and how large the matrices are.
type MMAShape uint8

// The shapes, named as in PTX. All but the last multiply 16 rows to 8 columns. In lane l = 4*g + t of a warp register
// r of the first factor has the columns from e*t + 4*e*(r/2) on, of row g + 8*(r%2), e elements, the lowest bits
// first; of the second factor register r has the rows from e*t + 4*e*r on, of column g; of sum and result value i is
// at row g + 8*(i/2), column 2t + i%2.
//
// MMAQuarters are four products, each of a quarter of the warp: lanes 4q to 4q+3 and 16 more, with j = l%4 in the
// former and l%4 + 4 in the latter. Of the first factor, 8 by 4, a lane has row j, of the second column j; of sum and
// result value i is at row l%2 + i&2, and 4 more in the upper lanes, column i&4 + l&2 + i&1.
const (
	MMAF16      MMAShape = iota // m16n8k16
	MMABF16                     // m16n8k16
	MMATF32                     // m16n8k8
	MMAE4M3                     // m16n8k32
	MMAE5M2                     // m16n8k32
	MMAQuarters                 // m8n8k4 of F16
	NumMMAShapes
)

// MMAForm is what there is to know of a shape.
type MMAForm struct {
	Name, Short string // in PTX; Short where only the first registers of each half are not zeros, "" where PTX has none
	Elem        string // the type of its factors in PTX
	A, B, C     int    // registers of a lane
	K           int    // products of an element
	Each        int    // elements of a register
	// Since is the compute capability of cards that have it, ShortSince that of the short form, as numbers of targets.
	Since, ShortSince int
	value             func(word uint32, i int) float64
}

var mmaForms = [NumMMAShapes]MMAForm{
	MMAF16:      {"m16n8k16", "m16n8k8", "f16", 4, 2, 4, 16, 2, 80, 75, halfOf},
	MMABF16:     {"m16n8k16", "m16n8k8", "bf16", 4, 2, 4, 16, 2, 80, 80, func(w uint32, i int) float64 { return float64(tensor.Brain(uint16(w >> (16 * i)))) }},
	MMATF32:     {"m16n8k8", "m16n8k4", "tf32", 4, 2, 4, 8, 1, 80, 80, func(w uint32, _ int) float64 { return float64(tensor.TF32(w)) }},
	MMAE4M3:     {"m16n8k32", "", "e4m3", 4, 2, 4, 32, 4, 89, 89, func(w uint32, i int) float64 { return float64(tensor.E4M3(uint8(w >> (8 * i)))) }},
	MMAE5M2:     {"m16n8k32", "", "e5m2", 4, 2, 4, 32, 4, 89, 89, func(w uint32, i int) float64 { return HalfValue(uint16(w>>(8*i)) << 8) }},
	MMAQuarters: {"m8n8k4", "", "f16", 2, 2, 8, 4, 2, 70, 70, halfOf},
}

// halfOf returns the value of the lower or upper half of a word.
func halfOf(w uint32, i int) float64 { return HalfValue(uint16(w >> (16 * i))) }

// Form returns what there is to know of s.
func (s MMAShape) Form() *MMAForm { return &mmaForms[s] }

// MatrixLane is what a lane has of the factors.
type MatrixLane struct {
	A [4]uint32
	B [2]uint32
}

// MatrixFactors writes the row of the first factor and the column of the second whose product is added to value i of a
// lane, and returns them.
func (s MMAShape) MatrixFactors(lanes *[WarpSize]MatrixLane, lane, i int, room *[2][tensor.MostDepth]float64) (a, b []float64) {
	f := s.Form()
	a, b = room[0][:f.K], room[1][:f.K]
	if s == MMAQuarters {
		quarter := lane / 4 % 4 * 4
		of := func(row int) *MatrixLane { return &lanes[quarter+row%4+row/4*16] }
		x, y := of(lane&1+i&2+lane/16*4), of(i&4+lane&2+i&1)
		for k := range f.K {
			a[k], b[k] = f.value(x.A[k/2], k%2), f.value(y.B[k/2], k%2)
		}
		return a, b
	}
	row, col := lane/4*4, (lane%4*2+i%2)*4
	for k := range f.K {
		at, half, elem := k/f.Each%4, k/(4*f.Each), k%f.Each
		a[k], b[k] = f.value(lanes[row+at].A[i/2+2*half], elem), f.value(lanes[col+at].B[half], elem)
	}
	return a, b
}

// MMAOf returns which value of its lane's an OpMMA is, and of which shape.
func MMAOf(imm uint64) (i int, s MMAShape) { return int(imm & 7), MMAShape(imm >> 3) }

// MMASum returns which operand of an OpMMA is added to its product.
func MMASum(imm uint64) int {
	i, s := MMAOf(imm)
	return s.Form().A + s.Form().B + i
}

// MMA returns the values of a*b + c for each lane: the product of two matrices of the warp, whose registers and sums
// are as many as the shape has.
func (b *Builder) MMA(s MMAShape, x, y, c []*Value) []*Value {
	args := append(append(append([]*Value(nil), x...), y...), c...)
	args = append(args, b.FullMask())
	out := make([]*Value, len(c))
	for i := range out {
		out[i] = b.emit(OpMMA, F32, append([]*Value(nil), args...)...)
		out[i].Imm = uint64(i) | uint64(s)<<3
	}
	return out
}

// mmaOK reports whether the operands of an OpMMA are those of its shape.
func mmaOK(v *Value) bool {
	i, s := MMAOf(v.Imm)
	if s >= NumMMAShapes || v.Type != F32 {
		return false
	}
	f := s.Form()
	factors, all := f.A+f.B, f.A+f.B+f.C
	if i >= f.C || len(v.Args) != all+1 {
		return false
	}
	for n, a := range v.Args {
		if (a.Type == F32) != (n >= factors && n < all) || a.Type != F32 && a.Type != U32 {
			return false
		}
	}
	return true
}

// MMAShort reports whether the factors of an OpMMA are known to be zeros but for the first half of columns and rows,
// and PTX has a shape for that, whose registers are the first of each half. Zeros change no sum but that of zeros,
// which is 0 with them.
func MMAShort(v *Value) bool {
	_, s := MMAOf(v.Imm)
	zero := func(n int) bool { return v.Args[n].Op == OpConst && v.Args[n].Imm == 0 }
	return s.Form().Short != "" && zero(2) && zero(3) && zero(5)
}

// MMASince returns the least compute capability of cards that have the shape of an OpMMA, as the number of a target.
func MMASince(v *Value) int {
	_, s := MMAOf(v.Imm)
	if MMAShort(v) {
		return s.Form().ShortSince
	}
	return s.Form().Since
}

// MMATogether returns how many of values, from the first on, are one product of matrices: one instruction of a
// machine.
func MMATogether(values []*Value) int {
	n := 0
	for _, v := range values {
		first := values[0]
		if v.Op != OpMMA || v.Imm>>3 != first.Imm>>3 {
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
