package brook

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Cost is the paper's model of when a GPU wins: seconds for an element on the CPU and on the GPU, for the copies of it
// to the GPU and back, and for issuing a call.
type Cost struct {
	CPU, GPU, Transfer, Issue float64
	Modelled                  bool // of a simulated GPU, and not measured
	Device                    string

	perByte float64 // of what is copied
}

// Speedup is s, how many times as fast as the CPU the GPU computes.
func (c Cost) Speedup() float64 { return c.CPU / c.GPU }

// Intensity is γ, the time of computing an element on the GPU by that of copying it; infinite where nothing is copied.
func (c Cost) Intensity() float64 { return c.GPU / c.Transfer }

// Needed is the intensity above which the GPU wins, 1/(s-1); infinite where it is not faster than the CPU.
func (c Cost) Needed() float64 {
	if s := c.Speedup(); s > 1 {
		return 1 / (s - 1)
	}
	return math.Inf(1)
}

// Wins reports whether copying to the GPU, computing there and copying back takes less than computing on the CPU.
func (c Cost) Wins() bool { return c.Transfer+c.GPU < c.CPU }

// WinsAsync is [Cost.Wins] where copies of some elements go while others are computed: the longer of both counts.
func (c Cost) WinsAsync() bool { return max(c.Transfer, c.GPU) < c.CPU }

// Knee is n*, the number of elements from which computing takes longer than issuing the call.
func (c Cost) Knee() float64 { return c.Issue / c.GPU }

// Time is how long calls of n elements take on the GPU, back to back and with all data there: the longer of issuing
// and computing.
func (c Cost) Time(n int) float64 { return max(c.Issue, float64(n)*c.GPU) }

// Advice is what [Advise] has found for a kernel and a number of elements.
type Advice struct {
	Kernel string
	N      int
	Cost
}

// String is the advice in a sentence, and the figures that it follows from.
func (a *Advice) String() string {
	var b strings.Builder
	where := "stay on the CPU"
	switch {
	case float64(a.N)*a.Cost.CPU <= a.Time(a.N):
	case a.Wins():
		where = "go to " + a.Device
	case a.WinsAsync():
		where = "go to " + a.Device + " if copies overlap with computing"
	case a.Speedup() > 1:
		where = "stay on the CPU, unless the data is on " + a.Device + " already"
	}
	fmt.Fprintf(&b, "%s: %s of %d elements: s = %.3g, γ = %.3g, which must be above %.3g", where, a.Kernel, a.N, a.Speedup(), a.Intensity(), a.Needed())
	fmt.Fprintf(&b, "\n  an element takes %.3g ns on the CPU, measured; %.3g ns on %s, %s, and its copies %.3g ns; a call takes %.3g µs to issue: %.0f elements",
		a.Cost.CPU*1e9, a.GPU*1e9, a.Device, a.how(), a.Transfer*1e9, a.Issue*1e6, a.Knee())
	return b.String()
}

// how says where the device's times come from.
func (a *Advice) how() string {
	if a.Modelled {
		return "modelled"
	}
	return "measured"
}

// Advise says whether a kernel with these arguments belongs on the CPU or on the device that an [On] among them names,
// else on the one that np.Use has chosen, or on sim:v100 where that is the CPU: it runs the kernel on both, copies of
// all elements included, and compares what the paper's model makes of the times. A simulated GPU's times are those of
// its model. A single int in the place of the arguments is a number of elements: each parameter gets a stream of as
// many zeros.
//
// For example:
//
//	brook.Advise(saxpy, 1<<20)
//	brook.Advise(saxpy, 2, X, Y, brook.On("sim:h200"))
func Advise(f any, args ...any) *Advice { return (*Settings)(nil).Advise(f, args...) }

// compared is the device that is compared with the CPU where nobody names one.
const compared = "sim:v100"

// automatic is the name by which [On] leaves the device to the cost model.
const automatic = "auto"

// compared is the device that the CPU is compared with.
func (s *Settings) compared() string {
	device := s.on
	if device == "" || device == automatic {
		device, _, _ = strings.Cut(np.Device(), "#") // of several the first
	}
	if device == "host" || device == reference {
		return compared
	}
	return device
}

// Advise is the function [Advise] with the settings.
func (s *Settings) Advise(f any, args ...any) *Advice {
	const op = "brook.Advise"
	s, args = s.with(args)
	if len(args) == 1 {
		if n, ok := args[0].(int); ok {
			args = ofZeros(op, f, n)
		}
	}
	c := newCall(op, s, f, args)
	if on := c.settings.on; on == "host" || on == reference {
		check(op, fmt.Errorf("brook.On(%q) is the CPU, which the device is compared with: name another, as sim:v100", on))
	}
	device := c.settings.compared()
	c.domain = domain(op, c.settings, c.args)
	n := c.elements()
	if n == 0 {
		c.fail("there are no elements to compute")
	}
	return &Advice{Kernel: c.s.Name, N: n, Cost: c.measured(device)}
}

