// Package sorting sorts unsigned keys, by quicksort with vector instructions where the processor has them, else by
// digits. Other numbers are sorted by keys in their order (keys.go), and places with the keys in one number
// (places.go). Sorted keys are the same however they were sorted, on any number of processors.
package sorting

import (
	"math/bits"
	"slices"
	"sync"

	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// Key is what is sorted.
type Key interface{ uint32 | uint64 }

// processor has the loops of this processor, nil where it has none.
var processor struct {
	once    sync.Once
	parts64 *vector.Sorts[uint64]
	parts32 *vector.Sorts[uint32]
	keys64  *vector.KeyLoops[uint64]
	keys32  *vector.KeyLoops[uint32]
	places  *vector.PlaceLoops
}

// prepare asks for the loops. It is not an init, so that a program which sorts nothing does not link them.
func prepare() {
	processor.once.Do(func() {
		processor.parts64, processor.parts32 = vector.SortsUint64(), vector.SortsUint32()
		processor.keys64, processor.keys32 = vector.KeysUint64(), vector.KeysUint32()
		processor.places = vector.Places()
	})
}

// sorts returns the loops that sort, keyLoops those that make keys, placeLoops those for places.
func sorts[K Key]() *vector.Sorts[K] {
	prepare()
	return of[K, *vector.Sorts[K]](processor.parts64, processor.parts32)
}

func keyLoops[K Key]() *vector.KeyLoops[K] {
	prepare()
	return of[K, *vector.KeyLoops[K]](processor.keys64, processor.keys32)
}

func placeLoops() *vector.PlaceLoops {
	prepare()
	return processor.places
}

// of returns the one of two that is for keys of type K.
func of[K Key, T any](for64, for32 any) T {
	var zero K
	if _, wide := any(zero).(uint64); wide {
		return for64.(T)
	}
	return for32.(T)
}

const (
	// few is the number of keys up to which sorting by comparison is quicker than by digits.
	few = 256
	// share is the least number of keys that processors divide among them.
	share = 1 << 15
	// longPartition is the number of keys above which a partition is one of two halves: a loop of vector instructions
	// cannot be interrupted.
	longPartition = 1 << 21
)

// Keys sorts x. It calls poll now and then, which may panic.
func Keys[K Key](x []K, poll func()) {
	parts := sorts[K]()
	switch {
	case parts == nil && len(x) < few:
		slices.Sort(x)
	case parts == nil:
		radix(x, poll)
	case len(x) <= parts.Small:
		parts.Network(x)
	case len(x) < share || workers.Count() == 1:
		newQuick(parts, poll).sort(x, ^K(0), depth(len(x)))
	default:
		q := newQuick(parts, poll)
		q.piece = min(len(x)/16, 1<<20)
		q.sort(x, ^K(0), depth(len(x)))
		workers.Do(len(q.pieces), func(i int) {
			newQuick(parts, func() {}).sort(q.pieces[i], ^K(0), depth(len(q.pieces[i])))
		}, poll)
	}
}

// ForRows returns what is [Keys] for each of many rows of up to n keys. What short rows are sorted by is looked for
// once: that takes a tenth of the time of rows of 8.
func ForRows[K Key](n int, poll func()) func(row []K) {
	if parts := sorts[K](); parts != nil && n <= parts.Small {
		return parts.Network
	}
	return func(row []K) { Keys(row, poll) }
}

// Rows sorts each row of n keys of x.
func Rows[K Key](x []K, n int, poll func()) {
	EachRows(len(x)/n, n, func(lo, hi int, poll func()) {
		sort := ForRows[K](n, poll)
		for ; lo < hi; lo++ {
			sort(x[lo*n : (lo+1)*n])
		}
	}, poll)
}

// EachRows calls do with ranges of rows of n elements, and with what it calls now and then: if the rows are many and
// short, on all processors.
func EachRows(rows, n int, do func(lo, hi int, poll func()), poll func()) {
	if n >= share || rows*n < share {
		do(0, rows, poll)
		return
	}
	each := max(1, share/2/n)
	workers.Do((rows+each-1)/each, func(i int) { do(i*each, min((i+1)*each, rows), func() {}) }, poll)
}

// depth is how many bad pivots a sort of n keys may have.
func depth(n int) int { return bits.Len(uint(n)) }

// quick is a quicksort under way.
type quick[K Key] struct {
	*vector.Sorts[K]
	poll   func()
	sample [64]K
	larger []K // room for more of them
	random uint64
	piece  int // up to so many keys are left in pieces for others
	pieces [][]K
}

func newQuick[K Key](parts *vector.Sorts[K], poll func()) *quick[K] {
	return &quick[K]{Sorts: parts, poll: poll, random: 1}
}

// sort sorts x, of which no key is above most. When bad more pivots have been near the end, it sorts by digits.
func (q *quick[K]) sort(x []K, most K, bad int) {
	for len(x) > max(q.Small, q.piece) {
		if bad < 0 {
			radix(x, q.poll)
			return
		}
		pivot := q.pivot(x)
		if pivot == most { // keys equal to it are all that would be left of the right side
			if most == 0 {
				return
			}
			x = x[:q.partition(x, most-1)]
			most--
			continue
		}
		n := q.partition(x, pivot)
		if min(n, len(x)-n) < len(x)/16 {
			bad--
		}
		if n == len(x) {
			most = pivot
			continue
		}
		// the shorter side first, so that calls go no deeper than the logarithm
		if n <= len(x)-n {
			q.sort(x[:n], pivot, bad)
			x = x[n:]
		} else {
			q.sort(x[n:], most, bad)
			x, most = x[:n], pivot
		}
	}
	if q.piece > 0 {
		q.pieces = append(q.pieces, x)
		return
	}
	q.Network(x)
}

// partition brings the keys up to pivot before the others and returns their number.
func (q *quick[K]) partition(x []K, pivot K) int {
	parallel := q.piece > 0 && len(x) >= 4*share
	if !parallel && len(x) < longPartition {
		return q.Partition(x, pivot)
	}
	half := len(x) / 2
	parts, counts := [2][]K{x[:half], x[half:]}, [2]int{}
	if parallel {
		workers.Do(2, func(i int) { counts[i] = q.Partition(parts[i], pivot) }, q.poll)
	} else {
		for i, part := range parts {
			q.poll()
			counts[i] = q.partition(part, pivot)
		}
	}
	greater, less := parts[0][counts[0]:], parts[1][:counts[1]]
	n := min(len(greater), len(less))
	less = less[len(less)-n:]
	for i, k := range greater[:n] {
		greater[i], less[i] = less[i], k
	}
	return counts[0] + counts[1]
}

// pivot returns the median of some keys of x.
func (q *quick[K]) pivot(x []K) K {
	n := 16
	switch {
	case len(x) < 512:
		n = 8
	case len(x) >= 1<<13:
		n = min(64, q.Small)
	}
	for i := range n {
		q.random = q.random*6364136223846793005 + 1442695040888963407 // Knuth's MMIX
		at, _ := bits.Mul64(q.random, uint64(len(x)))
		q.sample[i] = x[at]
	}
	q.Network(q.sample[:n])
	return q.sample[n/2-1]
}
