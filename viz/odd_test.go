package viz

import (
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// whole fails when a chart is neither a picture of finite numbers in every form nor an error that says what is wrong in
// words.
func whole(t *testing.T, what string, c *Chart) {
	t.Helper()
	if c.Err != nil {
		if msg := c.Err.Error(); !strings.HasPrefix(msg, "viz: ") || len(msg) < 25 {
			t.Errorf("%s: the error %q does not help", what, msg)
		}
		return
	}
	if c.String() == "" || c.Title == "" {
		t.Errorf("%s: no text", what)
	}
	c.Notes, c.Alt, c.Subtitle = nil, "alt", "" // which may say NaN
	svg, live := c.SVG(), string(optionJSON(c))
	for _, bad := range []string{"NaN", "Inf"} {
		if strings.Contains(svg, bad) || strings.Contains(live, bad) {
			t.Errorf("%s: a number of the picture is %s", what, bad)
		}
	}
}

// Every chart of data, made of what nobody wants to draw: a picture without a number that is not one, or an error that
// says what is wrong in words. Of nothing it is always an error.
func TestEveryChartOfOddData(t *testing.T) {
	vectors := map[string][]float64{
		"empty": {}, "one": {3}, "one zero": {0}, "one NaN": {nan}, "all NaN": {nan, nan, nan, nan}, "all infinite": {inf, -inf, inf, inf},
		"some NaN": {nan, 1, inf, 2}, "equal": {5, 5, 5, 5}, "huge": {-1.7e308, 1.7e308, 0, 1}, "tiny": {5e-324, 0, 1e-323, 0}, "negative": {-1, -2, -3, -4},
	}
	for what, v := range vectors {
		for name, f := range every {
			var c *Chart
			switch side := min(2, len(v)); { // 0 by 0, 1 by 1 and 2 by 2
			case f.data != nil:
				c = f.data(v)
			case f.table != nil:
				c = f.table(arrays.FromSlice(v[:side*side], side, side))
			default:
				continue
			}
			whole(t, name+" of "+what, c)
			if what == "empty" && c.Err == nil {
				t.Errorf("%s of an empty array makes a chart", name)
			}
		}
	}
}

// Lengths that differ are told, both of them.
func TestChartsOfUnequalLengths(t *testing.T) {
	two := arrays.FromSlice([]float64{1, 2}, 1, 2)
	for name, c := range map[string]*Chart{
		"Line": Line([]int{1, 2}, []int{1}), "Scatter": Scatter([]int{1}, []int{1, 2}), "Density": Density([]int{1}, []int{1, 2}), "Bar": Bar([]int{1}, []int{1, 2}),
		"BoxPlot": BoxPlot([]string{"a"}, [][]float64{{1}, {2}}), "Sweep": Sweep([]int{1}, []int{1, 2}), "Right": Line(nil, []int{1, 2}).AddRight([]int{1}, []int{1, 2}, ""),
		"Add": Line(nil, []int{1, 2}).Add([]int{1}, []int{1, 2}, ""), "Sweep of traces": Sweep([]int{1, 2}, []*trace.Log{{}}), "Compare": Compare([]string{"a"}, &trace.Log{}, &trace.Log{}),
		"Lanes": Lanes(two, CellValues([]int{1})),
	} {
		if c.Err == nil || !strings.ContainsAny(c.Err.Error(), "12") {
			t.Errorf("%s of unequal lengths: %v, want the lengths", name, c.Err)
		}
	}
}

// Every chart of a trace, of a trace of nothing and of one event of each kind without figures.
func TestEveryChartOfAnOddTrace(t *testing.T) {
	bare := &trace.Log{}
	for k := trace.Alloc; k <= trace.Overhead; k++ {
		bare.Add(trace.Event{Kind: k, Device: "d", Modelled: true})
	}
	bare.Add(trace.Event{Kind: trace.Kernel, Name: "k", Device: "d", Stats: &trace.KernelStats{Detail: &trace.Detail{Walk: &trace.Walk{}, Lines: []trace.Line{{}}, Blocks: []trace.BlockRun{{}}, SMs: 1, BlockSMs: 1}}, Memory: 1})
	bare.SetGraph(&trace.Graph{Tasks: []trace.Task{{}}})
	seen := 0
	for name, f := range every {
		if f.trace == nil {
			continue
		}
		seen++
		if c := f.trace(&trace.Log{}); c.Err == nil || !strings.HasPrefix(c.Err.Error(), "viz: ") {
			t.Errorf("%s of nothing: %v", name, c.Err)
		}
		whole(t, name+" of events without figures", f.trace(bare))
	}
	if seen < 14 {
		t.Errorf("%d charts of traces", seen)
	}
}
