package viz

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
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

// textGrid writes the grid in shades; the labels are the middles of the outermost cells.
func textGrid(b *strings.Builder, p Panel) {
	g := p.Series[0].Grid
	if n := p.Y.Name(); n != "" {
		b.WriteString(fitted(n) + "\n")
	}
	halfX, halfY := (g.X1-g.X0)/float64(g.Cols)/2, (g.Y1-g.Y0)/float64(g.Rows)/2
	top, bottom := shortNumber(g.Y1-halfY), shortNumber(g.Y0+halfY)
	if p.Y.Down {
		top, bottom = bottom, top
	}
	margin := max(len(top), len(bottom))
	plot := plotWidth(margin + 3)
	cols, rows := min(plot, g.Cols), min(2*textHeight, g.Rows)
	wide := max(1, min(4, plot/g.Cols)) // characters for each cell
	for j := range rows {
		r := rows - 1 - j
		label := ""
		if p.Y.Down {
			r = j
		}
		switch j {
		case 0:
			label = top
		case rows - 1:
			label = bottom
		}
		fmt.Fprintf(b, "%*s │", margin, label)
		for c := range cols {
			shade := g.shade(p.Scale, c*g.Cols/cols, (c+1)*g.Cols/cols, r*g.Rows/rows, (r+1)*g.Rows/rows)
			b.WriteString(strings.Repeat(string(shade), wide))
		}
		b.WriteString("│\n")
	}
	lo, hi := shortNumber(g.X0+halfX), shortNumber(g.X1-halfX)
	if p.X.Time {
		at := dateSpan(g.X0, g.X1, 8)
		lo, hi = at.label(g.X0), at.label(g.X1)
	}
	textEnds(b, margin, cols*wide, lo, hi, p.X.Name())
	if s := p.Scale; s != nil {
		fmt.Fprintf(b, "%s (blank) to %s (█)", shortNumber(s.Min), shortNumber(s.Max))
		if s.Label != "" {
			b.WriteString(": " + s.Label)
		}
		b.WriteString("\n")
	}
}

// shade is the mean of some cells as a character.
func (g *Grid) shade(s *Scale, c0, c1, r0, r1 int) rune {
	sum, n := 0.0, 0
	for r := r0; r < r1; r++ {
		for c := c0; c < c1; c++ {
			at := r*g.Cols + c
			switch {
			case g.RGB != nil:
				sum, n = sum+(0.299*float64(g.RGB[3*at])+0.587*float64(g.RGB[3*at+1])+0.114*float64(g.RGB[3*at+2]))/255, n+1
			case !math.IsNaN(g.Z[at]) && s.Max > s.Min:
				sum, n = sum+fraction(g.Z[at], span{min: s.Min, max: s.Max}, false), n+1
			}
		}
	}
	if n == 0 {
		return ' '
	}
	return []rune(" ░▒▓█")[min(4, max(0, int(sum/float64(n)*5)))]
}
