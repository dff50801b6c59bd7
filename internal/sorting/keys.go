package sorting

import (
	"math/bits"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// each calls do with the pieces of 0 to n, on all processors if these are several.
func each(n int, do func(lo, hi int), poll func()) {
	workers.Do((n+share-1)/share, func(i int) { do(i*share, min((i+1)*share, n)) }, poll)
}

// OfFloats makes keys of floats, given by their bits. -0 is before 0 or, with equalZeros, has its key; NaNs become one,
// which is last. dst may be src.
func OfFloats[K Key](dst, src []K, equalZeros bool, poll func()) {
	loops := keyLoops[K]()
	each(len(src), func(lo, hi int) {
		switch {
		case loops == nil:
			ofFloats(dst[lo:hi], src[lo:hi], equalZeros)
		case equalZeros:
			loops.OfFloatsEqualZeros(dst[lo:hi], src[lo:hi])
		default:
			loops.OfFloats(dst[lo:hi], src[lo:hi])
		}
	}, poll)
}

// sign is the highest bit.
func sign[K Key]() K { return ^(^K(0) >> 1) }

// floats returns the bits of infinity and of Go's NaN.
func floats[K Key]() (inf, nan K) {
	if unsafe.Sizeof(inf) == 4 {
		return 0x7f80_0000, 0x7fc0_0000
	}
	wide := [2]uint64{0x7ff0_0000_0000_0000, 0x7ff8_0000_0000_0001}
	return K(wide[0]), K(wide[1])
}

// NaN returns the key of floats that are NaN.
func NaN[K Key]() K {
	_, nan := floats[K]()
	return nan | sign[K]()
}

func ofFloats[K Key](dst, src []K, equalZeros bool) {
	top := sign[K]()
	inf, nan := floats[K]()
	shift := bits.Len64(uint64(top)) - 1
	dst = dst[:len(src)]
	for i, b := range src {
		switch { // branches that are taken seldom: not by the sign
		case b&^top > inf:
			b = nan | top
		case b == top && equalZeros: // the key of 0 has the bits of -0
		default:
			b ^= -(b >> shift) | top
		}
		dst[i] = b
	}
}

// ToFloats is the reverse of [OfFloats]. dst may be src.
func ToFloats[K Key](dst, src []K, poll func()) {
	loops := keyLoops[K]()
	each(len(src), func(lo, hi int) {
		if loops != nil {
			loops.ToFloats(dst[lo:hi], src[lo:hi])
			return
		}
		top := sign[K]()
		shift := bits.Len64(uint64(top)) - 1
		to := dst[lo:hi]
		for i, k := range src[lo:hi] {
			to[i] = k ^ (^-(k >> shift) | top)
		}
	}, poll)
}

// FlipSigns makes keys of signed ints, given by their bits, and the reverse. dst may be src.
func FlipSigns[K Key](dst, src []K, poll func()) {
	loops := keyLoops[K]()
	each(len(src), func(lo, hi int) {
		if loops != nil {
			loops.FlipSigns(dst[lo:hi], src[lo:hi])
			return
		}
		top, to := sign[K](), dst[lo:hi]
		for i, k := range src[lo:hi] {
			to[i] = k ^ top
		}
	}, poll)
}

// Copy copies keys, which are unsigned ints.
func Copy[K Key](dst, src []K, poll func()) {
	each(len(src), func(lo, hi int) { copy(dst[lo:hi], src[lo:hi]) }, poll)
}
