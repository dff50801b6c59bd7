package viz

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"
)

// num is a number of an option: ten digits are more than a screen shows, but times in milliseconds have thirteen; NaN
// is null.
type num float64

func (v num) MarshalJSON() ([]byte, error) {
	if !finite(float64(v)) {
		return []byte("null"), nil
	}
	if a := math.Abs(float64(v)); a >= 1e10 && a < 1e15 {
		return strconv.AppendFloat(nil, math.Round(float64(v)), 'f', -1, 64), nil
	}
	return strconv.AppendFloat(nil, float64(v), 'g', 10, 64), nil
}

// boxItem is one datum of a custom series; runtime.js draws it as a rectangle.
type boxItem struct {
	Name  string   `json:"name,omitempty"`
	Key   string   `json:"key,omitempty"` // of Box
	Value [4]num   `json:"value"`         // x0, x1, y0, y1
	Tip   []string `json:"tip,omitempty"`
}

// page is what one chart's HTML carries for runtime.js: echarts' option, and what the option has no place for.
type page struct {
	Option map[string]any `json:"option"`
	Height int            `json:"height"`
	Linked bool           `json:"linked"`
	Kernel string         `json:"kernel,omitempty"` // that all of it is of
	Player *player        `json:"player,omitempty"`
	Panels []pagePanel    `json:"panels"`
}

type pagePanel struct {
	X     pageAxis   `json:"x"`
	Y     pageAxis   `json:"y"`
	Grid  *pageGrid  `json:"grid,omitempty"`
	Scale *pageScale `json:"scale,omitempty"`
	Right *pageAxis  `json:"right,omitempty"` // the chart's vertical axis number At
	At    int        `json:"rightAt,omitempty"`
	Mesh  *mesh      `json:"mesh,omitempty"`
	Bare  bool       `json:"bare,omitempty"`
	Tips  [][]string `json:"tips,omitempty"` // of lanes
}

// pageAxis has the ticks of the static picture: echarts' own are raw numbers at the ends, and such years as 1751.
type pageAxis struct {
	Label string   `json:"label"`
	Unit  string   `json:"unit"`
	Hide  bool     `json:"hide,omitempty"`
	Ticks []num    `json:"ticks,omitempty"`
	Names []string `json:"names,omitempty"` // of ticks that are not shown as numbers
}

func pageAxisOf(a Axis, s span) pageAxis {
	out := pageAxis{Label: a.Label, Unit: a.Unit, Hide: a.Hidden}
	switch {
	case a.Categories != nil || a.Log: // as echarts has them
	case a.Time:
		for _, t := range s.ticks {
			out.Ticks, out.Names = append(out.Ticks, num(1000*t)), append(out.Names, s.label(t))
		}
	default:
		out.Names = s.names
		for _, t := range s.ticks {
			out.Ticks = append(out.Ticks, num(t))
		}
	}
	return out
}

// extras are the parts of a chart that go-echarts has one of, or none.
type extras struct {
	titles  []opts.Title // the chart's, its subtitle, names of axes
	legends []opts.Legend
	panels  []pagePanel
}

// pageOf makes the interactive form's data. Colours of text and lines are absent: runtime.js takes them from the
// notebook's theme.
func pageOf(c *Chart) page {
	e, f, extra := optionOf(c)
	out := page{Height: f.height, Linked: c.linked, Kernel: c.kernel, Player: c.player, Panels: extra.panels, Option: e.JSON()}
	out.Option["title"] = extra.titles
	out.Option["legend"] = extra.legends
	delete(out.Option, "color")
	delete(out.Option, "toolbox") // runtime.js has the same tools for all charts
	return out
}

