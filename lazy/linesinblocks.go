package lazy

import (
	"github.com/arrayrepl/arrayrepl/arrays"
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
)

// lineResults are results of lines of an array, one or more for each, that are computed block by block: places of
// extremes along an axis, medians and quantiles of rows.
type lineResults struct {
	n                    *node
	outer, length, inner int   // of what results are made: (outer, length, inner), of which length goes
	shape                []int // of it as it is
	first, last          int   // axes that go: those from first to last
	each                 int   // results of a line, which come first in the result
}

// resultsOfLines returns what n has of lines; ok is false where it has none, or where axes go that do not follow each
// other.
func resultsOfLines(n *node) (l lineResults, ok bool) {
	l = lineResults{n: n, shape: n.args[0].layout.Shape, each: 1}
	var axes []int
	switch {
	case n.kind == kindReduce:
		axes = n.reduce.Axes
	case n.host.reduced != nil:
		axes = n.host.reduced(l.shape)
	}
	if len(axes) == 0 || axes[len(axes)-1]-axes[0] != len(axes)-1 {
		return l, false
	}
	l.first, l.last = axes[0], axes[len(axes)-1]
	l.outer, l.inner = elementsIn(l.shape[:l.first]), elementsIn(l.shape[l.last+1:])
	l.length = elementsIn(l.shape[l.first : l.last+1])
	if l.outer*l.length*l.inner == 0 {
		return l, false
	}
	l.each = elementsIn(n.layout.Shape) / (l.outer * l.inner)
	return l, true
}

// puts reports whether the results come in order, so that they need not fit in memory.
func (l lineResults) puts() bool { return l.each == 1 }

// whole is the function of package arrays that makes results of a block in memory; nil where there is none.
func (l lineResults) whole() func(out *arrays.Array, in []*arrays.Array) {
	run, _ := l.n.host.ann.CPU.(func(out *arrays.Array, in []*arrays.Array))
	return run
}

// fits reports whether results that do not come in order are few enough to wait in memory.
func (l lineResults) fits() bool { return l.each == 1 || sizeBytes(l.n) <= room() }

// run reads blocks of whole lines where these fit in memory, and otherwise each line by itself.
func (l lineResults) run(in blocks, out *sequence) error {
	size := in.dtype.Size()
	line := l.length * size
	switch {
	case line*l.inner <= room():
		return l.collect(out, func(put func(*arrays.Array) error) error {
			units := min(max(room()/(line*l.inner), 1), l.outer)
			if l.first == 0 { // there is no axis for them
				units = 1
			}
			b := make([]byte, units*line*l.inner)
			for at := 0; at < l.outer; at += units {
				k := min(units, l.outer-at)
				block := b[:k*line*l.inner]
				if err := in.read(block, at*l.length*l.inner); err != nil {
					return err
				}
				if err := put(l.of(in, block, k, l.inner)); err != nil {
					return err
				}
			}
			return nil
		})
	case l.n.kind == kindReduce:
		return l.folded(in, out)
	case line <= room():
		return l.collect(out, func(put func(*arrays.Array) error) error {
			return l.columns(in, room()/line, func(at, lo, k int) error {
				b := make([]byte, line*k)
				if err := in.readRows(b, at+lo, l.length, k, l.inner); err != nil {
					return err
				}
				return put(l.of(in, b, 1, k))
			})
		})
	}
	return l.collect(out, func(put func(*arrays.Array) error) error { return l.sorted(in, put) })
}

// columns calls f for columns lo to lo+k-1, at most so many, of what begins at each element at.
func (l lineResults) columns(in blocks, most int, f func(at, lo, k int) error) error {
	for at := 0; at < in.n; at += l.length * l.inner {
		for lo := 0; lo < l.inner; lo += most {
			if err := f(at, lo, min(most, l.inner-lo)); err != nil {
				return err
			}
		}
	}
	return nil
}

// readRows reads so many rows of k elements, each stride elements after the one before.
func (in blocks) readRows(b []byte, at, rows, k, stride int) error {
	if k == stride {
		return in.read(b, at)
	}
	row := k * in.dtype.Size()
	for i := range rows {
		if err := in.read(b[i*row:(i+1)*row], at+i*stride); err != nil {
			return err
		}
	}
	return nil
}

// of returns the results of a block of shape (outer, length, inner).
func (l lineResults) of(in blocks, block []byte, outer, inner int) *arrays.Array {
	n := l.n
	if n.kind == kindReduce {
		x := arrays.FromBytes(in.dtype, []int{outer, l.length, inner}, block)
		spec, err := n.reduce.Reduction.Resolve(in.dtype, x.Shape(), arrays.Axis(1))
		check(n.reduce.Reduction.String(), err)
		return spec.Apply(x)
	}
	x := arrays.FromBytes(in.dtype, l.part(outer, inner), block)
	out := arrays.New(n.dtype, l.resultShape(outer, inner)...)
	l.whole()(out, append([]*arrays.Array{x}, in.others...))
	return out
}

