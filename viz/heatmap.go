package viz

import (
	"errors"
	"fmt"
	"math"
)

// HeatMap draws an array of two axes as coloured cells: the first axis downwards, as tables are read, or bottom up with
// [Extent]. Values on both sides of zero get colours that part at zero. NaN and infinite values are empty. Large arrays
// are drawn by the means of blocks, with a note.
func HeatMap(a any, opts ...Option) *Chart {
	c, g, err := gridChart(a, maxCells, opts)
	if err != nil {
		return failed("HeatMap: %w", err)
	}
	p := &c.Panels[0]
	p.Series = []Series{{Mark: MarkGrid, Grid: g}}
	p.Scale.Colors = viridis
	if lo, hi := p.Scale.Min, p.Scale.Max; lo < 0 && hi > 0 && !p.Scale.one {
		most := max(-lo, hi)
		*p.Scale = Scale{Label: p.Scale.Label, Min: -most, Max: most, Colors: diverging}
	}
	c.Title = or(c.Title, "Heat map")
	return c
}

// ScaleLabel names the colours of [HeatMap], [Density] and [Contour]; write the unit in it.
//
// For example:
//
//	viz.HeatMap(m, viz.ScaleLabel("temperature (K)"))
func ScaleLabel(s string) Option {
	return func(c *Chart) {
		if sc := c.Panels[0].Scale; sc != nil {
			sc.Label = s
		}
	}
}

// Image draws an array as a picture with square cells: shape (rows, columns) in grey, from the smallest value to the
// largest; (rows, columns, 3) as red, green and blue, floats from 0 to 1 or integers from 0 to 255. Large pictures are
// drawn by the means of blocks, with a note. What has a picture of its own, as streams of package brook have, is drawn
// as that.
//
// For example:
//
//	viz.Image(picture) // rows × columns, or rows × columns × 3
func Image(a any, opts ...Option) *Chart {
	if own, ok := a.(interface{ Image() *Chart }); ok {
		c := own.Image()
		for _, o := range opts {
			o(c)
		}
		return c
	}
	vals, shape, err := values("the array", a)
	if err == nil && len(shape) == 3 && (shape[2] == 3 || shape[2] == 4) {
		return rgbImage(vals, shape, opts)
	}
	c, g, err := gridChart(a, maxCells, opts)
	if err != nil {
		return failed("Image: %w", err)
	}
	p := &c.Panels[0]
	p.Series = []Series{{Mark: MarkGrid, Grid: g}}
	p.Scale.Colors = greys
	p.squareCells(shape[1], shape[0])
	c.Title = or(c.Title, "Image")
	return c
}

func rgbImage(vals []float64, shape []int, opts []Option) *Chart {
	c := &Chart{Panels: []Panel{{Y: Axis{Down: true}}}}
	for _, o := range opts {
		o(c)
	}
	most := 1.0
	scan(len(vals), func(lo, hi int) {
		for _, v := range vals[lo:hi] {
			if v > 1 {
				most = 255
			}
		}
	})
	var planes [3][]float64
	var g *Grid
	for k := range planes {
		plane := make([]float64, shape[0]*shape[1])
		scan(len(plane), func(lo, hi int) {
			for i := lo; i < hi; i++ {
				plane[i] = vals[i*shape[2]+k]
			}
		})
		var err error
		if g, err = c.binned(plane, shape[0], shape[1], maxCells); err != nil {
			return failed("Image: %w", err)
		}
		planes[k] = g.Z
		if k < 2 {
			c.Notes = nil // once
		}
	}
	g.RGB, g.Z = make([]byte, 3*len(g.Z)), nil
	for i := range g.RGB {
		if v := planes[i%3][i/3]; finite(v) {
			g.RGB[i] = byte(math.Round(255 * min(1, max(0, v/most))))
		}
	}
	c.Panels[0].Series = []Series{{Mark: MarkGrid, Grid: g}}
	c.Panels[0].squareCells(shape[1], shape[0])
	c.Title = or(c.Title, "Image")
	return c
}

// squareCells gives the plot the proportions of a picture.
func (p *Panel) squareCells(cols, rows int) {
	f := min(560/float64(cols), 400/float64(rows))
	p.Width, p.Height = max(16, int(f*float64(cols))), max(16, int(f*float64(rows)))
}

