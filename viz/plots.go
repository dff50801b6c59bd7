package viz

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Line draws y over x as a line. x may be nil: then it is 0, 1, 2, …; or dates, an array of datetime64 or a
// []time.Time, which are shown in UTC. y is an array or a slice of numbers, with as many values as x; of shape (n, k)
// it is k lines over the same x. NaN is a gap. Long series are thinned for drawing, with a note.
func Line(x, y any, opts ...Option) *Chart { return plot(MarkLine, x, y, opts) }

// Scatter draws a dot at each (x, y). See [Line] for what x and y may be.
func Scatter(x, y any, opts ...Option) *Chart { return plot(MarkPoint, x, y, opts) }

// Bar draws a bar of height y over each label. labels is text, dates or numbers, an array or a slice of
// them; y as in [Line].
func Bar(labels, y any, opts ...Option) *Chart { return plot(MarkBar, labels, y, opts) }

// Add draws another series of the same kind into c and returns c: viz.Line(t, a, viz.Name("a")).Add(t, b, "b").
func (c *Chart) Add(x, y any, name string) *Chart {
	if c.Err != nil {
		return c
	}
	if len(c.Panels) != 1 || len(c.Panels[0].Series) == 0 || c.Panels[0].Series[0].Mark > MarkBar {
		return failed("Add: only charts of Line, Scatter and Bar take more series")
	}
	p := &c.Panels[0]
	p.Series = slices.DeleteFunc(p.Series, func(s Series) bool { return s.rule })
	if err := c.add(p.Series[0].Mark, x, y, name); err != nil {
		return &Chart{Err: err}
	}
	c.drawRules()
	return c
}

// AddRight draws another series into a chart of [Line] or [Scatter], over the same x axis but with a vertical axis of
// its own at the right, and returns c. name stands in the legend; [RightLabel] names the axis, which otherwise has the
// first series' name, and [RightLog] makes it logarithmic.
func (c *Chart) AddRight(x, y any, name string) *Chart {
	if c.Err != nil {
		return c
	}
	if len(c.Panels) != 1 || len(c.Panels[0].Series) == 0 || c.Panels[0].Series[0].Mark > MarkPoint {
		return failed("AddRight: only charts of Line and Scatter have a right axis")
	}
	p := &c.Panels[0]
	p.Series = slices.DeleteFunc(p.Series, func(s Series) bool { return s.rule })
	if p.Right == nil {
		axis := c.right
		axis.Label = or(axis.Label, name)
		p.Right = &axis
	}
	log, n := p.Y.Log, len(p.Series)
	p.Y.Log = p.Right.Log
	err := c.add(p.Series[0].Mark, x, y, name)
	p.Y.Log = log
	if err != nil {
		return &Chart{Err: err}
	}
	for i := n; i < len(p.Series); i++ {
		p.Series[i].Right = true
		if p.Series[i].Name != "" {
			p.Series[i].Name += " (right axis)"
		}
	}
	c.drawRules()
	return c
}

func plot(m Mark, x, y any, opts []Option) *Chart {
	c := &Chart{Panels: make([]Panel, 1)}
	if m == MarkBar {
		names, err := labels(x)
		if err != nil {
			return failed("%s: %w", markNames[m], err)
		}
		c.Panels[0].X.Categories = names
	}
	for _, o := range opts { // before the data: a log axis decides what can be drawn
		o(c)
	}
	if err := c.add(m, x, y, c.name); err != nil {
		return &Chart{Err: err}
	}
	if c.Title == "" {
		c.Title = markNames[m]
	}
	c.drawRules()
	if err := c.namePoints(m); err != nil {
		return failed("%s: %w", markNames[m], err)
	}
	return c
}

var markNames = map[Mark]string{MarkLine: "Line", MarkPoint: "Scatter", MarkBar: "Bar", MarkBox: "Hist"}

// add appends the series of one x and y.
func (c *Chart) add(m Mark, x, y any, name string) error {
	p := &c.Panels[0]
	cols, err := columns("y", y)
	if err != nil {
		return fmt.Errorf("viz: %s: %w", markNames[m], err)
	}
	n := len(cols[0])
	var xs []float64
	switch {
	case m == MarkBar:
		names, err := labels(x)
		if err != nil {
			return fmt.Errorf("viz: Bar: %w", err)
		}
		if len(names) != n || n != len(p.X.Categories) {
			return fmt.Errorf("viz: Bar: the axis has %d labels, this series %d labels and %d values; they must be equal", len(p.X.Categories), len(names), n)
		}
		if n > maxBars {
			return fmt.Errorf("viz: Bar: %w", tooManyBars(n))
		}
	case x == nil: // 0, 1, 2, …
	default:
		dates := false
		if xs, dates, err = datesOrNumbers(x); err != nil {
			return fmt.Errorf("viz: %s: %w", markNames[m], err)
		}
		if len(xs) != n {
			return fmt.Errorf("viz: %s: x has %d values and y has %d; they must be equal", markNames[m], len(xs), n)
		}
		if dates && p.X.Log {
			return fmt.Errorf("viz: %s: dates cannot stand on a logarithmic axis", markNames[m])
		}
		if len(p.Series) > 0 && dates != p.X.Time {
			return fmt.Errorf("viz: %s: the x of some series are dates and those of others numbers", markNames[m])
		}
		p.X.Time = dates
	}
	for k, ys := range cols {
		s := Series{Name: name, Mark: m, Color: seriesColors[len(p.Series)%len(seriesColors)]}
		if len(cols) > 1 {
			s.Name = fmt.Sprintf("column %d", k)
			if name != "" {
				s.Name = fmt.Sprintf("%s, column %d", name, k)
			}
		}
		s.X, s.Y = c.drawable(p, m, xs, ys)
		s.Dots, s.Step = len(p.Series) > 0 && p.Series[0].Dots, c.step && m == MarkLine
		p.Series = append(p.Series, s)
	}
	return nil
}

