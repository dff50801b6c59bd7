package arrays

import (
	"slices"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// smallProducts multiplies many pairs of small matrices of floats, of at least two columns, in tiles that read them
// where they lie: what a pair takes besides its products is most of its time. Each product is that of tiledProduct.
type smallProducts struct {
	tiles     *vector.Tiles
	out, x, y *Array // of one dtype
	lead      []int  // their first axes, broadcast
	n, k, m   int
}

// pairWork is how many products take as long as what a pair takes besides.
const pairWork = 512

// tilesOf is the tiles of dtype d, nil where there are none.
func tilesOf(d DType) *vector.Tiles {
	switch d {
	case Float32:
		return tiles32
	case Float64:
		return tiles64
	}
	return nil
}

// converted is a as dtype d.
func (a *Array) converted(d DType) *Array {
	if a.dtype == d {
		return a
	}
	return a.AsType(d)
}

func (r smallProducts) compute() {
	if r.y.layout.Strides[r.y.NDim()-1] != 1 { // tiles read the rows of y
		r.y = r.y.Copy()
	}
	axes := len(r.lead)
	xs, _ := r.x.layout.BroadcastTo(slices.Concat(r.lead, []int{r.n, r.k}))
	ys, _ := r.y.layout.BroadcastTo(slices.Concat(r.lead, []int{r.k, r.m}))
	size := r.out.dtype.Size()
	batches := sizeOf(r.lead)
	each := max(pieceWork/(r.n*r.k*r.m+pairWork), 1)
	workers.Do((batches+each-1)/each, func(piece int) {
		lo := piece * each
		left, right := newWalk(trailing(xs, axes)), newWalk(trailing(ys, axes))
		left.seek(xs.Offset, lo)
		right.seek(ys.Offset, lo)
		p := &vector.Product{K: r.k, Row: xs.Strides[axes] * size, Step: xs.Strides[axes+1] * size, Down: ys.Strides[axes] * size, Across: r.m * size, New: true}
		for b := lo; b < min(lo+each, batches); b++ {
			x, y := unsafe.Pointer(&r.x.data[left.at*size]), unsafe.Pointer(&r.y.data[right.at*size])
			to := unsafe.Pointer(&r.out.data[b*r.n*r.m*size])
			for j := 0; j < r.m; j += r.tiles.Columns {
				p.B = unsafe.Add(y, j*size)
				for i := 0; i < r.n; i += r.tiles.Rows {
					p.A, p.C = unsafe.Add(x, i*p.Row), unsafe.Add(to, (i*r.m+j)*size)
					r.tiles.Add(p, min(r.tiles.Rows, r.n-i), min(r.tiles.Columns, r.m-j))
				}
			}
			left.advance(1)
			right.advance(1)
		}
	}, poll)
}
