package viz

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// TestMarkersAreNoSeries: a line that marks a value has the page's ink, which no series of data has, dashed in the
// picture and in the legend.
func TestMarkersAreNoSeries(t *testing.T) {
	c := Line(nil, [][]float64{{1, 2}, {3, 4}}[0], Name("a"), VLine(0.5, "here"), HLine(1.5, "limit")).Add(nil, []float64{3, 4}, "b")
	require.NoError(t, c.Err)
	assert.NotContains(t, seriesColors, ruleColor)
	for _, s := range c.Panels[0].Series {
		assert.Equal(t, s.Name == "here" || s.Name == "limit", s.Color == ruleColor, s.Name)
		assert.Equal(t, s.Color == ruleColor, s.Dashed)
	}
	assert.Equal(t, nightTheme.ink, painter{theme: nightTheme}.inkOf(Series{Color: ruleColor}), "light on dark")
	f := textForm{colors: true}
	assert.Equal(t, "x", f.paint(ruleColor, "x"), "the terminal's own ink")
}

// TestStep: lines of the option hold their values, those added later too.
func TestStep(t *testing.T) {
	c := Line([]int{1, 2, 3}, []int{4, 4, 2}, Step()).Add([]int{1, 3}, []int{1, 2}, "b")
	for _, s := range c.Panels[0].Series {
		assert.True(t, s.Step)
	}
	assert.Contains(t, string(optionJSON(c)), `"step":"end"`)
	assert.False(t, Scatter(nil, []int{4, 4}, Step()).Panels[0].Series[0].Step)
}

// TestOneValue: the bar of a table of one value has one colour and one number.
func TestOneValue(t *testing.T) {
	for _, v := range []float64{3, 0, -2} {
		c := HeatMap(arrays.FromSlice([]float64{v, v, v, v}, 2, 2))
		page := pageScaleOf(c.Panels[0].Scale)
		assert.Equal(t, []num{num(v)}, page.Ticks)
		assert.Equal(t, page.Colors[0], page.Colors[1])
		assert.Contains(t, c.String(), fmt.Sprintf("all %g", v))
		assert.NotContains(t, c.String(), "blank")
	}
}

// TestNumbersThatDoNotFit: a chart of cells says how many of its numbers have no room.
func TestNumbersThatDoNotFit(t *testing.T) {
	lanes, short, long := make([]float64, 64), make([]float64, 64), make([]float64, 64)
	for i := range lanes {
		lanes[i], short[i], long[i] = 1, 1, 123456.7
	}
	table := func(x []float64) *arrays.Array { return arrays.FromSlice(x, 2, 32) }
	assert.NotContains(t, fmt.Sprint(Lanes(table(lanes), CellValues(table(short))).Notes), "fit")
	assert.Contains(t, fmt.Sprint(Lanes(table(lanes), CellValues(table(long))).Notes), "64 numbers do not fit")
}

// rooflineLog has kernels of the given operations for each byte, at a rate of 100 Gflop/s.
func rooflineLog(intensity ...float64) *trace.Log {
	l := new(trace.Log)
	for i, x := range intensity {
		l.Add(trace.Event{Kind: trace.Kernel, Name: fmt.Sprintf("kernel%d", i), Device: "sim:v100", Modelled: true, End: trace.Time(1e7), // 10 µs in picoseconds
			Stats: &trace.KernelStats{Cycles: 1000, Flops32: 1e6, DRAMBytes: int64(1e6 / x), PeakBandwidth: 900e9, PeakFlops32: 15.7e12}})
	}
	return l
}

// TestRooflineNamesItsPoints: kernels have one colour and a label each; those at one place share a point that names
// both; no label lies on another.
func TestRooflineNamesItsPoints(t *testing.T) {
	c := Roofline(rooflineLog(0.1, 0.1, 0.12, 1, 8, 9))
	require.NoError(t, c.Err)
	s := c.Panels[0].Series[len(c.Panels[0].Series)-1]
	var names []string
	for _, l := range s.labels {
		names = append(names, l.text)
	}
	assert.ElementsMatch(t, []string{"kernel0, kernel1", "kernel2", "kernel3", "kernel4", "kernel5"}, names)
	px, py := ranged(&c.Panels[0])
	g := geometry{xs: px, ys: py, logX: true, logY: true, x0: 60, x1: width - 24, y1: float64(c.Panels[0].Height)}
	var boxes [][4]float64
	for i, l := range s.labels {
		_, _, _, b := l.at(g.x(s.X[i]), g.y(s.Y[i]))
		for _, o := range boxes {
			assert.False(t, b[0] < o[1] && o[0] < b[1] && b[2] < o[3] && o[2] < b[3], "%s lies on another label", l.text)
		}
		boxes = append(boxes, b)
	}
	assert.Contains(t, c.SVG(), "kernel0, kernel1")
	assert.Contains(t, string(optionJSON(c)), `"key":"kernel4"`)
}

// TestMarksNameTheirKernels: what a click picks out: bars of the timeline, of Stalls and boxes of tasks have the
// kernel's name, charts of one kernel say which.
func TestMarksNameTheirKernels(t *testing.T) {
	log := sampleInside()
	name := log.Kernels()[0].Name
	for _, c := range []*Chart{Timeline(log), Stalls(log)} {
		keys := 0
		for _, p := range c.Panels {
			for _, s := range p.Series {
				for _, b := range s.Boxes {
					if b.key == name {
						keys++
					}
				}
			}
		}
		assert.Positive(t, keys, c.Title)
	}
	for _, c := range []*Chart{Occupancy(log), OccupancyBySM(log), Gantt(log), Source(log), Reconvergence(log)} {
		var page struct{ Kernel string }
		require.NoError(t, json.Unmarshal(optionJSON(c), &page))
		assert.True(t, page.Kernel != "" && strings.Contains(c.Title+c.Subtitle, page.Kernel), c.Title)
	}
}