// Density draws how many points (x, y) fall into each cell of a grid over the picture: the form of [Scatter] for
// millions of points. x may be dates.
//
// For example:
//
//	viz.Density(x, y) // of millions of points
func Density(x, y any, opts ...Option) *Chart {
	xs, dates, err := datesOrNumbers(x)
	if err != nil {
		return failed("Density: %w", err)
	}
	ys, err := vector("y", y)
	if err != nil {
		return failed("Density: %w", err)
	}
	if len(xs) != len(ys) {
		return failed("Density: x has %d values and y has %d; they must be equal", len(xs), len(ys))
	}
	const cols, rows = 120, 60
	g := &Grid{Cols: cols, Rows: rows, X0: math.Inf(1), X1: math.Inf(-1), Y0: math.Inf(1), Y1: math.Inf(-1), Z: make([]float64, cols*rows)}
	scan(len(xs), func(from, to int) {
		for i := from; i < to; i++ {
			if finite(xs[i]) && finite(ys[i]) {
				g.X0, g.X1, g.Y0, g.Y1 = min(g.X0, xs[i]), max(g.X1, xs[i]), min(g.Y0, ys[i]), max(g.Y1, ys[i])
			}
		}
	})
	if g.X0 > g.X1 {
		return failed("Density: no point has finite x and y: there is nothing to count")
	}
	widen := func(lo, hi *float64) {
		if *lo == *hi {
			*lo, *hi = *lo-0.5, *hi+0.5
		}
	}
	widen(&g.X0, &g.X1)
	widen(&g.Y0, &g.Y1)
	cell := func(v, lo, hi float64, n int) int {
		return min(n-1, int(fraction(v, span{min: lo, max: hi}, false)*float64(n)))
	}
	total, most := 0, 0.0
	scan(len(xs), func(from, to int) {
		for i := from; i < to; i++ {
			if finite(xs[i]) && finite(ys[i]) {
				at := cell(ys[i], g.Y0, g.Y1, rows)*cols + cell(xs[i], g.X0, g.X1, cols)
				g.Z[at]++
				total, most = total+1, max(most, g.Z[at])
			}
		}
	})
	for i, n := range g.Z {
		if n == 0 {
			g.Z[i] = math.NaN() // empty cells show the page
		}
	}
	c := &Chart{Title: "Density", Panels: []Panel{{Height: 260, X: Axis{Time: dates}, Scale: &Scale{Label: "points in a cell", Max: most, Colors: viridis}, Series: []Series{{Mark: MarkGrid, Grid: g}}}}}
	if left := len(xs) - total; left > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s of %s points are NaN or infinite and are not counted.", count(left), count(len(xs))))
	}
	for _, o := range opts {
		o(c)
	}
	if p := &c.Panels[0]; p.X.Log || p.Y.Log {
		return failed("Density: cells are of equal size, so axes cannot be logarithmic; take the logarithm of the values")
	}
	return c
}

// gridChart makes the chart of an array of two axes, of at most so many cells, without its series.
func gridChart(a any, most int, opts []Option) (*Chart, *Grid, error) {
	vals, shape, err := values("the array", a)
	if err != nil {
		return nil, nil, err
	}
	if len(shape) != 2 {
		return nil, nil, fmt.Errorf("the array has shape %v; want two axes", shape)
	}
	c := &Chart{Panels: []Panel{{Height: 260, Y: Axis{Down: true}, Scale: &Scale{}}}}
	for _, o := range opts {
		o(c)
	}
	p := &c.Panels[0]
	if p.X.Log || p.Y.Log {
		return nil, nil, errors.New("cells are of equal size, so axes cannot be logarithmic")
	}
	if c.extent == nil {
		p.X.Label, p.Y.Label = or(p.X.Label, "column"), or(p.Y.Label, "row")
	}
	g, err := c.binned(vals, shape[0], shape[1], most)
	if err != nil {
		return nil, nil, err
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range g.Z {
		if !math.IsNaN(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if lo > hi {
		return nil, nil, errors.New("the array has no finite value: there is nothing to draw")
	}
	if p.Scale.one = lo == hi; p.Scale.one {
		lo, hi = lo-max(0.5, math.Abs(lo)*0.1), hi+max(0.5, math.Abs(hi)*0.1)
	}
	p.Scale.Min, p.Scale.Max = lo, hi
	return c, g, nil
}

// binned makes the grid of a table of values: the means of blocks of it when there are too many, with a note.
func (c *Chart) binned(vals []float64, rows, cols, most int) (*Grid, error) {
	if len(vals) == 0 {
		return nil, fmt.Errorf("the array is empty (shape [%d %d]): there is nothing to draw", rows, cols)
	}
	by, bx := 1, 1
	for ceil(rows, by)*ceil(cols, bx) > most { // shorten the longer side
		if ceil(rows, by) > ceil(cols, bx) {
			by++
		} else {
			bx++
		}
	}
	g := &Grid{Cols: ceil(cols, bx), Rows: ceil(rows, by), X0: -0.5, X1: float64(cols) - 0.5, Y0: -0.5, Y1: float64(rows) - 0.5}
	if e := c.extent; e != nil {
		if e[0] >= e[1] || e[2] >= e[3] || !finite(e[0]) || !finite(e[1]) || !finite(e[2]) || !finite(e[3]) {
			return nil, fmt.Errorf("the extent is x %g to %g, y %g to %g; want both to grow", e[0], e[1], e[2], e[3])
		}
		g.X0, g.X1, g.Y0, g.Y1 = e[0], e[1], e[2], e[3]
		c.Panels[0].Y.Down = false
	}
	g.Z = make([]float64, g.Cols*g.Rows)
	n := make([]int, len(g.Z))
	bad, row, col, last := 0, 0, 0, 0
	part := math.Exp2(-math.Ceil(math.Log2(float64(by) * float64(bx)))) // of a value in a sum that cannot overflow
	scan(len(vals), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v := vals[i]
			if !finite(v) {
				bad++
				continue
			}
			if i >= last {
				row, col = i/cols/by*g.Cols, i%cols/bx
				last = min((i/cols+1)*cols, i/cols*cols+(col+1)*bx) // where the next cell begins
			}
			n[row+col]++
			g.Z[row+col] += v * part
		}
	})
	for i := range n {
		g.Z[i] = g.Z[i] / float64(n[i]) / part // NaN where there is none
	}
	if bad > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s of %s values are NaN or infinite and are left out.", count(bad), count(len(vals))))
	}
	if by*bx > 1 {
		c.Notes = append(c.Notes, fmt.Sprintf("Each cell is the mean of up to %d × %d values of an array of %s × %s.", by, bx, count(rows), count(cols)))
	}
	return g, nil
}

func ceil(n, by int) int { return (n + by - 1) / by }
