package vector

//go:generate go run -C asm . -part sweeps -out ../sweeps_amd64.s -table ../sweepstable_amd64.go

import (
	"math"
	"unsafe"
)

// Sweep is plane rotations of the rows of a matrix of float64, each of a row and the next: K of them, at least 1, from
// the row at Row on, where the next one lies Across bytes further, which may be negative. Turns has a cosine c and a
// sine s for each: of rows x and y they make c*x + s*y and c*y - s*x, and the second of these is the first row of the
// next rotation.
type Sweep struct {
	K      int
	Row    unsafe.Pointer
	Across int
	Turns  unsafe.Pointer
}

// SweepColumns is what the number of columns of Rotate is a multiple of.
const SweepColumns = 16

// Rotate does p on the columns of a stripe of the matrix, a multiple of SweepColumns. It changes p's Row.
func (p *Sweep) Rotate(columns int) {
	for {
		n := p.rotate(columns)
		if columns -= n; columns == 0 {
			return // a pointer behind the last element would keep what lies there
		}
		p.Row = unsafe.Add(p.Row, n*8)
	}
}

// rotatePlainly is rotate of SweepColumns columns for any processor.
func (p *Sweep) rotatePlainly() {
	turns := unsafe.Slice((*[2]float64)(p.Turns), p.K)
	row := (*[SweepColumns]float64)(p.Row)
	x := *row
	for _, t := range turns {
		next := (*[SweepColumns]float64)(unsafe.Add(unsafe.Pointer(row), p.Across))
		for j, y := range next {
			row[j], x[j] = math.FMA(t[0], x[j], t[1]*y), math.FMA(-t[1], x[j], t[0]*y)
		}
		row = next
	}
	*row = x
}
