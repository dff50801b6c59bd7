package viz

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Source draws the source of the longest kernel of the logs (by default: of the last evaluation), and beside each line
// what it cost: its share of the instructions; how many of a warp's lanes were active; at branches, how often lanes
// parted; at loads and stores, how much of what was moved had been asked for. [SourceOf] draws another kernel.
//
// Lines are those of the Go function, or the array operations of a fused kernel. Hovering over one shows the operations
// that the compiler made of it; [OperationsOf] draws each of them.
//
// For example:
//
//	gpu.Launch(saxpy, 4, 256, 2.5, x, y).Eval()
//	viz.Source()
func Source(logs ...*trace.Log) *Chart { return SourceOf("", logs...) }

// SourceOf is [Source] of the longest kernel whose name contains name.
func SourceOf(name string, logs ...*trace.Log) *Chart {
	return sourceChart("Source", "SourceOf", name, "Cost of each line of kernel ", logs, bySource)
}

// OperationsOf is [SourceOf] with a line for each operation of the kernel as it runs, after optimisation: kir's text.
//
// For example:
//
//	viz.OperationsOf("saxpy") // after optimisation
func OperationsOf(name string, logs ...*trace.Log) *Chart {
	return sourceChart("OperationsOf", "OperationsOf", name, "Cost of each operation of kernel ", logs, byOperation)
}

func sourceChart(what, of, name, title string, logs []*trace.Log, rows func([]trace.Line) []sourceRow) *Chart {
	logs, err := logsOrLast(logs)
	if err != nil {
		return &Chart{Err: err}
	}
	k, others, err := pickDetail(what, of, name, logs, func(d *trace.Detail) bool { return len(withCost(d)) > 0 })
	if err != nil {
		return &Chart{Err: err}
	}
	all := rows(withCost(k.Stats.Detail))
	lines := costly(all)
	c := &Chart{Title: title + k.Name, Subtitle: launchOf(k), logs: logs, kernel: k.Name, terms: []string{"coalescing", "sector", "bank conflict", "divergence"}}
	c.Panels = sourcePanels(lines, k.Stats.WarpSize)
	var requests, sectors, asked, issued, lanes int64
	for _, l := range lines {
		requests, sectors, asked = requests+l.Requests, sectors+l.Sectors, asked+l.Bytes
		issued, lanes = issued+l.Issued, lanes+l.Lanes
	}
	c.Notes = append(c.Notes, fmt.Sprintf("In all: %.3g of %d lanes active on average.", float64(lanes)/float64(issued), k.Stats.WarpSize))
	if sectors > 0 {
		c.Notes[0] += fmt.Sprintf(" Loads and stores asked for %s and moved %s in sectors of %d bytes: %.0f %%.",
			byteSize(asked), byteSize(sectors*trace.SectorBytes), trace.SectorBytes, 100*float64(asked)/float64(sectors*trace.SectorBytes))
	}
	if len(lines) < len(all) {
		c.Notes = append(c.Notes, fmt.Sprintf("The %d lines with the most instructions of %d.", len(lines), len(all)))
	}
	c.Notes = append(c.Notes, fmt.Sprintf("Counts of all %s blocks.", count(k.Stats.TotalBlocks)))
	if others != "" {
		c.Notes = append(c.Notes, others)
	}
	return c
}

func withCost(d *trace.Detail) []trace.Line {
	var out []trace.Line
	for _, l := range d.Lines {
		if l.Issued > 0 {
			out = append(out, l)
		}
	}
	return out
}

// sourcePanels makes the columns. A bar that is less than all it could be is followed by a pale one, so that one sees
// of how much.
func sourcePanels(lines []sourceRow, warp int) []Panel {
	var names []string
	most, total := int64(0), int64(0)
	for _, l := range lines {
		names = append(names, cutTo(46, l.text))
		most, total = max(most, l.Issued), total+l.Issued
	}
	height := max(60, 17*len(lines))
	column := func(name, of100 string, top float64, color func(v float64) string, of func(sourceRow) (v float64, label string, ok bool)) Panel {
		p := Panel{Height: height, Beside: true, X: Axis{Label: of100, Max: top, Step: top / 2}, Y: Axis{Label: name, Categories: names, Hidden: true}}
		series, at := map[string]*Series{}, []string{}
		put := func(color string, b Box) {
			if series[color] == nil {
				series[color] = &Series{Mark: MarkBox, Color: color}
				at = append(at, color)
			}
			series[color].Boxes = append(series[color].Boxes, b)
		}
		for i, l := range lines {
			v, text, ok := of(l)
			if !ok {
				continue
			}
			y0, y1 := float64(i)-laneThick/2, float64(i)+laneThick/2
			v = min(v, top)
			if v > 0 {
				put(color(v), Box{X0: 0, X1: v, Y0: y0, Y1: y1, Label: text})
			}
			if v < top {
				put(restColor, Box{X0: v, X1: top, Y0: y0, Y1: y1})
			}
		}
		for _, c := range at {
			p.Series = append(p.Series, *series[c])
		}
		return p
	}
	plain := func(c string) func(float64) string { return func(float64) string { return c } }
	share := 100 * float64(most) / float64(total)
	top := niceSpan(0, share, 2).max
	panels := []Panel{
		column("issued", "% of all", top, plain(green), func(l sourceRow) (float64, string, bool) {
			v := 100 * float64(l.Issued) / float64(total)
			return v, fmt.Sprintf("%.3g", v), true
		}),
		column("active lanes", fmt.Sprintf("of %d lanes", warp), float64(warp), func(v float64) string {
			return issueColors[min(trace.IssueBins-1, max(0, (int(v+0.999)*trace.IssueBins+warp-1)/warp-1))]
		}, func(l sourceRow) (float64, string, bool) {
			v := float64(l.Lanes) / float64(l.Issued)
			return v, fmt.Sprintf("%.3g", v), true
		}),
	}
	for _, l := range lines {
		if l.Branches > 0 {
			panels = append(panels, column("lanes diverge", "% of branches", 100, plain(lossColor), func(l sourceRow) (float64, string, bool) {
				if l.Branches == 0 {
					return 0, "", false
				}
				v := 100 * float64(l.Parted) / float64(l.Branches)
				return v, fmt.Sprintf("%.3g", v), true
			}))
			break
		}
	}
	for _, l := range lines {
		if l.Sectors > 0 {
			panels = append(panels, column("bytes asked for", "% of bytes moved", 100, plain(blue), func(l sourceRow) (float64, string, bool) {
				if l.Sectors == 0 {
					return 0, "", false
				}
				v := 100 * float64(l.Bytes) / float64(l.Sectors*trace.SectorBytes)
				return v, fmt.Sprintf("%.3g", v), true
			}))
			break
		}
	}
	panels[0].Beside, panels[0].Y.Hidden = false, false
	panels[0].keys = sourceKeys(panels)
	for _, l := range lines {
		panels[0].tips = append(panels[0].tips, lineTip(l, warp, total))
	}
	panels[0].text = sourceLines(lines, warp, total)
	for i := range panels[1:] {
		panels[i+1].text = []string{}
	}
	return panels
}

