package simgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// simt-microarchitecture.md 2.9 [G], with the correction of K1 in errata.md: cycles of the machine in ideal-issue mode,
// on thread frontiers, the warp that issued least recently first, with lanes as they come, by Xor and by XorRev.
func TestIssueSlotsOfWarpInterweaving(t *testing.T) {
	want := map[string][3]int64{
		"K1, nested hammock": {13, 13, 15},
		"K2, if and else":    {8, 11, 11},
		"K3, odd and even":   {19, 12, 19},
		"K4, one lane loops": {144, 88, 88},
		"K5, loop and if":    {264, 293, 279},
		"K6, short circuit":  {11, 11, 11},
		"K7, alternation":    {4801, 4801, 4801},
		"K7, two warps":      {7555, 5002, 7555},
	}
	cycles := func(f *flow, l LaneShuffle, sets int) int64 {
		m := f.machineOf(policies{divergence: TF{}, issue: Barrel{}, order: InOrder{}, lanes: l, co: SWI{Sets: sets}}, 1)
		_, err := m.run(ctx)
		require.NoError(t, err)
		all, _ := f.work()
		assert.EqualValues(t, all, m.stats.threadInstrs)
		return m.sms[0].lastIssue
	}
	for _, c := range goldens() {
		if w, ok := want[c.name]; ok {
			assert.Equal(t, w, [3]int64{cycles(c.f, Identity, 1), cycles(c.f, Xor, 1), cycles(c.f, XorRev, 1)}, c.name)
		}
		if c.name == "K2, if and else" {
			same := *c.f
			same.paths = append(same.paths[:4:4], same.paths[:4]...)
			assert.Equal(t, [3]int64{11, 8, 8}, [3]int64{cycles(&same, Identity, 1), cycles(&same, Xor, 1), cycles(&same, XorRev, 1)}, "one mask in both warps")
		}
		if c.name == "K4, one lane loops" { // fewer to choose from are not faster
			assert.LessOrEqual(t, cycles(c.f, Xor, 1), cycles(c.f, Xor, 8))
		}
	}
}

// greedy is a CoIssue and a LaneMap that do what no policy may.
type greedy struct{}

func (greedy) Name() string { return "greedy" }

func (greedy) Second(_ int64, first int, c []Cand) int { return first }

func (greedy) Lane(_, _, _, _ int) int { return 3 }

type failing struct{ greedy }

func (failing) Second(int64, int, []Cand) int { panic("never") }

// What policies for several warps do wrong is an error of the launch with their names.
func TestErringPoliciesOfSeveralWarps(t *testing.T) {
	f := triangle(t)
	for _, c := range []struct {
		options []Option
		kind    string
		says    string
	}{
		{[]Option{WithCoIssue(greedy{})}, coKind, `the co-issue policy "greedy" in cycle`},
		{[]Option{WithCoIssue(failing{})}, coKind, "panicked: never"},
		{[]Option{WithCoIssue(SWI{}), WithLanes(greedy{})}, lanesKind, "put thread 1 of warp 0 in lane 3, which another thread has or which does not exist"},
		{[]Option{WithDivergence(DWF{}), WithLanes(greedy{})}, lanesKind, `the lane map "greedy"`},
	} {
		b := newBench(t, "fermisbi", append(c.options, AsWritten())...)
		k, err := b.gpu.Load(f)
		require.NoError(t, err)
		b.stream.Launch(k, kir.D1(1), kir.D1(512), 0, pack(t, b.alloc(8*512), 512))
		err = b.stream.Sync(ctx)
		var wrong *PolicyError
		require.ErrorAs(t, err, &wrong)
		assert.Equal(t, c.kind, wrong.Kind)
		assert.Contains(t, err.Error(), c.says)
	}
}

// What cannot be combined is refused where the machine is made, with the reason.
func TestPoliciesThatDoNotCombine(t *testing.T) {
	for says, options := range map[string][]Option{
		"not under dwf, dmaj, whose groups are of several warps": {WithDivergence(DWF{}), WithCoIssue(SWI{})},
		"not under mimd, whose groups share each slot":           {WithDivergence(MIMD{}), WithCoIssue(SWI{})},
		"not under nrec": {WithDivergence(NREC{}), WithCoIssue(SWI{})},
		"vt swaps blocks under PDOM or TF, not under dwf": {WithDivergence(DWF{}), WithCTAs(VT{})},
		"whose tables are of the hardware's warps":        {WithDivergence(SBI{}), WithCTAs(VT{})},
		"beside which swi looks for a second warp":        {WithDivergence(TF{}), WithCoIssue(SWI{}), WithCTAs(VT{})},
		"SWI with 3 sets: the number is a power of two":   {WithDivergence(TF{}), WithCoIssue(SWI{Sets: 3})},
		"DWF with a pool of -1 warps":                     {WithDivergence(DWF{Pool: -1})},
		"VT with a port of -1 bits and stacks of 0":       {WithCTAs(VT{PortBits: -1})},
		"there are DTime, DPC, DMaj, DMin and DPdPri":     {WithDivergence(DWF{Policy: PoolPolicy(9)})},
		"there are Identity, MirrorOdd, MirrorHalf, Xor,": {WithLanes(LaneShuffle(9))},
	} {
		err := catch(func() { Custom("tesla2009", options...) })
		require.Error(t, err, says)
		assert.Contains(t, err.Error(), says)
		assert.Error(t, catch(func() { New(tesla2009, options...) }))
	}
}

// catch returns the error that f panics with.
func catch(f func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	f()
	return nil
}

// A recording takes less than 24 bytes for each warp instruction.
func TestRecordingsAreSmall(t *testing.T) {
	for _, c := range launchCases(t) {
		b := newBench(t, "v100")
		params, _ := c.setUp(b)
		packed := pack(t, params...)
		instrs := b.launch(c.f, c.grid, c.block, params...).Stats.WarpInstructions
		r, err := cpu.NewRecording(c.f, cpu.Launch{Grid: c.grid, Block: c.block, Params: packed, Memory: b.gpu.memory}, 1<<30)
		require.NoError(t, err)
		k, err := b.gpu.Load(c.f)
		require.NoError(t, err)
		tape, err := r.Tape(ctx, k.(*kernel).program)
		require.NoError(t, err)
		assert.Less(t, float64(tape.Bytes())/float64(instrs), 24.0, c.name)
	}
}
