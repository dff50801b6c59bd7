package tests

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/lazy/frames"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
	"github.com/arrayrepl/arrayrepl/viz"
)

// realTrace is the trace of an evaluation on a simulated V100 with copies, fused kernels, a reduction whose lanes part,
// and work on the CPU.
func realTrace(t *testing.T) *trace.Log {
	t.Helper()
	testdevices.Use(t)
	lazy.Use("sim:v100")
	x := lazy.Linspace(0, 1, 200_000)
	lazy.Eval(x)
	y := x.Mul(3).Sin().Mul(x)
	total := y.Sum()
	y.Add(total).ArgMax().Array() // on the CPU: there is no kernel for it
	log := trace.Last()
	if log.Graph() == nil || len(log.Kernels()) < 2 {
		t.Fatalf("%d kernels, graph %v", len(log.Kernels()), log.Graph())
	}
	return log
}

// TestChartsHaveTheNumbersOfARealTrace: series, labels and numbers of the charts are those of the log that the runtime
// and the simulated GPU wrote.
func TestChartsHaveTheNumbersOfARealTrace(t *testing.T) {
	log := realTrace(t)
	longest := log.Kernels()[0]
	for _, k := range log.Kernels() {
		if k.Duration() > longest.Duration() {
			longest = k
		}
	}
	detail := longest.Stats.Detail

	// On a busy machine the CPU's events can be so long that others are too short to be seen; a note says so then.
	c := ok(t, viz.Timeline(log))
	joined := strings.Contains(strings.Join(c.Notes, "\n"), "too short to be seen")
	for _, p := range c.Panels { // launches are drawn beside the events
		p.Series = slices.DeleteFunc(p.Series, func(s viz.Series) bool { return s.Name == "launch" })
	}
	if n := boxes(c); n > len(log.Events()) || n < len(log.Events()) && !joined || joined && n == len(log.Events()) {
		t.Errorf("the timeline has %d rectangles for %d events, its notes are %q", n, len(log.Events()), c.Notes)
	}
	c = ok(t, viz.Gantt(log))
	onDrawn := 0 // of many SMs some are drawn
	for _, b := range detail.Blocks {
		if slices.Contains(c.Panels[0].Y.Categories, fmt.Sprintf("SM %d", b.SM)) {
			onDrawn++
		}
	}
	if boxes(c) != onDrawn || onDrawn < len(detail.Blocks)/3 {
		t.Errorf("the Gantt chart has %d bars, the SMs that it draws ran %d of %d blocks", boxes(c), onDrawn, len(detail.Blocks))
	}

	c = ok(t, viz.TaskGraph(log))
	for i, task := range log.Graph().Tasks {
		if want := fmt.Sprintf("%d. %s on %s", i+1, task.Name, task.Device); !strings.Contains(c.String(), want) {
			t.Errorf("the task graph lacks %q:\n%s", want, c)
		}
		for k, op := range task.Ops {
			if len(task.Ops) > 1 && !has(c, fmt.Sprintf("%d  %s", k+1, op.Name)) {
				t.Errorf("task %d lacks operation %s", i+1, op.Name)
			}
		}
	}

	c = ok(t, viz.Source(log))
	var issued int64
	lines := 0
	for _, l := range detail.Lines {
		issued += l.Issued
		if l.Issued > 0 {
			lines++
		}
	}
	if n := len(ok(t, viz.OperationsOf("", log)).Panels[0].Y.Categories); n != min(lines, 44) {
		t.Errorf("%d operations are drawn of %d", n, lines)
	}
	if n := len(c.Panels[0].Y.Categories); n == 0 || n >= lines { // array operations, of several each
		t.Errorf("%d lines are drawn for %d operations of the kernel", n, lines)
	}
	if longest.Stats.SampledBlocks == longest.Stats.TotalBlocks && issued != longest.Stats.WarpInstructions {
		t.Errorf("the lines issued %d instructions, the kernel %d", issued, longest.Stats.WarpInstructions)
	}

	c = ok(t, viz.OccupancyBySM(log))
	warps := 0.0
	for _, b := range detail.Blocks {
		warps += 8 * b.End.Seconds() // blocks of 256 threads; minus their starts
		warps -= 8 * b.Start.Seconds()
	}
	g := c.Panels[1].Series[0].Grid
	drawn := 0.0
	for _, z := range g.Z {
		drawn += z * (g.X1 - g.X0) / float64(g.Cols)
	}
	unit := map[string]float64{"ns": 1e-9, "µs": 1e-6, "ms": 1e-3}[c.Panels[1].X.Unit]
	if math.Abs(drawn*unit-warps) > 1e-6*warps {
		t.Errorf("%v warp seconds are drawn of %v", drawn*unit, warps)
	}

	c = ok(t, viz.TransferMap(log))
	ways := map[trace.Kind]int64{}
	for _, e := range log.Events() {
		if e.Kind == trace.CopyIn || e.Kind == trace.CopyOut {
			ways[e.Kind] += e.Bytes
		}
	}
	if boxes(c) != len(ways) || len(ways) == 0 {
		t.Errorf("%d cells for copies %v", boxes(c), ways)
	}

	c = ok(t, viz.ReconvergenceOf("sum", log))
	if !strings.Contains(c.Subtitle, "policy pdom") || len(c.Panels) != 2 {
		t.Errorf("reconvergence: %q, %d panels", c.Subtitle, len(c.Panels))
	}
	for name, c := range map[string]*viz.Chart{
		"occupancy": viz.Occupancy(log), "stalls": viz.Stalls(log), "roofline": viz.Roofline(log), "breakdown": viz.Breakdown(log), "transfers": viz.Transfers(log),
		"memory": viz.Memory(log), "compare": viz.Compare(nil, log, log, log),
	} {
		if ok(t, c).Title == "" || len(c.Notes) == 0 && name != "transfers" {
			t.Errorf("%s: title %q, notes %q", name, c.Title, c.Notes)
		}
	}
}

