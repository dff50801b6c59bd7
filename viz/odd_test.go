package viz

import (
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Every chart of data, made of what nobody wants to draw: a picture without a number that is not one, or an error that says
// what is wrong in words.
func TestEveryChartOfOddData(t *testing.T) {
	flat := map[string]func(x any) *Chart{
		"Line":    func(x any) *Chart { return Line(nil, x) },
		"Line xy": func(x any) *Chart { return Line(x, x) },
		"Right":   func(x any) *Chart { return Line(nil, []int{1, 2}).AddRight(nil, x, "right") },
		"Scatter": func(x any) *Chart { return Scatter(x, x) },
		"Sweep":   func(x any) *Chart { return Sweep(x, x) },
		"Bar":     func(x any) *Chart { return Bar([]string{"a", "b", "c", "d"}[:len(x.([]float64))], x) },
		"Hist":    func(x any) *Chart { return Hist(x, 5) },
		"Density": func(x any) *Chart { return Density(x, x) },
		"BoxPlot": func(x any) *Chart { return BoxPlot(nil, x) },
	}
	square := map[string]func(x any) *Chart{
		"HeatMap": func(x any) *Chart { return HeatMap(x) },
		"Contour": func(x any) *Chart { return Contour(x) },
		"Image":   func(x any) *Chart { return Image(x) },
		"Surface": func(x any) *Chart { return Surface(x) },
	}
	vectors := map[string][]float64{
		"empty": {}, "one": {3}, "one NaN": {nan}, "all NaN": {nan, nan, nan, nan}, "all infinite": {inf, -inf, inf, inf},
		"some NaN": {nan, 1, inf, 2}, "equal": {5, 5, 5, 5}, "huge": {-1.7e308, 1.7e308, 0, 1}, "tiny": {5e-324, 0, 1e-323, 0}, "negative": {-1, -2, -3, -4},
	}
	refuses := map[string]bool{"empty": true} // all must
	check := func(name, what string, c *Chart) {
		if c.Err != nil {
			if msg := c.Err.Error(); !strings.HasPrefix(msg, "viz: ") || len(msg) < 25 {
				t.Errorf("%s of %s: the error %q does not help", name, what, msg)
			}
			return
		}
		if refuses[what] {
			t.Errorf("%s of %s makes a chart", name, what)
		}
		c.Notes, c.Alt = nil, "alt" // which may say NaN
		svg, live := c.SVG(), string(optionJSON(c))
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") || strings.Contains(live, "NaN") || strings.Contains(live, "Inf") || c.String() == "" {
			t.Errorf("%s of %s: a number of the picture is not finite", name, what)
		}
	}
	for what, v := range vectors {
		for name, f := range flat {
			check(name, what, f(v))
		}
		side := 2
		if len(v) < 4 {
			side = len(v) // 0 by 0 and 1 by 1
		}
		for name, f := range square {
			check(name, what, f(arrays.FromSlice(v[:side*side], side, side)))
		}
	}
	for name, c := range map[string]*Chart{
		"Line": Line([]int{1, 2}, []int{1}), "Scatter": Scatter([]int{1}, []int{1, 2}), "Density": Density([]int{1}, []int{1, 2}), "Bar": Bar([]int{1}, []int{1, 2}),
		"BoxPlot": BoxPlot([]string{"a"}, [][]float64{{1}, {2}}), "Sweep": Sweep([]int{1}, []int{1, 2}), "Right": Line(nil, []int{1, 2}).AddRight([]int{1}, []int{1, 2}, ""),
	} {
		if c.Err == nil || !strings.ContainsAny(c.Err.Error(), "12") {
			t.Errorf("%s of unequal lengths: %v, want the lengths", name, c.Err)
		}
	}
}

// Every chart of a trace, of a trace of nothing and of one event of each kind without figures.
func TestEveryChartOfAnOddTrace(t *testing.T) {
	charts := map[string]func(l *trace.Log) *Chart{
		"Timeline": func(l *trace.Log) *Chart { return Timeline(l) }, "Occupancy": func(l *trace.Log) *Chart { return Occupancy(l) },
		"OccupancyBySM": func(l *trace.Log) *Chart { return OccupancyBySM(l) }, "Gantt": func(l *trace.Log) *Chart { return Gantt(l) },
		"Stalls": func(l *trace.Log) *Chart { return Stalls(l) }, "Source": func(l *trace.Log) *Chart { return Source(l) },
		"Reconvergence": func(l *trace.Log) *Chart { return Reconvergence(l) }, "Roofline": func(l *trace.Log) *Chart { return Roofline(l) },
		"Breakdown": func(l *trace.Log) *Chart { return Breakdown(l) }, "Transfers": func(l *trace.Log) *Chart { return Transfers(l) },
		"TransferMap": func(l *trace.Log) *Chart { return TransferMap(l) }, "Memory": func(l *trace.Log) *Chart { return Memory(l) },
		"TaskGraph": func(l *trace.Log) *Chart { return TaskGraph(l) }, "Compare": func(l *trace.Log) *Chart { return Compare(nil, l, l) },
	}
	bare := &trace.Log{}
	for k := trace.Alloc; k <= trace.Overhead; k++ {
		bare.Add(trace.Event{Kind: k, Device: "d", Modelled: true})
	}
	bare.Add(trace.Event{Kind: trace.Kernel, Name: "k", Device: "d", Stats: &trace.KernelStats{Detail: &trace.Detail{Walk: &trace.Walk{}, Lines: []trace.Line{{}}, Blocks: []trace.BlockRun{{}}, SMs: 1, BlockSMs: 1}}, Memory: 1})
	bare.SetGraph(&trace.Graph{Tasks: []trace.Task{{}}})
	for name, f := range charts {
		if c := f(&trace.Log{}); c.Err == nil || !strings.HasPrefix(c.Err.Error(), "viz: ") {
			t.Errorf("%s of nothing: %v", name, c.Err)
		}
		c := f(bare)
		if c.Err != nil {
			continue
		}
		c.Notes, c.Alt, c.Subtitle = nil, "alt", ""
		if svg, live := c.SVG(), string(optionJSON(c)); strings.Contains(svg, "NaN") || strings.Contains(live, "NaN") || strings.Contains(svg, "Inf") || c.String() == "" {
			t.Errorf("%s of events without figures: a number of the picture is not finite", name)
		}
	}
}
