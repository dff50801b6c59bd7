package corpus

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	. "github.com/arrayrepl/arrayrepl/simgpu"
)

// share is the first blocks of a program, which are enough for one SM.
type share struct {
	name   string
	blocks int
}

// recordings records shares; in short tests the first two.
func recordings(t testing.TB, of ...share) (out gpu.Recordings) {
	if testsize.Short() {
		of = of[:2]
	}
	for _, s := range of {
		found := false
		for _, p := range programs() {
			if found = p.Name == s.name; found {
				p.Grid.Y = min(p.Grid.Y, max(1, s.blocks/p.Grid.X))
				p.Grid.X = min(p.Grid.X, s.blocks)
				out = append(out, gpu.Record(p.Kernel, p.Grid, p.Block, p.Args()...))
				break
			}
		}
		if !found {
			t.Fatalf("there is no program %s", s.name)
		}
	}
	return out
}

// core is one of the 16 cores of tesla2009 with its part of DRAM.
func core(o ...Option) Option {
	return With(Change(func(p *Preset) { p.SMs = 1; p.DRAMPeak /= 16 }), With(o...))
}

// Orderings and bands of the paper on dynamic warp formation (Fung and others, ACM TACO 6, 2009), with its value beside
// each; docs/design/measurements/warp-policies.md has what ours are and where they differ.
func TestFormation(t *testing.T) {
	testsize.InTurn(t, 2)
	recs := recordings(t, share{"BlackScholes", 1}, share{"ProfileHMM", 1}, share{"LU", 1}, share{"Bitonic", 1},
		share{"LatticeBoltzmann", 3}, share{"FFT", 2}, share{"Product", 1})
	dwf := func(d DWF, o ...Option) Option { return core(WithDivergence(d), WithLanes(Swizzle), With(o...)) }
	narrow := Change(func(p *Preset) { p.WarpSize = 8 })
	c := gpu.Compare(recs, Variants("tesla2009", core(WithDivergence(NREC{})), core(WithDivergence(PDOM{})), core(WithDivergence(MIMD{})),
		dwf(DWF{Policy: DPdPri}), dwf(DWF{}), dwf(DWF{RegFile: Ported}), core(WithDivergence(PDOM{}), narrow),
		dwf(DWF{}, narrow), dwf(DWF{}, WithLanes(Xor)))...)
	t.Log(c)
	mean := c.HarmonicMean
	nrec, pdom, mimd, majority := mean(0), mean(1), mean(2), mean(4)
	assert.Less(t, nrec, pdom, "NREC below PDOM (paper: 13.9 and 20.2 of 128)")
	assert.Less(t, pdom, mimd, "PDOM below MIMD (paper: 20.2 and 33.7)")
	assert.Less(t, majority, mimd, "DWF below MIMD (paper: 29.7 and 33.7)")
	black, profile := c.On(0), c.On(1)
	assert.Less(t, black[4].IPC(), black[1].IPC(), "DMaj starves Black-Scholes at 768 threads (paper: -23 %)")
	assert.Greater(t, black[3].IPC(), black[4].IPC(), "where DPdPri does not (paper: IPC 99 and 89)")
	assert.Greater(t, profile[4].IPC(), 1.2*profile[1].IPC(), "HMMer gains most (paper: 2.95 times)")
	assert.Greater(t, profile[4].IPC(), profile[3].IPC(), "and more under DMaj (paper: IPC 24) than under DPdPri (12)")
	if testsize.Short() {
		return
	}
	lost := func(wide, narrow float64) float64 { return 1 - wide/narrow }
	assert.Greater(t, lost(pdom, mean(6)), lost(majority, mean(7)), "from 8 to 32 lanes PDOM loses more (paper: 24.9 and 11.2 %)")
	assert.Greater(t, majority, 1.08*pdom, "DWF above PDOM (paper: 1.47 times)")
	assert.Less(t, majority, 1.8*pdom)
	assert.Greater(t, mean(8), 1.03*majority, "home lanes by xor part what neighbours that are swapped do not")
	assert.Greater(t, mean(8), 1.15*pdom)
	assert.Greater(t, mean(3), 1.05*pdom, "DPdPri over PDOM (paper: 1.31)")
	assert.InDelta(t, 1.5, mean(5)/pdom, 0.3, "DWF above PDOM where any thread may have any lane (paper: 1.66)")
	assert.InDelta(t, 1.67, mimd/pdom, 0.25, "MIMD above PDOM, the most that forming warps can gain (paper: 1.67)")
	assert.InDelta(t, 0.9, majority/mean(5), 0.1, "lane-aware registers keep a part of ported ones' (paper: 0.89)")
}

// Warps can only be formed of threads that wait at one instruction: the more there are the better (paper: 0.96 of PDOM
// with 128 threads on a core, 1.13 with 256, 1.47 with 768; HMMer alone 0.75 and 2.95).
func TestFormationNeedsThreads(t *testing.T) {
	for _, p := range programs() {
		if p.Name != "ProfileHMM" {
			continue
		}
		var gains []float64
		for _, threads := range []int{128, 768} {
			c := gpu.Compare(gpu.Record(p.Kernel, gpu.Grid(1), gpu.Block(threads), p.Args()...),
				Variants("tesla2009", core(WithDivergence(PDOM{})), core(WithDivergence(DWF{}), WithLanes(Swizzle)))...)
			gains = append(gains, c.Rows[1].IPC()/c.Rows[0].IPC())
		}
		t.Log(gains)
		assert.Greater(t, gains[1], 1.2*gains[0])
	}
}

