package simgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// anyLoads is a LoadOrder of somebody else.
type anyLoads struct {
	queue func() LoadQueue
	next  func([]WaitingLoad) int
}

func (anyLoads) Name() string                              { return "mine" }
func (a anyLoads) Queue() LoadQueue                        { return a.queue() }
func (a anyLoads) Next(_ int64, waiting []WaitingLoad) int { return a.next(waiting) }

// apart has each thread load words in so many lines of its own, of which none waits for another, and add them up.
func apartLines(t testing.TB, lines int) *kir.Func {
	b := kir.NewBuilder("apart")
	x, out := b.Param("x", kir.U64), b.Param("out", kir.U64)
	i := b.GlobalIDX()
	at := b.Op(kir.OpMul, i, b.Int(kir.I64, int64(16*lines)))
	var words []*kir.Value
	for k := range lines {
		words = append(words, b.Load(kir.Global, kir.I64, b.Index(x, b.Op(kir.OpAdd, at, b.Int(kir.I64, int64(16*k))), kir.I64)))
	}
	sum := words[0]
	for _, w := range words[1:] {
		sum = b.Op(kir.OpAdd, sum, w)
	}
	b.Store(kir.Global, b.Index(out, i, kir.I64), sum)
	b.Return()
	return build(t, b)
}

// In the order of their issue, without a table, loads take the time that they take without a queue, on every machine.
func TestFIFOGivesTheTimesWithoutAQueue(t *testing.T) {
	first := anyLoads{func() LoadQueue { return LoadQueue{} }, func([]WaitingLoad) int { return 0 }}
	for _, name := range Names() {
		p, err := PresetByName(name)
		require.NoError(t, err)
		if p.GPUs > 1 {
			continue
		}
		run := func(options ...Option) trace.KernelStats {
			b := newBench(t, name, append(options, AsWritten(), Full(), Change(func(p *Preset) { p.SMs = min(p.SMs, 2) }))...)
			st := *b.launch(chains(t, 3), kir.D1(24), kir.D1(96), b.alloc(8*24*96), b.alloc(8*24*96)).Stats
			two := b.launch(apartLines(t, 3), kir.D1(4), kir.D1(64), b.alloc(8*16*3*4*64), b.alloc(8*4*64)).Stats
			st.Cycles += two.Cycles << 32
			st.Detail, st.Timeline = nil, nil
			return st
		}
		want := run()
		assert.Equal(t, want, run(WithLoads(FIFO{})), name)
		assert.Equal(t, want, run(WithLoads(first)), name)
	}
}

// By hand: one warp whose lanes load from one line each time. With a table of one line each load is served when the one
// before it has come, with enough of them all are in flight together.
func TestATableOfOneLine(t *testing.T) {
	const lines = 6
	b := kir.NewBuilder("one after the other")
	x, out := b.Param("x", kir.U64), b.Param("out", kir.U64)
	var words []*kir.Value
	for k := range lines {
		words = append(words, b.Load(kir.Global, kir.I64, b.Index(x, b.Int(kir.I64, int64(64*k)), kir.I64)))
	}
	sum := words[0]
	for _, w := range words[1:] {
		sum = b.Op(kir.OpAdd, sum, w)
	}
	b.Store(kir.Global, b.Index(out, b.GlobalIDX(), kir.I64), sum)
	b.Return()
	f := build(t, b)
	warps := 1
	run := func(o LoadOrder) *trace.KernelStats {
		x := newBench(t, "fermivt", WithLoads(o), AsWritten(), WithSMs(1))
		return x.launch(f, kir.D1(1), kir.D1(32*warps), x.alloc(8*64*lines), x.alloc(8*32*warps)).Stats
	}
	all, one := run(FIFO{MSHRs: lines}), run(FIFO{MSHRs: 1})
	const miss = 120 + 245 // from L1 to DRAM and back, of the preset
	assert.InDelta(t, (lines-1)*miss, one.Cycles-all.Cycles, 8*lines)
	assert.LessOrEqual(t, one.Misses, 1.0)
	assert.Greater(t, all.Misses, 2.0)
	assert.Equal(t, int64(0), all.QueuedLoads)
	assert.Equal(t, int64(lines-1), one.QueuedLoads, "each but the first waits")
	assert.Equal(t, one.Cycles, run(Mascar{MSHRs: 1}).Cycles, "there is nothing that could pass")
	assert.Equal(t, one.Cycles, run(Mascar{MSHRs: 1, Entries: 2}).Cycles)
	warps = 2
	for _, o := range []LoadOrder{nil, FIFO{}, FIFO{MSHRs: lines}, Mascar{MSHRs: lines}} {
		st := run(o)
		assert.Equal(t, [2]int64{4 * lines, 4 * lines}, [2]int64{st.PendingHits, st.L1Hits}, "the second warp finds each line on its way, all four sectors of it, and needs no place for it")
		assert.Zero(t, st.QueuedLoads)
	}
}

