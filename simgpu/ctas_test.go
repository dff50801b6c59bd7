package simgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// simt-microarchitecture.md 2.8 [G]: bits of the context of a block of so many warps, and cycles to read it at 256, 512
// and 1024 bits a cycle.
func TestContexts(t *testing.T) {
	for warps, want := range map[int][4]int{1: {749, 3, 2, 1}, 2: {1389, 6, 3, 2}, 4: {2669, 11, 6, 3}, 6: {3949, 16, 8, 4},
		8: {5229, 21, 11, 6}, 16: {10349, 41, 21, 11}, 32: {20589, 81, 41, 21}} {
		got := [4]int{VT{}.ContextBits(warps)}
		u := BlockUse{Warps: warps, Scheduling: 1, Capacity: 8, SharedPerSM: 1 << 20}
		for i, port := range []int{256, 512, 1024} {
			got[1+i] = VT{PortBits: port}.Residency(u).SwapCycles
		}
		assert.Equal(t, want, got, "%d warps", warps)
	}
	assert.Zero(t, VT{SwapFree: true}.Residency(BlockUse{Warps: 4, Scheduling: 1, Capacity: 8, SharedPerSM: 1 << 20}).SwapCycles)
}

// The same section's table of machines and kernels.
func TestVirtualOccupancy(t *testing.T) {
	fermi, err := PresetByName("fermivt")
	require.NoError(t, err)
	kepler := fermi // GK110, whose figures the paper's motivation has
	kepler.Registers, kepler.MaxThreadsPerSM, kepler.MaxBlocksPerSM, kepler.MaxRegistersPerThread = 65536, 2048, 16, 255
	for _, c := range []struct {
		p                          Preset
		threads, registers, shared int
		vt                         VT
		kind                       string
		base, capacity             int
		resident, active           int
		before, after              float64 // register use, percent
	}{
		{fermi, 256, 10, 0, VT{}, "S", 6, 12, 12, 6, 46.9, 93.8},
		{fermi, 64, 16, 1024, VT{}, "S", 8, 32, 32, 8, 25, 100},
		{fermi, 64, 16, 1024, VT{StackDepth: 16}, "S", 8, 32, 29, 8, 25, 90.6},
		{fermi, 128, 20, 4096, VT{}, "S", 8, 12, 11, 8, 62.5, 85.9},
		{fermi, 256, 40, 8192, VT{}, "C", 3, 3, 3, 3, 93.8, 93.8},
		{kepler, 256, 10, 0, VT{}, "S", 8, 25, 25, 8, 31.3, 97.7},
		{kepler, 256, 40, 8192, VT{}, "C", 6, 6, 6, 6, 93.8, 93.8},
	} {
		o, err := OccupancyUnder(c.vt, c.p, c.registers, c.threads, c.shared)
		require.NoError(t, err)
		assert.Equal(t, c.kind, o.Type)
		assert.Equal(t, [4]int{c.base, c.capacity, c.resident, c.active}, [4]int{o.Baseline.Resident, o.Use.Capacity, o.With.Resident, o.With.Active}, "%v", o)
		assert.InDelta(t, c.before, 100*o.Registers[0], 0.1)
		assert.InDelta(t, c.after, 100*o.Registers[1], 0.1)
	}
}

// chains follows so many links through memory, each of which waits for the one before.
func chains(t testing.TB, links int) *kir.Func {
	b := kir.NewBuilder("chains")
	x, out := b.Param("x", kir.U64), b.Param("out", kir.U64)
	i := b.GlobalIDX()
	at := i
	for range links {
		at = b.Load(kir.Global, kir.I64, b.Index(x, at, kir.I64))
	}
	b.Store(kir.Global, b.Index(out, i, kir.I64), at)
	b.Return()
	return build(t, b)
}

// A kernel that waits for latency and has more blocks than slots is faster with VT, about as on a machine with slots
// for all (+23.9 % and +26.9 % in the paper's mean, with VT before MAX in four programs of 35). Swap cost changes
// little (0.4 % without any). One of which no more blocks fit takes the same cycles.
func TestVirtualThreadsHideLatency(t *testing.T) {
	noL1 := Change(func(p *Preset) { p.UnifiedBytes = 49 * kib }) // else fewer blocks at a time find more in it
	run := func(f *kir.Func, threads int, options ...Option) (st struct{ cycles, swaps, dram float64 }) {
		b := newBench(t, "fermivt", append(options, AsWritten(), Full(), WithSMs(2), WithIssuePolicy(LRR{}), noL1)...)
		const blocks = 128 // two waves of what fits
		n := blocks * threads
		links := make([]byte, 8*n)
		for i := range n {
			put(links[8*i:8*i+8], uint64((i+1024)%n))
		}
		x := b.put(links)
		e := b.launch(f, kir.D1(blocks), kir.D1(threads), x, b.alloc(8*n)).Stats
		st.cycles, st.swaps, st.dram = float64(e.Cycles), float64(e.Swaps), float64(e.DRAMBytes)
		return st
	}
	f := chains(t, 12)
	base := run(f, 64)
	vt, free, wide := run(f, 64, WithCTAs(VT{})), run(f, 64, WithCTAs(VT{SwapFree: true})), run(f, 64, WithCTAs(VT{PortBits: 1024}))
	most := run(f, 64, WithCTAs(MaxTLP{}))
	assert.Greater(t, base.cycles, 1.1*vt.cycles)
	assert.InEpsilon(t, most.cycles, vt.cycles, 0.08, "both fill the port to L2; blocks that come in one by one end one by one")
	assert.InEpsilon(t, vt.cycles, free.cycles, 0.03)
	assert.InEpsilon(t, vt.cycles, wide.cycles, 0.03)
	assert.Positive(t, vt.swaps)
	assert.Zero(t, base.swaps+most.swaps)
	one := run(f, 1024)
	require.Equal(t, one, run(f, 1024, WithCTAs(Baseline{})))
}