// measured runs the kernel on the CPU and on the device, and keeps what it takes.
func (c *call) measured(device string) Cost {
	size := c.elements()
	again := *c
	again.args = nil
	var in []*np.Array
	for _, a := range c.args {
		if a.stream != nil { // copies that no device has yet
			one := *a
			one.stream = a.stream.each(c.op, func(x *np.Array) *np.Array { return np.FromArray(x.Array().Copy()) })
			in = append(in, one.stream.columns...)
			a = &one
		}
		again.args = append(again.args, a)
	}
	cost := measure(size, in, device, func(on string) []*np.Array {
		with := *c.settings
		with.on = on
		one := again
		one.settings = &with
		return one.launched(size)
	})
	costsOf(c.s).put(device, cost)
	return cost
}

// measure runs something on the CPU, twice, since the first time it is compiled, and on a device that has none of its
// inputs.
func measure(n int, in []*np.Array, device string, run func(on string) []*np.Array) Cost {
	took := func(log *trace.Log, kind trace.Kind) (t trace.Time) {
		for _, e := range log.Events() {
			if e.Kind == kind {
				t += e.Duration()
			}
		}
		return t
	}
	var results int64
	once := func(on string) *trace.Log {
		out := run(on)
		np.Eval(out...)
		log := trace.Last()
		for _, x := range out {
			x.Array()
		}
		results = bytesOf(out)
		return log
	}
	once("host")
	host := once("host")
	there := once(device)
	cost := Cost{Device: device, CPU: took(host, trace.Kernel).Seconds() / float64(n), GPU: took(there, trace.Kernel).Seconds() / float64(n)}
	if bytes := bytesOf(in); bytes > 0 { // back as fast as there
		cost.perByte = took(there, trace.CopyIn).Seconds() / float64(bytes)
		cost.Transfer = cost.perByte * float64(bytes+results) / float64(n)
	}
	cost.Issue, cost.Modelled = issue(there)
	return cost
}

// costs are what kernels of a function take, by device: what the runtime keeps.
type costs struct {
	sync.Mutex
	of map[string]Cost
}

func costsOf(s *gosrc.Streaming) *costs {
	type key struct{}
	return s.Keep(key{}, func() any { return &costs{of: map[string]Cost{}} }).(*costs)
}

func (k *costs) put(device string, c Cost) {
	k.Lock()
	defer k.Unlock()
	k.of[device] = c
}

func (k *costs) get(device string) (Cost, bool) {
	k.Lock()
	defer k.Unlock()
	c, ok := k.of[device]
	return c, ok
}

// model is what chooses the device of the call's launches, of which there are so many; nil where it is chosen.
func (s *Settings) model(c *call, launches int) *kernelcall.Model {
	if s.on != automatic {
		return nil
	}
	cost, ok := costsOf(c.s).get(s.compared())
	if !ok {
		cost = c.measured(s.compared())
	}
	return cost.model(c.elements(), launches)
}

func (c Cost) model(elements, launches int) *kernelcall.Model {
	return &kernelcall.Model{Elements: elements, CPU: c.CPU / float64(launches), Device: c.GPU / float64(launches), Issue: c.Issue, Byte: c.perByte}
}

// model is what chooses the device of a pass.
func (r *reduction) model(s *Stream, p Pass) *kernelcall.Model {
	if r.settings.on != automatic {
		return nil
	}
	device := r.settings.compared()
	cost, ok := costsOf(r.s).get(device)
	if !ok {
		in := s.each(r.op, func(x *np.Array) *np.Array { return np.FromArray(x.Array().Copy()) })
		cost = measure(p.Reads, in.columns, device, func(on string) []*np.Array {
			with := *r.settings
			with.on = on
			one := *r
			one.settings = &with
			return one.pass(in, p, 1, r.s.Name).columns
		})
		costsOf(r.s).put(device, cost)
	}
	return cost.model(p.Reads, 1)
}

// issue is how long a call takes before the first instruction, and whether a model says so.
func issue(log *trace.Log) (seconds float64, modelled bool) {
	for _, e := range log.Events() {
		if e.Kind == trace.Kernel && e.Stats != nil {
			return e.Stats.LaunchLatency.Seconds(), e.Modelled
		}
	}
	return 0, false
}

// ofZeros are arguments for a kernel: n zeros for each parameter.
func ofZeros(op string, f any, n int) (args []any) {
	fn, code := function(op, f)
	t := reflect.TypeOf(fn.Value)
	for i, p := range code.Params {
		if p.Gather || p.Emit {
			check(op, fmt.Errorf("kernel %s: what parameter %s reads or emits depends on its arguments: give them in the place of a number of elements", code.Name, p.Name))
		}
		args = append(args, Zeros(t.In(i), n))
	}
	return args
}
