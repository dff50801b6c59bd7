package viz

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// EChart is a chart of the go-echarts library, made by [Chart.ECharts]. It is a components.Charter, so a page of
// go-echarts takes it, and it displays itself in a notebook. Its methods are those of charts.Custom; its series are in
// MultiSeries, its axes in XAxisList and YAxisList, one for each panel.
type EChart struct {
	*charts.Custom
	alt    string
	height int // pixels
}

// ECharts returns the chart as one of go-echarts, whose options can all be changed:
//
//	e := viz.Line(x, y).ECharts()
//	e.SetGlobalOptions(charts.WithTitleOpts(opts.Title{Title: "Another title"}))
//	e
//
// It has the numbers, colours and places of c, and nothing of the tools of c's live form: lanes have no player, and a
// surface is seen from above. Its size grows as that of c's data. A chart with an error gives one that says it.
func (c *Chart) ECharts() *EChart {
	if c.Err != nil {
		e := charts.NewCustom()
		e.XAxisList, e.YAxisList, e.Title.Title = []opts.XAxis{{Show: opts.Bool(false)}}, []opts.YAxis{{Show: opts.Bool(false)}}, harmless(c.Err.Error())
		return &EChart{e, c.Err.Error(), plotHeight}
	}
	e, f, extra := optionOf(c)
	for i := range extra.titles {
		extra.titles[i].Title = harmless(extra.titles[i].Title)
	}
	for i := range extra.legends {
		extra.legends[i].Data = harmlessAll(extra.legends[i].Data.([]string))
	}
	e.Title = extra.titles[0]
	if c.Subtitle != "" {
		e.Title.Subtitle, e.Title.SubtitleStyle = strings.TrimSpace(extra.titles[1].Title), extra.titles[1].TitleStyle
		extra.titles = extra.titles[1:]
	}
	alone := &visitor{titles: extra.titles[1:]}
	if len(extra.legends) == 0 {
		e.Legend.Show = opts.Bool(false)
	} else {
		e.Legend, alone.legends = extra.legends[0], extra.legends[1:]
	}
	at := 0
	for i, p := range c.Panels {
		standAlone(&e.XAxisList[i], p.X, f.plots[i].x)
		x := opts.XAxis{Data: e.YAxisList[i].Data, Name: e.YAxisList[i].Name}
		standAlone(&x, p.Y, f.plots[i].y)
		e.YAxisList[i].Data, e.YAxisList[i].Name, e.YAxisList[i].Show, e.YAxisList[i].AxisLabel = x.Data, x.Name, x.Show, x.AxisLabel
		if p.bare {
			e.XAxisList[i].Show, e.YAxisList[i].Show = opts.Bool(false), opts.Bool(false)
		}
		var scaled []int
		for _, s := range p.Series {
			one := &e.MultiSeries[at]
			one.Name = harmless(one.Name)
			switch {
			case s.Mark == MarkGrid:
				if p.X.Time {
					s = inMilliseconds(s)
				}
				scaled = append(scaled, at)
				one.Data, one.RenderItem = cellsOf(s.Grid), opts.FuncOpts(drawCell)
			case one.Type == types.ChartCustom:
				items := one.Data.([]boxItem)
				for k := range items {
					items[k].Name, items[k].Tip = harmless(items[k].Name), harmlessAll(items[k].Tip)
				}
				one.RenderItem = opts.FuncOpts(drawBox)
				if p.Y.Categories != nil {
					one.RenderItem = opts.FuncOpts(drawLane)
				}
			}
			at++
		}
		for range p.keys {
			e.MultiSeries[at].Name, e.MultiSeries[at].RenderItem = harmless(e.MultiSeries[at].Name), opts.FuncOpts(drawBox)
			at++
		}
		if s := p.Scale; s != nil && scaled != nil {
			alone.scales = append(alone.scales, visualScale{SeriesIndex: scaled, VisualMap: opts.VisualMap{
				Dimension: "4", Min: float32(s.Min), Max: float32(s.Max), InRange: &opts.VisualMapInRange{Color: s.Colors},
				Show: opts.Bool(!s.hidden), Right: "0", Top: strconv.Itoa(f.plots[i].top), Text: []string{harmless(s.Label), ""},
			}})
		}
	}
	e.Tooltip.Formatter = opts.FuncOpts(tellBoxes)
	if e.Tooltip.Trigger == "axis" {
		e.Tooltip.Formatter = ""
	}
	e.Accept(alone)
	e.SetXAxis(e.XAxisList[0].Data) // Validate sets this axis anew
	e.Initialization.Width, e.Initialization.Height = strconv.Itoa(width)+"px", strconv.Itoa(f.height)+"px"
	return &EChart{e, c.alt(), f.height}
}

// visitor adds what go-echarts has one of and a chart of several panels has more of. What a user has set in the chart's
// own title, legend and scales since goes before it.
type visitor struct {
	charts.BaseConfigurationVisitor
	titles  []opts.Title
	legends []opts.Legend
	scales  []visualScale
}

// visualScale is a scale of colours for some of the series.
type visualScale struct {
	opts.VisualMap
	SeriesIndex []int `json:"seriesIndex"`
}

func (v *visitor) VisitTitleOpt(t opts.Title) any   { return append([]opts.Title{t}, v.titles...) }
func (v *visitor) VisitLegendOpt(l opts.Legend) any { return append([]opts.Legend{l}, v.legends...) }

