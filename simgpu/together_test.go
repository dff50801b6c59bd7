package simgpu

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/random"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// fmas is a kernel of so many chains of dependent fma, 64 links each a round.
func fmas(t testing.TB, chains, rounds int) *kir.Func {
	b := kir.NewBuilder(fmt.Sprint("fmas", chains))
	at := b.Index(b.Param("x", kir.U64), b.GlobalIDX(), kir.F32)
	types := []kir.Type{kir.I64}
	for range chains {
		types = append(types, kir.F32)
	}
	head, body, end := b.NewBlock("head", types...), b.NewBlock("body"), b.NewBlock("end")
	start := []*kir.Value{b.Int(kir.I64, 0)}
	x := b.Load(kir.Global, kir.F32, at)
	for i := range chains {
		start = append(start, b.Op(kir.OpAdd, x, b.Const(kir.F32, float64(i))))
	}
	b.Jump(head, start...)
	b.SetBlock(head)
	b.Branch(b.Op(kir.OpLt, head.Params[0], b.Int(kir.I64, int64(rounds))), body, end)
	b.SetBlock(body)
	next := append([]*kir.Value{b.Op(kir.OpAdd, head.Params[0], b.Int(kir.I64, 1))}, head.Params[1:]...)
	for range 64 {
		for i := range chains {
			next[i+1] = b.Op(kir.OpFma, next[i+1], x, next[i+1])
		}
	}
	b.Jump(head, next...)
	b.SetBlock(end)
	sum := head.Params[1]
	for _, v := range head.Params[2:] {
		sum = b.Op(kir.OpAdd, sum, v)
	}
	b.Store(kir.Global, at, sum)
	b.Return()
	return build(t, b)
}

// besideLaunch is a launch of a test.
type besideLaunch struct {
	f       *kir.Func
	blocks  int
	threads int
	params  []byte
}

// atOnce launches each on a stream of its own and returns what is told of them.
func (b *bench) atOnce(t testing.TB, all ...besideLaunch) []trace.Event {
	var waits []device.Event
	for _, l := range all {
		k, err := b.gpu.Load(l.f)
		require.NoError(t, err)
		s, err := b.gpu.NewStream(0)
		require.NoError(t, err)
		waits = append(waits, s.Launch(k, kir.D1(l.blocks), kir.D1(l.threads), 0, l.params))
	}
	out := make([]trace.Event, len(waits))
	for i, e := range waits {
		require.NoError(t, e.Wait(ctx))
		out[i] = e.Trace()
	}
	return out
}

// A warp whose fma depend on each other leaves its unit to others three cycles of four, and one with eight chains none:
// on SMs that hold a block of each of two launches, two of the first take the time of one and two of the second twice
// that (by hand; 5 % for what begins and ends).
func TestGridsShareSMs(t *testing.T) {
	for _, c := range []struct {
		name   string
		chains int
		times  float64
	}{{"a chain", 1, 1}, {"chains that fill the unit", 8, 2}} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, "v100", WithSMs(4), Change(func(p *Preset) { p.SubmitTime, p.LaunchLatency = 0, 0 }))
			f := fmas(t, c.chains, 100)
			launch := func() besideLaunch { return besideLaunch{f, 4, 128, pack(t, b.alloc(4*4*128))} }
			alone := b.atOnce(t, launch())[0]
			both := b.atOnce(t, launch(), launch())
			took := max(both[0].End, both[1].End) - both[0].Start
			assert.InEpsilon(t, c.times, float64(took)/float64(alone.Duration()), 0.05)
			for _, e := range both {
				checkStats(t, e)
				assert.Equal(t, alone.Stats.WarpInstructions, e.Stats.WarpInstructions)
				assert.Equal(t, both[0].Stats.Detail.Blocks[0].SM, e.Stats.Detail.Blocks[0].SM, "on the same SM")
				assert.Less(t, e.Start, both[0].Start+alone.Duration()/10, "at the same time")
			}
		})
	}
}

// A launch that comes while SMs are free goes to these: two that fill the units of their SMs take the time of one,
// though the second comes later.
func TestGridsGoToFreeSMs(t *testing.T) {
	b := newBench(t, "v100", WithSMs(8), Change(func(p *Preset) { p.SubmitTime, p.LaunchLatency = 500, 0 }))
	f := fmas(t, 8, 100)
	launch := func() besideLaunch { return besideLaunch{f, 4, 128, pack(t, b.alloc(4*4*128))} }
	alone := b.atOnce(t, launch())[0]
	both := b.atOnce(t, launch(), launch())
	for i, e := range both {
		assert.InEpsilon(t, float64(alone.Duration()), float64(e.Duration()), 0.05, "launch %d", i)
	}
	assert.NotEqual(t, both[0].Stats.Detail.Blocks[0].SM, both[1].Stats.Detail.Blocks[0].SM)
}

// Blocks of the second launch begin when all of the first have; as soon as they fit, not when the first has ended. The
// figures follow from what SMs hold.
func TestBlocksOfTheNextGridFillWhatIsLeft(t *testing.T) {
	b := newBench(t, "v100", WithSMs(2), Change(func(p *Preset) { p.SubmitTime, p.LaunchLatency = 0, 0 }))
	f := fmas(t, 1, 20)
	launch := func(blocks int) besideLaunch { return besideLaunch{f, blocks, 1024, pack(t, b.alloc(4*1024*blocks))} }
	both := b.atOnce(t, launch(6), launch(2)) // an SM holds two blocks of 1,024 threads
	first, second := both[0], both[1]
	var last trace.Time
	for _, r := range first.Stats.Detail.Blocks {
		last = max(last, first.Start+r.Start)
	}
	assert.GreaterOrEqual(t, second.Start, last)
	assert.Less(t, second.Start, first.End)
	checkStats(t, first)
	checkStats(t, second)
	assert.Zero(t, b.gpu.waiting)
}

