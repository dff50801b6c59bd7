package lazy

import (
	"math"
	"slices"
	"sort"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/sorting"
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
)

// Elements that do not fit in memory are sorted in runs that do, which go to a temporary file as the keys by which
// package arrays sorts too, and are merged: the result has its bits. Of dtypes with few values these are counted.

// sortsInRuns reports whether elements of d are sorted so.
func sortsInRuns(d arrays.DType) bool {
	return d.IsBool() || d.IsInt() || d == arrays.Float32 || d == arrays.Float64
}

const (
	mostRuns = 256     // that are merged at once
	leastRun = 4 << 10 // bytes of each of them that are in memory
)

// sortInRuns writes the elements of in to out, in order.
func sortInRuns(in blocks, out *sequence) error {
	switch in.dtype.Size() {
	case 1:
		return countAll[uint8](in, out)
	case 2:
		return countAll[uint16](in, out)
	case 4:
		return runsOf[uint32](in, out)
	}
	return runsOf[uint64](in, out)
}

// elementsAs sees bytes as numbers.
func elementsAs[K any](b []byte) []K {
	var k K
	return unsafe.Slice((*K)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(k)))
}

func bytesOf[K any](x []K) []byte {
	var k K
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(k)))
}

// countAll sorts by counting each value.
func countAll[K uint8 | uint16](in blocks, out *sequence) error {
	counts := make([]int, int(^K(0))+1)
	flip := K(0) // signs, so that keys are in order
	if in.dtype.IsInt() && !in.dtype.IsUnsigned() {
		flip = ^(^K(0) >> 1)
	}
	err := in.each(func(b *arrays.Array, _ int) error {
		for _, k := range elementsAs[K](b.Bytes()) {
			counts[k^flip]++
		}
		return nil
	})
	if err != nil {
		return err
	}
	block := make([]K, 1<<16)
	for key, n := range counts {
		for i := range block[:min(n, len(block))] {
			block[i] = K(key) ^ flip
		}
		for ; n > 0; n -= min(n, len(block)) {
			if err := in.ctx.Err(); err != nil {
				return err
			}
			if err := out.put(bytesOf(block[:min(n, len(block))])); err != nil {
				return err
			}
		}
	}
	return nil
}

// keysOf makes keys of elements, or elements of keys, where they lie.
type keysOf[K sorting.Key] struct{ of, to func(x []K) }

func keysFor[K sorting.Key](in blocks) keysOf[K] {
	poll := in.poll()
	flip := func(x []K) { sorting.FlipSigns(x, x, poll) }
	switch {
	case in.dtype.IsFloat():
		return keysOf[K]{func(x []K) { sorting.OfFloats(x, x, false, poll) }, func(x []K) { sorting.ToFloats(x, x, poll) }}
	case in.dtype.IsUnsigned():
		return keysOf[K]{func([]K) {}, func([]K) {}}
	}
	return keysOf[K]{flip, flip}
}

// poll ends what takes long when the cell is interrupted.
func (in blocks) poll() func() {
	return func() {
		if err := in.ctx.Err(); err != nil {
			panic(err)
		}
	}
}

// run is sorted keys in a file.
type run[K sorting.Key] struct {
	from    *disk.Source
	at, end int64 // bytes that are not in memory
	keys    []K   // that are, those that were not taken
	room    []K
}

// more reads what comes next.
func (r *run[K]) more() error {
	b := bytesOf(r.room)
	b = b[:min(int64(len(b)), r.end-r.at)]
	if err := r.from.ReadAt(b, r.at); err != nil {
		return err
	}
	r.keys = r.room[:len(b)/(len(bytesOf(r.room))/len(r.room))]
	r.at += int64(len(b))
	return nil
}

// runsOf sorts elements of which K is as wide as the keys.
func runsOf[K sorting.Key](in blocks, out *sequence) (err error) {
	size := in.dtype.Size()
	keys, poll := keysFor[K](in), in.poll()
	buffer := make([]K, min(room()/size, in.n))
	if in.n <= len(buffer) {
		if err := in.read(bytesOf(buffer), 0); err != nil {
			return err
		}
		keys.of(buffer)
		sorting.Keys(buffer, poll)
		keys.to(buffer)
		return out.put(bytesOf(buffer))
	}
	file, err := disk.Temporary(in.dir, int64(in.n)*int64(size))
	if err != nil {
		return err
	}
	defer func() { file.Release() }()
	var runs []*run[K]
	to := &sequence{source: file}
	for at := 0; at < in.n; {
		part := buffer[:min(len(buffer), in.n-at)]
		if err := in.read(bytesOf(part), at); err != nil {
			return err
		}
		keys.of(part)
		sorting.Keys(part, poll)
		first := to.at
		if err := to.put(bytesOf(part)); err != nil {
			return err
		}
		runs = append(runs, &run[K]{from: file, at: first, end: to.at})
		at += len(part)
	}
	most := min(max(len(buffer)*size/2/leastRun, 2), mostRuns)
	for len(runs) > most { // not all at once
		next, err := disk.Temporary(in.dir, int64(in.n)*int64(size))
		if err != nil {
			return err
		}
		longer, err := mergeGroups(in, runs, next, most, buffer)
		file.Release()
		if file = next; err != nil {
			return err
		}
		runs = longer
	}
	return mergeRuns(in, runs, buffer, func(part []K) error {
		keys.to(part)
		return out.put(bytesOf(part))
	})
}