// Warps that hit pass those that miss, where loads that find no place wait beside the pipeline.
func TestHitsPassMisses(t *testing.T) {
	b := kir.NewBuilder("half hit")
	x, out := b.Param("x", kir.U64), b.Param("out", kir.U64)
	i := b.GlobalIDX()
	odd := b.Op(kir.OpAnd, i, b.Int(kir.I64, 32)) // warps with odd numbers go through memory
	sum := b.Int(kir.I64, 0)
	for k := range 24 {
		at := b.Op(kir.OpMul, odd, b.Op(kir.OpAdd, b.Op(kir.OpMul, i, b.Int(kir.I64, 24)), b.Int(kir.I64, int64(k))))
		sum = b.Op(kir.OpAdd, sum, b.Load(kir.Global, kir.I64, b.Index(x, at, kir.I64)))
	}
	b.Store(kir.Global, b.Index(out, i, kir.I64), sum)
	b.Return()
	f := build(t, b)
	run := func(o LoadOrder) *trace.KernelStats {
		x := newBench(t, "fermivt", WithLoads(o), AsWritten(), WithSMs(1))
		return x.launch(f, kir.D1(2), kir.D1(256), x.alloc(8*32*24*512), x.alloc(8*512)).Stats
	}
	fifo, mascar := run(FIFO{MSHRs: 8}), run(Mascar{MSHRs: 8})
	ends := func(st *trace.KernelStats) (even float64) { // slots in the first half of the time
		for _, s := range st.Timeline[:len(st.Timeline)/2] {
			for _, n := range s.Issued {
				even += n * float64(s.End-s.Start)
			}
		}
		return even
	}
	assert.LessOrEqual(t, mascar.Cycles, fifo.Cycles)
	assert.Greater(t, ends(mascar), 1.1*ends(fifo), "warps that hit go on")
	assert.Equal(t, fifo.Sectors, mascar.Sectors)
}

// Under VT loads of blocks that have slots go before those of blocks that have lost theirs; whatever the order, all
// come back.
func TestLoadsOfActiveBlocksFirst(t *testing.T) {
	passed, inactive := 0, 0 // how often a younger load of an active block was served, and the most that waited of others
	watch := func(of LoadOrder) LoadOrder {
		return anyLoads{of.Queue, func(waiting []WaitingLoad) int {
			i := of.Next(0, waiting)
			others := 0
			for k, w := range waiting {
				if !w.Active {
					others++
				}
				if i >= 0 && waiting[i].Active && !w.Active && w.Fits && k < i {
					passed++
				}
				if i >= 0 && !waiting[i].Active && w.Active && w.Fits {
					t.Error("a load of a block without slots was served before one with")
				}
			}
			inactive = max(inactive, others)
			return i
		}}
	}
	f := apartLines(t, 2)
	run := func(options ...Option) *trace.KernelStats {
		x := newBench(t, "fermivt", append(options, AsWritten(), WithSMs(1), Change(func(p *Preset) { p.MaxBlocksPerSM = 3 }))...)
		return x.launch(f, kir.D1(24), kir.D1(64), x.alloc(8*16*2*24*64), x.alloc(8*24*64)).Stats
	}
	small := ActiveFirst{MSHRs: 8}
	st := run(WithCTAs(VT{}), WithLoads(watch(small)))
	assert.Positive(t, st.Swaps)
	assert.Greater(t, inactive, 1)
	assert.Positive(t, passed)
	assert.LessOrEqual(t, st.Misses, 8.0)
	assert.Equal(t, run(WithCTAs(VT{}), WithLoads(small)).Cycles, st.Cycles)
	inactive = 0
	few := watch(small).(anyLoads)
	few.queue = func() LoadQueue { return LoadQueue{MSHRs: 8, Active: 30, Inactive: 1} }
	none := run(WithCTAs(VT{}), WithLoads(few))
	assert.LessOrEqual(t, inactive, 1, "blocks stay that have more loads in the queue than there is room for")
	assert.Equal(t, st.Sectors, none.Sectors)
}

