package viz

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// Expected quartiles are those of numpy.percentile(x, [25, 50, 75]) (NumPy 2.3.5); whiskers follow from them by hand.
func TestBoxFigures(t *testing.T) {
	for _, c := range []struct {
		vals []float64
		want tukey
	}{
		{[]float64{3, 1, 4, 2}, tukey{4, 1, 1.75, 2.5, 3.25, 4, 1, 4}},
		{[]float64{4, 100, 0.5, 1, 3, -30, 1, 2, 2.25, 3, 4, nan, 4.5}, tukey{12, 0.5, 1, 2.625, 4, 4.5, -30, 100}},
		{[]float64{7}, tukey{1, 7, 7, 7, 7, 7, 7, 7}},
	} {
		if got := (&group{vals: c.vals}).figures(); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.vals, got, c.want)
		}
	}
}

func TestBoxPlotDrawsGroups(t *testing.T) {
	c := BoxPlot(nil, arrays.FromSlice([]float64{1, 10, 2, 20, 3, 30, 4, 1000, nan, 15}, 5, 2))
	if c.Err != nil {
		t.Fatal(c.Err)
	}
	if got := strings.Join(c.Panels[0].Y.Categories, ", "); got != "column 0, column 1" {
		t.Errorf("lanes %s", got)
	}
	for _, s := range c.Panels[0].Series {
		switch s.Name {
		case "median":
			if s.Boxes[0].X0 != 2.5 || s.Boxes[1].X0 != 20 {
				t.Errorf("medians %+v", s.Boxes)
			}
		case "outlier":
			if len(s.Boxes) != 1 || s.Boxes[0].X0 != 1000 {
				t.Errorf("outliers %+v", s.Boxes)
			}
		}
	}
	if text := c.String(); !strings.Contains(text, "median 2.5, quartiles 1.75 to 3.25, 4 values") {
		t.Errorf("text %s", text)
	}
	if want := "1 of 10 values are NaN"; !strings.HasPrefix(c.Notes[0], want) {
		t.Errorf("notes %q", c.Notes)
	}
}

func TestBoxPlotOfManyOutliersStaysSmall(t *testing.T) {
	vals := make([]float64, 1_000_000)
	for i := range vals {
		vals[i] = math.Pow(float64(i%1009)/1009, 40)
	}
	c := BoxPlot([]string{"a"}, [][]float64{vals})
	if n := len(c.HTML()); c.Err != nil || n > 200_000+len(scriptElement()) {
		t.Errorf("%v, %d bytes", c.Err, n)
	}
}

func TestBoxPlotsOfBadDataSayWhy(t *testing.T) {
	for name, c := range map[string]struct {
		chart *Chart
		want  string
	}{
		"names":  {BoxPlot([]string{"a"}, [][]float64{{1}, {2}}), "1 names for 2 groups"},
		"none":   {BoxPlot(nil, [][]float64{}), "there are no groups"},
		"NaN":    {BoxPlot(nil, []float64{nan}), "no group has a value"},
		"things": {BoxPlot(nil, []any{[]int{1}, "x"}), "group 1 is string"},
	} {
		if c.chart.Err == nil || !strings.Contains(c.chart.String(), c.want) {
			t.Errorf("%s: %q, want %q", name, c.chart, c.want)
		}
	}
}

// Ranks are found in the values as they lie; sorting them is the other way to the same.
func TestSelectedIsWhatSortingFinds(t *testing.T) {
	testsize.InTurn(t, 2)
	const n = 300_000 // more than are sorted at last
	draws := map[string]func(i int, u float64) float64{
		"even":    func(_ int, u float64) float64 { return u - 0.5 },
		"equal":   func(int, float64) float64 { return 2.5 },
		"few":     func(i int, _ float64) float64 { return float64(i % 3) },
		"narrow":  func(_ int, u float64) float64 { return 1 + u*1e-13 },
		"wide":    func(_ int, u float64) float64 { return math.Exp(600 * (u - 0.5)) },
		"rising":  func(i int, _ float64) float64 { return float64(i) },
		"zeros":   func(i int, _ float64) float64 { return math.Copysign(0, float64(i%2)-0.5) },
		"extreme": func(i int, u float64) float64 { return (u - 0.5) * 2e307 },
	}
	for name, draw := range draws {
		rng := rand.New(rand.NewPCG(1, 2))
		vals := make([]float64, n)
		for i := range vals {
			vals[i] = draw(i, rng.Float64())
		}
		ranks := []int{0, 1, n / 4, n / 2, n/2 + 1, 3 * n / 4, n - 1}
		at, next := selected(vals, slices.Min(vals), slices.Max(vals), n, ranks)
		slices.Sort(vals)
		for i, r := range ranks {
			if at[i] != vals[r] || next[i] != vals[min(r+1, n-1)] {
				t.Errorf("%s: rank %d is %v, %v; want %v, %v", name, r, at[i], next[i], vals[r], vals[min(r+1, n-1)])
			}
		}
	}
}

// A sample that misleads costs another pass, and no wrong value.
func TestSelectedOutsideItsBracket(t *testing.T) {
	vals := []float64{5, 1, 4, 2, 3, -1}
	at, next := fromBrackets(vals, 1, 5, []int{1, 4}, []bracket{{from: 4, to: 5}, {from: 4, to: 4.5}})
	if !slices.Equal(at, []float64{2, 5}) || !slices.Equal(next, []float64{3, 5}) {
		t.Errorf("%v, %v", at, next)
	}
}
