package viz

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/components"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

var _ components.Charter = (*EChart)(nil)

// optionText is the option as a page of go-echarts has it.
func optionText(t *testing.T, e *EChart) (text string, option map[string]any) {
	t.Helper()
	e.Validate()
	raw, err := json.Marshal(e.JSON())
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &option))
	return string(raw), option
}

// TestEChartsHaveTheNumbers: every chart gives one of go-echarts with as many plots, the same series and, but for
// grids, of which each cell is a datum of its own, the same data as the live form.
func TestEChartsHaveTheNumbers(t *testing.T) {
	for name, c := range ordinary() {
		require.NoError(t, c.Err, name)
		var live struct{ Option map[string]any }
		require.NoError(t, json.Unmarshal(optionJSON(c), &live), name)
		_, option := optionText(t, c.ECharts())
		assert.Len(t, option["xAxis"], len(c.Panels), name)
		want, got := live.Option["series"].([]any), option["series"].([]any)
		require.Len(t, got, len(want), name)
		at := 0
		for _, p := range c.Panels {
			for _, s := range p.Series {
				w, g := want[at].(map[string]any), got[at].(map[string]any)
				assert.Equal(t, w["type"], g["type"], name)
				if s.Grid == nil {
					assert.Equal(t, w["data"], g["data"], "%s, series %q", name, s.Name)
				} else {
					shown := 0
					for _, v := range s.Grid.Z {
						if finite(v) {
							shown++
						}
					}
					assert.Len(t, g["data"], max(shown, len(s.Grid.RGB)/3), name)
				}
				assert.Equal(t, w["type"] == "custom", strings.HasPrefix(stringOf(g["renderItem"]), "__f__function("), name)
				at++
			}
			at += len(p.keys)
		}
	}
}

func stringOf(v any) string { s, _ := v.(string); return s }

// TestEChartsTakeOptions: what a user sets goes before what the chart has.
func TestEChartsTakeOptions(t *testing.T) {
	e := HeatMap(arrays.FromSlice([]float64{1, 2, 3, 4}, 2, 2), Title("Old")).ECharts()
	s, _ := optionText(t, e)
	assert.Contains(t, s, `"visualMap":[{`)
	assert.Contains(t, s, "Old")
	e.SetGlobalOptions(charts.WithTitleOpts(opts.Title{Title: "New"}), charts.WithVisualMapOpts(opts.VisualMap{Min: 2, Max: 3, Dimension: "4"}))
	s, option := optionText(t, e)
	assert.NotContains(t, s, "Old")
	assert.Equal(t, 2.0, option["visualMap"].([]any)[0].(map[string]any)["min"])
	assert.Contains(t, s, `"row"`) // the name of the vertical axis, a title of its own, stays
}

// TestEChartsRunNothingOfTheData: texts of the data are not markup and no code, neither on a page of go-echarts, which
// escapes nothing, nor in a notebook.
func TestEChartsRunNothingOfTheData(t *testing.T) {
	for _, evil := range []string{"</script><script>alert(1)</script>", "__f__alert(1)__f__", "<!--<script>"} {
		page := components.NewPage()
		named := Line(nil, []float64{1, 2}, Name(evil), Title(evil), XLabel(evil), YLabel(evil)).Add(nil, []float64{2, 3}, evil+"2")
		e := []*EChart{named.ECharts(), Bar([]string{evil, "b"}, []float64{1, 2}).ECharts(), Line(evil, evil).ECharts(),
			HeatMap(arrays.FromSlice([]float64{1, 2, 3, 4}, 2, 2), Title(evil)).ECharts()}
		for _, e := range e {
			page.AddCharts(e)
			html := stringOf(e.MIMEBundle().Data[display.TypeHTML])
			assert.NotContains(t, html, "<script>alert", evil)
			assert.NotContains(t, html, "<!--", evil)
			assert.NotContains(t, html, `"__f__alert`, evil)
		}
		var b bytes.Buffer
		require.NoError(t, page.Render(&b))
		assert.NotContains(t, b.String(), "</script><script>alert", evil)
		assert.NotContains(t, b.String(), "<!--", evil)
		assert.NotRegexp(t, regexp.MustCompile(`[:,\[]alert\(1\)`), b.String(), evil)
	}
}

// TestEChartsOfMistakes: a chart with an error gives one that says it.
func TestEChartsOfMistakes(t *testing.T) {
	e := Line("no numbers", 3).ECharts()
	s, _ := optionText(t, e)
	assert.Contains(t, s, "viz: Line")
	assert.Contains(t, e.MIMEBundle().Data[display.TypeText], "viz: Line")
}
