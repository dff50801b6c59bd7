package simgpu

import (
	"encoding/binary"
	"math"
	"reflect"
	"runtime"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// chase follows n pointers from start, one thread alone, and stores where it came to. The loop follows sixteen at a
// time, so that the latencies hide its own instructions.
func chase(t testing.TB, space kir.Space) *kir.Func {
	b := kir.NewBuilder("chase")
	start, n, out := b.Param("start", kir.U64), b.Param("n", kir.I64), b.Param("out", kir.U64)
	head := b.NewBlock("head", kir.U64, kir.I64)
	body, done := b.NewBlock("body"), b.NewBlock("done")
	first := start
	if space == kir.Shared {
		first = b.SharedArray("s", kir.U64, 4)
		b.Store(kir.Shared, first, first)
		b.Barrier()
	}
	b.Jump(head, first, b.Int(kir.I64, 0))
	b.SetBlock(head)
	at, k := head.Params[0], head.Params[1]
	b.Branch(b.Op(kir.OpLt, k, n), body, done)
	b.SetBlock(body)
	next := at
	for range 16 {
		next = b.Load(space, kir.U64, next)
	}
	b.Jump(head, next, b.Op(kir.OpAdd, k, b.Int(kir.I64, 16)))
	b.SetBlock(done)
	b.Store(kir.Global, out, at)
	b.Return()
	return build(t, b)
}

// The microbenchmarks of Jia et al. on the model give back the latencies that its preset has.
func TestPointerChaseReturnsThePreset(t *testing.T) {
	p, _ := PresetByName("v100")
	for _, c := range []struct {
		name  string
		space kir.Space
		lines int // of 128 bytes, that the chain goes through in turn
		steps [2]int
		want  int
	}{
		{"shared", kir.Shared, 1, [2]int{1024, 2048}, p.SharedLatency},
		{"L1", kir.Global, 8, [2]int{1024, 2048}, p.L1Latency},
		{"L2", kir.Global, 4096, [2]int{4096, 8192}, p.L1Latency + p.L2Latency},
		{"DRAM", kir.Global, 8192, [2]int{4096, 8192}, p.L1Latency + p.L2Latency + p.DRAMLatency},
	} {
		b := newBenchOf(t, p, Full())
		chain := b.alloc(c.lines * lineBytes)
		data := make([]byte, chain.Bytes())
		for i := range c.lines {
			binary.LittleEndian.PutUint64(data[i*lineBytes:], chain.Addr()+uint64((i+1)%c.lines*lineBytes))
		}
		b.stream.CopyIn(chain, 0, data)
		out := b.alloc(8)
		var cycles [2]int64
		for i, n := range c.steps {
			b.gpu.ColdCaches()
			cycles[i] = b.launch(chase(t, c.space), kir.D1(1), kir.D1(1), chain, n, out).Stats.Cycles
		}
		got := float64(cycles[1]-cycles[0]) / float64(c.steps[1]-c.steps[0])
		if math.Abs(got-float64(c.want)) > 0.02*float64(c.want) {
			t.Errorf("%s: %.1f cycles a load, the preset has %d", c.name, got, c.want)
		}
	}
}

// Independent fma on all warps run at the peak of the data sheet, 15.7 Tflop/s in f32 and half of that in f64.
func TestArithmeticReachesThePeak(t *testing.T) {
	for _, c := range []struct {
		typ  kir.Type
		peak float64
	}{{kir.F32, 15.7e12}, {kir.F64, 7.8e12}} {
		const chains, length = 4, 64
		f := elementwise(t, "peak", []string{"x"}, func(b *kir.Builder, p []*kir.Value, i *kir.Value) {
			at := b.Index(p[0], i, c.typ)
			x := b.Load(kir.Global, c.typ, at)
			var v [chains]*kir.Value
			for k := range v {
				v[k] = b.Op(kir.OpAdd, x, b.Const(c.typ, float64(k)))
				for range length {
					v[k] = b.Op(kir.OpFma, v[k], x, v[k])
				}
			}
			b.Store(kir.Global, at, b.Op(kir.OpAdd, b.Op(kir.OpAdd, v[0], v[1]), b.Op(kir.OpAdd, v[2], v[3])))
		})
		b := newBench(t, "v100", Full())
		const n = 80 * 1024
		st := b.launch(f, kir.D1(n/256), kir.D1(256), b.alloc(8*n), n).Stats
		got := 2 * chains * length * n / (float64(st.Cycles) / st.ClockHz)
		if got > c.peak || got < 0.6*c.peak { // what is missing is loading x and storing the result
			t.Errorf("%v: %.3g flop/s, the peak is %.3g", c.typ, got, c.peak)
		}
	}
}

func TestSaxpyTakesItsBytes(t *testing.T) {
	testsize.InTurn(t, 2)
	const n = 4 << 20
	b := newBench(t, "v100")
	e := b.launch(saxpy(t), kir.D1(n/256), kir.D1(256), b.alloc(4*n), b.alloc(4*n), n)
	least := trace.Time(12*n) * 10 / 9 // two reads and a write at the data sheet's bandwidth: 55.9 µs
	if d := e.Duration(); d < least || d > least*5/4 {
		t.Errorf("took %v, the bytes alone take %v", d, least)
	}
	st := e.Stats
	// two million warp instructions
	if st.TotalBlocks != n/256 || st.SampledBlocks != st.TotalBlocks || st.ErrorEstimate != 0 {
		t.Errorf("timed %d of %d blocks ± %g", st.SampledBlocks, st.TotalBlocks, st.ErrorEstimate)
	}
	// Per warp two loads and a store of 128 bytes.
	const warps = n / 32
	if st.Requests != 3*warps || st.Transactions != 3*warps || st.Sectors != 12*warps || st.BytesRequested != 12*n || st.DRAMBytes != 12*n {
		t.Errorf("%d requests, %d sectors, %d bytes asked for, %d of DRAM", st.Requests, st.Sectors, st.BytesRequested, st.DRAMBytes)
	}
	if st.ThreadInstructions != 32*st.WarpInstructions {
		t.Errorf("%d thread instructions of %d warp instructions without divergence", st.ThreadInstructions, st.WarpInstructions)
	}
}

func TestStridedIsSlowerByItsTransactions(t *testing.T) {
	const n = 1 << 17 // no place is read twice
	var cycles []int64
	for _, c := range []struct{ stride, sectors int64 }{{1, 4}, {2, 8}, {4, 16}, {8, 32}} {
		b := newBench(t, "v100")
		x, y := b.alloc(4*8*n), b.alloc(4*n)
		st := b.launch(gather(t, c.stride), kir.D1(n/256), kir.D1(256), x, y, n).Stats
		if want := (c.sectors + 4) * n / 32; st.Sectors != want { // and a store of 4 sectors
			t.Errorf("stride %d: %d sectors, want %d", c.stride, st.Sectors, want)
		}
		cycles = append(cycles, st.Cycles)
	}
	for i := 1; i < len(cycles); i++ {
		if cycles[i] <= cycles[i-1] {
			t.Errorf("cycles %v do not grow with the stride", cycles)
		}
	}
}

// cases are launches of every kind, with the memory that they must leave.
type launchCase struct {
	name        string
	f           *kir.Func
	grid, block kir.Dim3
	setUp       func(b *bench) (params []any, check func())
}

func launchCases(t testing.TB) []launchCase {
	return []launchCase{
		{"saxpy", saxpy(t), kir.D1(40), kir.D1(256), func(b *bench) ([]any, func()) {
			const n = 40*256 - 77
			x := b.put(f32s(n, func(i int) float32 { return float32(i) }))
			y := b.put(f32s(n, func(i int) float32 { return 1 }))
			return []any{x, y, n}, func() {
				out := b.get(y)
				for i := range n {
					if got := f32at(out, i); got != 2*float32(i)+1 {
						b.t.Fatalf("y[%d] = %g", i, got)
					}
				}
			}
		}},
		{"triangle", triangle(t), kir.D1(30), kir.D1(100), func(b *bench) ([]any, func()) {
			const n = 2900
			y := b.alloc(8 * n)
			return []any{y, n}, func() {
				out := b.get(y)
				for i := range n {
					want := int64(i % 16 * (i%16 + 1) / 2)
					if i%2 == 1 {
						want = -want
					}
					if got := int64(binary.LittleEndian.Uint64(out[8*i:])); got != want {
						b.t.Fatalf("y[%d] = %d, want %d", i, got, want)
					}
				}
			}
		}},
		{"reduce", reduce(t), kir.D1(50), kir.D1(256), func(b *bench) ([]any, func()) {
			x := b.put(f32s(50*256, func(i int) float32 { return float32(i % 7) }))
			out := b.alloc(4 * 50)
			return []any{x, out}, func() {
				sums := b.get(out)
				for blk := range 50 {
					want := float32(0)
					for i := range 256 {
						want += float32((256*blk + i) % 7)
					}
					if got := f32at(sums, blk); got != want {
						b.t.Fatalf("sum of block %d = %g, want %g", blk, got, want)
					}
				}
			}
		}},
		{"matmul", matmul(t, 64), kir.Dim3{X: 4, Y: 4, Z: 1}, kir.Dim3{X: 16, Y: 16, Z: 1}, func(b *bench) ([]any, func()) {
			x := b.put(f32s(64*64, func(i int) float32 { return float32(i % 5) }))
			y := b.put(f32s(64*64, func(i int) float32 { return float32(i % 3) }))
			z := b.alloc(4 * 64 * 64)
			return []any{x, y, z}, func() {
				out := b.get(z)
				for i := range 64 * 64 {
					want := float32(0)
					for k := range 64 {
						want += float32((i/64*64+k)%5) * float32((k*64+i%64)%3)
					}
					if got := f32at(out, i); got != want {
						b.t.Fatalf("c[%d] = %g, want %g", i, got, want)
					}
				}
			}
		}},
	}
}

// checkStats checks what holds of every launch.
func checkStats(t *testing.T, e trace.Event) {
	t.Helper()
	st := e.Stats
	slots, issued, lanesLo, lanesHi := int64(0), int64(0), int64(0), int64(0)
	width := st.WarpSize / trace.IssueBins
	for i, n := range st.Issued {
		issued += n
		lanesLo += n * int64(width*i+1)
		lanesHi += n * int64(width*i+width)
	}
	slots = issued
	for _, n := range st.Stalls {
		if n < 0 {
			t.Errorf("stalls %v", st.Stalls)
		}
		slots += n
	}
	if want := st.Cycles * int64(st.Schedulers*st.SMs); slots != want {
		t.Errorf("%d scheduler cycles are classified, there are %d", slots, want)
	}
	if issued != st.WarpInstructions || st.ThreadInstructions < lanesLo || st.ThreadInstructions > lanesHi {
		t.Errorf("issued %v: %d warp and %d thread instructions", st.Issued, st.WarpInstructions, st.ThreadInstructions)
	}
	// No machine of this width is faster, however its threads are grouped.
	if width := int64(st.SMs * st.Schedulers * st.WarpSize); st.Cycles*width < st.ThreadInstructions {
		t.Errorf("%d cycles for %d thread instructions, %d a cycle", st.Cycles, st.ThreadInstructions, width)
	}
	if st.Achieved <= 0 || st.Achieved > st.Theoretical+1e-9 {
		t.Errorf("achieved occupancy %g, theoretical %g", st.Achieved, st.Theoretical)
	}
	if len(st.Timeline) < 32 || len(st.Timeline) > 128 {
		t.Errorf("%d slices", len(st.Timeline))
	}
	at := trace.Time(0)
	for i, s := range st.Timeline {
		sum := 0.0
		for _, x := range s.Issued {
			sum += x
		}
		for _, x := range s.Stalls {
			sum += x
		}
		if s.Start != at || s.End < s.Start || math.Abs(sum-1) > 1e-9 {
			t.Fatalf("slice %d: %v to %v after %v, shares sum to %g", i, s.Start, s.End, at, sum)
		}
		at = s.End
	}
	if d := at - e.Duration(); d < -1000 || d > 1000 {
		t.Errorf("the timeline ends at %v, the kernel takes %v", at, e.Duration())
	}
}

// TestInvariants: a short test has a third of the combinations, each turn another.
func TestInvariants(t *testing.T) {
	combination := 0
	for _, c := range launchCases(t) {
		for _, preset := range []string{"v100", "tiny"} {
			for _, d := range []Divergence{PDOM{}, NREC{}, MIMD{}} {
				for _, pick := range []IssuePolicy{GTO{}, LRR{}, TwoLevel{}, Barrel{}, Oldest{}} {
					if combination++; !testsize.Part(combination, 3) || d == (MIMD{}) && pick != (LRR{}) { // it issues in turns
						continue
					}
					t.Run(c.name+"/"+preset+"/"+d.Name()+"/"+pick.Name(), func(t *testing.T) {
						b := newBench(t, preset, WithDivergence(d), WithIssuePolicy(pick))
						params, check := c.setUp(b)
						e := b.launch(c.f, c.grid, c.block, params...)
						checkStats(t, e)
						if e.Stats.SampledBlocks != e.Stats.TotalBlocks || e.Stats.ErrorEstimate != 0 {
							t.Errorf("replayed %d of %d blocks, ± %g", e.Stats.SampledBlocks, e.Stats.TotalBlocks, e.Stats.ErrorEstimate)
						}
						check()
					})
				}
			}
		}
	}
}

// Threads execute the same instructions under every policy; without reconvergence it takes more issues.
func TestReconvergenceSavesIssues(t *testing.T) {
	var st [2]*trace.KernelStats
	for i, d := range []Divergence{PDOM{}, NREC{}} {
		b := newBench(t, "v100", WithDivergence(d))
		st[i] = b.launch(triangle(t), kir.D1(80), kir.D1(256), b.alloc(8*80*256), 80*256).Stats
	}
	if st[0].ThreadInstructions != st[1].ThreadInstructions {
		t.Errorf("thread instructions %d and %d", st[0].ThreadInstructions, st[1].ThreadInstructions)
	}
	if st[0].WarpInstructions >= st[1].WarpInstructions || st[0].Cycles >= st[1].Cycles {
		t.Errorf("pdom %d instructions in %d cycles, nrec %d in %d", st[0].WarpInstructions, st[0].Cycles, st[1].WarpInstructions, st[1].Cycles)
	}
}

// The first warp of a reduction works with 32, 16, ... 1 lanes at the end; a column of shared memory collides in one
// bank.
func TestBankConflictsAreCounted(t *testing.T) {
	column := func(pitch int64) *kir.Func {
		b := kir.NewBuilder("column")
		out := b.Param("out", kir.U64)
		s := b.SharedArray("s", kir.F32, 33*32)
		tid := b.Convert(kir.I64, b.Special(kir.TidX))
		at := b.Index(s, b.Op(kir.OpMul, tid, b.Int(kir.I64, pitch)), kir.F32)
		b.Store(kir.Shared, at, b.Const(kir.F32, 1))
		b.Barrier()
		b.Store(kir.Global, b.Index(out, tid, kir.F32), b.Load(kir.Shared, kir.F32, at))
		b.Return()
		return build(t, b)
	}
	for _, c := range []struct{ pitch, conflicts int64 }{{32, 62}, {33, 0}, {1, 0}, {2, 2}} {
		b := newBench(t, "v100")
		st := b.launch(column(c.pitch), kir.D1(1), kir.D1(32), b.alloc(128)).Stats
		if st.BankConflicts != c.conflicts {
			t.Errorf("pitch %d: %d conflicts, want %d", c.pitch, st.BankConflicts, c.conflicts)
		}
	}
}

// Some lanes of a warp wait at a barrier that the others never reach: the stack holds those back, so it must give way.
func TestBarrierThatHalfAWarpSkips(t *testing.T) {
	b := kir.NewBuilder("half")
	out := b.Param("out", kir.U64)
	tid := b.Convert(kir.I64, b.Special(kir.TidX))
	wait, done := b.NewBlock("wait"), b.NewBlock("done")
	b.Branch(b.Op(kir.OpLt, tid, b.Int(kir.I64, 16)), wait, done)
	b.SetBlock(wait)
	b.Barrier()
	b.Store(kir.Global, b.Index(out, b.GlobalIDX(), kir.I64), tid)
	b.Jump(done)
	b.SetBlock(done)
	b.Return()
	for _, d := range []Divergence{PDOM{}, NREC{}, MIMD{}} {
		x := newBench(t, "v100", WithDivergence(d), AsWritten(), Check())
		checkStats(t, x.launch(build(t, b), kir.D1(2), kir.D1(64), x.alloc(8*128)))
	}
}

// A barrier inside of a branch that the held-back lanes come to later opens when they have come, and not before: the
// lanes that wait read what the others have written before it.
func TestABarrierWaitsForLanesThatAreHeldBack(t *testing.T) {
	b := kir.NewBuilder("handover")
	out := b.Param("out", kir.U64)
	s := b.SharedArray("s", kir.I64, 32)
	tid := b.Convert(kir.I64, b.Special(kir.TidX))
	odd, half, work, meet, done := b.NewBlock("odd"), b.NewBlock("half"), b.NewBlock("work"), b.NewBlock("meet"), b.NewBlock("done")
	zero := b.Int(kir.I64, 0)
	b.Branch(b.Op(kir.OpEq, b.Op(kir.OpAnd, tid, b.Int(kir.I64, 1)), zero), meet, odd)
	b.SetBlock(odd) // some return here: the branch has no join but the end
	b.Branch(b.Op(kir.OpEq, b.Op(kir.OpAnd, tid, b.Int(kir.I64, 2)), zero), half, work)
	b.SetBlock(half)
	b.Return()
	b.SetBlock(work)
	b.Store(kir.Shared, b.Index(s, b.Op(kir.OpXor, tid, b.Int(kir.I64, 1)), kir.I64), tid)
	b.Jump(meet)
	b.SetBlock(meet)
	b.Barrier()
	b.Jump(done)
	b.SetBlock(done)
	b.Store(kir.Global, b.Index(out, tid, kir.I64), b.Load(kir.Shared, kir.I64, b.Index(s, tid, kir.I64)))
	b.Return()
	f := build(t, b)
	for _, d := range []Divergence{PDOM{}, NREC{}, MIMD{}} {
		x := newBench(t, "v100", WithDivergence(d), AsWritten(), Check())
		y := x.alloc(8 * 32)
		checkStats(t, x.launch(f, kir.D1(1), kir.D1(32), y))
		if got := x.get(y); got[8*2] != 3 || got[8*6] != 7 {
			t.Errorf("%s: %v", d.Name(), got)
		}
	}
}

func TestSampleAgreesWithTheWhole(t *testing.T) {
	testsize.InTurn(t, 1)
	t.Run("v100", func(t *testing.T) { sampleAgrees(t, "v100") })
	t.Run("tiny", func(t *testing.T) { sampleAgrees(t, "tiny") }) // too few SMs for a machine with a part of them
}

func sampleAgrees(t *testing.T, preset string) {
	for _, c := range []struct {
		f           *kir.Func
		grid, block kir.Dim3
		params      func(b *bench) []any
	}{
		{saxpy(t), kir.D1(4000), kir.D1(256), func(b *bench) []any { return []any{b.alloc(4 * 1024000), b.alloc(4 * 1024000), 1024000} }},
		{triangle(t), kir.D1(1000), kir.D1(64), func(b *bench) []any { return []any{b.alloc(8 * 64000), 64000} }},
		{reduce(t), kir.D1(3000), kir.D1(256), func(b *bench) []any { return []any{b.alloc(4 * 768000), b.alloc(4 * 3000)} }},
	} {
		var st [2]*trace.KernelStats
		for i, options := range [][]Option{{Full()}, {SampleAbove(60_000)}} {
			b := newBench(t, preset, options...)
			e := b.launch(c.f, c.grid, c.block, c.params(b)...)
			checkStats(t, e)
			st[i] = e.Stats
		}
		whole, sample := st[0], st[1]
		// that is run whole there
		if sample.SampledBlocks*2 > sample.TotalBlocks && (preset != "tiny" || c.f.Name != "triangle") {
			t.Errorf("%s: %d of %d blocks is not a sample", c.f.Name, sample.SampledBlocks, sample.TotalBlocks)
		}
		if off := float64(sample.Cycles)/float64(whole.Cycles) - 1; math.Abs(off) > sample.ErrorEstimate {
			t.Errorf("%s: %d cycles, whole %d: off by %.1f %%, estimated ± %.1f %%", c.f.Name, sample.Cycles, whole.Cycles, 100*off, 100*sample.ErrorEstimate)
		}
		near := func(what string, got, want int64) {
			if math.Abs(float64(got-want)) > 0.02*float64(want) {
				t.Errorf("%s: %s %d, whole %d", c.f.Name, what, got, want)
			}
		}
		if sample.WarpInstructions != whole.WarpInstructions || sample.Sectors != whole.Sectors || sample.Flops32 != whole.Flops32 || sample.Issued != whole.Issued {
			t.Errorf("%s: counts of the sample %+v, of all %+v", c.f.Name, sample, whole)
		}
		near("bytes of DRAM", sample.DRAMBytes, whole.DRAMBytes)
	}
}

func TestSameStatisticsOnAnyNumberOfCores(t *testing.T) {
	testsize.InTurn(t, 1)
	run := func(cores int) []trace.Event {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		var out []trace.Event
		b := newBench(t, "v100")
		for _, c := range launchCases(t) {
			params, _ := c.setUp(b)
			out = append(out, b.launch(c.f, c.grid, c.block, params...))
		}
		const n = 1 << 20
		return append(out, b.launch(saxpy(t), kir.D1(n/256), kir.D1(256), b.alloc(4*n), b.alloc(4*n), n))
	}
	if one, two := run(1), run(2); !reflect.DeepEqual(one, two) {
		t.Error("statistics or times differ between one core and two")
	}
}
