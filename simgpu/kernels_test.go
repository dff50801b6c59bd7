package simgpu

import (
	"context"
	"encoding/binary"
	"math"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// build finishes a kernel that is known to be right.
func build(t testing.TB, b *kir.Builder) *kir.Func {
	t.Helper()
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// elementwise makes a kernel of pointers and a count n in which thread i < n runs body.
func elementwise(t testing.TB, name string, pointers []string, body func(b *kir.Builder, p []*kir.Value, i *kir.Value)) *kir.Func {
	b := kir.NewBuilder(name)
	var ps []*kir.Value
	for _, name := range pointers {
		ps = append(ps, b.Param(name, kir.U64))
	}
	n := b.Param("n", kir.I64)
	i := b.GlobalIDX()
	work, done := b.NewBlock("body"), b.NewBlock("done")
	b.Branch(b.Op(kir.OpLt, i, n), work, done)
	b.SetBlock(work)
	body(b, ps, i)
	b.Jump(done)
	b.SetBlock(done)
	b.Return()
	return build(t, b)
}

// saxpy computes y[i] = 2 x[i] + y[i] in f32.
func saxpy(t testing.TB) *kir.Func {
	return elementwise(t, "saxpy", []string{"x", "y"}, func(b *kir.Builder, p []*kir.Value, i *kir.Value) {
		x := b.Load(kir.Global, kir.F32, b.Index(p[0], i, kir.F32))
		at := b.Index(p[1], i, kir.F32)
		y := b.Load(kir.Global, kir.F32, at)
		b.Store(kir.Global, at, b.Op(kir.OpFma, b.Const(kir.F32, 2), x, y))
	})
}

// gather computes y[i] = x[(i*stride) mod n] in f32; n must be a power of two.
func gather(t testing.TB, stride int64) *kir.Func {
	return elementwise(t, "gather", []string{"x", "y"}, func(b *kir.Builder, p []*kir.Value, i *kir.Value) {
		j := b.Op(kir.OpAnd, b.Op(kir.OpMul, i, b.Int(kir.I64, stride)), b.Int(kir.I64, 1<<20-1))
		x := b.Load(kir.Global, kir.F32, b.Index(p[0], j, kir.F32))
		b.Store(kir.Global, b.Index(p[1], i, kir.F32), x)
	})
}

// fused is ten f64 operations on three arrays, as a fused expression gives.
func fused(t testing.TB) *kir.Func {
	return elementwise(t, "fused", []string{"a", "b", "out"}, func(b *kir.Builder, p []*kir.Value, i *kir.Value) {
		x := b.Load(kir.Global, kir.F64, b.Index(p[0], i, kir.F64))
		y := b.Load(kir.Global, kir.F64, b.Index(p[1], i, kir.F64))
		v := b.Op(kir.OpAdd, b.Op(kir.OpMul, x, x), b.Op(kir.OpMul, y, y))
		v = b.Op(kir.OpSqrt, b.Op(kir.OpAdd, v, b.Const(kir.F64, 1)))
		v = b.Op(kir.OpMul, v, b.Op(kir.OpExp, b.Op(kir.OpNeg, b.Op(kir.OpAbs, x))))
		v = b.Op(kir.OpSelect, b.Op(kir.OpGt, v, y), v, y)
		b.Store(kir.Global, b.Index(p[2], i, kir.F64), v)
	})
}

// triangle lets thread i add up 0..(i mod 16) in a loop, so that lanes leave it one after the other, and takes one of
// two ways by the parity of i: y[i] = sum, or -sum for odd i.
func triangle(t testing.TB) *kir.Func {
	return elementwise(t, "triangle", []string{"y"}, func(b *kir.Builder, p []*kir.Value, i *kir.Value) {
		trips := b.Op(kir.OpAnd, i, b.Int(kir.I64, 15))
		head := b.NewBlock("head", kir.I64, kir.I64)
		body, after := b.NewBlock("loop"), b.NewBlock("after")
		odd, even, join := b.NewBlock("odd"), b.NewBlock("even"), b.NewBlock("join", kir.I64)
		zero := b.Int(kir.I64, 0)
		b.Jump(head, zero, zero)
		b.SetBlock(head)
		k, sum := head.Params[0], head.Params[1]
		b.Branch(b.Op(kir.OpLe, k, trips), body, after)
		b.SetBlock(body)
		b.Jump(head, b.Op(kir.OpAdd, k, b.Int(kir.I64, 1)), b.Op(kir.OpAdd, sum, k))
		b.SetBlock(after)
		b.Branch(b.Op(kir.OpEq, b.Op(kir.OpAnd, i, b.Int(kir.I64, 1)), zero), even, odd)
		b.SetBlock(odd)
		b.Jump(join, b.Op(kir.OpNeg, sum))
		b.SetBlock(even)
		b.Jump(join, sum)
		b.SetBlock(join)
		b.Store(kir.Global, b.Index(p[0], i, kir.I64), join.Params[0])
	})
}

// reduce adds up x by a tree in shared memory: out[block] = sum of the block's 256 elements, f32.
func reduce(t testing.TB) *kir.Func {
	b := kir.NewBuilder("reduce")
	x, out := b.Param("x", kir.U64), b.Param("out", kir.U64)
	s := b.SharedArray("s", kir.F32, 256)
	tid := b.Convert(kir.I64, b.Special(kir.TidX))
	own := b.Index(s, tid, kir.F32)
	b.Store(kir.Shared, own, b.Load(kir.Global, kir.F32, b.Index(x, b.GlobalIDX(), kir.F32)))
	b.Barrier()
	for d := int64(128); d > 0; d /= 2 {
		add, next := b.NewBlock("add"), b.NewBlock("next")
		b.Branch(b.Op(kir.OpLt, tid, b.Int(kir.I64, d)), add, next)
		b.SetBlock(add)
		other := b.Load(kir.Shared, kir.F32, b.Index(s, b.Op(kir.OpAdd, tid, b.Int(kir.I64, d)), kir.F32))
		b.Store(kir.Shared, own, b.Op(kir.OpAdd, b.Load(kir.Shared, kir.F32, own), other))
		b.Jump(next)
		b.SetBlock(next)
		b.Barrier()
	}
	first, done := b.NewBlock("first"), b.NewBlock("done")
	b.Branch(b.Op(kir.OpEq, tid, b.Int(kir.I64, 0)), first, done)
	b.SetBlock(first)
	at := b.Index(out, b.Convert(kir.I64, b.Special(kir.CtaidX)), kir.F32)
	b.Store(kir.Global, at, b.Load(kir.Shared, kir.F32, s))
	b.Jump(done)
	b.SetBlock(done)
	b.Return()
	return build(t, b)
}

// matmul multiplies n x n matrices of f32 in 16 x 16 tiles in shared memory; the loop over a tile is unrolled.
func matmul(t testing.TB, n int) *kir.Func {
	const tile = 16
	b := kir.NewBuilder("matmul")
	pa, pb, pc := b.Param("a", kir.U64), b.Param("b", kir.U64), b.Param("c", kir.U64)
	sa, sb := b.SharedArray("sa", kir.F32, tile*tile), b.SharedArray("sb", kir.F32, tile*tile)
	wide := func(s kir.Special) *kir.Value { return b.Convert(kir.I64, b.Special(s)) }
	num := func(n int) *kir.Value { return b.Int(kir.I64, int64(n)) }
	mad := func(x *kir.Value, k int, y *kir.Value) *kir.Value {
		return b.Op(kir.OpAdd, b.Op(kir.OpMul, x, num(k)), y)
	}
	tx, ty := wide(kir.TidX), wide(kir.TidY)
	row, col := mad(wide(kir.CtaidY), tile, ty), mad(wide(kir.CtaidX), tile, tx)
	own := mad(ty, tile, tx)
	head := b.NewBlock("head", kir.I64, kir.F32)
	body, done := b.NewBlock("body"), b.NewBlock("done")
	b.Jump(head, num(0), b.Const(kir.F32, 0))
	b.SetBlock(head)
	k, sum := head.Params[0], head.Params[1]
	b.Branch(b.Op(kir.OpLt, k, num(n)), body, done)
	b.SetBlock(body)
	b.Store(kir.Shared, b.Index(sa, own, kir.F32),
		b.Load(kir.Global, kir.F32, b.Index(pa, b.Op(kir.OpAdd, mad(row, n, tx), k), kir.F32)))
	b.Store(kir.Shared, b.Index(sb, own, kir.F32),
		b.Load(kir.Global, kir.F32, b.Index(pb, mad(b.Op(kir.OpAdd, ty, k), n, col), kir.F32)))
	b.Barrier()
	acc := sum
	for i := range tile {
		x := b.Load(kir.Shared, kir.F32, b.Index(sa, mad(ty, tile, num(i)), kir.F32))
		y := b.Load(kir.Shared, kir.F32, b.Index(sb, mad(num(i), tile, tx), kir.F32))
		acc = b.Op(kir.OpFma, x, y, acc)
	}
	b.Barrier()
	b.Jump(head, b.Op(kir.OpAdd, k, num(tile)), acc)
	b.SetBlock(done)
	b.Store(kir.Global, b.Index(pc, mad(row, n, col), kir.F32), sum)
	b.Return()
	return build(t, b)
}

// bench is a GPU with one stream.
type bench struct {
	t      testing.TB
	gpu    *GPU
	stream device.Stream
}

func newBench(t testing.TB, name string, options ...Option) *bench {
	p, err := PresetByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return newBenchOf(t, p, options...)
}

func newBenchOf(t testing.TB, p Preset, options ...Option) *bench {
	g := New(p, options...)
	t.Cleanup(func() { g.Close() })
	s, err := g.NewStream(0)
	if err != nil {
		t.Fatal(err)
	}
	return &bench{t, g, s}
}

func (b *bench) alloc(bytes int) device.Buffer {
	b.t.Helper()
	buf, err := b.gpu.Alloc(bytes)
	if err != nil {
		b.t.Fatal(err)
	}
	return buf
}

// put makes a buffer with the given contents.
func (b *bench) put(data []byte) device.Buffer {
	buf := b.alloc(len(data))
	b.stream.CopyIn(buf, 0, data)
	return buf
}

// launch runs f and returns its event.
func (b *bench) launch(f *kir.Func, grid, block kir.Dim3, params ...any) trace.Event {
	b.t.Helper()
	k, err := b.gpu.Load(f)
	if err != nil {
		b.t.Fatal(err)
	}
	e := b.stream.Launch(k, grid, block, 0, pack(b.t, params...))
	if err := b.stream.Sync(context.Background()); err != nil {
		b.t.Fatal(err)
	}
	return e.Trace()
}

func (b *bench) get(buf device.Buffer) []byte {
	b.t.Helper()
	out := make([]byte, buf.Bytes())
	b.stream.CopyOut(out, buf, 0)
	if err := b.stream.Sync(context.Background()); err != nil {
		b.t.Fatal(err)
	}
	return out
}

// pack packs parameters, each at a multiple of its size.
func pack(t testing.TB, params ...any) []byte {
	var out []byte
	for _, p := range params {
		x, single := p.(float32)
		if single {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
			continue
		}
		out = append(out, make([]byte, len(out)%8)...)
		switch x := p.(type) {
		case device.Buffer:
			out = binary.LittleEndian.AppendUint64(out, x.Addr())
		case int:
			out = binary.LittleEndian.AppendUint64(out, uint64(x))
		case float64:
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(x))
		default:
			t.Fatalf("parameter %v", p)
		}
	}
	return out
}

func f32s(n int, f func(i int) float32) []byte {
	out := make([]byte, 4*n)
	for i := range n {
		binary.LittleEndian.PutUint32(out[4*i:], math.Float32bits(f(i)))
	}
	return out
}

func f32at(b []byte, i int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])) }

// A check is an instruction without a result.
func TestAKernelWithChecksIsTimed(t *testing.T) {
	f := elementwise(t, "checked", []string{"y"}, func(b *kir.Builder, p []*kir.Value, i *kir.Value) {
		b.Check(kir.CheckIndex, b.Op(kir.OpLt, i, b.Int(kir.I64, 64)), i, b.Int(kir.I64, 64), "y[i]")
		b.Store(kir.Global, b.Index(p[0], i, kir.I64), i)
	})
	b := newBench(t, "v100")
	y := b.alloc(8 * 64)
	checkStats(t, b.launch(f, kir.D1(1), kir.D1(64), y, 64))
	if out := b.get(y); out[8*63] != 63 {
		t.Error("the kernel did not run")
	}
}
