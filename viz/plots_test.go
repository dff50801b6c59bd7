package viz

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
)

var nan, inf = math.NaN(), math.Inf(1)

// Expected counts and edges are those of numpy.histogram (NumPy 2.4.6).
func TestHistogramCountsAsNumPyDoes(t *testing.T) {
	for _, c := range []struct {
		x      []float64
		bins   int
		counts []int
		edges  []float64
	}{
		{[]float64{1, 2, 1, 4, 4, 4.5, 0.5, -1, 3, 3, 2.25}, 4, []int{1, 3, 4, 3}, []float64{-1, 0.375, 1.75, 3.125, 4.5}},
		{[]float64{7, 7, 7}, 3, []int{0, 3, 0}, []float64{6.5, 6.5 + 1.0/3, 6.5 + 2.0/3, 7.5}},
		{[]float64{nan, 0, 1, inf, 2}, 2, []int{1, 2}, []float64{0, 1, 2}},
	} {
		edges, counts, err := histogram(c.x, c.bins)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(counts, c.counts) {
			t.Errorf("%v in %d bins: counts %v, want %v", c.x, c.bins, counts, c.counts)
		}
		for i := range edges {
			if math.Abs(edges[i]-c.edges[i]) > 1e-12 {
				t.Errorf("%v in %d bins: edges %v, want %v", c.x, c.bins, edges, c.edges)
				break
			}
		}
	}
}

func TestChartsTakeArraysLazyOrNot(t *testing.T) {
	a := arrays.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 3, 2)
	c := Line(nil, placeholder{a})
	if c.Err != nil {
		t.Fatal(c.Err)
	}
	if len(c.Panels[0].Series) != 2 {
		t.Fatalf("%d series of an array of shape (3, 2), want its 2 columns", len(c.Panels[0].Series))
	}
	if got := fmt.Sprint(c.Panels[0].Series[1].Y); got != "[2 4 6]" {
		t.Errorf("second column %s", got)
	}
	if c := Line(a, a); c.Err == nil || !strings.Contains(c.Err.Error(), "x has shape [3 2]; want one axis") {
		t.Errorf("x of two axes: %v", c.Err)
	}
	if c := Hist(a, 3); c.Err != nil || c.Panels[0].Series[0].Boxes[0].Y1 != 2 {
		t.Errorf("histogram of all values of an array: %v", c)
	}
}

type placeholder struct{ a *arrays.Array }

func (p placeholder) Array() *arrays.Array { return p.a }

func TestNotesSayWhatIsNotDrawn(t *testing.T) {
	many := make([]float64, 100_000)
	for i := range many {
		many[i] = math.Sin(float64(i) / 1000)
	}
	for name, c := range map[string]struct {
		chart *Chart
		want  string
	}{
		"thinned line":    {Line(nil, many), "1,500 of 100,000 points are drawn: those that keep the line's shape."},
		"thinned scatter": {Scatter(many, many), "of 100,000 points are drawn: one where many fall together."},
		"not finite":      {Line(nil, []float64{1, nan, inf, 2}), "2 of 4 values are NaN or infinite and are not drawn."},
		"log axis":        {Line(nil, []float64{1, 0, -1, 100}, LogY()), "2 of 4 values are not positive and cannot stand on a logarithmic axis."},
		"histogram":       {Hist([]float64{1, 2, nan}, 2), "1 of 3 values are NaN or infinite and are not counted."},
	} {
		if got := strings.Join(c.chart.Notes, "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%s: notes %q, want %q", name, got, c.want)
		}
		if !strings.Contains(c.chart.SVG(), "</svg>") {
			t.Errorf("%s: no picture", name)
		}
	}
}

func TestThinnedLineKeepsEndsSpikesAndGaps(t *testing.T) {
	n := 50_000
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = float64(i)
	}
	y[31_415] = 100
	y[27_182] = -100
	y[10_000], y[10_001] = nan, nan
	tx, ty := thinLine(x, y, 1000)
	if len(tx) > 1010 || len(tx) != len(ty) {
		t.Fatalf("%d and %d points left of %d, want about 1000", len(tx), len(ty), n)
	}
	if tx[0] != 0 || tx[len(tx)-1] != float64(n-1) {
		t.Errorf("ends at %v and %v", tx[0], tx[len(tx)-1])
	}
	seen := map[float64]float64{}
	gaps := 0
	for i := range tx {
		seen[tx[i]] = ty[i]
		if math.IsNaN(ty[i]) {
			gaps++
		}
		if i > 0 && tx[i] <= tx[i-1] {
			t.Fatalf("x goes back from %v to %v", tx[i-1], tx[i])
		}
	}
	if seen[31_415] != 100 || seen[27_182] != -100 {
		t.Error("a spike is lost")
	}
	if gaps != 1 {
		t.Errorf("%d gaps, want 1", gaps)
	}
}

