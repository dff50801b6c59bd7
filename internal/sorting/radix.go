package sorting

import "math/bits"

// radix sorts keys. Digits are taken from the highest bit in which keys differ, lowest first; a few of them tell nearly
// all keys apart, and what they leave is put in order by insertion. Where that moves many, all other bits are sorted by
// digits too, and then the highest again.
func radix[K Key](keys []K, poll func()) {
	if len(keys) < 2 {
		return
	}
	differ := K(0)
	for _, k := range keys {
		differ |= k ^ keys[0]
	}
	top := bits.Len64(uint64(differ)) // bits from here on are those of all
	width := min(11, max(6, bits.Len(uint(len(keys)))-2))
	digits := min((2*bits.Len(uint(len(keys)))+width-2)/width, (top+width-1)/width)
	low := max(top-digits*width, 0)
	s := digitSort[K]{keys: keys, other: make([]K, len(keys)), poll: poll}
	s.pass(low, top, width)
	if low > 0 && !s.insert() {
		s.pass(0, low, width)
		s.pass(low, top, width)
	}
	if &s.keys[0] != &keys[0] {
		copy(keys, s.keys)
	}
}

// digitSort is a sort under way.
type digitSort[K Key] struct {
	keys, other []K
	poll        func()
}

// steps calls do with pieces of the keys, and polls before each.
func (s *digitSort[K]) steps(do func(keys []K)) {
	const step = 1 << 19
	for lo := 0; lo < len(s.keys); lo += step {
		s.poll()
		do(s.keys[lo:min(lo+step, len(s.keys))])
	}
}

// pass sorts by the bits from low to below high.
func (s *digitSort[K]) pass(low, high, width int) {
	var counts [1 << 11]int
	for ; low < high; low += width {
		w := min(width, high-low)
		c := counts[:1<<w]
		clear(c)
		s.steps(func(keys []K) { countDigits(c, keys, low) })
		at := 0
		for i, n := range c {
			c[i], at = at, at+n
		}
		s.steps(func(keys []K) { spread(c, s.other, keys, low) })
		s.keys, s.other = s.other, s.keys
	}
}

func countDigits[K Key](c []int, keys []K, low int) {
	mask, shift := K(len(c)-1), uint(low)&63
	for _, k := range keys {
		c[k>>shift&mask]++
	}
}

// spread writes keys where those of their digit go next, which c says.
func spread[K Key](c []int, to, keys []K, low int) {
	mask, shift := K(len(c)-1), uint(low)&63
	for _, k := range keys {
		d := k >> shift & mask
		at := c[d]
		c[d] = at + 1
		to[at] = k
	}
}

// insert sorts keys that are nearly sorted. It gives up when many are not.
func (s *digitSort[K]) insert() bool {
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
		if moves -= i - j; moves < 0 {
			return false
		}
	}
	return true
}
