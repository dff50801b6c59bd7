package viz

import (
	"fmt"
	"sort"
	"strings"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Timeline draws what every stream of every device did and when, and what the CPU did meanwhile, each kind of work in a
// lane and a colour of its own. Modelled and measured times stand in panels apart, each with its own axis: they are not
// of one clock. Without logs it draws the last evaluation; of several logs it draws each from its own start.
func Timeline(logs ...*trace.Log) *Chart {
	last := len(logs) == 0 || logs[0] == trace.Last()
	logs, err := logsOrLast(logs)
	if err != nil {
		return &Chart{Err: err}
	}
	c := &Chart{Title: "Timeline of the evaluation", logs: logs, terms: []string{"stream", "overlap", "launch"}}
	if last {
		c.Title = "Timeline of the last evaluation"
	}
	if len(logs) > 1 {
		c.Title = fmt.Sprintf("Timeline of %d evaluations", len(logs))
	}
	parts := map[clock][]laneEvent{}
	for i, l := range logs {
		byID := map[int]*trace.Event{}
		events := l.Events()
		for i := range events {
			byID[events[i].ID] = &events[i]
		}
		for _, e := range events {
			k, le := clockOf(&e), laneEvent{Event: e, after: afterLine(&e, byID)}
			if len(logs) > 1 {
				le.run = i + 1
			}
			parts[k] = append(parts[k], le)
		}
	}
	var said []string
	for k := range numClocks {
		if events := parts[k]; len(events) > 0 {
			p, joined := timelinePanel(k, events)
			c.Panels = append(c.Panels, p)
			said = append(said, fmt.Sprintf("%s: %s", clockNames[k].short, took(events)))
			if joined > 0 {
				c.Notes = append(c.Notes, fmt.Sprintf("%s events too short to be seen are drawn joined with their neighbours.", count(joined)))
			}
		}
	}
	if len(c.Panels) == 0 {
		return &Chart{Err: errNothing}
	}
	c.Subtitle = strings.Join(said, "   ·   ")
	if parts[modelled] != nil {
		note := "Modelled: time on the simulated GPU, from its timing model; the same on every machine."
		if parts[measured] != nil || parts[host] != nil {
			note += " Measured: this machine's clock. Between its events the CPU does the simulated GPU's work; the two clocks are not comparable."
		}
		c.Notes = append(c.Notes, note)
	}
	c.Notes = append(c.Notes, modelNote(logs)...)
	return c
}

var errNothing = fmt.Errorf("viz: nothing has been evaluated yet: display an array first")

// logsOrLast returns logs, or that of the last evaluation.
func logsOrLast(logs []*trace.Log) ([]*trace.Log, error) {
	if len(logs) == 0 {
		logs = []*trace.Log{trace.Last()}
	}
	var out []*trace.Log
	for _, l := range logs {
		if l != nil {
			out = append(out, shown(l))
		}
	}
	if len(out) == 0 {
		return nil, errNothing
	}
	return out, nil
}

// clock is what an event's times were taken from.
type clock int

const (
	modelled clock = iota // a simulated device
	measured              // a real device
	host                  // the CPU
	numClocks
)

var clockNames = [numClocks]struct{ axis, short string }{
	{"time on the device, modelled", "device (modelled)"},
	{"time on the device, measured", "device (measured)"},
	{"time on the CPU, measured", "CPU (measured)"},
}

func clockOf(e *trace.Event) clock {
	switch {
	case e.Modelled:
		return modelled
	case e.Kind == trace.Host || e.Kind == trace.Overhead || e.Device == "host" || e.Device == "":
		return host
	}
	return measured
}

// laneEvent is an event and the run that it belongs to, 0 when there is one run.
type laneEvent struct {
	trace.Event
	run   int
	after string // what it had to wait for
}

// afterLine names the events that made what e reads.
func afterLine(e *trace.Event, byID map[int]*trace.Event) string {
	var names []string
	for _, id := range e.After {
		if m := byID[id]; m != nil {
			names = append(names, fmt.Sprintf("%s (ended at %s)", or(m.Name, m.Kind.String()), m.End))
		}
	}
	switch {
	case names == nil:
		return ""
	case len(names) > 4:
		names = append(names[:3], fmt.Sprintf("%d more", len(names)-3))
	}
	return "reads what these made: " + strings.Join(names, ", ")
}

// laneKey orders lanes: by run, device and stream, copies in before kernels before copies out.
type laneKey struct {
	run    int
	device string
	stream int
	kind   trace.Kind
}

var laneOrder = map[trace.Kind]int{trace.Alloc: 0, trace.CopyIn: 1, trace.CopyPeer: 2, trace.Kernel: 3, trace.CopyOut: 4, trace.Overhead: 5, trace.Host: 6}

func timelinePanel(k clock, events []laneEvent) (p Panel, joined int) {
	streams := map[string]map[int]bool{}
	lanes := map[laneKey][]laneEvent{}
	start, end := spanOf(events)
	for _, e := range events {
		key := laneKey{e.run, e.Device, e.Stream, e.Kind}
		lanes[key] = append(lanes[key], e)
		if streams[e.Device] == nil {
			streams[e.Device] = map[int]bool{}
		}
		streams[e.Device][e.Stream] = true
	}
	if start < (end-start)/2 {
		start = 0 // the empty start is part of the story unless most of the axis would be empty
	}
	keys := make([]laneKey, 0, len(lanes))
	for key := range lanes {
		keys = append(keys, key)
	}
	sort.Slice(keys, func(i, j int) bool {
		a, b := keys[i], keys[j]
		switch {
		case a.run != b.run:
			return a.run < b.run
		case a.device != b.device:
			return a.device < b.device
		case a.stream != b.stream:
			return a.stream < b.stream
		}
		return laneOrder[a.kind] < laneOrder[b.kind]
	})
	u := unitFor(end - start)
	p.X = Axis{Label: clockNames[k].axis, Unit: u.name, Min: u.in(start), Max: u.in(max(end, start+1))}
	series := map[trace.Kind]int{}
	launches := Series{Name: launchName, Mark: MarkBox, Color: kindColors[trace.Overhead]}
	for lane, key := range keys {
		p.Y.Categories = append(p.Y.Categories, laneName(key, len(streams[key.device]) > 1))
		if _, ok := series[key.kind]; !ok {
			series[key.kind] = len(p.Series)
			p.Series = append(p.Series, Series{Name: key.kind.String(), Mark: MarkBox, Color: kindColors[key.kind]})
		}
		s := &p.Series[series[key.kind]]
		boxes, j := laneBoxes(lanes[key], lane, u, (end-start)/2000)
		s.Boxes = append(s.Boxes, boxes...)
		joined += j
		launches.Boxes = append(launches.Boxes, launchBoxes(lanes[key], lane, u, (end-start)/2000)...)
	}
	if len(launches.Boxes) > 0 {
		p.Series = append(p.Series, launches)
	}
	return p, joined
}

// spanOf is when the first of events was queued and when the last ended.
func spanOf(events []laneEvent) (start, end trace.Time) {
	all := make([]trace.Event, len(events))
	for i, e := range events {
		all[i] = e.Event
	}
	return trace.Span(all)
}

func took(events []laneEvent) trace.Time {
	start, end := spanOf(events)
	return end - start
}

// launchName is the series of launches.
const launchName = "launch"

// launchBoxes draws in the lane of events what giving each to the device took, but for what is shorter than least. A
// launch that went on while the event before ran is drawn from that one's end.
func launchBoxes(events []laneEvent, lane int, u unit, least trace.Time) (boxes []Box) {
	var before trace.Time
	for i := range events {
		e := &events[i]
		from := max(e.Queued(), before)
		before = max(before, e.End)
		if e.Launch == 0 || e.Start-from < max(least, 1) {
			continue
		}
		boxes = append(boxes, Box{X0: u.in(from), X1: u.in(e.Start), Y0: float64(lane) - laneThick/2, Y1: float64(lane) + laneThick/2,
			Tip: []string{"launch of " + or(e.Name, e.Kind.String()), fmt.Sprintf("%s, from %s", e.Launch, e.Queued())}})
	}
	return boxes
}

// laneName is "sim:v100#0 kernel", with the stream where the device has several.
func laneName(k laneKey, streams bool) string {
	var b strings.Builder
	if k.run > 0 {
		fmt.Fprintf(&b, "%d: ", k.run)
	}
	if k.device != "" && k.kind != trace.Host && k.kind != trace.Overhead {
		b.WriteString(k.device)
		if streams {
			fmt.Fprintf(&b, " s%d", k.stream)
		}
		b.WriteByte(' ')
	}
	b.WriteString(k.kind.String())
	return b.String()
}

// laneBoxes makes the boxes of one lane. Neighbours that are shorter than least, and no further apart, become one box.
func laneBoxes(events []laneEvent, lane int, u unit, least trace.Time) (boxes []Box, joined int) {
	for i := 0; i < len(events); {
		first, end := events[i], events[i].End
		bytes, busy, n := first.Bytes, first.Duration(), 1
		for j := i + 1; j < len(events) && first.Duration() < least; j++ {
			e := events[j]
			if e.Duration() >= least || e.Start-end > least || e.End-first.Start > 20*least {
				break
			}
			end, bytes, busy, n = max(end, e.End), bytes+e.Bytes, busy+e.Duration(), n+1
		}
		b := Box{X0: u.in(first.Start), X1: u.in(end), Y0: float64(lane) - laneThick/2, Y1: float64(lane) + laneThick/2, Label: first.Name, Tip: tipOf(&first.Event)}
		if first.Kind == trace.Kernel {
			b.key = first.Name
		}
		if first.after != "" {
			b.Tip = append(b.Tip, first.after)
		}
		if n > 1 {
			b.Label = fmt.Sprintf("%d events", n)
			b.Tip = []string{fmt.Sprintf("%d events: %s", n, first.Kind), fmt.Sprintf("%s busy of %s", busy, end-first.Start)}
			b.Tip = append(b.Tip, sizeLines(bytes, busy)...)
			b.key = ""
			joined += n
		}
		boxes = append(boxes, b)
		i += n
	}
	return boxes, joined
}

// tipOf is what hovering over e shows.
func tipOf(e *trace.Event) []string {
	how := "measured"
	if e.Modelled {
		how = "modelled"
	}
	lines := []string{or(e.Name, e.Kind.String()), fmt.Sprintf("%s on %s, stream %d", e.Kind, or(e.Device, "host"), e.Stream),
		fmt.Sprintf("%s, from %s (%s)", e.Duration(), e.Start, how)}
	lines = append(lines, sizeLines(e.Bytes, e.Duration())...)
	if s := e.Stats; s != nil {
		lines = append(lines, fmt.Sprintf("grid %s, block %s", dims(s.Grid), dims(s.Block)),
			fmt.Sprintf("%.0f %% of the warps that fit are resident", 100*s.Achieved))
	}
	return lines
}

// sizeLines says how much was moved and how fast; decimal units, as bandwidths are given.
func sizeLines(n int64, d trace.Time) []string {
	if n <= 0 {
		return nil
	}
	s := byteSize(n)
	if d > 0 {
		s += fmt.Sprintf(" at %.3g GB/s", float64(n)/d.Seconds()/1e9)
	}
	return []string{s}
}

// byteUnit returns the largest unit of which n holds at least one, to print an axis in.
func byteUnit(n int64) (size float64, name string) {
	size, name = 1, "B"
	for _, u := range []string{"kB", "MB", "GB", "TB"} {
		if float64(n) >= 1000*size {
			size, name = 1000*size, u
		}
	}
	return size, name
}

func byteSize(n int64) string {
	v := float64(n)
	for _, u := range []string{"B", "kB", "MB", "GB"} {
		if v < 1000 {
			return fmt.Sprintf("%.3g %s", v, u)
		}
		v /= 1000
	}
	return fmt.Sprintf("%.3g TB", v)
}

// dims prints 128×1×1 as 128 and 8×8×1 as 8×8.
func dims(d [3]int) string {
	switch {
	case d[2] > 1:
		return fmt.Sprintf("%d×%d×%d", d[0], d[1], d[2])
	case d[1] > 1:
		return fmt.Sprintf("%d×%d", d[0], d[1])
	}
	return fmt.Sprint(d[0])
}
