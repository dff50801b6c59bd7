package viz

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// unitColors are the units of an SM.
var unitColors = [trace.NumIssueUnits]string{
	trace.IssueLanes: green, trace.IssueSpecial: vermillion, trace.IssueMultipliers: yellow, trace.IssueDouble: purple,
	trace.IssueMemory: blue, trace.IssueControl: grey,
}

// issueWindow is how many cycles [Issue] draws.
const issueWindow = 160

// Issue draws what the warps of an SM issue, of the longest kernel of the logs of which a window was kept
// ([github.com/arrayrepl/arrayrepl/simgpu.Window]): a row for each warp, a column for each clock of the lanes in the
// first 160 cycles of the window, the colour is the unit. A box is as long as the unit takes no other instruction: on
// machines whose schedulers have half the lanes' clock, an instruction for the lanes takes two of the schedulers'
// cycles, so that one for the special function units fits in between. [IssueOf] draws other cycles, and other kernels.
//
// For example:
//
//	np.Use(simgpu.Custom("g80", simgpu.Window(0, 160)))
//	viz.Issue(gpu.Launch(nbody, 16, 64, pos, acc).Log())
func Issue(logs ...*trace.Log) *Chart { return issueOf("Issue", "", 0, 0, logs) }

// IssueOf is [Issue] of the longest kernel whose name contains name, in the cycles of the schedulers from one on and
// before another, from the start of the kernel.
func IssueOf(name string, from, to int, logs ...*trace.Log) *Chart {
	if from < 0 || to <= from || to-from > 4096 {
		return failed("IssueOf: cycles %d to %d: give the first and the one behind the last, 4,096 at most", from, to)
	}
	return issueOf("IssueOf", name, int64(from), int64(to), logs)
}

// issueOf draws cycles from from to to-1; from the window's first on where to is 0.
func issueOf(what, name string, from, to int64, logs []*trace.Log) *Chart {
	k, logs, err := windowed(what, name, logs)
	if err != nil {
		return &Chart{Err: err}
	}
	d := k.Stats.Detail
	window := d.Window
	if to == 0 {
		from, to = window.From, window.From+issueWindow
	}
	if len(window.Slots) == 0 {
		return failed("%s: in cycles %d to %d the first SM issued nothing", what, window.From, window.To-1)
	}
	last := window.Slots[len(window.Slots)-1].Cycle
	if from > last || to <= window.From {
		return failed("%s: the instructions that are kept of kernel %s are of cycles %d to %d, not of %d to %d: simgpu.Window names others", what, k.Name, window.From, last, from, to-1)
	}
	type warp struct{ block, number int32 }
	type issued struct {
		trace.Issue
		from, to int64 // what is seen of it
		at       int64
	}
	var all []issued
	seen := map[warp]int{} // instructions
	for _, s := range window.Slots {
		for _, x := range []trace.Issue{s.Issue, s.Beside} {
			if x.Lanes == 0 && x.Line < 0 || x.Busy == 0 || s.Cycle >= to || s.Cycle+int64(x.Busy) <= from {
				continue
			}
			if x.Warp < 0 {
				return failed("%s: in kernel %s on %s threads of several warps issue together, so warps have no rows: viz.Slots draws their lanes", what, k.Name, k.Device)
			}
			all = append(all, issued{x, max(s.Cycle, from), min(s.Cycle+int64(x.Busy), to), s.Cycle})
			seen[warp{x.Block, x.Warp}]++
		}
	}
	ratio := d.LaneClock
	if ratio == 0 {
		ratio = 1
	}
	p := Panel{X: Axis{Label: "time" + times(k), Unit: "clocks of the lanes", Min: float64(from) * ratio, Max: float64(to) * ratio}}
	if ratio == 1 {
		p.X.Unit = "cycles"
	}
	warps := slices.SortedFunc(maps.Keys(seen), func(a, b warp) int {
		return cmp.Or(cmp.Compare(a.block, b.block), cmp.Compare(a.number, b.number))
	})
	rows := map[warp]int{}
	for i, w := range warps {
		rows[w] = i
		p.Y.Categories = append(p.Y.Categories, fmt.Sprintf("block %d, warp %d", w.block, w.number))
		p.lanes = append(p.lanes, fmt.Sprintf("%d instructions", seen[w]))
	}
	p.Height = max(60, min(16*len(warps), 640))
	series := make([]Series, trace.NumIssueUnits)
	for u := range series {
		series[u] = Series{Name: trace.IssueUnit(u).String(), Mark: MarkBox, Color: unitColors[u]}
	}
	busy := [trace.NumIssueUnits]int64{}
	for _, x := range all {
		busy[x.Unit] += x.to - x.from
		tip := []string{fmt.Sprintf("clock %.4g, %s for %.4g", float64(x.at)*ratio, x.Unit, float64(x.Busy)*ratio)}
		if x.Line >= 0 && int(x.Line) < len(d.Lines) {
			l := d.Lines[x.Line]
			tip = append(tip, l.Text)
			if l.Source != "" {
				tip = append(tip, l.Source)
			}
		}
		row := float64(rows[warp{x.Block, x.Warp}])
		series[x.Unit].Boxes = append(series[x.Unit].Boxes, Box{X0: float64(x.from) * ratio, X1: float64(x.to) * ratio,
			Y0: row - laneThick/2, Y1: row + laneThick/2, Tip: tip})
	}
	shares := ""
	for u, s := range series {
		if len(s.Boxes) == 0 {
			continue
		}
		p.Series = append(p.Series, s)
		shares += fmt.Sprintf(", %s %.0f %%", s.Name, 100*float64(busy[u])/float64(to-from)/float64(max(1, k.Stats.Schedulers)))
	}
	c := &Chart{
		kernel: k.Name, terms: []string{"warp", "SM", "special function unit"}, logs: logs,
		Title:    "What the warps of an SM issue, kernel " + k.Name,
		Subtitle: fmt.Sprintf("%s on %s, cycles %d to %d", k.Name, k.Device, from, to),
		Panels:   []Panel{p},
	}
	if shares != "" {
		c.Notes = append(c.Notes, "Of the window units are taken for: "+shares[2:]+", of each scheduler's on average. A box lasts until the unit takes another instruction. The times are modelled.")
	}
	if window.Cut && to > last || from < window.From || to > window.To && window.To < k.Stats.Cycles {
		c.Notes = append(c.Notes, fmt.Sprintf("Instructions of cycles %d to %d are kept: simgpu.Window names others.", window.From, min(last, window.To-1)))
	}
	return c
}
