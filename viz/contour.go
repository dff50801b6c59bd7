package viz

import "math"

// Contour draws lines of equal value over the cells of an array of two axes, at about ten round levels. See [HeatMap]
// for the axes and for what becomes of large arrays.
func Contour(a any, opts ...Option) *Chart {
	c := HeatMap(a, opts...)
	if c.Err != nil {
		return failed("Contour: %w", c.Err)
	}
	if c.Title == "Heat map" {
		c.Title = "Contours"
	}
	p := &c.Panels[0]
	g := p.Series[0].Grid
	if g.Cols < 2 || g.Rows < 2 {
		return failed("Contour: the array has %d rows and %d columns; want at least 2 of each", g.Rows, g.Cols)
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range g.Z {
		if !math.IsNaN(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	for _, level := range niceSpan(lo, hi, 10).ticks {
		if level <= lo || level >= hi {
			continue
		}
		x, y := thinContour(contourLines(g, level))
		if len(x) > 0 {
			on := p.Scale.colour(level)
			p.Series = append(p.Series, Series{Color: onColor(hexOf(on)), X: x, Y: y})
		}
	}
	return c
}

// maxContour is how many points the lines of one level have at most, about.
const maxContour = 1500

// thinContour leaves points out of long lines.
func thinContour(x, y []float64) (tx, ty []float64) {
	every := len(x)/maxContour + 1
	start := 0
	for i := range x {
		gap := math.IsNaN(x[i])
		if gap {
			start = i + 1
		}
		last := i+1 == len(x) || math.IsNaN(x[i+1])
		if gap || last || (i-start)%every == 0 {
			tx, ty = append(tx, x[i]), append(ty, y[i])
		}
	}
	return tx, ty
}

// contourLines returns the lines along which g has the value level, NaN between them: marching squares between the
// centres of cells, the pieces joined where they meet. At a saddle the mean of the four decides which corners belong
// together.
func contourLines(g *Grid, level float64) (x, y []float64) {
	next := map[edge][2]edge{} // the neighbours of each crossed edge; edges cross in at most two squares
	crossed := map[edge]int{}
	var order []edge
	join := func(a, b edge) {
		for _, p := range [2][2]edge{{a, b}, {b, a}} {
			n := next[p[0]]
			if crossed[p[0]] == 0 {
				order = append(order, p[0])
			}
			n[crossed[p[0]]] = p[1]
			next[p[0]] = n
			crossed[p[0]]++
		}
	}
	above := func(r, c int) bool { return g.Z[r*g.Cols+c] > level }
	for r := range g.Rows - 1 {
		for c := range g.Cols - 1 {
			at := r*g.Cols + c
			sum := g.Z[at] + g.Z[at+1] + g.Z[at+g.Cols] + g.Z[at+g.Cols+1]
			if math.IsNaN(sum) {
				continue
			}
			// The edges of the square, around it, and its corners between them.
			edges := [4]edge{{r, c, false}, {r, c + 1, true}, {r + 1, c, false}, {r, c, true}}
			corners := [4]bool{above(r, c), above(r, c+1), above(r+1, c+1), above(r+1, c)}
			var cut []edge
			for k, e := range edges {
				if corners[k] != corners[(k+1)%4] {
					cut = append(cut, e)
				}
			}
			switch {
			case len(cut) == 2:
				join(cut[0], cut[1])
			case len(cut) == 4 && (sum/4 > level) == corners[0]: // corners 0 and 2 are one area
				join(cut[0], cut[1])
				join(cut[2], cut[3])
			case len(cut) == 4:
				join(cut[3], cut[0])
				join(cut[1], cut[2])
			}
		}
	}
	neighbours := func(e edge) []edge {
		n := next[e]
		return n[:crossed[e]]
	}
	done := map[edge]bool{}
	follow := func(e edge) {
		for on := true; on; {
			done[e] = true
			px, py := g.crossing(e, level)
			x, y = append(x, px), append(y, py)
			on = false
			for _, to := range neighbours(e) {
				if !done[to] {
					e, on = to, true
					break
				}
			}
		}
	}
	for _, ends := range []bool{true, false} { // open lines from their ends, then rings
		for _, e := range order {
			if done[e] || ends && crossed[e] != 1 {
				continue
			}
			from := len(x)
			follow(e)
			if !ends {
				x, y = append(x, x[from]), append(y, y[from])
			}
			x, y = append(x, math.NaN()), append(y, math.NaN())
		}
	}
	return x, y
}

// edge is the way from the centre of a cell to that of its neighbour: in the next row, or in the next column.
type edge struct {
	row, col int
	vertical bool
}

// crossing is where the value on e is level.
func (g *Grid) crossing(e edge, level float64) (x, y float64) {
	r, c := float64(e.row), float64(e.col)
	a := g.Z[e.row*g.Cols+e.col]
	if e.vertical {
		r += (level - a) / (g.Z[(e.row+1)*g.Cols+e.col] - a)
	} else {
		c += (level - a) / (g.Z[e.row*g.Cols+e.col+1] - a)
	}
	return g.X0 + (g.X1-g.X0)*(c+0.5)/float64(g.Cols), g.Y0 + (g.Y1-g.Y0)*(r+0.5)/float64(g.Rows)
}
