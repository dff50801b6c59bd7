package arrays

import (
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// Products of matrices with many terms have an order that several devices, and the blocks of one, can share: a line of
// longLine terms is a chain of fused multiply-adds from 0 on, the lines of a block are added in order, and then the
// blocks. It follows from how many terms there are and that the right side has several columns, not from how many rows
// or matrices there are. Package lazy's kernels do the same.
const (
	longSum   = 1 << 14 // terms from which on sums are long
	longLine  = 256
	longBlock = 8 * longLine

	longRows, longColumns = 256, 512 // elements of the result that are worked on at once, for as many is what is packed
	longAtOnce            = 16       // blocks that are computed side by side and kept until they are added
	longShared            = 1 << 14  // elements from which on processors share a block instead
)

// longProduct is dst = x*y of long sums: dst is n x m, x is n x k. It needs memory for some hundred thousand elements.
type longProduct[T float] struct {
	tiles     *vector.Tiles // nil where the processor has none
	dst, x, y strided
	n, k, m   int
}

func (r longProduct[T]) compute() {
	size := int(unsafe.Sizeof(*new(T)))
	rows, columns := min(longRows, r.n), min(longColumns, r.m)
	atOnce := longAtOnce
	if rows*columns >= longShared {
		atOnce = 1
	}
	memory := room(atOnce * rows * columns * size)
	defer rooms.Put(memory)
	blocks := elements[T](*memory)
	for i := 0; i < r.n; i += rows {
		for j := 0; j < r.m; j += columns {
			n, m := min(rows, r.n-i), min(columns, r.m-j)
			for from := 0; from < r.k; from += atOnce * longBlock {
				several := (min(atOnce*longBlock, r.k-from) + longBlock - 1) / longBlock
				if several == 1 {
					r.block(blocks[:n*m], i, j, m, from)
					poll()
				} else {
					workers.Do(several, func(b int) { r.block(blocks[b*n*m:(b+1)*n*m], i, j, m, from+b*longBlock) }, poll)
				}
				first := 0
				if from == 0 {
					for e := range n {
						copy(r.line(i+e, j, m), blocks[e*m:(e+1)*m])
					}
					first = 1
				}
				for b := first; b < several; b++ {
					for e := range n {
						addRow(r.line(i+e, j, m), blocks[(b*n+e)*m:(b*n+e+1)*m])
					}
				}
			}
		}
	}
}

// line is m elements of a row of dst.
func (r longProduct[T]) line(i, j, m int) []T { return unsafe.Slice((*T)(r.dst.part(i, j)), m) }

// block writes the sums of the block of terms from p on, for rows of m columns from i and j on.
func (r longProduct[T]) block(to []T, i, j, m, p int) {
	memory := room(len(to) * int(unsafe.Sizeof(to[0])))
	defer rooms.Put(memory)
	line := elements[T](*memory)[:len(to)]
	end := min(p+longBlock, r.k)
	r.chains(to, i, j, m, p, min(p+longLine, end))
	for p += longLine; p < end; p += longLine {
		r.chains(line, i, j, m, p, min(p+longLine, end))
		addRow(to, line)
	}
}

// chains writes the sums of the terms from p to end.
func (r longProduct[T]) chains(to []T, i, j, m, p, end int) {
	size, n, k := int(unsafe.Sizeof(to[0])), len(to)/m, end-p
	x, y := strided{r.x.part(i, p), r.x.row, r.x.column}, strided{r.y.part(p, j), r.y.row, r.y.column}
	if r.tiles != nil {
		tiledProduct[T]{r.tiles, strided{unsafe.Pointer(&to[0]), m * size, size}, x, y, n, k, m, true}.compute()
		return
	}
	left, right := make([]T, n*k), make([]T, k*m)
	pack(left, x, n, k, k)
	pack(right, y, k, m, m)
	clear(to)
	matMulFused(to, left, right, k, m)
}
