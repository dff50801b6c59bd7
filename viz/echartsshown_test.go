package viz

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/components"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

func barOf() *charts.Bar {
	bar := charts.NewBar()
	bar.SetGlobalOptions(charts.WithTitleOpts(opts.Title{Title: "Cities", Subtitle: "</script>"}))
	bar.SetXAxis([]string{"Rome", "Oslo"}).AddSeries("people", []opts.BarData{{Value: 2.8}, {Value: 0.7}})
	return bar
}

func lineOf() *charts.Line {
	line := charts.NewLine()
	line.SetXAxis([]string{"a", "b", "c"}).AddSeries("one", []opts.LineData{{Value: 1}, {Value: 3}, {Value: 2}})
	return line
}

// A chart of go-echarts that a cell ends with is live by the session's script, and still where that cannot run.
func TestChartsOfGoECharts(t *testing.T) {
	scatter := charts.NewScatter()
	scatter.AddSeries("points", []opts.ScatterData{{Value: []any{1, 2}}, {Value: []any{3, 4.5}}})
	pie := charts.NewPie()
	pie.AddSeries("share", []opts.PieData{{Name: "x", Value: 3}, {Name: "y", Value: 1}})
	radar := charts.NewRadar()
	radar.AddSeries("r", []opts.RadarData{{Value: []float64{1, 2}}})
	directions := charts.NewRadar()
	directions.SetGlobalOptions(charts.WithRadarComponentOpts(opts.RadarComponent{Indicator: []*opts.Indicator{{Name: "cost", Max: 9}, {Name: "speed", Max: 9}, {Name: "ease", Max: 9}}}))
	directions.AddSeries("first", []opts.RadarData{{Value: []float64{1, 2, 3}, Name: "mine"}, {Value: []float64{4, 5, 6}}})
	heat := charts.NewHeatMap()
	heat.SetGlobalOptions(charts.WithXAxisOpts(opts.XAxis{Type: "category", Data: []string{"Mo", "Tu", "We"}}), charts.WithYAxisOpts(opts.YAxis{Type: "category", Data: []string{"low", "high"}}))
	heat.AddSeries("visits", []opts.HeatMapData{{Value: []any{0, 0, 5}}, {Value: []any{2, 1, 9}}, {Value: []any{"Tu", "high", "-"}}})
	cloud := charts.NewWordCloud()
	cloud.AddSeries("w", []opts.WordCloudData{{Name: "go", Value: 3}})
	for name, tt := range map[string]struct {
		v     any
		still bool
		text  string
	}{
		"bar": {barOf(), true, "Cities"}, "line": {lineOf(), true, "1 of type line"}, "scatter": {scatter, true, "1 of type scatter"}, "pie": {pie, true, "x"},
		"radar without names": {radar, false, "1 of type radar"}, "radar": {directions, true, "speed"}, "heat map": {heat, true, "Mo"}, "word cloud": {cloud, false, "wordCloud"},
	} {
		fresh(t)
		b, err := display.Of(tt.v)
		require.NoError(t, err, name)
		page := b.Data[display.TypeHTML].(string)
		assert.True(t, hasScript(page), name)
		assert.Contains(t, page, `{"raw":{`, name)
		assert.NotContains(t, page, "http", name+" fetches something")
		assert.Contains(t, b.Text(), tt.text, name)
		assert.NotContains(t, b.Text(), "0x", name)
		_, svg := b.Data[display.TypeSVG]
		_, png := b.Data[display.TypePNG]
		assert.Equal(t, tt.still, svg && png, name)
		again, err := display.Of(tt.v)
		require.NoError(t, err, name)
		assert.False(t, hasScript(again.Data[display.TypeHTML].(string)), name)
	}
	b, err := display.Of(barOf())
	require.NoError(t, err)
	assert.NotContains(t, b.Data[display.TypeHTML], `"</script>"`)
	assert.Contains(t, b.Data[display.TypeSVG], "Rome")
}

// The cells of a heat map are where its categories are, by number or by name; what has no number is empty. A radar's
// values are lines, each with its name.
func TestGridsOfGoECharts(t *testing.T) {
	option := func(text string) *Chart {
		var o eoption
		require.NoError(t, json.Unmarshal([]byte(text), &o))
		return o.chart()
	}
	axes := `{"xAxis": [{"data": ["a", "b", "c"]}], "yAxis": [{"data": ["u", "v"]}], "series": [{"type": "heatmap", "data": %s}]}`
	c := option(fmt.Sprintf(axes, `[[0, 0, 5], [2, 1, 9], {"value": ["b", "v", 7]}, [1, 0, "-"]]`))
	require.NotNil(t, c)
	p := c.Panels[0]
	nan := math.NaN()
	want := []float64{5, nan, nan, nan, 7, 9}
	require.Len(t, p.Series[0].Grid.Z, len(want))
	for i, z := range p.Series[0].Grid.Z {
		assert.True(t, z == want[i] || z != z && want[i] != want[i], "cell %d is %v", i, z)
	}
	assert.Equal(t, []string{"a", "b", "c"}, p.X.Names)
	assert.Equal(t, []string{"u", "v"}, p.Y.Names)
	assert.Equal(t, [2]float64{5, 9}, [2]float64{p.Scale.Min, p.Scale.Max})
	for _, data := range []string{`[]`, `[[0, 0]]`, `[[0, 0, "-"]]`, `[["d", 0, 1]]`, `[[-1, 0, 1]]`, `[[1e9, 0, 1]]`, `[[0.5, 0, 1]]`, `5`, `[[39999, 39999, 1]]`} {
		assert.Nil(t, option(fmt.Sprintf(axes, data)), data)
	}
	r := option(`{"radar": {"indicator": [{"name": "n"}, {"name": "e"}]}, "series": [{"type": "radar", "name": "s", "data": [{"value": [1, 2], "name": "one"}, [3, 4]]}]}`)
	require.NotNil(t, r)
	assert.Equal(t, []string{"n", "e"}, r.Panels[0].X.Names)
	assert.Equal(t, []float64{1, 2}, r.Panels[0].Series[0].Y)
	assert.Equal(t, [2]string{"one", "s"}, [2]string{r.Panels[0].Series[0].Name, r.Panels[0].Series[1].Name})
}

func TestPagesOfGoECharts(t *testing.T) {
	fresh(t)
	for name, v := range map[string]any{"a page": components.NewPage().AddCharts(barOf(), lineOf()), "a slice": []*charts.Bar{barOf(), barOf()}, "our own": []*Chart{Line(nil, []int{1, 2}), Bar([]string{"x"}, []int{1})}} {
		b, err := display.Of(v)
		require.NoError(t, err, name)
		page := b.Data[display.TypeHTML].(string)
		assert.Equal(t, 2, strings.Count(page, `class="arrayrepl-chart"`), name)
		assert.Contains(t, page, "display:flex", name)
	}
}
