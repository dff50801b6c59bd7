package sorting

import (
	"math"
	"math/bits"
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// Select brings to each of some places, which ascend, the key of x that sorting would bring there: none before it is
// larger, none behind it smaller. The time is in proportion to the keys, about one and a half passes over them for one
// place; it is never more than a small multiple of sorting, which it falls back to after too many bad pivots or where
// it is asked for very many places. The order of the other keys depends on the processor.
func Select[K Key](x []K, places []int, poll func()) {
	parts := selecting[K]()
	if len(x) <= parts.Small {
		parts.Network(x)
		return
	}
	q := newQuick(parts, poll)
	if len(x) >= 4*share && workers.Count() > 1 {
		q.piece = 1
	}
	q.choose(x, ^K(0), 0, places, depth(len(x)))
}

// Split brings the keys up to pivot before the others and returns their number.
func Split[K Key](x []K, pivot K, poll func()) int {
	q := quick[K]{Sorts: selecting[K](), poll: poll}
	if len(x) <= q.Small {
		return split(x, pivot)
	}
	if len(x) >= 4*share && workers.Count() > 1 {
		q.piece = 1
	}
	return q.partition(x, pivot)
}

// selecting returns the loops of the processor, or what stands for them.
func selecting[K Key]() *vector.Sorts[K] {
	if parts := sorts[K](); parts != nil {
		return parts
	}
	return &vector.Sorts[K]{Small: 32, Network: slices.Sort[[]K], Partition: split[K]}
}

// split is Split one key after the other, without branches that depend on them.
func split[K Key](x []K, pivot K) int {
	n := 0
	for i, k := range x {
		x[i] = x[n]
		x[n] = k
		_, above := bits.Sub64(uint64(pivot), uint64(k), 0)
		n += 1 - int(above)
	}
	return n
}

// choose selects for places of which x begins at first. No key is above most; bad is how many more pivots may leave
// nearly all.
//
// The pivot is not in the middle but a little above the last place, or below the first, by a sample (Floyd and Rivest,
// "Expected time bounds for selection", Communications of the ACM 18, 1975): two of them leave only the keys between.
func (q *quick[K]) choose(x []K, most K, first int, places []int, bad int) {
	for len(places) > 0 {
		if len(x) <= q.Small {
			q.Network(x)
			return
		}
		if bad < 0 || len(places) > len(x)/16 {
			Keys(x, q.poll)
			return
		}
		pivot := q.near(x, places[0]-first, places[len(places)-1]-first)
		if pivot == most { // keys equal to it are where they belong once they are behind the others
			if most == 0 {
				return
			}
			x = x[:q.partition(x, most-1)]
			most--
			at, _ := slices.BinarySearch(places, first+len(x))
			places = places[:at]
			continue
		}
		n := q.partition(x, pivot)
		at, _ := slices.BinarySearch(places, first+n)
		left, right := places[:at], places[at:]
		switch {
		case len(right) == 0:
			if n > len(x)-len(x)/16 {
				bad--
			}
			x, most, places = x[:n], pivot, left
		case len(left) == 0:
			if n < len(x)/16 {
				bad--
			}
			x, first, places = x[n:], first+n, right
		case n <= len(x)-n: // the shorter side first, so that calls go no deeper than the logarithm
			q.choose(x[:n], pivot, first, left, bad)
			x, first, places = x[n:], first+n, right
		default:
			q.choose(x[n:], most, first+n, right, bad)
			x, most, places = x[:n], pivot, left
		}
	}
}

// near returns a pivot for places from lo to hi of x: if they are close together one that is probably beyond them, on
// the side where more keys are, else one between.
func (q *quick[K]) near(x []K, lo, hi int) K {
	sample := q.sample[:16]
	deviations := 1.0
	switch n := len(x); {
	case n >= 1<<19:
		sample, deviations = q.room(1024), 2
	case n >= 1<<15:
		sample, deviations = q.room(256), 2
	case n >= 1<<11:
		sample = q.sample[:min(64, q.Small)]
	}
	for i := range sample {
		q.random = q.random*6364136223846793005 + 1442695040888963407 // Knuth's MMIX
		at, _ := bits.Mul64(q.random, uint64(len(x)))
		sample[i] = x[at]
	}
	if len(sample) <= q.Small {
		q.Network(sample)
	} else {
		Keys(sample, q.poll)
	}
	part := float64(len(sample)) / float64(len(x))
	away := func(place int) float64 {
		f := float64(place) / float64(len(x))
		return deviations*math.Sqrt(float64(len(sample))*f*(1-f)) + 0.5
	}
	var at float64
	switch {
	case hi-lo > len(x)/4:
		at = float64(lo+hi) / 2 * part
	case len(x)-hi > lo:
		at = float64(hi)*part + away(hi)
	default:
		at = float64(lo)*part - away(lo) - 1
	}
	return sample[min(max(int(at), 0), len(sample)-1)]
}

// room returns space for a sample of n keys.
func (q *quick[K]) room(n int) []K {
	if len(q.larger) < n {
		q.larger = make([]K, n)
	}
	return q.larger[:n]
}