func TestThinnedScatterKeepsOutliers(t *testing.T) {
	n := 200_000
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = float64(i%977)/977, float64(i%1009)/1009
	}
	x[777], y[777] = 5, 5
	tx, ty := thinScatter(x, y, 3000)
	if len(tx) > 3000 || len(tx) < 300 {
		t.Errorf("%d points left", len(tx))
	}
	for i := range tx {
		if tx[i] == 5 && ty[i] == 5 {
			return
		}
	}
	t.Error("the outlier is lost")
}

func TestOddDataMakesAPicture(t *testing.T) {
	for name, c := range map[string]*Chart{
		"one point":   Line([]int{3}, []int{4}),
		"constant":    Line(nil, []float64{2, 2, 2}),
		"huge":        Line(nil, []float64{-1e308, 1e308}),
		"tiny":        Line(nil, []float64{0, 5e-324}),
		"all NaN":     Line(nil, []float64{nan, nan}),
		"log all bad": Line(nil, []float64{-1, 0}, LogY()),
		"zero bars":   Bar([]string{"a", "b"}, []int{0, 0}),
		"negative":    Bar([]string{"a", "b"}, []int{-3, 2}),
		"many bars":   Bar(make([]string, 500), make([]float64, 500)),
		"bools":       Hist([]bool{true, false, true}, 2),
	} {
		if c.Err != nil {
			t.Errorf("%s: %v", name, c.Err)
			continue
		}
		c.Notes = nil // which may say NaN
		s := c.SVG() + string(optionJSON(c))
		if strings.Contains(s, "NaN") || strings.Contains(s, "Inf") || c.String() == "" {
			t.Errorf("%s: a number of the picture is not finite", name)
		}
	}
}

// The second axis has its own range and scale, and its series count on it in every form.
func TestRightAxis(t *testing.T) {
	c := Line([]int{0, 1, 2}, []float64{1, 2, 3}, Name("a"), RightLabel("count"), RightLog()).AddRight([]int{0, 1, 2}, []float64{1, 100, -5}, "b")
	if c.Err != nil {
		t.Fatal(c.Err)
	}
	var p struct {
		Option struct {
			YAxis []struct {
				Type, Position string
				GridIndex      int
				Min, Max       float64
			}
			Series []struct {
				Name       string
				YAxisIndex int
			}
		}
		Panels []struct {
			Right   *pageAxis
			RightAt int
		}
	}
	if err := json.Unmarshal(optionJSON(c), &p); err != nil {
		t.Fatal(err)
	}
	if len(p.Option.YAxis) != 2 || p.Option.YAxis[1].Type != "log" || p.Option.YAxis[1].Position != "right" || p.Option.YAxis[1].Max != 100 || p.Option.YAxis[0].Max >= 10 {
		t.Errorf("axes %+v", p.Option.YAxis)
	}
	if s := p.Option.Series; s[0].YAxisIndex != 0 || s[1].YAxisIndex != 1 || s[1].Name != "b (right axis)" {
		t.Errorf("series %+v", s)
	}
	if p.Panels[0].RightAt != 1 || p.Panels[0].Right.Label != "count" {
		t.Errorf("panel %+v", p.Panels[0])
	}
	if notes := strings.Join(c.Notes, " "); !strings.Contains(notes, "1 of 3 values are not positive") {
		t.Errorf("notes %q", notes)
	}
	f := lay(c)
	if g := f.plots[0].y2; g.min != 1 || g.max != 100 {
		t.Errorf("the static picture's right axis goes from %v to %v", g.min, g.max)
	}
	if text := c.String(); strings.Count(text, "│") < 20 { // two plots
		t.Errorf("text\n%s", text)
	}
	if c := Hist([]int{1, 2}, 2).AddRight(nil, []int{1}, "b"); c.Err == nil {
		t.Error("a histogram takes a right axis")
	}
}
