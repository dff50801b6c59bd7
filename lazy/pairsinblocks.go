package lazy

import (
	"github.com/arrayrepl/arrayrepl/arrays"
)

// What takes two arrays element by element, and gives something of another shape, reads both block by block, where one
// is in a file, or made of one, and more than the budget.

// dirOf is where the file is of which one of two arrays is made that is too large for memory as it is; "" for neither.
func dirOf(a, b *Array) string {
	if dir := a.oversized(); dir != "" {
		return dir
	}
	return b.oversized()
}

// held is a's elements, to be read piece by piece: of what is small enough, from memory.
func held(a *Array, dir string) (in blocks, release func(), err error) {
	if a.oversized() != "" {
		return a.blocks(dir)
	}
	eager := a.Array().Reshape(-1).Copy()
	in = blocks{ctx: runtime().CellContext(), dtype: a.dtype, n: a.Size(), memory: eager.Bytes()}
	return in, func() {}, nil
}

// pointsInBlocks counts the points (x, y) in a grid of bins between edges; ok is false where it is done otherwise.
func pointsInBlocks(a, b *Array, bins []int, xEdges, yEdges *Array) (counts *Array, ok bool) {
	dir := dirOf(a, b)
	if dir == "" {
		return nil, false
	}
	Eval(xEdges, yEdges)
	ex, ey := xEdges.Array(), yEdges.Array()
	limits := []float64{ex.At(0).Float64(), ex.At(-1).Float64(), ey.At(0).Float64(), ey.At(-1).Float64()}
	x, release, err := held(a, dir)
	check("histogram2d", err)
	defer release()
	y, release, err := held(b, dir)
	check("histogram2d", err)
	defer release()
	sum := arrays.Zeros(bins[0], bins[1])
	some := max(room()/16/8, 1<<10) // points: counting them takes some arrays of as many
	bytes := [2][]byte{make([]byte, some*a.dtype.Size()), make([]byte, some*b.dtype.Size())}
	for at := 0; at < x.n; at += some {
		n := min(some, x.n-at)
		var part [2]*arrays.Array
		for i, in := range []blocks{x, y} {
			to := bytes[i][:n*in.dtype.Size()]
			check("histogram2d", in.read(to, at))
			part[i] = arrays.FromBytes(in.dtype, []int{n}, to)
		}
		c, _, _ := arrays.Histogram2D(part[0], part[1], bins, limits...)
		sum = sum.Add(c)
	}
	return FromArray(sum), true
}

// pickedInBlocks selects the elements of a for which mask is true, in C order, where they, or the mask, are too many
// for memory: to a temporary file, if they are. ok is false where it is done otherwise.
func pickedInBlocks(a, mask *Array) (picks *Array, ok bool) {
	dir := a.oversized()
	if dir == "" {
		return nil, false
	}
	if mask.oversized() == "" {
		sum := mask.Sum()
		Eval(mask, sum)
		if int64(sum.Int())*int64(a.dtype.Size()) <= runtime().HostBudget() {
			return nil, false
		}
	}
	truths, release, err := held(mask, dir)
	check("compress", err)
	defer release()
	from, release, err := a.blocks(dir)
	check("compress", err)
	defer release()
	found, err := newList(dir, a.Size(), a.dtype)
	check("compress", err)
	defer found.close()
	size := a.dtype.Size()
	some := max(room()/4/size, 1<<10)
	b := make([]byte, some*size)
	check("compress", truths.each(func(m *arrays.Array, at int) error {
		for lo := 0; lo < m.Len(); lo += some {
			part := m.At(arrays.S(lo, min(lo+some, m.Len())))
			if err := eachStretch(part, func(lo2, hi int) error {
				to := b[:(hi-lo2)*size]
				if err := from.read(to, at+lo+lo2); err != nil {
					return err
				}
				return found.put(arrays.Compress(part.At(arrays.S(lo2, hi)), arrays.FromBytes(a.dtype, []int{hi - lo2}, to)))
			}); err != nil {
				return err
			}
		}
		return nil
	}))
	picks, err = found.array()
	check("compress", err)
	return picks, true
}

// eachStretch calls f for the parts of a mask that have something true: those without it are left out where they are
// of some length, since a read more costs as much as many elements.
func eachStretch(mask *arrays.Array, f func(lo, hi int) error) error {
	const length = 8 << 10
	truths := mask.Bytes()
	begin := -1
	for lo := 0; lo < len(truths); lo += length {
		some := false
		for _, t := range truths[lo:min(lo+length, len(truths))] {
			if some = t != 0; some {
				break
			}
		}
		switch {
		case some && begin < 0:
			begin = lo
		case !some && begin >= 0:
			if err := f(begin, lo); err != nil {
				return err
			}
			begin = -1
		}
	}
	if begin >= 0 {
		return f(begin, len(truths))
	}
	return nil
}
