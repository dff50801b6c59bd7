package cpu

import (
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/kir"
)

// rows are elements of 4 bytes that threads of one basic block have loaded a row of [vector.ColumnsWide] apart, with
// those between: other loads of the block, which come for these, take their columns from here.
type rows struct {
	base  uint64 // address of the first column's first element
	s     steps
	lanes []uint32 // column after column
}

// mostRows is how many are kept at a time: a sum of products reads two.
const mostRows = 4

// wideRow is how many bytes a row has.
const wideRow = 4 * vector.ColumnsWide

// loadRows loads d from where the addresses at, within s, are a row apart from each thread to the next, and reports
// whether it did. What other loads of the basic block may want is loaded with it.
func (w *worker) loadRows(in *instr, at, d *reg, s *segment) bool {
	if !w.p.apart || in.v.Space != kir.Global || w.n%vector.Step != 0 {
		return false
	}
	for i, n := range w.extent {
		if n == 1 {
			continue
		}
		if at.s[i] != wideRow || n%vector.Step != 0 {
			return false
		}
		break
	}
	for i := range w.rows {
		r := &w.rows[i]
		if k := at.base - r.base; k < wideRow && r.s == at.s {
			w.takeColumn(in, d, r.lanes[int(k/4)*w.n:])
			return true
		}
	}
	lo, hi, ok := at.bounds(&w.extent)
	if !ok || len(w.rows) == mostRows || !s.holds(uint64(lo), uint64(hi-lo)+wideRow) {
		return false
	}
	k := len(w.rows)
	w.rows = w.rows[:k+1]
	r := &w.rows[k]
	if r.base, r.s = at.base, at.s; len(r.lanes) < vector.ColumnsWide*w.n {
		r.lanes = make([]uint32, vector.ColumnsWide*w.n)
	}
	done := true
	at.runs(&w.extent, func(first, n int, addr uint64, _ int64) {
		done = done && vector.Columns(n, unsafe.Pointer(&r.lanes[first]), 4*w.n, s.at(addr))
	})
	if !done {
		w.rows = w.rows[:k]
		return false
	}
	if at.dense(&w.extent, wideRow) {
		w.ahead(s, at.base, wideRow)
	}
	w.takeColumn(in, d, r.lanes)
	return true
}

// takeColumn makes the column the lanes of d, where it is if that is used before anything else comes to be there.
func (w *worker) takeColumn(in *instr, d *reg, column []uint32) {
	if in.direct {
		d.p = unsafe.Pointer(&column[0])
	} else {
		copy(lanes[uint32](d.p, w.n), column)
	}
	d.setLanes()
}
