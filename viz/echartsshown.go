package viz

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Charts of the go-echarts library that a cell ends with are drawn with the script of this package: their own page
// fetches one. They are known by their methods, since cells may use another version of the library.

func init() { display.Extend(showECharts) }

// charter is a chart of go-echarts.
type charter interface {
	Validate()
	JSON() map[string]any
	Render(io.Writer) error
}

// showECharts shows a chart of go-echarts, or a page of them.
func showECharts(v any) (display.Bundle, bool) {
	if c, ok := v.(charter); ok {
		c.Validate()
		return echartsBundle(c.JSON(), "", heightOf(v)), true
	}
	if _, ok := v.(interface{ Render(io.Writer) error }); !ok {
		return display.Bundle{}, false
	}
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Pointer || rv.IsNil() || rv.Elem().Kind() != reflect.Struct {
		return display.Bundle{}, false
	}
	list := rv.Elem().FieldByName("Charts")
	if list.Kind() != reflect.Slice || list.Len() == 0 || !list.CanInterface() {
		return display.Bundle{}, false
	}
	var charts []any
	for i := range list.Len() {
		c, ok := list.Index(i).Interface().(charter)
		if !ok {
			return display.Bundle{}, false
		}
		charts = append(charts, c)
	}
	return display.Column(charts...), true
}

// heightOf is the height in pixels that a chart of go-echarts asks for.
func heightOf(v any) int {
	rv := reflect.Indirect(reflect.ValueOf(v))
	if rv.Kind() != reflect.Struct {
		return plotHeight
	}
	f := rv.FieldByName("Height")
	if f.Kind() == reflect.String {
		if n, err := strconv.Atoi(strings.TrimSuffix(f.String(), "px")); err == nil && n > 0 && n <= 4000 {
			return n
		}
	}
	return 500
}

// beyond are the kinds of series whose scripts echarts does not contain.
var beyond = []string{"3D", "GL", "wordCloud", "liquidFill", "map", "surface"}

// echartsBundle shows an option of go-echarts: text/html with the live chart, text/plain with the numbers where they
// are few, and image/svg+xml and image/png where this package can draw the kind of chart: lines, bars, points, pies,
// heat maps, radars. Alt stands for the picture where there is none; "" is made of the option.
func echartsBundle(option map[string]any, alt string, height int) display.Bundle {
	raw, err := json.Marshal(option)
	if err != nil {
		return display.Text(fmt.Sprintf("viz: this chart of go-echarts cannot be written as JSON: %v", err))
	}
	var o eoption
	if err := json.Unmarshal(raw, &o); err != nil {
		o = eoption{}
	}
	if alt == "" {
		alt = o.alt()
	}
	b := display.Text("a chart of go-echarts: " + alt)
	still := `<div class="arrayrepl-picture">` + html.EscapeString(alt) + `</div>`
	if c := o.chart(); c != nil {
		b = display.Text(b.Text() + "\n" + c.String())
		for _, f := range formats() {
			switch f {
			case FormatSVG:
				b.Data[display.TypeSVG] = c.SVG()
			case FormatPNG:
				b.Data[display.TypePNG] = c.smallPNG()
			}
		}
		still = imgOf(c)
	}
	for _, s := range o.Series {
		for _, kind := range beyond {
			if strings.Contains(s.Type, kind) {
				still += fmt.Sprintf(`<div>series of type %s need a script that is not part of echarts and is not shipped here</div>`, html.EscapeString(s.Type))
			}
		}
	}
	if !slices.Contains(formats(), FormatHTML) {
		return b
	}
	script := ""
	if carry() {
		script = scriptElement()
	}
	b.Data[display.TypeHTML] = liveHTML(still, missing(), fmt.Sprintf(`{"raw":%s,"height":%d}`, raw, height)) + script
	return b
}

// eoption is what the static picture needs of an option.
type eoption struct {
	Title  many[struct{ Text, Subtext string }]
	XAxis  many[eaxis] `json:"xAxis"`
	YAxis  many[eaxis] `json:"yAxis"`
	Radar  many[struct{ Indicator []struct{ Name string } }]
	Series many[eseries]
}

type eaxis struct {
	Name, Type string
	Data       []any
}

