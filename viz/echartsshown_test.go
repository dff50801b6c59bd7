package viz

import (
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
	cloud := charts.NewWordCloud()
	cloud.AddSeries("w", []opts.WordCloudData{{Name: "go", Value: 3}})
	for name, tt := range map[string]struct {
		v     any
		still bool
		text  string
	}{
		"bar": {barOf(), true, "Cities"}, "line": {lineOf(), true, "1 of type line"}, "scatter": {scatter, true, "1 of type scatter"}, "pie": {pie, true, "x"},
		"radar": {radar, false, "1 of type radar"}, "word cloud": {cloud, false, "wordCloud"},
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
