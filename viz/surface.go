package viz

import (
	"image/color"
	"math"
	"sort"

	"gonum.org/v1/plot/vg"
)

// maxMesh is what a surface has at most: more would be smaller than what one can see of it.
const maxMesh = 900

// Surface draws an array of two axes as a surface in space, coloured by height; a slider under the live chart turns it.
// See [HeatMap] for the axes, for what becomes of large arrays and for options; the first row lies at the back, or at
// the front with [Extent].
//
// For example:
//
//	x := np.Linspace(-3, 3, 60)
//	viz.Surface(np.Outer(np.Sin(x), np.Cos(x)))
func Surface(a any, opts ...Option) *Chart {
	c, g, err := gridChart(a, maxMesh, opts)
	if err != nil {
		return failed("Surface: %w", err)
	}
	if g.Cols < 2 || g.Rows < 2 {
		return failed("Surface: the array has %d × %d values; a surface needs two of each", g.Rows, g.Cols)
	}
	p := &c.Panels[0]
	p.Series = []Series{{Mark: MarkGrid, Grid: g}}
	p.Scale.Colors = viridis
	p.mesh, p.bare, p.Height = true, true, 360
	c.Title = or(c.Title, "Surface")
	return c
}

// The view of a surface: from a little above, turned by so many degrees. runtime.js has the same.
const (
	meshTurn  = 35.0
	meshTilt  = 30.0
	meshUp    = 0.6 // half the height of the surface, where its base is 2 by 2
	meshRoom  = 1.08
	meshLabel = 0.16 // distance of labels from the base
)

// mesh tells runtime.js to draw a grid as a surface.
type mesh struct {
	Turn float64 `json:"turn"`
	Tilt float64 `json:"tilt"`
	Up   float64 `json:"up"`
	Room float64 `json:"room"`
	Out  float64 `json:"out"`
}

func meshOf(p Panel) *mesh { return &mesh{meshTurn, meshTilt, meshUp, meshRoom, meshLabel} }

// view projects points of space to a plot.
type view struct {
	sin, cos, sinTilt, cosTilt float64
	midX, midY, size           float64
}

func newView(g geometry) view {
	const degree = math.Pi / 180
	v := view{sin: math.Sin(meshTurn * degree), cos: math.Cos(meshTurn * degree), sinTilt: math.Sin(meshTilt * degree), cosTilt: math.Cos(meshTilt * degree)}
	v.midX, v.midY = (g.x0+g.x1)/2, (g.y0+g.y1)/2
	v.size = min((g.x1-g.x0)/2/math.Sqrt2, (g.y1-g.y0)/2/(math.Sqrt2*v.sinTilt+meshUp*v.cosTilt)) / meshRoom
	return v
}

// at returns the pixel of a point with x and y from -1 to 1 and height from -1 to 1, and how far from the eye it is.
func (v view) at(x, y, z float64) (px, py, depth float64) {
	depth = x*v.sin + y*v.cos
	return v.midX + v.size*(x*v.cos-y*v.sin), v.midY - v.size*(depth*v.sinTilt+z*meshUp*v.cosTilt), depth
}

// corner returns where the value of a cell lies in space.
func (g *Grid) corner(c, r int, s *Scale, down bool) (x, y, z float64) {
	x, y = 2*float64(c)/float64(g.Cols-1)-1, 2*float64(r)/float64(g.Rows-1)-1
	if down {
		y = -y
	}
	return x, y, 2*(g.Z[r*g.Cols+c]-s.Min)/(s.Max-s.Min) - 1
}

// surface draws the cells between the values, the farthest first, inside a frame.
func (p painter) surface(g *Grid, panel Panel, at geometry) {
	v := newView(at)
	type quad struct {
		pts   []vg.Point
		depth float64
		fill  color.NRGBA
	}
	var quads []quad
	for r := range g.Rows - 1 {
		for c := range g.Cols - 1 {
			q, sum, ok := quad{}, 0.0, true
			for _, k := range [4][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
				z := g.Z[(r+k[1])*g.Cols+c+k[0]]
				ok, sum = ok && finite(z), sum+z/4
				px, py, d := v.at(g.corner(c+k[0], r+k[1], panel.Scale, panel.Y.Down))
				q.pts, q.depth = append(q.pts, p.pt(px, py)), q.depth+d/4
			}
			if q.fill = panel.Scale.colour(sum); ok {
				quads = append(quads, q)
			}
		}
	}
	sort.SliceStable(quads, func(i, j int) bool { return quads[i].depth > quads[j].depth })
	p.frame(panel, v)
	for _, q := range quads {
		p.FillPolygon(q.fill, q.pts)
		edge := q.fill
		edge.R, edge.G, edge.B = edge.R/4*3, edge.G/4*3, edge.B/4*3
		p.line(edge, 0.4, false, append(q.pts, q.pts[0])...)
	}
}

// frame draws the base with the ends and names of its axes at its front edges.
func (p painter) frame(panel Panel, v view) {
	line := func(x0, y0, x1, y1 float64) {
		ax, ay, _ := v.at(x0, y0, -1)
		bx, by, _ := v.at(x1, y1, -1)
		p.line(p.softInk, 0.8, false, p.pt(ax, ay), p.pt(bx, by))
	}
	line(-1, -1, 1, -1)
	line(1, -1, 1, 1)
	line(1, 1, -1, 1)
	line(-1, 1, -1, -1)
	text := func(s string, x, y float64, soft bool) {
		px, py, _ := v.at(x, y, -1)
		c := p.ink
		if soft {
			c = p.softInk
		}
		p.text(s, px, py+4, textSize-1, c, -0.5, false)
	}
	g := panel.Series[0].Grid
	ends := func(lo, hi float64, n int) (string, string) { // values lie in the middle of cells
		half := (hi - lo) / float64(n) / 2
		return shortNumber(lo + half), shortNumber(hi - half)
	}
	x0, x1 := ends(g.X0, g.X1, g.Cols)
	y0, y1 := ends(g.Y0, g.Y1, g.Rows)
	if panel.Y.Down {
		y0, y1 = y1, y0
	}
	out := 1 + meshLabel
	text(x0, -0.9, -out, true)
	text(or(panel.X.Name(), "x"), 0, -1-1.6*meshLabel, false)
	text(x1, 0.9, -out, true)
	text(y0, -out, -0.9, true)
	text(or(panel.Y.Name(), "y"), -1-1.6*meshLabel, 0, false)
	text(y1, -out, 0.9, true)
}
