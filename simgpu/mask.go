package simgpu

import "math/bits"

// Mask is a set of lanes of a warp: bit i is lane i.
type Mask uint64

const maxWarp = 64

// Count returns the number of lanes in m.
func (m Mask) Count() int { return bits.OnesCount64(uint64(m)) }

// first returns the lowest lane of m, which must not be empty.
func (m Mask) first() int { return bits.TrailingZeros64(uint64(m)) }

// last returns the highest lane of m, which must not be empty.
func (m Mask) last() int { return 63 - bits.LeadingZeros64(uint64(m)) }

// lanes returns the mask of the lanes lo to hi-1.
func lanes(lo, hi int) Mask { return Mask(^uint64(0)>>(64-uint(hi-lo))) << uint(lo) }
