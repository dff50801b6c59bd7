package viz

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// theme is what a picture is drawn with beside the colours that mean something.
type theme struct{ ink, softInk, gridInk, paper color.NRGBA }

// The static picture is drawn dark on light: it must be readable alone. In a dark page a browser
// shows the SVG light on dark (darkPages). Only a terminal's own picture is drawn so.
var (
	dayTheme   = theme{grey8(0x22), grey8(0x55), grey8(0xDD), grey8(0xFF)}
	nightTheme = theme{grey8(0xE0), grey8(0xB0), grey8(0x44), grey8(0x18)}
)

func grey8(v uint8) color.NRGBA { return color.NRGBA{v, v, v, 255} }

// SVG returns the static picture, an svg element of 760 pixels width with the notes at its foot. It is "" for a chart
// with an error.
func (c *Chart) SVG() string {
	if c.Err != nil {
		return ""
	}
	return svg(c, true)
}

func svg(c *Chart, withNotes bool) string {
	var b bytes.Buffer
	// one point is one pixel here
	h := paint(c, dayTheme, withNotes, true, func(h vg.Length) *vgsvg.Canvas { return vgsvg.New(width, h) }, &b)
	return finish(b.String(), h, c.alt())
}

// paint draws c on the canvas that newCanvas makes for a height, writes it unless w is nil, and returns the height.
// round says that strokes on the canvas have round ends.
func paint[C interface {
	vg.CanvasSizer
	io.WriterTo
}](c *Chart, t theme, withNotes, round bool, newCanvas func(h vg.Length) C, w io.Writer) int {
	f := lay(c)
	var notes []string
	if withNotes {
		for _, n := range c.Notes {
			notes = append(notes, wrap(n, func(s string) bool { return textLength(s, textSize-1) < width-24 })...)
		}
	}
	h := f.height + 16*len(notes)
	if len(notes) > 0 {
		h += 8
	}
	canvas := newCanvas(vg.Length(h))
	p := painter{draw.New(canvas), t, float64(h), round}
	p.rect(0, 0, width, float64(h), p.paper)
	p.picture(c, f)
	for i, n := range notes {
		p.text(n, 12, float64(f.height+16*i)+10, textSize-1, p.softInk, 0, false)
	}
	if w == nil {
		return h // the canvas is all that is wanted
	}
	if _, err := canvas.WriteTo(w); err != nil {
		panic(err) // writing to memory
	}
	return h
}

// darkPages is the style that gives a picture the colours of nightTheme in a dark page: of all that is no data. Labels
// within boxes have other colours than the page's ink, and stay.
var darkPages = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString("<style>@media(prefers-color-scheme:dark){")
	turn := func(what, part string, day, night color.NRGBA) {
		hex := func(c color.NRGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }
		fmt.Fprintf(&b, `.arrayrepl-still %s[style*="%s:%s"]{%[2]s:%[4]s!important}`, what, part, hex(day), hex(night))
	}
	turn("path", "fill", dayTheme.paper, nightTheme.paper)
	for _, part := range []string{"fill", "stroke"} {
		turn("", part, dayTheme.ink, nightTheme.ink)
		turn("", part, dayTheme.softInk, nightTheme.softInk)
	}
	turn("", "stroke", dayTheme.gridInk, nightTheme.gridInk)
	b.WriteString("}</style>")
	return b.String()
})

// finish gives the file pixels for points, fonts that exist everywhere (Arial has the widths of Liberation Sans), and
// the text that stands for the picture. Pictures inside are PNG, whatever gonum calls them.
func finish(s string, h int, alt string) string {
	_, body, _ := strings.Cut(s, "<svg")
	_, body, _ = strings.Cut(body, ">")
	body = strings.ReplaceAll(body, "font-family:Liberation Sans;font-variant:normal;", "") // that of the svg element
	body = strings.ReplaceAll(body, "font-weight:normal;font-style:normal;", "")
	body = strings.ReplaceAll(body, `" xlink:href="data:image/jpg;`, `" preserveAspectRatio="none" xlink:href="data:image/png;`)
	alt = html.EscapeString(alt)
	return fmt.Sprintf(`<svg class="arrayrepl-still" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" stroke-linecap="round" font-family="'Liberation Sans',Arial,Helvetica,sans-serif" role="img" aria-label="%[3]s"><title>%[3]s</title>%[4]s%[5]s`, width, h, alt, darkPages(), body)
}

// painter draws in pixels with the origin at the top left, as browsers do.
type painter struct {
	draw.Canvas
	theme
	h     float64
	round bool // strokes have round ends
}

