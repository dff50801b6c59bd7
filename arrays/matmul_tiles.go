package arrays

import (
	"sync"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// Matrix products of floats go in tiles that stay in registers, where the processor has vectors. Every element is one
// chain of fused multiply-adds in ascending order, as in the plain loop, whatever is cut where and whoever computes it:
// both give the same bits.
//
// Operands are read where they lie if that is in cache; else what a tile reads is packed beforehand, so that it lies in
// the order of the reading: tileDepth steps of panels of y, which all processors read, and of the rows of x that a
// piece of work has. A panel of y stays in the first cache, a piece's part of x in the second.
const (
	tileDepth   = 256
	pieceRows   = 48
	leastPieces = 16      // that few rows are divided into at least, so that all processors end at about the same time
	packColumns = 2048    // columns of y that are packed at once
	nearBytes   = 1 << 17 // what is read where it lies
	pieceWork   = 1 << 17 // products that are worth a piece
)

var (
	tiles64 = vector.TilesFloat64()
	tiles32 = vector.TilesFloat32()
)

// strided is a matrix somewhere in memory: rows and columns so many bytes apart.
type strided struct {
	at          unsafe.Pointer
	row, column int
}

// stridedOf is a as dtype, copied only where it is of another one.
func stridedOf(a *Array, dtype DType) strided {
	if a.dtype != dtype {
		a = a.AsType(dtype)
	}
	size := dtype.Size()
	return strided{unsafe.Pointer(&a.data[a.layout.Offset*size]), a.layout.Strides[0] * size, a.layout.Strides[1] * size}
}

func (s strided) part(i, j int) unsafe.Pointer { return unsafe.Add(s.at, i*s.row+j*s.column) }

func (s strided) transposed() strided { return strided{s.at, s.column, s.row} }

// tiledProduct is dst += x*y in tiles: dst is n x m, x is n x k. A fresh dst is not read, and holds anything before.
type tiledProduct[T float] struct {
	tiles     *vector.Tiles
	dst, x, y strided
	n, k, m   int
	fresh     bool
}

func (r tiledProduct[T]) compute() {
	size := int(unsafe.Sizeof(*new(T)))
	if r.n == 1 {
		r.oneRow(size)
		return
	}
	if r.y.column == size && (r.n <= 2*r.tiles.Rows || r.m*r.k*size <= nearBytes) {
		r.inPlace(size)
		return
	}
	r.packed(size)
}

// inPlace reads the operands where they lie. Few rows of y at a time are read from left to right.
func (r tiledProduct[T]) inPlace(size int) {
	depth := r.k
	if r.m*r.k*size > nearBytes {
		depth = 16
	}
	columns := r.m
	if n := pieceWork / max(r.n*r.k, 1); n < columns {
		columns = roundUp(max(n, 1), r.tiles.Columns)
	}
	rows := r.n
	if n := pieceWork / max(columns*r.k, 1); n < rows {
		rows = roundUp(max(n, 1), r.tiles.Rows)
	}
	across, down := (r.m+columns-1)/columns, (r.n+rows-1)/rows
	if across*down <= 4 && r.n*r.k*r.m <= 4*pieceWork { // to wake another processor takes as long
		columns, rows, across, down = r.m, r.n, 1, 1
	}
	if across*down == 1 { // small ones come by the thousand in a batch
		r.block(0, r.n, 0, r.m, depth)
		return
	}
	workers.Do(across*down, func(piece int) {
		i, j := piece/across*rows, piece%across*columns
		r.block(i, min(i+rows, r.n), j, min(j+columns, r.m), depth)
	}, poll)
}

// block computes rows i0 to i1 and columns j0 to j1 of dst, so many steps at a time.
func (r tiledProduct[T]) block(i0, i1, j0, j1, depth int) {
	p := vector.Product{Row: r.x.row, Step: r.x.column, Down: r.y.row, Across: r.dst.row}
	for p0 := 0; p0 < r.k; p0 += depth {
		p.K, p.New = min(depth, r.k-p0), r.fresh && p0 == 0
		for j := j0; j < j1; j += r.tiles.Columns {
			p.B = r.y.part(p0, j)
			for i := i0; i < i1; i += r.tiles.Rows {
				p.A, p.C = r.x.part(i, p0), r.dst.part(i, j)
				r.tiles.Add(&p, min(r.tiles.Rows, i1-i), min(r.tiles.Columns, j1-j))
			}
		}
	}
}

// rooms are for what is packed.
var rooms sync.Pool

// room returns memory for n bytes, aligned as vectors are.
func room(n int) *[]byte {
	if r, ok := rooms.Get().(*[]byte); ok && len(*r) >= n {
		return r
	}
	r := reserve(n)
	return &r
}

// giveBack lets others have the memory.
func giveBack(memory []*[]byte) {
	for _, m := range memory {
		rooms.Put(m)
	}
}

func (r tiledProduct[T]) packed(size int) {
	width, height := r.tiles.Columns, r.tiles.Rows
	columns, depth := min(packColumns, r.m), min(tileDepth, r.k)
	right := room(roundUp(columns, width) * depth * size)
	defer rooms.Put(right)
	panel := width * depth * size
	rows := min(roundUp(pieceRows, height), r.n)
	down := (r.n + rows - 1) / rows
	for j0 := 0; j0 < r.m; j0 += columns {
		m := min(columns, r.m-j0)
		panels := (m + width - 1) / width
		// Few rows are not enough for all processors: their columns are divided too.
		share := (panels + max(leastPieces/down, 1) - 1) / max(leastPieces/down, 1)
		across := (panels + share - 1) / share
		for p0 := 0; p0 < r.k; p0 += depth {
			steps := min(depth, r.k-p0)
			workers.Do(panels, func(j int) {
				to := elements[T]((*right)[j*panel : (j+1)*panel])
				from := strided{r.y.part(p0, j0+j*width), r.y.row, r.y.column}
				pack(to, from, steps, min(width, m-j*width), width)
			}, poll)
			workers.Do(down*across, func(piece int) {
				i0 := piece / across * rows
				n := min(rows, r.n-i0)
				left := room(roundUp(n, height) * depth * size)
				defer rooms.Put(left)
				stripe := height * steps * size
				for i := 0; i < n; i += height {
					from := strided{r.x.part(i0+i, p0), r.x.column, r.x.row}
					pack(elements[T]((*left)[i/height*stripe:][:stripe]), from, steps, min(height, n-i), height)
				}
				p := &vector.Product{K: steps, Row: size, Step: height * size, Down: width * size, Across: r.dst.row, New: r.fresh && p0 == 0}
				first := piece % across * share
				for j := first; j < min(first+share, panels); j++ {
					p.B = unsafe.Pointer(&(*right)[j*panel])
					for i := 0; i < n; i += height {
						p.A, p.C = unsafe.Pointer(&(*left)[i/height*stripe]), r.dst.part(i0+i, j0+j*width)
						r.tiles.Add(p, min(height, n-i), min(width, m-j*width))
					}
				}
			}, poll)
		}
	}
}

// pack writes steps rows of so many columns one after the other, each width elements from the one before.
func pack[T float](to []T, from strided, steps, columns, width int) {
	size := int(unsafe.Sizeof(to[0]))
	if from.column == size {
		for p := range steps {
			copy(to[p*width:p*width+columns], unsafe.Slice((*T)(unsafe.Add(from.at, p*from.row)), columns))
		}
		return
	}
	j := 0
	for ; j+4 <= columns; j += 4 {
		a, b, c, d := from.part(0, j), from.part(0, j+1), from.part(0, j+2), from.part(0, j+3)
		to := to[j:]
		for p := range steps {
			at := p * from.row
			four := to[p*width : p*width+4 : p*width+4]
			four[0], four[1] = *(*T)(unsafe.Add(a, at)), *(*T)(unsafe.Add(b, at))
			four[2], four[3] = *(*T)(unsafe.Add(c, at)), *(*T)(unsafe.Add(d, at))
		}
	}
	for ; j < columns; j++ {
		a := from.part(0, j)
		for p := range steps {
			to[p*width+j] = *(*T)(unsafe.Add(a, p*from.row))
		}
	}
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }
