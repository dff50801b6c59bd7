package arrays

import (
	"math/bits"
	"slices"
	"sync"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/sorting"
)

// selected says what is wanted of each row: the elements that sorting would bring to some places. What does not compare
// (NaN, NaT) is last, and where there is any, all that is picked is NaN; unless it is skipped: then places are among
// the others, and there is a NaN only where there are none.
type selected struct {
	skip  bool
	count int // of places
	// places gives those of a row in which so many elements compare; of all without skip
	places func(valid int, to []int, poll func())
}

// sortPlaces sorts places, of which there may be as many as elements.
func sortPlaces(places []int, poll func()) {
	if slices.IsSorted(places) {
		return
	}
	keys := make([]uint64, len(places))
	for i, place := range places {
		keys[i] = uint64(place)
	}
	sorting.Keys(keys, poll)
	for i, key := range keys {
		places[i] = int(key)
	}
}

// pick writes to dst for each row of n elements of src those that are selected, in the order of their places; valid
// gets the number of the row's elements that compare where others are skipped.
func (k keying[T, K]) pick(dst []byte, valid []int, src []byte, n int, want selected) {
	s, to := elements[T](src), elements[T](dst)
	inPlace := sizeOfElement[T]() == int(unsafe.Sizeof(K(0)))
	sorting.EachRows(len(valid), n, func(lo, hi int, poll func()) {
		step := max(1, min(1<<14/n, hi-lo)) // rows whose keys are made at a time
		keys := sliceOf[K](reserve(step * n * int(unsafe.Sizeof(K(0)))))
		places, ascending := make([]int, want.count), make([]int, want.count)
		known, sort := -1, sorting.ForRows[K](n, poll) // what places are for, and what sorts a short row
		for ; lo < hi; lo += step {
			rows := min(step, hi-lo)
			k.of(keys[:rows*n], s[lo*n:(lo+rows)*n], false, poll)
			result := to[lo*want.count : (lo+rows)*want.count]
			var picked []K
			if inPlace {
				picked = bitsOf[T, K](result)
			} else {
				picked = make([]K, len(result))
			}
			for r := range rows {
				row, into := keys[r*n:(r+1)*n], picked[r*want.count:(r+1)*want.count]
				compare := n // in a short row, which is sorted; else where others are skipped
				switch {
				case n <= fewElements:
					sort(row)
					for k.nan > 0 && compare > 0 && row[compare-1] >= k.nan {
						compare--
					}
				case want.skip && k.nan > 0:
					compare = sorting.Split(row, k.nan-1, poll)
				}
				if valid[lo+r] = n; want.skip {
					valid[lo+r] = compare
				}
				if v := valid[lo+r]; v > 0 && known != v {
					known = v
					want.places(known, places, poll)
					copy(ascending, places)
					sortPlaces(ascending, poll)
				}
				switch {
				case n <= fewElements:
				case valid[lo+r] > 0:
					sorting.Select(row[:valid[lo+r]], ascending, poll)
					if k.nan > 0 && !want.skip && k.anyNaN(row, ascending[want.count-1], poll) {
						compare = 0
					}
				}
				if compare < valid[lo+r] || compare == 0 {
					for i := range into {
						into[i] = k.nan
					}
					continue
				}
				for i, place := range places {
					into[i] = row[place]
				}
			}
			k.to(result, picked)
		}
	}, poll)
}

// anyNaN is whether there is a NaN in a row that is selected up to a last place.
func (k keying[T, K]) anyNaN(row []K, last int, poll func()) bool {
	if row[last] >= k.nan {
		return true
	}
	if rest := row[last+1:]; len(rest) > 64 {
		return sorting.Split(rest, k.nan-1, poll) < len(rest)
	}
	return slices.ContainsFunc(row[last+1:], func(key K) bool { return key >= k.nan })
}

// manyPlaces is the number of places from which on a row is partitioned by sorting it, and fewElements that of elements
// up to which it is.
const (
	manyPlaces  = 8
	fewElements = 32
)

