package viz

import (
	"math"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// Expected quartiles are those of numpy.percentile(x, [25, 50, 75]) (NumPy 2.3.5); whiskers follow from them by hand.
func TestBoxFigures(t *testing.T) {
	for _, c := range []struct {
		sorted []float64
		want   tukey
	}{
		{[]float64{1, 2, 3, 4}, tukey{1, 1.75, 2.5, 3.25, 4}},
		{[]float64{-30, 0.5, 1, 1, 2, 2.25, 3, 3, 4, 4, 4.5, 100}, tukey{0.5, 1, 2.625, 4, 4.5}},
		{[]float64{7}, tukey{7, 7, 7, 7, 7}},
	} {
		if got := tukeyOf(c.sorted); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.sorted, got, c.want)
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
