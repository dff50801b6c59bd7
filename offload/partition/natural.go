package partition

import (
	"math"
	"slices"
)

// Balanced says into how many tiles each axis of a shape is cut so that there are about so many and their extents are
// as equal as can be, as Legate NumPy does: least of them is surface. Two axes get divisors of the number; three or
// more its prime factors, the largest first, each for the axis with the longest extent, but tiles keep 32 elements of
// the last. An axis of extent 1 is not cut. It is nil where there would be fewer than two tiles.
func Balanced(shape []int, tiles int) []int {
	var axes []int
	for a, n := range shape {
		if n > 1 {
			axes = append(axes, a)
		}
	}
	cuts := slices.Repeat([]int{1}, len(shape))
	if tiles < 2 || len(axes) == 0 {
		return nil
	}
	switch len(axes) {
	case 1:
		cuts[axes[0]] = min(shape[axes[0]], tiles)
	case 2:
		short, long := axes[0], axes[1]
		if shape[short] > shape[long] {
			short, long = long, short
		}
		even := math.Sqrt(float64(tiles) * float64(shape[short]) / float64(shape[long]))
		best := math.Inf(1)
		for _, n := range divisorsAround(tiles, even) {
			if n > shape[short] || tiles/n > shape[long] {
				continue
			}
			if side := float64(max(ceil(shape[short], n), ceil(shape[long], tiles/n))); side < best {
				best = side
				cuts[short], cuts[long] = n, tiles/n
			}
		}
	default:
		const leastRow = 32
		last := axes[len(axes)-1]
		for _, p := range primes(tiles) {
			at := -1
			for _, a := range axes {
				rest := shape[a] / cuts[a]
				if rest < p || a == last && rest/p < leastRow {
					continue
				}
				if at < 0 || rest > shape[at]/cuts[at] {
					at = a
				}
			}
			if at >= 0 {
				cuts[at] *= p
			}
		}
	}
	if sizeOf(cuts) < 2 {
		return nil
	}
	return cuts
}

// Slabs says into how many tiles each axis of a shape is cut so that the elements of a tile lie side by side, as far as
// the first axes allow it: the first is cut into so many, and where it is shorter each of its indices along the next.
// It is nil where there would be fewer than two.
func Slabs(shape []int, tiles int) []int {
	cuts := slices.Repeat([]int{1}, len(shape))
	for a, n := range shape {
		cuts[a] = max(min(n, tiles), 1)
		tiles /= cuts[a]
	}
	if sizeOf(cuts) < 2 {
		return nil
	}
	return cuts
}

// Tile is the shape of the tiles when each axis is cut into so many; the last along an axis may be smaller.
func Tile(shape, cuts []int) []int {
	tile := make([]int, len(shape))
	for a, n := range shape {
		tile[a] = max(ceil(n, cuts[a]), 1)
	}
	return tile
}

// Stretch is elements number at to at+n-1 of a root, in C order, as boxes: two for each axis at most.
func Stretch(root []int, at, n int) (out []Box) {
	if n <= 0 {
		return nil
	}
	row := 1 // the elements of an index of the first axis
	for _, k := range root[min(1, len(root)):] {
		row *= k
	}
	if len(root) == 0 {
		return []Box{{}}
	}
	put := func(i, from, count int) { // a part of index i of the first axis
		for _, b := range Stretch(root[1:], from, count) {
			out = append(out, append(Box{Span(i, i+1)}, b...))
		}
	}
	i, from := at/row, at%row
	if from > 0 {
		k := min(n, row-from)
		put(i, from, k)
		i, n = i+1, n-k
	}
	if whole := n / row; whole > 0 {
		out = append(out, append(Box{Span(i, i+whole)}, Whole(root[1:])...))
		i, n = i+whole, n-whole*row
	}
	if n > 0 {
		put(i, 0, n)
	}
	return out
}

// Within is b in the packed elements of box, which contains it: C order, and only those of box.
func (b Box) Within(box Box) Box {
	out := make(Box, len(b))
	for a, r := range b {
		if n := r.Len(); n > 0 {
			first := (r.Start - box[a].Start) / box[a].Step
			out[a] = Every(first, first+(n-1)*(r.Step/box[a].Step)+1, max(r.Step/box[a].Step, 1))
		}
	}
	return out
}

// Before returns the box of indices of m's domain, of that shape, whose elements are in box, for a map of which each
// axis of the root follows one axis of the domain at most, and each of those one of the root; false for other maps. It
// is nil where there are none: a box without axes has an element.
func (m Map) Before(box Box, domain []int) (Box, bool) {
	out := Whole(domain)
	used := make([]bool, len(domain))
	for a, r := range box {
		switch terms := m.Terms[a]; len(terms) {
		case 0:
			if !r.Has(m.Start[a]) {
				return nil, true
			}
		case 1:
			t := terms[0]
			if used[t.Axis] || t.Step == 0 {
				return nil, false
			}
			used[t.Axis] = true
			step := max(t.Step, -t.Step)
			there := Every(m.Start[a], m.Start[a]+(domain[t.Axis]-1)*step+1, step)
			if t.Step < 0 {
				there = Every(m.Start[a]-(domain[t.Axis]-1)*step, m.Start[a]+1, step)
			}
			met := there.Meet(r)
			n := met.Len()
			if n == 0 {
				return nil, true
			}
			first, last := (met.Start-m.Start[a])/t.Step, (met.Last()-m.Start[a])/t.Step
			if first > last {
				first, last = last, first
			}
			by := 1
			if n > 1 {
				by = (last - first) / (n - 1)
			}
			out[t.Axis] = Every(first, last+1, by)
		default:
			return nil, false
		}
	}
	return out, true
}

func ceil(n, by int) int { return (n + by - 1) / by }

// divisorsAround returns the divisors of n that are nearest to x: the largest that is not above, then the smallest that
// is not below.
func divisorsAround(n int, x float64) []int {
	below, above := 1, n
	for d := 1; d <= n; d++ {
		if n%d == 0 && float64(d) <= x {
			below = d
		}
		if n%d == 0 && float64(d) >= x && d < above {
			above = d
		}
	}
	return []int{below, above}
}

// primes returns the prime factors of n, the largest first.
func primes(n int) (out []int) {
	for p := 2; n > 1; p++ {
		for ; n%p == 0; n /= p {
			out = append(out, p)
		}
	}
	slices.Reverse(out)
	return out
}
