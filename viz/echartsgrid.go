package viz

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// names are the categories of an axis.
func (a eaxis) names() (names []string) {
	for _, d := range a.Data {
		names = append(names, fmt.Sprint(d))
	}
	return names
}

// place returns the index of a category, which echarts takes by number or by name; -1 for what is neither.
func (a eaxis) place(v any) int {
	switch v := v.(type) {
	case float64:
		if v >= 0 && v < maxCells && v == math.Trunc(v) {
			return int(v)
		}
	case string:
		return slices.Index(a.names(), v)
	}
	return -1
}

// listed returns the values of a series' data that are lists, those of objects too, and the names of objects; false
// where others are among them.
func (s eseries) listed() (values [][]any, names []string, ok bool) {
	var data []any
	if json.Unmarshal(s.Data, &data) != nil || len(data) == 0 {
		return nil, nil, false
	}
	for _, d := range data {
		name := ""
		if m, is := d.(map[string]any); is {
			name, _ = m["name"].(string)
			d = m["value"]
		}
		list, is := d.([]any)
		if !is {
			return nil, nil, false
		}
		values, names = append(values, list), append(names, name)
	}
	return values, names, true
}

// heatMap draws the cells of a heat map between two axes of categories, whose first is at the bottom; cells that have
// no number are empty. It returns nil for other heat maps, such as those on maps and calendars.
func (o *eoption) heatMap(c *Chart) *Chart {
	if len(o.Series) != 1 || len(o.XAxis) != 1 || len(o.YAxis) != 1 {
		return nil
	}
	cells, _, ok := o.Series[0].listed()
	if !ok {
		return nil
	}
	x, y := o.XAxis[0], o.YAxis[0]
	g := &Grid{Cols: len(x.Data), Rows: len(y.Data)}
	type cell struct {
		col, row int
		value    float64
	}
	var found []cell
	for _, v := range cells {
		if len(v) != 3 {
			return nil
		}
		at := cell{x.place(v[0]), y.place(v[1]), math.NaN()}
		if at.col < 0 || at.row < 0 {
			return nil
		}
		if f, is := v[2].(float64); is {
			at.value = f
		}
		g.Cols, g.Rows = max(g.Cols, at.col+1), max(g.Rows, at.row+1)
		found = append(found, at)
	}
	if g.Cols*g.Rows > maxCells {
		return nil
	}
	g.X0, g.X1, g.Y0, g.Y1 = -0.5, float64(g.Cols)-0.5, -0.5, float64(g.Rows)-0.5
	g.Z = slices.Repeat([]float64{math.NaN()}, g.Cols*g.Rows)
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, at := range found {
		if g.Z[at.row*g.Cols+at.col] = at.value; !math.IsNaN(at.value) {
			lo, hi = min(lo, at.value), max(hi, at.value)
		}
	}
	if lo > hi {
		return nil
	}
	scale := &Scale{Label: o.Series[0].Name, Min: lo, Max: hi, Colors: viridis}
	if scale.one = lo == hi; scale.one {
		scale.Min, scale.Max = lo-max(0.5, math.Abs(lo)*0.1), hi+max(0.5, math.Abs(hi)*0.1)
	}
	c.Panels = []Panel{{
		Height: 260, X: Axis{Label: x.Name, Names: named(x, g.Cols)}, Y: Axis{Label: y.Name, Names: named(y, g.Rows)},
		Scale: scale, Series: []Series{{Mark: MarkGrid, Grid: g}},
	}}
	return c
}

// named returns the names of so many categories, or nil where the axis has others.
func named(a eaxis, n int) []string {
	if names := a.names(); len(names) == n {
		return names
	}
	return nil
}

// radar draws the values of a radar as lines over the names of its directions.
func (o *eoption) radar(c *Chart) *Chart {
	if len(o.Radar) != 1 {
		return nil
	}
	p := &c.Panels[0]
	for _, d := range o.Radar[0].Indicator {
		p.X.Names = append(p.X.Names, d.Name)
	}
	for _, s := range o.Series {
		values, names, ok := s.listed()
		if !ok || s.Type != "radar" {
			return nil
		}
		for i, list := range values {
			one := Series{Name: names[i], Mark: MarkLine, Color: seriesColors[len(p.Series)%len(seriesColors)]}
			if one.Name == "" {
				one.Name = s.Name
			}
			if len(list) != len(p.X.Names) {
				return nil
			}
			for k, v := range list {
				f, is := v.(float64)
				if !is {
					return nil
				}
				one.X, one.Y = append(one.X, float64(k)), append(one.Y, f)
			}
			p.Series = append(p.Series, one)
		}
	}
	return c
}
