package arrays

import (
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// oneRow is the product of one row. Rows of y whose elements are neighbours are read where they lie, some at a time,
// each from left to right; of another y, some columns are packed at a time.
func (r tiledProduct[T]) oneRow(size int) {
	depth, columns := r.k, min(roundUp(max(pieceWork/r.k, r.m/(4*workers.Count()), 1), 64), r.m)
	packed := r.y.column != size
	switch {
	case packed:
		depth, columns = min(tileDepth, r.k), min(64, r.m)
	case r.m*r.k*size > nearBytes:
		depth = 16
	}
	workers.Do((r.m+columns-1)/columns, func(piece int) {
		j, m := piece*columns, min(columns, r.m-piece*columns)
		p := vector.Product{Step: r.x.column, Down: r.y.row}
		var panel []T
		if packed {
			memory := room(m * depth * size)
			defer rooms.Put(memory)
			panel, p.Down = elements[T](*memory), m*size
		}
		for p0 := 0; p0 < r.k; p0 += depth {
			p.K, p.New = min(depth, r.k-p0), r.fresh && p0 == 0
			p.A, p.B, p.C = r.x.part(0, p0), r.y.part(p0, j), r.dst.part(0, j)
			if packed {
				pack(panel, strided{p.B, r.y.row, r.y.column}, p.K, m, m)
				p.B = unsafe.Pointer(&panel[0])
			}
			r.tiles.AddRow(&p, m)
		}
	}, poll)
}
