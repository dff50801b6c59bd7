package scan

import (
	"math"
	"sort"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/kir"
)

// SegmentEnds combines all of each segment of src, in the order of [FloatSegments], of which it gives the elements at
// the segments' ends alone. ends are the places of those, ascending; the first segment begins at 0, each other one
// behind the end of the one before it. dst has an element for each.
func SegmentEnds[T float](f Floats, dst, src []T, ends []int64) {
	const (
		each = 1 << 16 // elements of a task
		long = 4 * each
	)
	begin := func(k int) int {
		if k == 0 {
			return 0
		}
		return int(ends[k-1]) + 1
	}
	f.Do((len(src)+each-1)/each, func(i int) {
		r := tree[T]{product: f.Product}
		from := sort.Search(len(ends), func(k int) bool { return int(ends[k]) >= i*each })
		lo := begin(from)
		for k := from; k < len(ends) && int(ends[k]) < (i+1)*each; k++ {
			hi := int(ends[k]) + 1
			soon(src, lo+tileSize, hi+tileSize)
			if hi-lo < long {
				dst[k] = r.whole(lo, src[lo:hi], nil)
			}
			lo = hi
		}
	})
	for k := range ends { // of which there are few, and tiles are the tasks
		if lo, hi := begin(k), int(ends[k])+1; hi-lo >= long {
			r := tree[T]{product: f.Product}
			dst[k] = r.whole(lo, src[lo:hi], f.Do)
		}
	}
}

// tileSize is Default.Tile.
const tileSize = 256 * group

// soon asks the processor for elements lo to hi of x, as far as there are any. Its own guesses end with a page of 4 KB,
// and chains of additions leave it no room to look far ahead: segments of 100 float64 take two thirds of the time.
func soon[T any](x []T, lo, hi int) {
	if hi = min(hi, len(x)); lo < hi {
		vector.Prefetch((hi-lo)*int(unsafe.Sizeof(x[0])), unsafe.Pointer(&x[lo]))
	}
}

// tree combines numbers as the last thread of a tile does, with room for the totals of a tile's groups.
type tree[T float] struct {
	product bool
	lanes   [256]T
	warps   [8]T
}

// neutral is what changes no number that it is combined with, not even a zero of either sign.
func neutral[T float](product bool) T {
	if product {
		return 1
	}
	return T(math.Copysign(0, -1))
}

// whole combines xs, all of a segment, of which the first is at place at of its line.
func (r *tree[T]) whole(at int, xs []T, do func(tasks int, task func(i int))) T {
	size := Default.Tile()
	head := at % size
	if head+len(xs) <= size {
		return r.last(head, xs, neutral[T](r.product))
	}
	n := (head + len(xs) - 1) / size // tiles before the last one
	var room [4]T
	totals := room[:]
	if n > len(room) {
		totals = make([]T, n)
	}
	totals = totals[:n]
	tile := func(r *tree[T], t int) {
		lo := max(t*size-head, 0)
		totals[t] = r.tile((head+lo)%size, xs[lo:(t+1)*size-head])
	}
	const each = 32 // tiles of a task
	if do == nil {
		for t := range totals {
			tile(r, t)
		}
	} else {
		do((n+each-1)/each, func(i int) {
			own := tree[T]{product: r.product}
			for t := i * each; t < min((i+1)*each, n); t++ {
				tile(&own, t)
			}
		})
	}
	carry := r.whole(at/size, totals, nil)
	return r.last(0, xs[n*size-head:], carry)
}

// last combines carry with xs, which begin at place head of a tile and end in it.
func (r *tree[T]) last(head int, xs []T, carry T) T {
	acc := carry
	g, last := head/group, (head+len(xs)-1)/group
	if g < last {
		xs = r.groups(head, last, xs)
		warp := last / kir.WarpSize
		if first := g / kir.WarpSize; first < warp {
			acc = combined(r.product, acc, r.warpsTo(g, warp))
			g = warp * kir.WarpSize
		}
		if g < last {
			acc = combined(r.product, acc, fromRight(r.product, r.lanes[g:last]))
		}
	}
	if r.product {
		for _, x := range xs {
			acc *= x
		}
		return acc
	}
	for _, x := range xs {
		acc += x
	}
	return acc
}

