package cpu

import (
	"math"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
)

// conversions holds the conversion from one type to another; see Builder.Convert.
var conversions = [kir.NumTypes][kir.NumTypes]vecFunc{
	kir.Bool: withBool(fromInteger[uint8](), vCopy[uint8]),
	kir.I8:   withBool(fromInteger[int8](), vBool[int8]), kir.I16: withBool(fromInteger[int16](), vBool[int16]),
	kir.I32: withBool(fromInteger[int32](), vBool[int32]), kir.I64: withBool(fromInteger[int64](), vBool[int64]),
	kir.U8: withBool(fromInteger[uint8](), vBool[uint8]), kir.U16: withBool(fromInteger[uint16](), vBool[uint16]),
	kir.U32: withBool(fromInteger[uint32](), vBool[uint32]), kir.U64: withBool(fromInteger[uint64](), vBool[uint64]),
	kir.F16: {
		kir.Bool: fromHalf(kir.Bool), kir.I8: fromHalf(kir.I8), kir.I16: fromHalf(kir.I16), kir.I32: fromHalf(kir.I32), kir.I64: fromHalf(kir.I64),
		kir.U8: fromHalf(kir.U8), kir.U16: fromHalf(kir.U16), kir.U32: fromHalf(kir.U32), kir.U64: fromHalf(kir.U64), kir.F32: fromHalf(kir.F32), kir.F64: fromHalf(kir.F64),
	},
	kir.F32: withBool(fromFloat[float32](), vBool[float32]), kir.F64: withBool(fromFloat[float64](), vBool[float64]),
}

func withBool(t [kir.NumTypes]vecFunc, toBool vecFunc) [kir.NumTypes]vecFunc {
	t[kir.Bool] = toBool
	return t
}

func fromInteger[S integer]() (t [kir.NumTypes]vecFunc) {
	t[kir.I8], t[kir.I16], t[kir.I32], t[kir.I64] = vConvert[S, int8], vConvert[S, int16], vConvert[S, int32], vConvert[S, int64]
	t[kir.U8], t[kir.U16], t[kir.U32], t[kir.U64] = vConvert[S, uint8], vConvert[S, uint16], vConvert[S, uint32], vConvert[S, uint64]
	t[kir.F16], t[kir.F32], t[kir.F64] = toHalf[S], vConvert[S, float32], vConvert[S, float64]
	return t
}

func fromFloat[S float]() (t [kir.NumTypes]vecFunc) {
	t[kir.I8], t[kir.I16] = vTruncate[S, int8](math.MinInt8, math.MaxInt8), vTruncate[S, int16](math.MinInt16, math.MaxInt16)
	t[kir.I32], t[kir.I64] = vTruncate[S, int32](math.MinInt32, math.MaxInt32), vTruncate[S, int64](math.MinInt64, math.MaxInt64)
	t[kir.U8], t[kir.U16] = vTruncate[S, uint8](0, math.MaxUint8), vTruncate[S, uint16](0, math.MaxUint16)
	t[kir.U32], t[kir.U64] = vTruncate[S, uint32](0, math.MaxUint32), vTruncate[S, uint64](0, math.MaxUint64)
	t[kir.F16], t[kir.F32], t[kir.F64] = toHalf[S], vConvert[S, float32], vConvert[S, float64]
	return t
}

// vConvert is for conversions that Go defines in full: between integers, between floats, from integer to float.
func vConvert[S, D number](n int, d, a, _, _ unsafe.Pointer) {
	x, z := lanes[S](a, n), lanes[D](d, n)
	for i := range z {
		z[i] = D(x[i])
	}
}

// vTruncate converts floats to integers between lo and hi. float64(hi) is hi+1 for the 64-bit types, which is the first
// value that does not fit; for the others a value between hi and hi+1 truncates to hi either way.
func vTruncate[S float, D integer](lo, hi D) vecFunc {
	min, max := float64(lo), float64(hi)
	return func(n int, d, a, _, _ unsafe.Pointer) {
		x, z := lanes[S](a, n), lanes[D](d, n)
		for i := range z {
			switch f := float64(x[i]); {
			case f >= max:
				z[i] = hi
			case f <= min:
				z[i] = lo
			case f != f:
				z[i] = 0
			default:
				z[i] = D(f)
			}
		}
	}
}

func vBool[S number](n int, d, a, _, _ unsafe.Pointer) {
	x, z := lanes[S](a, n), lanes[uint8](d, n)
	for i := range z {
		z[i] = bit(x[i] != 0)
	}
}

func vCopy[T any](n int, d, a, _, _ unsafe.Pointer) { copy(lanes[T](d, n), lanes[T](a, n)) }
