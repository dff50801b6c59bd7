package brook

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/viz"
)

// Colours of charts: those that package viz gives to the same things.
const (
	kernelColor   = "#009E73"
	streamColor   = "#0072B2"
	cachedColor   = "#56B4E9"
	gatherColor   = "#E69F00"
	gotColor      = "#F0E442" // of gathers, from the cache
	writtenColor  = "#CC79A7"
	lossColor     = "#D55E00"
	wrongColor    = "#CC0000"
	overheadColor = "#8C8C8C"
	freeColor     = "#E4E4E4"
)

// unit is the unit of times up to an end, and how many picoseconds it has.
func unit(end trace.Time) (name string, size float64) {
	switch {
	case end >= trace.Millisecond:
		return "ms", float64(trace.Millisecond)
	case end >= trace.Microsecond:
		return "µs", float64(trace.Microsecond)
	}
	return "ns", float64(trace.Nanosecond)
}

// Gantt draws the kernels over time, of the device that ran the last call, above them the calls of the runtime that set
// each up.
// They are drawn as late as they can be, one launch after the other, and those of a launch divide the time of issuing
// it among them: nothing more is known of when they are made. Of long programs it draws the first 24 kernels.
func (r *Report) Gantt() *viz.Chart {
	if len(r.Kernels) == 0 {
		return &viz.Chart{Err: fmt.Errorf("Gantt: no kernel ran for this stream")}
	}
	of := r.Kernels[len(r.Kernels)-1]
	for _, k := range r.Kernels {
		if len(k.Calls) > 0 {
			of = k
		}
	}
	kernels := slices.DeleteFunc(slices.Clone(r.Kernels), func(k KernelReport) bool { return k.Device != of.Device })
	how := "measured"
	if of.Modelled {
		how = "modelled"
	}
	const most = 24
	c := &viz.Chart{Title: "Calls of the runtime, and what they have run", Subtitle: count(len(kernels), "kernel") + ", " + how}
	if n := len(r.Kernels) - len(kernels); n > 0 {
		c.Notes = append(c.Notes, count(n, "kernel")+" of other devices left out: each has a clock of its own.")
	}
	if len(kernels) > most {
		c.Notes = append(c.Notes, fmt.Sprintf("The first %d of %d kernels are drawn.", most, len(kernels)))
		kernels = kernels[:most]
	}
	lanes, at := []string{}, map[string]int{}
	lane := func(name string) float64 {
		if _, ok := at[name]; !ok {
			at[name] = len(lanes)
			lanes = append(lanes, name)
		}
		return float64(at[name])
	}
	issued := make([]trace.Time, len(kernels)) // when the calls of each are over
	for i, k := range slices.Backward(kernels) {
		if issued[i] = k.Start; i+1 < len(kernels) {
			issued[i] = min(k.Start, issued[i+1]-kernels[i+1].Issue)
		}
	}
	start := issued[0] - kernels[0].Issue
	var end trace.Time
	for _, k := range kernels {
		end = max(end, k.Start+k.Time)
	}
	for _, name := range callOrder {
		if slices.ContainsFunc(kernels, func(k KernelReport) bool {
			return slices.ContainsFunc(k.Calls, func(c trace.Call) bool { return c.Name == name })
		}) {
			lane(name)
		}
	}
	u, size := unit(end - start)
	x := func(t trace.Time) float64 { return float64(t-start) / size }
	calls := viz.Series{Name: "calls of the runtime", Mark: viz.MarkBox, Color: overheadColor}
	runs := viz.Series{Name: "kernels", Mark: viz.MarkBox, Color: kernelColor}
	for n, k := range kernels {
		each := float64(k.Issue) / float64(max(len(k.Calls), 1))
		for i, call := range k.Calls {
			y, from := lane(call.Name), float64(issued[n]-k.Issue-start)+float64(i)*each
			if each == 0 {
				break
			}
			tip := []string{call.String()}
			if call.Bytes > 0 {
				tip = append(tip, fmt.Sprintf("%d bytes, of which none is copied yet", call.Bytes))
			}
			calls.Boxes = append(calls.Boxes, viz.Box{X0: from / size, X1: (from + each) / size, Y0: y - 0.35, Y1: y + 0.35, Label: call.Of, Tip: tip})
		}
		y := lane(k.Device)
		runs.Boxes = append(runs.Boxes, viz.Box{X0: x(k.Start), X1: x(k.Start + k.Time), Y0: y - 0.4, Y1: y + 0.4, Label: k.Name, Tip: []string{k.Name, k.Time.String()}})
	}
	p := viz.Panel{X: viz.Axis{Label: "time", Unit: u, Max: x(end)}, Y: viz.Axis{Categories: lanes}, Height: 30 * len(lanes)}
	for _, s := range []viz.Series{calls, runs} {
		if len(s.Boxes) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	c.Panels = []viz.Panel{p}
	if len(calls.Boxes) > 0 {
		c.Notes = append(c.Notes, "Calls are drawn as late as they can be, and those of a launch divide the time of issuing it equally: the model has one time for all of them.")
	}
	return c
}

// Sweep draws how long a call takes by its number of elements, back to back, and the knee below which issuing takes
// longer than computing.
//
// For example:
//
//	brook.Advise(mads, 1<<15).Sweep()
func (a *Advice) Sweep() *viz.Chart {
	knee := a.Knee()
	if !(knee > 0) || math.IsInf(knee, 0) {
		return &viz.Chart{Err: fmt.Errorf("Sweep: %s has no knee on %s: the time of issuing a call, %v s, or that of an element, %v s, is not known", a.Kernel, a.Device, a.Issue, a.GPU)}
	}
	var sizes, times []float64
	for n := knee / 32; n <= 32*knee; n *= 2 { // through the knee
		sizes, times = append(sizes, n), append(times, 1e6*a.Time(int(n)))
	}
	c := viz.Line(sizes, times, viz.LogX(), viz.LogY(), viz.VLine(knee, fmt.Sprintf("the knee, n* = t₀/K = %.0f elements", knee)),
		viz.Title("Calls of "+a.Kernel+" on "+a.Device+", back to back"), viz.XLabel("elements of a call"), viz.YLabel("time of a call (µs)"))
	c.Subtitle = fmt.Sprintf("t₀ = %.3g µs, K = %.3g ns for an element, %s", a.Issue*1e6, a.GPU*1e9, a.how())
	return c
}

// Plane draws kernels by the paper's model: how much faster the GPU computes than the CPU, and how much it computes for
// what is copied. Above the curve 1/(s-1) the GPU wins; above the dashed one, 1/s, it does where copies overlap with
// computing. Nothing wins left of s = 1.
//
// For example:
//
//	brook.Plane(brook.Advise(saxpy, 1<<16), brook.Advise(mads, 1<<16))
func Plane(advice ...*Advice) *viz.Chart {
	if len(advice) == 0 {
		return &viz.Chart{Err: fmt.Errorf("Plane: give it what brook.Advise returns for some kernels")}
	}
	least, most, low, high := 0.5, 20.0, 0.01, 10.0
	for _, a := range advice {
		if s, y := a.Speedup(), a.Intensity(); s > 0 && y > 0 && !math.IsInf(s, 0) && !math.IsInf(y, 0) {
			least, most, low, high = min(least, s/2), max(most, 2*s), min(low, y/2), max(high, 2*y)
		}
	}
	sync := viz.Series{Name: "1/(s-1): copies, then computing", Color: "#0072B2"}
	async := viz.Series{Name: "1/s: copies while computing", Color: "#56B4E9", Dashed: true}
	for s := 1.0; s <= most; s *= 1.02 {
		if y := 1 / (s - 1); y <= high && s > 1 {
			sync.X, sync.Y = append(sync.X, s), append(sync.Y, y)
		}
		async.X, async.Y = append(async.X, s), append(async.Y, 1/s)
	}
	p := viz.Panel{
		X: viz.Axis{Label: "speed-up s = K_cpu / K_gpu", Log: true, Min: least, Max: most},
		Y: viz.Axis{Label: "intensity γ = K_gpu / T_r", Log: true, Min: low, Max: high}, Height: 320,
		Series: []viz.Series{sync, async},
	}
	c := &viz.Chart{Title: "When does the GPU win?", Subtitle: "it wins above the curve; a point is a kernel"}
	colors := []string{"#D55E00", "#009E73", "#CC79A7", "#E69F00", "#8C8C8C"}
	for i, a := range advice {
		s, y := a.Speedup(), a.Intensity()
		if math.IsInf(y, 0) || math.IsInf(s, 0) || s != s || y != y {
			c.Notes = append(c.Notes, fmt.Sprintf("%s on %s is not drawn: nothing is copied for it.", a.Kernel, a.Device))
			continue
		}
		name := fmt.Sprintf("%s, %d elements, %s", a.Kernel, a.N, a.Device)
		p.Series = append(p.Series, viz.Series{Name: name, Mark: viz.MarkPoint, Color: colors[i%len(colors)], X: []float64{s}, Y: []float64{y}})
	}
	var how []string
	for _, a := range advice {
		if h := a.how(); len(how) == 0 || how[0] != h {
			how = append(how, h)
		}
	}
	c.Notes = append(c.Notes, "Times of the CPU are measured, those of the GPU "+strings.Join(how, " or ")+".")
	c.Panels = []viz.Panel{p}
	return c
}
