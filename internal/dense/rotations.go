package dense

import (
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// rotated is the rows of a matrix that an iteration rotates. The rotations of many steps are kept and then done stripe
// by stripe of columns, each of which stays in cache, by several processors.
type rotated struct {
	rows   []float64
	ld     int // a multiple of vector.SweepColumns
	sweeps []sweep
	turns  [][2]float64
}

// sweep is rotations of the rows from row on, step apart: 1 or -1.
type sweep struct{ row, step, from, count int }

// stripe is columns that are rotated at once, kept how many rotations are kept.
const (
	stripe = 64
	kept   = 1 << 14
)

// rowsFrom is a matrix of so many rows and columns with room for whole stripes.
func rowsFrom(rows, columns int) *rotated {
	ld := (columns + vector.SweepColumns - 1) / vector.SweepColumns * vector.SweepColumns
	return &rotated{rows: make([]float64, rows*ld), ld: ld}
}

// begin begins a sweep: turn is called for its rotations. Without a matrix, neither does anything.
func (r *rotated) begin(row, step int) {
	if r == nil {
		return
	}
	if len(r.turns) >= kept {
		r.flush()
	}
	r.sweeps = append(r.sweeps, sweep{row, step, len(r.turns), 0})
}

// turn rotates the next row and the one after it.
func (r *rotated) turn(c, s float64) {
	if r == nil {
		return
	}
	r.turns = append(r.turns, [2]float64{c, s})
	r.sweeps[len(r.sweeps)-1].count++
}

// flush does what was kept.
func (r *rotated) flush() {
	if len(r.turns) == 0 || r.ld == 0 {
		return
	}
	workers.Do((r.ld+stripe-1)/stripe, func(piece int) {
		from := piece * stripe
		for _, s := range r.sweeps {
			if s.count > 0 {
				p := vector.Sweep{K: s.count, Row: unsafe.Pointer(&r.rows[s.row*r.ld+from]), Across: s.step * r.ld * 8, Turns: unsafe.Pointer(&r.turns[s.from])}
				p.Rotate(min(stripe, r.ld-from))
			}
		}
	}, func() { poll(4 * stripe * len(r.turns)) })
	r.sweeps, r.turns = r.sweeps[:0], r.turns[:0]
}

// setTransposed sets the first columns of r to the rows of the matrix a.
func (r *rotated) setTransposed(a []float64, rows, columns, lda int) {
	for i := range rows {
		for j, v := range a[i*lda : i*lda+columns] {
			r.rows[j*r.ld+i] = v
		}
	}
}

// transposeTo sets column k of the matrix a, of so many rows, to row order[k].
func (r *rotated) transposeTo(a []float64, rows, lda int, order []int) {
	for k, from := range order {
		for i, v := range r.rows[from*r.ld : from*r.ld+rows] {
			a[i*lda+k] = v
		}
	}
}
