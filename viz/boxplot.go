package viz

import (
	"fmt"
	"math"
	"sort"
)

// BoxPlot draws how the values of each group are spread: a box from the first to the third quartile, a line at the median,
// whiskers to the outermost values within 1.5 times the box's length, and a mark for each value beyond (J. Tukey). a is an
// array, whose columns are the groups when it has two axes; or a slice of arrays or of slices. names, one for each group,
// may be nil. NaN and infinite values are left out, with a note.
func BoxPlot(names []string, a any, opts ...Option) *Chart {
	groups, err := groupsOf(a)
	if err != nil {
		return failed("BoxPlot: %w", err)
	}
	if names != nil && len(names) != len(groups) {
		return failed("BoxPlot: %d names for %d groups; they must be equal", len(names), len(groups))
	}
	c := &Chart{Title: "Box plot", Panels: make([]Panel, 1)}
	for _, o := range opts { // the values lie on the horizontal axis
		o(c)
	}
	p := &c.Panels[0]
	p.X, p.Y = Axis{Label: or(p.X.Label, p.Y.Label), Log: p.X.Log}, Axis{}
	box, whisker := Series{Name: "first to third quartile", Color: skyBlue, Mark: MarkBox}, Series{Name: "within 1.5 boxes", Color: grey, Mark: MarkBox}
	median, outlier := Series{Name: "median", Color: blue, Mark: MarkBox}, Series{Name: "outlier", Color: vermillion, Mark: MarkBox}
	left, total := 0, 0
	for i, vals := range groups {
		name := fmt.Sprintf("column %d", i)
		if names != nil {
			name = names[i]
		} else if len(groups) == 1 {
			name = "values"
		}
		p.Y.Categories = append(p.Y.Categories, laneTitle(name))
		sorted := make([]float64, 0, len(vals))
		for _, v := range vals {
			if finite(v) && (v > 0 || !p.X.Log) {
				sorted = append(sorted, v)
			}
		}
		left, total = left+len(vals)-len(sorted), total+len(vals)
		if len(sorted) == 0 {
			p.lanes = append(p.lanes, "no values")
			continue
		}
		sort.Float64s(sorted)
		t := tukeyOf(sorted)
		tip := []string{name, count(len(sorted)) + " values", "median " + number(t.median), "quartiles " + number(t.q1) + ", " + number(t.q3),
			"whiskers " + number(t.lo) + ", " + number(t.hi), "smallest " + number(sorted[0]) + ", largest " + number(sorted[len(sorted)-1])}
		at := func(s *Series, x0, x1, thick float64, tip ...string) {
			s.Boxes = append(s.Boxes, Box{X0: x0, X1: x1, Y0: float64(i) - thick/2, Y1: float64(i) + thick/2, Tip: tip})
		}
		at(&whisker, t.lo, t.hi, 0.07, tip...)
		at(&whisker, t.lo, t.lo, 0.36, tip...)
		at(&whisker, t.hi, t.hi, 0.36, tip...)
		at(&box, t.q1, t.q3, laneThick, tip...)
		at(&median, t.median, t.median, laneThick, tip...)
		step, drawn := (sorted[len(sorted)-1]-sorted[0])/600, math.Inf(-1)
		for _, v := range sorted {
			if (v < t.lo || v > t.hi) && v-drawn >= step { // one mark a pixel
				at(&outlier, v, v, 0.22, name, "outlier "+number(v))
				drawn = v
			}
		}
		p.lanes = append(p.lanes, fmt.Sprintf("median %s, quartiles %s to %s, %s values", shortNumber(t.median), shortNumber(t.q1), shortNumber(t.q3), count(len(sorted))))
	}
	if left == total {
		return failed("BoxPlot: no group has a value that can be drawn")
	}
	if left > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s of %s values are NaN, infinite or not on a logarithmic axis, and are left out.", count(left), count(total)))
	}
	for _, s := range []Series{whisker, box, median, outlier} {
		if len(s.Boxes) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	return c
}

// groupsOf reads the groups of a box plot.
func groupsOf(a any) ([][]float64, error) {
	var list []any
	switch a := a.(type) {
	case [][]float64:
		for _, g := range a {
			list = append(list, g)
		}
	case []any:
		list = a
	default:
		return columns("the data", a)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("there are no groups to draw")
	}
	groups := make([][]float64, len(list))
	for i, g := range list {
		vals, _, err := values(fmt.Sprintf("group %d", i), g)
		if err != nil {
			return nil, err
		}
		groups[i] = vals
	}
	return groups, nil
}

type tukey struct{ lo, q1, median, q3, hi float64 }

// tukeyOf returns the figures of a box. Quartiles lie between values, as in NumPy's percentile.
func tukeyOf(sorted []float64) tukey {
	t := tukey{q1: quantile(sorted, 0.25), median: quantile(sorted, 0.5), q3: quantile(sorted, 0.75)}
	t.lo, t.hi = t.q1, t.q3
	reach := 1.5 * (t.q3 - t.q1)
	for _, v := range sorted {
		if v >= t.q1-reach && v <= t.q3+reach {
			t.lo, t.hi = min(t.lo, v), max(t.hi, v)
		}
	}
	return t
}

func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (sorted[i+1]-sorted[i])*(at-float64(i))
}
