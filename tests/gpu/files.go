package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// files runs kernels that read and write files by themselves, whose lines the host brings while they run: gathers of so
// many elements from a file of n numbers, then stores to all of them and atomics on the first.
func files(w io.Writer, r *device.Registry, name string, n, gathers int) (good bool, err error) {
	fmt.Fprintf(w, "\n## Kernels that read files\n\n")
	d, err := r.Get(name)
	if err != nil {
		return false, err
	}
	if p, ok := d.(device.Pager); !ok || p.CannotPage() != nil {
		fmt.Fprintf(w, "Not tried: kernels of this card cannot read files.\n")
		return true, nil
	}
	rt, err := offload.New(r, "host")
	if err != nil {
		return false, err
	}
	notes := ""
	rt.Warn = func(text string) { notes += text + "\n" }
	lazy.Wiring{}.SetRuntime(rt)
	defer lazy.Wiring{}.SetRuntime(nil)
	lazy.Use(name)
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	y, err := lazy.Create(filepath.Join(dir, "y.npy"), lazy.Int64, n)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, y.Close()) }()
	y.Set(lazy.Arange(n))

	random := rand.New(rand.NewPCG(1, 2))
	idx := make([]int64, gathers)
	for i := range idx {
		idx[i] = random.Int64N(int64(n))
	}
	out := lazy.Zeros(gathers).AsType(lazy.Int64)
	began := time.Now()
	run(gatherKernel(), gathers, []*lazy.Array{y, lazy.FromSlice(idx, gathers), out}, 2)
	wrong := 0
	for i, x := range out.Int64s() {
		if x != idx[i] {
			wrong++
		}
	}
	took := time.Since(began)
	s, err := y.Storage()
	if err != nil {
		return false, err
	}
	fmt.Fprintf(w, "%d gathers from a file of %d numbers, in lines of %d bytes: %d wrong, %d misses, %.1f ms.\n",
		gathers, n, s.Cache.Line, wrong, s.Cache.Misses, float64(took.Microseconds())/1e3)
	run(doubleKernel(), n, []*lazy.Array{y}, 0)
	sum, want := y.Sum().Int(), n*(n-1)+n-1
	fmt.Fprintf(w, "Each number doubled in the file, and one added to the first %d times: the sum is %d, as it must be %d.\n", n-1, sum, want)
	if notes != "" {
		fmt.Fprintf(w, "\n%s", notes)
	}
	return wrong == 0 && sum == want && notes == "", nil
}

// run launches a kernel of so many threads over arrays, of which number writes is written to.
func run(f *kir.Func, threads int, args []*lazy.Array, writes int) {
	n := kernelcall.Arg[lazy.Array]{Bits: uint64(threads)}
	c := kernelcall.Call[lazy.Array]{Name: f.Name, Func: f, Grid: kir.D1((threads + 255) / 256), Block: kir.D1(256)}
	for i, a := range args {
		c.Args = append(c.Args, kernelcall.Arg[lazy.Array]{Array: a, Writes: i == writes})
	}
	c.Args = append(c.Args, n)
	lazy.Wiring{}.Launch(c)
}

// inRange makes a kernel whose first n threads, n being its last parameter, do what body says.
func inRange(name string, params []string, body func(b *kir.Builder, i *kir.Value, p []*kir.Value)) *kir.Func {
	b := kir.NewBuilder(name)
	var p []*kir.Value
	for _, name := range params {
		p = append(p, b.Param(name, kir.U64))
	}
	n := b.Param("n", kir.I64)
	i := b.GlobalIDX()
	in, end := b.NewBlock("in"), b.NewBlock("end")
	b.Branch(b.Op(kir.OpLt, i, n), in, end)
	b.SetBlock(in)
	body(b, i, p)
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	f, err := b.Func()
	if err != nil {
		panic(err) // it is the same each time
	}
	return f
}

func gatherKernel() *kir.Func {
	return inRange("gather", []string{"data", "idx", "out"}, func(b *kir.Builder, i *kir.Value, p []*kir.Value) {
		k := b.Load(kir.Global, kir.I64, b.Index(p[1], i, kir.I64))
		b.Store(kir.Global, b.Index(p[2], i, kir.I64), b.Load(kir.Global, kir.I64, b.Index(p[0], k, kir.I64)))
	})
}

// doubleKernel doubles elements 1 to n-1 and counts them in element 0.
func doubleKernel() *kir.Func {
	return inRange("double", []string{"y"}, func(b *kir.Builder, i *kir.Value, p []*kir.Value) {
		work, end := b.NewBlock("work"), b.NewBlock("done")
		b.Branch(b.Op(kir.OpGt, i, b.Int(kir.I64, 0)), work, end)
		b.SetBlock(work)
		at := b.Index(p[0], i, kir.I64)
		b.Store(kir.Global, at, b.Op(kir.OpMul, b.Load(kir.Global, kir.I64, at), b.Int(kir.I64, 2)))
		b.Atomic(kir.OpAtomicAdd, kir.Global, p[0], b.Int(kir.I64, 1))
		b.Jump(end)
		b.SetBlock(end)
	})
}
