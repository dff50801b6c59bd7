package viz

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// maxPlayed is how many instructions of a warp are drawn.
const maxPlayed = 240

// Reconvergence draws the way of one warp of the longest kernel of the logs: a column for each instruction that it
// issued, a row for each lane, green where the lane took part. Where lanes part, the two sides issue one after the
// other; where they meet again, all take part. The live chart plays it: press ▶, or drag the slider. The warp is the
// one of the sample whose lanes parted most often. [ReconvergenceOf] draws another kernel.
//
// For example:
//
//	gpu.Launch(ways, 8, 64, x, 4).Eval()
//	viz.Reconvergence()
func Reconvergence(logs ...*trace.Log) *Chart { return ReconvergenceOf("", logs...) }

// ReconvergenceOf is [Reconvergence] of the longest kernel whose name contains name.
func ReconvergenceOf(name string, logs ...*trace.Log) *Chart {
	logs, err := logsOrLast(logs)
	if err != nil {
		return &Chart{Err: err}
	}
	k, others, err := pickDetail("Reconvergence", "ReconvergenceOf", name, logs, func(d *trace.Detail) bool { return d.Walk != nil && len(d.Walk.Steps) > 0 })
	if err != nil {
		return &Chart{Err: err}
	}
	d, w, warp := k.Stats.Detail, k.Stats.Detail.Walk, k.Stats.WarpSize
	code := map[int][]int{} // lines of each basic block
	for i, l := range d.Lines {
		code[l.Block] = append(code[l.Block], i)
	}
	pl := &player{Lanes: warp}
	number := map[int]int{} // of lines, in the player
	type column struct{ lanes, live uint64 }
	var cols []column
	strip := [2]Series{{Mark: MarkBox, Color: grey}, {Mark: MarkBox, Color: paleGrey}} // neighbours differ
	parts, cut := 0, w.Cut
	for i, s := range w.Steps {
		lines := code[s.Block]
		if len(cols)+len(lines) > maxPlayed {
			cut = true
			break
		}
		if s.Lanes != s.Live {
			parts++
		}
		from := len(cols)
		tip := []string{fmt.Sprintf("basic block b%d: %d of %d lanes", s.Block, bits.OnesCount64(s.Lanes), bits.OnesCount64(s.Live))}
		for _, n := range lines {
			if _, ok := number[n]; !ok {
				number[n] = len(pl.Lines)
				pl.Lines = append(pl.Lines, stepText(d.Lines[n]))
			}
			cols = append(cols, column{s.Lanes, s.Live})
			pl.Steps = append(pl.Steps, played{number[n], bits.OnesCount64(s.Lanes), bits.OnesCount64(s.Live)})
			if len(tip) < 14 {
				tip = append(tip, d.Lines[n].Text)
			}
		}
		if len(cols) > from {
			sr := &strip[i%2]
			sr.Boxes = append(sr.Boxes, Box{X0: float64(from), X1: float64(len(cols)), Y0: -laneThick / 2, Y1: laneThick / 2, Label: fmt.Sprintf("b%d", s.Block), Tip: tip})
		}
	}
	if len(cols) == 0 {
		return failed("Reconvergence: the first basic block of kernel %s has more than %d instructions", k.Name, maxPlayed)
	}
	g := &Grid{Cols: len(cols), Rows: warp, X1: float64(len(cols)), Y0: -0.5, Y1: float64(warp) - 0.5, Z: make([]float64, len(cols)*warp)}
	active := 0
	for x, col := range cols {
		active += bits.OnesCount64(col.lanes)
		for lane := range warp {
			z := &g.Z[lane*len(cols)+x]
			switch bit := uint64(1) << lane; {
			case col.lanes&bit != 0:
				*z = 1
			case col.live&bit == 0:
				*z = math.NaN()
			}
		}
	}
	x := Axis{Label: "instructions that the warp issued", Max: float64(len(cols))}
	if w.Skipped > 0 {
		x.Label += fmt.Sprintf(", after %s basic blocks that are not drawn", count(w.Skipped))
	}
	top := Axis{Max: x.Max, Hidden: true}
	c := &Chart{
		kernel:   k.Name,
		terms:    []string{"divergence", "reconvergence", "active lanes"},
		Title:    "The path of a warp through kernel " + k.Name,
		Subtitle: fmt.Sprintf("warp %d of block %d on %s, policy %s: %.3g of %d lanes active on average", w.Warp, w.Block, k.Device, w.Policy, float64(active)/float64(len(cols)), warp),
		Panels: []Panel{
			{X: top, Height: laneHeight, Y: Axis{Categories: []string{"basic block"}}, Series: strip[:], text: []string{}},
			{X: x, Height: max(120, 7*warp), Y: Axis{Label: "lane", Down: true}, Series: []Series{{Mark: MarkGrid, Grid: g}}, text: lanesText(g, x.Label),
				Scale: &Scale{Label: "lane", Max: 1, Colors: []string{restColor, green}, hidden: true, words: []string{"waits for other lanes", "executes the instruction", "has returned"}},
				keys:  []Series{{Name: "executes the instruction", Mark: MarkBox, Color: green}, {Name: "waits for other lanes", Mark: MarkBox, Color: restColor}}},
		},
		linked: true,
		player: pl,
		logs:   logs,
	}
	if parts == 0 {
		c.Notes = append(c.Notes, "The lanes never diverge here: all that have not returned take the same path.")
	} else {
		c.Notes = append(c.Notes, "Empty: the lane has returned. The model's divergence policy chooses the path; waits between instructions are left out.")
	}
	if cut {
		c.Notes = append(c.Notes, fmt.Sprintf("The first %d instructions from there; the warp goes on.", len(cols)))
	}
	c.Notes = append(c.Notes, sampleNote(k, "The warp whose lanes diverge most often"))
	if others != "" {
		c.Notes = append(c.Notes, others)
	}
	return c
}

// lanesText is the grid for terminals: a row for each lane, █ where it executes an instruction, · where it waits for
// others, blank where it has returned. A character stands for several instructions where there are more than the window
// has room for.
func lanesText(g *Grid, below string) []string {
	wide := min(g.Cols, plotWidth(5))
	out := []string{"lane"}
	for lane := range g.Rows {
		row := make([]rune, wide)
		for c := range row {
			row[c] = ' '
			for x := c * g.Cols / wide; x < (c+1)*g.Cols/wide; x++ {
				switch z := g.Z[lane*g.Cols+x]; {
				case z == 1:
					row[c] = '█'
				case z == 0 && row[c] == ' ':
					row[c] = '·'
				}
			}
		}
		out = append(out, fmt.Sprintf("%3d │%s│", lane, string(row)))
	}
	return append(out, "    "+below, "█ executes the instruction, · waits for other lanes, blank: has returned")
}