// The same of simultaneous branch and warp interweaving (Brunie, Collange and Diamos, ISCA 2012).
func TestInterweaving(t *testing.T) {
	recs := recordings(t, share{"NeedlemanWunsch", 8}, share{"Mandelbrot", 4}, share{"SortingNetwork", 4}, share{"BFS", 4},
		share{"Bitonic", 1}, share{"MandelbrotBarrier", 4}, share{"ShortCircuit", 4}, share{"Histogram", 16})
	swi := func(s SWI, d Divergence, l LaneMap) Option {
		return With(WithDivergence(d), WithCoIssue(s), WithLanes(l))
	}
	c := gpu.Compare(recs, Variants("fermisbi-64", WithDivergence(TF{}), WithDivergence(SBI{}), WithDivergence(SBI{Constraints: true}),
		swi(SWI{}, TF{}, XorRev), swi(SWI{}, TF{}, Identity), swi(SWI{Sets: 16}, TF{}, XorRev), swi(SWI{}, SBI{Constraints: true}, XorRev))...)
	t.Log(c)
	frontier, sbi, constrained, warps, identity, direct, both := c.HarmonicMean(0), c.HarmonicMean(1), c.HarmonicMean(2), c.HarmonicMean(3), c.HarmonicMean(4), c.HarmonicMean(5), c.HarmonicMean(6)
	assert.Greater(t, c.On(0)[3].IPC()/c.On(0)[0].IPC(), 1.1, "SWI on warps that are half empty (paper: +33 % on irregular kernels)")
	assert.InEpsilon(t, sbi, constrained, 0.01, "constraints change SBI's IPC by less than 0.1 % (paper)")
	issued := func(i int) (n int64) {
		for k := range recs {
			n += c.On(k)[i].Stats.WarpInstructions
		}
		return n
	}
	assert.Less(t, issued(2), issued(1), "and lower instructions issued (paper: by 5.5 % on irregular kernels)")
	if !testsize.Short() {
		barrier := c.On(5)
		assert.InEpsilon(t, barrier[0].IPC(), barrier[1].IPC(), 0.05, "a barrier in the loop takes SBI's gain away (paper: Mandelbrot unchanged)")
	}
	assert.GreaterOrEqual(t, both, 0.95*max(sbi, warps), "both together, against the better (paper: +40 % against +41 and +33)")
	assert.GreaterOrEqual(t, direct, 0.85*warps, "one partner for each warp (paper: at least 85 %)")
	assert.GreaterOrEqual(t, warps, 0.995*identity, "XorRev against threads in their places (paper: +1.4 %)")
	assert.Greater(t, warps, 0.95*frontier)
}

// The same of Virtual Thread (Yoon and others, ISCA 2016).
func TestResidency(t *testing.T) {
	testsize.InTurn(t, 0)
	sm := func(o ...Option) Option {
		return With(Change(func(p *Preset) { p.SMs = 1; p.DRAMPeak /= 15; p.L2Bytes /= 15 }), With(o...))
	}
	recs := recordings(t, share{"Histogram", 40}, share{"Product", 4}, share{"Reduction", 16}, share{"SortingNetwork", 4}, share{"Gather", 40})
	c := gpu.Compare(recs, Variants("fermivt", sm(WithCTAs(Baseline{})), sm(WithCTAs(VT{})), sm(WithCTAs(VT{SwapFree: true})), sm(WithCTAs(MaxTLP{})),
		sm(WithCTAs(VT{StackDepth: 8})), sm(WithPicker(LRR{}), WithCTAs(Baseline{})), sm(WithPicker(LRR{}), WithCTAs(VT{})))...)
	t.Log(c)
	small, tiled := c.On(0), c.On(1)
	assert.Greater(t, small[1].IPC()/small[0].IPC(), 1.1, "blocks of 64 threads are type S: the limit is 8 blocks (paper: +23.9 % on type S)")
	dram := func(i int) float64 { return float64(small[i].Stats.DRAMBytes) / float64(small[i].Stats.Cycles) }
	assert.Greater(t, small[1].Stats.Misses, small[0].Stats.Misses, "more misses in flight (paper: 17.5 and 27.1 % of the table, in the mean)")
	assert.Greater(t, dram(1), dram(0), "and more of DRAM (paper: 21.7 and 27.4 %)")
	assert.Equal(t, tiled[0].Stats.Cycles, tiled[1].Stats.Cycles, "tiles of 8 KB at 40 registers are type C: nothing changes")
	assert.Zero(t, tiled[1].Stats.Swaps)
	for _, k := range []int{0, 2} { // type S that wait
		if k < len(recs) {
			on := c.On(k)
			assert.Greater(t, on[1].IPC(), on[0].IPC(), "VT above the baseline (paper: 1.24 times in the mean)")
			assert.LessOrEqual(t, on[1].IPC(), 1.03*on[3].IPC(), "and no more than a little above MAX (paper: 1.24 and 1.27)")
		}
	}
	mean := c.HarmonicMean
	assert.InEpsilon(t, mean(2), mean(1), 0.03, "swaps cost little (paper: 0.4 %)")
	assert.InEpsilon(t, mean(4), mean(1), 0.03, "and so do contexts of twice the size (paper: 0.2 %)")
	assert.InEpsilon(t, mean(1)/mean(0), mean(6)/mean(5), 0.03, "whoever issues (paper: +22.2 % under GTO, +23.9 under LRR)")
}
