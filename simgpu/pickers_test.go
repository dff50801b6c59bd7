package simgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
)

// again is an issue policy written once more as a Picker.
type again struct {
	name string
	pick func(c []Cand, e *Env) int
}

func (a again) Name() string                       { return a.name }
func (a again) Pick(_ int64, c []Cand, e *Env) int { return a.pick(c, e) }

// GTO written again by what a Picker sees: the warp that issued last while it is ready, else the oldest.
func gtoAgain(c []Cand, e *Env) int {
	if e.Last >= 0 && e.Last < len(c) && c[e.Last].Ready {
		return e.Last
	}
	for i := range c {
		if c[i].Ready {
			return i
		}
	}
	return -1
}

// Built-in policies written again give their times, warp for warp.
func TestPoliciesWrittenAgain(t *testing.T) {
	testsize.InTurn(t, 1)
	run := func(f *kir.Func, o Option) int64 {
		b := newBench(t, "fermivt", o, AsWritten(), WithSMs(2))
		return b.launch(f, kir.D1(24), kir.D1(256), b.alloc(8*24*256), 24*256).Stats.Cycles
	}
	for _, f := range []*kir.Func{triangle(t), branchyOf(t)} {
		for _, c := range []struct {
			of IssuePolicy
			as Picker
		}{
			{GTO{}, again{"gto again", gtoAgain}},
			{Oldest{}, Score("first", func(c Cand) float64 { return -float64(c.Age) })},
			{Barrel{}, Score("longest ready", func(c Cand) float64 { return -float64(c.Since) })},
		} {
			assert.Equal(t, run(f, WithPicker(c.of)), run(f, WithPicker(c.as)), "%s of %s", c.of.Name(), f.Name)
		}
	}
}

func branchyOf(t testing.TB) *kir.Func {
	f := branchy(t, 4, true)
	f.Params = append(f.Params, f.Params[0])
	f.Params[1].Name, f.Params[1].Offset = "n", 8
	return f
}

// What a Picker sees: loads in flight are those of chains, threads at a PC those of all warps there, and why a warp
// waits.
func TestWhatPickersSee(t *testing.T) {
	seen, most, together := map[Wait]int{}, 0, 0
	look := again{"looks", func(c []Cand, _ *Env) int {
		ready := -1
		for i := range c {
			seen[c[i].Wait]++
			most, together = max(most, c[i].LoadsInFlight), max(together, c[i].AtPC)
			if c[i].Ready != (c[i].Wait == WaitsNot) {
				t.Error("ready or not")
			}
			if c[i].Ready {
				ready = i
			}
		}
		return ready
	}}
	b := newBench(t, "fermivt", WithPicker(look), AsWritten(), WithSMs(1))
	b.launch(chains(t, 4), kir.D1(4), kir.D1(64), b.alloc(8*256), b.alloc(8*256))
	assert.Equal(t, 1, most)
	assert.Positive(t, seen[WaitsLong])
	assert.Positive(t, seen[WaitsShort])
	assert.LessOrEqual(t, together, 128, "half of the threads are each scheduler's")
	assert.GreaterOrEqual(t, together, 64)
}

// What a Picker does wrong is an error of the launch, and what cannot be a picker is refused.
func TestErringPickers(t *testing.T) {
	for says, pick := range map[string]func(c []Cand, _ *Env) int{
		"chose number 77 of":      func([]Cand, *Env) int { return 77 },
		"has issued nothing for":  func([]Cand, *Env) int { return -1 },
		"panicked: I do not know": func([]Cand, *Env) int { panic("I do not know") },
	} {
		b := newBench(t, "tiny", WithPicker(again{"mine", pick}), AsWritten())
		k, err := b.gpu.Load(triangle(t))
		require.NoError(t, err)
		b.stream.Launch(k, kir.D1(1), kir.D1(64), 0, pack(t, b.alloc(8*64), 64))
		err = b.stream.Sync(ctx)
		var wrong *PolicyError
		require.ErrorAs(t, err, &wrong)
		assert.Equal(t, "mine", wrong.Policy)
		assert.Contains(t, err.Error(), says)
	}
	for says, options := range map[string][]Option{
		"WithPicker of a simgpu.VT":                               {WithPicker(VT{})},
		"mimd issues in turns":                                    {WithPicker(again{}), WithDivergence(MIMD{})},
		"mimd issues in turns, so that gto has nothing to choose": {WithPicker(GTO{}), WithDivergence(MIMD{})},
		"DWF has a Policy of its own":                             {WithPicker(again{}), WithDivergence(DWF{Policy: DPC})},
	} {
		assert.ErrorContains(t, catch(func() { Custom("tesla2009", options...) }), says)
	}
	assert.Contains(t, New(tesla2009, WithDivergence(DWF{}), WithPicker(again{name: "mine"})).Policies(), "dwf, mine")
}