type eseries struct {
	Name, Type, Stack string
	Data              json.RawMessage
}

// many is one thing or a list of them: echarts takes both.
type many[T any] []T

func (m *many[T]) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '[' {
		return json.Unmarshal(b, (*[]T)(m))
	}
	var one T
	err := json.Unmarshal(b, &one)
	*m = many[T]{one}
	return err
}

func (o *eoption) title() (title, sub string) {
	if len(o.Title) > 0 {
		return o.Title[0].Text, o.Title[0].Subtext
	}
	return "", ""
}

func (o *eoption) alt() string {
	title, sub := o.title()
	parts := []string{}
	for _, s := range []string{title, sub} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	kinds := map[string]int{}
	var order []string
	for _, s := range o.Series {
		if kinds[s.Type]++; kinds[s.Type] == 1 && s.Type != "" {
			order = append(order, s.Type)
		}
	}
	if len(order) == 0 {
		parts = append(parts, "no series yet")
	}
	for _, k := range order {
		parts = append(parts, fmt.Sprintf("%d of type %s", kinds[k], k))
	}
	return strings.Join(parts, ". ")
}

// chart is the option as a chart of this package; nil where that has no such chart.
func (o *eoption) chart() *Chart {
	if len(o.Series) == 0 || len(o.XAxis) > 1 || len(o.YAxis) > 2 {
		return nil
	}
	c := &Chart{Panels: []Panel{{}}}
	c.Title, c.Subtitle = o.title()
	p := &c.Panels[0]
	switch o.Series[0].Type {
	case "heatmap":
		return o.heatMap(c)
	case "radar":
		return o.radar(c)
	}
	if len(o.XAxis) > 0 {
		p.X.Label, p.X.Categories = o.XAxis[0].Name, o.XAxis[0].names()
	}
	if len(o.YAxis) > 0 {
		p.Y.Label = o.YAxis[0].Name
		if len(o.YAxis[0].Data) > 0 || o.YAxis[0].Type == "category" {
			return nil // bars that lie
		}
	}
	for i, s := range o.Series {
		var data []edatum
		if json.Unmarshal(s.Data, &data) != nil || s.Stack != "" || len(data) == 0 {
			return nil
		}
		one := Series{Name: s.Name, Color: seriesColors[i%len(seriesColors)]}
		switch s.Type {
		case "line":
			one.Mark = MarkLine
		case "bar":
			one.Mark = MarkBar
		case "scatter", "effectScatter":
			one.Mark = MarkPoint
		case "pie", "funnel":
			if len(o.Series) > 1 {
				return nil
			}
			one.Mark, p.X.Categories = MarkBar, nil
			for _, d := range data {
				p.X.Categories = append(p.X.Categories, d.name)
			}
		default:
			return nil
		}
		for k, d := range data {
			x, y := float64(k), d.y
			if d.pair {
				if p.X.Categories != nil {
					return nil
				}
				x = d.x
			}
			one.X, one.Y = append(one.X, x), append(one.Y, y)
		}
		if p.X.Categories != nil {
			if len(one.Y) != len(p.X.Categories) {
				return nil
			}
			if one.Mark == MarkBar {
				one.X = nil
			}
		} else if one.Mark == MarkBar {
			return nil
		}
		p.Series = append(p.Series, one)
	}
	if bars := slices.ContainsFunc(p.Series, func(s Series) bool { return s.Mark == MarkBar }); !bars && p.X.Categories != nil {
		p.X.Names, p.X.Categories = p.X.Categories, nil
	}
	return c
}

// edatum is one value of a series: a number, a pair, or an object with one of them and a name.
type edatum struct {
	x, y float64
	pair bool
	name string
}

func (d *edatum) UnmarshalJSON(b []byte) error {
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	if m, ok := v.(map[string]any); ok {
		d.name, _ = m["name"].(string)
		v = m["value"]
	}
	if list, ok := v.([]any); ok && len(list) == 2 {
		x, okX := list[0].(float64)
		y, okY := list[1].(float64)
		if d.x, d.y, d.pair = x, y, true; okX && okY {
			return nil
		}
	} else if y, ok := v.(float64); ok {
		d.y = y
		return nil
	}
	return fmt.Errorf("a value of this form is not drawn: %s", b)
}
