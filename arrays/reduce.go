package arrays

import (
	"bytes"
	byteorder "encoding/binary" // binary is a loop's name here
	"math/bits"
	"slices"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// reducer reduces elements of the dtype in which values are accumulated.
type reducer struct {
	// run reduces the count elements that in reads, once from each place of kept, to a 1-d array of as many results as
	// kept has elements.
	run func(in *stream, kept Layout, count int) *Array
	// few is run for at most foldBlock elements that lie side by side; there is one at least.
	few func(dst, src []byte)
}

const (
	foldBlock = 256 // elements that one accumulation loop sees; blocks are then joined pairwise
	foldTile  = 64  // results worked on together, so that cache lines serve neighbouring columns
	rowsAhead = 2   // of a tile that are asked for early: processors do not look beyond a page for the next
	rowTile   = 512 // and where whole rows of them are taken, which lie far from each other
)

// fold is what a folding does with elements of a type.
type fold[T element] struct {
	block func([]T) T    // the result of some elements
	join  func(a, b T) T // of two neighbouring parts
	// columns is block for neighbouring columns at once, of which next gives count rows; nil where there is none.
	columns func(out []T, count int, next func() []T)
	narrow  func([]float32) T // block of float32 that are accumulated as T; nil where there is none
	// whole is block of however many where the order does not count; nil where it does.
	whole  func([]T) T
	truths func([]uint8) T // whole of bools that are accumulated as T; nil where there is none
	// last reports whether no more elements change a result, which whole gave of some; nil where all count.
	last func(T) bool
}

// perPiece is the number of elements that a processor folds at a time: without an order as many as have the bytes of
// share float64.
func (how fold[T]) perPiece() int {
	if how.whole != nil {
		return share * 8 / sizeOfElement[T]()
	}
	return share
}

// folding returns the reducer that applies block to every foldBlock elements in C order and joins the results in a
// balanced tree: rounding errors of a sum grow with the logarithm of the count.
func folding[T element](acc DType, block func([]T) T, join func(a, b T) T) reducer {
	return foldingColumns(acc, fold[T]{block: block, join: join})
}

// foldingColumns is folding, which takes neighbouring columns together where how has a way to.
func foldingColumns[T element](acc DType, how fold[T]) reducer {
	few := func(dst, src []byte) { elements[T](dst)[0] = how.block(elements[T](src)) }
	return reducer{few: few, run: func(in *stream, kept Layout, count int) *Array {
		out := New(acc, kept.Size())
		results := elements[T](out.data)
		if each := how.perPiece(); kept.Size() == 1 && count > each && (how.whole == nil || count > shared/share*each) {
			foldShared(in, kept, count, results, how)
			return out
		}
		run := how.runOf(in)
		if run != nil && kept.Size() == 1 {
			results[0] = run(kept.Offset, count)
			return out
		}
		tile := foldTile
		if how.columns != nil && in.from == in.dtype {
			tile = rowTile
		}
		if last := len(in.view.Strides) - 1; last >= 0 && in.view.Strides[last] == 1 && in.view.Shape[last] >= foldBlock {
			tile = 1 // elements that follow each other in memory are read so
		}
		perPiece := max(1, share/max(count, 1)/tile) * tile
		pieces := (len(results) + perPiece - 1) / perPiece
		workers.Do(pieces, func(i int) {
			var f *folder[T]
			if run == nil {
				f = newFolder(in, how)
			}
			lo, hi := i*perPiece, min((i+1)*perPiece, len(results))
			eachTileOf(kept, lo, hi, tile, func(lo int, bases []int) {
				if run != nil {
					for j, base := range bases {
						results[lo+j] = run(base, count)
					}
					return
				}
				f.begin(bases)
				f.fold(results[lo:lo+len(bases)], 0, count, 0)
			})
		}, poll)
		return out
	}}
}

// foldShared is the folding of many elements to one by several processors. Its pieces are subtrees of the same tree: of
// a balanced tree over a power of two of blocks, those that begin at multiples of a smaller power.
func foldShared[T element](in *stream, kept Layout, count int, out []T, how fold[T]) {
	each := how.perPiece()
	pieces := make([]T, (count+each-1)/each)
	base := kept.Offset
	run := how.runOf(in)
	workers.Do(len(pieces), func(i int) {
		if run != nil {
			pieces[i] = run(base+i*each, min(each, count-i*each))
			return
		}
		f := newFolder(in, how)
		f.begin([]int{base})
		f.fold(pieces[i:i+1], i*each, min((i+1)*each, count), 0)
	}, poll)
	var combine func(lo, hi int) T
	combine = func(lo, hi int) T {
		if hi-lo == 1 {
			return pieces[lo]
		}
		half := 1
		for 2*half < hi-lo {
			half *= 2
		}
		return how.join(combine(lo, lo+half), combine(lo+half, hi))
	}
	out[0] = combine(0, len(pieces))
}

// runOf returns what folds count elements of storage from base on, where what in reads follows each other in memory and
// how has a loop for it as it is; else nil. It needs no memory.
func (how fold[T]) runOf(in *stream) func(base, count int) T {
	switch {
	case len(in.view.Strides) != 1 || in.view.Strides[0] != 1:
		return nil
	case in.from == in.dtype && how.whole != nil:
		source := elements[T](in.source)
		return func(base, count int) T {
			return how.inOrder(count, how.perPiece(), func(lo, hi int) []T { return source[base+lo : base+hi] })
		}
	case in.from == in.dtype:
		source := elements[T](in.source)
		return func(base, count int) T {
			var work poller
			return foldRun(source[base:base+count], how.block, how.join, &work)
		}
	case in.from == Float32 && how.narrow != nil:
		source := elements[float32](in.source)
		return func(base, count int) T {
			var work poller
			return foldRun(source[base:base+count], how.narrow, how.join, &work)
		}
	case in.from == Bool && how.truths != nil:
		return func(base, count int) T { return how.truths(in.source[base : base+count]) }
	case how.whole != nil && in.from.IsNumber() && in.dtype.IsNumber() && in.dtype.Size() <= 8:
		return func(base, count int) T {
			room := blockRooms.Get().(*blockRoom)
			defer blockRooms.Put(room)
			return how.inOrder(count, blockLen, func(lo, hi int) []T {
				block := elements[T](bytesOf(room[0][:]))[:hi-lo]
				in.cast(bytesOf(block), in.source, base+lo, 1)
				return block
			})
		}
	}
	return nil
}

// inOrder folds the parts of 0 to count, of at most so many elements, by whole.
func (how fold[T]) inOrder(count, most int, part func(lo, hi int) []T) T {
	var work poller
	result := how.whole(part(0, min(most, count)))
	for lo := most; lo < count && !(how.last != nil && how.last(result)); lo += most {
		hi := min(lo+most, count)
		work.did(hi - lo)
		result = how.join(result, how.whole(part(lo, hi)))
	}
	return result
}

// foldRun is the tree of folder.fold over elements that follow each other.
func foldRun[S, T element](x []S, block func([]S) T, join func(a, b T) T, work *poller) T {
	if len(x) <= foldBlock {
		work.did(len(x))
		return block(x)
	}
	half := foldBlock
	for 2*half < len(x) {
		half *= 2
	}
	left := foldRun(x[:half], block, join, work)
	return join(left, foldRun(x[half:], block, join, work))
}

// folder is the state of one folding.
type folder[T element] struct {
	how     fold[T]
	in      *stream
	bases   []int // the storage element from which each result's input is counted
	columns bool  // the bases follow each other, and rows can be read where they lie
	right   [][]T // room for the right half's results, by depth
	work    poller
}

// newFolder returns a folder that reads in by itself.
func newFolder[T element](in *stream, how fold[T]) *folder[T] {
	own := *in
	own.buf, own.filled, own.index = nil, 0, slices.Clone(in.index)
	return &folder[T]{how: how, in: &own}
}

// begin sets the results that are worked on.
func (f *folder[T]) begin(bases []int) {
	f.bases = bases
	f.columns = f.how.columns != nil && len(bases) > 1 && f.in.from == f.in.dtype
	for j, base := range bases {
		f.columns = f.columns && base == bases[0]+j
	}
}

// fold reduces elements lo to hi of every base of the tile into out.
func (f *folder[T]) fold(out []T, lo, hi, depth int) {
	if hi-lo <= foldBlock {
		f.work.did(len(out) * (hi - lo))
		if f.columns && hi > lo {
			source := elements[T](f.in.source)
			f.in.seek(f.bases[0], lo)
			ahead := 0
			if last := len(f.in.view.Strides) - 1; last >= 0 { // else there is one row
				ahead = rowsAhead * f.in.view.Strides[last]
			}
			f.how.columns(out, hi-lo, func() []T {
				row := source[f.in.at : f.in.at+len(out)]
				if next := f.in.at + ahead; ahead != 0 && len(out) >= foldTile && next >= 0 && next+len(out) <= len(source) {
					vector.Prefetch(len(out)*f.in.dtype.Size(), unsafe.Pointer(&source[next]))
				}
				f.in.advance(1)
				return row
			})
			return
		}
		for j := range out {
			f.in.seek(f.bases[j], lo)
			out[j] = f.how.block(elements[T](f.in.next(hi - lo)))
		}
		return
	}
	half := foldBlock
	for 2*half < hi-lo {
		half *= 2
	}
	f.fold(out, lo, lo+half, depth+1)
	for len(f.right) <= depth {
		f.right = append(f.right, make([]T, len(out))) // no later tile is larger
	}
	right := f.right[depth][:len(out)]
	f.fold(right, lo+half, hi, depth+1)
	for j := range out {
		out[j] = f.how.join(out[j], right[j])
	}
}

// eachTile calls do with the storage positions of foldTile elements of l at a time.
func eachTile(l Layout, do func(lo int, bases []int)) { eachTileOf(l, 0, l.Size(), foldTile, do) }

// eachTileOf does so with tile elements at a time, of those from first to end in C order.
func eachTileOf(l Layout, first, end, tile int, do func(lo int, bases []int)) {
	if first >= end {
		return
	}
	walk := newWalk(l)
	walk.seek(l.Offset, first)
	bases := make([]int, tile)
	for lo := first; lo < end; lo += tile {
		bases = bases[:min(tile, end-lo)]
		for j := range bases {
			bases[j] = walk.at
			walk.advance(1)
		}
		do(lo, bases)
	}
}

// averaging divides sums by the count; the mean of nothing is NaN, as in NumPy.
func averaging(acc DType, sum reducer) reducer {
	return reducer{
		run: func(in *stream, kept Layout, count int) *Array {
			out := sum.run(in, kept, count)
			divideAll(out.data, acc, count)
			return out
		},
		few: func(dst, src []byte) {
			sum.few(dst, src)
			divideAll(dst[:acc.Size()], acc, len(src)/acc.Size())
		},
	}
}

// divideAll divides sums of dtype acc by the count.
func divideAll(sums []byte, acc DType, count int) {
	switch acc {
	case Float64:
		v := elements[float64](sums)
		for i := range v {
			v[i] /= float64(count)
		}
	case Complex128:
		v := elements[complex128](sums)
		for i := range v {
			v[i] = complex(real(v[i])/float64(count), imag(v[i])/float64(count))
		}
	default: // spans
		v := elements[int64](sums)
		for i := range v {
			if v[i] != notATime {
				v[i] = divSpan(v[i], int64(count))
			}
		}
	}
}

// accumulator is what sums and products are kept in.
type accumulator interface {
	int64 | uint64 | float64 | complex128
}

// sumBlock adds in eight running sums, which hides the latency of additions.
func sumBlock[T accumulator](x []T) T {
	var s0, s1, s2, s3, s4, s5, s6, s7 T
	for ; len(x) >= 8; x = x[8:] {
		s0 += x[0]
		s1 += x[1]
		s2 += x[2]
		s3 += x[3]
		s4 += x[4]
		s5 += x[5]
		s6 += x[6]
		s7 += x[7]
	}
	sum := ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
	for _, v := range x {
		sum += v
	}
	return sum
}

// sumFloats is sumBlock by vectors, which add in the same order.
func sumFloats(x []float64) float64 {
	whole := len(x) &^ 7
	sum, ok := vector.SumFloat64(x[:whole])
	if !ok {
		return sumBlock(x)
	}
	for _, v := range x[whole:] {
		sum += v
	}
	return sum
}

// sumNarrow is sumFloats of float32.
func sumNarrow(x []float32) float64 {
	whole := len(x) &^ 7
	sum, ok := vector.SumFloat32(x[:whole])
	if !ok {
		var wide [foldBlock]float64
		for i, v := range x {
			wide[i] = float64(v)
		}
		return sumBlock(wide[:len(x)])
	}
	for _, v := range x[whole:] {
		sum += float64(v)
	}
	return sum
}

// countTrue sums bools, which are bytes 0 and 1, by eights.
func countTrue[T int | int64 | uint64](x []uint8) T {
	count, whole := 0, len(x)&^7
	for i := 0; i < whole; i += 8 {
		count += bits.OnesCount64(byteorder.LittleEndian.Uint64(x[i:]))
	}
	for _, v := range x[whole:] {
		count += int(v)
	}
	return T(count)
}

func maxBlock[T realNumber](x []T) T {
	best := x[0]
	for _, v := range x {
		best = max(best, v)
	}
	return best
}

func minBlock[T realNumber](x []T) T {
	best := x[0]
	for _, v := range x {
		best = min(best, v)
	}
	return best
}

func plus[T accumulator](a, b T) T   { return a + b }
func larger[T realNumber](a, b T) T  { return max(a, b) }
func smaller[T realNumber](a, b T) T { return min(a, b) }

// prodBlock multiplies in eight running products, as sumBlock adds.
func prodBlock[T accumulator](x []T) T {
	p := [8]T{1, 1, 1, 1, 1, 1, 1, 1}
	for ; len(x) >= 8; x = x[8:] {
		for i := range p {
			p[i] *= x[i]
		}
	}
	prod := ((p[0] * p[1]) * (p[2] * p[3])) * ((p[4] * p[5]) * (p[6] * p[7]))
	for _, v := range x {
		prod *= v
	}
	return prod
}

func product[T accumulator](a, b T) T { return a * b }

func allBlock(x []uint8) uint8 { return bit(bytes.IndexByte(x, 0) < 0) }
func anyBlock(x []uint8) uint8 { return bit(bytes.IndexByte(x, 1) >= 0) }
