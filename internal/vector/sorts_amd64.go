package vector

import "math/bits"

var sorts64 = Sorts[uint64]{
	Small: 128,
	Network: func(x []uint64) {
		if len(x) > 0 {
			networks64[bits.Len(uint(len(x)-1)>>3)](len(x), &x[0])
		}
	},
	Partition: func(x []uint64, pivot uint64) int {
		return partitionU64(len(x), &x[0], pivot)
	},
}

var sorts32 = Sorts[uint32]{
	Small: 256,
	Network: func(x []uint32) {
		if len(x) > 0 {
			networks32[bits.Len(uint(len(x)-1)>>4)](len(x), &x[0])
		}
	},
	Partition: func(x []uint32, pivot uint32) int {
		return partitionU32(len(x), &x[0], pivot)
	},
}

func sortsUint64() *Sorts[uint64] { return best(&sorts64, &narrowSorts64) }

func sortsUint32() *Sorts[uint32] { return best(&sorts32, &narrowSorts32) }

// Networks are by the logarithm of the number of registers that they take.
var (
	networks64 = [...]func(n int, x *uint64){networkU64x1, networkU64x2, networkU64x4, networkU64x8, networkU64x16}
	networks32 = [...]func(n int, x *uint32){networkU32x1, networkU32x2, networkU32x4, networkU32x8, networkU32x16}
)

//go:noescape
func networkU64x1(n int, x *uint64)

//go:noescape
func networkU64x2(n int, x *uint64)

//go:noescape
func networkU64x4(n int, x *uint64)

//go:noescape
func networkU64x8(n int, x *uint64)

//go:noescape
func networkU64x16(n int, x *uint64)

//go:noescape
func networkU32x1(n int, x *uint32)

//go:noescape
func networkU32x2(n int, x *uint32)

//go:noescape
func networkU32x4(n int, x *uint32)

//go:noescape
func networkU32x8(n int, x *uint32)

//go:noescape
func networkU32x16(n int, x *uint32)

//go:noescape
func partitionU64(n int, x *uint64, pivot uint64) int

//go:noescape
func partitionU32(n int, x *uint32, pivot uint32) int
