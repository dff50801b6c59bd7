package viz

import (
	"image/color"
	"unicode/utf8"
)

// Sizes of a chart in pixels. Both forms use them, so that the static picture and the live chart that takes its place
// have everything at the same spot.
const (
	width      = 760 // of the static picture; the live chart takes the width there is
	maxWidth   = 960
	titleSize  = 16
	textSize   = 12
	titleLine  = titleSize + 4
	textLine   = textSize + 4
	charWidth  = 6.6 // mean, at textSize
	headHeight = 22  // a panel's heading: the name of its vertical axis
	axisHeight = 44  // tick labels and the name of the horizontal axis
	laneHeight = 28
	plotHeight = 230
)

// frame is where the parts of a chart are.
type frame struct {
	height      int
	title       []string // its lines
	subtitle    []string // at 16 pixels each, the first at subtitleY
	subtitleY   int
	legendY     int // of the legend in one row; 0 when there is none
	legendX     int
	left, right int // margins of all plots
	plots       []plotBox
}

// plotBox is one panel's plot.
type plotBox struct {
	top, height int
	left, end   int
	fixed       bool // its width does not follow the page's
	legend      bool // its own, in a column at its right
	x, y, y2    span
}

// fold breaks a heading into lines that a picture's width holds.
func fold(s string, size float64, bold bool) []string {
	fits := func(s string) bool { return float64(style(size, color.Black, 0, bold).Width(s)) <= width-24 }
	if fits(s) {
		return []string{s}
	}
	return wrap(s, fits)
}

// lay places the parts of c.
func lay(c *Chart) frame {
	f := frame{left: 56, right: 24, title: fold(c.Title, titleSize, true), subtitle: fold(c.Subtitle, textSize, false)}
	y := 10 + titleLine*len(f.title) + 4
	if c.Subtitle != "" {
		f.subtitleY = y
		y += textLine*len(f.subtitle) + 4
	}
	row, all := 0.0, map[string]bool{}
	for _, p := range c.Panels {
		for _, s := range legendOf(p) {
			if !all[s.Name] {
				all[s.Name] = true
				row += legendWidth(s.Name)
			}
		}
	}
	inRow := row > 0 && row < width-120
	if inRow {
		y += 2
		f.legendY = y
		y += 22
	}
	for i, p := range c.Panels {
		px, py := ranged(&p)
		b := plotBox{height: p.Height, x: px, y: py, y2: rangedRight(&p), legend: row > 0 && !inRow && len(legendOf(p)) > 0}
		if b.height == 0 {
			b.height = plotHeight
			if p.Y.Categories != nil {
				b.height = laneHeight * len(p.Y.Categories)
			}
		}
		if b.legend {
			for _, s := range legendOf(p) {
				f.right = max(f.right, int(legendWidth(s.Name))+10)
			}
			b.height = max(b.height, 20*len(legendOf(p)))
		}
		for _, name := range p.Y.Categories {
			if !p.Y.Hidden {
				f.left = max(f.left, int(float64(utf8.RuneCountInString(name))*charWidth)+18)
			}
		}
		for _, t := range py.ticks {
			if p.Y.Categories == nil && !p.bare {
				f.left = max(f.left, int(float64(utf8.RuneCountInString(py.label(t)))*charWidth)+18)
			}
		}
		for _, t := range b.y2.ticks {
			f.right = max(f.right, int(float64(len(number(t)))*charWidth)+18)
		}
		if p.Beside && i > 0 {
			before := f.plots[i-1]
			b.top, b.height = before.top, before.height
			f.plots = append(f.plots, b)
			continue
		}
		if p.Scale != nil && !p.Scale.hidden {
			f.right = max(f.right, p.Scale.width()+14)
		}
		if p.Y.Name() != "" || p.Scale != nil && p.Scale.Label != "" || p.Right != nil || besideNamed(c.Panels[i:]) {
			y += headHeight
		}
		if p.Scale != nil && len(f.plots) == 0 && c.Subtitle == "" && f.legendY == 0 {
			y += 18 // the tools of the live chart are where the scale's label would be
		}
		b.top = y + 8
		y = b.top + b.height + axisHeight
		if p.bare || p.X.Hidden {
			y -= axisHeight - 12
		} else if p.X.Name() == "" {
			y -= textSize + 8
		}
		f.plots = append(f.plots, b)
	}
	f.height = y + 8
	f.columns(c.Panels)
	f.legendX = max(12, min(f.left, width-12-int(row)))
	return f
}

// besideNamed reports whether a panel that stands beside the first of these has a heading.
func besideNamed(panels []Panel) bool {
	for _, p := range panels[1:] {
		if !p.Beside {
			return false
		}
		if p.Y.Name() != "" {
			return true
		}
	}
	return false
}

// columns shares the width among plots that stand side by side.
func (f *frame) columns(panels []Panel) {
	const gap = 22
	for i := 0; i < len(panels); {
		n := 1
		for i+n < len(panels) && panels[i+n].Beside {
			n++
		}
		each := (width - f.left - f.right - gap*(n-1)) / n
		for k := range n {
			b := &f.plots[i+k]
			b.left = f.left + k*(each+gap)
			b.end = b.left + each
			b.fixed = n > 1
			if w := panels[i+k].Width; w > 0 {
				b.end, b.fixed = min(b.left+w, b.end), true
			}
		}
		i += n
	}
}

// legendOf returns the series that p's legend names, in the order in which they stand in the picture: those stacked
// last are on top. A panel with one series needs no legend unless it has boxes, whose colours mean something.
func legendOf(p Panel) []Series {
	var out []Series
	for _, s := range p.Series {
		switch {
		case s.Name == "":
		case s.Mark == MarkArea:
			out = append([]Series{s}, out...)
		default:
			out = append(out, s)
		}
	}
	if len(p.Series) == 1 && p.Series[0].Mark != MarkBox {
		out = nil
	}
	return append(out, p.keys...)
}

func legendWidth(name string) float64 { return float64(utf8.RuneCountInString(name))*charWidth + 36 }
