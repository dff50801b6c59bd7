package viz

import (
	"fmt"
	"sort"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// maxLines is how many lines of a kernel are drawn at most: those that cost the most.
const maxLines = 44

// Source draws the code of the longest kernel of the logs (by default: of the last evaluation), and beside each line
// what it cost: its share of the instructions; how many of a warp's lanes were active; at branches, how often lanes
// parted; at loads and stores, how much of what was moved had been asked for. [SourceOf] draws another kernel.
//
// Fused kernels have no Go source. Their lines are the operations that run, after optimisation.
func Source(logs ...*trace.Log) *Chart { return SourceOf("", logs...) }

// SourceOf is [Source] of the longest kernel whose name contains name.
func SourceOf(name string, logs ...*trace.Log) *Chart {
	logs, err := logsOrLast(logs)
	if err != nil {
		return &Chart{Err: err}
	}
	k, others, err := pickDetail("Source", "SourceOf", name, logs, func(d *trace.Detail) bool { return len(costly(d)) > 0 })
	if err != nil {
		return &Chart{Err: err}
	}
	lines := costly(k.Stats.Detail)
	c := &Chart{Title: "Cost of each line of kernel " + k.Name, Subtitle: launchOf(k), logs: logs, terms: []string{"coalescing", "sector", "bank conflict", "divergence"}}
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
	if all := len(withCost(k.Stats.Detail)); len(lines) < all {
		c.Notes = append(c.Notes, fmt.Sprintf("The %d lines with the most instructions of %d.", len(lines), all))
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

// costly returns the lines to draw, in the order of the code.
func costly(d *trace.Detail) []trace.Line {
	lines := withCost(d)
	if len(lines) <= maxLines {
		return lines
	}
	at := make([]int, len(lines))
	for i := range at {
		at[i] = i
	}
	sort.SliceStable(at, func(i, j int) bool { return lines[at[i]].Issued > lines[at[j]].Issued })
	at = at[:maxLines]
	sort.Ints(at)
	out := make([]trace.Line, maxLines)
	for i, k := range at {
		out[i] = lines[k]
	}
	return out
}

// sourceText is a line as it stands beside its bars.
func sourceText(l trace.Line) string {
	s := fmt.Sprintf("b%d  %s", l.Block, l.Text)
	if l.Source != "" { // what a person wrote says more than the operation, which the tip has
		return cutTo(46, shortPos(l.Pos)+"  "+l.Source)
	}
	if l.Pos != "" {
		s = shortPos(l.Pos) + "  " + l.Text
	}
	if l.Note != "" {
		s += "  // " + l.Note
	}
	return cutTo(46, s)
}

func cutTo(n int, s string) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

var wholePos = lazyregexp.New(`^(?:.*[/\\])?(.*?)(?:, line |:)(\d+)(?:(?:, column |:)\d+)?$`)

// shortPos is a position without folders and column: "cell 3:12", "saxpy.go:12".
func shortPos(pos string) string {
	if m := wholePos.FindStringSubmatch(pos); m != nil {
		return m[1] + ":" + m[2]
	}
	return pos
}

// sourcePanels makes the columns. A bar that is less than all it could be is followed by a pale one, so that one sees
// of how much.
func sourcePanels(lines []trace.Line, warp int) []Panel {
	var names []string
	most, total := int64(0), int64(0)
	for _, l := range lines {
		names = append(names, sourceText(l))
		most, total = max(most, l.Issued), total+l.Issued
	}
	height := max(60, 17*len(lines))
	column := func(name, of100 string, top float64, color func(v float64) string, of func(trace.Line) (v float64, label string, ok bool)) Panel {
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
		column("instructions", "% of all", top, plain(green), func(l trace.Line) (float64, string, bool) {
			v := 100 * float64(l.Issued) / float64(total)
			return v, fmt.Sprintf("%.3g", v), true
		}),
		column("active lanes", fmt.Sprintf("of %d lanes", warp), float64(warp), func(v float64) string {
			return issueColors[min(trace.IssueBins-1, max(0, (int(v+0.999)*trace.IssueBins+warp-1)/warp-1))]
		}, func(l trace.Line) (float64, string, bool) {
			v := float64(l.Lanes) / float64(l.Issued)
			return v, fmt.Sprintf("%.3g", v), true
		}),
	}
	for _, l := range lines {
		if l.Branches > 0 {
			panels = append(panels, column("lanes part", "% of branches", 100, plain(lossColor), func(l trace.Line) (float64, string, bool) {
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
			panels = append(panels, column("bytes asked for", "% of bytes moved", 100, plain(blue), func(l trace.Line) (float64, string, bool) {
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

// lineTip is what hovering over a line shows.
func lineTip(l trace.Line, warp int, total int64) []string {
	tip := []string{l.Text, fmt.Sprintf("basic block b%d", l.Block)}
	if l.Note != "" {
		tip[0] += "  // " + l.Note
	}
	if l.Pos != "" {
		tip = append(tip, "from "+l.Pos)
	}
	tip = append(tip, fmt.Sprintf("%s warp instructions, %.3g %% of those drawn", count(int(l.Issued)), 100*float64(l.Issued)/float64(total)),
		fmt.Sprintf("%.3g of %d lanes active on average", float64(l.Lanes)/float64(l.Issued), warp))
	if l.Branches > 0 {
		tip = append(tip, fmt.Sprintf("lanes parted %s of %s times", count(int(l.Parted)), count(int(l.Branches))))
	}
	if l.Sectors > 0 {
		tip = append(tip, fmt.Sprintf("%s asked for, %s moved in %s sectors: %.3g %%", byteSize(l.Bytes), byteSize(l.Sectors*trace.SectorBytes), count(int(l.Sectors)), 100*float64(l.Bytes)/float64(l.Sectors*trace.SectorBytes)),
			fmt.Sprintf("%.3g sectors an access; %.3g %% of them found in L1", float64(l.Sectors)/float64(l.Requests), 100*float64(l.L1Hits)/float64(l.Sectors)))
	}
	if l.Conflicts > 0 {
		tip = append(tip, fmt.Sprintf("%s extra passes over shared memory for bank conflicts", count(int(l.Conflicts))))
	}
	return tip
}

// sourceLines is the table for terminals.
func sourceLines(lines []trace.Line, warp int, total int64) []string {
	out := []string{fmt.Sprintf("%6s %6s %6s %6s", "instr.", "lanes", "parts", "bytes")}
	for _, l := range lines {
		part, use := "", ""
		if l.Branches > 0 {
			part = fmt.Sprintf("%.0f%%", 100*float64(l.Parted)/float64(l.Branches))
		}
		if l.Sectors > 0 {
			use = fmt.Sprintf("%.0f%%", 100*float64(l.Bytes)/float64(l.Sectors*trace.SectorBytes))
		}
		out = append(out, fmt.Sprintf("%5.1f%% %6.3g %6s %6s  %s", 100*float64(l.Issued)/float64(total), float64(l.Lanes)/float64(l.Issued), part, use, sourceText(l)))
	}
	return append(out, fmt.Sprintf("instr.: share of the instructions; lanes: active of %d; parts: branches at which lanes part; bytes: of those moved, asked for", warp))
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
	for _, k := range []Series{{Name: "lanes part", Color: lossColor}, {Name: "asked for", Color: blue}, {Name: "the rest", Color: restColor}} {
		if drawn[k.Color] {
			keys = append(keys, k)
		}
	}
	for i := range keys {
		keys[i].Mark = MarkBox
	}
	return keys
}
