package simgpu

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// custom is a machine that Custom has made known.
type custom struct {
	preset  Preset
	options []Option
	config  *GPU // what they come to
}

var customs struct {
	sync.Mutex
	byName map[string]custom
}

// Custom makes a machine known that differs from the one named base, and returns its name, for np.Use:
//
//	np.Use(simgpu.Custom("v100", simgpu.Change(func(p *simgpu.Preset) { p.SMs = 8 })))
//	np.Use(simgpu.Custom("v100", simgpu.Full(), simgpu.WithIssuePolicy(simgpu.LRR{})))
//
// A change may set Name; else the name says what base was, and the same changes give the same name. Custom panics when
// there is no such base, when Preset.Check has an error, and when the name belongs to another machine.
func Custom(base string, options ...Option) string {
	p, err := PresetByName(base)
	if c, ok := customOf(base); ok {
		p, options, err = c.preset, append(append([]Option(nil), c.options...), options...), nil
	}
	if err != nil {
		panic(err)
	}
	g := configured(p, options)
	if g.preset.Name == p.Name {
		h := fnv.New32a()
		type fields Preset // all of them: a Preset's String has less
		fmt.Fprintf(h, "%+v %s %s %s %v %v", fields(g.preset), g.policies.divergence.Name(), g.policies.issue.Name(),
			g.policies.order.Name(), g.limits == fullLimits, g.written)
		if g.limits != fullLimits && g.limits != usualLimits {
			fmt.Fprint(h, " ", g.limits)
		}
		if g.check {
			fmt.Fprint(h, " check")
		}
		if g.arithmetic != cpu.IEEE {
			fmt.Fprint(h, " ", g.arithmetic)
		}
		g.preset.Name = fmt.Sprintf("%s-%08x", p.Name, h.Sum32())
	}
	name := g.preset.Name
	options = append(append([]Option(nil), options...), Change(func(p *Preset) { p.Name = name }))
	if err := g.preset.Check(); err != nil {
		panic(err)
	}
	customs.Lock()
	defer customs.Unlock()
	old, known := customs.byName[name]
	if _, taken := presets[name]; taken || known && !old.config.sameConfig(g) {
		panic(fmt.Errorf("simgpu: there is another machine %q; give this one a Name of its own, or none", "sim:"+name))
	}
	if customs.byName == nil {
		customs.byName = map[string]custom{}
	}
	customs.byName[name] = custom{p, options, g}
	return "sim:" + name
}

// sameConfig reports whether g and h are alike.
func (g *GPU) sameConfig(h *GPU) bool {
	return reflect.DeepEqual(g.preset, h.preset) && g.limits == h.limits && g.written == h.written && g.check == h.check && g.arithmetic == h.arithmetic &&
		g.policies.divergence.Name() == h.policies.divergence.Name() && g.policies.issue.Name() == h.policies.issue.Name() &&
		g.policies.order.Name() == h.policies.order.Name()
}

func customOf(name string) (custom, bool) {
	customs.Lock()
	defer customs.Unlock()
	c, ok := customs.byName[strings.TrimPrefix(name, "sim:")]
	return c, ok
}
