package vector

var narrowSorts64 = Sorts[uint64]{
	Small: 32,
	Network: func(x []uint64) {
		var room [32]uint64
		switch n := len(x); {
		case n <= 3:
			insert(x)
			return
		case n <= 8:
			pad(room[:8], x)
			networkU64x2AVX2(&room[0])
		case n <= 16:
			pad(room[:16], x)
			networkU64x4AVX2(&room[0])
		default:
			pad(room[:], x)
			networkU64x8AVX2(&room[0])
		}
		copy(x, room[:])
	},
	Partition: func(x []uint64, pivot uint64) int { return narrowPartition(x, pivot, 16, partitionU64AVX2) },
}

var narrowSorts32 = Sorts[uint32]{
	Small: 64,
	Network: func(x []uint32) {
		var room [64]uint32
		switch n := len(x); {
		case n <= 3:
			insert(x)
			return
		case n <= 16:
			pad(room[:16], x)
			networkU32x2AVX2(&room[0])
		case n <= 32:
			pad(room[:32], x)
			networkU32x4AVX2(&room[0])
		default:
			pad(room[:], x)
			networkU32x8AVX2(&room[0])
		}
		copy(x, room[:])
	},
	Partition: func(x []uint32, pivot uint32) int { return narrowPartition(x, pivot, 32, partitionU32AVX2) },
}

// insert sorts the fewest keys, for which a network takes longer.
func insert[K uint32 | uint64](x []K) {
	for i := 1; i < len(x); i++ {
		for j := i; j > 0 && x[j-1] > x[j]; j-- {
			x[j-1], x[j] = x[j], x[j-1]
		}
	}
}

// pad fills room with x and, behind it, the largest key.
func pad[K uint32 | uint64](room, x []K) {
	for i := copy(room, x); i < len(room); i++ {
		room[i] = ^K(0)
	}
}

// narrowPartition leaves the keys behind the last multiple of round, of which there are two or more, to be brought in
// one by one.
func narrowPartition[K uint32 | uint64](x []K, pivot K, round int, partition func(n int, x *K, pivot K) int) int {
	whole := len(x) &^ (round - 1)
	n := partition(whole, &x[0], pivot)
	for i := whole; i < len(x); i++ {
		k := x[i]
		x[i], x[n] = x[n], k
		if k <= pivot {
			n++
		}
	}
	return n
}

//go:noescape
func networkU64x2AVX2(x *uint64)

//go:noescape
func networkU64x4AVX2(x *uint64)

//go:noescape
func networkU64x8AVX2(x *uint64)

//go:noescape
func networkU32x2AVX2(x *uint32)

//go:noescape
func networkU32x4AVX2(x *uint32)

//go:noescape
func networkU32x8AVX2(x *uint32)

//go:noescape
func partitionU64AVX2(n int, x *uint64, pivot uint64) int

//go:noescape
func partitionU32AVX2(n int, x *uint32, pivot uint32) int