func ok(t *testing.T, c *viz.Chart) *viz.Chart {
	t.Helper()
	if c.Err != nil {
		t.Fatal(c.Err)
	}
	if !strings.Contains(c.SVG(), "</svg>") {
		t.Errorf("%s: no picture", c.Title)
	}
	return c
}

func boxes(c *viz.Chart) (n int) {
	for _, p := range c.Panels {
		for _, s := range p.Series {
			n += len(s.Boxes)
		}
	}
	return n
}

func has(c *viz.Chart, label string) bool {
	for _, p := range c.Panels {
		for _, s := range p.Series {
			for _, b := range s.Boxes {
				if b.Label == label {
					return true
				}
			}
		}
	}
	return false
}

// TestChartsTakeColumnsOfATable: columns of text and of dates name bars and boxes, and are the x of lines, as they are.
func TestChartsTakeColumnsOfATable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	require.NoError(t, os.WriteFile(path, []byte("city,when,rain\nRome,2024-02-28,1\nOslo,2024-02-29,3\nBern,2024-03-01,2\n"), 0o600))
	f, err := frames.Read(path)
	require.NoError(t, err)
	city, when, rain := f.Col("city"), f.Col("when"), f.Col("rain")
	for name, c := range map[string]*viz.Chart{
		"Bar": viz.Bar(city, rain), "BoxPlot": viz.BoxPlot(city, []any{rain, rain, rain}),
	} {
		for _, want := range []string{"Rome", "Oslo", "Bern"} {
			if c.Err != nil || !strings.Contains(c.String(), want) {
				t.Errorf("%s: %v: no %s in\n%s", name, c.Err, want, c)
			}
		}
	}
	for name, c := range map[string]*viz.Chart{"Line": viz.Line(when, rain), "Scatter": viz.Scatter(when, rain)} {
		if c.Err != nil || !c.Panels[0].X.Time || c.Panels[0].Series[0].X[2] != 1709251200 { // 2024-03-01
			t.Errorf("%s: %v, %v", name, c.Err, c.Panels)
		}
	}
}
