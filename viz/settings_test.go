package viz

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// An axis that ends where the data end has no label there: it would be a number such as 14.4918.
func TestRawEndsHaveNoLabel(t *testing.T) {
	for _, c := range []struct {
		a    Axis
		want string
	}{
		{Axis{Max: 14.4918}, "[0 2 4 6 8 10 12 14]"},
		{Axis{Min: 2.71597, Max: 14}, "[4 6 8 10 12 14]"},
		{Axis{Max: 100, Step: 25}, "[0 25 50 75 100]"},
		{Axis{}, "[0 2 4 6 8 10 12 14]"}, // around the data
	} {
		c.a.Label = "x"
		chart := &Chart{Panels: []Panel{{X: c.a, Series: []Series{{X: []float64{0.3, 13.2}, Y: []float64{1, 2}}}}}}
		var p struct {
			Panels []struct{ X struct{ Ticks []float64 } }
		}
		if err := json.Unmarshal(optionJSON(chart), &p); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(p.Panels[0].X.Ticks); got != c.want {
			t.Errorf("%v to %v: labels at %v, want %v", c.a.Min, c.a.Max, got, c.want)
		}
		if s := chart.SVG(); strings.Contains(s, ">14.4918<") || strings.Contains(s, ">2.71597<") {
			t.Errorf("%v to %v: a raw end is labelled", c.a.Min, c.a.Max)
		}
	}
}

func TestSweepIsLogLogWithLimits(t *testing.T) {
	c := Sweep([]float64{1e3, 1e6}, []float64{1e-5, 1e-2}, Name("v100"), VLine(1e9, "out of memory"), HLine(0, "never")).Add([]float64{1e3, 1e6}, []float64{2e-5, 1e-1}, "a100")
	if c.Err != nil {
		t.Fatal(c.Err)
	}
	p := c.Panels[0]
	var got []string
	for _, s := range p.Series {
		got = append(got, fmt.Sprint(s.Name, s.X, s.Y, s.Dots))
	}
	want := "v100[1000 1e+06] [1e-05 0.01] true; a100[1000 1e+06] [2e-05 0.1] true; out of memory[1e+09 1e+09] [1e-05 0.1] false"
	if !p.X.Log || !p.Y.Log || strings.Join(got, "; ") != want {
		t.Errorf("log %v %v, series %s, want %s", p.X.Log, p.Y.Log, strings.Join(got, "; "), want)
	}
}

func TestLongHeadingsTakeSeveralLines(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("device (modelled): 36.6 µs, 39.3 µs and 39.9 µs   ·   ", 4))
	one, many := Line(nil, []int{1, 2}, Title("t"), Subtitle("s")), Line(nil, []int{1, 2}, Title(long), Subtitle(long))
	f := lay(many)
	for _, lines := range [][]string{f.title, f.subtitle} {
		if len(lines) < 2 || strings.Join(lines, " ") != strings.Join(strings.Fields(long), " ") {
			t.Errorf("lines %q", lines)
		}
		for _, l := range lines {
			if !strings.Contains(many.SVG(), ">"+l+"<") {
				t.Errorf("the picture lacks the line %q", l)
			}
		}
	}
	if got, want := f.height-lay(one).height, (len(f.title)-1)*titleLine+(len(f.subtitle)-1)*textLine; got != want {
		t.Errorf("%d pixels more than with short headings, want %d", got, want)
	}
}

