package viz

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Size of plots in characters. In a terminal the width is what its window leaves beside the words.
const (
	textWidth    = 60
	minTextWidth = 8
	maxTextWidth = 100
	textHeight   = 10
)

// plotWidth is the width of a plot with so many characters beside it.
func plotWidth(beside int) int {
	columns := display.CurrentScreen().Columns
	if columns == 0 {
		return textWidth
	}
	return min(max(columns-beside, minTextWidth), maxTextWidth)
}

// fitted breaks a line of words where the terminal's window ends.
func fitted(s string) string {
	columns := display.CurrentScreen().Columns
	if columns == 0 {
		return s
	}
	return strings.Join(wrap(s, func(s string) bool { return utf8.RuneCountInString(s) <= columns }), "\n")
}

// cropped ends a text where the terminal's window leaves it room beside so many characters.
func cropped(s string, beside int) string {
	room := max(display.CurrentScreen().Columns-beside, minTextWidth)
	if r := []rune(s); display.CurrentScreen().Columns > 0 && len(r) > room {
		return string(r[:room-1]) + "…"
	}
	return s
}

// asText draws c with characters: the title, each panel in the way that suits its marks, the notes.
func asText(c *Chart) string {
	var b strings.Builder
	b.WriteString(fitted(c.Title) + "\n")
	if c.Subtitle != "" {
		b.WriteString(fitted(c.Subtitle) + "\n")
	}
	for _, p := range c.Panels {
		px, py := ranged(&p)
		switch {
		case p.text != nil:
			for _, line := range p.text {
				b.WriteString(fitted(line) + "\n")
			}
		case p.shares:
			textShares(&b, p)
		case p.Y.Categories != nil:
			textLanes(&b, p, px)
		case len(p.Series) > 0 && p.Series[0].Mark == MarkGrid:
			textGrid(&b, p)
		case len(p.Series) > 0 && p.Series[0].Mark == MarkBox:
			textBins(&b, p.Series[0].Boxes)
		case p.X.Categories != nil:
			for _, s := range p.Series {
				if s.Name != "" {
					b.WriteString(s.Name + "\n")
				}
				textBars(&b, p.X.Categories, s.Y, largest(s.Y))
			}
		case len(p.Series) > 0 && p.Series[0].Mark == MarkArea:
			b.WriteString(fitted(p.Y.Name()+", mean") + "\n")
			var names []string
			var vals []float64
			for _, s := range p.Series {
				names = append(names, s.Name)
				vals = append(vals, timeMean(s))
			}
			textBars(&b, names, vals, largest(vals))
		default:
			textPlot(&b, p, px, py)
		}
	}
	for _, n := range c.Notes {
		b.WriteString(fitted(n) + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// blocks are eighths of a character, from the left.
var blocks = []rune(" ▏▎▍▌▋▊▉█")

// largest returns the largest of vals that is a number, or 0.
func largest(vals []float64) (most float64) {
	for _, v := range vals {
		if v > most && finite(v) {
			most = v
		}
	}
	return most
}

// textBins writes a histogram from the first bin to the last, named by their lower ends. Of many bins neighbours are
// added up: its tails are what one looks for.
func textBins(b *strings.Builder, bins []Box) {
	together := (len(bins) + textRows - 1) / textRows
	var names []string
	var counts []float64
	for part := range slices.Chunk(bins, max(together, 1)) {
		n := 0.0
		for _, bin := range part {
			n += bin.Y1
		}
		names, counts = append(names, number(part[0].X0)), append(counts, n)
	}
	textBars(b, names, counts, largest(counts))
	if together > 1 {
		s := fmt.Sprintf("Each line is %d of the %d bins, up to %s.", together, len(bins), number(bins[len(bins)-1].X1))
		if rest := len(bins) % together; rest > 0 {
			s = fmt.Sprintf("Each line is %d of the %d bins, the last %d, up to %s.", together, len(bins), rest, number(bins[len(bins)-1].X1))
		}
		b.WriteString(fitted(s) + "\n")
	}
}

// textRows is how many bars stand below each other.
const textRows = 20

// textBars writes one horizontal bar a line, most being a full one; of many, the first twenty.
func textBars(b *strings.Builder, names []string, vals []float64, most float64) {
	wide, said := 0, 0
	for i := range vals {
		wide, said = max(wide, utf8.RuneCountInString(names[i])), max(said, len(shortNumber(vals[i])))
	}
	full := textWidth - 20
	if display.CurrentScreen().Columns > 0 {
		full = min(plotWidth(wide+said+3), textWidth)
	}
	for i, v := range vals {
		if i == textRows && len(vals) > textRows+1 {
			fmt.Fprintf(b, "… %d more\n", len(vals)-textRows)
			return
		}
		eighths := 0
		if v > 0 && finite(v) {
			eighths = int(math.Round(v / most * 8 * float64(full)))
		}
		bar := strings.Repeat("█", eighths/8)
		if eighths%8 > 0 {
			bar += string(blocks[eighths%8])
		}
		fmt.Fprintf(b, "%*s %s %s\n", wide, names[i], bar, shortNumber(v))
	}
}

// textLanes writes a lane a line; a character is filled by the share of its time that the lane was busy. What is said
// of the lane stands behind it, or below where the terminal's window has no room.
func textLanes(b *strings.Builder, p Panel, x span) {
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
	for lane, name := range names {
		busy := make([]float64, plot)
		for _, s := range p.Series {
			for _, bx := range s.Boxes {
				if int(math.Round((bx.Y0+bx.Y1)/2)) != lane {
					continue
				}
				lo, hi := float64(plot)*fraction(bx.X0, x, false), float64(plot)*fraction(bx.X1, x, false)
				full := math.Min(1, (bx.Y1-bx.Y0)/laneThick)
				for i := max(0, int(lo)); i < plot && float64(i) < hi; i++ {
					busy[i] += full * (math.Min(hi, float64(i+1)) - math.Max(lo, float64(i)))
				}
			}
		}
		line := make([]rune, plot)
		for i, f := range busy {
			line[i] = []rune(" ░▒▓█")[min(4, int(math.Ceil(4*f-1e-9)))]
		}
		if below {
			fmt.Fprintf(b, "%-*s │%s│\n%s\n", wide, name, string(line), fitted(said[lane]))
		} else {
			fmt.Fprintf(b, "%-*s │%s│ %s\n", wide, name, string(line), said[lane])
		}
	}
	textEnds(b, wide, plot, shortNumber(x.min), shortNumber(x.max), p.X.Name())
}

// saidOf is what the text form says of a lane.
func saidOf(p Panel, lane int) string {
	if p.lanes != nil {
		return p.lanes[lane]
	}
	n, total := 0, 0.0
	for _, s := range p.Series {
		for _, bx := range s.Boxes {
			if int(math.Round((bx.Y0+bx.Y1)/2)) == lane {
				n, total = n+1, total+bx.X1-bx.X0
			}
		}
	}
	events := "events"
	if n == 1 {
		events = "event"
	}
	return fmt.Sprintf("%s %s in %d %s", shortNumber(total), p.X.Unit, n, events)
}

// textEnds writes the ends of the horizontal axis below a plot, and its name where there is room.
func textEnds(b *strings.Builder, margin, plot int, lo, hi, name string) {
	line := fmt.Sprintf("%*s  %s%*s", margin, "", lo, max(1, plot-utf8.RuneCountInString(lo)), hi)
	if columns := display.CurrentScreen().Columns; columns > 0 && name != "" && utf8.RuneCountInString(line+"  "+name) > columns {
		line, name = line+"\n", fitted(name)
	} else {
		line += "  "
	}
	b.WriteString(line + name + "\n")
}

// textPlot draws lines and points in Braille cells of 2 by 4 dots.
func textPlot(b *strings.Builder, p Panel, x, y span) {
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
		textPlot(b, left, x, y)
		textPlot(b, right, x, y2)
		return
	}
	wide := max(len(shortNumber(y.min)), len(shortNumber(y.max)))
	plot := plotWidth(wide + 3)
	g := geometry{xs: x, ys: y, logX: p.X.Log, logY: p.Y.Log, x1: float64(2*plot - 1), y1: 4*textHeight - 1}
	var cells [textHeight][]rune
	for j := range cells {
		cells[j] = make([]rune, plot)
	}
	dot := func(fx, fy float64) {
		i, j := int(math.Round(fx)), int(math.Round(fy))
		if i < 0 || j < 0 || i >= 2*plot || j >= 4*textHeight {
			return
		}
		bits := [4][2]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}} // Unicode's order of Braille dots
		cells[j/4][i/2] |= bits[j%4][i%2]
	}
	var names []string
	for _, s := range p.Series {
		if s.Name != "" {
			names = append(names, s.Name)
		}
		for i := range s.Y {
			if !finite(s.X[i]) || !finite(s.Y[i]) {
				continue
			}
			x1, y1 := g.x(s.X[i]), g.y(s.Y[i])
			dot(x1, y1)
			if s.Mark != MarkLine || i == 0 || !finite(s.X[i-1]) || !finite(s.Y[i-1]) {
				continue
			}
			x0, y0 := g.x(s.X[i-1]), g.y(s.Y[i-1])
			if s.Step {
				for f := x0; f < x1; f++ {
					dot(f, y0)
				}
				x0 = x1
			}
			steps := math.Ceil(math.Max(math.Abs(x1-x0), math.Abs(y1-y0)))
			for k := 1.0; k < steps; k++ {
				dot(x0+(x1-x0)*k/steps, y0+(y1-y0)*k/steps)
			}
		}
	}
	if n := p.Y.Name(); n != "" {
		b.WriteString(fitted(n) + "\n")
	}
	for j, row := range cells {
		label := ""
		switch j {
		case 0:
			label = shortNumber(y.max)
		case textHeight - 1:
			label = shortNumber(y.min)
		}
		fmt.Fprintf(b, "%*s │", wide, label)
		for _, r := range row {
			b.WriteRune(0x2800 + r)
		}
		b.WriteByte('\n')
	}
	lo, hi := shortNumber(x.min), shortNumber(x.max)
	if p.X.Time {
		lo, hi = x.label(x.min), x.label(x.max)
	}
	textEnds(b, wide, plot, lo, hi, p.X.Name())
	if len(names) > 1 {
		b.WriteString(fitted("series: "+strings.Join(names, ", ")) + "\n")
	}
}

// timeMean is the mean of a series that holds each value until the next X.
func timeMean(s Series) float64 {
	sum := 0.0
	for i := 0; i+1 < len(s.X); i++ {
		sum += s.Y[i] * (s.X[i+1] - s.X[i])
	}
	if d := s.X[len(s.X)-1] - s.X[0]; d > 0 {
		return sum / d
	}
	return s.Y[0]
}

// shortNumber prints v with four digits.
func shortNumber(v float64) string { return roundedTo(4, v) }

func roundedTo(digits int, v float64) string {
	if math.IsNaN(v) {
		return "NaN"
	}
	short, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	return number(short)
}
