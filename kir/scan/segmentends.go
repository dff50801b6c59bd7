package scan

import (
	"sort"

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
		from := sort.Search(len(ends), func(k int) bool { return int(ends[k]) >= i*each })
		for k := from; k < len(ends) && int(ends[k]) < (i+1)*each; k++ {
			if lo, hi := begin(k), int(ends[k])+1; hi-lo < long {
				dst[k] = whole(f.Product, lo, src[lo:hi], nil)
			}
		}
	})
	for k := range ends { // of which there are few, and tiles are the tasks
		if lo, hi := begin(k), int(ends[k])+1; hi-lo >= long {
			dst[k] = whole(f.Product, lo, src[lo:hi], f.Do)
		}
	}
}

// whole combines xs, all of a segment, of which the first is at place at of its line.
func whole[T float](product bool, at int, xs []T, do func(tasks int, task func(i int))) T {
	size := Default.Tile()
	head := at % size
	if head+len(xs) <= size {
		return lastOf(product, head, xs, 0, false)
	}
	n := (head + len(xs) - 1) / size // tiles before the last one
	var room [4]T
	totals := room[:]
	if n > len(room) {
		totals = make([]T, n)
	}
	totals = totals[:n]
	tile := func(t int) {
		lo := max(t*size-head, 0)
		totals[t] = warpsOf(product, (head+lo)%size, xs[lo:(t+1)*size-head])
	}
	const each = 32 // tiles of a task
	if do == nil {
		for t := range totals {
			tile(t)
		}
	} else {
		do((n+each-1)/each, func(i int) {
			for t := i * each; t < min((i+1)*each, n); t++ {
				tile(t)
			}
		})
	}
	return lastOf(product, 0, xs[n*size-head:], whole(product, at/size, totals, nil), true)
}

// lastOf combines carry, where has, with xs, which begin at place head of a tile and end in it.
func lastOf[T float](product bool, head int, xs []T, carry T, has bool) T {
	end := head + len(xs)
	last := (end - 1) / group
	warp := last / kir.WarpSize
	acc := carry
	if first := head / group / kir.WarpSize; first < warp {
		cut := warp*kir.WarpSize*group - head
		acc, has = joined(product, acc, warpsOf(product, head, xs[:cut]), has), true
		xs, head = xs[cut:], head+cut
	}
	if head/group < last {
		cut := last*group - head
		acc, has = joined(product, acc, lanesOf(product, head, xs[:cut]), has), true
		xs = xs[cut:]
	}
	acc = joined(product, acc, xs[0], has)
	if product {
		for _, x := range xs[1:] {
			acc *= x
		}
		return acc
	}
	for _, x := range xs[1:] {
		acc += x
	}
	return acc
}

// warpsOf combines xs, which begin at place head of a tile and end with a warp.
func warpsOf[T float](product bool, head int, xs []T) T {
	const size = kir.WarpSize * group
	var totals [8]T
	n := 0
	for len(xs) > 0 {
		cut := size - head%size
		totals[n] = lanesOf(product, head, xs[:cut])
		xs, head, n = xs[cut:], head+cut, n+1
	}
	return fromRight(product, totals[:n])
}

// lanesOf combines xs, which begin at place head of a tile and end with a group, all in one warp.
func lanesOf[T float](product bool, head int, xs []T) T {
	var totals [kir.WarpSize]T
	n := 0
	if part := head % group; part > 0 {
		acc := xs[0]
		for _, x := range xs[1 : group-part] {
			acc = joined(product, acc, x, true)
		}
		totals[0], n = acc, 1
		xs = xs[group-part:]
	}
	if product {
		for ; len(xs) >= group && n < len(totals); xs, n = xs[group:], n+1 {
			y := (*[group]T)(xs)
			totals[n] = y[0] * y[1] * y[2] * y[3] * y[4] * y[5] * y[6] * y[7]
		}
	} else {
		for ; len(xs) >= group && n < len(totals); xs, n = xs[group:], n+1 {
			y := (*[group]T)(xs)
			totals[n] = y[0] + y[1] + y[2] + y[3] + y[4] + y[5] + y[6] + y[7]
		}
	}
	return fromRight(product, totals[:n])
}

// fromRight combines x, which it changes, as the last lane of steps does: neighbours pair by pair, counted from the
// right, then pairs of pairs.
func fromRight[T float](product bool, x []T) T {
	for len(x) > 1 {
		odd, half := len(x)%2, len(x)/2
		pairs := x[odd : odd+2*half]
		to := pairs[:half]
		if product {
			for k := range to {
				y := (*[2]T)(pairs[2*k:])
				to[k] = y[0] * y[1]
			}
		} else {
			for k := range to {
				y := (*[2]T)(pairs[2*k:])
				to[k] = y[0] + y[1]
			}
		}
		x = x[:odd+half]
	}
	return x[0]
}
