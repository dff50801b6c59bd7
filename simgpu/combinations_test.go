package simgpu

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir/random"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// fewest is a Picker as a reader writes one.
type fewest struct{}

func (fewest) Name() string { return "fewest lanes" }

func (fewest) Pick(_ int64, c []Cand, _ *Env) int {
	best := -1
	for i := range c {
		if c[i].Ready && (best < 0 || c[i].Width < c[best].Width) {
			best = i
		}
	}
	return best
}

// combination is a machine of one policy of each kind.
type combination struct {
	divergence Divergence
	co         CoIssue
	ctas       CTAPolicy
	picker     Named // nil: the machine's own
	loads      LoadOrder
	lanes      LaneMap
}

func (c combination) options() []Option {
	o := []Option{WithDivergence(c.divergence), WithLanes(c.lanes), AsWritten(), WithSMs(1), Change(func(p *Preset) { p.MaxBlocksPerSM = 1 })}
	if c.co != nil {
		o = append(o, WithCoIssue(c.co))
	}
	if c.ctas != nil {
		o = append(o, WithCTAs(c.ctas))
	}
	if c.picker != nil {
		o = append(o, WithPicker(c.picker))
	}
	if c.loads != nil {
		o = append(o, WithLoads(c.loads))
	}
	return o
}

// refused is the table of allowed combinations: what the error may say where the machine is refused, else nothing.
func (c combination) refused() (why []string) {
	kind := strings.TrimSuffix(strings.Fields(c.divergence.Name())[0], ",")
	warps, own := kind == "pdom" || kind == "tf", kind == "dwf" || kind == "mimd" // warps stay; the policy chooses
	_, vt := c.ctas.(VT)
	picker := c.picker == Named(fewest{})
	free := c.divergence == Divergence(DWF{RegFile: Crossbar, Pool: 3}) // it has no policy of its own, and takes a Picker
	for _, r := range []struct {
		is   bool
		says string
	}{
		{own && c.picker != nil && !(kind == "mimd" && c.picker == Named(LRR{})) && !(free && picker), "choose"},
		{c.divergence == Divergence(DWF{Heap: true}) && picker, "the heap finds DMaj's PC"},
		{vt && !warps, "swaps blocks under PDOM or TF, not under " + kind},
		{vt && c.co != nil, "looks for a second warp by its number"},
		{c.co != nil && (kind == "nrec" || own), "issues beside the warps of TF or PDOM, not under " + kind},
		{c.loads != nil && (kind == "sbi" || own), "loads wait under PDOM, TF, NREC or a policy of your own"},
	} {
		if r.is {
			why = append(why, r.says)
		}
	}
	return why
}

// combinations is one of each divergence policy, co-issue policy, block policy, picker, load order and lane map, in all
// combinations.
func combinations() (all []combination) {
	divergences := []Divergence{PDOM{}, NREC{}, TF{}, MIMD{}, SBI{}, SBI{Constraints: true}, DWF{Heap: true}, DWF{RegFile: Crossbar, Pool: 3}}
	for _, p := range []PoolPolicy{DTime, DPC, DMin, DPdPri} {
		divergences = append(divergences, DWF{Policy: p})
	}
	for _, d := range divergences {
		for _, co := range []CoIssue{nil, SWI{}, SWI{Sets: 4}} {
			for _, ctas := range []CTAPolicy{nil, VT{}, MaxTLP{}} {
				for _, pick := range []Named{nil, LRR{}, TwoLevel{2}, Oldest{}, fewest{}} {
					for _, loads := range []LoadOrder{nil, FIFO{MSHRs: 2}, Mascar{MSHRs: 2, Entries: 3}, ActiveFirst{MSHRs: 3, Entries: 4}} {
						for lanes := Identity; lanes <= Swizzle; lanes++ {
							all = append(all, combination{d, co, ctas, pick, loads, lanes})
						}
					}
				}
			}
		}
	}
	return all
}

