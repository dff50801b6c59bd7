package simgpu

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// watched is a Picker that notes what another picks.
type watched struct {
	of    Picker
	picks *[]pick
}

type pick struct {
	now     int64
	pc      int
	at      Mask
	threads [maxWarp]Thread
}

func (w watched) Name() string { return w.of.Name() }

func (w watched) Pick(now int64, c []Cand, e *Env) int {
	i := w.of.Pick(now, c, e)
	if i >= 0 {
		*w.picks = append(*w.picks, pick{now, c[i].PC, c[i].Lanes, *c[i].Threads})
	}
	return i
}

// simt-microarchitecture.md 2.9 [G]: cycles of the machine in ideal-issue mode, one issue a cycle.
func TestIssueSlotsOfWarpFormation(t *testing.T) {
	want := map[string][5]int64{ // DTime, DPC, DMaj, DMin, DPdPri
		"K1, nested hammock": {15, 13, 15, 21, 15},
		"K2, if and else":    {8, 8, 8, 12, 8},
		"K3, odd and even":   {20, 21, 21, 20, 20},
		"K4, one lane loops": {152, 151, 152, 145, 151},
		"K5, loop and if":    {256, 322, 244, 604, 226},
		"K6, short circuit":  {19, 11, 11, 19, 17},
		"K7, alternation":    {4801, 4801, 4801, 4801, 4801},
		"K7, two warps":      {9602, 7350, 9702, 9602, 9602},
	}
	mapped := map[string]map[LaneShuffle][5]int64{ // 0: not given there
		"K3, odd and even":   {Swizzle: {12, 12, 12, 20, 12}},
		"K4, one lane loops": {Swizzle: {92, 95, 92, 132, 91}, Xor: {0, 53, 46, 0, 0}},
		"K7, two warps":      {Swizzle: {5002, 5002, 5002, 9602, 5002}},
	}
	check := func(c golden, p PoolPolicy, l LaneShuffle, want int64) {
		if want == 0 {
			return
		}
		m := c.f.machineOf(policies{divergence: DWF{Policy: p}, issue: LRR{}, order: InOrder{}, lanes: l}, 1)
		_, err := m.run(ctx)
		require.NoError(t, err)
		all, _ := c.f.work()
		assert.EqualValues(t, all, m.stats.threadInstrs)
		assert.Equal(t, want, m.sms[0].lastIssue, "%s, %s, %s", c.name, p.Name(), l.Name())
	}
	for _, c := range goldens() {
		for p := range want[c.name] {
			check(c, PoolPolicy(p), Identity, want[c.name][p])
			for l, cycles := range mapped[c.name] {
				check(c, PoolPolicy(p), l, cycles[p])
			}
		}
	}
}

// The same section's trace of K1 under DPC, whose lane 0 is on the left: "A A F1101 B1111 B0010 D0111 C1010 E1111 E0010
// G G a a"; 42 of 52 lanes issue, where PDOM has 42 of 64.
func TestWarpFormationStepByStep(t *testing.T) {
	var picks []pick
	m := nestedHammock(2).machineOf(policies{divergence: DWF{Policy: watched{DPC, &picks}}, issue: LRR{}, order: InOrder{}}, 1)
	_, err := m.run(ctx)
	require.NoError(t, err)
	var got []string
	for _, p := range picks {
		text := ""
		for l := range 4 {
			text += fmt.Sprint(p.at >> uint(l) & 1)
		}
		got = append(got, "AFBDCEGa"[p.pc:p.pc+1]+strings.TrimSuffix(text, "1111"))
	}
	assert.Equal(t, "A A F1101 B B0010 D0111 C1010 E E0010 G G a a", strings.Join(got, " "))
	assert.EqualValues(t, 42, m.stats.threadInstrs)
	assert.EqualValues(t, 13, m.stats.warpInstrs)
}

// The same section's starvation test: 8 warps of 8 go 10 times round a loop in which few threads take a detour, once;
// an instruction takes 4 cycles. Figures are cycles to the end of the last instruction.
func TestMajorityStarves(t *testing.T) {
	for p, want := range map[PoolPolicy]int64{DTime: 1023, DPC: 827, DMaj: 1213, DMin: 843, DPdPri: 836} {
		f := starving()
		var picks []pick
		m := f.machineOf(policies{divergence: DWF{Policy: watched{p, &picks}}, issue: LRR{}, order: InOrder{}}, 4)
		_, err := m.run(ctx)
		require.NoError(t, err)
		cycles := m.sms[0].lastIssue + 4
		assert.Equal(t, want, cycles, p.Name())
		gap := 0
		var done [64]int
		for _, p := range picks {
			for rest := p.at; rest != 0; rest &= rest - 1 {
				done[p.threads[rest.first()]]++
			}
			gap = max(gap, slices.Max(done[:])-slices.Min(done[:]))
		}
		switch p {
		case DMaj:
			assert.EqualValues(t, 298, cycles-int64(len(picks)), "cycles in which nothing issues")
			assert.Equal(t, 96, gap, "instructions that one thread is before another")
		case DPdPri:
			assert.Equal(t, 3, gap)
		}
	}
}

// A table of lanes has each thread once, where the map puts it; the inverse of the map, row by row.
func TestLaneTables(t *testing.T) {
	assert.Equal(t, [][]int{{0, 1, 2, 3}, {2, 3, 0, 1}, {1, 0, 3, 2}, {3, 2, 1, 0}}, LaneTable(XorRev, 4, 4), "each of these is its own inverse")
	assert.ErrorContains(t, catch(func() { LaneTable(greedy{}, 4, 2) }), "puts thread 1 of warp 0 in lane 3 of 4")
}

// Lanes of 4 threads in 4 warps: the same file's table of 2.7.
func TestLaneMaps(t *testing.T) {
	for l, want := range map[LaneShuffle]string{
		Identity: "0123 0123 0123 0123", MirrorOdd: "0123 3210 0123 3210", MirrorHalf: "0123 0123 3210 3210",
		Xor: "0123 1032 2301 3210", XorRev: "0123 2301 1032 3210", Swizzle: "0123 1032 0123 1032",
	} {
		var got []string
		for w := range 4 {
			text := ""
			for x := range 4 {
				text += fmt.Sprint(l.Lane(x, w, 4, 4))
			}
			got = append(got, text)
		}
		assert.Equal(t, want, strings.Join(got, " "), l.Name())
	}
	var first []int
	for w := range 8 {
		first = append(first, XorRev.Lane(0, w, 64, 16))
	}
	assert.Equal(t, []int{0, 32, 16, 48, 8, 40, 24, 56}, first)
	for l := Identity; l <= Swizzle; l++ {
		for n := 8; n <= 64; n *= 2 {
			for w := range 80 {
				var seen []int
				for x := range n {
					seen = append(seen, l.Lane(x, w, n, 48))
				}
				slices.Sort(seen)
				for i, x := range seen {
					require.Equal(t, i, x, "%s of warp %d with %d lanes", l.Name(), w, n)
				}
			}
		}
	}
}
