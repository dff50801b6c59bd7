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

// keysFor makes keys of dtype's elements. equalZeros is whether zeros of both signs are one, as for places.
func keysFor[K sorting.Key](in blocks, equalZeros bool) keysOf[K] {
	poll := in.poll()
	flip := func(x []K) { sorting.FlipSigns(x, x, poll) }
	switch {
	case in.dtype.IsFloat():
		return keysOf[K]{func(x []K) { sorting.OfFloats(x, x, equalZeros, poll) }, func(x []K) { sorting.ToFloats(x, x, poll) }}
	case in.dtype.IsUnsigned() || in.dtype.IsBool():
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

// sorter sorts keys that are more than there is memory for, and numbers that go with them: of equal keys what was first
// stays first.
type sorter[K sorting.Key] struct {
	in     blocks // context and directory
	n      int
	beside bool // numbers go with the keys
	// fill makes keys from number at on, and where numbers go with them these.
	fill func(keys []K, beside []int64, at int) error
}

// runFile has sorted runs, one after the other.
type runFile struct{ keys, beside *disk.Source }

func (f runFile) release() {
	f.keys.Release()
	if f.beside != nil {
		f.beside.Release()
	}
}

func (s sorter[K]) file() (f runFile, err error) {
	var k K
	if f.keys, err = disk.Temporary(s.in.dir, int64(s.n)*int64(unsafe.Sizeof(k))); err != nil || !s.beside {
		return f, err
	}
	if f.beside, err = disk.Temporary(s.in.dir, 8*int64(s.n)); err != nil {
		f.keys.Release()
	}
	return f, err
}

// runWriter writes to a runFile from its beginning on.
type runWriter[K sorting.Key] struct {
	keys, beside sequence
	n            int
}

func writerTo[K sorting.Key](f runFile) *runWriter[K] {
	return &runWriter[K]{keys: sequence{source: f.keys}, beside: sequence{source: f.beside}}
}

func (w *runWriter[K]) put(keys []K, beside []int64) error {
	w.n += len(keys)
	if err := w.keys.put(bytesOf(keys)); err != nil || beside == nil {
		return err
	}
	return w.beside.put(bytesOf(beside))
}

// run is a sorted part of a file.
type run[K sorting.Key] struct {
	from       runFile
	at, end    int // what is not in memory
	keys, room []K // that are there and were not taken, and where they are
	beside     []int64
	besideRoom []int64
}

// more reads what comes next.
func (r *run[K]) more() error {
	r.keys = r.room[:min(len(r.room), r.end-r.at)]
	b := bytesOf(r.keys)
	if err := r.from.keys.ReadAt(b, int64(r.at)*int64(len(b)/max(len(r.keys), 1))); err != nil {
		return err
	}
	if r.from.beside != nil {
		r.beside = r.besideRoom[:len(r.keys)]
		if err := r.from.beside.ReadAt(bytesOf(r.beside), 8*int64(r.at)); err != nil {
			return err
		}
	}
	r.at += len(r.keys)
	return nil
}

// buffers are what a sorter has in memory.
type buffers[K sorting.Key] struct {
	keys           []K
	sorted         []K // these and those below are nil where no numbers go with the keys
	places, beside []int64
}

func (s sorter[K]) buffers() buffers[K] {
	var k K
	each := int(unsafe.Sizeof(k))
	if !s.beside {
		return buffers[K]{keys: make([]K, min(room()/each, s.n))}
	}
	n := min(room()/(2*each+16), s.n)
	return buffers[K]{make([]K, n), make([]K, n), make([]int64, n), make([]int64, n)}
}

// some sorts those from number at on for which there is room.
func (s sorter[K]) some(b buffers[K], at int) (keys []K, beside []int64, err error) {
	n := min(len(b.keys), s.n-at)
	keys, poll := b.keys[:n], s.in.poll()
	if !s.beside {
		if err := s.fill(keys, nil, at); err != nil {
			return nil, nil, err
		}
		sorting.Keys(keys, poll)
		return keys, nil, nil
	}
	if err := s.fill(keys, b.beside[:n], at); err != nil {
		return nil, nil, err
	}
	places := b.places[:n]
	sorting.Places(places, n, func(dst []K, from int) { copy(dst, keys[from:]) }, poll)
	for i, k := range places {
		b.sorted[i], places[i] = keys[k], b.beside[k]
	}
	return b.sorted[:n], places, nil
}

// each calls put for all, in order, block by block. put may change what it is given.
func (s sorter[K]) each(put func(keys []K, beside []int64) error) error {
	b := s.buffers()
	if s.n <= len(b.keys) {
		keys, beside, err := s.some(b, 0)
		if err != nil {
			return err
		}
		return put(keys, beside)
	}
	file, err := s.file()
	if err != nil {
		return err
	}
	defer func() { file.release() }()
	var runs []*run[K]
	for to := writerTo[K](file); to.n < s.n; {
		first := to.n
		keys, beside, err := s.some(b, first)
		if err != nil {
			return err
		}
		if err := to.put(keys, beside); err != nil {
			return err
		}
		runs = append(runs, &run[K]{from: file, at: first, end: to.n})
	}
	most := min(max(len(bytesOf(b.keys))/2/leastRun, 2), mostRuns)
	for len(runs) > most { // not all at once
		next, err := s.file()
		if err != nil {
			return err
		}
		longer, err := s.mergeGroups(runs, next, most, b)
		file.release()
		if file = next; err != nil {
			return err
		}
		runs = longer
	}
	return s.merge(runs, b, put)
}

// mergeGroups makes fewer and longer runs.
func (s sorter[K]) mergeGroups(runs []*run[K], file runFile, most int, b buffers[K]) (longer []*run[K], err error) {
	to := writerTo[K](file)
	for group := range slices.Chunk(runs, most) {
		first := to.n
		if err := s.merge(group, b, to.put); err != nil {
			return nil, err
		}
		longer = append(longer, &run[K]{from: file, at: first, end: to.n})
	}
	return longer, nil
}

// merge puts what sorted runs have, in order, block by block. It is a tree of losers: a key that is taken is followed
// by comparisons on the way from its run to the root. Of equal keys that of the earlier run is first.
func (s sorter[K]) merge(runs []*run[K], b buffers[K], put func(keys []K, beside []int64) error) error {
	half := len(b.keys) / 2
	out, rest := b.keys[:half], b.keys[half:]
	var outBeside, restBeside []int64
	if s.beside {
		outBeside, restBeside = b.beside[:half], b.beside[half:]
	}
	each := len(rest) / len(runs)
	for i, r := range runs {
		if r.room = rest[i*each : (i+1)*each]; s.beside {
			r.besideRoom = restBeside[i*each : (i+1)*each]
		}
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
		return x < y || x == y && i < j
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
			if err := s.in.ctx.Err(); err != nil {
				return err
			}
			with := outBeside
			if with != nil {
				with = with[:n]
			}
			if err := put(out[:n], with); err != nil || !there {
				return err
			}
			n = 0
		}
		out[n] = key
		r := runs[winner]
		if s.beside {
			outBeside[n], r.beside = r.beside[0], r.beside[1:]
		}
		n++
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

// runsOf sorts elements of which K is as wide as the keys.
func runsOf[K sorting.Key](in blocks, out *sequence) error {
	keys := keysFor[K](in, false)
	s := sorter[K]{in: in, n: in.n, fill: func(part []K, _ []int64, at int) error {
		if err := in.read(bytesOf(part), at); err != nil {
			return err
		}
		keys.of(part)
		return nil
	}}
	return s.each(func(part []K, _ []int64) error {
		keys.to(part)
		return out.put(bytesOf(part))
	})
}

// placesInRuns writes the places to out that sort the elements of in.
func placesInRuns(in blocks, out *sequence) error {
	put := func(places []int64) error { return out.put(bytesOf(places)) }
	if in.dtype.Size() == 8 {
		return withPlaces[uint64](in).each(func(_ []uint64, places []int64) error { return put(places) })
	}
	return withPlaces[uint32](in).each(func(_ []uint32, places []int64) error { return put(places) })
}

// withPlaces sorts elements, whose keys are K or shorter, and has their places go with them.
func withPlaces[K sorting.Key](in blocks) sorter[K] {
	var k K
	keys, wide := keysFor[K](in, true), Uint32
	if in.dtype.IsInt() && !in.dtype.IsUnsigned() {
		wide = Int32
	}
	var short []byte
	return sorter[K]{in: in, n: in.n, beside: true, fill: func(part []K, places []int64, at int) error {
		b := bytesOf(part)
		if size := in.dtype.Size(); size != int(unsafe.Sizeof(k)) {
			if short == nil {
				short = make([]byte, len(part)*size)
			}
			if err := in.read(short[:len(part)*size], at); err != nil {
				return err
			}
			copy(b, arrays.FromBytes(in.dtype, []int{len(part)}, short[:len(part)*size]).AsType(wide).Bytes())
		} else if err := in.read(b, at); err != nil {
			return err
		}
		keys.of(part)
		for i := range places {
			places[i] = int64(at + i)
		}
		return nil
	}}
}

// ofSortedLine computes what n has of a line, of a shape, by way of a file in which the line's elements are sorted.
func (n *node) ofSortedLine(in blocks, shape []int) (*arrays.Array, error) {
	size := in.dtype.Size()
	file, err := disk.Temporary(in.dir, int64(in.n)*int64(size))
	if err != nil {
		return nil, err
	}
	defer file.Release()
	if err := sortInRuns(in, &sequence{source: file}); err != nil {
		return nil, err
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
	result := arrays.New(n.dtype, shape...)
	if failed == nil {
		n.host.sorted(result, append([]*arrays.Array{nil}, in.others...), line)
	}
	return result, failed
}
