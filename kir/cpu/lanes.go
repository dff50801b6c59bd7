package cpu

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
	"github.com/arrayrepl/arrayrepl/internal/fma"
	"github.com/arrayrepl/arrayrepl/internal/sfu"
	"github.com/arrayrepl/arrayrepl/kir"
)

// A vecFunc applies one operation to n threads side by side: a, b and c hold the operands and d takes the results, an
// array of n elements each in the width of its type. It is the only definition of what the operation does: a value that
// is the same for all threads, and a constant that is folded, is computed by the same function with n = 1. d overlaps
// no operand.
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

// trues counts the true ones of bools.
func trues(p []uint8) (n int) {
	for len(p) >= 8 {
		n += bits.OnesCount64(*(*uint64)(unsafe.Pointer(&p[0])))
		p = p[8:]
	}
	for _, x := range p {
		n += int(x)
	}
	return n
}

// vectors holds the operations by the type of their first operand, OpSelect by that of its second. OpConvert is in
// conversions.
var vectors = [kir.NumTypes][kir.NumOps]vecFunc{
	kir.Bool: boolVectors(),
	kir.I8:   signedVectors[int8](), kir.I16: signedVectors[int16](),
	kir.I32: withWords32(signedVectors[int32](), func(x, y int32) int32 { return int32(int64(x) * int64(y) >> 32) }),
	kir.I64: withWords64(signedVectors[int64](), mulHiS64),
	kir.U8:  unsignedVectors[uint8](), kir.U16: unsignedVectors[uint16](),
	kir.U32: withWords32(unsignedVectors[uint32](), func(x, y uint32) uint32 { return uint32(uint64(x) * uint64(y) >> 32) }),
	kir.U64: withWords64(unsignedVectors[uint64](), mulHi64),
	kir.F16: {kir.OpSelect: vSelect[uint16]}, kir.F32: f32Vectors(), kir.F64: f64Vectors(),
}

// vectorOf returns the function that computes v, nil where v is not computed from its operands alone.
func vectorOf(v *kir.Value) vecFunc {
	switch {
	case len(v.Args) == 0:
		return nil
	case v.Op == kir.OpConvert:
		return conversions[v.Args[0].Type][v.Type]
	case v.Op == kir.OpBitcast:
		return bitcasts[v.Type.Bytes()]
	case v.Op == kir.OpSelect:
		return vectors[v.Type][kir.OpSelect]
	}
	return vectors[v.Args[0].Type][v.Op]
}

func boolVectors() (t [kir.NumOps]vecFunc) {
	t[kir.OpAnd], t[kir.OpOr], t[kir.OpXor] = vAnd[uint8], vOr[uint8], vXor[uint8]
	t[kir.OpEq], t[kir.OpNe], t[kir.OpSelect] = vEq[uint8], vNe[uint8], vSelect[uint8]
	t[kir.OpNot] = func(n int, d, a, _, _ unsafe.Pointer) {
		x, z := lanes[uint8](a, n), lanes[uint8](d, n)
		for i := range z {
			z[i] = x[i] ^ 1
		}
	}
	return t
}

func numberVectors[T number]() (t [kir.NumOps]vecFunc) {
	t[kir.OpAdd], t[kir.OpSub], t[kir.OpMul] = vAdd[T], vSub[T], vMul[T]
	t[kir.OpMin], t[kir.OpMax], t[kir.OpNeg] = vMin[T], vMax[T], vNeg[T]
	t[kir.OpEq], t[kir.OpNe], t[kir.OpLt], t[kir.OpLe], t[kir.OpGt], t[kir.OpGe] = vEq[T], vNe[T], vLt[T], vLe[T], vGt[T], vGe[T]
	t[kir.OpSelect] = vSelect[T]
	return t
}

func integerVectors[T integer]() [kir.NumOps]vecFunc {
	t := numberVectors[T]()
	t[kir.OpDiv], t[kir.OpRem] = vDiv[T], vRem[T]
	t[kir.OpAnd], t[kir.OpOr], t[kir.OpXor], t[kir.OpNot] = vAnd[T], vOr[T], vXor[T], vNot[T]
	t[kir.OpShl], t[kir.OpShr] = vShl[T], vShr[T]
	return t
}

func signedVectors[T signed]() [kir.NumOps]vecFunc {
	t := integerVectors[T]()
	t[kir.OpAbs] = map1(func(x T) T { return max(x, -x) })
	return t
}

func unsignedVectors[T unsigned]() [kir.NumOps]vecFunc {
	t := integerVectors[T]()
	t[kir.OpAbs] = map1(func(x T) T { return x })
	return t
}

func floatVectors[T float]() [kir.NumOps]vecFunc {
	t := numberVectors[T]()
	t[kir.OpDiv] = vQuo[T]
	roundings[T](&t)
	t[kir.OpSqrt] = func(n int, d, a, _, _ unsafe.Pointer) {
		x, z := lanes[T](a, n), lanes[T](d, n)
		for i := range z {
			z[i] = sqrt(x[i])
		}
	}
	return t
}

func f32Vectors() [kir.NumOps]vecFunc {
	t := floatVectors[float32]()
	t[kir.OpFlush] = map1(flush)
	for _, f := range sfu.Functions {
		t[approximateOps[f.Name]] = map1(f.Of)
	}
	for _, f := range elementary.Functions {
		t[elementaryOps[f.Name]] = mapAny(f.Unary32, f.Binary32)
	}
	t[kir.OpAbs] = func(n int, d, a, _, _ unsafe.Pointer) {
		x, z := lanes[uint32](a, n), lanes[uint32](d, n)
		for i := range z {
			z[i] = x[i] &^ (1 << 31)
		}
	}
	t[kir.OpFma] = func(n int, d, a, b, c unsafe.Pointer) {
		x, y, w, z := lanes[float32](a, n), lanes[float32](b, n), lanes[float32](c, n), lanes[float32](d, n)
		for i := range z {
			z[i] = fma.Float32(x[i], y[i], w[i])
		}
	}
	return t
}

func f64Vectors() [kir.NumOps]vecFunc {
	t := floatVectors[float64]()
	for _, f := range elementary.Functions {
		t[elementaryOps[f.Name]] = mapAny(f.Unary, f.Binary)
	}
	t[kir.OpAbs] = func(n int, d, a, _, _ unsafe.Pointer) {
		x, z := lanes[uint64](a, n), lanes[uint64](d, n)
		for i := range z {
			z[i] = x[i] &^ (1 << 63)
		}
	}
	t[kir.OpFma] = func(n int, d, a, b, c unsafe.Pointer) {
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