// tile combines xs, which begin at place head of a tile and end with it.
func (r *tree[T]) tile(head int, xs []T) T {
	r.groups(head, len(r.lanes), xs)
	return r.warpsTo(head/group, len(r.warps))
}

// groups has the totals of the groups in lanes, from the one with place head to the one before end, and returns what
// is left of xs, which begin at head.
func (r *tree[T]) groups(head, end int, xs []T) []T {
	g := head / group
	if part := head % group; part > 0 {
		acc := xs[0]
		for _, x := range xs[1 : group-part] {
			acc = combined(r.product, acc, x)
		}
		r.lanes[g] = acc
		g++
		xs = xs[group-part:]
	}
	lanes := r.lanes[g:end]
	eights(r.product, lanes, xs)
	return xs[group*len(lanes):]
}

// warpsTo combines the totals of lanes from g on, to the last one before that warp.
func (r *tree[T]) warpsTo(g, warp int) T {
	first := g / kir.WarpSize
	for w := first; w < warp; w++ {
		r.warps[w] = fromRight(r.product, r.lanes[max(g, w*kir.WarpSize):(w+1)*kir.WarpSize])
	}
	return fromRight(r.product, r.warps[first:warp])
}

// eights are the totals of groups of xs, which lie whole in it.
func eights[A, T float](product bool, totals []A, xs []T) {
	xs = xs[:group*len(totals)]
	if product {
		for i := range totals {
			y := (*[group]T)(xs[group*i:])
			totals[i] = A(y[0]) * A(y[1]) * A(y[2]) * A(y[3]) * A(y[4]) * A(y[5]) * A(y[6]) * A(y[7])
		}
		return
	}
	for i := range totals {
		y := (*[group]T)(xs[group*i:])
		totals[i] = A(y[0]) + A(y[1]) + A(y[2]) + A(y[3]) + A(y[4]) + A(y[5]) + A(y[6]) + A(y[7])
	}
}

func combined[T float](product bool, x, y T) T {
	if product {
		return x * y
	}
	return x + y
}

// fromRight combines x, 32 numbers at most, as the last lane of steps does: neighbours pair by pair, counted from the
// right, then pairs of pairs. So it combines whole trees of 1, 2, 4, 8, 16 and 32 of them, as their number has bits,
// the smallest tree on the left.
func fromRight[T float](product bool, x []T) T {
	acc := neutral[T](product)
	if product {
		for d := 1; d <= len(x); d *= 2 {
			if len(x)&d != 0 {
				acc, x = acc*productTree(x[:d]), x[d:]
			}
		}
		return acc
	}
	n := len(x)
	if n&1 != 0 {
		acc, x = x[0]+acc, x[1:]
	}
	if n&2 != 0 {
		acc, x = acc+(x[0]+x[1]), x[2:]
	}
	if n&4 != 0 {
		acc, x = acc+four(x), x[4:]
	}
	if n&8 != 0 {
		acc, x = acc+(four(x)+four(x[4:])), x[8:]
	}
	if n&16 != 0 {
		acc, x = acc+sixteen(x), x[16:]
	}
	if n&32 != 0 {
		acc += sixteen(x) + sixteen(x[16:])
	}
	return acc
}

func four[T float](x []T) T {
	y := (*[4]T)(x)
	return (y[0] + y[1]) + (y[2] + y[3])
}

func sixteen[T float](x []T) T {
	y := (*[16]T)(x)
	return ((y[0] + y[1] + (y[2] + y[3])) + (y[4] + y[5] + (y[6] + y[7]))) +
		((y[8] + y[9] + (y[10] + y[11])) + (y[12] + y[13] + (y[14] + y[15])))
}

// productTree multiplies neighbours pair by pair, then pairs of pairs; there is a power of two of them.
func productTree[T float](x []T) T {
	if len(x) == 1 {
		return x[0]
	}
	return productTree(x[:len(x)/2]) * productTree(x[len(x)/2:])
}
