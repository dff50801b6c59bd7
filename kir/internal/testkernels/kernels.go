// Package testkernels has kernels that the tests of several packages of kir run, and what their launches need.
package testkernels

import (
	"encoding/binary"
	"math"
	"testing"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
)

type float interface{ float32 | float64 }

// FloatBytes returns the memory of x.
func FloatBytes[T float](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), len(x)*int(unsafe.Sizeof(x[0])))
}

// Ramp returns values that are not all zero; what was never written would be read from one page that the system shares.
func Ramp[T float](n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(i%1000) / 8
	}
	return x
}

// PackParams returns the parameter buffer of a launch: eight bytes for each parameter.
func PackParams(xs ...any) (b []byte) {
	for _, x := range xs {
		switch x := x.(type) {
		case int:
			b = binary.LittleEndian.AppendUint64(b, uint64(x))
		case float32:
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
		if _, ok := x.(float32); ok {
			b = append(b, 0, 0, 0, 0)
		}
	}
	return b
}

// mapKernel is y[i] = body(x[i]) for i < n.
func mapKernel(t testing.TB, name string, typ kir.Type, body func(b *kir.Builder, x, y *kir.Value) *kir.Value) *kir.Func {
	b := kir.NewBuilder(name)
	n, x, y := b.Param("n", kir.I64), b.Param("x", kir.U64), b.Param("y", kir.U64)
	i := b.GlobalIDX()
	in, end := b.NewBlock("in"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, i, n), in, end)
	b.SetBlock(in)
	to := b.Index(y, i, typ)
	b.Store(kir.Global, to, body(b, b.Load(kir.Global, typ, b.Index(x, i, typ)), b.Load(kir.Global, typ, to)))
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	return MustFunc(t, b)
}

// MustFunc returns what b has built.
func MustFunc(t testing.TB, b *kir.Builder) *kir.Func {
	t.Helper()
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// SaxpyKernel is y = 2.5*x + y.
func SaxpyKernel(t testing.TB) *kir.Func {
	return mapKernel(t, "saxpy", kir.F32, func(b *kir.Builder, x, y *kir.Value) *kir.Value {
		return b.Op(kir.OpAdd, b.Op(kir.OpMul, b.Const(kir.F32, 2.5), x), y)
	})
}

// MatmulKernel is c = a*b for n x n matrices of f32, n a multiple of tile, with tiles in shared memory.
func MatmulKernel(t testing.TB, tile int) *kir.Func {
	b := kir.NewBuilder("matmul")
	n, pa, pb, pc := b.Param("n", kir.I64), b.Param("a", kir.U64), b.Param("b", kir.U64), b.Param("c", kir.U64)
	as, bs := b.SharedArray("as", kir.F32, tile*tile), b.SharedArray("bs", kir.F32, tile*tile)
	wide := func(s kir.Special) *kir.Value { return b.Convert(kir.I64, b.Special(s)) }
	k := b.Int(kir.I64, int64(tile))
	tx, ty := wide(kir.TidX), wide(kir.TidY)
	row := b.Op(kir.OpAdd, b.Op(kir.OpMul, wide(kir.CtaidY), k), ty)
	col := b.Op(kir.OpAdd, b.Op(kir.OpMul, wide(kir.CtaidX), k), tx)
	own := b.Op(kir.OpAdd, b.Op(kir.OpMul, ty, k), tx)
	head, body, inner, step, next, exit := b.NewBlock("head", kir.I64, kir.F32), b.NewBlock("body"), b.NewBlock("inner", kir.I64, kir.F32),
		b.NewBlock("step"), b.NewBlock("next"), b.NewBlock("exit")
	zero := b.Int(kir.I64, 0)
	b.Jump(head, zero, b.Const(kir.F32, 0))
	b.SetBlock(head)
	at, sum := head.Params[0], head.Params[1]
	b.Branch(b.Op(kir.OpLt, at, n), body, exit)
	b.SetBlock(body)
	b.Store(kir.Shared, b.Index(as, own, kir.F32), b.Load(kir.Global, kir.F32, b.Index(pa, b.Op(kir.OpAdd, b.Op(kir.OpMul, row, n), b.Op(kir.OpAdd, at, tx)), kir.F32)))
	b.Store(kir.Shared, b.Index(bs, own, kir.F32), b.Load(kir.Global, kir.F32, b.Index(pb, b.Op(kir.OpAdd, b.Op(kir.OpMul, b.Op(kir.OpAdd, at, ty), n), col), kir.F32)))
	b.Barrier()
	b.Jump(inner, zero, sum)
	b.SetBlock(inner)
	j, acc := inner.Params[0], inner.Params[1]
	b.Branch(b.Op(kir.OpLt, j, k), step, next)
	b.SetBlock(step)
	x := b.Load(kir.Shared, kir.F32, b.Index(as, b.Op(kir.OpAdd, b.Op(kir.OpMul, ty, k), j), kir.F32))
	y := b.Load(kir.Shared, kir.F32, b.Index(bs, b.Op(kir.OpAdd, b.Op(kir.OpMul, j, k), tx), kir.F32))
	b.Jump(inner, b.Op(kir.OpAdd, j, b.Int(kir.I64, 1)), b.Op(kir.OpAdd, acc, b.Op(kir.OpMul, x, y)))
	b.SetBlock(next)
	b.Barrier()
	b.Jump(head, b.Op(kir.OpAdd, at, k), acc)
	b.SetBlock(exit)
	b.Store(kir.Global, b.Index(pc, b.Op(kir.OpAdd, b.Op(kir.OpMul, row, n), col), kir.F32), sum)
	b.Return()
	return MustFunc(t, b)
}