func (p painter) pt(x, y float64) vg.Point { return vg.Point{X: vg.Length(x), Y: vg.Length(p.h - y)} }

func (p painter) rect(x0, y0, x1, y1 float64, c color.Color) {
	p.FillPolygon(c, []vg.Point{p.pt(x0, y0), p.pt(x1, y0), p.pt(x1, y1), p.pt(x0, y1)})
}

func (p painter) line(c color.Color, w float64, dashed bool, pts ...vg.Point) {
	sty := draw.LineStyle{Color: c, Width: vg.Length(w)}
	if dashed {
		sty.Dashes = []vg.Length{6, 4}
	}
	p.StrokeLines(sty, pts)
}

// fonts are those that gonum plot ships; text is measured with them.
var fonts = sync.OnceValue(func() *font.Cache { return font.NewCache(liberation.Collection()) })

func style(size float64, c color.Color, align draw.XAlignment, bold bool) draw.TextStyle {
	fnt := font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Length(size)}
	if bold {
		fnt.Weight = xfont.WeightBold
	}
	return draw.TextStyle{Color: c, Font: fnt, XAlign: align, YAlign: draw.YCenter, Handler: text.Plain{Fonts: fonts()}}
}

// textLength is the width of s in pixels.
func textLength(s string, size float64) float64 {
	return float64(style(size, color.Black, 0, false).Width(s))
}

// text writes s with its middle line at y; align is 0 to start at x, -0.5 to centre there, -1 to end there.
func (p painter) text(s string, x, y, size float64, c color.Color, align draw.XAlignment, bold bool) {
	// gonum centres the line with its descent; eyes centre the capitals
	p.FillText(style(size, c, align, bold), p.pt(x, y-size/8), s)
}

// picture draws all but the notes.
func (p painter) picture(c *Chart, f frame) {
	for i, line := range f.title {
		p.text(line, 12, float64(10+titleSize/2+titleLine*i), titleSize, p.ink, 0, true)
	}
	for i, line := range f.subtitle {
		p.text(line, 12, float64(f.subtitleY+4+textLine*i), textSize, p.softInk, 0, false)
	}
	if f.legendY > 0 {
		x, seen := float64(f.legendX), map[string]bool{}
		for _, panel := range c.Panels {
			for _, s := range legendOf(panel) {
				if !seen[s.Name] {
					seen[s.Name] = true
					p.key(s, x, float64(f.legendY)+8)
					x += legendWidth(s.Name)
				}
			}
		}
	}
	for i, panel := range c.Panels {
		b := f.plots[i]
		if panel.Y.Name() != "" && !panel.bare {
			p.text(panel.Y.Name(), float64(b.left), float64(b.top)-14, textSize, p.ink, 0, false)
		}
		if panel.Right != nil && panel.Right.Name() != "" {
			p.text(panel.Right.Name(), float64(b.end), float64(b.top)-14, textSize, p.ink, -1, false)
		}
		if b.legend {
			for k, s := range legendOf(panel) {
				p.key(s, float64(b.end)+14, float64(b.top+20*k)+8)
			}
		}
		g := geometry{b.x, b.y, panel.X.Log, panel.Y.Log, panel.Y.Down || panel.Y.Categories != nil, panel.Y.Categories != nil,
			float64(b.left), float64(b.end), float64(b.top), float64(b.top + b.height)}
		right := g
		if panel.Right != nil {
			right.ys, right.logY = b.y2, panel.Right.Log
			p.rightAxis(right)
		}
		if !panel.bare {
			p.axes(panel, g)
		}
		p.series(panel, g, right)
		if panel.Scale != nil && !panel.Scale.hidden {
			p.scale(panel.Scale, g)
		}
	}
}

// inkOf is the colour of a line: that of its series, or the theme's ink for a value that is marked.
func (p painter) inkOf(s Series) color.Color {
	if s.Color == ruleColor {
		return p.ink
	}
	return rgb(s.Color)
}

// iconWidth is how long the first dash of a line's swatch is.
func iconWidth(s Series) float64 {
	if s.Dashed {
		return 4
	}
	return 16
}

