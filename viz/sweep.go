package viz

import (
	"fmt"
	"math"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Sweep draws how a time or a rate grows with a size, both axes logarithmic: a line with a dot at each measurement. It
// takes what [Line] takes; [VLine] marks where memory ends:
//
//	viz.Sweep(elements, seconds, viz.XLabel("elements"), viz.YLabel("time (s)"), viz.VLine(2e9, "out of memory"))
//
// y may also be a []*trace.Log, the trace of each size: then the lines are the times of kernels, of copies and of the
// whole, modelled and measured apart, and a dashed line stands where the device's memory will be full, at the sizes'
// rate of growth.
func Sweep(sizes, y any, opts ...Option) *Chart {
	opts = append([]Option{LogX(), LogY()}, opts...)
	if logs, ok := y.([]*trace.Log); ok {
		return sweepOf(sizes, logs, opts)
	}
	c := plot(MarkLine, sizes, y, opts)
	if c.Err != nil {
		return c
	}
	if c.Title == markNames[MarkLine] {
		c.Title = "Sweep"
	}
	for i := range c.Panels[0].Series {
		s := &c.Panels[0].Series[i]
		s.Dots = !s.Dashed && len(s.Y) <= 100
	}
	return c
}

// sweepOf draws the times of one trace for each size.
func sweepOf(sizes any, logs []*trace.Log, opts []Option) *Chart {
	x, err := vector("the sizes", sizes)
	switch {
	case err != nil:
		return failed("Sweep: %w", err)
	case len(x) != len(logs):
		return failed("Sweep: %d sizes and %d logs; they must be equal", len(x), len(logs))
	}
	for i, l := range logs {
		if l == nil {
			return failed("Sweep: log %d is nil; keep one with trace.Last() after each evaluation", i+1)
		}
		if !finite(x[i]) || x[i] <= 0 {
			return failed("Sweep: size %d is %v, which cannot stand on a logarithmic axis", i+1, x[i])
		}
	}
	logs = allShown(logs)
	c := &Chart{Title: "Time over size", logs: logs, terms: []string{"launch", "bandwidth"}}
	for k := range numClocks {
		if p, ok := sweepPanel(k, x, logs); ok {
			c.Panels = append(c.Panels, p)
		}
	}
	if len(c.Panels) == 0 {
		return failed("Sweep: nothing happened in any of the logs")
	}
	if at, device, holds, ok := fullAt(x, logs); ok {
		c.rules = append(c.rules, rule{at, "memory is full", true})
		c.Notes = append(c.Notes, fmt.Sprintf("The %s of %s would be full at a size of about %s: what the two largest sizes need at most, prolonged as a straight line.", byteSize(holds), device, roundedTo(3, at)))
	}
	for _, o := range opts {
		o(c)
	}
	for i := range c.Panels {
		c.Panels[i].X.Label, c.Panels[i].X.Log, c.Panels[i].Y.Log = or(c.Panels[0].X.Label, "size"), true, true
	}
	c.drawRules()
	c.Notes = append(c.Notes, modelNote(logs)...)
	return c
}

// sweepPanel has the lines of one clock; ok is false when nothing was timed by it.
func sweepPanel(k clock, x []float64, logs []*trace.Log) (p Panel, ok bool) {
	type line struct {
		Series
		of func(trace.Kind) bool // nil: all of it, launches too
	}
	lines := []line{
		{Series{Name: "kernels", Color: kindColors[trace.Kernel]}, func(k trace.Kind) bool { return k == trace.Kernel }},
		{Series{Name: "copies", Color: kindColors[trace.CopyIn]}, func(k trace.Kind) bool { return k == trace.CopyIn || k == trace.CopyOut || k == trace.CopyPeer }},
		{Series{Name: "work of the CPU", Color: kindColors[trace.Host]}, func(k trace.Kind) bool { return k == trace.Host }},
		{Series{Name: "overhead", Color: kindColors[trace.Overhead]}, func(k trace.Kind) bool { return k == trace.Overhead || k == trace.Alloc }},
	}
	if k != host { // whose work and overhead make up the whole
		lines = append(lines, line{Series{Name: "from the first launch to the end", Color: grey}, nil})
	}
	most := trace.Time(0)
	sums := make([][]trace.Time, len(lines))
	for i := range lines {
		sums[i] = make([]trace.Time, len(logs))
		for n, l := range logs {
			var events []trace.Event
			for _, e := range l.Events() {
				if clockOf(&e) != k {
					continue
				}
				events = append(events, e)
				if lines[i].of != nil && lines[i].of(e.Kind) {
					sums[i][n] += e.Duration()
				}
			}
			if lines[i].of == nil {
				start, end := trace.Span(events)
				sums[i][n] = end - start
			}
			most = max(most, sums[i][n])
		}
	}
	if most == 0 {
		return p, false
	}
	u := unitFor(most)
	p = Panel{Height: 200, X: Axis{Log: true}, Y: Axis{Label: clockNames[k].axis, Unit: u.name, Log: true}}
	for i, l := range lines {
		s, some := l.Series, false
		s.X, s.Dots = x, len(x) <= 100
		for _, t := range sums[i] {
			v := math.NaN()
			if t > 0 {
				v, some = u.in(t), true
			}
			s.Y = append(s.Y, v)
		}
		if some {
			p.Series = append(p.Series, s)
		}
	}
	return p, true
}

// fullAt says at which size the memory of a device will be full: by a straight line through what the two largest sizes
// that leave room for more need at most. It looks at most a thousand times as far as the largest size.
func fullAt(x []float64, logs []*trace.Log) (at float64, device string, holds int64, ok bool) {
	type need struct {
		size  float64
		bytes int64
	}
	needs, memory := map[string][]need{}, map[string]int64{}
	for i, l := range logs {
		most := map[string]int64{}
		for _, e := range l.Events() {
			if e.Memory > 0 && clockOf(&e) != host {
				most[e.Device], memory[e.Device] = max(most[e.Device], e.Needed), e.Memory
			}
		}
		for d, n := range most {
			needs[d] = append(needs[d], need{x[i], n})
		}
	}
	at = math.Inf(1)
	for d, all := range needs {
		var a, b need // the two largest, b the larger
		for _, n := range all {
			switch {
			case n.bytes >= memory[d]:
			case n.size > b.size:
				a, b = b, n
			case n.size > a.size && n.size < b.size:
				a = n
			}
		}
		if a.size == 0 || b.bytes <= a.bytes {
			continue
		}
		full := b.size + float64(memory[d]-b.bytes)*(b.size-a.size)/float64(b.bytes-a.bytes)
		if full <= 1000*b.size && (full < at || full == at && d < device) {
			at, device, holds, ok = full, d, memory[d], true
		}
	}
	return at, device, holds, ok
}
