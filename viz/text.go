package viz

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Size of plots in characters. In a terminal the width is what its window leaves beside the words, and plots are lower
// where the whole chart would not fit into it.
const (
	textWidth     = 60
	minTextWidth  = 8
	maxTextWidth  = 100
	textHeight    = 10
	minTextHeight = 4
)

// textForm writes a chart with characters.
type textForm struct {
	strings.Builder
	colors bool
	height int // lines of a plot; bars and rows of cells are at most twice as many
}

// paint is s in a colour of the palette, where colours are wanted.
func (t *textForm) paint(color, s string) string {
	if !t.colors || color == "" || color == ruleColor {
		return s
	}
	return "\x1b[38;" + display.ANSIColor(rgb(color)) + "m" + s + "\x1b[39m"
}

// line writes words, broken where the window ends.
func (t *textForm) line(s string) { t.WriteString(fitted(s) + "\n") }

// legend writes what stands for each series.
func (t *textForm) legend(entries []string) {
	columns := display.CurrentScreen().Columns
	line, wide := "", 0
	for _, e := range entries {
		w := utf8.RuneCountInString(display.Plain(e))
		if columns > 0 && wide > 0 && wide+3+w > columns {
			t.WriteString(line + "\n")
			line, wide = "", 0
		}
		if wide > 0 {
			line, wide = line+"   ", wide+3
		}
		line, wide = line+e, wide+w
	}
	if wide > 0 {
		t.WriteString(line + "\n")
	}
}

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
	return display.Wrapped(s)
}

// cropped ends a text where the terminal's window leaves it room beside so many characters.
func cropped(s string, beside int) string {
	room := max(display.CurrentScreen().Columns-beside, minTextWidth)
	if r := []rune(s); display.CurrentScreen().Columns > 0 && len(r) > room {
		return string(r[:room-1]) + "…"
	}
	return s
}

// asText draws c with characters: the title, each panel in the way that suits its marks, the notes. Its plots are as
// high as the terminal's window has room for below each other, so that the title does not scroll away.
func asText(c *Chart, colors bool) string {
	rows := display.CurrentScreen().Rows
	for height := textHeight; ; height-- {
		t := textForm{colors: colors, height: height}
		t.chart(c)
		s := strings.TrimRight(t.String(), "\n")
		if rows == 0 || height == minTextHeight || strings.Count(s, "\n")+2 <= rows { // a line is the next prompt's
			return s
		}
	}
}

func (t *textForm) chart(c *Chart) {
	t.line(c.Title)
	if c.Subtitle != "" {
		t.line(c.Subtitle)
	}
	for _, p := range c.Panels {
		px, py := ranged(&p)
		switch {
		case p.text != nil:
			for _, line := range p.text {
				t.line(line)
			}
		case p.shares:
			t.shares(p)
		case p.Y.Categories != nil:
			t.lanes(p, px)
		case len(p.Series) > 0 && p.Series[0].Mark == MarkGrid:
			t.grid(p, px, py)
		case len(p.Series) > 0 && p.Series[0].Mark == MarkBox:
			t.bins(p.Series[0])
		case p.X.Categories != nil:
			for _, s := range p.Series {
				if s.Name != "" {
					t.WriteString(s.Name + "\n")
				}
				t.bars(p.X.Categories, s.Y, []string{s.Color}, largest(s.Y))
			}
		case len(p.Series) > 0 && p.Series[0].Mark == MarkArea:
			t.line(p.Y.Name() + ", mean")
			var names, colors []string
			var vals []float64
			for _, s := range p.Series {
				names, vals, colors = append(names, s.Name), append(vals, timeMean(s)), append(colors, s.Color)
			}
			t.bars(names, vals, colors, largest(vals))
		default:
			t.plot(p, px, py)
		}
	}
	for _, n := range c.Notes {
		t.line(n)
	}
}

// axis writes the horizontal axis below a plot, its ticks and their labels where there is room, and its name.
func (t *textForm) axis(margin, plot int, x span, a Axis) {
	line, labels := []rune(strings.Repeat("─", plot)), []rune(strings.Repeat(" ", plot+margin+3))
	free := margin - 1 // where the next label may begin; one may reach below the names at the left
	for _, tick := range x.ticks {
		f := fraction(tick, x, a.Log)
		if f < -1e-9 || f > 1+1e-9 {
			continue
		}
		at := min(plot-1, int(f*float64(plot)))
		label := []rune(x.label(tick))
		from := min(max(margin+2+at-len(label)/2, 0), len(labels)-len(label))
		if from < free || from < 0 {
			continue
		}
		line[at] = '┬'
		copy(labels[from:], label)
		free = from + len(label) + 2
	}
	t.WriteString(strings.Repeat(" ", margin+1) + "└" + string(line) + "\n")
	if s := strings.TrimRight(string(labels), " "); s != "" {
		t.WriteString(s + "\n")
	}
	if n := a.Name(); n != "" {
		columns := display.CurrentScreen().Columns
		if indent := margin + 2 + max(0, (plot-utf8.RuneCountInString(n))/2); columns == 0 || indent+utf8.RuneCountInString(n) <= columns {
			t.WriteString(strings.Repeat(" ", indent) + n + "\n")
		} else {
			t.line(n)
		}
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