// optionOf builds c by the types of go-echarts.
func optionOf(c *Chart) (*charts.Custom, frame, extras) {
	f := lay(c)
	e := charts.NewCustom()
	out := extras{legends: []opts.Legend{}}
	e.XAxisList, e.YAxisList = nil, nil
	heading := func(lines []string, left, top int, style opts.TextStyle, lineHeight int) {
		if len(lines) > 1 {
			style.LineHeight = lineHeight
		}
		out.titles = append(out.titles, opts.Title{Title: strings.Join(lines, "\n"), Left: strconv.Itoa(left), Top: strconv.Itoa(top), TitleStyle: &style})
	}
	small := opts.TextStyle{FontSize: textSize, FontWeight: "normal"}
	heading(f.title, 12, 10, opts.TextStyle{FontSize: titleSize, FontWeight: "bold"}, titleLine)
	if c.Subtitle != "" {
		heading(f.subtitle, 12, f.subtitleY-2, small, textLine)
	}
	if f.legendY > 0 {
		out.legends = append(out.legends, opts.Legend{Left: strconv.Itoa(f.legendX - 5), Top: strconv.Itoa(f.legendY - 4), Data: legendData(c.Panels...)})
	}
	trigger := "axis"
	var rights []opts.YAxis
	for i, p := range c.Panels {
		b := f.plots[i]
		if p.Y.Name() != "" && !p.bare {
			heading([]string{p.Y.Name()}, b.left, b.top-headHeight, small, 0)
		}
		if b.legend {
			out.legends = append(out.legends, opts.Legend{Orient: "vertical", Right: "8", Top: strconv.Itoa(b.top - 5), Align: "left", Data: legendData(p)})
		}
		g := opts.Grid{Left: strconv.Itoa(b.left), Right: strconv.Itoa(f.right), Top: strconv.Itoa(b.top), Height: strconv.Itoa(b.height)}
		if b.fixed {
			g.Right, g.Width = "", strconv.Itoa(b.end-b.left)
		}
		e.GridList = append(e.GridList, g)
		x, y := axisOf(p.X, b.x), axisOf(p.Y, b.y)
		x.GridIndex, x.Name, x.NameLocation, x.NameGap = i, p.X.Name(), "middle", 26
		e.XAxisList = append(e.XAxisList, x)
		e.YAxisList = append(e.YAxisList, opts.YAxis{GridIndex: i, Type: y.Type, Data: y.Data, Min: y.Min, Max: y.Max, Inverse: opts.Bool(p.Y.Down || p.Y.Categories != nil)})
		pp := pagePanel{X: pageAxisOf(p.X, b.x), Y: pageAxisOf(p.Y, b.y), Grid: pageGridOf(p), Scale: pageScaleOf(p.Scale), Bare: p.bare, Tips: p.tips}
		if p.mesh {
			pp.Mesh = meshOf(p)
		}
		if p.Right != nil {
			out.titles = append(out.titles, opts.Title{Title: p.Right.Name(), Right: strconv.Itoa(f.right), Top: strconv.Itoa(b.top - headHeight),
				TitleStyle: &opts.TextStyle{FontSize: textSize, FontWeight: "normal"}})
			y2, right := axisOf(*p.Right, b.y2), pageAxisOf(*p.Right, b.y2)
			pp.At, pp.Right = len(c.Panels)+len(rights), &right
			rights = append(rights, opts.YAxis{GridIndex: i, Type: y2.Type, Min: y2.Min, Max: y2.Max, Position: "right"})
		}
		base := map[float64]float64{}
		for _, s := range p.Series {
			if s.Mark == MarkBox || s.Mark == MarkPoint || s.Mark == MarkGrid {
				trigger = "item"
			}
			if p.X.Time {
				s = inMilliseconds(s)
			}
			one := seriesOf(s, i, base)
			if s.Right {
				one.YAxisIndex = pp.At
			}
			e.MultiSeries = append(e.MultiSeries, one)
		}
		for _, k := range p.keys { // a series without data, for the legend
			e.MultiSeries = append(e.MultiSeries, seriesOf(k, i, base))
		}
		out.panels = append(out.panels, pp)
	}
	e.YAxisList = append(e.YAxisList, rights...)
	e.Tooltip = opts.Tooltip{Trigger: trigger}
	e.Animation = opts.Bool(false)
	return e, f, out
}