// shownOperations is how many operations of a line hovering shows.
const shownOperations = 10

// lineTip is what hovering over a line shows.
func lineTip(l sourceRow, warp int, total int64) []string {
	tip := []string{l.text}
	if l.Pos != "" {
		tip = append(tip, "from "+l.Pos)
	}
	tip = append(tip, fmt.Sprintf("%s warp instructions, %.3g %% of those drawn", count(int(l.Issued)), 100*float64(l.Issued)/float64(total)),
		fmt.Sprintf("%.3g of %d lanes active on average", float64(l.Lanes)/float64(l.Issued), warp))
	if l.Branches > 0 {
		tip = append(tip, fmt.Sprintf("lanes diverged %s of %s times", count(int(l.Parted)), count(int(l.Branches))))
	}
	if l.Sectors > 0 {
		tip = append(tip, fmt.Sprintf("%s asked for, %s moved in %s sectors: %s", byteSize(l.Bytes), byteSize(l.Sectors*trace.SectorBytes), count(int(l.Sectors)), percent(100*float64(l.Bytes)/float64(l.Sectors*trace.SectorBytes))),
			fmt.Sprintf("%.3g sectors an access; %.3g %% of them found in L1", float64(l.Sectors)/float64(l.Requests), 100*float64(l.L1Hits)/float64(l.Sectors)))
	}
	if l.Conflicts > 0 {
		tip = append(tip, fmt.Sprintf("%s extra passes over shared memory for bank conflicts", count(int(l.Conflicts))))
	}
	if len(l.operations) > 1 || l.operations[0] != l.text {
		tip = append(tip, "as it runs:")
		tip = append(tip, l.operations[:min(len(l.operations), shownOperations)]...)
		if more := len(l.operations) - shownOperations; more > 0 {
			tip = append(tip, fmt.Sprintf("… and %d more: viz.OperationsOf draws all", more))
		}
	}
	return tip
}

// sourceLines is the table for terminals.
func sourceLines(lines []sourceRow, warp int, total int64) []string {
	wide := len("line")
	for _, l := range lines {
		wide = max(wide, utf8.RuneCountInString(cutTo(46, l.text)))
	}
	out := []string{fmt.Sprintf("%-*s %6s %6s %6s %6s", wide, "line", "instr.", "lanes", "div.", "bytes")}
	for _, l := range lines {
		part, use := "", ""
		if l.Branches > 0 {
			part = fmt.Sprintf("%.0f%%", 100*float64(l.Parted)/float64(l.Branches))
		}
		if l.Sectors > 0 {
			use = fmt.Sprintf("%.0f%%", 100*float64(l.Bytes)/float64(l.Sectors*trace.SectorBytes))
		}
		out = append(out, strings.TrimRight(fmt.Sprintf("%-*s %5.1f%% %6.3g %6s %6s", wide, cutTo(46, l.text), 100*float64(l.Issued)/float64(total), float64(l.Lanes)/float64(l.Issued), part, use), " "))
	}
	return append(out, fmt.Sprintf("instr.: share of the instructions; lanes: active of %d; div.: branches at which lanes diverge; bytes: of those moved, asked for", warp))
}

// sourceKeys is the legend of the columns' colours.
func sourceKeys(panels []Panel) []Series {
	drawn := map[string]bool{}
	for _, p := range panels {
		for _, s := range p.Series {
			drawn[s.Color] = true
		}
	}
	keys := []Series{{Name: "instructions, all lanes active", Color: green}}
	for bin := trace.IssueBins - 2; bin >= 0; bin-- { // the fullest stands for its paler kin
		if drawn[issueColors[bin]] {
			keys = append(keys, Series{Name: "some lanes idle", Color: issueColors[bin]})
			break
		}
	}
	for _, k := range []Series{{Name: "lanes diverge", Color: lossColor}, {Name: "asked for", Color: blue}, {Name: "the rest", Color: restColor}} {
		if drawn[k.Color] {
			keys = append(keys, k)
		}
	}
	for i := range keys {
		keys[i].Mark = MarkBox
	}
	return keys
}
