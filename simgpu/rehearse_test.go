package simgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kir"
)

// moody is policies that count how often they are asked, and go by that.
type moody struct{ asked *int }

func (moody) Name() string { return "moody" }

func (m moody) n() int { *m.asked++; return *m.asked * *m.asked / 5 }

func (m moody) Second(_ int64, first int, c []Cand) int {
	for i := range c {
		if k := (i + m.n()) % len(c); c[k].Ready && k != first {
			return k
		}
	}
	return -1
}

type moodyPicker struct{ moody }

func (m moodyPicker) Pick(_ int64, c []Cand, _ *Env) int {
	from := m.n()
	for i := range c {
		if k := (i + from) % len(c); c[k].Ready {
			return k
		}
	}
	return -1
}

// remembers is the same with what it counts where it belongs.
type remembers struct{}

func (remembers) Name() string { return "remembers" }

func (remembers) Pick(now int64, c []Cand, e *Env) int {
	n, _ := e.State.(int)
	e.State = n + 1
	return moodyPicker{moody{&n}}.Pick(now, c, e)
}

type moodyLoads struct{ moody }

func (moodyLoads) Queue() LoadQueue { return LoadQueue{MSHRs: 4, Active: 20} }

func (m moodyLoads) Next(_ int64, waiting []WaitingLoad) int {
	from := m.n()
	for i := range waiting {
		if k := (i + from) % len(waiting); waiting[k].Fits {
			return k
		}
	}
	return -1
}

// A policy that answers otherwise when it is asked the same is an error of the launch, by its name; one that keeps what
// it remembers in Env.State is not.
func TestPoliciesAnswerTheSame(t *testing.T) {
	counter := func() moody { return moody{new(int)} }
	run := func(f *kir.Func, options ...Option) error {
		b := newBench(t, "fermivt", append(options, AsWritten())...)
		k, err := b.gpu.Load(f)
		require.NoError(t, err)
		if f.Name == "apart" {
			b.stream.Launch(k, kir.D1(4), kir.D1(256), 0, pack(t, b.alloc(8*16*3*1024), b.alloc(8*1024)))
		} else {
			b.stream.Launch(k, kir.D1(4), kir.D1(256), 0, pack(t, b.alloc(8*1024), 1024))
		}
		return b.stream.Sync(ctx)
	}
	for kind, o := range map[string]Option{
		issueKind: WithPicker(moodyPicker{counter()}),
		coKind:    With(WithDivergence(TF{}), WithCoIssue(counter())),
	} {
		var wrong *PolicyError
		require.ErrorAs(t, run(triangle(t), o), &wrong, kind)
		assert.Equal(t, [2]string{"moody", kind}, [2]string{wrong.Policy, wrong.Kind})
		assert.Contains(t, wrong.Error(), "does not answer the same when it is asked the same")
	}
	var wrong *PolicyError
	require.ErrorAs(t, run(apartLines(t, 3), WithLoads(moodyLoads{counter()})), &wrong)
	assert.Equal(t, loadKind, wrong.Kind)
	require.NoError(t, run(triangle(t), WithPicker(remembers{})))
}
