package random

import "math/bits"

// bitGenerator makes random bits.
type bitGenerator interface{ Uint64() uint64 }

// Source draws numbers from the bits of a generator. It is not safe for concurrent use.
type Source struct {
	bitGenerator
	half    uint32 // the other half of a number of which 32 bits were used
	hasHalf bool
}

// New returns the source of numpy.random.default_rng(seed), which is of Generator(PCG64(seed)).
func New(seed uint64) *Source { return NewOf(Seed{Number: seed}) }

// NewOf is New of a seed that may be a child's.
func NewOf(seed Seed) *Source { return &Source{bitGenerator: newPCG64(seed)} }

// NewPhilox returns the source of numpy.random.Generator(Philox(seed)).
func NewPhilox(seed Seed) *Source { return &Source{bitGenerator: newPhilox(seed)} }

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

// Interval returns a number from 0 to last, as NumPy's shuffles draw it: random bits under a mask, until they are not
// above.
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
