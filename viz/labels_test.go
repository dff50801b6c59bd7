package viz

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/arrayrepl/arrayrepl/arrays"
)

var (
	someCities = []string{"Rome", "Oslo", "Bern"}
	someDays   = []time.Time{time.Date(2024, 2, 28, 0, 0, 0, 0, time.UTC), time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)}
)

func TestLabelsAreTextDatesOrNumbers(t *testing.T) {
	cities, days := arrays.FromSlice(someCities), arrays.FromSlice(someDays).AsType(arrays.DateTime(arrays.Day))
	isoDays := []string{"2024-02-28", "2024-02-29", "2024-03-01"}
	for name, c := range map[string]struct {
		labels any
		want   []string
	}{
		"strings":         {someCities, someCities},
		"array of text":   {cities, someCities},
		"lazy text":       {placeholder{cities}, someCities},
		"reversed text":   {cities.Flip(), []string{"Bern", "Oslo", "Rome"}},
		"column of text":  {cities.Reshape(3, 1), someCities},
		"array of days":   {days, isoDays},
		"lazy days":       {placeholder{days}, isoDays},
		"numbers":         {[]int{1, 2, 3}, []string{"1", "2", "3"}},
		"array of floats": {arrays.FromSlice([]float64{1.5, 2, 3}), []string{"1.5", "2", "3"}},
	} {
		bar := Bar(c.labels, []int{3, 1, 2}).Add(c.labels, []int{1, 1, 1}, "more")
		if bar.Err != nil || !reflect.DeepEqual(bar.Panels[0].X.Categories, c.want) {
			t.Errorf("%s: bars %v, %v", name, bar.Err, bar)
		}
		box := BoxPlot(c.labels, [][]float64{{1}, {2}, {3}})
		if box.Err != nil || !reflect.DeepEqual(box.Panels[0].Y.Categories, c.want) {
			t.Errorf("%s: boxes %v, %v", name, box.Err, box)
		}
		compared := Compare(c.labels, sampleLog(), sampleLog(), sampleLog())
		if compared.Err != nil || !reflect.DeepEqual(compared.Panels[0].Y.Categories, c.want) {
			t.Errorf("%s: compared %v, %v", name, compared.Err, compared)
		}
	}
}

func TestXIsDatesOfAnyArray(t *testing.T) {
	want := fmt.Sprint([]float64{1709078400, 1709164800, 1709251200}) // date -u -d 2024-02-28 +%s
	for name, x := range map[string]any{
		"slice":        someDays,
		"nanoseconds":  arrays.FromSlice(someDays),
		"days":         arrays.FromSlice(someDays).AsType(arrays.DateTime(arrays.Day)),
		"lazy seconds": placeholder{arrays.FromSlice(someDays).AsType(arrays.DateTime(arrays.Second))},
	} {
		y := []int{1, 2, 3}
		for chart, c := range map[string]*Chart{
			"Line": Line(x, y), "Scatter": Scatter(x, y), "Add": Line(someDays, y).Add(x, y, "b"), "AddRight": Line(someDays, y).AddRight(x, y, "b"),
		} {
			if c.Err != nil {
				t.Errorf("%s over %s: %v", chart, name, c.Err)
				continue
			}
			for _, s := range c.Panels[0].Series {
				if got := fmt.Sprint(s.X); !c.Panels[0].X.Time || got != want {
					t.Errorf("%s over %s: %s", chart, name, got)
				}
			}
		}
	}
}

func TestNoDateIsNotDrawn(t *testing.T) {
	days := arrays.FromSlice(append([]time.Time{{}}, someDays...)) // NaT first
	c := Line(days, []int{9, 1, 2, 3})
	if c.Err != nil || fmt.Sprint(c.Panels[0].Series[0].Y) != "[1 2 3]" && !math.IsNaN(c.Panels[0].Series[0].Y[0]) {
		t.Errorf("%v: %v", c.Err, c.Panels)
	}
	if !strings.Contains(c.String(), "1 of 4 values are NaN or infinite and are not drawn.") {
		t.Errorf("%s", c)
	}
}

func TestTextAndDatesAreNoNumbers(t *testing.T) {
	cities, days := arrays.FromSlice(someCities), arrays.FromSlice(someDays)
	spans := days.AsType(arrays.DateTime(arrays.Day)).Sub(days.AsType(arrays.DateTime(arrays.Day)))
	for name, c := range map[string]struct {
		chart *Chart
		want  string
	}{
		"text as y":      {Line(nil, cities), "y holds <U4, which is text, not numbers"},
		"text as x":      {Scatter(cities, []int{1, 2, 3}), "x holds <U4, which is text"},
		"days as y":      {Line(nil, placeholder{days}), "y holds datetime64[ns], not numbers; convert it first"},
		"spans as x":     {Line(spans, []int{1, 2, 3}), "x holds timedelta64[D], not numbers"},
		"days on log":    {Sweep(days, []int{1, 2, 3}), "dates cannot stand on a logarithmic axis"},
		"days of Hist":   {Hist(days, 3), "x holds datetime64[ns], not numbers"},
		"two axes":       {Bar(arrays.FromSlice([]string{"a", "b", "c", "d"}, 2, 2), []int{1, 2, 3, 4}), "labels has shape [2 2]; want one axis"},
		"two axes, x":    {Line(arrays.FromSlice(append(someDays, someDays[0]), 2, 2), []int{1, 2, 3, 4}), "x has shape [2 2]; want one axis"},
		"no labels":      {Bar(arrays.FromSlice([]string{}, 0), []int{}), "labels is empty"},
		"fewer labels":   {Bar(cities, []int{1, 2}), "the axis has 3 labels, this series 3 labels and 2 values"},
		"labels of what": {BoxPlot(3, [][]float64{{1}}), "labels is int; want"},
	} {
		if c.chart.Err == nil || !strings.Contains(c.chart.Err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, c.chart.Err, c.want)
		}
	}
}
