package random

// Seed is what a generator of bits is seeded with: a number, and for one that another has spawned which of its children
// it is, which of those and so on.
type Seed struct {
	Number uint64
	Key    []uint32
}

// words returns n words of 64 bits that NumPy's generators of bits are seeded with.
func (s Seed) words(n int) []uint64 {
	entropy := []uint32{uint32(s.Number)}
	if s.Number>>32 != 0 {
		entropy = append(entropy, uint32(s.Number>>32))
	}
	if len(s.Key) > 0 { // so that a child is none of a longer number's
		entropy = append(entropy, make([]uint32, 4-len(entropy))...)
		entropy = append(entropy, s.Key...)
	}
	half := sequence(entropy, 2*n)
	words := make([]uint64, n)
	for i := range words {
		words[i] = uint64(half[2*i]) | uint64(half[2*i+1])<<32
	}
	return words
}

// sequence is NumPy's SeedSequence: n words that depend on all bits of the entropy (after O'Neill's seed_seq_fe).
func sequence(entropy []uint32, n int) []uint32 {
	const poolSize, shift = 4, 16
	hash := uint32(0x43b0d7e5)
	mixIn := func(v uint32) uint32 {
		v ^= hash
		hash *= 0x931e8875
		v *= hash
		return v ^ v>>shift
	}
	mix := func(x, y uint32) uint32 {
		v := 0xca01f9dd*x - 0x4973f715*y
		return v ^ v>>shift
	}
	var pool [poolSize]uint32
	for i := range pool {
		if i < len(entropy) {
			pool[i] = mixIn(entropy[i])
		} else {
			pool[i] = mixIn(0)
		}
	}
	for from := range pool {
		for to := range pool {
			if from != to {
				pool[to] = mix(pool[to], mixIn(pool[from]))
			}
		}
	}
	for from := poolSize; from < len(entropy); from++ {
		for to := range pool {
			pool[to] = mix(pool[to], mixIn(entropy[from]))
		}
	}
	out := make([]uint32, n)
	hash = 0x8b51f9dd
	for i := range out {
		v := pool[i%poolSize] ^ hash
		hash *= 0x58f38ded
		v *= hash
		out[i] = v ^ v>>shift
	}
	return out
}
