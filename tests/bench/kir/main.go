// Command kir measures the CPU engine of package kir beside the same loops in plain Go, in one run: each figure is the
// median of several turns in which both take part. On one core it is processor time that counts, so that other work on
// the machine disturbs less; on all cores it is time that passed. Times differ from hour to hour; ratios hardly do.
//
//	go run ./tests/bench/kir [-o docs/design/measurements/kir.md]
package main

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/tests/bench/record"
)

const turns = 15

func must[T any](x T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return x
}

func main() {
	only := flag.String("only", "", "run the measurements whose name contains this")
	profile := flag.String("cpuprofile", "", "write a CPU profile to this file")
	page := record.Flag()
	flag.Parse()
	must(0, page.Start())
	if *profile != "" {
		must(0, pprof.StartCPUProfile(must(os.Create(*profile))))
		defer pprof.StopCPUProfile()
	}
	fmt.Printf("%s, %s/%s, GOMAXPROCS %d; medians of %d turns; bars in brackets\n\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), turns)
	fmt.Printf("%-26s %10s %12s %12s %9s %14s\n", "kernel", "Go loop", "1 core", "all cores", "1 core/Go", "warp inst/s")
	for _, c := range cases() {
		if strings.Contains(c.name, *only) {
			c.measure()
		}
	}
	if strings.Contains("compile", *only) {
		compile()
	}
	must(0, page.End())
}

// A kernelCase is a kernel, its launch, and the same work in plain Go on one core.
type kernelCase struct {
	name   string
	bar    string
	f      *kir.Func
	launch cpu.Launch
	plain  func()
	same   func() bool // whether the two computed the same, after a run of each; may be nil
}

func (c *kernelCase) measure() {
	p := must(cpu.Compile(opt.Optimize(c.f)))
	one, all := c.launch, c.launch
	one.Workers = 1
	var counts cpu.Counts
	c.plain()
	must(p.Run(context.Background(), all))
	if c.same != nil && !c.same() {
		must(0, fmt.Errorf("%s: the kernel and the Go loop differ", c.name))
	}
	var plain, single, every []float64
	for range turns {
		plain = append(plain, busy(c.plain))
		single = append(single, busy(func() { counts = must(p.Run(context.Background(), one)) }))
		every = append(every, seconds(func() { must(p.Run(context.Background(), all)) }))
	}
	total := int64(0)
	for _, n := range counts.ThreadInstructions {
		total += n
	}
	g, s, a := median(plain), median(single), median(every)
	fmt.Printf("%-26s %9.2fms %10.2fms %10.2fms %8.2fx %12.0f M  %s\n",
		c.name, g*1e3, s*1e3, a*1e3, s/g, float64(total)/32/s/1e6, c.bar)
}

func seconds(f func()) float64 {
	start := time.Now()
	f()
	return time.Since(start).Seconds()
}

// busy returns the processor time that f takes, on all threads of the process.
func busy(f func()) float64 {
	start := processorTime()
	f()
	return processorTime() - start
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}

// compile makes the tiled matrix product, some 30 lines of source, ready to run from its building on.
func compile() {
	var times []float64
	for range 20 * turns {
		times = append(times, busy(func() { must(cpu.Compile(opt.Optimize(matmul(16)))) }))
	}
	f := opt.Optimize(matmul(16))
	fmt.Printf("\nbuild, optimise and compile a kernel of %d values: %.3f ms  [at most 2 ms]\n", f.NumValues(), median(times)*1e3)
}

func cases() []kernelCase {
	const n, size, picture = 4 << 20, 512, 1024
	x32, y32, z32 := ramp[float32](n), ramp[float32](n), ramp[float32](n)
	x64, y64 := ramp[float64](n), ramp[float64](n)
	counts, want := make([]int32, picture*picture), make([]int32, picture*picture)
	keys, bins, goBins := make([]uint32, n), make([]uint32, 256), make([]uint32, 256)
	for i := range keys {
		keys[i] = uint32(i*2654435761) % n
	}
	m := cpu.NewMemory()
	const akeys, abins = 7 << 32, 8 << 32
	m.Map(akeys, bytesOf(keys))
	m.Map(abins, bytesOf(bins))
	const ax32, ay32, az32, ax64, ay64, acounts = 1 << 32, 2 << 32, 3 << 32, 4 << 32, 5 << 32, 6 << 32
	m.Map(ax32, bytesOf(x32))
	m.Map(ay32, bytesOf(y32))
	m.Map(az32, bytesOf(z32))
	m.Map(ax64, bytesOf(x64))
	m.Map(ay64, bytesOf(y64))
	m.Map(acounts, bytesOf(counts))
	line := func(n, block int, params ...uint64) cpu.Launch {
		return cpu.Launch{Grid: kir.D1((n + block - 1) / block), Block: kir.D1(block), Params: pack(params...), Memory: m}
	}
	const tile = 16
	tiled := cpu.Launch{Grid: kir.Dim3{X: size / tile, Y: size / tile, Z: 1}, Block: kir.Dim3{X: tile, Y: tile, Z: 1},
		Params: pack(size, ax32, ay32, az32), Memory: m}
	return []kernelCase{
		{name: "saxpy 4M f32", bar: "[at most 3x]", f: saxpy(), launch: line(n, 256, n, ax32, ay32), plain: func() {
			for i := range x32 {
				y32[i] = float32(2.5*x32[i]) + y32[i]
			}
		}},
		{name: "10 operations 4M f32", bar: "[at most 1.5x]", f: chain(kir.F32), launch: line(n, 256, n, ax32, ay32),
			plain: func() { goChain(x32, y32) }},
		{name: "10 operations 4M f64", bar: "[at most 1.5x]", f: chain(kir.F64), launch: line(n, 256, n, ax64, ay64),
			plain: func() { goChain(x64, y64) }},
		{name: "matmul 512, tiles of 16", bar: "[at least 50 M]", f: matmul(tile), launch: tiled,
			plain: func() { goMatmul(x32[:size*size], y32[:size*size], z32[:size*size], size) }},
		{name: "Mandelbrot 1024x1024", f: mandelbrot(), launch: line(picture*picture, 256, picture, acounts),
			plain: func() { goMandelbrot(want, picture) }, same: func() bool { return slices.Equal(counts, want) }},
		{name: "gather 4M f32", f: gather(), launch: line(n, 256, n, ax32, akeys, ay32), plain: func() {
			for i, k := range keys {
				y32[i] = x32[k]
			}
		}},
		{name: "histogram 4M, shared", f: histogram(), launch: line(80*256, 256, n, akeys, abins),
			plain: func() { goHistogram(keys, goBins) }, same: func() bool { return slices.Equal(bins, goBins) }},
		{name: "sum 4M f32, shuffles", f: sum(), launch: line(80*256, 256, n, ax32, az32), plain: func() { runtime.KeepAlive(goSum(x32)) }},
	}
}

// ramp returns values that are not all zero; what was never written would be read from one page that the system shares.
func ramp[T float32 | float64](n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(i%1000) / 8
	}
	return x
}

func bytesOf[T any](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), len(x)*int(unsafe.Sizeof(x[0])))
}

func pack(xs ...uint64) (b []byte) {
	for _, x := range xs {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return b
}
