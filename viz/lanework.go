package viz

import (
	"fmt"
	"math"
	"strings"
)

// maxCellValues is how many cells numbers are written in.
const maxCellValues = 1200

// Lanes draws which lanes work when: an array of two axes, a row for each step, or each warp, and a column for each
// lane, or each thread. What is not 0 works, 0 is idle, NaN is not a lane at all. [CellValues] writes numbers into the
// cells:
//
//	viz.Lanes(working, viz.CellValues(sums), viz.YLabel("step"))
func Lanes(work any, opts ...Option) *Chart {
	vals, shape, err := values("the array", work)
	if err == nil && (len(shape) != 2 || len(vals) == 0) {
		err = fmt.Errorf("the array has shape %v; want two axes: steps or warps, and lanes", shape)
	}
	if err == nil && len(vals) > maxCells {
		err = fmt.Errorf("the array has %s lanes in all; want at most %s: take some rows", count(len(vals)), count(maxCells))
	}
	if err != nil {
		return failed("Lanes: %w", err)
	}
	rows, cols := shape[0], shape[1]
	c := &Chart{Panels: []Panel{{
		Height: min(440, max(60, 26*rows)),
		X:      Axis{Label: "lane", Min: -0.5, Max: float64(cols) - 0.5},
		Y:      Axis{Label: "step", Down: true, Min: -0.5, Max: float64(rows) - 0.5},
	}}}
	for _, o := range opts {
		o(c)
	}
	p := &c.Panels[0]
	if c.cells == nil {
		p.Height = min(p.Height, max(60, 10*rows))
	}
	if p.X.Log || p.Y.Log {
		return failed("Lanes: cells are of equal size, so axes cannot be logarithmic")
	}
	at, idle := Series{Name: "at work", Mark: MarkBox, Color: green}, Series{Name: "idle", Mark: MarkBox, Color: restColor}
	g := &Grid{Cols: cols, Rows: rows, X0: -0.5, X1: p.X.Max, Y0: -0.5, Y1: p.Y.Max, Z: make([]float64, len(vals))}
	working, lanes := 0, 0
	for i, v := range vals {
		switch {
		case math.IsNaN(v):
			g.Z[i] = v
		case v != 0:
			g.Z[i] = 1
			working, lanes = working+1, lanes+1
		default:
			lanes++
		}
	}
	if c.cells == nil {
		p.Series, p.keys = []Series{{Mark: MarkGrid, Grid: g}}, []Series{at, idle}
		p.Scale = &Scale{Label: "at work", Max: 1, Colors: []string{restColor, green}, hidden: true, words: []string{"idle", "at work", "no lane"}}
	} else if err := p.cellBoxes(c.cells, shape, g, at, idle); err != nil {
		return failed("Lanes: %w", err)
	}
	if n := p.unwritten(cols); n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s numbers do not fit into their cells and may be left out or cut: rest the pointer on a cell for its number.", count(n)))
	}
	if p.text == nil {
		p.text = laneText(g, nil)
	}
	c.Title = or(c.Title, "Lanes at work")
	if lanes > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s of %s at work: %.1f %%.", count(working), count(lanes), 100*float64(working)/float64(lanes)))
	}
	return c
}

// CellValues writes the numbers of an array of the same shape into the cells of [Lanes].
//
// For example:
//
//	viz.Lanes(works, viz.CellValues(sums)) // the numbers in the cells
func CellValues(a any) Option { return func(c *Chart) { c.cells = a } }

// cellBoxes makes a box of each cell of g, with its number.
func (p *Panel) cellBoxes(cells any, shape []int, g *Grid, at, idle Series) error {
	nums, got, err := values("CellValues", cells)
	if err != nil {
		return err
	}
	if len(got) != 2 || got[0] != shape[0] || got[1] != shape[1] {
		return fmt.Errorf("CellValues has shape %v and the lanes %v; they must be equal", got, shape)
	}
	if len(nums) > maxCellValues {
		return fmt.Errorf("%s cells are too many to write numbers in; want at most %s", count(len(nums)), count(maxCellValues))
	}
	for i, z := range g.Z {
		if math.IsNaN(z) {
			continue
		}
		row, col := float64(i/g.Cols), float64(i%g.Cols)
		b := Box{X0: col - 0.5, X1: col + 0.5, Y0: row - 0.5, Y1: row + 0.5, Label: shortNumber(nums[i])}
		s, does := &idle, "idle"
		if z == 1 {
			s, does = &at, "at work"
		}
		b.Tip = []string{fmt.Sprintf("%s %.0f, %s %.0f: %s", or(p.Y.Label, "row"), row, or(p.X.Label, "column"), col, does), number(nums[i])}
		s.Boxes = append(s.Boxes, b)
	}
	for _, s := range []Series{at, idle} {
		if len(s.Boxes) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	p.text = laneText(g, nums)
	return nil
}

// unwritten counts the labels that have no room in their cells, in a picture of the usual width.
func (p *Panel) unwritten(cols int) (n int) {
	room := float64(width-80)/float64(cols) - 2
	for _, s := range p.Series {
		for _, b := range s.Boxes {
			if b.Label != "" && textLength(b.Label, textSize-1) >= room {
				n++
			}
		}
	}
	return n
}

// laneText writes a row a line: numbers, or blocks, where lanes work, points where they are idle.
func laneText(g *Grid, nums []float64) []string {
	cell, wide := func(int) string { return "█" }, 1
	if nums != nil {
		cell = func(i int) string { return shortNumber(nums[i]) }
		for i := range nums {
			wide = max(wide, len(shortNumber(nums[i]))+1)
		}
	}
	lines := make([]string, g.Rows)
	for r := range lines {
		var b strings.Builder
		fmt.Fprintf(&b, "%*d │", len(fmt.Sprint(g.Rows-1)), r)
		for i := r * g.Cols; i < (r+1)*g.Cols; i++ {
			s := "·"
			switch z := g.Z[i]; {
			case math.IsNaN(z):
				s = " "
			case z == 1:
				s = cell(i)
			}
			fmt.Fprintf(&b, "%*s", wide, s)
		}
		lines[r] = b.String() + "│"
	}
	return lines
}
