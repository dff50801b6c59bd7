package simgpu

import (
	"slices"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCustomIsANameThatOpens(t *testing.T) {
	half := Change(func(p *Preset) { p.SMs = 40 })
	name := Custom("sim:v100", half, WithIssuePolicy(LRR{}))
	if again := Custom("v100", half, WithIssuePolicy(LRR{})); again != name || !strings.HasPrefix(name, "sim:v100-") {
		t.Errorf("the same changes give %s and %s", name, again)
	}
	if other := Custom("v100", half); other == name {
		t.Errorf("another scheduler is %s too", other)
	}
	d, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if d.ID() != name+"#0" || d.Properties().SMs != 40 || d.(*GPU).policies.issue.Name() != "lrr" {
		t.Errorf("%s opens %s with %d SMs", name, d.ID(), d.Properties().SMs)
	}
	if p, _ := PresetByName("v100"); p.SMs != 80 {
		t.Errorf("v100 has %d SMs now", p.SMs)
	}
	named := Custom(name, Change(func(p *Preset) { p.Name, p.L2Bytes = "mine", 0 })) // on top of another
	e, err := Open("sim:mine")
	if err != nil || named != "sim:mine" {
		t.Fatal(named, err)
	}
	defer e.Close()
	if p := e.(*GPU).Preset(); p.SMs != 40 || p.L2Bytes != 0 {
		t.Errorf("%d SMs, L2 of %d bytes", p.SMs, p.L2Bytes)
	}
}

func TestCustomRefuses(t *testing.T) {
	for _, c := range []struct {
		says string
		do   func()
	}{
		{"no simulated GPU \"v101\"", func() { Custom("v101") }},
		{"SMs is 0, must be 1 to 1024", func() { Custom("v100", Change(func(p *Preset) { p.SMs = 0 })) }},
		{"another machine \"sim:tiny\"", func() { Custom("v100", Change(func(p *Preset) { p.Name = "tiny" })) }},
		{"another machine \"sim:taken\"", func() {
			Custom("v100", Change(func(p *Preset) { p.Name = "taken" }))
			Custom("a100", Change(func(p *Preset) { p.Name = "taken" }))
		}},
	} {
		func() {
			defer func() {
				if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), c.says) {
					t.Errorf("%v, want %q", err, c.says)
				}
			}()
			c.do()
		}()
	}
}

// Every machine runs every kernel, exactly, and its counts add up.
func TestEveryPresetRuns(t *testing.T) {
	for _, name := range Names() {
		for _, c := range launchCases(t) {
			if p, err := PresetByName(name); err == nil && p.SharedPerBlock == 0 && len(c.f.Shared) > 0 {
				continue // fragment programs have none
			}
			t.Run(name+"/"+c.name, func(t *testing.T) {
				b := newBench(t, name)
				params, check := c.setUp(b)
				checkStats(t, b.launch(c.f, c.grid, c.block, params...))
				check()
			})
		}
	}
}

// lessor has a value, and functions with a name of their own each.
type lessor struct{ K int }

func (lessor) Name() string           { return "less" }
func (lessor) Pick([]int, int) int    { return 0 }
func (lessor) Order(blocks int) []int { return nil }

// againLessor returns a policy whose type is declared again under the same name.
func againLessor() IssuePolicy {
	type lessor struct {
		K int
		GTO
	}
	return lessor{K: 1}
}