// The expected numbers are those of the events: a log for n elements copies in for n ns and runs two kernels of 2n ns,
// the second while the first still runs; the CPU works 3 µs; n elements need 4n of 40,000 bytes, so that 10,000 fill
// the memory.
func TestSweepOfTracesHasTheirTimes(t *testing.T) {
	sizes := []float64{1000, 4000, 2000} // in any order
	var logs []*trace.Log
	for _, n := range sizes {
		l, ns := &trace.Log{}, trace.Time(n)*trace.Nanosecond
		dev := trace.Event{Device: "sim:tiny#0", Modelled: true, Memory: 40_000, Needed: int64(4 * n)}
		for _, e := range []struct {
			kind     trace.Kind
			from, to trace.Time
		}{{trace.CopyIn, 0, ns}, {trace.Kernel, ns, 3 * ns}, {trace.Kernel, 2 * ns, 4 * ns}} {
			dev.Kind, dev.Start, dev.End = e.kind, e.from, e.to
			l.Add(dev)
		}
		l.Add(trace.Event{Device: "host", Kind: trace.Host, Start: 0, End: 3 * trace.Microsecond})
		logs = append(logs, l)
	}
	c := Sweep(sizes, logs, XLabel("elements"))
	if c.Err != nil || len(c.Panels) != 2 {
		t.Fatalf("%d panels, error %v; want one for the device and one for the CPU", len(c.Panels), c.Err)
	}
	var got []string
	for _, p := range c.Panels {
		for _, s := range p.Series {
			if !s.Dashed {
				got = append(got, fmt.Sprint(p.Y.Unit, " ", s.Name, s.X, s.Y))
			}
		}
	}
	want := []string{
		"µs kernels[1000 4000 2000] [4 16 8]",
		"µs copies[1000 4000 2000] [1 4 2]",
		"µs from the first launch to the end[1000 4000 2000] [4 16 8]",
		"µs work of the CPU[1000 4000 2000] [3 3 3]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("series\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if notes := strings.Join(c.Notes, "\n"); !strings.Contains(notes, "The 40.0 kB of sim:tiny#0 would be full at a size of about 10000") && !strings.Contains(notes, "at a size of about 10,000") {
		t.Errorf("notes: %s", notes)
	}
}

// Every chart of a million points must stay a small part of a notebook.
func TestMillionsOfPointsMakeSmallCells(t *testing.T) {
	const n = 1_000_000
	x, y := make([]float64, n), make([]float64, n)
	state := uint64(1)
	for i := range x {
		state = state*6364136223846793005 + 1442695040888963407
		x[i] = float64(state>>11) / (1 << 53)
		y[i] = math.Sin(float64(i)/1e4) + x[i]/10
	}
	for name, c := range map[string]*Chart{
		"line": Line(nil, y), "scatter": Scatter(x, y), "density": Density(x, y), "hist": Hist(x, 100), "box": BoxPlot(nil, y),
	} {
		if c.Err != nil {
			t.Errorf("%s: %v", name, c.Err)
			continue
		}
		if size := len(fragment(c, "")) + len(c.SVG()); size > 1_000_000 {
			t.Errorf("%s takes %d bytes", name, size)
		}
	}
}

// What is thinned in two steps keeps ends, spikes and long gaps, and a chart does not hold on to the array it was made
// from.
func TestHugeSeriesKeepWhatIsSeen(t *testing.T) {
	const n = 2_000_000
	y := make([]float64, n)
	for i := range y {
		y[i] = math.Sin(float64(i) / 1e5)
	}
	y[1_234_567], y[7] = 50, math.Inf(1)
	for i := 500_000; i < 600_000; i++ {
		y[i] = nan
	}
	for name, x := range map[string]any{"without x": nil, "with x": func() []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(i)
		}
		return x
	}()} {
		s := Line(x, y).Panels[0].Series[0]
		seen, gap := map[float64]float64{}, 0
		for i, v := range s.X {
			seen[v] = s.Y[i]
			if math.IsNaN(s.Y[i]) {
				gap++
			}
			if i > 0 && v < s.X[i-1] {
				t.Fatalf("%s: x goes back from %v to %v", name, s.X[i-1], v)
			}
		}
		if s.X[0] != 0 || s.X[len(s.X)-1] != n-1 || seen[1_234_567] != 50 || gap != 1 || len(s.X) > maxLine+10 {
			t.Errorf("%s: %d points from %v to %v, the spike is %v, %d gaps", name, len(s.X), s.X[0], s.X[len(s.X)-1], seen[1_234_567], gap)
		}
		for v, at := range seen {
			if v < 500_000 || v >= 600_000 {
				continue
			}
			if !math.IsNaN(at) {
				t.Errorf("%s: there is a point at %v, in the gap", name, v)
			}
		}
	}
	small := []float64{1, 2, 3}
	c := Line(small, small)
	small[1] = 99
	if s := c.Panels[0].Series[0]; s.X[1] != 2 || s.Y[1] != 2 {
		t.Error("a chart changes with the slice that it was made from")
	}
}
