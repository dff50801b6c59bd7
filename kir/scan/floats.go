package scan

import "github.com/arrayrepl/arrayrepl/kir"

// Floats scans lines of floats by sums, or by products, in the order of Line with [Default]: the same with loops for
// the two operators, since a call for each element takes longer than what it computes. Do is called with a
// number of tasks that may run at the same time.
type Floats struct {
	Product bool
	Do      func(tasks int, task func(i int))
}

type float interface{ float32 | float64 }

// FloatLine scans src, in numbers of type A, into dst, which may be src itself.
func FloatLine[A, T float](f Floats, dst, src []T) {
	size := Default.Tile()
	if len(src) == 0 {
		return
	}
	totals := make([]A, (len(src)-1)/size)
	const each = 32 // tiles of a task
	tasks := func(tiles int) int { return (tiles + each - 1) / each }
	f.Do(tasks(len(totals)), func(i int) {
		var r floatRoom[A]
		for t := i * each; t < min((i+1)*each, len(totals)); t++ {
			totals[t] = groups(&r, f.Product, src[t*size:(t+1)*size])
		}
	})
	if len(totals) > 0 {
		FloatLine[A](f, totals, totals)
	}
	f.Do(tasks(len(totals)+1), func(i int) {
		var r floatRoom[A]
		for t := i * each; t < min((i+1)*each, len(totals)+1); t++ {
			lo, hi := t*size, min((t+1)*size, len(src))
			groups(&r, f.Product, src[lo:hi])
			if t == 0 {
				tile(&r, f.Product, dst[lo:hi], src[lo:hi], 0, false)
			} else {
				tile(&r, f.Product, dst[lo:hi], src[lo:hi], totals[t-1], true)
			}
		}
	})
}

// floatRoom is room for a tile of Default.
type floatRoom[A float] struct {
	lanes [256]A
	warps [8]A
}

const group = 8 // Default.Each

// groups fills r for a tile, and returns its total.
func groups[A, T float](r *floatRoom[A], product bool, src []T) A {
	n := (len(src) + group - 1) / group
	for g := range n {
		xs := src[g*group : min((g+1)*group, len(src))]
		acc := A(xs[0])
		if product {
			for _, x := range xs[1:] {
				acc *= A(x)
			}
		} else {
			for _, x := range xs[1:] {
				acc += A(x)
			}
		}
		r.lanes[g] = acc
	}
	warps := (n + kir.WarpSize - 1) / kir.WarpSize
	for w := range warps {
		warp := r.lanes[w*kir.WarpSize : min((w+1)*kir.WarpSize, n)]
		floatSteps(product, warp)
		r.warps[w] = warp[len(warp)-1]
	}
	floatSteps(product, r.warps[:warps])
	return r.warps[warps-1]
}

func floatSteps[A float](product bool, x []A) {
	for d := 1; d < len(x); d *= 2 {
		before := x[:len(x)-d]
		after := x[d:][:len(before)]
		if product {
			for i := len(before) - 1; i >= 0; i-- {
				after[i] = before[i] * after[i]
			}
		} else {
			for i := len(before) - 1; i >= 0; i-- {
				after[i] = before[i] + after[i]
			}
		}
	}
}

// tile writes a tile, with carry before it where has.
func tile[A, T float](r *floatRoom[A], product bool, dst, src []T, carry A, has bool) {
	dst = dst[:len(src)]
	join := func(x, y A, both bool) A {
		switch {
		case !both:
			return y
		case product:
			return x * y
		}
		return x + y
	}
	for g := 0; g*group < len(src); g++ {
		acc, there := carry, has
		if w := g / kir.WarpSize; w > 0 {
			acc, there = join(acc, r.warps[w-1], there), true
		}
		if g%kir.WarpSize > 0 {
			acc, there = join(acc, r.lanes[g-1], there), true
		}
		lo, hi := g*group, min((g+1)*group, len(src))
		acc = join(acc, A(src[lo]), there)
		dst[lo] = T(acc)
		from, to := src[lo+1:hi], dst[lo+1:hi]
		to = to[:len(from)]
		if product {
			for i, x := range from {
				acc *= A(x)
				to[i] = T(acc)
			}
		} else {
			for i, x := range from {
				acc += A(x)
				to[i] = T(acc)
			}
		}
	}
}