// What an order does wrong is an error of the launch, or of the machine.
func TestErringLoadOrders(t *testing.T) {
	queue := func() LoadQueue { return LoadQueue{MSHRs: 2, Active: 4} }
	for says, next := range map[string]func([]WaitingLoad) int{
		"chose number 77 of":                          func([]WaitingLoad) int { return 77 },
		"chose number -2 of":                          func([]WaitingLoad) int { return -2 },
		"has served nothing when it was asked 100000": func([]WaitingLoad) int { return -1 },
		"panicked: I do not know":                     func([]WaitingLoad) int { panic("I do not know") },
	} {
		b := newBench(t, "fermivt", WithLoads(anyLoads{queue, next}), AsWritten(), WithSMs(1))
		k, err := b.gpu.Load(apartLines(t, 4))
		require.NoError(t, err)
		b.stream.Launch(k, kir.D1(2), kir.D1(64), 0, pack(t, b.alloc(8*16*4*128), b.alloc(8*128)))
		err = b.stream.Sync(ctx)
		var wrong *PolicyError
		require.ErrorAs(t, err, &wrong, says)
		assert.Equal(t, [2]string{"mine", loadKind}, [2]string{wrong.Policy, wrong.Kind})
		assert.Contains(t, err.Error(), says)
	}
	for says, options := range map[string][]Option{
		"MSHRs are -1":                  {WithLoads(FIFO{MSHRs: -1})},
		"Active are 5000, must be 0 to": {WithLoads(Mascar{Entries: 5000})},
		"panicked: no queue":            {WithLoads(anyLoads{queue: func() LoadQueue { panic("no queue") }})},
		"not under dwf":                 {WithLoads(FIFO{}), WithDivergence(DWF{})},
		"not under mimd":                {WithLoads(Mascar{}), WithDivergence(MIMD{})},
		"not under sbi":                 {WithLoads(Mascar{}), WithDivergence(SBI{})},
	} {
		assert.ErrorContains(t, catch(func() { Custom("tesla2009", options...) }), says)
	}
	assert.Contains(t, New(fermiVT, WithLoads(Mascar{Entries: 8})).Policies(), "loads mascar, queues of 8")
}

// What the queue serves without asking a policy of the package is what that policy chooses where it is asked, in every
// cycle of a launch: the same report.
func TestLoadsServedWithoutAsking(t *testing.T) {
	defer func(before bool) { guardAll = before }(guardAll)
	queued, swaps := int64(0), int64(0)
	for _, o := range []LoadOrder{
		FIFO{MSHRs: 3}, Mascar{MSHRs: 1, Entries: 2}, Mascar{MSHRs: 8}, ActiveFirst{MSHRs: 2, Entries: 3}, ActiveFirst{MSHRs: 8},
	} {
		options := []Option{WithCTAs(VT{}), WithLoads(o), AsWritten(), WithSMs(1), Change(func(p *Preset) { p.MaxBlocksPerSM = 3 })}
		var reports [2]*trace.KernelStats
		for i := range reports {
			guardAll = i == 0
			x := newBench(t, "fermivt", options...)
			reports[i] = x.launch(apartLines(t, 3), kir.D1(24), kir.D1(64), x.alloc(8*16*3*24*64), x.alloc(8*24*64)).Stats
		}
		assert.Equal(t, reports[0], reports[1], nameOf(o))
		queued, swaps = queued+reports[0].QueuedLoads, swaps+reports[0].Swaps
	}
	assert.Positive(t, queued)
	assert.Positive(t, swaps)
}

// A policy is not blamed for cycles in which it issues nothing while the pipeline of memory is full: TwoLevel stays
// with a group whose loads wait for it.
func TestPoliciesMayWaitForTheFullPipeline(t *testing.T) {
	q := &loadQueue{room: LoadQueue{Active: 1}, waiting: []*waitingLoad{{}}}
	c := &scheduler{sm: &sm{loads: q}}
	for range 2 * patience {
		require.False(t, c.refuses())
	}
	q.waiting = nil
	for range patience - 1 {
		require.False(t, c.refuses())
	}
	require.True(t, c.refuses())
}