// mergeGroups makes fewer and longer runs.
func mergeGroups[K sorting.Key](in blocks, runs []*run[K], file *disk.Source, most int, buffer []K) (longer []*run[K], err error) {
	to := &sequence{source: file}
	for group := range slices.Chunk(runs, most) {
		first := to.at
		if err := mergeRuns(in, group, buffer, func(part []K) error { return to.put(bytesOf(part)) }); err != nil {
			return nil, err
		}
		longer = append(longer, &run[K]{from: file, at: first, end: to.at})
	}
	return longer, nil
}

// mergeRuns puts the keys of sorted runs, in order, block by block. The buffer is for all of that. It is a tree of
// losers: a key that is taken is followed by comparisons on the way from its run to the root.
func mergeRuns[K sorting.Key](in blocks, runs []*run[K], buffer []K, put func(part []K) error) error {
	out, rest := buffer[:len(buffer)/2], buffer[len(buffer)/2:]
	each := len(rest) / len(runs)
	for i, r := range runs {
		r.room = rest[i*each : (i+1)*each]
		if err := r.more(); err != nil {
			return err
		}
	}
	leaves := 1
	for leaves < len(runs) {
		leaves *= 2
	}
	head := func(i int) (K, bool) { // of a run; false where it has ended
		if i >= len(runs) || len(runs[i].keys) == 0 {
			return ^K(0), false
		}
		return runs[i].keys[0], true
	}
	before := func(i, j int) bool {
		x, there := head(i)
		y, other := head(j)
		if !there || !other {
			return there
		}
		return x <= y
	}
	losers := make([]int, leaves) // of inner nodes; 0 has the winner of all
	var play func(at int) int
	play = func(at int) int {
		if at >= leaves {
			return at - leaves
		}
		x, y := play(2*at), play(2*at+1)
		if before(x, y) {
			losers[at] = y
			return x
		}
		losers[at] = x
		return y
	}
	winner, n := play(1), 0
	for {
		key, there := head(winner)
		if !there || n == len(out) {
			if err := in.ctx.Err(); err != nil {
				return err
			}
			if err := put(out[:n]); err != nil || !there {
				return err
			}
			n = 0
		}
		out[n] = key
		n++
		r := runs[winner]
		if r.keys = r.keys[1:]; len(r.keys) == 0 && r.at < r.end {
			if err := r.more(); err != nil {
				return err
			}
		}
		for at := (winner + leaves) / 2; at > 0; at /= 2 {
			if before(losers[at], winner) {
				winner, losers[at] = losers[at], winner
			}
		}
	}
}

// ofSorted computes n by way of a file in which the elements of its first argument are sorted.
func (n *node) ofSorted(in blocks, out *sequence) error {
	size := in.dtype.Size()
	file, err := disk.Temporary(in.dir, int64(in.n)*int64(size))
	if err != nil {
		return err
	}
	defer file.Release()
	if err := sortInRuns(in, &sequence{source: file}); err != nil {
		return err
	}
	var failed error
	line := arrays.SortedLine{DType: in.dtype, N: in.n, Valid: in.n, Lookup: func(dst []byte, places []int) {
		for i, k := range places {
			if err := in.ctx.Err(); err != nil {
				failed = err
				return
			}
			if err := file.ReadAt(dst[i*size:][:size], int64(k)*int64(size)); err != nil {
				failed = err
				return
			}
		}
	}}
	if in.dtype.IsFloat() { // NaNs are last
		b := make([]byte, size)
		line.Valid = sort.Search(in.n, func(k int) bool {
			line.Lookup(b, []int{k})
			return failed != nil || math.IsNaN(arrays.FromBytes(in.dtype, []int{1}, b).At(0).Float64())
		})
	}
	result := arrays.Zeros(n.layout.Shape...).AsType(n.dtype)
	if failed == nil {
		n.host.sorted(result, append([]*arrays.Array{nil}, in.others...), line)
	}
	if failed != nil {
		return failed
	}
	return out.put(result.Bytes())
}
