package sorting

import (
	"math/bits"
	"slices"
	"sync"
	"unsafe"
)

// blockLen is the number of keys that are made at a time.
const blockLen = 1024

// placeRoom is where the keys of a block are.
type placeRoom struct {
	wide   [blockLen]uint64
	narrow [blockLen]uint32
}

var placeRooms = sync.Pool{New: func() any { return new(placeRoom) }}

// Places fills each row of n places with the indices that sort as many keys; those of equal keys ascend. keys writes
// the keys of all rows from the from-th on to dst.
//
// A key's highest bits and its index are sorted as one number. Bits that all keys have in common are left out; what is
// equal where not all others fit is sorted by these then.
func Places[K Key](places []int64, n int, keys func(dst []K, from int), poll func()) {
	room := placeRooms.Get().(*placeRoom)
	defer placeRooms.Put(room)
	var wide func(count, from int) []uint64
	switch keys := any(keys).(type) {
	case func(dst []uint64, from int):
		wide = func(count, from int) []uint64 {
			keys(room.wide[:count], from)
			return room.wide[:count]
		}
	case func(dst []uint32, from int):
		wide = func(count, from int) []uint64 {
			keys(room.narrow[:count], from)
			for i, k := range room.narrow[:count] {
				room.wide[i] = uint64(k)
			}
			return room.wide[:count]
		}
	}
	if n <= blockLen {
		each := blockLen / n * n
		for from := 0; from < len(places); from += each {
			part := places[from:min(from+each, len(places))]
			placesOfShort(part, wide(len(part), from), n, poll)
		}
		return
	}
	for from := 0; from < len(places); from += n {
		placesOfLong(places[from:from+n], func(count, at int) []uint64 { return wide(count, from+at) }, poll)
	}
}

// asKeys sees places as numbers with keys in them.
func asKeys(places []int64) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(places))), len(places))
}

// placesOfShort is Places of rows whose keys are a block together.
func placesOfShort(places []int64, block []uint64, n int, poll func()) {
	packed := asKeys(places)
	differ := differing(block)
	shift, index := bits.LeadingZeros64(differ), bits.Len(uint(n-1))
	low := uint64(1)<<index - 1
	inexact := 64-shift-bits.TrailingZeros64(differ)+index > 64
	pack, sort := packing(), ForRows[uint64](n, poll)
	for lo := 0; lo < len(packed); lo += n {
		row := packed[lo : lo+n]
		pack(row, block[lo:lo+n], uint(shift), low, 0)
		sort(row)
		if inexact && firstTie(row, low) >= 0 {
			ties(row, low, func(at int) uint64 { return block[lo+at] }, poll)
		}
	}
	unpack(packed, low)
}

// placesOfLong is Places of one row.
func placesOfLong(places []int64, keys func(count, from int) []uint64, poll func()) {
	n := len(places)
	blocks := func(do func(block []uint64, from int)) {
		for from := 0; from < n; from += blockLen {
			do(keys(min(blockLen, n-from), from), from)
			if from%(1<<9*blockLen) == 0 {
				poll()
			}
		}
	}
	var first, differ uint64
	blocks(func(block []uint64, from int) {
		if from == 0 {
			first = block[0]
		}
		differ |= differing(block) | (block[0] ^ first)
	})
	packed := asKeys(places)
	shift, index := bits.LeadingZeros64(differ), bits.Len(uint(n-1))
	low := uint64(1)<<index - 1
	pack := packing()
	blocks(func(block []uint64, from int) { pack(packed[from:], block, uint(shift), low, from) })
	if differ != 0 {
		Keys(packed, poll)
	}
	if 64-shift-bits.TrailingZeros64(differ)+index > 64 {
		ties(packed, low, func(at int) uint64 { return keys(1, at)[0] }, poll)
	}
	unpack(packed, low)
}

// unpack leaves the indices.
func unpack(packed []uint64, low uint64) {
	if loops := placeLoops(); loops != nil {
		loops.Unpack(packed, low)
		return
	}
	for i := range packed {
		packed[i] &= low
	}
}

// differing returns the bits in which any of x differs from the first.
func differing(x []uint64) uint64 {
	if loops := placeLoops(); loops != nil {
		return loops.Differ(x)
	}
	d := uint64(0)
	for _, k := range x {
		d |= k ^ x[0]
	}
	return d
}

// packing returns what makes numbers of the keys' bits that are left by a shift, but for low, and indices from from on
// in low.
func packing() func(dst, keys []uint64, shift uint, low uint64, from int) {
	if loops := placeLoops(); loops != nil {
		return loops.Pack
	}
	return func(dst, keys []uint64, shift uint, low uint64, from int) {
		for i, k := range keys {
			dst[i] = k<<shift&^low | uint64(from+i)
		}
	}
}

// ties sorts those of the sorted numbers by their whole keys whose bits above low are equal.
func ties(packed []uint64, low uint64, key func(at int) uint64, poll func()) {
	var whole []uint64
	work := 0
	for from := 0; ; {
		i := firstTie(packed[from:], low)
		if i < 0 {
			return
		}
		i += from
		for from = i + 1; from < len(packed) && packed[from]|low == packed[i]|low; {
			from++
		}
		run := packed[i:from]
		if work += len(run); work > 1<<15 { // each key may lie anywhere
			work = 0
			poll()
		}
		whole = whole[:0]
		for _, p := range run {
			whole = append(whole, key(int(p&low)))
		}
		if slices.IsSorted(whole) { // mostly they are equal
			continue
		}
		order := make([]int64, len(run))
		Places(order, len(order), func(dst []uint64, from int) { copy(dst, whole[from:]) }, poll)
		for j, at := range order {
			whole[j] = run[at]
		}
		copy(run, whole)
	}
}

func firstTie(x []uint64, low uint64) int {
	if loops := placeLoops(); loops != nil {
		return loops.FirstTie(x, low)
	}
	for i := 1; i < len(x); i++ {
		if x[i]|low == x[i-1]|low {
			return i - 1
		}
	}
	return -1
}
