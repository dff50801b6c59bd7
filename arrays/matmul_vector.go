package arrays

import (
	"math"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// Products with a column of floats have another order than those of matrices, which would leave a processor waiting for
// one addition after the other: element p of the summed axis goes to chain p%chains of fused multiply-adds, and then
// the second half of the chains is added to the first until one number is left. Longer ones are sums of such pieces,
// added in order.
const (
	chains     = 32
	chainPiece = 1 << 16
	rowColumns = 1024 // columns whose chains are kept in cache
)

var (
	dot64 = vector.DotFloat64()
	dot32 = vector.DotFloat32()

	lines64 = vector.LinesFloat64()
	lines32 = vector.LinesFloat32()
)

// severalOf is the loop for several lines of a T, nil where the processor has none.
func severalOf[T float]() func(*vector.Lines) {
	if unsafe.Sizeof(*new(T)) == 8 {
		return lines64
	}
	return lines32
}

// vectorProduct is dst = x*y, of a row x of k elements and y of k rows: a product with a column, transposed.
type vectorProduct[T float] struct {
	tiles     *vector.Tiles
	dot       vector.Dot[T] // nil where the processor has none
	dst, x, y strided
	k, m      int
}

func (r vectorProduct[T]) compute() {
	size := int(unsafe.Sizeof(*new(T)))
	if r.x.column != size || r.k == 1 { // one element may have any stride
		r.x = packedLine[T](r.x.transposed(), r.k)
	}
	if r.y.column == size && r.y.row != size && r.m > 1 && r.tiles != nil {
		columns := rowColumns
		if r.m < 4*columns { // for several processors
			columns = roundUp(max(r.m/4, pieceWork/r.k, 1), 64)
			columns = min(columns, rowColumns)
		}
		workers.Do((r.m+columns-1)/columns, func(piece int) { r.rows(piece*columns, min(columns, r.m-piece*columns)) }, poll)
		return
	}
	pieces := (r.k + chainPiece - 1) / chainPiece
	lines := max(pieceWork/r.k, 1)
	if pieces == 1 {
		if lines >= r.m { // small ones come by the thousand
			r.lines(0, r.m)
			poll()
			return
		}
		workers.Do((r.m+lines-1)/lines, func(piece int) { r.lines(piece*lines, min((piece+1)*lines, r.m)) }, poll)
		return
	}
	parts := make([]T, pieces)
	for j := range r.m {
		workers.Do(pieces, func(i int) {
			lo, hi := i*chainPiece, min((i+1)*chainPiece, r.k)
			memory, e := r.end(lo, hi)
			defer rooms.Put(memory)
			parts[i] = r.sum(j, lo, hi, e)
		}, poll)
		total := parts[0]
		for _, p := range parts[1:] {
			total += p
		}
		*(*T)(r.dst.part(0, j)) = total
	}
}

// packedLine is a column of n elements as a row of neighbours.
func packedLine[T float](from strided, n int) strided {
	to := make([]T, n)
	pack(to, strided{from.at, from.row, 0}, n, 1, 1)
	return strided{unsafe.Pointer(&to[0]), 0, int(unsafe.Sizeof(to[0]))}
}

// end is what is left of lines and of x behind the last whole step, filled up with products of 0 and -0, which change
// no sum, not even -0. The line's part is for sum to write.
type end[T float] struct{ x, y [chains]T }

// end is in memory that is given back.
func (r vectorProduct[T]) end(lo, hi int) (*[]byte, *end[T]) {
	memory := room(int(unsafe.Sizeof(end[T]{})))
	e := (*end[T])(unsafe.Pointer(&(*memory)[0]))
	left := copy(e.x[:], unsafe.Slice((*T)(r.x.part(0, lo)), hi-lo)[(hi-lo)&^(chains-1):])
	for i := left; i < chains; i++ {
		e.x[i], e.y[i] = 0, T(math.Copysign(0, -1))
	}
	return memory, e
}

// lines computes columns from to to of one piece, several at once where they lie as lines.
func (r vectorProduct[T]) lines(from, to int) {
	size := int(unsafe.Sizeof(*new(T)))
	j := from
	if several := severalOf[T](); several != nil && r.y.row == size {
		p := vector.Lines{Steps: r.k / chains, X: r.x.at, Across: r.y.column, Rest: r.k % chains}
		var sums [vector.LinesAtOnce]T
		p.Out = unsafe.Pointer(&sums)
		for ; j+len(sums) <= to; j += len(sums) {
			p.Y = r.y.part(0, j)
			several(&p)
			for i, v := range sums {
				*(*T)(r.dst.part(0, j+i)) = v
			}
		}
	}
	if j == to {
		return
	}
	memory, e := r.end(0, r.k)
	defer rooms.Put(memory)
	for ; j < to; j++ {
		*(*T)(r.dst.part(0, j)) = r.sum(j, 0, r.k, e)
	}
}

// sum is the sum of products of elements lo to hi, one piece at most, with those of column j.
func (r vectorProduct[T]) sum(j, lo, hi int, e *end[T]) T {
	size := int(unsafe.Sizeof(*new(T)))
	n := hi - lo
	line := strided{r.y.part(lo, j), r.y.column, r.y.row}
	if line.column != size {
		line = packedLine[T](line.transposed(), n)
	}
	x := unsafe.Slice((*T)(r.x.part(0, lo)), n)
	y := unsafe.Slice((*T)(line.at), n)
	if r.dot == nil {
		return sumOfChains(x, y)
	}
	whole := n &^ (chains - 1)
	if whole == n {
		return r.dot(n/chains, &x[0], &y[0], nil, nil)
	}
	copy(e.y[:], y[whole:])
	return r.dot(n/chains, &x[0], &y[0], &e.x[0], &e.y[0])
}

// sumOfChains is the definition of a sum of products in one piece.
func sumOfChains[T float](x, y []T) T {
	var sums [chains]T
	y = y[:len(x)]
	for p, v := range x {
		s := &sums[p%chains]
		*s = multiplyAdd(v, y[p], *s)
	}
	for n := chains / 2; n > 0; n /= 2 {
		for i := range n {
			sums[i] += sums[i+n]
		}
	}
	return sums[0]
}

// rows computes m columns from j0 on, chain by chain along the rows of y.
func (r vectorProduct[T]) rows(j0, m int) {
	size := int(unsafe.Sizeof(*new(T)))
	memory := room(chains * m * size)
	defer rooms.Put(memory)
	sums := elements[T](*memory)[:chains*m]
	p := &vector.Product{Step: chains * size, Down: chains * r.y.row, New: true}
	for lo := 0; lo < r.k; lo += chainPiece {
		k := min(chainPiece, r.k-lo)
		clear(sums[min(chains, k)*m:])
		for c := range min(chains, k) {
			p.K = (k - c + chains - 1) / chains
			p.A, p.B, p.C = r.x.part(0, lo+c), r.y.part(lo+c, j0), unsafe.Pointer(&sums[c*m])
			r.tiles.AddRow(p, m)
		}
		for n := chains / 2; n > 0; n /= 2 {
			to, from := sums[:n*m], sums[n*m:2*n*m]
			for i := range to {
				to[i] += from[i]
			}
		}
		out := unsafe.Slice((*T)(r.dst.part(0, j0)), m)
		if lo == 0 {
			copy(out, sums)
			continue
		}
		for i := range out {
			out[i] += sums[i]
		}
	}
}
