package simgpu

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func init() { guardAll = true } // in all tests of this package

// pickOf is an issue policy of somebody else: what it sees are the ready warps.
type pickOf struct {
	pick func(ready []int, last int) int
}

func (pickOf) Name() string                     { return "mine" }
func (p pickOf) Pick(ready []int, last int) int { return p.pick(ready, last) }

// amongOf is one that sees all warps.
type amongOf struct {
	pickOf
	among func(all []Candidate, last int) int
}

func (p amongOf) PickAmong(all []Candidate, last int) int { return p.among(all, last) }

// splitOf is a divergence policy of somebody else, which changes what NREC or PDOM do.
type splitOf struct {
	of      Divergence
	begin   func(lanes Mask) Mask
	group   func(block int, lanes Mask) (int, Mask)
	resolve func(out []Split) []Split
}

func (splitOf) Name() string { return "lossy" }

func (p splitOf) New(lanes Mask, join []int) Split {
	if p.begin != nil {
		lanes = p.begin(lanes)
	}
	return changedSplit{p.of.New(lanes, join), p}
}

type changedSplit struct {
	Split
	by splitOf
}

func (s changedSplit) Group() (int, Mask) {
	b, m := s.Split.Group()
	if s.by.group != nil {
		return s.by.group(b, m)
	}
	return b, m
}

func (s changedSplit) Resolve(arms []Arm) []Split {
	out := s.Split.Resolve(arms)
	if s.by.resolve != nil {
		out = s.by.resolve(out)
	}
	return out
}

// What a policy of somebody else does wrong is an error of the launch, with the policy's name, the cycle and what it
// had to choose from; the machine goes on.
func TestWhatPoliciesDoWrongIsAnErrorOfTheLaunch(t *testing.T) {
	never := func([]Candidate, int) int { return -1 }
	for _, c := range []struct {
		name, says string
		option     Option
	}{
		{"index below", `issue policy "mine" in cycle 1 chose number -1 of 2 ready warps; it had: place 0, warp 0 of block 0, lanes 0-31: ready; place 1`,
			WithIssuePolicy(pickOf{func([]int, int) int { return -1 }})},
		{"index above", `chose number 2 of 2 ready warps`, WithIssuePolicy(pickOf{func(r []int, _ int) int { return len(r) }})},
		{"a panic", `panicked: runtime error: index out of range [7]`, WithIssuePolicy(pickOf{func(r []int, _ int) int { return r[:1][6+len(r)-1] }})},
		{"place above", `chose place 9 of 2`, WithIssuePolicy(amongOf{among: func([]Candidate, int) int { return 9 }})},
		{"one that is not ready", "which is not ready", WithIssuePolicy(amongOf{among: func(all []Candidate, _ int) int {
			for i := range all {
				if !all[i].Ready {
					return i
				}
			}
			return 0
		}})},
		{"never any", `has issued nothing for 100000 cycles in which warps were ready`, WithIssuePolicy(amongOf{among: never})},
		{"its end", "was ended before it had decided", WithIssuePolicy(pickOf{func([]int, int) int { runtime.Goexit(); return 0 }})},
		{"lanes that are lost at first", "threads behind", WithDivergence(splitOf{of: PDOM{}, begin: func(m Mask) Mask { return m &^ 2 }})},
		{"lanes that are lost later", "threads behind", WithDivergence(splitOf{of: NREC{}, resolve: func([]Split) []Split { return nil }})},
		{"no block", `divergence policy "lossy" in cycle 0 sent lanes 0-31 to block 99: the kernel has blocks 0 to`,
			WithDivergence(splitOf{of: PDOM{}, group: func(b int, m Mask) (int, Mask) { return 99, m }})},
		{"another block", "lane 0 is at block 0", WithDivergence(splitOf{of: PDOM{}, group: func(b int, m Mask) (int, Mask) { return 1, m }})},
		{"lanes twice", "are in another group of the warp too",
			WithDivergence(splitOf{of: NREC{}, resolve: func(out []Split) []Split { return append(out, out...) }})},
		{"lanes that are none", "lanes 40 have returned or never were", WithDivergence(splitOf{of: NREC{}, begin: func(m Mask) Mask { return m | 1<<40 }})},
		{"a nil split", "returned a Split that is nil", WithDivergence(splitOf{of: NREC{}, resolve: func([]Split) []Split { return []Split{nil} }})},
		{"a panic of the divergence policy", "panicked: boo", WithDivergence(splitOf{of: NREC{}, resolve: func([]Split) []Split { panic("boo") }})},
		{"a panic at the beginning", "panicked: boo", WithDivergence(splitOf{of: NREC{}, begin: func(Mask) Mask { panic("boo") }})},
		{"a panic of the order", `block order "mine" panicked`, WithBlockOrder(panickingOrder{})},
	} {
		for _, check := range []bool{false, true} {
			options := []Option{c.option, AsWritten(), Change(func(p *Preset) { p.Schedulers, p.MaxBlocksPerSM = 1, 1 })}
			if check {
				options = append(options, Check())
			}
			b := newBench(t, "tiny", options...)
			k, err := b.gpu.Load(triangle(t))
			require.NoError(t, err)
			y := b.alloc(512)
			e := b.stream.Launch(k, kir.D1(1), kir.D1(64), 0, pack(t, y, 64))
			err = e.Wait(t.Context())
			require.ErrorContains(t, err, c.says, c.name)
			var p *PolicyError
			if c.name != "its end" {
				require.ErrorAs(t, err, &p)
				assert.Equal(t, "triangle", p.Kernel)
			}
			require.Error(t, b.stream.Sync(t.Context()), c.name)
			assert.Len(t, b.get(y), 512, "the machine goes on")
		}
	}
}

type panickingOrder struct{}

func (panickingOrder) Name() string    { return "mine" }
func (panickingOrder) Order(int) []int { panic("no order") }

// A replay under a policy that takes its time ends when its caller gives up, and the machine goes on.
func TestAPolicyThatNeverIssuesCanBeInterrupted(t *testing.T) {
	slow := WithIssuePolicy(amongOf{among: func([]Candidate, int) int { time.Sleep(time.Millisecond / 2); return -1 }})
	b := newBench(t, "tiny", slow)
	k, err := b.gpu.Load(triangle(t))
	require.NoError(t, err)
	y := b.alloc(512)
	b.stream.Launch(k, kir.D1(1), kir.D1(64), 0, pack(t, y, 64))
	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, b.stream.Sync(short), context.DeadlineExceeded)
	assert.Len(t, b.get(y), 512)
}

// A policy of somebody else that does as PDOM or NREC does has the same times and counts.
func TestAPolicyOfSomebodyElseIsTimedAsOurs(t *testing.T) {
	testsize.InTurn(t, 1)
	for _, d := range []Divergence{PDOM{}, NREC{}} {
		for _, c := range launchCases(t) {
			run := func(d Divergence) (cycles, warps, threads int64) {
				b := newBench(t, "tiny", WithDivergence(d))
				params, check := c.setUp(b)
				st := b.launch(c.f, c.grid, c.block, params...).Stats
				check()
				return st.Cycles, st.WarpInstructions, st.ThreadInstructions
			}
			a, b, n := run(d)
			x, y, m := run(splitOf{of: d})
			assert.Equal(t, []int64{a, b, n}, []int64{x, y, m}, "%s under %s", c.name, d.Name())
		}
	}
}
