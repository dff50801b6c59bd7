package simgpu

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/random"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// runTimed launches f on b's GPU as kernel.run does, with the collector and what was timed to look at.
func runTimed(t *testing.T, b *bench, f *kir.Func, grid, block kir.Dim3, params []byte) (*timing, *collector, *timed) {
	g := b.gpu
	loaded, err := g.Load(f)
	require.NoError(t, err)
	b.get(b.alloc(1)) // what is queued, like mappings, is done after this
	k := loaded.(*kernel)
	k.prepare(params)
	occ, err := Occupancy(g.preset, k.plain.registers, block.Count(), k.program.Func().SharedBytes())
	require.NoError(t, err)
	l := cpu.Launch{Grid: grid, Block: block, Params: params, Memory: g.memory}
	lt := &timing{preset: &g.preset, code: k.plain.code, policies: g.policies, resident: occ.Blocks, limits: g.limits, shapes: newShapes(k.plain.code.values),
		places: newPlaces(k.program.Func(), &l, g.mapped)}
	c := lt.newCollector(grid.Count(), block.Count(), nil)
	l.Record = c.recorder
	_, err = k.program.Run(ctx, l)
	require.NoError(t, err)
	kept := c.finish()
	lt.places.settle(c.timeable(), lt, g.mapped)
	if len(kept) == grid.Count() {
		r, err := lt.wholeRun(ctx, kept, nil)
		require.NoError(t, err)
		return lt, c, r
	}
	r, err := lt.sampledRun(ctx, kept, c)
	require.NoError(t, err)
	return lt, c, r
}

// What is counted without time is what the timing model counts when it times all blocks, in all and line by line: of
// random kernels, on machines with all rules of coalescing, and under the policies that part warps.
func TestCountsAreThoseOfTheTimingModel(t *testing.T) {
	same := func(t *testing.T, lt *timing, c *collector, r *timed) {
		sum, m := sumOf(lt.preset, lt.code, c.tallies), r.runs[0].machine
		got, want := sum.counters, m.stats
		want.l1Hits, want.pendingHits, want.queued, want.waited, want.inFlight = 0, 0, 0, 0, 0 // only time tells
		got.l1Hits = 0
		assert.Equal(t, want, got)
		total := m.profile.total()
		assert.Equal(t, total.issued, sum.issued)
		for i := range sum.lines {
			want := m.lines[i]
			want.l1Hits, want.stalls = 0, [trace.NumStalls]int64{}
			assert.Equal(t, want, sum.lines[i], "line %d: %s", i, lt.code.lines[i].Text)
		}
		instrs := int64(0)
		for _, n := range c.lengths {
			instrs += n.instrs
		}
		assert.Equal(t, m.stats.warpInstrs, instrs)
	}
	for seed := range uint64(30) {
		if !testsize.Part(int(seed), 3) {
			continue
		}
		k := random.New(100+seed, random.All)
		for i, preset := range []string{"v100", "g80", "gtx280", "gtx480", "tesla2009"} {
			for _, d := range []Divergence{PDOM{}, TF{}, NREC{}} {
				t.Run(fmt.Sprint(seed, preset, d.Name()), func(t *testing.T) {
					b := newBench(t, preset, WithDivergence(d), AsWritten())
					if i%2 == 0 {
						b.gpu.written = false
					}
					in, out := b.put(k.Input), b.put(k.Output())
					lt, c, r := runTimed(t, b, k.Func, k.Grid, k.Block, k.At(in.Addr(), out.Addr()))
					same(t, lt, c, r)
				})
			}
		}
	}
	for _, lc := range launchCases(t) {
		t.Run(lc.name, func(t *testing.T) {
			b := newBench(t, "v100")
			params, _ := lc.setUp(b)
			lt, c, r := runTimed(t, b, lc.f, lc.grid, lc.block, pack(t, params...))
			same(t, lt, c, r)
		})
	}
}
