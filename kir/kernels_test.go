package kir

import (
	"encoding/binary"
	"math"
	"testing"
	"unsafe"
)

func floatBytes[T float](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), len(x)*int(unsafe.Sizeof(x[0])))
}

// ramp returns values that are not all zero; what was never written would be read from one page that the system shares.
func ramp[T float](n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(i%1000) / 8
	}
	return x
}

func packParams(xs ...any) (b []byte) {
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
func mapKernel(t testing.TB, name string, typ Type, body func(b *Builder, x, y *Value) *Value) *Func {
	b := NewBuilder(name)
	n, x, y := b.Param("n", I64), b.Param("x", U64), b.Param("y", U64)
	i := b.GlobalIDX()
	in, end := b.NewBlock("in"), b.NewBlock("end")
	b.Branch(b.Op(OpLt, i, n), in, end)
	b.SetBlock(in)
	to := b.Index(y, i, typ)
	b.Store(Global, to, body(b, b.Load(Global, typ, b.Index(x, i, typ)), b.Load(Global, typ, to)))
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	return mustFunc(t, b)
}

func mustFunc(t testing.TB, b *Builder) *Func {
	t.Helper()
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func saxpyKernel(t testing.TB) *Func {
	return mapKernel(t, "saxpy", F32, func(b *Builder, x, y *Value) *Value {
		return b.Op(OpAdd, b.Op(OpMul, b.Const(F32, 2.5), x), y)
	})
}

// matmulKernel is c = a*b for n x n matrices of f32, n a multiple of tile, with tiles in shared memory.
func matmulKernel(t testing.TB, tile int) *Func {
	b := NewBuilder("matmul")
	n, pa, pb, pc := b.Param("n", I64), b.Param("a", U64), b.Param("b", U64), b.Param("c", U64)
	as, bs := b.SharedArray("as", F32, tile*tile), b.SharedArray("bs", F32, tile*tile)
	wide := func(s Special) *Value { return b.Convert(I64, b.Special(s)) }
	k := b.Int(I64, int64(tile))
	tx, ty := wide(TidX), wide(TidY)
	row := b.Op(OpAdd, b.Op(OpMul, wide(CtaidY), k), ty)
	col := b.Op(OpAdd, b.Op(OpMul, wide(CtaidX), k), tx)
	own := b.Op(OpAdd, b.Op(OpMul, ty, k), tx)
	head, body, inner, step, next, exit := b.NewBlock("head", I64, F32), b.NewBlock("body"), b.NewBlock("inner", I64, F32),
		b.NewBlock("step"), b.NewBlock("next"), b.NewBlock("exit")
	zero := b.Int(I64, 0)
	b.Jump(head, zero, b.Const(F32, 0))
	b.SetBlock(head)
	at, sum := head.Params[0], head.Params[1]
	b.Branch(b.Op(OpLt, at, n), body, exit)
	b.SetBlock(body)
	b.Store(Shared, b.Index(as, own, F32), b.Load(Global, F32, b.Index(pa, b.Op(OpAdd, b.Op(OpMul, row, n), b.Op(OpAdd, at, tx)), F32)))
	b.Store(Shared, b.Index(bs, own, F32), b.Load(Global, F32, b.Index(pb, b.Op(OpAdd, b.Op(OpMul, b.Op(OpAdd, at, ty), n), col), F32)))
	b.Barrier()
	b.Jump(inner, zero, sum)
	b.SetBlock(inner)
	j, acc := inner.Params[0], inner.Params[1]
	b.Branch(b.Op(OpLt, j, k), step, next)
	b.SetBlock(step)
	x := b.Load(Shared, F32, b.Index(as, b.Op(OpAdd, b.Op(OpMul, ty, k), j), F32))
	y := b.Load(Shared, F32, b.Index(bs, b.Op(OpAdd, b.Op(OpMul, j, k), tx), F32))
	b.Jump(inner, b.Op(OpAdd, j, b.Int(I64, 1)), b.Op(OpAdd, acc, b.Op(OpMul, x, y)))
	b.SetBlock(next)
	b.Barrier()
	b.Jump(head, b.Op(OpAdd, at, k), acc)
	b.SetBlock(exit)
	b.Store(Global, b.Index(pc, b.Op(OpAdd, b.Op(OpMul, row, n), col), F32), sum)
	b.Return()
	return mustFunc(t, b)
}
