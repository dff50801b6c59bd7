package multi_test

import (
	"fmt"
	"sync"

	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// handmade are kernels like those of cells, each of n threads.
type handmade struct {
	mix, count         *kir.Func // (in, out, n)
	square, difference *kir.Func // (x, out, n) and (x, y, out, n), of float32: those of VEC
	add, put           *kir.Func // (x, y, out, n) and (x, out, n), of float32: they are placed as those of MUL
	both, stop         *kir.Func // (in, x, y, n)
}

// element is one of a kernel's arrays, which a thread has.
type element struct {
	b     *kir.Builder
	array *kir.Value
	at    *kir.Value
	t     kir.Type
}

func (e element) addr() *kir.Value   { return e.b.Index(e.array, e.at, e.t) }
func (e element) load() *kir.Value   { return e.b.Load(kir.Global, e.t, e.addr()) }
func (e element) store(v *kir.Value) { e.b.Store(kir.Global, e.addr(), v) }

// threads is a kernel of some arrays of type t and of n, in which thread i of n does what body says; p are element i of
// each array.
func threads(name string, arrays int, t kir.Type, body func(b *kir.Builder, i, n *kir.Value, p []element)) *kir.Func {
	b := kir.NewBuilder(name)
	p := make([]element, arrays)
	for k := range p {
		p[k] = element{b: b, array: b.Param(fmt.Sprint("p", k), kir.U64), t: t}
	}
	n := b.Param("n", kir.I64)
	i := b.GlobalIDX()
	for k := range p {
		p[k].at = i
	}
	work, end := b.NewBlock("work"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, i, n), work, end)
	b.SetBlock(work)
	body(b, i, n, p)
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	f, err := b.Func()
	if err != nil {
		panic(err)
	}
	return f
}

var sharedKernels = sync.OnceValue(func() (k handmade) {
	half := func(b *kir.Builder, x *kir.Value) *kir.Value { return b.Op(kir.OpMul, x, b.Const(kir.F64, 0.5)) }
	k.mix = threads("mix", 2, kir.F64, func(b *kir.Builder, i, n *kir.Value, p []element) { // out[i] = out[i]/2 + in[n-1-i]
		in := p[0]
		in.at = b.Op(kir.OpSub, b.Op(kir.OpSub, n, b.Int(kir.I64, 1)), i)
		p[1].store(b.Op(kir.OpAdd, half(b, p[1].load()), in.load()))
	})
	k.count = threads("count", 2, kir.I64, func(b *kir.Builder, _, _ *kir.Value, p []element) { // out[in[i]] += 1
		out := p[1]
		out.at = p[0].load()
		b.Atomic(kir.OpAtomicAdd, kir.Global, out.addr(), b.Int(kir.I64, 1))
	})
	k.square = threads("square", 2, kir.F32, func(b *kir.Builder, _, _ *kir.Value, p []element) {
		x := p[0].load()
		p[1].store(b.Op(kir.OpMul, x, x))
	})
	k.difference = threads("difference", 3, kir.F32, func(b *kir.Builder, _, _ *kir.Value, p []element) { // out[0] += x[i] - y[i]
		b.Atomic(kir.OpAtomicAdd, kir.Global, p[2].array, b.Op(kir.OpSub, p[0].load(), p[1].load()))
	})
	k.add = threads("mul", 3, kir.F32, func(b *kir.Builder, _, _ *kir.Value, p []element) { // out[i] = x[i] + y[i]
		p[2].store(b.Op(kir.OpAdd, p[0].load(), p[1].load()))
	})
	k.put = threads("copy", 2, kir.F32, func(_ *kir.Builder, _, _ *kir.Value, p []element) { p[1].store(p[0].load()) })
	k.both = threads("both", 3, kir.F64, func(b *kir.Builder, _, _ *kir.Value, p []element) { // x, y = y/2 + in, x - in
		in, x, y := p[0].load(), p[1].load(), p[2].load()
		p[1].store(b.Op(kir.OpAdd, half(b, y), in))
		p[2].store(b.Op(kir.OpSub, x, in))
	})
	k.stop = threads("stop", 3, kir.F64, func(b *kir.Builder, i, _ *kir.Value, p []element) { // x, y = in, in, and it fails
		p[1].store(p[0].load())
		p[2].store(p[0].load())
		b.Check(kir.CheckIndex, b.Op(kir.OpLt, i, b.Int(kir.I64, 3)), i, b.Int(kir.I64, 3), "")
	})
	return k
})

// launch launches a kernel of n threads that reads in and changes what comes after it.
func launch(f *kir.Func, n int, in *lazy.Array, changed ...*lazy.Array) (run any) {
	return launchOf(f, n, []*lazy.Array{in}, changed...)
}

// launchOf is launch of a kernel that reads several arrays.
func launchOf(f *kir.Func, n int, in []*lazy.Array, changed ...*lazy.Array) (run any) {
	var args []kernelcall.Arg[lazy.Array]
	for _, x := range in {
		args = append(args, kernelcall.Arg[lazy.Array]{Array: x})
	}
	for _, x := range changed {
		args = append(args, kernelcall.Arg[lazy.Array]{Array: x, Writes: true})
	}
	args = append(args, kernelcall.Arg[lazy.Array]{Bits: uint64(n)})
	return lazy.Wiring{}.Launch(kernelcall.Call[lazy.Array]{Name: f.Name, Func: f, Grid: kir.D1((n + 63) / 64), Block: kir.D1(64), Args: args})
}
