package kir

import (
	"context"
	"encoding/binary"
	"math"
	"testing"
	"time"
	"unsafe"
)

// Benchmarks compare the engine on one core with the same loops in plain Go, in one run, and report the ratio as "x-go".

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

func chainKernel(t testing.TB) *Func {
	return mapKernel(t, "chain", F64, func(b *Builder, x, _ *Value) *Value {
		for k := range 5 {
			x = b.Op(OpAdd, b.Op(OpMul, x, b.Const(F64, 1+float64(k)/8)), b.Const(F64, float64(k)-0.5))
		}
		return x
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

func benchKernel(b *testing.B, f *Func, l Launch, plain func()) {
	p, err := Compile(Optimize(f))
	if err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	for range 3 {
		plain()
	}
	goTime := time.Since(start) / 3
	l.Workers = 1
	var c Counts
	for b.Loop() {
		if c, err = p.Run(context.Background(), l); err != nil {
			b.Fatal(err)
		}
	}
	total := int64(0)
	for _, n := range c.ThreadInstructions {
		total += n
	}
	per := float64(b.Elapsed()) / float64(b.N)
	b.ReportMetric(per/float64(goTime), "x-go")
	b.ReportMetric(float64(total)/32/per*1e3, "Mwarp-inst/s")
}

func BenchmarkSaxpy4M(b *testing.B) {
	const n = 4 << 20
	x, y := ramp[float32](n), ramp[float32](n)
	m := NewMemory()
	m.Map(1<<32, floatBytes(x))
	m.Map(1<<33, floatBytes(y))
	l := Launch{Grid: D1(n / 256), Block: D1(256), Params: packParams(n, 1<<32, 1<<33), Memory: m}
	benchKernel(b, saxpyKernel(b), l, func() {
		for i := range x {
			y[i] = 2.5*x[i] + y[i]
		}
	})
}

func BenchmarkChain4M(b *testing.B) {
	const n = 4 << 20
	x, y := ramp[float64](n), ramp[float64](n)
	m := NewMemory()
	m.Map(1<<32, floatBytes(x))
	m.Map(1<<33, floatBytes(y))
	l := Launch{Grid: D1(n / 256), Block: D1(256), Params: packParams(n, 1<<32, 1<<33), Memory: m}
	benchKernel(b, chainKernel(b), l, func() {
		for i, v := range x {
			v = v*1 + -0.5
			v = v*1.125 + 0.5
			v = v*1.25 + 1.5
			v = v*1.375 + 2.5
			y[i] = v*1.5 + 3.5
		}
	})
}

func BenchmarkMatmul256(b *testing.B) {
	const n, tile = 256, 16
	x, y, z := ramp[float32](n*n), ramp[float32](n*n), ramp[float32](n*n)
	m := NewMemory()
	m.Map(1<<32, floatBytes(x))
	m.Map(1<<33, floatBytes(y))
	m.Map(1<<34, floatBytes(z))
	l := Launch{Grid: Dim3{n / tile, n / tile, 1}, Block: Dim3{tile, tile, 1}, Params: packParams(n, 1<<32, 1<<33, 1<<34), Memory: m}
	benchKernel(b, matmulKernel(b, tile), l, func() {
		for i := range n {
			row := z[i*n:][:n]
			clear(row)
			for k := range n {
				a := x[i*n+k]
				for j, v := range y[k*n:][:n] {
					row[j] += a * v
				}
			}
		}
	})
}

// BenchmarkCompile makes a kernel of some 50 values ready to run, from its building on.
func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		if _, err := Compile(Optimize(matmulKernel(b, 16))); err != nil {
			b.Fatal(err)
		}
	}
}
