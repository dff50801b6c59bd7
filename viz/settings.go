package viz

import "slices"

// Option changes a chart of data as it is made.
type Option func(*Chart)

// Title sets the line above the picture. Say what is seen.
//
// For example:
//
//	viz.Line(x, y, viz.Title("Sunspots, 1700 to 2008"))
func Title(s string) Option { return func(c *Chart) { c.Title = s } }

// Subtitle sets the smaller line under the title.
func Subtitle(s string) Option { return func(c *Chart) { c.Subtitle = s } }

// XLabel names the horizontal axis; write its unit in it: "time (s)".
//
// For example:
//
//	viz.Line(x, y, viz.XLabel("time (s)"))
func XLabel(s string) Option { return func(c *Chart) { c.Panels[0].X.Label = s } }

// YLabel names the vertical axis; write its unit in it: "CO2 (ppm)".
//
// For example:
//
//	viz.Line(x, y, viz.YLabel("amplitude (mV)"))
func YLabel(s string) Option { return func(c *Chart) { c.Panels[0].Y.Label = s } }

// LogX makes the horizontal axis logarithmic. Values that are not positive are left out.
//
// For example:
//
//	viz.Line(sizes, times, viz.LogX(), viz.LogY())
func LogX() Option { return func(c *Chart) { c.Panels[0].X.Log = true } }

// LogY makes the vertical axis logarithmic. Values that are not positive are left out.
//
// For example:
//
//	viz.Line(sizes, times, viz.LogX(), viz.LogY())
func LogY() Option { return func(c *Chart) { c.Panels[0].Y.Log = true } }

// RightLabel names the vertical axis at the right that [Chart.AddRight] makes; write its unit in it.
//
// For example:
//
//	viz.Line(year, spots, viz.RightLabel("radio flux")).AddRight(year, radio, "radio")
func RightLabel(s string) Option { return func(c *Chart) { c.right.Label = s } }

// RightLog makes that axis logarithmic. Values that are not positive are left out.
func RightLog() Option { return func(c *Chart) { c.right.Log = true } }

// Note adds a line under the picture.
//
// For example:
//
//	viz.Line(x, y, viz.Note("means of ten runs"))
func Note(s string) Option { return func(c *Chart) { c.Notes = append(c.Notes, s) } }

// Name names the first series; see [Chart.Add] for more series.
//
// For example:
//
//	viz.Line(x, y, viz.Name("measured")).Add(x, z, "modelled")
func Name(s string) Option { return func(c *Chart) { c.name = s } }

// PointNames writes a name beside each point of [Scatter], where there is room for it; the notes have all names with
// their points.
//
// For example:
//
//	viz.Scatter(areas, speeds, viz.PointNames("SBI", "SWI", "both"), viz.XLabel("area (mm²)"), viz.YLabel("speed-up"))
func PointNames(names ...string) Option { return func(c *Chart) { c.dotNames = names } }

// VLine draws a dashed line from bottom to top at x, with a name in the legend: where a limit lies. It is for [Line],
// [Scatter] and [Sweep].
//
// For example:
//
//	viz.Line(warps, ipc, viz.VLine(6, "six warps"))
func VLine(x float64, name string) Option {
	return func(c *Chart) { c.rules = append(c.rules, rule{x, name, true}) }
}

// HLine draws a dashed line from left to right at y, as [VLine] does.
//
// For example:
//
//	viz.Line(warps, ipc, viz.HLine(0.5, "the lanes are full"))
func HLine(y float64, name string) Option {
	return func(c *Chart) { c.rules = append(c.rules, rule{y, name, false}) }
}

// Step lets the lines of [Line] hold each value until the next x, as a staircase, where slopes would be wrong between
// the values.
//
// For example:
//
//	viz.Line(registers, warps, viz.Step()) // a staircase
func Step() Option { return func(c *Chart) { c.step = true } }

// rule is a line at one value of an axis.
type rule struct {
	at       float64
	name     string
	vertical bool
}

// drawRules puts the rules after the panel's other series, over the range that those have.
func (c *Chart) drawRules() {
	p := &c.Panels[0]
	p.Series = slices.DeleteFunc(p.Series, func(s Series) bool { return s.rule })
	// the legend names the rules, so it names the line too
	if s := p.Series; len(c.rules) > 0 && len(s) == 1 && s[0].Name == "" {
		s[0].Name = or(p.Y.Label, "y")
	}
	for _, r := range c.rules {
		if !finite(r.at) || (r.vertical && p.X.Log || !r.vertical && p.Y.Log) && r.at <= 0 {
			continue
		}
		x, y := ranged(p)
		s := Series{Name: r.name, Color: ruleColor, Dashed: true, rule: true, X: []float64{r.at, r.at}, Y: []float64{y.min, y.max}}
		if !r.vertical {
			s.X, s.Y = []float64{x.min, x.max}, []float64{r.at, r.at}
		}
		p.Series = append(p.Series, s)
	}
}

// Extent says where the grid of [HeatMap] or [Contour] lies: its columns cover x0 to x1, its rows y0 to y1 from the
// bottom up. Without it rows and columns are numbered, the first row at the top.
//
// For example:
//
//	viz.HeatMap(m, viz.Extent(0, 10, -1, 1)) // x from 0 to 10, y from -1 to 1
func Extent(x0, x1, y0, y1 float64) Option {
	return func(c *Chart) { c.extent = &[4]float64{x0, x1, y0, y1} }
}
