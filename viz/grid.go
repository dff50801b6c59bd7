package viz

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Grid is a table of coloured cells of equal size, from X0 to X1 and Y0 to Y1.
type Grid struct {
	Cols, Rows     int
	X0, X1, Y0, Y1 float64
	Z              []float64 // of each cell, row by row from Y0 on; NaN is empty
	RGB            []byte    // three for each cell, instead of Z
}

// maxCells is what one grid draws at most: a cell of 1 by 1 pixel would be 140,000, but each takes a number in the
// page.
const maxCells = 40_000

// image draws the cells as one pixel each; the first row is at the top when the axis goes down.
func (g *Grid) image(s *Scale, down bool) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, g.Cols, g.Rows))
	for r := range g.Rows {
		y := g.Rows - 1 - r
		if down {
			y = r
		}
		for c := range g.Cols {
			at := r*g.Cols + c
			if g.RGB != nil {
				img.SetNRGBA(c, y, color.NRGBA{g.RGB[3*at], g.RGB[3*at+1], g.RGB[3*at+2], 255})
				continue
			}
			img.SetNRGBA(c, y, s.colour(g.Z[at]))
		}
	}
	return img
}

// grid draws g as a picture.
func (p painter) grid(g *Grid, s *Scale, at geometry) {
	x0, x1, y0, y1 := at.x(g.X0), at.x(g.X1), at.y(g.Y0), at.y(g.Y1)
	img := zoomed(g.image(s, at.down), int(math.Round(x1-x0)), int(math.Round(math.Abs(y1-y0))))
	p.DrawImage(vg.Rectangle{Min: p.pt(x0, max(y0, y1)), Max: p.pt(x1, min(y0, y1))}, img)
}

// pageGrid is a Grid for runtime.js: the values with four digits, which is what hovering shows, or the colours.
type pageGrid struct {
	Cols int     `json:"cols"`
	Rows int     `json:"rows"`
	Box  [4]num  `json:"box"`
	Z    []digit `json:"z,omitempty"`
	RGB  []byte  `json:"rgb,omitempty"` // base64
	Down bool    `json:"down"`
}

// digit is a number with four digits.
type digit float64

func (v digit) MarshalJSON() ([]byte, error) {
	if !finite(float64(v)) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(v), 'g', 4, 64), nil
}

func pageGridOf(p Panel) *pageGrid {
	for _, s := range p.Series {
		if p.X.Time {
			s = inMilliseconds(s)
		}
		if g := s.Grid; g != nil {
			out := &pageGrid{Cols: g.Cols, Rows: g.Rows, Box: [4]num{num(g.X0), num(g.X1), num(g.Y0), num(g.Y1)}, RGB: g.RGB, Down: p.Y.Down}
			for _, v := range g.Z {
				out.Z = append(out.Z, digit(v))
			}
			return out
		}
	}
	return nil
}

// grid writes the cells of a grid in colours, or in shades.
func (t *textForm) grid(p Panel, x, y span) {
	g := p.Series[0].Grid
	if n := p.Y.Name(); n != "" {
		t.line(n)
	}
	rows := min(2*t.height, g.Rows)
	halfX, halfY := (g.X1-g.X0)/float64(g.Cols)/2, (g.Y1-g.Y0)/float64(g.Rows)/2
	x, y = within(x, g.X0+halfX, g.X1-halfX), within(y, g.Y0+halfY, g.Y1-halfY)
	labels, margin := rowLabels(rows, y, p.Y)
	plot := plotWidth(margin + 3)
	cols := min(plot, g.Cols)
	wide := max(1, min(4, plot/g.Cols)) // characters for each cell
	for j := range rows {
		r := rows - 1 - j
		if p.Y.Down {
			r = j
		}
		fmt.Fprintf(t, "%*s │", margin, labels[j])
		for c := range cols {
			t.WriteString(t.cell(g, p.Scale, wide, c*g.Cols/cols, (c+1)*g.Cols/cols, r*g.Rows/rows, (r+1)*g.Rows/rows))
		}
		t.WriteString("│\n")
	}
	t.axis(margin, cols*wide, x, p.X)
	if s := p.Scale; s != nil {
		if s.one {
			t.WriteString("all " + shortNumber(s.middle()) + "\n")
			return
		}
		from, to := shortNumber(s.Min)+" (blank)", shortNumber(s.Max)+" (█)"
		if t.colors {
			from, to = shortNumber(s.Min)+" "+t.paint(s.Colors[0], "█"), t.paint(s.Colors[len(s.Colors)-1], "█")+" "+shortNumber(s.Max)
		}
		t.WriteString(from + " to " + to)
		if s.Label != "" {
			t.WriteString(": " + s.Label)
		}
		t.WriteString("\n")
	}
}

// within leaves the ticks between the middles of the outermost cells.
func within(s span, lo, hi float64) span {
	var ticks []float64
	for _, t := range s.ticks {
		if lo-1e-9*(hi-lo) <= t && t <= hi+1e-9*(hi-lo) {
			ticks = append(ticks, t)
		}
	}
	s.ticks = ticks
	return s
}

// cell is the mean of some cells as so many characters, blank where there are none.
func (t *textForm) cell(g *Grid, s *Scale, wide, c0, c1, r0, r1 int) string {
	var mean, n float64
	var rgbs [3]float64
	for r := r0; r < r1; r++ {
		for c := c0; c < c1; c++ {
			at := r*g.Cols + c
			switch {
			case g.RGB != nil:
				n++
				for k := range rgbs {
					rgbs[k] += float64(g.RGB[3*at+k])
				}
			case !math.IsNaN(g.Z[at]) && s.Max > s.Min:
				n++
				mean += (g.Z[at] - mean) / n
			}
		}
	}
	if n == 0 {
		return strings.Repeat(" ", wide)
	}
	var of color.NRGBA
	var bright float64
	if g.RGB != nil {
		of = color.NRGBA{uint8(rgbs[0] / n), uint8(rgbs[1] / n), uint8(rgbs[2] / n), 255}
		bright = (0.299*rgbs[0] + 0.587*rgbs[1] + 0.114*rgbs[2]) / n / 255
	} else {
		of, bright = s.colour(mean), fraction(mean, span{min: s.Min, max: s.Max}, false)
	}
	if t.colors {
		return "\x1b[38;" + display.ANSIColor(of) + "m" + strings.Repeat("█", wide) + "\x1b[39m"
	}
	return strings.Repeat(string([]rune(" ░▒▓█")[min(4, max(0, int(bright*5)))]), wide)
}
