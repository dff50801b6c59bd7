package simgpu

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/kir/cpu"
)

// custom is a machine that Custom has made known.
type custom struct {
	preset  Preset
	options []Option
	config  *GPU // what they come to
	// replaced is set when the name has come to stand for another machine: the policies of this one are of types that
	// cells have declared again
	replaced *atomic.Bool
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
// A change may set Name; else the name says what base was, and the same changes give the same name. Policies are the
// same that have the same value and the same declaration: where a cell declares its policy's type again, Custom gives
// another machine, and a Name of its own stands for that from then on. Custom panics when there is no such base, when
// Preset.Check has an error, and when the name belongs to a machine that differs in anything else.
func Custom(base string, options ...Option) string {
	p, err := PresetByName(base)
	named := p.Name // what a machine is called that no option gives a name
	if c, ok := customOf(base); ok {
		if len(options) == 0 {
			return "sim:" + c.config.preset.Name
		}
		p, options, err = c.preset, append(append([]Option(nil), c.options...), options...), nil
		named = c.config.preset.Name
	}
	if err != nil {
		panic(err)
	}
	g := configured(p, options)
	if g.preset.Name == named {
		g.preset.Name = p.Name
		h := fnv.New32a()
		type fields Preset // all of them: a Preset's String has less
		p := g.preset
		p.Scheduling = nil                                                                        // it is among the policies
		text := strings.Replace(fmt.Sprintf("%+v", fields(p)), " InstructionBuffer:false", "", 1) // names are older than it
		fmt.Fprintf(h, "%s %s %v %v", text, g.policies.identity(), g.limits == fullLimits, g.written)
		if g.limits != fullLimits && g.limits != usualLimits {
			fmt.Fprint(h, " ", g.limits)
		}
		if g.window != (cyclesOf{}) {
			fmt.Fprint(h, " window ", g.window)
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
	replaced := new(atomic.Bool)
	options = append(append([]Option(nil), options...), Change(func(p *Preset) { p.Name = name }), func(g *GPU) { g.made = replaced })
	if err := cmp.Or(g.preset.Check(), g.policies.combines()); err != nil {
		panic(err)
	}
	customs.Lock()
	defer customs.Unlock()
	old, known := customs.byName[name]
	same := known && old.config.sameConfig(g)
	if _, taken := presets[name]; taken || known && (!same && !old.config.redeclares(g)) {
		panic(fmt.Errorf("simgpu: there is another machine %q; give this one a Name of its own, or none", "sim:"+name))
	}
	if same {
		return "sim:" + name
	}
	if known {
		old.replaced.Store(true)
	}
	if customs.byName == nil {
		customs.byName = map[string]custom{}
	}
	customs.byName[name] = custom{p, options, g, replaced}
	return "sim:" + name
}

// Variants makes a machine known for each of the options, which it adds to the one named base, and returns their names:
// for comparisons. With joins options to one.
//
//	for _, m := range simgpu.Variants("tesla2009", simgpu.WithDivergence(simgpu.PDOM{}), simgpu.WithDivergence(simgpu.MIMD{})) {
//		fmt.Println(m, gpu.Launch(kernel, 64, 192, out, gpu.On(m)).Stats().Cycles)
//	}
func Variants(base string, each ...Option) []string {
	names := make([]string, len(each))
	for i, o := range each {
		names[i] = Custom(base, o)
	}
	return names
}

// With is the options together, in their order.
//
// For example:
//
//	simgpu.Variants("v100", simgpu.With(simgpu.WithSMs(8), simgpu.Full()))
func With(options ...Option) Option {
	return func(g *GPU) {
		for _, o := range options {
			o(g)
		}
	}
}

// sameConfig reports whether g and h are alike.
func (g *GPU) sameConfig(h *GPU) bool {
	return g.sameMachine(h) && g.policies.identity() == h.policies.identity()
}

// sameMachine reports whether g and h are alike but for their policies.
func (g *GPU) sameMachine(h *GPU) bool {
	p, q := g.preset, h.preset
	p.Scheduling, q.Scheduling = nil, nil
	return reflect.DeepEqual(p, q) && g.limits == h.limits && g.written == h.written && g.check == h.check && g.window == h.window && g.arithmetic == h.arithmetic
}

// redeclares reports whether h is g with policies whose types have been declared again.
func (g *GPU) redeclares(h *GPU) bool {
	if !g.sameMachine(h) {
		return false
	}
	p, q := g.policies, h.policies
	for _, pair := range [][2]any{{p.divergence, q.divergence}, {p.issue, q.issue}, {p.order, q.order}, {p.lanes, q.lanes}, {p.co, q.co}, {p.ctas, q.ctas}, {p.picker, q.picker}, {p.loads, q.loads}} {
		if pair[0] == nil || pair[1] == nil {
			if pair[0] != pair[1] {
				return false
			}
			continue
		}
		if s, t := reflect.TypeOf(pair[0]), reflect.TypeOf(pair[1]); s.String() != t.String() || s == t && identity(pair[0]) != identity(pair[1]) {
			return false
		}
	}
	return true
}

// Replaced implements device.Replaceable: the name of a machine of Custom may have come to stand for another.
func (g *GPU) Replaced() bool { return g.made != nil && g.made.Load() }

func customOf(name string) (custom, bool) {
	customs.Lock()
	defer customs.Unlock()
	c, ok := customs.byName[strings.TrimPrefix(name, "sim:")]
	return c, ok
}