// Whatever policies meet, a random kernel leaves what the engine leaves, each thread executes its way (all policies are
// watched in these tests: each live thread is in one place, lanes of groups are apart), what is counted adds up, two
// instructions of a slot have lanes or units of their own, no more blocks are active than have slots, and a machine
// that runs twice reports the same. What is not allowed is refused with the reason. A short test has a third of the
// combinations, each turn another.
func TestEveryCombinationOfPolicies(t *testing.T) {
	type outside struct {
		k    *random.Kernel
		want []byte
	}
	kernels := map[int]outside{}
	seeds := []uint64{}
	for seed := range testsize.Seeds("simgpu.TestEveryCombinationOfPolicies") {
		seeds = append(seeds, seed)
	}
	refused, ran, swaps, beside := 0, 0, int64(0), 0
	for i, c := range combinations() {
		if why := c.refused(); why != nil {
			refused++
			if testsize.Part(i, 3) {
				err := catch(func() { Custom("fermivt", c.options()...) })
				require.Error(t, err, "%+v", c)
				require.True(t, slices.ContainsFunc(why, func(s string) bool { return strings.Contains(err.Error(), s) }), "%v\n%q, %+v", err, why, c)
			}
			continue
		}
		if !testsize.Part(i/5+i, 3) {
			continue
		}
		ran++
		n := ran % len(seeds)
		if _, is := kernels[n]; !is {
			k := random.New(seeds[n], random.All)
			want, err := random.Engine(1).Run(k, k.Func)
			require.NoError(t, err)
			kernels[n] = outside{k, want}
		}
		of := kernels[n]
		require.NoError(t, catch(func() { Custom("fermivt", c.options()...) }), "%+v", c)
		launch := func(more ...Option) *trace.KernelStats {
			b := newBench(t, "fermivt", append(c.options(), more...)...)
			in, out := b.put(of.k.Input), b.put(of.k.Output())
			loaded, err := b.gpu.Load(of.k.Func)
			require.NoError(t, err)
			e := b.stream.Launch(loaded, of.k.Grid, of.k.Block, 0, of.k.At(in.Addr(), out.Addr()))
			require.True(t, of.k.Same(b.get(out), of.want), "seed %d, %+v: other memory than the engine leaves", seeds[n], c)
			return e.Trace().Stats
		}
		st := launch(Window(0, 1<<14))
		says := fmt.Sprintf("seed %d, %+v", seeds[n], c)
		classes := int64(0)
		for _, slots := range [][]int64{st.Issued[:], st.Stalls[:]} {
			for _, n := range slots {
				classes += n
			}
		}
		require.Equal(t, st.Cycles*int64(st.Schedulers*st.SMs), classes, says)
		slots := int64(st.SMs * st.Schedulers * st.WarpSize)
		if w := (policies{divergence: c.divergence, co: c.co}); w.pairs() {
			slots *= 2
		}
		require.GreaterOrEqual(t, st.Cycles*slots, st.ThreadInstructions, says)
		w := st.Detail.Window
		require.NotNil(t, w, says)
		require.LessOrEqual(t, w.Active, w.Resident, says)
		for _, s := range w.Slots {
			if s.Beside.Lanes != 0 {
				beside++
				require.True(t, s.Lanes&s.Beside.Lanes == 0 || s.Unit != s.Beside.Unit, "%s: cycle %d, lanes %b beside %b", says, s.Cycle, s.Lanes, s.Beside.Lanes)
			}
		}
		swaps += st.Swaps
		if ran%8 == 0 {
			again := launch(Window(0, 1<<14))
			require.Equal(t, st, again, says)
		}
	}
	t.Logf("%d combinations ran, %d are refused; %d swaps, %d slots of two instructions", ran, refused, swaps, beside)
	assert.Positive(t, swaps)
	assert.Positive(t, beside)
}
