package viz

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// shares writes a bar for each part of each lane.
func (t *textForm) shares(p Panel) {
	t.line(p.X.Name())
	most := 0.0
	for _, s := range p.Series {
		for _, bx := range s.Boxes {
			most = max(most, bx.X1-bx.X0)
		}
	}
	for lane, name := range p.Y.Categories {
		var names, colors []string
		var vals []float64
		for _, s := range p.Series {
			for _, bx := range s.Boxes {
				if bx.Y0 < float64(lane) && float64(lane) < bx.Y1 {
					names, vals, colors = append(names, "  "+s.Name), append(vals, bx.X1-bx.X0), append(colors, s.Color)
				}
			}
		}
		t.WriteString(name + "\n")
		if len(vals) > 0 {
			t.bars(names, vals, colors, most)
		}
	}
}

// laneShades fill a character by the share of its time that a lane was busy: those of the lane's first series, and of
// what stands beside it in the lane.
var laneShades = [2][]rune{[]rune(" ░▒▓█"), []rune(" ·╌╌─")}

// lanes writes a lane a line. A character has the colour, or the shades, of the series that takes most of it. What is
// said of the lane stands behind it, or below where the terminal's window has no room. Where the chart is too high for
// the window, the first lanes are written.
func (t *textForm) lanes(p Panel, x span) {
	names, said := make([]string, len(p.Y.Categories)), make([]string, len(p.Y.Categories))
	wide, behind := 0, 0
	for lane, name := range p.Y.Categories {
		names[lane], said[lane] = cropped(name, textWidth/2), saidOf(p, lane)
		wide, behind = max(wide, utf8.RuneCountInString(names[lane])), max(behind, utf8.RuneCountInString(said[lane]))
	}
	below := false
	plot := plotWidth(wide + 4 + behind)
	if plot < textWidth/3 {
		below, plot = true, plotWidth(wide+3)
	}
	inLane := make([][]Series, len(names)) // the boxes of each lane alone: one pass over all of them
	for _, s := range p.Series {
		for _, bx := range s.Boxes {
			lane := int(math.Round((bx.Y0 + bx.Y1) / 2))
			if lane < 0 || lane >= len(names) {
				continue
			}
			here := &inLane[lane]
			if n := len(*here); n == 0 || (*here)[n-1].Name != s.Name {
				*here = append(*here, Series{Name: s.Name, Color: s.Color})
			}
			last := &(*here)[len(*here)-1]
			last.Boxes = append(last.Boxes, bx)
		}
	}
	most := len(names)
	if t.height < textHeight {
		most = min(most, 3*t.height)
	}
	var beside []string // series that share a lane with others
	marks := map[string]string{}
	for lane, name := range names[:most] {
		line := t.lane(inLane[lane], plot, x)
		if below {
			fmt.Fprintf(t, "%-*s │%s│\n%s\n", wide, name, line, fitted(said[lane]))
		} else {
			fmt.Fprintf(t, "%-*s │%s│ %s\n", wide, name, line, said[lane])
		}
		for i, s := range inLane[lane] {
			if _, known := marks[s.Name]; !known && len(inLane[lane]) > 1 && s.Name != "" {
				beside = append(beside, t.paint(s.Color, string(laneGlyph(i, s)))+" "+s.Name)
				marks[s.Name] = s.Color
			}
		}
	}
	if most < len(names) {
		fmt.Fprintf(t, "… %d more\n", len(names)-most)
	}
	t.axis(wide, plot, x, p.X)
	t.legend(beside)
}

// lane is the line of one lane, of whose series the boxes are given.
func (t *textForm) lane(series []Series, plot int, x span) string {
	busy := make([][]float64, len(series)) // by series, the share of each character
	marks := make([]int, plot)             // the series that has a box without width there, from 1 on
	for k, s := range series {
		busy[k] = make([]float64, plot)
		for _, bx := range s.Boxes {
			lo, hi := float64(plot)*fraction(bx.X0, x, false), float64(plot)*fraction(bx.X1, x, false)
			if bx.X0 == bx.X1 && lo >= 0 && hi <= float64(plot) {
				marks[min(int(lo), plot-1)] = k + 1
				continue
			}
			full := math.Min(1, (bx.Y1-bx.Y0)/laneThick)
			for i := max(0, int(lo)); i < plot && float64(i) < hi; i++ {
				busy[k][i] += full * (math.Min(hi, float64(i+1)) - math.Max(lo, float64(i)))
			}
		}
	}
	var b strings.Builder
	for i := range plot {
		if k := marks[i] - 1; k >= 0 {
			b.WriteString(t.paint(series[k].Color, string(markGlyph(series[k]))))
			continue
		}
		sum, top := 0.0, 0
		for k := range series {
			if sum += busy[k][i]; busy[k][i] > busy[top][i] {
				top = k
			}
		}
		shade := min(4, int(math.Ceil(4*sum-1e-9)))
		if shade == 0 {
			b.WriteByte(' ')
			continue
		}
		b.WriteString(t.paint(series[top].Color, string(laneShades[min(top, 1)][shade])))
	}
	return b.String()
}

// markGlyph is drawn for boxes of s without width: a thick one is a line through the lane, a thin one a point.
func markGlyph(s Series) rune {
	for _, bx := range s.Boxes {
		if bx.X0 == bx.X1 {
			switch thick := bx.Y1 - bx.Y0; {
			case thick >= laneThick:
				return '┃'
			case thick < laneThick/3:
				return '○'
			}
		}
	}
	return '│'
}

// laneGlyph is what the i-th series of a lane is drawn with, for the legend.
func laneGlyph(i int, s Series) rune {
	for _, bx := range s.Boxes {
		if bx.X0 != bx.X1 {
			return laneShades[min(i, 1)][min(4, int(math.Ceil(4*min(1, (bx.Y1-bx.Y0)/laneThick)-1e-9)))]
		}
	}
	return markGlyph(s)
}

// saidOf is what the text form says of a lane: how long its events took, and apart from that their launches.
func saidOf(p Panel, lane int) string {
	if p.lanes != nil {
		return p.lanes[lane]
	}
	n, total, launches := 0, 0.0, 0.0
	for _, s := range p.Series {
		for _, bx := range s.Boxes {
			if int(math.Round((bx.Y0+bx.Y1)/2)) != lane {
				continue
			}
			if s.Name == launchName {
				launches += bx.X1 - bx.X0
				continue
			}
			n, total = n+1, total+bx.X1-bx.X0
		}
	}
	events := "events"
	if n == 1 {
		events = "event"
	}
	said := fmt.Sprintf("%s %s in %d %s", shortNumber(total), p.X.Unit, n, events)
	if launches > 0 {
		said += fmt.Sprintf(", and %s to launch", shortNumber(launches))
	}
	return said
}
