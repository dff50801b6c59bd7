package brook

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Cost is the paper's model of when a GPU wins: seconds for an element on the CPU and on the GPU, for the copies of it
// to the GPU and back, and for issuing a call.
type Cost struct {
	CPU, GPU, Transfer, Issue float64
	Modelled                  bool // of a simulated GPU, and not measured
	Device                    string
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
	where, how := "stay on the CPU", "measured"
	switch {
	case float64(a.N)*a.Cost.CPU <= a.Time(a.N):
	case a.Wins():
		where = "go to " + a.Device
	case a.WinsAsync():
		where = "go to " + a.Device + " if copies overlap with computing"
	case a.Speedup() > 1:
		where = "stay on the CPU, unless the data is on " + a.Device + " already"
	}
	if a.Modelled {
		how = "modelled"
	}
	fmt.Fprintf(&b, "%s: %s of %d elements: s = %.3g, γ = %.3g, which must be above %.3g", where, a.Kernel, a.N, a.Speedup(), a.Intensity(), a.Needed())
	fmt.Fprintf(&b, "\n  an element takes %.3g ns on the CPU, measured; %.3g ns on %s, %s, and its copies %.3g ns; a call takes %.3g µs to issue: %.0f elements",
		a.Cost.CPU*1e9, a.GPU*1e9, a.Device, how, a.Transfer*1e9, a.Issue*1e6, a.Knee())
	return b.String()
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

// compared is the device that Advise compares the CPU with where nobody names one.
const compared = "sim:v100"

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
	device := c.settings.on
	if device == "" {
		device = np.Device()
	}
	if device == "host" || device == reference {
		if c.settings.on != "" {
			check(op, fmt.Errorf("brook.On(%q) is the CPU, which the device is compared with: name another, as sim:v100", device))
		}
		device = compared
	}
	c.domain = domain(op, c.settings, c.args)
	n := c.elements()
	if n == 0 {
		c.fail("there are no elements to compute")
	}
	var bytes, results int64
	for _, a := range c.args { // copies that no device has yet
		if a.stream == nil {
			continue
		}
		a.stream = a.stream.each(op, func(x *np.Array) *np.Array { return np.FromArray(x.Array().Copy()) })
		for _, d := range a.form.dtypes {
			bytes += int64(a.stream.Len() * d.Size())
		}
	}
	run := func(on string) *trace.Log {
		with := *c.settings
		with.on = on
		again := *c
		again.settings = &with
		out := again.launched(n)
		np.Eval(out...)
		log := trace.Last()
		for _, x := range out {
			x.Array()
			results += int64(n * x.DType().Size())
		}
		return log
	}
	took := func(log *trace.Log, kinds ...trace.Kind) (t trace.Time) {
		for _, e := range log.Events() {
			for _, k := range kinds {
				if e.Kind == k {
					t += e.Duration()
				}
			}
		}
		return t
	}
	run("host") // compiles
	host := run("host")
	results = 0
	there := run(device)
	a := &Advice{Kernel: c.s.Name, N: n}
	a.Device = device
	a.Cost.CPU = took(host, trace.Kernel).Seconds() / float64(n)
	a.GPU = took(there, trace.Kernel).Seconds() / float64(n)
	a.Transfer = took(there, trace.CopyIn).Seconds() / float64(n)
	if bytes > 0 { // back as fast as there
		a.Transfer *= 1 + float64(results)/float64(bytes)
	}
	a.Issue, a.Modelled = issue(there)
	return a
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
