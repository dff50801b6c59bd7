package flow

import "math/bits"

// Bitset is a set of small numbers.
type Bitset []uint64

// Words returns the length of a Bitset for the numbers below n.
func Words(n int) int { return (n + 63) / 64 }

// Add adds i.
func (s Bitset) Add(i int) { s[i>>6] |= 1 << (i & 63) }

// Has reports whether i is in s.
func (s Bitset) Has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }

// Union adds t to s and reports whether s grew.
func (s Bitset) Union(t Bitset) bool {
	grew := false
	for i, x := range t {
		if x&^s[i] != 0 {
			s[i] |= x
			grew = true
		}
	}
	return grew
}

// Each calls do for the numbers in s, the least first.
func (s Bitset) Each(do func(i int)) {
	for w, x := range s {
		for ; x != 0; x &= x - 1 {
			do(w<<6 + bits.TrailingZeros64(x))
		}
	}
}
