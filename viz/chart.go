package viz

import (
	"fmt"
	"math"
	"strings"

	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Chart is one picture: panels one above the other, drawn from the numbers it holds. All forms of it (HTML, SVG, text)
// show these numbers and no others. Make one with [Line], [Timeline] and their kin.
type Chart struct {
	Title    string
	Subtitle string   // one line under the title
	Panels   []Panel  // top to bottom
	Notes    []string // what a reader must know to trust the picture; shown under it
	Alt      string   // for readers who do not see the picture; made from the title when empty
	Err      error    // why there is nothing to draw; then the chart displays this text alone

	name     string       // of the first series
	dotNames []string     // names of its points
	linked   bool         // the panels share their horizontal axis
	kernel   string       // the one that all of it is of
	player   *player      // what the live chart steps through
	right    Axis         // what Right axes are called
	rules    []rule       // lines at one value
	step     bool         // lines hold their values
	extent   *[4]float64  // of a grid: x0, x1, y0, y1
	cells    any          // numbers for the cells of Lanes
	logs     []*trace.Log // that it was drawn from
	terms    []string     // of the glossary, that its page links to
}

// Panel is one plot: a pair of axes and what is drawn in them.
type Panel struct {
	X, Y   Axis
	Series []Series
	Height int    // of the plot in pixels; 0 is the default
	Width  int    // the same; 0 is all there is
	Scale  *Scale // the colours of grids; drawn as a bar at the plot's right
	Right  *Axis  // a second vertical axis, of the series that are marked Right
	Beside bool   // the plot stands at the right of the one before, as high as it is

	shares bool       // the boxes of a lane stand one after the other
	lanes  []string   // what the text form says of each lane
	tips   [][]string // what hovering over boxes of a lane shows that say nothing themselves
	text   []string   // the whole text form
	mesh   bool       // the grid is drawn as a surface
	bare   bool       // a diagram: no axes, and both directions zoom
	keys   []Series   // more entries of the legend, without marks
}

// Axis is one axis of a panel. Min and Max both 0 mean: from the data. Step, the distance of labels, counts where they
// are set.
type Axis struct {
	Label, Unit string
	Log         bool
	Time        bool     // values are seconds since 1970 and shown as dates, in UTC
	Down        bool     // of a vertical axis: values grow downwards, as the rows of a table do
	Categories  []string // at 0, 1, 2, …; on a vertical axis the first is at the top
	Names       []string // labels of 0, 1, 2, … on an axis of numbers, for grids
	Hidden      bool     // without labels: they are those of a plot beside or below
	Min, Max    float64
	Step        float64
}

// Name returns the label with its unit: "time (µs)".
func (a Axis) Name() string {
	if a.Unit == "" {
		return a.Label
	}
	return strings.TrimSpace(a.Label + " (" + a.Unit + ")")
}

// Mark is how a series is drawn.
type Mark uint8

// The marks.
const (
	MarkLine  Mark = iota // a line through X, Y; NaN in Y is a gap
	MarkPoint             // a dot at each X, Y
	MarkBar               // a bar of height Y over each category
	MarkArea              // stacked on the areas before it; Y holds from its X to the next
	MarkBox               // rectangles
	MarkGrid              // a grid of coloured cells
)

// Series is one set of marks with one name and one colour.
type Series struct {
	Name   string // in the legend; may be empty when the panel has one series
	Mark   Mark
	Color  string    // "#RRGGBB"
	X, Y   []float64 // of equal length; bars have no X
	Boxes  []Box     // of MarkBox
	Grid   *Grid     // of MarkGrid
	Dashed bool      // a limit, not a measurement
	Step   bool      // a line that holds Y from its X to the next
	Dots   bool      // a line with a dot at each point
	Right  bool      // Y counts on the panel's right axis

	rule   bool       // of VLine or HLine
	labels []dotLabel // of points, beside them
}

// Box is one rectangle, in units of the axes. On an axis of categories Y0 and Y1 lie around the category's number.
type Box struct {
	X0, X1, Y0, Y1 float64
	Label          string   // written inside where it fits
	Tip            []string // lines shown on hover

	key string // the kernel that it is of: a click on it picks out the marks of the same in all charts of the page
}

// String returns the chart as text, without colours.
func (c *Chart) String() string { return c.text(false) }

func (c *Chart) text(colors bool) string {
	if c.Err != nil {
		return c.Err.Error()
	}
	return asText(c, colors)
}

// MIMEBundle returns text/plain and the forms that [Formats] names, usually text/html (interactive, with the static
// picture inside), image/svg+xml and image/png; for a terminal that shows pictures, also one that fits it. A chart with
// an error has text alone. Nothing is sent for a picture that could not be drawn.
func (c *Chart) MIMEBundle() display.Bundle {
	b := display.Text(c.text(display.CurrentScreen().Colors))
	if c.Err != nil {
		return b
	}
	for _, f := range formats() {
		switch f {
		case FormatHTML:
			b.Data[display.TypeHTML] = c.sessionHTML()
		case FormatSVG:
			b.Data[display.TypeSVG] = c.SVG()
		case FormatPNG:
			b.Data[display.TypePNG] = c.smallPNG()
		}
	}
	if s := display.CurrentScreen(); s.Pictures() {
		b.Data[display.TypeTerminal] = c.terminalPNG(s)
		delete(b.Data, display.TypePNG)
	}
	return b
}

// alt is the text that stands for the picture.
func (c *Chart) alt() string {
	if c.Alt != "" {
		return c.Alt
	}
	s := c.Title
	if c.Subtitle != "" {
		s += ". " + c.Subtitle
	}
	for _, p := range c.Panels {
		var names []string
		for _, sr := range p.Series {
			if sr.Name != "" {
				names = append(names, sr.Name)
			}
		}
		s += fmt.Sprintf(". %s over %s", or(p.Y.Name(), "values"), or(p.X.Name(), "x"))
		if len(names) > 0 {
			s += ": " + strings.Join(names, ", ")
		}
	}
	if len(c.Notes) > 0 {
		s += ". " + c.Notes[0] // which has the figures that matter most
	}
	return strings.TrimPrefix(s, ". ")
}

// failed is a chart that displays err.
func failed(format string, args ...any) *Chart {
	return &Chart{Err: fmt.Errorf("viz: "+format, args...)}
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// finite reports whether v can be drawn. Beyond 1e307 ranges and their ticks would overflow, so that is as good as
// infinite.
func finite(v float64) bool { return math.Abs(v) <= 1e307 }
