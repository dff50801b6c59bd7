package viz

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// mostPolicies is how many programs stand side by side.
const mostPolicies = 12

// Policies draws one program as it ran under several placement policies: how long the devices took, how many bytes were
// copied which way, and what each device did when. All timelines have one scale. [trace.Program]s are what
// offload.EachPolicy returns.
//
//	viz.Policies(offload.EachPolicy(func() { np.Eval(f()) }, "round-robin", "min-max-transfer-time"))
func Policies(programs []trace.Program) *Chart {
	if len(programs) == 0 || len(programs) > mostPolicies {
		return failed("Policies: %d programs; want 1 to %d", len(programs), mostPolicies)
	}
	var names []string
	var logs []*trace.Log
	took := make([]trace.Time, len(programs))
	events := make([][]trace.Event, len(programs))
	for i, p := range programs {
		names = append(names, laneTitle(p.Name))
		logs = append(logs, p.Logs...)
		events[i], took[i] = inTurn(p.Logs)
		if len(events[i]) == 0 {
			return failed("Policies: %s ran nothing on a device", p.Name)
		}
	}
	u := unitFor(slices.Max(took))
	times := sharesPanel(Axis{Label: "time of the devices", Unit: u.name}, []string{"time"}, names, func(i int) []share {
		return []share{{"time", grey, u.in(took[i]), []string{took[i].String()}}}
	})
	least := slices.Min(took)
	var best []string
	for i, t := range took {
		if t == least {
			best = append(best, names[i])
		}
	}
	said := fmt.Sprintf("%s is the fastest: %v", best[0], least)
	if len(best) == len(names) {
		said = fmt.Sprintf("all take %v", least)
	} else if len(best) > 1 {
		said = fmt.Sprintf("%s are the fastest: %v", andList(best), least)
	}
	most := int64(1)
	for _, p := range programs {
		in, out, between := p.Copied()
		most = max(most, in+out+between)
	}
	size, unit := byteUnit(most)
	ways := []string{"from the host", "to the host", "between devices"}
	bytes := sharesPanel(Axis{Label: "copied", Unit: unit}, ways, names, func(i int) (out []share) {
		in, back, between := programs[i].Copied()
		for k, n := range []int64{in, back, between} {
			kind := []trace.Kind{trace.CopyIn, trace.CopyOut, trace.CopyPeer}[k]
			out = append(out, share{ways[k], kindColors[kind], float64(n) / size, []string{byteSize(n)}})
		}
		return out
	})
	c := &Chart{
		terms:    []string{"stream", "overlap"},
		Title:    "One program, several policies",
		Subtitle: said,
		Panels:   []Panel{times, bytes},
		logs:     logs,
	}
	joined := 0
	for i := range programs {
		p, j := devicesPanel(events[i], u)
		p.X = Axis{Label: names[i], Unit: u.name, Max: u.in(max(slices.Max(took), 1))}
		c.Panels, joined = append(c.Panels, p), joined+j
	}
	if joined > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s events too short to be seen are drawn joined with their neighbours.", count(joined)))
	}
	c.Notes = append(c.Notes, modelNote(logs)...)
	return c
}

// inTurn returns the events of devices of several evaluations, as if one began when the devices had ended the one
// before, and when the last ends.
func inTurn(logs []*trace.Log) (out []trace.Event, end trace.Time) {
	for _, l := range logs {
		var events []trace.Event
		for _, e := range l.Events() {
			if clockOf(&e) != host && e.Kind != trace.Alloc && e.Kind != trace.Overhead {
				events = append(events, e)
			}
		}
		start, stop := trace.Span(events)
		for _, e := range events {
			e.Start, e.End = e.Start-start+end, e.End-start+end
			out = append(out, e)
		}
		end += stop - start
	}
	return out, end
}

// devicesPanel has a lane for the kernels of each device, and one for the copies to it and from it.
func devicesPanel(events []trace.Event, u unit) (p Panel, joined int) {
	type lane struct {
		device string
		kernel bool
	}
	lanes := map[lane][]laneEvent{}
	var keys []lane
	end := trace.Time(1)
	for _, e := range events {
		k := lane{e.Device, e.Kind == trace.Kernel}
		if lanes[k] == nil {
			keys = append(keys, k)
		}
		lanes[k] = append(lanes[k], laneEvent{Event: e})
		end = max(end, e.End)
	}
	slices.SortFunc(keys, func(a, b lane) int {
		switch {
		case a.device != b.device && a.device < b.device, a.device == b.device && b.kernel:
			return -1
		case a == b:
			return 0
		}
		return 1
	})
	series := map[trace.Kind]*Series{}
	order := []trace.Kind{trace.CopyIn, trace.Kernel, trace.CopyOut, trace.CopyPeer}
	for _, k := range order {
		series[k] = &Series{Name: k.String(), Mark: MarkBox, Color: kindColors[k]}
	}
	for i, key := range keys {
		name := key.device
		if !key.kernel {
			name += ", copies"
		}
		p.Y.Categories = append(p.Y.Categories, name)
		byKind := map[trace.Kind][]laneEvent{}
		for _, e := range lanes[key] {
			byKind[e.Kind] = append(byKind[e.Kind], e)
		}
		for _, k := range order {
			boxes, j := laneBoxes(byKind[k], i, u, end/2000)
			series[k].Boxes = append(series[k].Boxes, boxes...)
			joined += j
		}
	}
	for _, k := range order {
		if len(series[k].Boxes) > 0 {
			p.Series = append(p.Series, *series[k])
		}
	}
	return p, joined
}