// Where VT changes nothing the report says why: contexts that do not fit into shared memory, and kernels that have no
// room for a block more.
func TestReportsSayWhyVirtualThreadsAreOff(t *testing.T) {
	for _, c := range []struct {
		name            string
		threads, shared int
		says            string
	}{
		{"contexts do not fit", 128, 5376, "vt is off: the context of a block takes 334 bytes of shared memory beside its own 5376: 49152 bytes hold 8 such blocks, and there are slots for 8"},
		{"type C", 64, 16384, "vt is off: registers and shared memory hold 3 blocks, and there are slots for 8"},
		{"it is on", 64, 1024, ""},
	} {
		b := kir.NewBuilder("k")
		out := b.Param("out", kir.U64)
		s := b.SharedArray("s", kir.I32, c.shared/4)
		i := b.GlobalIDX()
		tid := b.Convert(kir.I64, b.Special(kir.TidX))
		b.Store(kir.Shared, b.Index(s, tid, kir.I32), b.Convert(kir.I32, tid))
		b.Store(kir.Global, b.Index(out, i, kir.I32), b.Load(kir.Shared, kir.I32, b.Index(s, tid, kir.I32)))
		b.Return()
		f := build(t, b)
		run := func(p CTAPolicy) *trace.KernelStats {
			x := newBench(t, "fermivt", WithCTAs(p), AsWritten(), Full(), WithSMs(1))
			return x.launch(f, kir.D1(20), kir.D1(c.threads), x.alloc(4*20*c.threads)).Stats
		}
		off, on := run(Baseline{}), run(VT{})
		assert.Equal(t, c.says, on.CTAsOff, c.name)
		assert.Empty(t, off.CTAsOff)
		if c.says != "" {
			on.CTAsOff = ""
			assert.Equal(t, off, on, c.name)
		} else {
			assert.Greater(t, on.ResidentBlocks, off.ResidentBlocks)
		}
	}
	lots := VT{}.Residency(BlockUse{Warps: 32, Scheduling: 8, Capacity: 20, SharedPerSM: 1 << 20})
	assert.Equal(t, "an SM tells 256 warps apart, which are 8 blocks of 32, and there are slots for 8", lots.Off)
}

// anyBlock is a CTAPolicy of somebody else.
type anyBlock struct {
	VT
	of   func(BlockUse) Residence
	swap func([]CTA) int
}

func (anyBlock) Name() string                           { return "mine" }
func (a anyBlock) Residency(u BlockUse) Residence       { return a.of(u) }
func (a anyBlock) Swap(_ int64, _ CTA, ready []CTA) int { return a.swap(ready) }

// A block policy of a cell may choose who comes in; one that is wrong is an error of the launch.
func TestBlockPoliciesOfOthers(t *testing.T) {
	f := chains(t, 6)
	run := func(p CTAPolicy) (int64, error) {
		b := newBench(t, "fermivt", WithCTAs(p), AsWritten(), WithSMs(1))
		k, err := b.gpu.Load(f)
		require.NoError(t, err)
		e := b.stream.Launch(k, kir.D1(40), kir.D1(64), 0, pack(t, b.alloc(8*40*64), b.alloc(8*40*64)))
		if err := b.stream.Sync(ctx); err != nil {
			return 0, err
		}
		return e.Trace().Stats.Swaps, nil
	}
	last := func(ready []CTA) int { return len(ready) - 1 }
	swaps, err := run(anyBlock{of: VT{}.Residency, swap: last})
	require.NoError(t, err)
	assert.Positive(t, swaps)
	swaps, err = run(anyBlock{of: VT{}.Residency, swap: func([]CTA) int { return -1 }})
	require.NoError(t, err)
	assert.Zero(t, swaps)
	for says, p := range map[string]anyBlock{
		"chose number 99":                      {of: VT{}.Residency, swap: func([]CTA) int { return 99 }},
		"panicked: no":                         {of: VT{}.Residency, swap: func([]CTA) int { panic("no") }},
		"makes 1 blocks resident and 2 active": {of: func(BlockUse) Residence { return Residence{Resident: 1, Active: 2} }, swap: last},
		"panicked: who":                        {of: func(BlockUse) Residence { panic("who") }, swap: last},
	} {
		_, err := run(p)
		var wrong *PolicyError
		require.ErrorAs(t, err, &wrong, says)
		assert.Equal(t, ctaKind, wrong.Kind)
		assert.Contains(t, err.Error(), says)
	}
}
