package viz

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Explained has what a placement policy chose among, as np.Explain returns it.
type Explained interface{ Choices() []trace.Choice }

// mostCandidates is of how many devices the bars are drawn.
const mostCandidates = 32

// Candidates draws what a placement policy chooses among for one launch of several devices: for each device the share
// of the arguments that it has, with the policy's threshold as a line, and how long it would take at worst to copy what
// it lacks. step is the launch's number in the explanation; without it, it is that with the largest arguments. Nothing
// runs.
//
//	viz.Candidates(np.Explain(x*y))
func Candidates(e Explained, step ...int) *Chart {
	if e == nil || len(step) > 1 {
		return failed("Candidates: wants an explanation, and at most one number of a step")
	}
	all := e.Choices()
	if len(all) == 0 {
		return failed("Candidates: no step has several devices to choose from: np.Use names several, and a step that is in tiles, or on the CPU, has no choice")
	}
	total := func(c trace.Choice) (most int64) {
		for _, d := range c.Devices {
			most = max(most, d.Total)
		}
		return most
	}
	at := slices.MaxFunc(all, func(a, b trace.Choice) int { return cmp.Compare(total(a), total(b)) })
	if len(step) == 1 {
		i := slices.IndexFunc(all, func(c trace.Choice) bool { return c.Number == step[0] })
		if i < 0 {
			return failed("Candidates: step %d has no devices to choose from", step[0])
		}
		at = all[i]
	}
	devices := at.Devices[:min(len(at.Devices), mostCandidates)]
	var names []string
	longest := trace.Time(0)
	for _, d := range devices {
		names, longest = append(names, laneTitle(d.Device)), max(longest, d.Copies)
	}
	of := func(i int, v float64, tip ...string) []share {
		if devices[i].Device == at.Chosen {
			return []share{{"chosen", vermillion, v, tip}}
		}
		return []share{{"could run it", grey, v, tip}}
	}
	kinds := []string{"chosen", "could run it"}
	has := sharesPanel(Axis{Label: "has of the arguments", Unit: "%", Max: 100}, kinds, names, func(i int) []share {
		d := devices[i]
		return of(i, 100*float64(d.Present)/float64(max(d.Total, 1)), byteSize(d.Present)+" of "+byteSize(d.Total))
	})
	c := &Chart{
		Title:    "Where a launch could run: " + at.Step,
		Subtitle: fmt.Sprintf("%s chooses %s; arguments of %s", at.Policy, at.Chosen, byteSize(total(at))),
	}
	if at.Threshold > 0 {
		percent := 100 * at.Threshold
		has.Series = append(has.Series, Series{Name: "threshold", Mark: MarkLine, Color: ruleColor, Dashed: true, rule: true,
			X: []float64{percent, percent}, Y: []float64{-0.5, float64(len(names)) - 0.5}})
		c.Notes = append(c.Notes, fmt.Sprintf("Devices that have less than %.3g %% of the arguments count as having none.", percent))
	}
	c.Panels = append(c.Panels, has)
	if longest > 0 {
		u := unitFor(longest)
		c.Panels = append(c.Panels, sharesPanel(Axis{Label: "copies of what it lacks, at worst", Unit: u.name}, kinds, names, func(i int) []share {
			d := devices[i]
			return of(i, u.in(d.Copies), byteSize(d.Copied)+" in "+d.Copies.String())
		}))
	} else {
		c.Notes = append(c.Notes, "No device lacks anything.")
	}
	if n := len(at.Devices) - len(devices); n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s further devices are not drawn.", count(n)))
	}
	return c
}
