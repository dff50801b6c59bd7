package viz

import (
	"fmt"
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

// Issue draws what the warps of an SM issue, of the longest kernel of the logs: a row for each warp, a column for each
// clock of the lanes in the first 160 cycles of the schedulers, the colour is the unit. A box is as long as the unit
// takes no other instruction: on machines whose schedulers have half the lanes' clock, an instruction for the lanes
// takes two of the schedulers' cycles, so that one for the special function units fits in between. [IssueOf] draws
// other cycles, and other kernels.
//
// For example:
//
//	np.Use("sim:g80")
//	gpu.Launch(nbody, 16, 64, pos, acc).Eval()
//	viz.Issue()
func Issue(logs ...*trace.Log) *Chart { return IssueOf("", 0, issueWindow, logs...) }

// IssueOf is [Issue] of the longest kernel whose name contains name, in the cycles of the schedulers from one on and
// before another, from the start of the kernel. The first 1,024 instructions of an SM are kept.
func IssueOf(name string, from, to int, logs ...*trace.Log) *Chart {
	logs, err := logsOrLast(logs)
	if err != nil {
		return &Chart{Err: err}
	}
	if from < 0 || to <= from || to-from > 4096 {
		return failed("IssueOf: cycles %d to %d: give the first and the one behind the last, 4,096 at most", from, to)
	}
	k, others, err := pickDetail("Issue", "IssueOf", name, logs, func(d *trace.Detail) bool { return len(d.Issues) > 0 })
	if err != nil {
		return &Chart{Err: err}
	}
	d := k.Stats.Detail
	last := int(d.Issues[len(d.Issues)-1].Cycle)
	if from > last {
		return failed("IssueOf: the instructions that are kept of kernel %s end in cycle %d; the window begins in cycle %d", k.Name, last, from)
	}
	ratio := d.LaneClock
	if ratio == 0 {
		ratio = 1
	}
	type warp struct{ block, number int32 }
	rows := map[warp]int{}
	p := Panel{X: Axis{Label: "time" + times(k), Unit: "clocks of the lanes", Min: float64(from) * ratio, Max: float64(to) * ratio}}
	if ratio == 1 {
		p.X.Unit = "cycles"
	}
	var seen []warp
	for _, i := range d.Issues {
		if w := (warp{i.Block, int32(i.Warp)}); int(i.Cycle) < to && int(i.Cycle)+int(i.Busy) > from && !slices.Contains(seen, w) {
			seen = append(seen, w)
		}
	}
	slices.SortFunc(seen, func(a, b warp) int {
		if a.block != b.block {
			return int(a.block - b.block)
		}
		return int(a.number - b.number)
	})
	for i, w := range seen {
		rows[w] = i
		p.Y.Categories = append(p.Y.Categories, fmt.Sprintf("block %d, warp %d", w.block, w.number))
	}
	p.Height = max(60, min(16*len(seen), 640))
	series := make([]Series, trace.NumIssueUnits)
	for u := range series {
		series[u] = Series{Name: trace.IssueUnit(u).String(), Mark: MarkBox, Color: unitColors[u]}
	}
	count := make([]int, len(seen))
	busy := [trace.NumIssueUnits]int{}
	for _, i := range d.Issues {
		row, ok := rows[warp{i.Block, int32(i.Warp)}]
		if !ok || int(i.Cycle) >= to || int(i.Cycle)+int(i.Busy) <= from {
			continue
		}
		count[row]++
		x0, x1 := max(int(i.Cycle), from), min(int(i.Cycle)+int(i.Busy), to)
		busy[i.Unit] += x1 - x0
		tip := []string{fmt.Sprintf("clock %.4g, %s for %.4g", float64(i.Cycle)*ratio, i.Unit, float64(i.Busy)*ratio)}
		if int(i.Line) < len(d.Lines) {
			l := d.Lines[i.Line]
			tip = append(tip, l.Text)
			if l.Source != "" {
				tip = append(tip, l.Source)
			}
		}
		series[i.Unit].Boxes = append(series[i.Unit].Boxes, Box{X0: float64(x0) * ratio, X1: float64(x1) * ratio,
			Y0: float64(row) - laneThick/2, Y1: float64(row) + laneThick/2, Tip: tip})
	}
	for _, n := range count {
		p.lanes = append(p.lanes, fmt.Sprintf("%d instructions", n))
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
	if to > last && len(d.Issues) == cap1024 {
		c.Notes = append(c.Notes, fmt.Sprintf("The first %d instructions are kept, the last of them in cycle %d.", len(d.Issues), last))
	}
	if others != "" {
		c.Notes = append(c.Notes, others)
	}
	return c
}

// cap1024 is how many instructions simulated GPUs keep.
const cap1024 = 1024
