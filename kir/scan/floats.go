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
		r := tree[A]{product: f.Product}
		for t := i * each; t < min((i+1)*each, len(totals)); t++ {
			totals[t] = tileTotal(&r, src[t*size:(t+1)*size])
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
			carry := neutral[A](f.Product)
			if t > 0 {
				carry = totals[t-1]
			}
			tile(&r, f.Product, dst[lo:hi], src[lo:hi], carry)
		}
	})
}

// tileTotal combines all of a tile of Default.
func tileTotal[A, T float](r *tree[A], src []T) A {
	eights(r.product, r.lanes[:], src)
	return r.warpsTo(0, len(r.warps))
}

// floatRoom is room for a tile of Default.
type floatRoom[A float] struct {
	lanes [256]A
	warps [8]A
}

const group = 8 // Default.Each

// groups fills r for a tile, and returns its total.
func groups[A, T float](r *floatRoom[A], product bool, src []T) A {
	whole := len(src) / group
	eights(product, r.lanes[:whole], src)
	n := whole
	if rest := src[whole*group:]; len(rest) > 0 {
		acc := A(rest[0])
		for _, x := range rest[1:] {
			acc = combined(product, acc, A(x))
		}
		r.lanes[n] = acc
		n++
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

// tile writes a tile, with carry before it.
func tile[A, T float](r *floatRoom[A], product bool, dst, src []T, carry A) {
	dst = dst[:len(src)]
	for g := 0; g*group < len(src); g++ {
		acc := carry
		if w := g / kir.WarpSize; w > 0 {
			acc = combined(product, acc, r.warps[w-1])
		}
		if g%kir.WarpSize > 0 {
			acc = combined(product, acc, r.lanes[g-1])
		}
		from, to := src[g*group:], dst[g*group:]
		switch {
		case product || len(from) < group:
			for i, x := range from[:min(group, len(from))] {
				acc = combined(product, acc, A(x))
				to[i] = T(acc)
			}
		default:
			x, y := (*[group]T)(from), (*[group]T)(to)
			acc += A(x[0])
			y[0] = T(acc)
			acc += A(x[1])
			y[1] = T(acc)
			acc += A(x[2])
			y[2] = T(acc)
			acc += A(x[3])
			y[3] = T(acc)
			acc += A(x[4])
			y[4] = T(acc)
			acc += A(x[5])
			y[5] = T(acc)
			acc += A(x[6])
			y[6] = T(acc)
			acc += A(x[7])
			y[7] = T(acc)
		}
	}
}