// drawable returns the points that can be drawn, thinned where they are many, and notes what was left out. Without x
// they stand at 0, 1, 2, …
func (c *Chart) drawable(p *Panel, m Mark, x, y []float64) (dx, dy []float64) {
	pts := points{x: x, y: y, logX: p.X.Log && m != MarkBar, logY: p.Y.Log}
	bad, nonPositive := pts.refused()
	if bad > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s of %s values are NaN or infinite and are not drawn.", count(bad), count(len(y))))
	}
	if nonPositive > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s of %s values are not positive and cannot stand on a logarithmic axis.", count(nonPositive), count(len(y))))
	}
	switch {
	case m == MarkLine:
		dx, dy = pts.few(pts.extremes)
		dx, dy = thinLine(dx, dy, maxLine)
	case m == MarkPoint:
		dx, dy = pts.few(pts.cells)
		dx, dy = thinScatter(dx, dy, maxScatter)
	default:
		_, dy = pts.all()
	}
	if len(dy) < len(y) {
		how := "those that keep the line's shape"
		if m == MarkPoint {
			how = "one where many fall together"
		}
		c.Notes = append(c.Notes, fmt.Sprintf("%s of %s points are drawn: %s.", count(len(dy)), count(len(y)), how))
	}
	return dx, dy
}

// Hist draws how many values of x fall into each of bins equal intervals from the smallest to the largest value; the
// last interval includes its upper end, as NumPy's histogram does. NaN and infinite values are left out, with a note.
func Hist(x any, bins int, opts ...Option) *Chart {
	vals, _, err := values("x", x)
	if err == nil && bins < 1 {
		err = fmt.Errorf("%d bins; want at least 1", bins)
	}
	if err == nil && bins > 1000 {
		err = fmt.Errorf("%d bins cannot be told apart; want at most 1000", bins)
	}
	if err != nil {
		return failed("Hist: %w", err)
	}
	c := &Chart{Title: "Histogram", Panels: []Panel{{Y: Axis{Label: "count"}}}}
	edges, counts, err := histogram(vals, bins)
	if err != nil {
		return failed("Hist: %w", err)
	}
	s := Series{Mark: MarkBox, Color: seriesColors[0]}
	total := 0
	for i, n := range counts {
		total += n
		lo, hi := edges[i], edges[i+1]
		s.Boxes = append(s.Boxes, Box{X0: lo, X1: hi, Y1: float64(n),
			Tip: []string{fmt.Sprintf("%s to %s", number(lo), number(hi)), count(n) + " values"}})
	}
	if left := len(vals) - total; left > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s of %s values are NaN or infinite and are not counted.", count(left), count(len(vals))))
	}
	c.Panels[0].Series = []Series{s}
	for _, o := range opts {
		o(c)
	}
	if c.Panels[0].Y.Log {
		return failed("Hist: a logarithmic y axis has no zero for the boxes to stand on; take the logarithm of the counts and use Bar")
	}
	return c
}

// histogram counts the finite values in equal intervals.
func histogram(vals []float64, bins int) (edges []float64, counts []int, err error) {
	lo, hi := math.Inf(1), math.Inf(-1)
	scan(len(vals), func(from, to int) {
		for _, v := range vals[from:to] {
			if finite(v) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	})
	if lo > hi {
		return nil, nil, errors.New("x has no finite value: there is nothing to count")
	}
	if lo == hi {
		lo, hi = lo-0.5, hi+0.5
	}
	edges = make([]float64, bins+1)
	for i := range edges {
		f := float64(i) / float64(bins)
		edges[i] = lo*(1-f) + hi*f
	}
	edges[bins] = hi
	counts = make([]int, bins)
	scale := float64(bins) / (hi/2 - lo/2)
	scan(len(vals), func(from, to int) {
		for _, v := range vals[from:to] {
			if !finite(v) {
				continue
			}
			i := max(0, min(int(scale*(v/2-lo/2)), bins-1)) // right but for rounding
			for i > 0 && v < edges[i] {
				i--
			}
			for i < bins-1 && v >= edges[i+1] {
				i++
			}
			counts[i]++
		}
	})
	return edges, counts, nil
}

// count prints n with groups of three: "1,234,567".
func count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
