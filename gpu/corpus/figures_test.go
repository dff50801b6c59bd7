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
	recs := recordings(t, share{"BlackScholes", 1}, share{"LU", 2}, share{"Bitonic", 1}, share{"ProfileHMM", 1},
		share{"LatticeBoltzmann", 3}, share{"FFT", 2}, share{"Product", 1})
	dwf := func(d DWF) Option { return core(WithDivergence(d), WithLanes(Swizzle)) }
	c := gpu.Compare(recs, Variants("tesla2009", core(WithDivergence(NREC{})), core(WithDivergence(PDOM{})), core(WithDivergence(MIMD{})),
		dwf(DWF{Policy: DPdPri}), dwf(DWF{}), dwf(DWF{RegFile: Ported}))...)
	t.Log(c)
	nrec, pdom, mimd, priority, majority, ported := c.HarmonicMean(0), c.HarmonicMean(1), c.HarmonicMean(2), c.HarmonicMean(3), c.HarmonicMean(4), c.HarmonicMean(5)
	assert.Less(t, nrec, pdom, "NREC below PDOM (paper: 13.9 and 20.2 of 128)")
	assert.Less(t, pdom, mimd, "PDOM below MIMD (paper: 20.2 and 33.7)")
	assert.Greater(t, priority/pdom, 1.05, "DPdPri over PDOM (paper: 1.31)")
	assert.Less(t, priority/pdom, 1.8)
	least := 0.8
	if testsize.Short() {
		least = 0.7
	}
	assert.Greater(t, majority/ported, least, "lane-aware registers keep a part of ported ones' (paper: 0.89)")
	assert.Less(t, majority/ported, 1.0)
	black := c.On(0)
	assert.Less(t, black[4].IPC(), black[1].IPC(), "DMaj starves Black-Scholes at 768 threads (paper: -23 %)")
	assert.Greater(t, black[3].IPC(), black[4].IPC(), "where DPdPri does not (paper: IPC 99 and 89)")
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
	assert.InEpsilon(t, sbi, constrained, 0.015, "constraints change SBI's IPC by less than 0.1 % (paper)")
	assert.GreaterOrEqual(t, both, 0.95*max(sbi, warps), "both together, against the better (paper: +40 % against +41 and +33)")
	assert.GreaterOrEqual(t, direct, 0.85*warps, "one partner for each warp (paper: at least 85 %)")
	assert.GreaterOrEqual(t, warps, 0.995*identity, "XorRev against threads in their places (paper: +1.4 %)")
	assert.Greater(t, warps, 0.95*frontier)
}

// The same of Virtual Thread (Yoon and others, ISCA 2016).
func TestResidency(t *testing.T) {
	sm := func(o ...Option) Option {
		return With(Change(func(p *Preset) { p.SMs = 1; p.DRAMPeak /= 15; p.L2Bytes /= 15 }), With(o...))
	}
	recs := recordings(t, share{"Histogram", 40}, share{"Product", 4}, share{"Reduction", 16}, share{"SortingNetwork", 4}, share{"Gather", 40})
	c := gpu.Compare(recs, Variants("fermivt", sm(WithCTAs(Baseline{})), sm(WithCTAs(VT{})), sm(WithCTAs(VT{SwapFree: true})), sm(WithCTAs(MaxTLP{})))...)
	t.Log(c)
	small, tiled := c.On(0), c.On(1)
	assert.Greater(t, small[1].IPC()/small[0].IPC(), 1.1, "blocks of 64 threads are type S: the limit is 8 blocks (paper: +23.9 % on type S)")
	dram := func(i int) float64 { return float64(small[i].Stats.DRAMBytes) / float64(small[i].Stats.Cycles) }
	assert.Greater(t, small[1].Stats.Misses, small[0].Stats.Misses, "more misses in flight (paper: 17.5 and 27.1 % of the table, in the mean)")
	assert.Greater(t, dram(1), dram(0), "and more of DRAM (paper: 21.7 and 27.4 %)")
	assert.Equal(t, tiled[0].Stats.Cycles, tiled[1].Stats.Cycles, "tiles of 8 KB at 40 registers are type C: nothing changes")
	assert.Zero(t, tiled[1].Stats.Swaps)
	assert.InEpsilon(t, c.HarmonicMean(2), c.HarmonicMean(1), 0.03, "swaps cost little (paper: 0.4 %)")
}