// Random launches on streams of their own: they leave what kir's engine leaves, each takes about as long as alone or
// longer, all together no longer than one after another (what one finds in L2 may be another's work: a fifth), and what
// is counted of each is what is counted of it alone. Who asks for the second before the first hears the same.
func TestRandomGridsTogether(t *testing.T) {
	for seed := range testsize.Seeds("simgpu.TestRandomGridsTogether") {
		r := rand.New(rand.NewPCG(seed, 31))
		preset, latency := []string{"v100", "a100", "tiny"}[r.IntN(3)], int64(r.IntN(2)*300)
		quick := Change(func(p *Preset) { p.SubmitTime, p.LaunchLatency = 0, latency })
		kernels := make([]*random.Kernel, 2+r.IntN(3))
		for i := range kernels {
			kernels[i] = random.New(seed*10+uint64(i), random.All)
		}
		run := func(together bool, first int) []trace.Event {
			b := newBench(t, preset, quick, AsWritten())
			launches, streams, outs := make([]device.Kernel, len(kernels)), make([]device.Stream, len(kernels)), make([]device.Buffer, len(kernels))
			var params [][]byte
			for i, k := range kernels {
				var err error
				launches[i], err = b.gpu.Load(k.Func)
				require.NoError(t, err)
				streams[i], err = b.gpu.NewStream(0)
				require.NoError(t, err)
				outs[i] = b.put(k.Output())
				params = append(params, k.At(b.put(k.Input).Addr(), outs[i].Addr()))
			}
			require.NoError(t, b.stream.Sync(ctx))
			b.gpu.ColdCaches()
			events, told := make([]device.Event, len(kernels)), make([]trace.Event, len(kernels))
			for i, k := range kernels {
				events[i] = streams[i].Launch(launches[i], k.Grid, k.Block, 0, params[i])
				if !together {
					require.NoError(t, events[i].Wait(ctx))
				}
			}
			for i := range events {
				n := (i + first) % len(events)
				require.NoError(t, events[n].Wait(ctx))
				told[n] = events[n].Trace()
				if told[n].Stats.Cycles > 64 { // some kernels return at once
					checkStats(t, told[n])
				}
			}
			for i, k := range kernels {
				want, err := random.Engine(1).Run(k, k.Func)
				require.NoError(t, err)
				assert.True(t, k.Same(b.get(outs[i]), want), "memory of launch %d of seed %d", i, seed)
			}
			return told
		}
		apart, together := run(false, 0), run(true, 0)
		if testsize.Part(int(seed), 3) {
			assert.Equal(t, together, run(true, 1), "seed %d", seed)
		}
		var sum, end trace.Time
		for i, e := range together {
			alone := apart[i]
			sum, end = sum+alone.Duration(), max(end, e.End-together[0].Start)
			assert.Greater(t, float64(e.Duration()), 0.8*float64(alone.Duration()), "launch %d of seed %d", i, seed)
			a, b := alone.Stats, e.Stats
			assert.Equal(t, []int64{a.WarpInstructions, a.ThreadInstructions, a.Requests, a.Sectors, a.Transactions, a.BankConflicts},
				[]int64{b.WarpInstructions, b.ThreadInstructions, b.Requests, b.Sectors, b.Transactions, b.BankConflicts}, "launch %d of seed %d", i, seed)
		}
		assert.Less(t, float64(end), 1.2*float64(sum)+float64(latency*1000)*float64(len(kernels)), "seed %d", seed)
	}
}

// BenchmarkTogether runs a launch alone and two of half the blocks at once.
func BenchmarkTogether(b *testing.B) {
	defer func(before bool) { guardAll = before }(guardAll)
	guardAll = false
	for _, n := range []int{1, 2} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x := newBench(b, "v100", Change(func(p *Preset) { p.SubmitTime = 0 }))
			f, instrs := fused(b), int64(0)
			const elements = 512 << 10
			for b.Loop() {
				x.gpu.box.together = nil
				var all []besideLaunch
				for range n {
					all = append(all, besideLaunch{f, elements / 256 / n, 256, pack(b, x.alloc(8*elements), x.alloc(8*elements), x.alloc(8*elements), elements/n)})
				}
				for _, e := range x.atOnce(b, all...) {
					instrs += e.Stats.WarpInstructions
				}
			}
			b.ReportMetric(float64(instrs)/b.Elapsed().Seconds()/1e6, "Mwarpinstr/s")
		})
	}
}

// What launches at one time take follows from which buffers they have in common, also where others like them that had
// none in common, or had them at another distance, have been timed before.
func TestGridsThatReadOneBuffer(t *testing.T) {
	const n = 1 << 14
	two := func(b *bench, x, y any) (bytes int64) {
		for _, e := range b.atOnce(t, besideLaunch{doubled(t), n / 256, 256, pack(t, x, b.alloc(4*n), n)}, besideLaunch{doubled(t), n / 256, 256, pack(t, y, b.alloc(4*n), n)}) {
			bytes += e.Stats.DRAMBytes
		}
		return bytes
	}
	fresh := func() *bench {
		return newBench(t, "v100", Change(func(p *Preset) { p.SubmitTime, p.LaunchLatency = 0, 0 }))
	}
	a, b := fresh(), fresh()
	x := a.alloc(4 * n)
	apart := two(a, a.alloc(4*n), a.alloc(4*n))
	one := two(a, x, x)
	require.Less(t, one, apart)
	x = b.alloc(4 * n)
	require.Equal(t, one, two(b, x, x))
	require.Equal(t, apart, two(b, b.alloc(4*n), b.alloc(4*n)))
}
