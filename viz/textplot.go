package viz

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// textMarks stand for the series of a plot without colours, the last again for all that follow. A plot of one series,
// or in colours, has lines of Braille dots, four times as fine.
var textMarks = []rune("•ox+*#%@")

// plot draws lines and points in cells of 2 by 4 dots.
func (t *textForm) plot(p Panel, x, y span) {
	if p.Right != nil { // two plots: one grid of characters has one scale
		left, right := p, p
		left.Right, right.Right, right.Y = nil, nil, *p.Right
		left.Series, right.Series = nil, nil
		for _, s := range p.Series {
			if s.Right {
				s.Right = false
				right.Series = append(right.Series, s)
			} else {
				left.Series = append(left.Series, s)
			}
		}
		_, y2 := ranged(&right)
		t.plot(left, x, y)
		t.plot(right, x, y2)
		return
	}
	labels, wide := rowLabels(t.height, y, p.Y)
	plot := plotWidth(wide + 3)
	d := dots{g: geometry{xs: x, ys: y, logX: p.X.Log, logY: p.Y.Log, down: p.Y.Down, x1: float64(2*plot - 1), y1: float64(4*t.height - 1)}}
	d.of, d.by = make([][]rune, t.height), make([][]int, t.height)
	for j := range d.of {
		d.of[j], d.by[j] = make([]rune, plot), make([]int, plot)
	}
	for i, s := range p.Series {
		d.draw(i, s)
	}
	if n := p.Y.Name(); n != "" {
		t.line(n)
	}
	marked := len(p.Series) > 1 && !t.colors
	for j, row := range d.of {
		end := len(row)
		for end > 0 && row[end-1] == 0 {
			end--
		}
		fmt.Fprintf(t, "%*s │", wide, labels[j])
		for i, bits := range row[:end] {
			by := d.by[j][i]
			switch {
			case bits == 0:
				t.WriteByte(' ')
			case marked:
				t.WriteRune(textMarks[min(by, len(textMarks)-1)])
			default:
				t.WriteString(t.paint(p.Series[by].Color, string(0x2800+bits)))
			}
		}
		t.WriteByte('\n')
	}
	t.axis(wide, plot, x, p.X)
	if len(p.Series) > 1 {
		t.legend(t.entries(p.Series, marked))
	}
}

// entries are what the legend of a plot says of its series.
func (t *textForm) entries(series []Series, marked bool) (entries []string) {
	for i, s := range series {
		if s.Name == "" {
			continue
		}
		mark := "━━"
		switch {
		case marked:
			mark = string(textMarks[min(i, len(textMarks)-1)])
		case s.Dashed:
			mark = "╌╌"
		case s.Mark == MarkPoint:
			mark = "•"
		}
		entries = append(entries, t.paint(s.Color, mark)+" "+s.Name)
	}
	return entries
}

// rowLabels are the labels of a vertical axis of so many lines, each at the line whose middle is nearest to its tick,
// and the width of the widest.
func rowLabels(rows int, y span, a Axis) (labels []string, wide int) {
	labels = make([]string, rows)
	off := make([]float64, rows)
	for _, tick := range y.ticks {
		f := fraction(tick, y, a.Log)
		if f < -1e-9 || f > 1+1e-9 {
			continue
		}
		if !a.Down {
			f = 1 - f
		}
		at := f * float64(rows)
		j := min(rows-1, max(0, int(at)))
		if d := math.Abs(at - float64(j) - 0.5); labels[j] == "" || d < off[j] {
			labels[j], off[j] = y.label(tick), d
		}
	}
	for _, l := range labels {
		wide = max(wide, utf8.RuneCountInString(l))
	}
	return labels, wide
}

// dots is a plot in Braille's cells, and the series that drew into each last.
type dots struct {
	g  geometry
	of [][]rune // the dots of each cell, as Unicode numbers them
	by [][]int
}

func (d *dots) set(series int, fx, fy float64) {
	i, j := int(math.Round(fx)), int(math.Round(fy))
	if i < 0 || j < 0 || j/4 >= len(d.of) || i/2 >= len(d.of[0]) {
		return
	}
	bits := [4][2]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}} // Unicode's order of Braille dots
	d.of[j/4][i/2] |= bits[j%4][i%2]
	d.by[j/4][i/2] = series
}

// draw draws the points of s and, of a line, what is between them; every other half of a cell where s is dashed.
func (d *dots) draw(series int, s Series) {
	for i := range s.Y {
		if !finite(s.X[i]) || !finite(s.Y[i]) {
			continue
		}
		x1, y1 := d.g.x(s.X[i]), d.g.y(s.Y[i])
		d.set(series, x1, y1)
		if s.Mark != MarkLine || i == 0 || !finite(s.X[i-1]) || !finite(s.Y[i-1]) {
			continue
		}
		x0, y0 := d.g.x(s.X[i-1]), d.g.y(s.Y[i-1])
		if s.Step {
			for f := x0; f < x1; f++ {
				d.set(series, f, y0)
			}
			x0 = x1
		}
		steps := math.Ceil(math.Max(math.Abs(x1-x0), math.Abs(y1-y0)))
		for k := 1.0; k < steps; k++ {
			if !s.Dashed || int(k)%4 < 2 {
				d.set(series, x0+(x1-x0)*k/steps, y0+(y1-y0)*k/steps)
			}
		}
	}
}
