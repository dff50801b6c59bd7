package vector

var keys64 = KeyLoops[uint64]{keysLoop(floatKeysU64), keysLoop(floatKeysEqualZerosU64), keysLoop(keyFloatsU64), keysLoop(flipSignsU64)}

var keys32 = KeyLoops[uint32]{keysLoop(floatKeysU32), keysLoop(floatKeysEqualZerosU32), keysLoop(keyFloatsU32), keysLoop(flipSignsU32)}

func keysLoop[K uint32 | uint64](loop func(n int, dst, src *K)) func(dst, src []K) {
	return func(dst, src []K) {
		if n := len(src); n > 0 {
			loop(n, &dst[:n][0], &src[0])
		}
	}
}

var places = PlaceLoops{
	Differ: func(x []uint64) uint64 { return differingBits(len(x), &x[0]) },
	Pack: func(dst, src []uint64, shift uint, low uint64, from int) {
		packPlaces(len(src), &dst[:len(src)][0], &src[0], uint64(shift), low, uint64(from))
	},
	Unpack: func(x []uint64, low uint64) { unpackPlaces(len(x), &x[0], low) },
	FirstTie: func(x []uint64, low uint64) int {
		if len(x) < 2 {
			return -1
		}
		return firstTie(len(x)-1, &x[0], low)
	},
}

func keysUint64() *KeyLoops[uint64] { return best(&keys64, nil) }

func keysUint32() *KeyLoops[uint32] { return best(&keys32, nil) }

func placeLoops() *PlaceLoops { return best(&places, nil) }

//go:noescape
func floatKeysU64(n int, dst, src *uint64)

//go:noescape
func floatKeysEqualZerosU64(n int, dst, src *uint64)

//go:noescape
func keyFloatsU64(n int, dst, src *uint64)

//go:noescape
func flipSignsU64(n int, dst, src *uint64)

//go:noescape
func floatKeysU32(n int, dst, src *uint32)

//go:noescape
func floatKeysEqualZerosU32(n int, dst, src *uint32)

//go:noescape
func keyFloatsU32(n int, dst, src *uint32)

//go:noescape
func flipSignsU32(n int, dst, src *uint32)

//go:noescape
func differingBits(n int, x *uint64) uint64

//go:noescape
func packPlaces(n int, dst, src *uint64, shift, low, from uint64)

//go:noescape
func unpackPlaces(n int, x *uint64, low uint64)

//go:noescape
func firstTie(n int, x *uint64, low uint64) int
