package cpu

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
)

// map1To is map1 for a result of another type.
func map1To[S, D any](f func(S) D) vecFunc {
	return func(n int, d, a, _, _ unsafe.Pointer) {
		x, z := lanes[S](a, n), lanes[D](d, n)
		for i := range z {
			z[i] = f(x[i])
		}
	}
}

func map2[T any](f func(x, y T) T) vecFunc { return mapAny(nil, f) }

// withWords32 adds the operations on bits of 32-bit integers.
func withWords32[T int32 | uint32](t [kir.NumOps]vecFunc, mulHi func(x, y T) T) [kir.NumOps]vecFunc {
	t[kir.OpMulHi] = map2(mulHi)
	t[kir.OpPopc] = map1To(func(x T) uint32 { return uint32(bits.OnesCount32(uint32(x))) })
	t[kir.OpClz] = map1To(func(x T) uint32 { return uint32(bits.LeadingZeros32(uint32(x))) })
	t[kir.OpBrev] = map1(func(x T) T { return T(bits.Reverse32(uint32(x))) })
	return t
}

func withWords64[T int64 | uint64](t [kir.NumOps]vecFunc, mulHi func(x, y T) T) [kir.NumOps]vecFunc {
	t[kir.OpMulHi] = map2(mulHi)
	t[kir.OpPopc] = map1To(func(x T) uint32 { return uint32(bits.OnesCount64(uint64(x))) })
	t[kir.OpClz] = map1To(func(x T) uint32 { return uint32(bits.LeadingZeros64(uint64(x))) })
	t[kir.OpBrev] = map1(func(x T) T { return T(bits.Reverse64(uint64(x))) })
	t[kir.OpSharedOf] = sharedOf
	return t
}

func sharedOf(n int, d, a, b, _ unsafe.Pointer) {
	x, y, z := lanes[uint64](a, n), lanes[uint32](b, n), lanes[uint64](d, n)
	for i := range z {
		z[i] = kir.SharedOf(x[i], y[i])
	}
}

func mulHi64(x, y uint64) uint64 {
	hi, _ := bits.Mul64(x, y)
	return hi
}

// mulHiS64 takes away what the sign bits are worth too much in the unsigned product.
func mulHiS64(x, y int64) int64 { return int64(mulHi64(uint64(x), uint64(y))) - x>>63&y - y>>63&x }

// roundings are the operations from float to whole float.
func roundings[T float](t *[kir.NumOps]vecFunc) {
	for op, f := range map[kir.Op]func(float64) float64{kir.OpFloor: math.Floor, kir.OpCeil: math.Ceil, kir.OpTrunc: math.Trunc, kir.OpRint: math.RoundToEven} {
		t[op] = map1(func(x T) T { return T(f(float64(x))) })
	}
}

// bitcasts copy, by the size of the type.
var bitcasts = map[int]vecFunc{1: vCopy[uint8], 2: vCopy[uint16], 4: vCopy[uint32], 8: vCopy[uint64]}

// toHalf and fromHalf convert between F16 and the types that compute. An integer goes by float64, whose 53 bits keep
// what the rounding to 11 must know: integers beyond them are infinite as F16.
func toHalf[S number](n int, d, a, _, _ unsafe.Pointer) {
	x, z := lanes[S](a, n), lanes[uint16](d, n)
	for i := range z {
		z[i] = kir.HalfOf(float64(x[i]))
	}
}

// fromHalf returns the conversion of F16 to t by way of the one of F64.
func fromHalf(t kir.Type) vecFunc {
	from64 := fromFloat[float64]()[t]
	if t == kir.Bool {
		from64 = vBool[float64]
	}
	return func(n int, d, a, _, _ unsafe.Pointer) {
		x := lanes[uint16](a, n)
		size := uintptr(t.Bytes())
		for i, h := range x {
			f := kir.HalfValue(h)
			from64(1, unsafe.Add(d, uintptr(i)*size), unsafe.Pointer(&f), nil, nil)
		}
	}
}