func (v *visitor) Visit(option map[string]any) {
	if _, set := option["visualMap"]; !set && v.scales != nil {
		option["visualMap"] = v.scales
	}
}

// standAlone gives an axis the labels that runtime.js would.
func standAlone(x *opts.XAxis, a Axis, s span) {
	x.Name = harmless(x.Name)
	if names, ok := x.Data.([]string); ok {
		x.Data = harmlessAll(names)
	}
	label := &opts.AxisLabel{}
	switch {
	case a.Hidden:
		label.Show = opts.Bool(false)
	case a.Categories == nil && !a.Time && s.names != nil:
		var b strings.Builder
		for i, t := range s.ticks {
			fmt.Fprintf(&b, "case %v:return decodeURIComponent('%s');", num(t), url.PathEscape(strings.ReplaceAll(s.names[i], "'", "’")))
		}
		label.Formatter = opts.FuncOpts("function(v){switch(v){" + b.String() + "}return ''}")
	case a.Categories == nil && !a.Time:
		label.Formatter = opts.FuncOpts("function(v){return String(+v.toPrecision(6))}")
		if !slices.Contains(s.ticks, s.min) { // it is the raw end of the data
			label.ShowMinLabel = opts.Bool(false)
		}
		if !slices.Contains(s.ticks, s.max) {
			label.ShowMaxLabel = opts.Bool(false)
		}
	}
	x.AxisLabel = label
}

// cellItem is one cell of a grid: x0, x1, y0, y1 and its value.
type cellItem struct {
	Value     [5]num          `json:"value"`
	ItemStyle *opts.ItemStyle `json:"itemStyle,omitempty"`
}

// cellsOf returns the cells of g that are not empty.
func cellsOf(g *Grid) []cellItem {
	out := make([]cellItem, 0, g.Cols*g.Rows)
	at := func(lo, hi float64, i, n int) num { return num(lo + (hi-lo)*float64(i)/float64(n)) }
	for r := range g.Rows {
		for c := range g.Cols {
			cell := cellItem{Value: [5]num{at(g.X0, g.X1, c, g.Cols), at(g.X0, g.X1, c+1, g.Cols), at(g.Y0, g.Y1, r, g.Rows), at(g.Y0, g.Y1, r+1, g.Rows)}}
			k := r*g.Cols + c
			switch {
			case g.RGB != nil:
				cell.ItemStyle = &opts.ItemStyle{Color: fmt.Sprintf("#%02x%02x%02x", g.RGB[3*k], g.RGB[3*k+1], g.RGB[3*k+2])}
			case !finite(g.Z[k]):
				continue
			default:
				cell.Value[4] = num(g.Z[k])
			}
			out = append(out, cell)
		}
	}
	return out
}

// The functions of a chart that stands alone. go-echarts writes them into JSON and takes the quotes off: so each is one
// line without double quotes and backslashes. echarts is the library's global there.
const (
	clipped = "var r=echarts.graphic.clipRectByRect({x:Math.min(a[0],b[0]),y:Math.min(a[1],b[1]),width:Math.max(Math.abs(b[0]-a[0]),w),height:Math.max(Math.abs(b[1]-a[1]),w)},params.coordSys);" +
		"return r&&{type:'rect',shape:r,style:{fill:api.visual('color')},emphasis:{style:{opacity:0.8}}};}"
	corners  = "var a=api.coord([api.value(0),api.value(3)]),b=api.coord([api.value(1),api.value(2)]),w=0.5;"
	drawBox  = "function(params,api){" + corners + clipped
	drawCell = "function(params,api){" + corners + "var p=[0,1].map(function(i){return Math.floor(Math.min(a[i],b[i]))});" +
		"b=[0,1].map(function(i){return Math.ceil(Math.max(a[i],b[i]))});a=p;" + clipped // no seams between neighbours
	drawLane = "function(params,api){var m=(api.value(2)+api.value(3))/2,y=Math.round(m),h=api.size([0,1])[1],a=api.coord([api.value(0),y]),b=api.coord([api.value(1),y]),w=1.5;" +
		"a=[a[0],a[1]+(api.value(2)-y)*h];b=[b[0],b[1]+(api.value(3)-y)*h];" + clipped
	tellBoxes = "function(p){var e=echarts.format.encodeHTML,d=p.data||{};if(d.tip){return d.tip.map(function(l){return e(l)}).join('<br>')}" +
		"var v=d.value||p.value;if(v&&v.length===5){v=[(v[0]+v[1])/2,(v[2]+v[3])/2,v[4]]}" +
		"return (p.seriesName?e(p.seriesName)+'<br>':'')+(d.name?e(d.name)+'<br>':'')+e(v&&v.map?v.map(function(n){return +(+n).toPrecision(5)}).join(', '):String(v))}"
)

// harmless returns a text that go-echarts can write into a page as it is: it writes options into a script without
// escaping them, and takes what stands between its marks for code.
func harmless(s string) string { return harms.Replace(s) }

var harms = strings.NewReplacer("__f__", "__f\u200b__", "</", "<\u200b/", "<!--", "<\u200b!--")

func harmlessAll(texts []string) []string {
	out := make([]string, len(texts))
	for i, s := range texts {
		out[i] = harmless(s)
	}
	return out
}

// MIMEBundle returns text/html, which draws the chart with the script of package viz, text/plain, and a static picture
// where one can be drawn; see [echartsBundle].
func (e *EChart) MIMEBundle() display.Bundle {
	e.Validate()
	return echartsBundle(e.JSON(), e.alt, e.height)
}
