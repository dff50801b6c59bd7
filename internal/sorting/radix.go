package arrays

import "math/bits"

// radix sorts keys, and places beside them where they are given, so that places of equal keys keep their order. Digits are taken from
// the highest bit in which keys differ, lowest first; a few of them tell nearly all keys apart, and what they leave is put in
// order by insertion. Where that moves many, all other bits are sorted by digits too, and then the highest again. It returns
// the sorted slices, which may be other ones.
func radix(keys []uint64, places []uint32) ([]uint64, []uint32) {
	if len(keys) < 2 {
		return keys, places
	}
	differ := uint64(0)
	inSteps(len(keys), func(lo, hi int) {
		for _, k := range keys[lo:hi] {
			differ |= k ^ keys[0]
		}
	})
	top := 64 - bits.LeadingZeros64(differ) // bits from here on are those of all
	width := min(11, max(6, bits.Len(uint(len(keys)))-2))
	digits := min((2*bits.Len(uint(len(keys)))+width-2)/width, (top+width-1)/width)
	low := max(top-digits*width, 0)
	s := digitSort{keys: keys, places: places}
	s.pass(low, top, width)
	if low > 0 && !s.insert() {
		s.pass(0, low, width)
		s.pass(low, top, width)
	}
	return s.keys, s.places
}

// digitSort is a sort under way.
type digitSort struct {
	keys, other         []uint64
	places, otherPlaces []uint32
}

// pass sorts by the bits from low to below high.
func (s *digitSort) pass(low, high, width int) {
	if s.other == nil {
		s.other = sliceOf[uint64](reserve(8 * len(s.keys)))
		if s.places != nil {
			s.otherPlaces = sliceOf[uint32](reserve(4 * len(s.keys)))
		}
	}
	var counts [1 << 11]int
	for ; low < high; low += width {
		w := min(width, high-low)
		c := counts[:1<<w]
		clear(c)
		inSteps(len(s.keys), func(lo, hi int) { countDigits(c, s.keys[lo:hi], low) })
		at := 0
		for i, n := range c {
			c[i], at = at, at+n
		}
		inSteps(len(s.keys), func(lo, hi int) {
			if s.places == nil {
				spread(c, s.other, s.keys[lo:hi], low)
			} else {
				spreadBoth(c, s.other, s.keys[lo:hi], s.otherPlaces, s.places[lo:hi], low)
			}
		})
		s.keys, s.other = s.other, s.keys
		s.places, s.otherPlaces = s.otherPlaces, s.places
	}
}

func countDigits(c []int, keys []uint64, low int) {
	mask, shift := uint64(len(c)-1), uint(low)&63
	for _, k := range keys {
		c[k>>shift&mask]++
	}
}

// spread writes keys where those of their digit go next, which c says.
func spread(c []int, to, keys []uint64, low int) {
	mask, shift := uint64(len(c)-1), uint(low)&63
	for _, k := range keys {
		d := k >> shift & mask
		at := c[d]
		c[d] = at + 1
		to[at] = k
	}
}

func spreadBoth(c []int, to, keys []uint64, toPlaces, places []uint32, low int) {
	mask, shift := uint64(len(c)-1), uint(low)&63
	for i, k := range keys {
		d := k >> shift & mask
		at := c[d]
		c[d] = at + 1
		to[at], toPlaces[at] = k, places[i]
	}
}

// insert sorts keys that are nearly sorted. It gives up when many are not.
func (s *digitSort) insert() bool {
	moves := len(s.keys)
	for i := 1; i < len(s.keys); i++ {
		k := s.keys[i]
		if s.keys[i-1] <= k {
			continue
		}
		j := i
		for j > 0 && s.keys[j-1] > k {
			s.keys[j] = s.keys[j-1]
			j--
		}
		s.keys[j] = k
		if s.places != nil {
			p := s.places[i]
			copy(s.places[j+1:i+1], s.places[j:i])
			s.places[j] = p
		}
		if moves -= i - j; moves < 0 {
			return false
		}
	}
	return true
}
