// Command simgpu measures how fast the simulated GPU runs, launches as cells make them, and how far its samples are
// off.
//
//	go run ./tests/bench/simgpu [-full] [-o docs/design/measurements/simulator.md]
//	go run ./tests/bench/simgpu -samples docs/design/measurements/samples.md
//	go run ./tests/bench/simgpu -policies -cells .build/arrayrepl
//	go run ./tests/bench/paired -base DIR ./tests/bench/simgpu -times
//
// A rate is of the whole launch, functional pass and timing model, by processor time, so that other work on the machine
// disturbs less; the other times passed, and are medians.
package main

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/simgpu"
	"github.com/arrayrepl/arrayrepl/tests/bench/record"
)

func must[T any](x T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return x
}

// job is a kernel with a launch: arrays are the lengths of its float32 arrays, which its parameters come before
// scalars.
type job struct {
	f           *kir.Func
	grid, block kir.Dim3
	params      func(g *simgpu.GPU) []uint64
}

// run launches j once on a new v100 and returns its statistics, the time that passed and the processor time.
func (j *job) run(options ...simgpu.Option) (st *trace.KernelStats, passed, processor time.Duration) {
	g := simgpu.New(must(simgpu.PresetByName("v100")), options...)
	defer g.Close()
	k := must(g.Load(j.f))
	s := must(g.NewStream(0))
	var packed []byte
	for _, p := range j.params(g) {
		packed = binary.LittleEndian.AppendUint64(packed, p)
	}
	t0, c0 := time.Now(), processorTime()
	e := s.Launch(k, j.grid, j.block, 0, packed)
	must(0, s.Sync(context.Background()))
	return e.Trace().Stats, time.Since(t0), processorTime() - c0
}

// beside launches j and another like it on streams of their own, so that SMs hold blocks of both, and then both, a
// launch of twice the blocks. It returns how many warp instructions a second the first are timed with, for one of the
// second.
func (j *job) beside(both *job, turns int, options ...simgpu.Option) float64 {
	rate := func(jobs ...*job) float64 {
		g := simgpu.New(must(simgpu.PresetByName("v100")), append(options, simgpu.Change(func(p *simgpu.Preset) { p.SubmitTime = 0 }))...)
		defer g.Close()
		k := must(g.Load(jobs[0].f))
		runtime.GC()
		var events []device.Event
		c0 := processorTime()
		for _, j := range jobs {
			var packed []byte
			for _, p := range j.params(g) {
				packed = binary.LittleEndian.AppendUint64(packed, p)
			}
			events = append(events, must(g.NewStream(0)).Launch(k, j.grid, j.block, 0, packed))
		}
		instructions := int64(0)
		for _, e := range events {
			instructions += e.Trace().Stats.WarpInstructions
		}
		return float64(instructions) / (processorTime() - c0).Seconds()
	}
	var ratios []float64
	for range turns {
		ratios = append(ratios, rate(j, j)/rate(both))
	}
	slices.Sort(ratios)
	return ratios[turns/2]
}

// twice is j with each block two times.
func twice(j *job) *job {
	j.grid.Z *= 2
	return j
}

func floats(g *simgpu.GPU, n int) uint64 { return must(g.Alloc(4 * n)).Addr() }

// matmul is the corpus's tiled product of n x n matrices.
func matmul(n int) *job {
	k := must(kernels.Compile("MatMulTiled", gosrc.Options{Unchecked: true}))
	size := uint64(n * n)
	return &job{k.Func, kir.Dim3{X: n / 16, Y: n / 16, Z: 1}, kir.Dim3{X: 16, Y: 16, Z: 1}, func(g *simgpu.GPU) []uint64 {
		a, b, c := floats(g, n*n), floats(g, n*n), floats(g, n*n)
		return bind(k, []uint64{a, size, b, size, c, size, uint64(n)})
	}}
}

// bind gives parameters of a Go kernel their values: a pointer and a length for each slice.
func bind(k *gosrc.Kernel, values []uint64) []uint64 {
	if len(k.Func.Params) != len(values) {
		fmt.Fprintf(os.Stderr, "%s has %d parameters, not %d\n", k.Func.Name, len(k.Func.Params), len(values))
		os.Exit(1)
	}
	return values
}

// fused is y = exp(x)*a + b, where positive, of n elements: what a chain of array operations becomes.
func fused(n int) *job {
	b := kir.NewBuilder("fused")
	x, y, count := b.Param("x", kir.U64), b.Param("y", kir.U64), b.Param("n", kir.I64)
	in, end := b.NewBlock("in"), b.NewBlock("end")
	i := b.GlobalIDX()
	b.Branch(b.Op(kir.OpLt, i, count), in, end)
	b.SetBlock(in)
	v := b.Op(kir.OpExp, b.Load(kir.Global, kir.F32, b.Index(x, i, kir.F32)))
	v = b.Op(kir.OpAdd, b.Op(kir.OpMul, v, b.Const(kir.F32, 1.5)), b.Const(kir.F32, -1))
	b.Store(kir.Global, b.Index(y, i, kir.F32), b.Op(kir.OpMax, v, b.Const(kir.F32, 0)))
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	return &job{must(b.Func()), kir.D1((n + 255) / 256), kir.D1(256), func(g *simgpu.GPU) []uint64 {
		return []uint64{floats(g, n), floats(g, n), uint64(n)}
	}}
}

