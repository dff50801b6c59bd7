package viz

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
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

// What is thinned in two steps keeps ends, spikes and long gaps, and a chart does not hold on to the array it was made from.
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
