package simgpu

import (
	"context"
	"reflect"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// indirect computes y[i] = x[k[i]]: addresses depend on memory.
func indirect(t testing.TB) *kir.Func {
	return elementwise(t, "indirect", []string{"k", "x", "y"}, func(b *kir.Builder, p []*kir.Value, i *kir.Value) {
		k := b.Load(kir.Global, kir.I64, b.Index(p[0], i, kir.I64))
		b.Store(kir.Global, b.Index(p[2], i, kir.F32), b.Load(kir.Global, kir.F32, b.Index(p[1], k, kir.F32)))
	})
}

// clipped stores y[i] = x[i] where that is positive: the path depends on memory.
func clipped(t testing.TB) *kir.Func {
	return elementwise(t, "clipped", []string{"x", "y"}, func(b *kir.Builder, p []*kir.Value, i *kir.Value) {
		x := b.Load(kir.Global, kir.F32, b.Index(p[0], i, kir.F32))
		store, join := b.NewBlock("store"), b.NewBlock("join")
		b.Branch(b.Op(kir.OpGt, x, b.Const(kir.F32, 0)), store, join)
		b.SetBlock(store)
		b.Store(kir.Global, b.Index(p[1], i, kir.F32), x)
		b.Jump(join)
		b.SetBlock(join)
	})
}

// strided reads with a distance that is a U64 parameter, and so looks like a pointer at first.
func strided(t testing.TB) *kir.Func {
	return elementwise(t, "strided", []string{"x", "y", "stride"}, func(b *kir.Builder, p []*kir.Value, i *kir.Value) {
		at := b.Op(kir.OpAdd, p[0], b.Op(kir.OpMul, b.Convert(kir.U64, i), p[2]))
		b.Store(kir.Global, b.Index(p[1], i, kir.F32), b.Load(kir.Global, kir.F32, at))
	})
}

func TestSteady(t *testing.T) {
	for _, c := range []struct {
		f    *kir.Func
		want bool
	}{
		{saxpy(t), true}, {gather(t, 3), true}, {fused(t), true}, {triangle(t), true}, {reduce(t), true}, {matmul(t, 64), true},
		{indirect(t), false}, {clipped(t), false}, {strided(t), false},
	} {
		for _, f := range []*kir.Func{c.f, opt.Optimize(c.f)} {
			if got, _ := steady(f); got != c.want {
				t.Errorf("%s: steady is %v, want %v", f.Name, got, c.want)
			}
		}
	}
}

// scale computes y[i] = a x[i]: a does not change the course of a launch, n does.
func scale(t testing.TB) *kir.Func {
	b := kir.NewBuilder("scale")
	x, y, n, a := b.Param("x", kir.U64), b.Param("y", kir.U64), b.Param("n", kir.I64), b.Param("a", kir.F64)
	i := b.GlobalIDX()
	work, done := b.NewBlock("body"), b.NewBlock("done")
	b.Branch(b.Op(kir.OpLt, i, n), work, done)
	b.SetBlock(work)
	b.Store(kir.Global, b.Index(y, i, kir.F64), b.Op(kir.OpMul, a, b.Load(kir.Global, kir.F64, b.Index(x, i, kir.F64))))
	b.Jump(done)
	b.SetBlock(done)
	b.Return()
	return build(t, b)
}

func TestWhatTheCourseDependsOn(t *testing.T) {
	if ok, course := steady(scale(t)); !ok || course&0b1111 != 0b0111 {
		t.Errorf("steady %v, course %b; want true and x, y, n", ok, course)
	}
}

// TestSteadyLaunchesAreTimedOnce: a repeated launch has the statistics of the first, which are those of a fresh GPU for
// other contents of memory; a launch of another size is timed anew. Results are computed every time.
func TestSteadyLaunchesAreTimedOnce(t *testing.T) {
	const n = 5000
	first := func(f func(i int) float32) (*bench, *kernel, trace.Event, []byte) {
		b := newBench(t, "sim:v100")
		k, err := b.gpu.Load(saxpy(t))
		if err != nil {
			t.Fatal(err)
		}
		x, y := b.put(f32s(n, f)), b.put(f32s(n, f))
		e := b.stream.Launch(k, kir.D1(20), kir.D1(256), 0, pack(t, x, y, n))
		out := b.get(y)
		return b, k.(*kernel), e.Trace(), out
	}
	_, _, want, _ := first(func(i int) float32 { return float32(i) })
	b, k, got, _ := first(func(i int) float32 { return float32(-i % 7) })
	if !reflect.DeepEqual(got.Stats, want.Stats) {
		t.Errorf("other contents: %+v, want %+v", got.Stats, want.Stats)
	}
	x, y := b.put(f32s(n, func(i int) float32 { return 3 })), b.put(f32s(n, func(i int) float32 { return 1 }))
	again := b.stream.Launch(k, kir.D1(20), kir.D1(256), 0, pack(t, x, y, n))
	if out := b.get(y); f32at(out, n-1) != 7 {
		t.Errorf("the repeated launch computed %v, want 7", f32at(out, n-1))
	}
	if e := again.Trace(); e.Stats != got.Stats || e.Duration() != got.Duration() {
		t.Errorf("the repeated launch took %v, the first %v", e.Duration(), got.Duration())
	}
	shorter := b.stream.Launch(k, kir.D1(4), kir.D1(256), 0, pack(t, x, y, 1000))
	if err := b.stream.Sync(context.Background()); err != nil {
		t.Fatal(err)
	}
	if e := shorter.Trace(); e.Stats.Grid[0] != 4 || e.Stats.WarpInstructions >= got.Stats.WarpInstructions {
		t.Errorf("a shorter launch: %+v", e.Stats)
	}
}