func main() {
	full := flag.Bool("full", false, "time matmul 1024 whole too, for the error of its sample: minutes")
	turns := flag.Int("turns", 5, "turns of each measurement")
	file := flag.String("samples", "", "compare samples of skewed kernels with the full model instead, and write the table to this file")
	kernels := flag.Int("kernels", 60, "with -samples: how many")
	size := flag.Int("size", 8_000_000, "with -samples: warp instructions of a kernel, about")
	above := flag.Int("above", 0, "with -samples: sample launches of more warp instructions than this, in place of those that always are")
	warps := flag.Bool("policies", false, "measure replays under policies for warps beside each other instead")
	cells := flag.String("cells", "", "with -policies: the arrayrepl command, for policies of cells")
	times := flag.Bool("times", false, "print processor times alone, as tests/bench/paired reads them")
	page := record.Flag()
	flag.Parse()
	if *file != "" {
		if !samples(*file, *kernels, *size, *above) {
			os.Exit(1)
		}
		return
	}
	if *warps {
		policies(*turns, *cells)
		return
	}
	if *times {
		show := func(name string, j *job, options ...simgpu.Option) {
			_, _, processor := j.run(options...)
			fmt.Printf("%s\t%g\n", name, processor.Seconds())
		}
		show("matmul 256, whole", matmul(256), simgpu.Full())
		show("fused map of 4 M, whole", fused(4<<20), simgpu.Full())
		show("matmul 1024, sampled", matmul(1024))
		return
	}
	must(0, page.Start())
	fmt.Printf("%s, GOMAXPROCS %d, sim:v100, medians of %d turns; bars in brackets\n\n", runtime.Version(), runtime.GOMAXPROCS(0), *turns)
	median := func(j *job, options ...simgpu.Option) (st *trace.KernelStats, passed, processor time.Duration) {
		var ps, cs []time.Duration
		for range *turns {
			s, p, c := j.run(options...)
			st, ps, cs = s, append(ps, p), append(cs, c)
		}
		slices.Sort(ps)
		slices.Sort(cs)
		return st, ps[*turns/2], cs[*turns/2]
	}
	row := func(name string, st *trace.KernelStats, passed, processor time.Duration, bar string) {
		fmt.Printf("%-28s %8.3f s  %6.2f M warp instructions, %5.2f M/s of a core; timed %d of %d blocks; %.2f GB so far  [%s]\n", name, passed.Seconds(),
			float64(st.WarpInstructions)/1e6, float64(st.WarpInstructions)/processor.Seconds()/1e6, st.SampledBlocks, st.TotalBlocks, peakMemory()/1e9, bar)
	}
	st, p, c := median(matmul(256), simgpu.Full())
	row("matmul 256, whole", st, p, c, "1.5 s, 3 M/s")
	st, p, c = median(fused(4<<20), simgpu.Full())
	row("fused map of 4 M, whole", st, p, c, "1.5 s")
	fmt.Printf("%-28s %8.2f of the speed of one  [0.8]\n", "two products of 128 at once", matmul(128).beside(twice(matmul(128)), *turns))
	fmt.Printf("%-28s %8.2f of the speed of one  [0.8]\n", "two maps of 256 k at once", fused(256<<10).beside(fused(512<<10), *turns))
	sampled, p, c := median(matmul(1024))
	row("matmul 1024, sampled", sampled, p, c, "6 s")
	var r device.Registry
	r.Add("sim:v100", func() (device.Device, error) { return simgpu.Open("sim:v100") })
	lazy.Wiring{}.SetRuntime(must(offload.New(&r, "sim:v100")))
	var ps []time.Duration
	for range min(*turns, 3) {
		x, y := lazy.Full(float32(1), 100_000_000), lazy.Full(float32(2), 100_000_000)
		lazy.Eval(x, y)
		t0 := time.Now()
		if text := x.Mul(float32(2)).Add(y).String(); len(text) == 0 {
			os.Exit(1)
		}
		ps = append(ps, time.Since(t0))
	}
	slices.Sort(ps)
	fmt.Printf("%-28s %8.3f s  %d turns; %.2f GB so far  [3 s]\n", "saxpy of 100 M, displayed", ps[len(ps)/2].Seconds(), len(ps), peakMemory()/1e9)
	fmt.Printf("%-28s %8.2f GB  [2 GB]\n", "most memory of the process", math.Round(peakMemory()/1e7)/100)
	if *full { // its record takes some 2 GB, and no bar speaks of it

		st, p, c := matmul(1024).run(simgpu.Full())
		row("matmul 1024, whole", st, p, c, "")
		fmt.Printf("%-28s %+.1f %% of the whole's cycles, said ± %.1f %%  [5 %%]\n", "  the sample is off", 100*(float64(sampled.Cycles)/float64(st.Cycles)-1), 100*sampled.ErrorEstimate)
	}
	must(0, page.End())
}
