package kir

import (
	"math"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
	"github.com/arrayrepl/arrayrepl/internal/fma"
)

// A vecFunc applies one operation to n threads side by side: a, b and c hold the operands and d takes the results, an array
// of n elements each in the width of its type. It is the only definition of what the operation does: a value that is the
// same for all threads, and a constant that is folded, is computed by the same function with n = 1. d overlaps no operand.
type vecFunc func(n int, d, a, b, c unsafe.Pointer)

type (
	signed   interface{ int8 | int16 | int32 | int64 }
	unsigned interface {
		uint8 | uint16 | uint32 | uint64
	}
	integer interface{ signed | unsigned }
	number  interface{ integer | float }
)

func lanes[T any](p unsafe.Pointer, n int) []T { return unsafe.Slice((*T)(p), n) }

// vectors holds the operations by the type of their first operand, OpSelect by that of its second. OpConvert is in conversions.
var vectors = [numTypes][numOps]vecFunc{
	Bool: boolVectors(),
	I8:   signedVectors[int8](), I16: signedVectors[int16](),
	I32: withWords32(signedVectors[int32](), func(x, y int32) int32 { return int32(int64(x) * int64(y) >> 32) }),
	I64: withWords64(signedVectors[int64](), mulHiS64),
	U8:  unsignedVectors[uint8](), U16: unsignedVectors[uint16](),
	U32: withWords32(unsignedVectors[uint32](), func(x, y uint32) uint32 { return uint32(uint64(x) * uint64(y) >> 32) }),
	U64: withWords64(unsignedVectors[uint64](), mulHi64),
	F16: {OpSelect: vSelect[uint16]}, F32: f32Vectors(), F64: f64Vectors(),
}

// vectorOf returns the function that computes v, nil where v is not computed from its operands alone.
func vectorOf(v *Value) vecFunc {
	switch {
	case len(v.Args) == 0:
		return nil
	case v.Op == OpConvert:
		return conversions[v.Args[0].Type][v.Type]
	case v.Op == OpBitcast:
		return bitcasts[v.Type.Bytes()]
	case v.Op == OpSelect:
		return vectors[v.Type][OpSelect]
	}
	return vectors[v.Args[0].Type][v.Op]
}

func boolVectors() (t [numOps]vecFunc) {
	t[OpAnd], t[OpOr], t[OpXor] = vAnd[uint8], vOr[uint8], vXor[uint8]
	t[OpEq], t[OpNe], t[OpSelect] = vEq[uint8], vNe[uint8], vSelect[uint8]
	t[OpNot] = func(n int, d, a, _, _ unsafe.Pointer) {
		x, z := lanes[uint8](a, n), lanes[uint8](d, n)
		for i := range z {
			z[i] = x[i] ^ 1
		}
	}
	return t
}

func numberVectors[T number]() (t [numOps]vecFunc) {
	t[OpAdd], t[OpSub], t[OpMul] = vAdd[T], vSub[T], vMul[T]
	t[OpMin], t[OpMax], t[OpNeg] = vMin[T], vMax[T], vNeg[T]
	t[OpEq], t[OpNe], t[OpLt], t[OpLe], t[OpGt], t[OpGe] = vEq[T], vNe[T], vLt[T], vLe[T], vGt[T], vGe[T]
	t[OpSelect] = vSelect[T]
	return t
}

func integerVectors[T integer]() [numOps]vecFunc {
	t := numberVectors[T]()
	t[OpDiv], t[OpRem] = vDiv[T], vRem[T]
	t[OpAnd], t[OpOr], t[OpXor], t[OpNot] = vAnd[T], vOr[T], vXor[T], vNot[T]
	t[OpShl], t[OpShr] = vShl[T], vShr[T]
	return t
}

func signedVectors[T signed]() [numOps]vecFunc {
	t := integerVectors[T]()
	t[OpAbs] = map1(func(x T) T { return max(x, -x) })
	return t
}

func unsignedVectors[T unsigned]() [numOps]vecFunc {
	t := integerVectors[T]()
	t[OpAbs] = map1(func(x T) T { return x })
	return t
}

func floatVectors[T float]() [numOps]vecFunc {
	t := numberVectors[T]()
	t[OpDiv] = vQuo[T]
	roundings[T](&t)
	t[OpSqrt] = func(n int, d, a, _, _ unsafe.Pointer) {
		x, z := lanes[T](a, n), lanes[T](d, n)
		for i := range z {
			z[i] = sqrt(x[i])
		}
	}
	return t
}

func f32Vectors() [numOps]vecFunc {
	t := floatVectors[float32]()
	t[OpFlush] = map1(flush)
	for _, f := range elementary.Functions {
		t[elementaryOps[f.Name]] = mapAny(f.Unary32, f.Binary32)
	}
	t[OpAbs] = func(n int, d, a, _, _ unsafe.Pointer) {
		x, z := lanes[uint32](a, n), lanes[uint32](d, n)
		for i := range z {
			z[i] = x[i] &^ (1 << 31)
		}
	}
	t[OpFma] = func(n int, d, a, b, c unsafe.Pointer) {
		x, y, w, z := lanes[float32](a, n), lanes[float32](b, n), lanes[float32](c, n), lanes[float32](d, n)
		for i := range z {
			z[i] = fma.Float32(x[i], y[i], w[i])
		}
	}
	return t
}

func f64Vectors() [numOps]vecFunc {
	t := floatVectors[float64]()
	for _, f := range elementary.Functions {
		t[elementaryOps[f.Name]] = mapAny(f.Unary, f.Binary)
	}
	t[OpAbs] = func(n int, d, a, _, _ unsafe.Pointer) {
		x, z := lanes[uint64](a, n), lanes[uint64](d, n)
		for i := range z {
			z[i] = x[i] &^ (1 << 63)
		}
	}
	t[OpFma] = func(n int, d, a, b, c unsafe.Pointer) {
		x, y, w, z := lanes[float64](a, n), lanes[float64](b, n), lanes[float64](c, n), lanes[float64](d, n)
		for i := range z {
			z[i] = math.FMA(x[i], y[i], w[i])
		}
	}
	return t
}

// map1 makes a vecFunc of a function that costs more than its call.
func map1[T any](f func(T) T) vecFunc {
	return func(n int, d, a, _, _ unsafe.Pointer) {
		x, z := lanes[T](a, n), lanes[T](d, n)
		for i := range z {
			z[i] = f(x[i])
		}
	}
}

// mapAny makes a vecFunc of the one of the functions that is there.
func mapAny[T any](unary func(T) T, binary func(x, y T) T) vecFunc {
	if unary != nil {
		return map1(unary)
	}
	return func(n int, d, a, b, _ unsafe.Pointer) {
		x, y, z := lanes[T](a, n), lanes[T](b, n), lanes[T](d, n)
		for i := range z {
			z[i] = binary(x[i], y[i])
		}
	}
}
