package arrays

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/arrayrepl/arrayrepl/internal/sorting"
)

// lexical is how elements sort that are too large for a key: by several, of which the first decides first.
type lexical[T any] struct {
	size    int // of an element, in bytes
	at      func(line []byte, i int) T
	columns int // of keys
	key     func(v T, column int) uint64
	compare func(x, y T) int // as the keys do
	isNaN   func(v T) bool   // where there are such: all count as one
}

// fewPlaces is up to how many elements are compared, where for more keys are made.
const fewPlaces = 20

// textKeys are of text of n characters, two in each key.
func textKeys(n int) lexical[[]uint32] {
	return lexical[[]uint32]{
		size:    4 * n,
		at:      func(line []byte, i int) []uint32 { return elements[uint32](line)[i*n:][:n] },
		columns: (n + 1) / 2,
		key: func(v []uint32, column int) uint64 {
			k := uint64(v[2*column]) << 32
			if 2*column+1 < len(v) {
				k |= uint64(v[2*column+1])
			}
			return k
		},
		compare: slices.Compare[[]uint32],
	}
}

// complexKeys order as NumPy does: by real parts, then imaginary ones, and numbers with a NaN last, those whose real
// part is one behind those whose imaginary part is.
func complexKeys[T complex64 | complex128]() lexical[T] {
	rank := func(z complex128) uint64 {
		return uint64(2*bit(real(z) != real(z)) + bit(imag(z) != imag(z)))
	}
	return lexical[T]{
		size:    sizeOfElement[T](),
		at:      func(line []byte, i int) T { return elements[T](line)[i] },
		columns: 3,
		key: func(v T, column int) uint64 {
			switch z := complex128(v); column {
			case 0:
				return rank(z)
			case 1:
				return floatKey(real(z))
			default:
				return floatKey(imag(z))
			}
		},
		compare: func(x, y T) int {
			z, w := complex128(x), complex128(y)
			if c := cmp.Compare(rank(z), rank(w)); c != 0 {
				return c
			}
			return compareComplex(z, w)
		},
		isNaN: func(v T) bool { return rank(complex128(v)) > 0 },
	}
}

// floatKey is the key of f: zeros are equal, and NaNs, which are last.
func floatKey(f float64) uint64 {
	switch b := math.Float64bits(f); {
	case f != f:
		return math.MaxUint64
	case f == 0:
		return 1 << 63
	case f < 0:
		return ^b
	default:
		return b | 1<<63
	}
}

// placing is the sorting of places of a line's elements.
type placing[T any] struct {
	lexical[T]
	line  []byte
	keys  []uint64 // room for all places
	order []int64  // likewise
	work  poller
}

func (x lexical[T]) placing(n int) *placing[T] {
	return &placing[T]{lexical: x, keys: make([]uint64, n), order: make([]int64, n)}
}

// fill fills places with the indices that sort a line, those of equal elements ascending.
func (x *placing[T]) fill(places []int64, line []byte) {
	for i := range places {
		places[i] = int64(i)
	}
	x.line = line
	x.sort(places, 0)
}

// sort sorts places of elements whose keys before a column are equal: by the keys of this, then those that are equal by
// the next.
func (x *placing[T]) sort(places []int64, column int) {
	for ; column < x.columns; column++ {
		if len(places) <= fewPlaces {
			slices.SortStableFunc(places, func(i, j int64) int {
				x.work.did(16)
				return x.compare(x.at(x.line, int(i)), x.at(x.line, int(j)))
			})
			return
		}
		keys, order, differ := x.keys[:len(places)], x.order[:len(places)], false
		for i, p := range places {
			x.work.did(16)
			keys[i] = x.key(x.at(x.line, int(p)), column)
			differ = differ || keys[i] != keys[0]
		}
		if !differ {
			continue
		}
		sorting.Places(order, len(order), func(dst []uint64, from int) { copy(dst, keys[from:]) }, poll)
		last := keys[order[0]]
		for i, at := range order {
			x.work.did(16)
			if order[i] = places[at]; keys[at] != last { // a run of equal keys begins
				order[i], last = ^places[at], keys[at]
			}
		}
		copy(places, order)
		lo := 0
		for i, p := range places {
			x.work.did(4)
			if p < 0 {
				places[i] = ^p
				x.sort(places[lo:i], column+1)
				lo = i
			}
		}
		places = places[lo:]
	}
}

func (x lexical[T]) order() order {
	return order{
		pick: x.pick,
		sort: func(dst, src []byte, n int) {
			places, sorter := make([]int64, n), x.placing(n)
			row := n * x.size
			for lo := 0; lo < len(src); lo += row {
				line := src[lo : lo+row]
				sorter.fill(places, line)
				for i, p := range places {
					sorter.work.did(16)
					copy(dst[lo+i*x.size:], line[int(p)*x.size:][:x.size])
				}
			}
		},
		argsort: func(dst []int64, src []byte, n int) {
			sorter := x.placing(n)
			for lo := 0; lo < len(dst); lo += n {
				sorter.fill(dst[lo:lo+n], src[lo*x.size:(lo+n)*x.size])
			}
		},
		search: func(dst []int64, list, v []byte, right bool) {
			least := 0 // what the element is compared with that is found
			if right {
				least = 1
			}
			var work poller
			for i := range dst {
				work.did(costOfSearch)
				wanted := x.at(v, i)
				dst[i] = int64(sort.Search(len(list)/x.size, func(k int) bool { return x.compare(x.at(list, k), wanted) >= least }))
			}
		},
		starts: func(line []byte) []int {
			return starts(len(line)/x.size, func(i int) bool {
				v, w := x.at(line, i-1), x.at(line, i)
				return x.compare(v, w) != 0 && !(x.isNaN != nil && x.isNaN(v) && x.isNaN(w))
			})
		},
	}
}

// pick is that of keying; it sorts rows whole.
func (x lexical[T]) pick(dst []byte, valid []int, src []byte, n int, want selected) {
	order, places := make([]int64, n), make([]int, want.count)
	sorter := x.placing(n)
	for r := range valid {
		line := src[r*n*x.size : (r+1)*n*x.size]
		sorter.fill(order, line)
		compare := n
		for x.isNaN != nil && compare > 0 && x.isNaN(x.at(line, int(order[compare-1]))) {
			compare--
		}
		if valid[r] = n; want.skip {
			valid[r] = compare
		}
		if valid[r] > 0 {
			want.places(valid[r], places, poll)
		}
		for i, place := range places {
			if compare == 0 || compare < n && !want.skip {
				place = n - 1
			}
			copy(dst[(r*want.count+i)*x.size:], line[int(order[place])*x.size:][:x.size])
		}
	}
}
