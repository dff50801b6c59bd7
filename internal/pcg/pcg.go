package pcg

import "math/bits"

// Source is the state of a PCG64 generator. It is not safe for concurrent use.
type Source struct {
	high, low       uint64 // state
	incHigh, incLow uint64
	half            uint32 // the other half of a number of which 32 bits were used
	hasHalf         bool
}

// multiplier of the linear congruential step, high and low.
const multHigh, multLow = 2549297995355413924, 4865540595714422341

// New returns the generator of numpy.random.default_rng(seed).
func New(seed uint64) *Source {
	entropy := []uint32{uint32(seed)}
	if seed>>32 != 0 {
		entropy = append(entropy, uint32(seed>>32))
	}
	w := sequence(entropy, 8)
	word := func(i int) uint64 { return uint64(w[2*i]) | uint64(w[2*i+1])<<32 }
	s := &Source{incHigh: word(2)<<1 | word(3)>>63, incLow: word(3)<<1 | 1}
	s.step()
	var carry uint64
	s.low, carry = bits.Add64(s.low, word(1), 0)
	s.high, _ = bits.Add64(s.high, word(0), carry)
	s.step()
	return s
}

func (s *Source) step() {
	high, low := bits.Mul64(s.low, multLow)
	high += s.high*multLow + s.low*multHigh
	var carry uint64
	s.low, carry = bits.Add64(low, s.incLow, 0)
	s.high, _ = bits.Add64(high, s.incHigh, carry)
}

// Uint64 returns 64 random bits.
func (s *Source) Uint64() uint64 {
	s.step()
	return bits.RotateLeft64(s.high^s.low, -int(s.high>>58))
}

// Uint32 returns 32 random bits; two calls use up the 64 of one Uint64.
func (s *Source) Uint32() uint32 {
	if s.hasHalf {
		s.hasHalf = false
		return s.half
	}
	v := s.Uint64()
	s.half, s.hasHalf = uint32(v>>32), true
	return uint32(v)
}

// Float64 returns a number in [0, 1), a multiple of 2^-53.
func (s *Source) Float64() float64 { return float64(s.Uint64()>>11) * 0x1p-53 }

// Below returns a number from 0 to last, both included, without bias (Lemire 2019).
func (s *Source) Below(last uint64) uint64 {
	switch {
	case last == 0:
		return 0
	case last == 1<<32-1:
		return uint64(s.Uint32())
	case last < 1<<32:
		n := uint32(last) + 1
		m := uint64(s.Uint32()) * uint64(n)
		if uint32(m) < n {
			for threshold := (^uint32(0) - uint32(last)) % n; uint32(m) < threshold; {
				m = uint64(s.Uint32()) * uint64(n)
			}
		}
		return m >> 32
	case last == 1<<64-1:
		return s.Uint64()
	}
	n := last + 1
	high, low := bits.Mul64(s.Uint64(), n)
	if low < n {
		for threshold := (^uint64(0) - last) % n; low < threshold; {
			high, low = bits.Mul64(s.Uint64(), n)
		}
	}
	return high
}

// Interval returns a number from 0 to last, as NumPy's shuffles draw it: random bits under a mask, until they are not above.
func (s *Source) Interval(last uint64) uint64 {
	if last == 0 {
		return 0
	}
	mask := uint64(1)<<bits.Len64(last) - 1
	for {
		var v uint64
		if last <= 1<<32-1 {
			v = uint64(s.Uint32()) & mask
		} else {
			v = s.Uint64() & mask
		}
		if v <= last {
			return v
		}
	}
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