// A machine is known by the values of its policies and by their declarations, not by what they call themselves.
func TestCustomKnowsPoliciesByValueAndDeclaration(t *testing.T) {
	name := func(o ...Option) string { return Custom("tiny", o...) }
	one, sixteen := name(WithIssuePolicy(TwoLevel{Group: 1})), name(WithIssuePolicy(TwoLevel{Group: 16}))
	assert.NotEqual(t, one, sixteen)
	assert.Equal(t, one, name(WithIssuePolicy(TwoLevel{Group: 1})))
	a, b := name(WithIssuePolicy(lessor{1})), name(WithIssuePolicy(lessor{2}))
	assert.NotEqual(t, a, b)
	assert.Equal(t, a, name(WithIssuePolicy(lessor{1})))
	p, q := &TwoLevel{Group: 3}, &TwoLevel{Group: 4}
	assert.NotEqual(t, name(WithIssuePolicy(p)), name(WithIssuePolicy(q)))
	assert.Equal(t, name(WithIssuePolicy(p)), name(WithIssuePolicy(p)))
	f := pickOf{func([]int, int) int { return 0 }}
	assert.NotEqual(t, name(WithIssuePolicy(f)), name(WithIssuePolicy(pickOf{func([]int, int) int { return 1 }})))
	assert.Equal(t, name(WithBlockOrder(orderOf{1, 0})), name(WithBlockOrder(orderOf{1, 0})))
	assert.NotEqual(t, name(WithBlockOrder(orderOf{1, 0})), name(WithBlockOrder(orderOf{0, 1})))

	cycles := func(name string) int64 {
		d, err := Open(name)
		require.NoError(t, err)
		defer d.Close()
		s, err := d.NewStream(0)
		require.NoError(t, err)
		x := &bench{t, d.(*GPU), s}
		return x.launch(triangle(t), kir.D1(32), kir.D1(256), x.alloc(8*32*256), 32*256).Stats.Cycles
	}
	assert.NotEqual(t, cycles(one), cycles(sixteen))
}

// A Name of its own stands for what the policy's type is now; who has the old machine goes on with it.
func TestANameOfItsOwnFollowsADeclaration(t *testing.T) {
	mine := Change(func(p *Preset) { p.Name = "declared" })
	machines := new(Machines)
	old := Custom("tiny", mine, WithIssuePolicy(lessor{1}))
	before, err := machines.Open(old)
	require.NoError(t, err)
	defer before.Close()
	require.Equal(t, old, Custom("tiny", mine, WithIssuePolicy(lessor{1})), "the same again")
	same, err := machines.Open(old)
	require.NoError(t, err)
	require.Same(t, before, same)

	assert.Panics(t, func() { Custom("tiny", mine, WithIssuePolicy(lessor{2})) }, "another value is another machine")
	require.Equal(t, old, Custom("tiny", mine, WithIssuePolicy(againLessor())))
	after, err := machines.Open(old)
	require.NoError(t, err)
	defer after.Close()
	assert.NotSame(t, before, after)
	assert.Equal(t, "gto", after.(*GPU).policies.issue.Name())
	assert.Equal(t, "less", before.(*GPU).policies.issue.Name())
}

// A change of the preset's scheduling is one of the machine's.
func TestSchedulingCanBeChanged(t *testing.T) {
	p, _ := PresetByName("tiny")
	g := configured(p, []Option{Change(func(p *Preset) { p.Scheduling = LRR{} })})
	assert.Equal(t, "lrr", g.policies.issue.Name())
	g = configured(p, []Option{WithIssuePolicy(Oldest{}), Change(func(p *Preset) { p.Scheduling = LRR{} }), WithDivergence(nil), WithBlockOrder(nil)})
	assert.Equal(t, "oldest", g.policies.issue.Name())
	assert.Equal(t, PDOM{}, g.policies.divergence)
}

func TestVariantsAreMachinesOfTheirOwn(t *testing.T) {
	both := With(WithDivergence(NREC{}), WithIssuePolicy(LRR{}))
	names := Variants("tiny", WithDivergence(PDOM{}), WithDivergence(NREC{}), both)
	assert.Equal(t, []string{Custom("tiny", WithDivergence(PDOM{})), Custom("tiny", WithDivergence(NREC{})), Custom("tiny", WithIssuePolicy(LRR{}), WithDivergence(NREC{}))}, names)
	assert.Len(t, slices.Compact(slices.Sorted(slices.Values(names))), 3)
}

// A machine of Custom is a base as any other: what is made of it has names of its own, and without a change its name.
func TestVariantsOfACustomMachine(t *testing.T) {
	for _, base := range []string{
		Custom("fermisbi", WithSMs(3)),
		Custom("fermisbi", WithSMs(3), Change(func(p *Preset) { p.Name = "three" })),
	} {
		names := Variants(base, WithDivergence(TF{}), WithDivergence(NREC{}))
		assert.NotEqual(t, names[0], names[1])
		assert.NotContains(t, names, base)
		g, err := Open(names[0])
		require.NoError(t, err)
		assert.Equal(t, 3, g.Properties().SMs)
		require.NoError(t, g.Close())
		assert.Equal(t, names[0], Custom(base, WithDivergence(TF{})))
		assert.Equal(t, base, Custom(base))
	}
}