// partition writes to dst the elements of each row of n, or to places their indices, so that those at the places of ks,
// which ascend, are where sorting would bring them, and others on the right side of them, in the order in which they
// were: it is the same on every machine.
func (k keying[T, K]) partition(dst []byte, places []int64, src []byte, n int, ks []int) {
	s, to := elements[T](src), elements[T](dst)
	sorting.EachRows(len(s)/n, n, func(lo, hi int, poll func()) {
		keys := sliceOf[K](reserve(n * int(unsafe.Sizeof(K(0)))))
		room := divisionRooms.Get().(*divisionRoom)
		defer divisionRooms.Put(room)
		block, indices := sliceOf[K](bytesOf(room.keys[:])), room.places[:]
		var d division[K]
		for ; lo < hi; lo++ {
			row := s[lo*n : (lo+1)*n]
			k.of(keys, row, false, poll)
			sorting.Select(keys, ks, poll)
			d.of(keys, ks, poll)
			var work poller
			for from := 0; from < n; from += blockLen {
				if work += blockLen; work > pollEvery {
					work = 0
					poll()
				}
				part := row[from:min(from+blockLen, n)]
				k.of(block[:len(part)], part, false, ignore)
				if len(places) == 0 {
					spread(&d, to[lo*n:(lo+1)*n], part, block)
					continue
				}
				for i := range part {
					indices[i] = int64(from + i)
				}
				spread(&d, places[lo*n:(lo+1)*n], indices[:len(part)], block)
			}
		}
	}, poll)
}

// divisionRoom is where the keys and places of a block of elements are.
type divisionRoom struct {
	keys   [blockLen]uint64
	places [blockLen]int64
}

var divisionRooms = sync.Pool{New: func() any { return new(divisionRoom) }}

// division is how a row is divided: by some keys into those that are smaller than the first, equal to it, between it
// and the second, …
type division[K sorting.Key] struct {
	keys []K
	at   [2*manyPlaces + 1]int // where the next of each part goes
	full [2]int                // where the first two end
}

// of divides by the keys at places where they are selected: only what lies between two of them can be equal to either.
func (d *division[K]) of(keys []K, places []int, poll func()) {
	d.keys = d.keys[:0]
	d.at[0] = 0
	from := 0
	for i, place := range places {
		key := keys[place]
		if i > 0 && key == d.keys[len(d.keys)-1] {
			from = place + 1
			continue
		}
		if i > 0 {
			from += sorting.Split(keys[from:place], d.keys[len(d.keys)-1], poll)
			d.at[2*len(d.keys)] = from
		}
		if key > 0 {
			from += sorting.Split(keys[from:place], key-1, poll)
		}
		d.at[2*len(d.keys)+1] = from
		d.keys = append(d.keys, key)
		from = place + 1
	}
	d.at[2*len(d.keys)] = from + sorting.Split(keys[from:], d.keys[len(d.keys)-1], poll)
	d.full = [2]int{d.at[1], d.at[2]}
}

// spread writes elements, or what stands for them, where those of their keys' parts go next.
func spread[T any, K sorting.Key](d *division[K], to, elements []T, keys []K) {
	keys = keys[:len(elements)]
	if len(d.keys) == 1 {
		spreadThree(d, to, elements, keys)
		return
	}
	for i, v := range elements {
		part := 0
		for _, by := range d.keys {
			_, less := bits.Sub64(uint64(keys[i]), uint64(by), 0)
			_, more := bits.Sub64(uint64(by), uint64(keys[i]), 0)
			part += 1 - int(less) + int(more)
		}
		to[d.at[part]] = v
		d.at[part]++
	}
}

// spreadThree is spread for one key. Each element is written to all parts and stays in its own, so that no branch
// depends on it: only on which parts are full.
func spreadThree[T any, K sorting.Key](d *division[K], to, elements []T, keys []K) {
	less, equal, more := d.at[0], d.at[1], d.at[2]
	by := uint64(d.keys[0])
	for i, v := range elements {
		key := uint64(keys[i])
		if less < d.full[0] {
			to[less] = v
		}
		if equal < d.full[1] {
			to[equal] = v
		}
		if more < len(to) {
			to[more] = v
		}
		_, below := bits.Sub64(key, by, 0)
		_, above := bits.Sub64(by, key, 0)
		less += int(below)
		equal += 1 - int(below) - int(above)
		more += int(above)
	}
	d.at[0], d.at[1], d.at[2] = less, equal, more
}
