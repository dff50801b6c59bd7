package simgpu

import (
	"strings"
	"testing"
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
			t.Run(name+"/"+c.name, func(t *testing.T) {
				b := newBench(t, name)
				params, check := c.setUp(b)
				checkStats(t, b.launch(c.f, c.grid, c.block, params...))
				check()
			})
		}
	}
}
