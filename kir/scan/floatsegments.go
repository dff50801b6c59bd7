package scan

import "github.com/arrayrepl/arrayrepl/kir"

// FloatSegments is [FloatLine] by segments that begin where heads are, in the order of a scan by [Segmented]: what
// stands left of a head has no part in what stands right of it.
func FloatSegments[A, T float](f Floats, dst, src []T, heads []bool) {
	size := Default.Tile()
	if len(src) == 0 {
		return
	}
	totals := make([]A, (len(src)-1)/size)
	begins := make([]bool, len(totals)) // whether a tile has a head
	const each = 32                     // tiles of a task
	tasks := func(tiles int) int { return (tiles + each - 1) / each }
	f.Do(tasks(len(totals)), func(i int) {
		var r segmentRoom[A]
		for t := i * each; t < min((i+1)*each, len(totals)); t++ {
			totals[t], begins[t] = segmentGroups(&r, f.Product, src[t*size:(t+1)*size], heads[t*size:])
		}
	})
	if len(totals) > 0 {
		FloatSegments[A](f, totals, totals, begins)
	}
	f.Do(tasks(len(totals)+1), func(i int) {
		var r segmentRoom[A]
		for t := i * each; t < min((i+1)*each, len(totals)+1); t++ {
			lo, hi := t*size, min((t+1)*size, len(src))
			segmentGroups(&r, f.Product, src[lo:hi], heads[lo:])
			if t == 0 {
				segmentTile(&r, f.Product, dst[lo:hi], src[lo:hi], heads[lo:], 0, false)
			} else {
				segmentTile(&r, f.Product, dst[lo:hi], src[lo:hi], heads[lo:], totals[t-1], true)
			}
		}
	})
}

// segmentRoom is room for a tile of Default, and whether there are heads.
type segmentRoom[A float] struct {
	floatRoom[A]
	laneHeads [256]bool
	warpHeads [8]bool
}

func segmentGroups[A, T float](r *segmentRoom[A], product bool, src []T, heads []bool) (total A, begins bool) {
	n := (len(src) + group - 1) / group
	for g := range n {
		lo, hi := g*group, min((g+1)*group, len(src))
		acc, begins := A(src[lo]), heads[lo]
		for i := lo + 1; i < hi; i++ {
			switch {
			case heads[i]:
				acc, begins = A(src[i]), true
			case product:
				acc *= A(src[i])
			default:
				acc += A(src[i])
			}
		}
		r.lanes[g], r.laneHeads[g] = acc, begins
	}
	warps := (n + kir.WarpSize - 1) / kir.WarpSize
	for w := range warps {
		lo, hi := w*kir.WarpSize, min((w+1)*kir.WarpSize, n)
		segmentSteps(product, r.lanes[lo:hi], r.laneHeads[lo:hi])
		r.warps[w], r.warpHeads[w] = r.lanes[hi-1], r.laneHeads[hi-1]
	}
	segmentSteps(product, r.warps[:warps], r.warpHeads[:warps])
	return r.warps[warps-1], r.warpHeads[warps-1]
}

func segmentSteps[A float](product bool, x []A, heads []bool) {
	for d := 1; d < len(x); d *= 2 {
		for i := len(x) - 1; i >= d; i-- {
			if !heads[i] {
				x[i], heads[i] = joined(product, x[i-d], x[i], true), heads[i-d]
			}
		}
	}
}

// joined is x and y combined, or y where there is no x.
func joined[A float](product bool, x, y A, both bool) A {
	switch {
	case !both:
		return y
	case product:
		return x * y
	}
	return x + y
}

// segmentTile writes a tile, with carry before it where has.
func segmentTile[A, T float](r *segmentRoom[A], product bool, dst, src []T, heads []bool, carry A, has bool) {
	for g := 0; g*group < len(src); g++ {
		acc, there := carry, has
		if w := g / kir.WarpSize; w > 0 {
			acc, there = joined(product, acc, r.warps[w-1], there && !r.warpHeads[w-1]), true
		}
		if g%kir.WarpSize > 0 {
			acc, there = joined(product, acc, r.lanes[g-1], there && !r.laneHeads[g-1]), true
		}
		lo, hi := g*group, min((g+1)*group, len(src))
		for i := lo; i < hi; i++ {
			x := A(src[i])
			switch {
			case heads[i] || !there:
				acc, there = x, true
			case product:
				acc *= x
			default:
				acc += x
			}
			dst[i] = T(acc)
		}
	}
}