func legendData(panels ...Panel) (names []string) {
	seen := map[string]bool{}
	for _, p := range panels {
		for _, s := range legendOf(p) {
			if !seen[s.Name] {
				seen[s.Name] = true
				names = append(names, s.Name)
			}
		}
	}
	return names
}

func axisOf(a Axis, s span) opts.XAxis {
	switch {
	case a.Categories != nil:
		return opts.XAxis{Type: "category", Data: a.Categories}
	case a.Log:
		return opts.XAxis{Type: "log", Min: num(s.min), Max: num(s.max)}
	case a.Time:
		return opts.XAxis{Type: "time", Min: num(1000 * s.min), Max: num(1000 * s.max)}
	}
	return opts.XAxis{Type: "value", Min: num(s.min), Max: num(s.max)}
}

// seriesOf makes the option of one series in panel i; base is what areas stand on, as in stacked.
func seriesOf(s Series, i int, base map[float64]float64) charts.SingleSeries {
	e := charts.SingleSeries{Name: s.Name, XAxisIndex: i, YAxisIndex: i, Color: s.Color, ItemStyle: &opts.ItemStyle{Color: s.Color}}
	xy := func() any {
		data := make([][2]num, len(s.Y))
		for k := range data {
			data[k] = [2]num{num(s.X[k]), num(s.Y[k])}
		}
		return data
	}
	switch s.Mark {
	case MarkLine:
		e.Type, e.Data, e.ShowSymbol = types.ChartLine, xy(), opts.Bool(s.Dots || isolated(s.Y))
		e.LineStyle = &opts.LineStyle{Color: s.Color, Width: 2}
		if s.Dashed {
			e.LineStyle.Type = "dashed"
		}
		if s.Step {
			e.Step = "end"
		}
	case MarkPoint:
		e.Type, e.Data, e.SymbolSize = types.ChartScatter, xy(), pointSize(len(s.Y))
		e.ItemStyle.Opacity = opts.Float(0.75)
		if s.labels != nil {
			e.Data = dotItems(s)
		}
	case MarkBar:
		data := make([]num, len(s.Y))
		for k := range data {
			data[k] = num(s.Y[k])
		}
		e.Type, e.Data = types.ChartBar, data
	case MarkBox:
		e.Type, e.Data = types.ChartCustom, boxItems(s.Boxes)
	case MarkGrid: // one datum for all cells, which runtime.js draws from the panel's grid
		g := s.Grid
		e.Type, e.Data = types.ChartCustom, boxItems([]Box{{X0: g.X0, X1: g.X1, Y0: g.Y0, Y1: g.Y1}})
	case MarkArea: // not echarts' own stacked areas: with steps those leave wedges between layers
		e.Type, e.Data, e.Stack = types.ChartCustom, boxItems(stacked(s, base)), "stack"
	}
	return e
}

func boxItems(boxes []Box) []boxItem {
	data := make([]boxItem, len(boxes))
	for k, b := range boxes {
		data[k] = boxItem{b.Label, b.key, [4]num{num(b.X0), num(b.X1), num(b.Y0), num(b.Y1)}, b.Tip}
	}
	return data
}

// pointSize is the diameter of dots in pixels: smaller where there are many.
func pointSize(n int) int {
	switch {
	case n > 1000:
		return 4
	case n > 150:
		return 6
	}
	return 8
}

// isolated reports whether a point of y has no neighbour to draw a line to; such points need a dot.
func isolated(y []float64) bool {
	gap := func(i int) bool { return i < 0 || i >= len(y) || math.IsNaN(y[i]) }
	for i := range y {
		if !gap(i) && gap(i-1) && gap(i+1) {
			return true
		}
	}
	return false
}

// optionJSON returns the data of the interactive form, safe inside a script element.
func optionJSON(c *Chart) []byte {
	b, err := json.Marshal(pageOf(c)) // escapes <, > and &
	if err != nil {
		panic(err) // numbers and strings only: a defect of this package
	}
	return b
}
