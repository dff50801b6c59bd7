package vector

// KeyLoops make keys of floats and signed ints, which are in the order of these as unsigned ints, and the reverse. The
// bits of a float follow its sign: -0 is before 0, and NaNs, which all become one, are last. dst may be src, and is as
// long.
type KeyLoops[K uint32 | uint64] struct {
	OfFloats           func(dst, src []K)
	OfFloatsEqualZeros func(dst, src []K) // -0 has the key of 0
	ToFloats           func(dst, src []K)
	FlipSigns          func(dst, src []K) // of ints and of keys
}

// KeysUint64 returns the loops for 64 bits, nil where the processor has none.
func KeysUint64() *KeyLoops[uint64] { return keysUint64() }

// KeysUint32 returns the loops for 32 bits, nil where the processor has none.
func KeysUint32() *KeyLoops[uint32] { return keysUint32() }

// PlaceLoops are for keys that are sorted with their places in their low bits; low has ones in these. No slice is
// empty.
type PlaceLoops struct {
	Differ func(x []uint64) uint64                                   // the bits in which any differs from the first
	Pack   func(dst, src []uint64, shift uint, low uint64, from int) // dst[i] = src[i]<<shift &^ low | (from + i)
	Unpack func(x []uint64, low uint64)                              // x[i] &= low
	// the first i for which x[i] and x[i+1] are equal but for low, -1 for none
	FirstTie func(x []uint64, low uint64) int
}

// Places returns the loops, nil where the processor has none.
func Places() *PlaceLoops { return placeLoops() }
