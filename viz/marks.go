package viz

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// series draws the series of one plot.
func (p painter) series(panel Panel, left, right geometry) {
	in := p
	in.Rectangle = vg.Rectangle{Min: p.pt(left.x0, left.y1), Max: p.pt(left.x1, left.y0)}
	bars, at := 0, 0
	for _, s := range panel.Series {
		if s.Mark == MarkBar {
			bars++
		}
	}
	base := map[float64]float64{}
	for _, s := range panel.Series {
		g := left
		if s.Right {
			g = right
		}
		switch s.Mark {
		case MarkLine:
			in.lines(s, g)
			if s.Dots {
				in.dots(s, g)
			}
		case MarkPoint:
			in.dots(s, g)
			p.dotLabels(s, g)
		case MarkBar:
			w := 0.8 / float64(bars)
			for i, y := range s.Y {
				if finite(y) {
					x := float64(i) - 0.4 + w*float64(at)
					in.box(Box{X0: x, X1: x + w, Y0: g.floor(), Y1: y}, g, s.Color)
				}
			}
			at++
		case MarkArea:
			for _, b := range stacked(s, base) {
				x0, x1 := math.Round(g.x(b.X0)), math.Round(g.x(b.X1)) // whole pixels: no seams between slices
				if b.Y1 > b.Y0 {
					in.rect(x0, math.Round(g.y(b.Y1)), x1, math.Round(g.y(b.Y0)), rgb(s.Color))
				}
			}
		case MarkBox:
			for _, b := range s.Boxes {
				in.box(b, g, s.Color)
			}
		case MarkGrid:
			if panel.mesh {
				p.surface(s.Grid, panel, g)
				continue
			}
			in.grid(s.Grid, panel.Scale, g)
		}
	}
}

// floor is the value that bars stand on.
func (g geometry) floor() float64 {
	if g.logY {
		return g.ys.min
	}
	return math.Max(0, g.ys.min)
}

// dots draws all points as one path: of strokes that are nearly nothing but their round ends (see finish), which are a
// tenth of the bytes of circles, or of circles where strokes have none.
func (p painter) dots(s Series, g geometry) {
	c := rgb(s.Color)
	c.A = 190
	var pts []vg.Point
	for i, y := range s.Y {
		if finite(s.X[i]) && finite(y) {
			pts = append(pts, p.pt(g.x(s.X[i]), g.y(y)))
		}
	}
	p.points(c, float64(pointSize(len(s.Y))), pts...)
}

// points draws points of so many pixels.
func (p painter) points(c color.Color, size float64, pts ...vg.Point) {
	if !p.round {
		p.SetColor(c)
		// one by one: where they overlap they are darker, as strokes are not, but seen all the same
		for _, pt := range pts {
			var path vg.Path
			path.Move(vg.Point{X: pt.X + vg.Length(size/2), Y: pt.Y})
			path.Arc(pt, vg.Length(size/2), 0, 2*math.Pi)
			path.Close()
			p.Fill(path)
		}
		return
	}
	var path vg.Path
	for _, pt := range pts {
		path.Move(pt)
		path.Line(vg.Point{X: pt.X + 0.01, Y: pt.Y})
	}
	p.SetLineStyle(draw.LineStyle{Color: c, Width: vg.Length(size)})
	p.Stroke(path)
}

// lines draws the stretches between gaps; a point alone gets a dot.
func (p painter) lines(s Series, g geometry) {
	c := p.inkOf(s)
	var pts []vg.Point
	flush := func() {
		if len(pts) == 1 {
			p.points(c, 6, pts[0])
		}
		for _, part := range p.ClipLinesXY(pts) {
			p.line(c, 1.8, s.Dashed, part...)
		}
		pts = nil
	}
	for i, y := range s.Y {
		if !finite(s.X[i]) || !finite(y) {
			flush()
			continue
		}
		pt := p.pt(g.x(s.X[i]), g.y(y))
		if s.Step && len(pts) > 0 {
			pts = append(pts, vg.Point{X: pt.X, Y: pts[len(pts)-1].Y})
		}
		pts = append(pts, pt)
	}
	flush()
}

// stacked returns the rectangles of one layer of a stack: one for each X to the next. base holds the height of what
// lies below at each X, and grows.
func stacked(s Series, base map[float64]float64) []Box {
	var boxes []Box
	for i := 0; i+1 < len(s.X); i++ {
		lo := base[s.X[i]]
		boxes = append(boxes, Box{X0: s.X[i], X1: s.X[i+1], Y0: lo, Y1: lo + s.Y[i]})
		base[s.X[i]] = lo + s.Y[i]
	}
	return boxes
}

// box draws one rectangle, at least a pixel wide so that short events are seen, with its label where it fits.
func (p painter) box(b Box, g geometry, hex string) {
	x0, x1, y0, y1 := g.x(b.X0), g.x(b.X1), g.y(b.Y0), g.y(b.Y1)
	x0, x1 = min(x0, x1), max(x0, x1, x0+1)
	y0, y1 = min(y0, y1), max(y0, y1)
	p.rect(x0, y0, x1, y1, rgb(hex))
	if !g.lanes && x1-x0 > 4 && y1-y0 > 4 { // neighbours of a histogram
		p.line(color.White, 0.5, false, p.pt(x0, y1), p.pt(x0, y0), p.pt(x1, y0), p.pt(x1, y1))
	}
	if w := textLength(b.Label, textSize-1); b.Label != "" && w >= x1-x0-8 && w < x1-x0-2 { // a number in a cell
		p.text(b.Label, (x0+x1)/2, (y0+y1)/2, textSize-1, rgb(onColor(hex)), -0.5, false)
		return
	}
	label := clipText(b.Label, func(s string) bool { return textLength(s, textSize-1) < x1-x0-8 })
	if label != "" {
		p.text(label, x0+4, (y0+y1)/2, textSize-1, rgb(onColor(hex)), 0, false)
	}
}

// clipText shortens s until it fits; what is left of it is worth showing from four characters on.
func clipText(s string, fits func(string) bool) string {
	if fits(s) {
		return s
	}
	for r := []rune(s); len(r) > 4; {
		r = r[:len(r)-1]
		if short := string(r) + "…"; fits(short) {
			return short
		}
	}
	return ""
}