// part is the shape of a block with all axes of the whole, so that axes have their numbers.
func (l lineResults) part(outer, inner int) []int {
	out := make([]int, len(l.shape))
	for k := range out {
		switch {
		case k >= l.first && k <= l.last:
			out[k] = l.shape[k]
		case k == l.first-1:
			out[k] = outer
		case k == len(out)-1:
			out[k] = inner
		default:
			out[k] = 1
		}
	}
	return out
}

// resultShape is that of the results of a block.
func (l lineResults) resultShape(outer, inner int) []int {
	whole := l.n.layout.Shape
	gone := l.last - l.first + 1
	before := len(whole) - len(l.shape) // axes of the results of a line
	keeps := before >= 0 && elementsIn(whole[:before]) == l.each && l.keeps(whole[before:])
	if !keeps {
		before += gone
	}
	out := append([]int{}, whole[:before]...)
	for k, n := range l.part(outer, inner) {
		switch {
		case k < l.first || k > l.last:
			out = append(out, n)
		case keeps:
			out = append(out, 1)
		}
	}
	return out
}

// keeps reports whether shape is that of the whole with axes of size 1 in the place of those that go.
func (l lineResults) keeps(shape []int) bool {
	for k, n := range shape {
		if want := l.shape[k]; k >= l.first && k <= l.last {
			if n != 1 {
				return false
			}
		} else if n != want {
			return false
		}
	}
	return true
}

// collect writes results that come in order as they come, and others when all are there.
func (l lineResults) collect(out *sequence, run func(put func(*arrays.Array) error) error) error {
	if l.each == 1 {
		return run(func(r *arrays.Array) error { return out.put(r.Copy().Bytes()) })
	}
	all := arrays.New(l.n.dtype, l.each, l.outer*l.inner)
	at := 0
	err := run(func(r *arrays.Array) error {
		k := r.Size() / l.each
		all.Set(r.Reshape(l.each, k), arrays.All, arrays.S(at, at+k))
		at += k
		return nil
	})
	if err != nil {
		return err
	}
	return out.put(all.Bytes())
}

// sorted sorts each line out of core.
func (l lineResults) sorted(in blocks, put func(*arrays.Array) error) error {
	line := in
	line.n = l.length
	if l.inner == 1 {
		for ; line.first < in.first+in.n; line.first += l.length {
			if err := l.ofLine(line, put); err != nil {
				return err
			}
		}
		return nil
	}
	lines, err := disk.Temporary(in.dir, int64(l.length)*int64(l.inner)*int64(in.dtype.Size()))
	if err != nil {
		return err
	}
	defer lines.Release()
	for at := 0; at < in.n; at += l.length * l.inner {
		if err := untangled(in, lines, at, l.length, l.inner); err != nil {
			return err
		}
		line.memory, line.source = nil, lines
		for line.first = 0; line.first < l.length*l.inner; line.first += l.length {
			if err := l.ofLine(line, put); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l lineResults) ofLine(line blocks, put func(*arrays.Array) error) error {
	r, err := l.n.ofSortedLine(line, l.resultShape(1, 1))
	if err != nil {
		return err
	}
	return put(r)
}

// folded finds places of extremes in blocks of columns, some rows after the other: the first place of the largest or
// the least element so far, or of a NaN.
func (l lineResults) folded(in blocks, out *sequence) error {
	size, r := in.dtype.Size(), l.n.reduce.Reduction
	most := max(room()/8/size, 1)
	return l.columns(in, most, func(at, lo, k int) error {
		rows := max(room()/(k*size), 1)
		b := make([]byte, min(rows, l.length)*k*size)
		var best, place *arrays.Array
		for from := 0; from < l.length; from += rows {
			n := min(rows, l.length-from)
			if err := in.readRows(b[:n*k*size], at+from*l.inner+lo, n, k, l.inner); err != nil {
				return err
			}
			block := arrays.FromBytes(in.dtype, []int{n, k}, b[:n*k*size])
			spec, err := r.Resolve(in.dtype, block.Shape(), arrays.Axis(0))
			if err != nil {
				return err
			}
			where := spec.Apply(block)
			here := arrays.TakeAlongAxis(block, where.Reshape(1, k), arrays.Axis(0)).Reshape(k)
			where = where.Add(from)
			if best == nil {
				best, place = here, where
				continue
			}
			better := here.Greater(best)
			if r == arrays.ReduceArgMin {
				better = here.Less(best)
			}
			better = arrays.LogicalAnd(arrays.LogicalOr(better, here.NotEqual(here)), best.Equal(best))
			best, place = arrays.Where(better, here, best), arrays.Where(better, where, place)
		}
		return out.put(place.AsType(l.n.dtype).Bytes())
	})
}
