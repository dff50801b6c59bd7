package viz

import (
	"fmt"
	"math"
)

// BoxPlot draws how the values of each group are spread: a box from the first to the third quartile, a line at the
// median, whiskers to the outermost values within 1.5 times the box's length, and a mark for each value beyond (J.
// Tukey). a is an array, whose columns are the groups when it has two axes; or a slice of arrays or of slices. labels,
// one for each group, are those of [Bar], or nil. NaN and infinite values are left out, with a note.
func BoxPlot(labels, a any, opts ...Option) *Chart {
	names, err := givenLabels(labels)
	if err != nil {
		return failed("BoxPlot: %w", err)
	}
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
		all := &group{vals: vals, log: p.X.Log}
		t := all.figures()
		left, total = left+len(vals)-t.n, total+len(vals)
		if t.n == 0 {
			p.lanes = append(p.lanes, "no values")
			continue
		}
		tip := []string{name, count(t.n) + " values", "median " + number(t.median), "quartiles " + number(t.q1) + ", " + number(t.q3),
			"whiskers " + number(t.lo) + ", " + number(t.hi), "smallest " + number(t.min) + ", largest " + number(t.max)}
		at := func(s *Series, x0, x1, thick float64, tip ...string) {
			s.Boxes = append(s.Boxes, Box{X0: x0, X1: x1, Y0: float64(i) - thick/2, Y1: float64(i) + thick/2, Tip: tip})
		}
		at(&whisker, t.lo, t.hi, 0.07, tip...)
		at(&whisker, t.lo, t.lo, 0.36, tip...)
		at(&whisker, t.hi, t.hi, 0.36, tip...)
		at(&box, t.q1, t.q3, laneThick, tip...)
		at(&median, t.median, t.median, laneThick, tip...)
		for _, v := range all.outliers(t) {
			at(&outlier, v, v, 0.22, name, "outlier "+number(v))
		}
		p.lanes = append(p.lanes, fmt.Sprintf("median %s, quartiles %s to %s, %s values", shortNumber(t.median), shortNumber(t.q1), shortNumber(t.q3), count(t.n)))
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

// group is the values of one box; not to be written to, and possibly hundreds of millions.
type group struct {
	vals []float64
	log  bool // the axis is logarithmic
}

// tukey is the figures of a box: how many values, the ends of the whiskers, quartiles, and the outermost values.
type tukey struct {
	n                      int
	lo, q1, median, q3, hi float64
	min, max               float64
}

// figures are those of a box. Quartiles lie between values, as in NumPy's percentile.
func (g *group) figures() tukey {
	t := tukey{min: math.Inf(1), max: math.Inf(-1), lo: math.Inf(1), hi: math.Inf(-1)}
	scan(len(g.vals), func(lo, hi int) {
		for _, v := range g.vals[lo:hi] {
			if finite(v) && (v > 0 || !g.log) {
				t.n, t.min, t.max = t.n+1, min(t.min, v), max(t.max, v)
			}
		}
	})
	if t.n == 0 {
		return t
	}
	quartiles := [3]float64{0.25, 0.5, 0.75}
	var ranks []int // the value below each quartile; the one above it is the next
	for _, q := range quartiles {
		ranks = append(ranks, int(q*float64(t.n-1)))
	}
	below, above := selected(g.vals, t.min, t.max, t.n, ranks)
	for i, to := range []*float64{&t.q1, &t.median, &t.q3} {
		*to = below[i] + (above[i]-below[i])*(quartiles[i]*float64(t.n-1)-float64(ranks[i]))
	}
	t.lo, t.hi = t.q1, t.q3
	low, high := t.fences()
	low, high = max(low, t.min), min(high, t.max)
	scan(len(g.vals), func(from, to int) {
		for _, v := range g.vals[from:to] {
			if v >= low && v <= high {
				t.lo, t.hi = min(t.lo, v), max(t.hi, v)
			}
		}
	})
	return t
}

// fences are the values beyond which outliers lie.
func (t *tukey) fences() (low, high float64) {
	reach := 1.5 * (t.q3 - t.q1)
	return t.q1 - reach, t.q3 + reach
}

// outliers returns those that can be told apart, in order: one for each pixel.
func (g *group) outliers(t tukey) (out []float64) {
	const pixels = 600
	var first [pixels + 1]float64
	for i := range first {
		first[i] = math.Inf(1)
	}
	low, high := t.fences()
	scan(len(g.vals), func(from, to int) {
		for _, v := range g.vals[from:to] {
			if v >= t.min && v < low || v > high && v <= t.max {
				i := cellOf(v, t.min, t.max, pixels)
				first[i] = min(first[i], v)
			}
		}
	})
	for _, v := range first {
		if finite(v) {
			out = append(out, v)
		}
	}
	return out
}