// key draws one legend entry.
func (p painter) key(s Series, x, y float64) {
	if s.Mark == MarkLine {
		c := p.inkOf(s)
		p.line(c, 2, false, p.pt(x, y), p.pt(x+iconWidth(s), y))
		if s.Dashed { // three short ones, which a swatch has room for
			p.line(c, 2, false, p.pt(x+6, y), p.pt(x+10, y))
			p.line(c, 2, false, p.pt(x+12, y), p.pt(x+16, y))
		}
	} else {
		p.rect(x, y-6, x+16, y+6, rgb(s.Color))
	}
	p.text(s.Name, x+22, y, textSize, p.ink, 0, false)
}

// geometry maps values to pixels of one plot.
type geometry struct {
	xs, ys     span
	logX, logY bool
	down       bool // values grow from top to bottom
	lanes      bool // categories do
	x0, x1     float64
	y0, y1     float64 // top, bottom
}

func fraction(v float64, s span, log bool) float64 {
	if log {
		return math.Log(v/s.min) / math.Log(s.max/s.min)
	}
	return v/(s.max-s.min) - s.min/(s.max-s.min)
}

func (g geometry) x(v float64) float64 { return g.x0 + (g.x1-g.x0)*fraction(v, g.xs, g.logX) }

func (g geometry) y(v float64) float64 {
	f := fraction(v, g.ys, g.logY)
	if g.down {
		return g.y0 + (g.y1-g.y0)*f
	}
	return g.y1 - (g.y1-g.y0)*f
}

func (p painter) axes(panel Panel, g geometry) {
	for i, t := range g.ys.ticks {
		y := g.y(t)
		if c := panel.Y.Categories; c != nil {
			if panel.Y.Hidden {
				c = make([]string, len(c))
			}
			p.text(c[i], g.x0-8, y, textSize, p.ink, -1, false)
			y = g.y(t + 0.5)
		} else {
			p.text(g.ys.label(t), g.x0-8, y, textSize-1, p.softInk, -1, false)
		}
		p.line(p.gridInk, 1, false, p.pt(g.x0, y), p.pt(g.x1, y))
	}
	free := math.Inf(-1) // where the next label may start
	every := everyLabel(panel.X.Categories, g.x(1)-g.x(0))
	for i, t := range g.xs.ticks {
		if i%every != 0 {
			continue
		}
		x, s := g.x(t), ""
		if c := panel.X.Categories; c != nil {
			s = c[i]
		} else {
			s = g.xs.label(t)
			if panel.X.Hidden {
				s = ""
			}
			p.line(p.gridInk, 1, false, p.pt(x, g.y0), p.pt(x, g.y1))
		}
		w := textLength(s, textSize-1)
		if x = min(x, width-4-w/2); x-w/2 > free {
			p.text(s, x, g.y1+12, textSize-1, p.softInk, -0.5, false)
			free = x + w/2 + 4
		}
	}
	p.line(p.softInk, 1, false, p.pt(g.x0, g.y1), p.pt(g.x1, g.y1))
	if n := panel.X.Name(); n != "" {
		p.text(n, (g.x0+g.x1)/2, g.y1+32, textSize, p.ink, -0.5, false)
	}
}

// everyLabel returns how many places lie between labels that are drawn: more than 1 where they are numbers that touch
// else. Names are drawn where there is room, but numbers that are not equally far apart mislead.
func everyLabel(labels []string, apart float64) int {
	for _, s := range labels {
		if _, err := strconv.ParseFloat(s, 64); err != nil {
			return 1
		}
	}
	every := 1
	for every < len(labels) && crowded(labels, every, apart) {
		every++
	}
	return every
}

// crowded reports whether labels at places so far apart touch when each so manieth is drawn.
func crowded(labels []string, every int, apart float64) bool {
	for i := every; i < len(labels); i += every {
		if (textLength(labels[i-every], textSize-1)+textLength(labels[i], textSize-1))/2+4 >= apart*float64(every) {
			return true
		}
	}
	return false
}

// rightAxis writes the labels of a second vertical axis. It has no lines of its own: those of the first would not meet
// them.
func (p painter) rightAxis(g geometry) {
	for _, t := range g.ys.ticks {
		p.text(g.ys.label(t), g.x1+8, g.y(t), textSize-1, p.softInk, 0, false)
	}
	p.line(p.softInk, 1, false, p.pt(g.x1, g.y0), p.pt(g.x1, g.y1))
}

// wrap breaks s at spaces into lines that fit.
func wrap(s string, fits func(string) bool) (lines []string) {
	line := ""
	for _, w := range strings.Fields(s) {
		if longer := strings.TrimSpace(line + " " + w); line == "" || fits(longer) {
			line = longer
			continue
		}
		lines = append(lines, line)
		line = w
	}
	return append(lines, line)
}
